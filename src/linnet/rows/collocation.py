"""Collocation (§3.2, eq. (loss)): weighted residuals of the equations at points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from linnet.domains import PeriodicPair
from linnet.errors import ArgumentError
from linnet.network import Network
from linnet.problem import Problem, StrongForm, data_values
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
Weights = float | Sequence[float | ArrayLike]


@dataclass(frozen=True, eq=False)
class Collocation:
    """Least squares of the residuals at points, ½ Σᵢ λᵢ (Lu(xᵢ) − f(xᵢ))².

    Parameters
    ----------
    *rules : Rule
        Points for every part on which an equation is stated; equations on given ``Points`` bring
        their own. The rules' quadrature weights are not used.
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
        self.roots = [
            np.sqrt(weight)
            for weight in _weights_of(formulation.weights, [rule.size for rule in rules])
        ]
        self.right_hand_sides = columns_of([equation.data for equation in problem.equations], rules)

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
    arrays = [np.asarray(entry, dtype=np.float64) for entry in entries]
    for array, size in zip(arrays, sizes, strict=True):
        if array.shape not in ((), (size,)) or not (np.isfinite(array) & (array >= 0)).all():
            raise ArgumentError(
                "weights",
                array,
                f"each entry is a number ≥ 0 or an array of {size} of them, one per point",
                "Give finite weights, such as weights=(1, 1e4)",
            )
    return arrays
