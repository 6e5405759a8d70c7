"""``linnet.solve``: what is given is used, what is left open is chosen."""

from __future__ import annotations

import time
import warnings
from pathlib import Path

import numpy as np

from linnet.auto import Auto
from linnet.checkpoint import Checkpoint
from linnet.errors import ArgumentError, LinnetWarning
from linnet.fold import Progress
from linnet.network import Network
from linnet.problem import Problem, StrongForm, WeakForm
from linnet.rows import Collocation, Formulation, Galerkin, VariationalLeastSquares
from linnet.solution import Solution
from linnet.solvers import Solver
from linnet.solving import check_problem
from linnet.solving import solve as explicit
from linnet.tuning.strong import WIDTH, WIDTHS, Tuner
from linnet.tuning.weak import WEAK_WIDTH, WEAK_WIDTHS, WeakTuner


def solve(
    problem: Problem,
    network: Network | None = None,
    formulation: Formulation | None = None,
    solver: Solver | Auto | None = None,
    *,
    tolerance: float | None = None,
    neurons: int | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    checkpoint: str | Path | Checkpoint | None = None,
) -> Solution:
    """Solve a linear problem; whatever is not given is chosen.

    Parameters
    ----------
    problem : StrongForm or WeakForm
        What is to be solved.
    network : Network, optional
        The hidden layer; its parameters are taken in the reference coordinates of the problem's
        domain. ``network.on(box)`` removes redundant neurons first.
    formulation : Collocation, Galerkin or VariationalLeastSquares, optional
        How, and at which points.
    solver : Cholesky, LU, TruncatedSVD, RegularizedQR or Auto, optional
        ``Auto()`` by default.
    tolerance : float, optional
        The relative L² error that is wanted: the width is doubled until the estimate is below,
        and a warning says why where it cannot be. Only where the network is not given.
    neurons : int, optional
        The width, where the network is not given and no tolerance either.
    workers : int, optional
        Threads; all cores by default. The result has the same bits whatever their number.
    progress : callable, optional
        Called with (rows done, rows in all) a few times a second during the reduction;
        ``linnet.show_progress()`` makes one that draws a bar.
    checkpoint : path or Checkpoint, optional
        A file in which the work is saved every minute, and from which it resumes: "run" makes
        run.search with the trials and run.1000.triangle, say, with the reduction for 1000 neurons
        (run.gram or run.triangle where network and formulation are given).

    Returns
    -------
    Solution
        ``info.error_estimate`` is an estimate of the relative L² error, honest within a factor
        of three on the problems of `linnet.catalog`; None where network and formulation are
        both given, as then nothing else is solved for. ``info.choices`` says what was tried and
        chosen. The same problem gives the same choice.
    """
    if network is not None and formulation is not None and tolerance is None and neurons is None:
        found = explicit(
            problem,
            network,
            formulation,
            solver,
            workers=workers,
            progress=progress,
            checkpoint=checkpoint,
        )
        _warn_if_undetermined(problem)
        return found
    started = time.perf_counter()
    _check(problem, network, formulation, tolerance, neurons)
    tuner: Tuner
    if isinstance(problem, WeakForm):
        assert not isinstance(formulation, Collocation)
        tuner = WeakTuner(problem, formulation, solver, workers, progress, checkpoint)
        width = WEAK_WIDTHS.get(problem.domain.dim, WEAK_WIDTH)
    else:
        assert isinstance(formulation, Collocation | None)
        tuner = Tuner(problem, formulation, solver, workers, progress, checkpoint)
        width = WIDTHS.get(problem.domain.dim, WIDTH)
    if network is not None:
        solution = tuner.given(network)
    elif tolerance is not None:
        solution = tuner.until(tolerance)
    else:
        solution = tuner.fixed(width if neurons is None else neurons)
    solution.info.seconds = time.perf_counter() - started
    _warn_if_undetermined(problem)
    return solution


def _warn_if_undetermined(problem: Problem) -> None:
    if isinstance(problem, StrongForm) and problem.undetermined:
        warnings.warn(
            f"the solution is not unique: {problem.undetermined}. State a condition that fixes it",
            LinnetWarning,
            stacklevel=3,
        )


def _check(
    problem: object,
    network: object,
    formulation: object,
    tolerance: object,
    neurons: object,
) -> None:
    """Refuse what does not fit together, before anything is computed."""
    check_problem(problem)
    if network is not None and not isinstance(network, Network):
        raise ArgumentError(
            "network", network, "it is no network", "Give Network(activation, neurons)"
        )
    fitting = Collocation if isinstance(problem, StrongForm) else Galerkin | VariationalLeastSquares
    if formulation is not None and not isinstance(formulation, fitting):
        raise ArgumentError(
            "formulation",
            formulation,
            f"it does not go with a {type(problem).__name__}",
            "Give Collocation(rule, ...) with a StrongForm, Galerkin(rule) or "
            "VariationalLeastSquares(rule) with a WeakForm, or leave it out",
        )
    for name, value in (("neurons", neurons), ("tolerance", tolerance)):
        if value is not None and network is not None:
            raise ArgumentError(
                name,
                value,
                "the network that is given has its width",
                f"Leave out network or {name}",
            )
    if neurons is not None and tolerance is not None:
        raise ArgumentError(
            "neurons", neurons, "with a tolerance the width is chosen", "Leave one of them out"
        )
    if neurons is not None and (
        not isinstance(neurons, int | np.integer) or isinstance(neurons, bool) or neurons < 4
    ):
        raise ArgumentError("neurons", neurons, "it is no width", "Give an integer, at least 4")
    if tolerance is not None and not (
        isinstance(tolerance, int | float) and 0 < float(tolerance) < np.inf
    ):
        raise ArgumentError("tolerance", tolerance, "it is no number > 0", "Give one, such as 1e-8")
