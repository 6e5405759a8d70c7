"""The reductions of a stream of rows, and what a solver makes of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from linnet.checkpoint import Checkpoint
from linnet.errors import UnresolvedError
from linnet.fold import Progress, blas_threads_for, fold
from linnet.reduce import Gradient, Gram, Triangle, symmetrised
from linnet.rows.galerkin import GalerkinRows
from linnet.rows.stream import LeastSquaresRows
from linnet.solvers import Cholesky, Factor, Outcome, Solver, System

Array = NDArray[np.float64]
S = TypeVar("S", Gram, Triangle)
Rows = GalerkinRows | LeastSquaresRows

_MET = 1e-6  # relative residual of equations A a = b that are solved


@dataclass(frozen=True, eq=False)
class Attempt:
    """What one solver found, and how far it can be trusted.

    Attributes
    ----------
    solver : Solver
    factor : System or Factor
    outcome : Outcome
    a : ndarray, shape (n, s)
        Output weights, corrected.
    residual : float
        ‖Aa − y‖/‖y‖ of rows; of equations A a = b, ‖Aa − b‖/‖b‖.
    rows : int
        Rows of a least-squares problem.
    """

    solver: Solver
    factor: System | Factor
    outcome: Outcome
    a: Array
    residual: float
    rows: int

    @property
    def solved(self) -> bool:
        """Whether the equations are met; of least squares no more is asked than the least."""
        return self.factor.reachable or self.residual <= _MET

    @property
    def rank(self) -> int:
        """The numerical rank, which is at most the number of rows."""
        return min(self.outcome.rank, self.rows)

    def doubts(self) -> Iterator[str]:
        """What its user should know before trusting it."""
        n = len(self.a)
        if not self.solved:
            yield (
                f"the equations are met to {self.residual:.1e} only: they are singular or nearly "
                "so, and the data do not fit them. Causes: a solution that is not unique (Neumann "
                "data alone and no term in u), redundant neurons. Remedies: a condition or a term "
                "that fixes u, network.on(box), TruncatedSVD(rcond=1e-10)"
            )
        elif isinstance(self.factor, System) and self.rank < n:
            yield (
                f"the matrix form has rank {self.rank} of {n} in double precision; "
                "VariationalLeastSquares (for symmetric positive forms) or Collocation resolve more"
            )
        if self.rows < n:
            yield (
                f"{self.rows} rows do not determine {n} neurons: between the points the solution "
                "is arbitrary. Give more points, or fewer neurons"
            )


class Assembler:
    """The reductions of one stream, each done once at most."""

    def __init__(
        self,
        rows: Rows,
        workers: int | None,
        progress: Progress | None = None,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        self.rows, self.workers, self.progress = rows, workers, progress
        self.checkpoint = checkpoint
        self._made: dict[str, System | Factor] = {}

    def factor(self, solver: Solver) -> System | Factor:
        """The system or the triangle that a solver works on."""
        if isinstance(self.rows, GalerkinRows) or solver.on_system:
            return self._once("gram", self._system)
        return self._once("triangle", self._triangle)

    def attempt(self, solver: Solver) -> Attempt:
        """What a solver makes of the rows; UnresolvedError where that is nothing."""
        factor = self.factor(solver)
        with blas_threads_for(self.rows.columns):
            outcome = solver.solve(factor)
        if outcome.rank == 0:
            raise UnresolvedError(
                f"{solver}: all rows vanish. Causes: neurons that vanish on the domain or between "
                "the points, weights of 0. Remedies: network.on(box), more points."
            )
        a, residual = self._corrected(solver, factor, outcome)
        if not (np.isfinite(a).all() and np.isfinite(residual)):
            raise UnresolvedError(
                f"{solver}: the output weights or their residual are not finite. Causes: data or "
                "coefficients beyond 1e150, whose squares overflow. Remedies: other units."
            )
        rows = self.rows.columns if isinstance(self.rows, GalerkinRows) else self.rows.size
        return Attempt(solver, factor, outcome, a, residual, rows)

    def _once(self, kind: str, make: Callable[[], System | Factor]) -> System | Factor:
        if kind not in self._made:
            self._made[kind] = make()
        return self._made[kind]

    def _system(self) -> System:
        rows = self.rows
        gram = self._fold(lambda: Gram(rows), "gram")
        if isinstance(rows, GalerkinRows):
            return System(*rows.system(gram), rows.problem.symmetric)
        n = rows.columns
        full = symmetrised(gram.matrices["rows"])
        load = gram.matrices["load"] if rows.has_load else np.zeros((1, 1))
        squares, reachable = np.diagonal(full)[n:], rows.reachable and not load.any()
        return System(full[:n, :n], full[:n, n:] + load, True, squares, reachable)

    def _triangle(self) -> Factor:
        rows = self.rows
        assert isinstance(rows, LeastSquaresRows)
        triangle = self._fold(lambda: Triangle(rows), "triangle")
        reachable = rows.reachable and not triangle.load.any()
        return Factor(triangle.factor, triangle.load, reachable)

    def _fold(self, zero: Callable[[], S], kind: str) -> S:
        saved = None if self.checkpoint is None else self.checkpoint.stage(kind)
        return fold(self.rows, zero, workers=self.workers, progress=self.progress, checkpoint=saved)

    def _corrected(
        self, solver: Solver, problem: System | Factor, outcome: Outcome
    ) -> tuple[Array, float]:
        """The output weights after the solver's corrections, and the relative residual.

        That is ‖Aa − y‖/‖y‖, or the normal equations' where y is not to be reached.
        """
        a = outcome.a
        if isinstance(problem, Factor):
            return a, _factor_residual(problem, a)
        if problem.squares is None:
            return a, _ratio(problem.A @ a - problem.b, problem.b)
        rows, corrections = self.rows, solver.corrections if isinstance(solver, Cholesky) else 0
        assert isinstance(rows, LeastSquaresRows)
        for step in range(max(1, corrections)):
            last = fold(rows, partial(Gradient, rows, a), workers=self.workers)
            squares = last.squares
            if step < corrections:
                change = solver.solve(replace(problem, b=last.gradient)).a
                a, squares = a + change, squares - (change * last.gradient).sum(axis=0)
        if not problem.reachable:
            return a, _ratio(problem.A @ a - problem.b, problem.b)
        return a, _ratio(np.sqrt(np.maximum(squares, 0.0))[None], np.sqrt(problem.squares)[None])


def _factor_residual(factor: Factor, a: Array) -> float:
    """‖Aa − y‖/‖y‖ from the triangle, or the normal equations' where y is not to be reached."""
    R, c = factor.R, factor.c
    if not factor.reachable:
        right = R.T @ c + factor.load
        return _ratio(R.T @ (R @ a) - right, right)
    below = factor.unreachable[None]
    return _ratio(np.vstack([R @ a - c, below]), np.vstack([c, below]))


def _ratio(miss: Array, given: Array) -> float:
    """The largest ratio of the norms of two matrices' columns."""
    size = np.linalg.norm(given, axis=0)
    return float((np.linalg.norm(miss, axis=0) / np.where(size > 0, size, 1.0)).max())
