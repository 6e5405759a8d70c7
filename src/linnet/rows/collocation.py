"""Collocation (§3.2, eq. (loss)): weighted residuals of the equations at points."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from linnet.arrays import real_array
from linnet.data import data_values
from linnet.domains import PeriodicPair, Points
from linnet.errors import ArgumentError, LinnetWarning
from linnet.network import Network
from linnet.problem import Problem, StrongForm
from linnet.reduce import Workspace
from linnet.rows.stream import (
    LeastSquaresRows,
    check_rules,
    check_used,
    columns_of,
    placed,
    rule_for,
    terms_at,
)
from linnet.rules import Rule

Array = NDArray[np.float64]
_ON_KINK = 1e-14  # |z| of a point on a kink, relative to the neuron's size

Weights = float | Sequence[float | ArrayLike]


@dataclass(frozen=True, eq=False)
class Collocation:
    """Least squares of the residuals at points, ½ Σᵢ λᵢ (Lu(xᵢ) − f(xᵢ))².

    Parameters
    ----------
    *rules : Rule
        Points for every part on which an equation is stated; equations on given ``Points`` bring
        their own, and their weights, which multiply λ. Quadrature weights are not used.
    weights : number or sequence
        λ of the loss: one number for all, or one entry per equation, each a number or an array
        with one number per point. λ multiplies the *squared* residual, so rows are multiplied
        by √λ.
    """

    rules: tuple[Rule, ...]
    weights: Weights = 1.0

    def __init__(self, *rules: Rule, weights: Weights = 1.0) -> None:
        object.__setattr__(self, "rules", check_rules(rules))
        object.__setattr__(self, "weights", weights)

    def rows(self, problem: Problem, network: Network) -> CollocationRows:
        """The stream of rows of a strong form."""
        if not isinstance(problem, StrongForm):
            raise ArgumentError(
                "problem",
                type(problem).__name__,
                "collocation holds equations at points",
                "Give a StrongForm, or a formulation for weak forms: Galerkin(rule)",
            )
        return CollocationRows(self, problem, network)


class CollocationRows(LeastSquaresRows):
    """Rows √λ·[(Lφ)(xᵢ) │ f(xᵢ)], equation after equation."""

    def __init__(self, formulation: Collocation, problem: StrongForm, network: Network) -> None:
        self.equations = problem.equations
        rules = [
            rule_for(equation.on, formulation.rules, f"equation {i}, {equation.operator},")
            for i, equation in enumerate(self.equations, 1)
        ]
        check_used(formulation.rules, [equation.on for equation in self.equations], "equation")
        super().__init__(placed(network, problem, problem.order), rules, [1] * len(rules))
        weights = _weights_of(formulation.weights, [rule.size for rule in rules])
        own = [r.take(0, r.size).weights if isinstance(r, Points) else 1.0 for r in rules]
        self.roots = [np.sqrt(weight * mass) for weight, mass in zip(weights, own, strict=True)]
        if self.network.activation.degree == problem.order > 0:
            self._check_kinks(problem.order)
        self.right_hand_sides = columns_of([equation.data for equation in problem.equations], rules)

    def _check_kinks(self, order: int) -> None:
        """Warn of points at which the step σ⁽ᵏ⁾ of a ReLUᵏ network has no value."""
        sigma, size = self.network.activation, np.abs(self.network.theta).sum(axis=1)[:, None]
        for k in range(self.blocks):
            segment, _, nodes = self.nodes(k)
            if self.equations[segment].operator.order < order:
                continue
            z = self.network.theta @ self.network.augmented(nodes.points)
            if (np.abs(z) <= _ON_KINK * size).any():
                warnings.warn(
                    f"points of {self.rules[segment]} lie on kinks of the neurons, where the "
                    f"derivative of order {order} of {sigma} jumps and equation {segment + 1} "
                    f"means nothing: take ReLU({order + 1}), a smooth activation or other points",
                    LinnetWarning,
                    stacklevel=5,
                )
                return

    def block(self, k: int, workspace: Workspace) -> Array:
        """Rows [A │ y] of block k, (m, n + s) in Fortran order."""
        segment, start, nodes = self.nodes(k)
        equation, root = self.equations[segment], self.roots[segment]
        m, n, s = len(nodes.points), self.columns, self.right_hand_sides
        scale = root[start : start + m] if root.ndim else np.full(m, root)
        out = workspace.array("rows", n + s, m)
        terms = terms_at(equation.operator.scalar, nodes)
        self.network.fill(out[:n], nodes.points, terms, scale)
        if isinstance(equation.on, PeriodicPair):
            partner = nodes._replace(points=nodes.points + equation.on.shift)
            terms = terms_at(equation.operator.scalar, partner)
            other = workspace.array("partner", n, m)
            self.network.fill(other, partner.points, terms, scale)
            out[:n] -= other
        values = data_values(equation.data, nodes, start, f"data of equation {segment + 1}")
        out[n:] = (values * scale[:, None]).T
        return out.T

    def given(self, k: int) -> Iterator[Array]:
        """Points, coefficients on both sides of a periodic pair, data and weights of block k."""
        segment, start, nodes = self.nodes(k)
        equation, root = self.equations[segment], self.roots[segment]
        yield nodes.points
        partners = [nodes]
        if isinstance(equation.on, PeriodicPair):
            partners.append(nodes._replace(points=nodes.points + equation.on.shift))
        for side in partners:
            for alpha, c in sorted(terms_at(equation.operator.scalar, side).items()):
                yield from (np.array(alpha), np.asarray(c))
        yield data_values(equation.data, nodes, start, f"data of equation {segment + 1}")
        yield root[start : start + len(nodes.points)] if root.ndim else root


def _weights_of(weights: Weights, sizes: Sequence[int]) -> list[Array]:
    """λ for each equation, a number (0-d) or one per point."""
    entries = list(weights) if np.iterable(weights) else [weights] * len(sizes)
    if len(entries) != len(sizes):
        raise ArgumentError(
            "weights",
            weights,
            f"it has {len(entries)} entries for {len(sizes)} equations",
            "Give one number, or one entry per equation",
        )
    remedy = "Give numbers, such as weights=(1, 1e4)"
    arrays = [real_array(entry, "weights", remedy) for entry in entries]
    for array, size in zip(arrays, sizes, strict=True):
        if array.shape not in ((), (size,)) or not (np.isfinite(array) & (array >= 0)).all():
            raise ArgumentError(
                "weights",
                array,
                f"each entry is a number ≥ 0 or an array of {size} of them, one per point",
                "Give finite weights, such as weights=(1, 1e4)",
            )
    return arrays
