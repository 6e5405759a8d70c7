"""What the figures share: their targets, L² projection in three forms, errors, medians."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import linnet as ln
from linnet.errors import ArgumentError, LinnetWarning
from linnet.fold import Progress
from linnet.paper.experiment import EXPERIMENTS, Options, Result, Row, Series, fitted_slope
from linnet.paper.store import Values
from linnet.problem import Problem
from linnet.rows import Formulation
from linnet.rules import Rule
from linnet.solvers import Solver

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Sines:
    """u(x) = Σ_m Π_i sin(mπx_i), the target of all figures.

    Parameters
    ----------
    *waves : float
        The m: ½ for the ReLUᵏ networks; 1, 2 or 4, or all three, for tanh.
    """

    waves: tuple[float, ...]

    def __init__(self, *waves: float) -> None:
        object.__setattr__(self, "waves", waves)

    def __call__(self, x: Array) -> Array:
        """Values (m,) at points (m, d)."""
        return np.asarray(sum(self._product(m, x) for m in self.waves))

    def gradient(self, x: Array) -> Array:
        """∇u (m, d) at points (m, d)."""
        columns = []
        for axis in range(x.shape[1]):
            others = np.delete(x, axis, axis=1)
            columns.append(
                sum(
                    m * np.pi * np.cos(m * np.pi * x[:, axis]) * self._product(m, others)
                    for m in self.waves
                )
            )
        return np.stack(columns, axis=1)

    def load(self, x: Array) -> Array:
        """f = −Δu + u (m,) at points (m, d)."""
        d = x.shape[1]
        factors = [1 + d * (m * np.pi) ** 2 for m in self.waves]
        terms = zip(factors, self.waves, strict=True)
        return np.asarray(sum(factor * self._product(m, x) for factor, m in terms))

    @staticmethod
    def _product(m: float, x: Array) -> Array:
        return np.asarray(np.prod(np.sin(m * np.pi * x), axis=1))


def together(targets: Sequence[Sines]) -> Callable[[Array], Array]:
    """Several targets as several right-hand sides, from points (m, d) to values (m, s)."""
    return lambda x: np.stack([u(x) for u in targets], axis=1)


def projection(
    u: Callable[[Array], Array], box: ln.Box, rule: Rule, name: str
) -> tuple[Problem, Formulation]:
    """L² minimisation in one of its forms (§3.1, §3.2, appendix B).

    Parameters
    ----------
    u : callable
        The target.
    box : Box
    rule : Rule
    name : str
        'galerkin': M a = b; 'least-squares': min Σ w_i (u_n − u)²(x_i), with the rule's weights;
        'collocation': the same with all weights 1.
    """
    phi, v = ln.trial(box), ln.test(box)
    if name == "galerkin":
        return ln.WeakForm(phi * v, load=u), ln.Galerkin(rule)
    if name == "least-squares":
        return ln.WeakForm(phi * v, load=u), ln.VariationalLeastSquares(rule)
    if name == "collocation":
        return ln.StrongForm(ln.Equation(phi, u, on=box)), ln.Collocation(rule)
    raise ArgumentError(
        "formulation", name, "it is none", "Take galerkin, least-squares or collocation"
    )


def solve_quietly(
    problem: Problem,
    network: ln.Network,
    formulation: Formulation,
    solver: Solver | None,
    options: Options,
    progress: Progress | None = None,
    checkpoint: Path | None = None,
) -> ln.Solution:
    """Solve without the warnings of ill-conditioned matrices, which the figures are about."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LinnetWarning)
        return ln.solve(
            problem,
            network,
            formulation,
            options.solver or solver,
            workers=options.workers,
            progress=progress,
            checkpoint=checkpoint,
        )


def l2_errors(solution: ln.Solution, targets: Sequence[Sines], rule: Rule) -> list[float]:
    """‖u − u_n‖ for each target, one column of output weights each."""
    nodes = rule.take(0, rule.size)
    error = solution(nodes.points).reshape(rule.size, -1) - together(targets)(nodes.points)
    return [float(e) for e in np.sqrt(nodes.weights @ error**2)]


def median_row(found: Sequence[Values]) -> Row:
    """The medians over the seeds of 'n', 'l2' and 'h1', with their ranges if there are several."""
    columns = {q: [float(v[q]) for v in found] for q in ("l2", "h1") if q in found[0]}
    medians = {q: float(np.median(column)) for q, column in columns.items()}
    return Row(
        n=int(np.median([values["n"] for values in found])),
        l2=medians.get("l2"),
        h1=medians.get("h1"),
        spread={q: [min(c), max(c)] for q, c in columns.items()} if len(found) > 1 else None,
        extra={"points": found[0].get("points"), "seeds": len(found)},
    )


def slopes(rows: Sequence[Row], least: float, *names: str) -> dict[str, float]:
    """Fitted slopes over the rows with n ≥ `least`, or over the last two where these are fewer."""
    late = [row for row in rows if row.n >= least]
    late = late if len(late) > 1 else list(rows[-2:])
    fitted = {name: fitted_slope(late, name, skip=0) for name in names}
    return {name: slope for name, slope in fitted.items() if slope is not None}


def result(
    id: str,
    kind: str,
    series: list[Series],
    settings: Mapping[str, object],
    options: Options,
    started: float,
    notes: list[str],
) -> Result:
    """The result of a figure begun at `started` (of ``time.perf_counter``)."""
    chosen = {
        "size": "paper" if options.paper_size else "default",
        "first seed": options.seed,
        "workers": options.workers or "all cores",
    }
    seconds = time.perf_counter() - started
    used = {**settings, **chosen}
    return Result(id, EXPERIMENTS[id].title, kind, series, used, seconds, notes)
