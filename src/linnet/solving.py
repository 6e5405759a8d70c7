"""From a problem to a solution: rows, fold, factor, output weights."""

from __future__ import annotations

import time
import warnings
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from linnet.assembler import Assembler, Attempt, Rows
from linnet.auto import Auto
from linnet.checkpoint import Checkpoint
from linnet.data import Data
from linnet.domains import Box, Points
from linnet.errors import ArgumentError, LinnetWarning, UnresolvedError
from linnet.fold import Progress, check_workers
from linnet.info import Info, memory_now, memory_peak
from linnet.network import Network
from linnet.operators import test, trial
from linnet.problem import Equation, Problem, StrongForm, WeakForm
from linnet.rows import Collocation, Formulation, Galerkin, VariationalLeastSquares
from linnet.rules import Rule
from linnet.solution import Solution
from linnet.solvers import Solver

Array = NDArray[np.float64]


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
        A file in which the reduction is saved every minute, and from which it resumes: "run" makes
        run.gram or run.triangle, by what is reduced. It is known by all points and data, and kept
        when the reduction is done.

    Returns
    -------
    Solution
    """
    started, memory = time.perf_counter(), memory_now()
    check_workers(workers)
    chosen = _check_solver(Auto() if solver is None else solver)
    rows = rows_of(problem, network, formulation)
    saved = checkpoint if isinstance(checkpoint, Checkpoint | None) else Checkpoint(checkpoint)
    if progress is not None and not callable(progress):
        remedy = "Give linnet.show_progress() or a function of (rows done, rows in all)"
        raise ArgumentError("progress", progress, "it is no function", remedy)
    assembler = Assembler(rows, workers, progress, saved)
    choices: list[str] = []
    plan = chosen.plan(rows, workers) if isinstance(chosen, Auto) else iter([(chosen, "")])
    best: Attempt | None = None
    for candidate, reason in plan:
        if reason:
            choices.append(f"{candidate}: {reason}")
        try:
            attempt = assembler.attempt(candidate)
        except UnresolvedError as failure:
            if not isinstance(chosen, Auto):
                raise
            choices.append(str(failure))
            continue
        if best is None or attempt.residual < best.residual:
            best = attempt
        if attempt.solved:
            break
        choices.append(f"{candidate}: the equations are met to {attempt.residual:.1e} only")
    if best is None:
        raise UnresolvedError("No solver resolved the system: " + " ".join(choices))
    for doubt in best.doubts():
        warnings.warn(doubt, LinnetWarning, stacklevel=3)
    a = best.a
    info = Info(
        formulation=type(formulation).__name__,
        solver=repr(best.solver),
        n=rows.columns,
        rows=rows.size,
        rank=best.rank,
        condition=best.outcome.condition,
        residual=best.residual,
        seconds=time.perf_counter() - started,
        peak_memory=max(0, memory_peak() - memory),
        choices=choices,
    )
    single = a.shape[1] == 1
    return Solution(rows.network, a[:, 0] if single else a, info, problem, best.factor)


def check_problem(problem: object) -> None:
    """Refuse what is no problem."""
    if not isinstance(problem, StrongForm | WeakForm):
        raise ArgumentError(
            "problem",
            problem,
            "it is no problem",
            "Give StrongForm(Equation(...), ...) or WeakForm(form, load=f)",
        )


def rows_of(problem: Problem, network: Network, formulation: Formulation) -> Rows:
    """The stream of rows of a formulation, for arguments that fit together."""
    if not isinstance(formulation, Collocation | Galerkin | VariationalLeastSquares):
        raise ArgumentError(
            "formulation",
            formulation,
            "it is no formulation",
            "Give Collocation(rule, ...), Galerkin(rule) or VariationalLeastSquares(rule)",
        )
    check_problem(problem)
    return formulation.rows(problem, network)


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
        formulation: Formulation = Collocation(rule)
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
    if not isinstance(box, Box):
        raise ArgumentError(
            "network",
            network.domain,
            f"it has not been placed on a box, and {rule.part} is none",
            "Use network.on(box) or network.placed_on(box)",
        )
    return WeakForm(trial(box) * test(box), load=u)
