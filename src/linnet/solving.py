"""From a problem to a solution: rows, fold, factor, output weights."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from linnet.auto import Auto
from linnet.checkpoint import Checkpoint
from linnet.domains import Points
from linnet.errors import ArgumentError, LinnetWarning, UnresolvedError
from linnet.fold import Progress, blas_threads_for, check_workers, fold
from linnet.info import Info, memory_now, memory_peak
from linnet.network import Network
from linnet.operators import test, trial
from linnet.problem import Data, Equation, Problem, StrongForm, WeakForm
from linnet.reduce import Gradient, Gram, Triangle, symmetrised
from linnet.rows import Collocation, Formulation, Galerkin, VariationalLeastSquares
from linnet.rows.galerkin import GalerkinRows
from linnet.rows.stream import LeastSquaresRows
from linnet.rules import Rule
from linnet.solution import Solution
from linnet.solvers import (
    Cholesky,
    Factor,
    Outcome,
    Solver,
    System,
)

Array = NDArray[np.float64]
S = TypeVar("S", Gram, Triangle)
Rows = GalerkinRows | LeastSquaresRows


def solve(
    problem: Problem,
    network: Network,
    formulation: Formulation,
    solver: Solver | Auto | None = None,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
    checkpoint: str | Path | Checkpoint | None = None,
) -> Solution:
    """Find the output weights of a network for a linear problem.

    Parameters
    ----------
    problem : StrongForm or WeakForm
        What is to be solved.
    network : Network
        The hidden layer; its parameters are taken in the reference coordinates of the problem's
        domain. ``network.on(box)`` removes redundant neurons first.
    formulation : Collocation, Galerkin or VariationalLeastSquares
        How, and at which points.
    solver : Cholesky, LU, TruncatedSVD, RegularizedQR or Auto, optional
        ``Auto()`` by default.
    workers : int, optional
        Threads; all cores by default. The result has the same bits whatever their number.
    progress : callable, optional
        Called with (rows done, rows in all) a few times a second during the reduction;
        ``linnet.show_progress()`` makes one that draws a bar.
    checkpoint : path or Checkpoint, optional
        A file in which the reduction is saved every minute, and from which it resumes.

    Returns
    -------
    Solution
    """
    started, memory = time.perf_counter(), memory_now()
    check_workers(workers)
    chosen = _check_solver(Auto() if solver is None else solver)
    if not isinstance(formulation, Collocation | Galerkin | VariationalLeastSquares):
        raise ArgumentError(
            "formulation",
            formulation,
            "it is no formulation",
            "Give Collocation(rule, ...), Galerkin(rule) or VariationalLeastSquares(rule)",
        )
    if not isinstance(problem, StrongForm | WeakForm):
        raise ArgumentError(
            "problem",
            problem,
            "it is no problem",
            "Give StrongForm(Equation(...), ...) or WeakForm(form, load=f)",
        )
    rows = formulation.rows(problem, network)
    saved = checkpoint if isinstance(checkpoint, Checkpoint | None) else Checkpoint(checkpoint)
    assembler = Assembler(rows, workers, progress, saved)
    choices: list[str] = []
    plan = chosen.plan(rows, workers) if isinstance(chosen, Auto) else iter([(chosen, "")])
    for candidate, reason in plan:
        if reason:
            choices.append(f"{candidate}: {reason}")
        factor = assembler.factor(candidate)
        try:
            with blas_threads_for(rows.columns):
                outcome = candidate.solve(factor)
        except UnresolvedError as failure:
            if not isinstance(chosen, Auto):
                raise
            choices.append(str(failure))
            continue
        break
    else:
        raise UnresolvedError("No solver resolved the system: " + " ".join(choices))
    a, residual = assembler.corrected(candidate, factor, outcome)
    if isinstance(factor, System) and outcome.rank < len(a):
        warnings.warn(
            f"the matrix form has rank {outcome.rank} of {len(a)} in double precision; "
            "VariationalLeastSquares (for symmetric positive forms) or Collocation resolve more",
            LinnetWarning,
            stacklevel=2,
        )
    info = Info(
        formulation=type(formulation).__name__,
        solver=repr(candidate),
        n=rows.columns,
        rows=rows.size,
        rank=outcome.rank,
        condition=outcome.condition,
        residual=residual,
        seconds=time.perf_counter() - started,
        peak_memory=max(0, memory_peak() - memory),
        choices=choices,
    )
    single = a.shape[1] == 1
    return Solution(rows.network, a[:, 0] if single else a, info, problem, factor)


def fit(
    u: Data,
    network: Network,
    rule: Rule,
    solver: Solver | Auto | None = None,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Solution:
    """Approximate a function: min Σ w_i (u_n(x_i) − u(x_i))² over a rule's points.

    With a uniform grid it is the discrete ℓ² regression of §4.1.2, with a quadrature rule the
    L² projection of §4.1.1 in its least-squares form (appendix B).

    Parameters
    ----------
    u : callable or array
        From points (m, d) to values (m,) or (m, s); on given ``Points`` also their values.
    network : Network
        Placed on a domain by ``.on(box)``, or to be placed on the rule's own box.
    rule : Rule
        A grid, a quadrature rule of the box, or scattered ``Points``.
    solver, workers, progress
        As in :func:`solve`.

    Returns
    -------
    Solution
    """
    if not isinstance(network, Network):
        raise ArgumentError(
            "network", network, "it is no network", "Give Network(activation, neurons)"
        )
    if isinstance(rule, Points) and network.domain is not None:  # scattered data
        on_points = Equation(trial(network.domain), u, on=rule)
        problem: Problem = StrongForm(on_points)
        formulation: Formulation = Collocation(rule, weights=[rule.weights])
    else:
        problem, formulation = l2_problem(u, network, rule), VariationalLeastSquares(rule)
    return solve(
        problem,
        network,
        formulation,
        solver,
        workers=workers,
        progress=progress,
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
        b = full[:n, n:] + (gram.matrices["load"] if rows.has_load else 0.0)
        return System(full[:n, :n], b, symmetric=True, squares=np.diagonal(full)[n:])

    def _triangle(self) -> Factor:
        rows = self.rows
        assert isinstance(rows, LeastSquaresRows)
        triangle = self._fold(lambda: Triangle(rows), "triangle")
        return Factor(triangle.factor, triangle.load, rows.reachable)

    def _fold(self, zero: Callable[[], S], kind: str) -> S:
        saved = None if self.checkpoint is None else self.checkpoint.stage(kind)
        return fold(self.rows, zero, workers=self.workers, progress=self.progress, checkpoint=saved)

    def corrected(
        self, solver: Solver, problem: System | Factor, outcome: Outcome
    ) -> tuple[Array, float]:
        """The output weights after the solver's corrections, and the relative residual.

        That is ‖Aa − y‖/‖y‖, or the normal equations' where y is not to be reached.
        """
        a = outcome.a
        if isinstance(problem, Factor):
            assert isinstance(self.rows, LeastSquaresRows)
            return a, _factor_residual(problem, a, self.rows.reachable)
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
        if not rows.reachable:
            return a, _ratio(problem.A @ a - problem.b, problem.b)
        return a, _ratio(np.sqrt(np.maximum(squares, 0.0))[None], np.sqrt(problem.squares)[None])


def _factor_residual(factor: Factor, a: Array, reachable: bool) -> float:
    """‖Aa − y‖/‖y‖ from the triangle, or the normal equations' where y is not to be reached."""
    R, c = factor.R, factor.c
    if not reachable:
        right = R.T @ c + factor.load
        return _ratio(R.T @ (R @ a) - right, right)
    below = factor.unreachable[None]
    return _ratio(np.vstack([R @ a - c, below]), np.vstack([c, below]))


def _ratio(miss: Array, given: Array) -> float:
    """The largest ratio of the norms of two matrices' columns."""
    size = np.linalg.norm(given, axis=0)
    return float((np.linalg.norm(miss, axis=0) / np.where(size > 0, size, 1.0)).max())


def _check_solver(solver: object) -> Solver | Auto:
    if isinstance(solver, type) or not isinstance(solver, Solver | Auto):
        raise ArgumentError(
            "solver",
            solver,
            "it is no solver",
            "Give an object such as Auto(), Cholesky(), LU(), TruncatedSVD() or RegularizedQR()",
        )
    return solver


def l2_problem(u: Data, network: Network, rule: Rule) -> WeakForm:
    """∫ u_n v = ∫ u v on the rule's box (§3.1)."""
    if not isinstance(rule, Rule):
        raise ArgumentError("rule", rule, "it is no rule", "Give one such as box.grid(100)")
    box = network.domain or rule.part
    return WeakForm(trial(box) * test(box), load=u)
