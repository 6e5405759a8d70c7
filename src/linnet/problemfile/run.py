"""From a problem file that has been read to a solution."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import linnet

if TYPE_CHECKING:
    from linnet.fold import Progress
    from linnet.problemfile import ProblemFile
    from linnet.solution import Solution


def solve_problem(
    file: ProblemFile, progress: Progress | None = None, checkpoint: Path | None = None
) -> Solution:
    """Solve what a problem file states, as it says; :func:`linnet.solve` chooses the rest.

    Parameters
    ----------
    file : ProblemFile
    progress, checkpoint
        As for :func:`linnet.solve`.

    Returns
    -------
    Solution
    """
    method = file.method
    return linnet.solve(
        file.stated.problem,
        method.network,
        method.formulation,
        method.solver,
        neurons=method.neurons,
        tolerance=method.tolerance,
        workers=method.workers,
        progress=progress,
        checkpoint=checkpoint,
    )
