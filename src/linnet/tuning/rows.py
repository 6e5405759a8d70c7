"""The equations at points: how large their rows are, and how well they are met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from linnet import neurons
from linnet.activations import Activation, Sigmoid, Sine, Tanh
from linnet.data import data_values
from linnet.domains import Box, PeriodicPair
from linnet.lapack import absorb_rows, first_rows
from linnet.network import Network, Terms
from linnet.problem import Equation, StrongForm
from linnet.rows.stream import rule_for, terms_at
from linnet.rules import Nodes, Rule
from linnet.solvers import Factor, RegularizedQR

Array = NDArray[np.float64]

_CONDITIONS = 4.0  # rows of conditions, relative to those of the differential equation
_STEEP = 40.0  # the same for neurons whose second derivatives are large near their kinks only
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

    @cached_property
    def sides(self) -> list[tuple[float, Array, Terms]]:
        """Sign, points and coefficients: once, or for both faces of a periodic pair."""
        sides = [(1.0, self.nodes)]
        if isinstance(self.equation.on, PeriodicPair):
            shifted = self.nodes.points + self.equation.on.shift
            sides.append((-1.0, self.nodes._replace(points=shifted)))
        coefficients = self.equation.operator.scalar
        return [(sign, nodes.points, terms_at(coefficients, nodes)) for sign, nodes in sides]

    def rows(self, network: Network) -> Array:
        """The rows [(Lφ_j)(x_i) │ f(x_i)], (m, n + s) in Fortran order."""
        n, (m, s) = network.n, self.data.shape
        out = np.empty((n + s, m))
        (_, points, terms), *partner = self.sides
        network.fill(out[:n], points, terms)
        for _, shifted, other in partner:
            out[:n] -= network.features(shifted, other).T
        out[n:] = self.data.T
        return out.T

    def left(self, network: Network, a: Array) -> Array:
        """The left-hand side Lu, (m, s), for output weights a (n, s)."""
        total = np.zeros((len(self.data), a.shape[1]))
        for sign, points, terms in self.sides:
            values = network.combine(points, a, list(terms))
            for alpha, c in terms.items():
                total += sign * np.reshape(c, (-1, 1)) * values[alpha]
        return total


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


def sizes_of(rows: Sequence[Array], n: int) -> Array:
    """Root mean square of the entries of each equation's n columns, (equations,)."""
    sizes = [float(np.linalg.norm(block[:, :n]) / np.sqrt(n * len(block))) for block in rows]
    return np.array([size if size > 0 else 1.0 for size in sizes])


def conditions(activation: Activation) -> float:
    """How large the rows of conditions are made, relative to those of the equation.

    On the catalogue the least errors lie near 4 for sines and Gaussians and near 40 for tanh,
    flat within a factor of 3.
    """
    return _STEEP if isinstance(activation, Tanh | Sigmoid) else _CONDITIONS


def balance(problem: StrongForm, activation: Activation, sizes: Array) -> Array:
    """The factor of each equation's rows, relative to the first equation's."""
    factor = conditions(activation)
    wanted = np.array([1.0 if isinstance(e.on, Box) else factor for e in problem.equations])
    scales: Array = (wanted / sizes) / (wanted[0] / sizes[0])
    return scales


def balanced_weights(
    problem: StrongForm, rules: tuple[Rule, ...], network: Network
) -> tuple[float, ...]:
    """λ of the loss that makes the rows of all equations equally large, conditions larger.

    The rows of −Δu are |w|² times as large as those of u, and least squares would meet the
    boundary values last. With rows of the same size the error is within a factor of 10 of that
    of the best weight on every problem of the catalogue, and mostly within 2.

    Returns
    -------
    tuple of float
        One for each equation, relative to the first.
    """
    placed = network.placed_on(problem.domain)
    rows = [place.rows(placed) for place in stations(problem, rules, _SAMPLE)]
    scales = balance(problem, network.activation, sizes_of(rows, network.n))
    return tuple(float(f"{weight:.3g}") for weight in scales**2)


def fitted(
    problem: StrongForm, places: Sequence[Station], network: Network, mu: float | None
) -> Array:
    """Output weights (n, s): least squares of the balanced rows of some stations, all at once.

    It is what :func:`linnet.solve` computes, without blocks, threads and a report: a search makes
    dozens of small ones.
    """
    rows = [place.rows(network) for place in places]
    n, width = network.n, rows[0].shape[1]
    scales = balance(problem, network.activation, sizes_of(rows, n))
    triangle = np.zeros((width, width), order="F")
    for i, (block, scale) in enumerate(zip(rows, scales, strict=True)):
        block *= scale
        (absorb_rows if i else first_rows)(triangle, block)
    a: Array = RegularizedQR(mu).solve(Factor(triangle, np.zeros((n, width - n)))).a
    return a


class HeldOut:
    """The residual on points that no trial is fitted to: it orders trials as their errors do.

    Residuals of different equations are added up in the unit of u: each is divided by the size
    of its operator on waves of one wavelength per side of the domain.
    """

    def __init__(self, problem: StrongForm, rules: tuple[Rule, ...]) -> None:
        box = problem.domain
        self.places = stations(problem, rules)
        waves = Network(Sine(), neurons.half_ball(64, box.dim, np.pi), box)
        rows = [place.rows(waves) for place in stations(problem, rules, _SAMPLE)]
        self.sizes = sizes_of(rows, waves.n) * np.sqrt(2.0)
        norms = self._norms([place.data for place in self.places])
        self.data_norms = np.where(norms > 0, norms, 1.0)

    def __call__(self, network: Network, a: Array) -> float:
        """Root mean square over all equations relative to the data's, the largest of all u."""
        return self.relative([place.left(network, a) for place in self.places])

    def relative(self, lefts: Sequence[Array]) -> float:
        """The same for left-hand sides (m, s), one of each equation."""
        pairs = zip(lefts, self.places, strict=True)
        norms = self._norms([left - place.data for left, place in pairs])
        worst = float((norms / self.data_norms).max())
        return worst if np.isfinite(worst) else np.inf

    def _norms(self, values: Sequence[Array]) -> Array:
        squares = [
            (v**2).mean(axis=0) / size**2 for v, size in zip(values, self.sizes, strict=True)
        ]
        return np.asarray(np.sqrt(np.sum(np.broadcast_arrays(*squares), axis=0)))
