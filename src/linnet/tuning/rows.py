"""The equations at points: how large their rows are, and how well they are met."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linnet import neurons
from linnet.activations import Sine
from linnet.domains import Box, PeriodicPair
from linnet.network import Network
from linnet.problem import Equation, StrongForm, data_values
from linnet.rows.stream import rule_for, terms_at
from linnet.rules import Nodes, Rule
from linnet.solution import Solution

Array = NDArray[np.float64]

BOUNDARY = 4.0  # rows of conditions, relative to those of the differential equation
_SAMPLE = 64  # points at which the size of the rows is measured


@dataclass(frozen=True, eq=False)
class Station:
    """An equation at some points.

    Attributes
    ----------
    equation : Equation
    nodes : Nodes
    data : ndarray, shape (m, s)
    """

    equation: Equation
    nodes: Nodes
    data: Array

    def rows(self, network: Network) -> Array:
        """The features (Lφ_j)(x_i), (m, n)."""
        terms = terms_at(self.equation.operator.scalar, self.nodes)
        rows = network.features(self.nodes.points, terms)
        if isinstance(self.equation.on, PeriodicPair):
            partner = self.nodes._replace(points=self.nodes.points + self.equation.on.shift)
            terms = terms_at(self.equation.operator.scalar, partner)
            rows = rows - network.features(partner.points, terms)
        return rows

    def residual(self, solution: Solution) -> Array:
        """Lu − f, (m, s)."""
        operator, nodes = self.equation.operator, self.nodes
        left = solution.apply(operator, nodes.points, nodes.normals)
        if isinstance(self.equation.on, PeriodicPair):
            partner = nodes.points + self.equation.on.shift
            left = left - solution.apply(operator, partner, nodes.normals)
        return left.reshape(self.data.shape[0], -1) - self.data


def stations(
    problem: StrongForm, rules: tuple[Rule, ...], most: int | None = None
) -> list[Station]:
    """Each equation of a problem at the points of its rule, or at `most` of them, evenly spread."""
    result = []
    for i, equation in enumerate(problem.equations, 1):
        rule = rule_for(equation.on, rules, f"equation {i}")
        nodes = rule.take(0, rule.size)
        if most is not None and rule.size > most:
            chosen = np.linspace(0, rule.size - 1, most).astype(int)
            normals = None if nodes.normals is None else nodes.normals[chosen]
            nodes = Nodes(nodes.points[chosen], nodes.weights[chosen], normals)
            data = np.zeros((most, 1))
        else:
            data = data_values(equation.data, nodes, 0, f"data of equation {i}")
        result.append(Station(equation, nodes, data))
    return result


def row_sizes(places: list[Station], network: Network) -> Array:
    """Root mean square of the entries of each equation's rows, (equations,)."""
    sizes = [float(np.sqrt((place.rows(network) ** 2).mean())) for place in places]
    return np.array([size if size > 0 else 1.0 for size in sizes])


def balanced_weights(
    problem: StrongForm, rules: tuple[Rule, ...], network: Network
) -> tuple[float, ...]:
    """λ of the loss that makes the rows of all equations equally large, conditions four times.

    The rows of −Δu are |w|² times as large as those of u, and least squares would meet the
    boundary values last. With rows of the same size the error is within a factor of 10 of that
    of the best weight on every problem of the catalogue, and mostly within 2.

    Returns
    -------
    tuple of float
        One for each equation, relative to the first.
    """
    sizes = row_sizes(stations(problem, rules, _SAMPLE), network.placed_on(problem.domain))
    factors = [1.0 if isinstance(e.on, Box) else BOUNDARY for e in problem.equations]
    weights = (np.array(factors) / sizes) ** 2
    return tuple(float(f"{weight:.3g}") for weight in weights / weights[0])


class HeldOut:
    """The residual on points that no trial is fitted to: it orders trials as their errors do.

    Residuals of different equations are added up in the unit of u: each is divided by the size
    of its operator on waves of one wavelength per side of the domain.
    """

    def __init__(self, problem: StrongForm, rules: tuple[Rule, ...]) -> None:
        box = problem.domain
        self.places = stations(problem, rules)
        waves = Network(Sine(), neurons.half_ball(64, box.dim, np.pi), box)
        self.sizes = row_sizes(stations(problem, rules, _SAMPLE), waves) * np.sqrt(2.0)
        norms = self._norms([place.data for place in self.places])
        self.data_norms = np.where(norms > 0, norms, 1.0)

    def __call__(self, solution: Solution) -> float:
        """Root mean square over all equations relative to the data's, the largest of all u."""
        norms = self._norms([place.residual(solution) for place in self.places])
        worst = float((norms / self.data_norms).max())
        return worst if np.isfinite(worst) else np.inf

    def _norms(self, values: list[Array]) -> Array:
        squares = [
            (v**2).mean(axis=0) / size**2 for v, size in zip(values, self.sizes, strict=True)
        ]
        return np.asarray(np.sqrt(np.sum(np.broadcast_arrays(*squares), axis=0)))
