"""From a problem file that has been read to a solution."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING

import linnet
from linnet.problemfile.default import choose

if TYPE_CHECKING:
    from linnet.fold import Progress
    from linnet.problemfile import ProblemFile
    from linnet.solution import Solution


def solve_problem(
    file: ProblemFile, progress: Progress | None = None, checkpoint: Path | None = None
) -> Solution:
    """Solve what a problem file states, as it says; what it does not say is chosen.

    Parameters
    ----------
    file : ProblemFile
    progress, checkpoint
        As for :func:`linnet.solve`.

    Returns
    -------
    Solution
    """
    method, problem = file.method, file.stated.problem
    network, formulation = method.network, method.formulation
    rest = {"workers": method.workers, "progress": progress, "checkpoint": checkpoint}
    if network is None or formulation is None:
        if "neurons" in inspect.signature(linnet.solve).parameters:
            wish = {"neurons": method.neurons, "tolerance": method.tolerance}
            return linnet.solve(problem, network, formulation, method.solver, **wish, **rest)  # type: ignore[arg-type]
        chosen, points = choose(problem, method.neurons, network)
        network, formulation = chosen, formulation or points
    return linnet.solve(problem, network, formulation, method.solver, **rest)  # type: ignore[arg-type]
