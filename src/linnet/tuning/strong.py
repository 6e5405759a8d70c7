"""Strong forms without settings: family, spacing, weights, points and width are chosen here."""

from __future__ import annotations

import math
import warnings
from pathlib import Path

from linnet.auto import Auto
from linnet.checkpoint import Checkpoint
from linnet.errors import LinnetWarning
from linnet.fold import Progress
from linnet.network import Network
from linnet.problem import StrongForm
from linnet.rows import Collocation
from linnet.solution import Solution
from linnet.solvers import Solver
from linnet.solving import solve
from linnet.tuning.estimate import error_estimate
from linnet.tuning.families import Family, given
from linnet.tuning.points import OVERSAMPLING
from linnet.tuning.search import Search, work
from linnet.tuning.trial import Trial

WIDTHS = {1: 240, 2: 1000, 3: 2000}  # by dimension: a good answer in seconds
WIDTH = 3000  # from dimension 4 on
FIRST = {1: 60, 2: 400, 3: 500}  # with a tolerance, the width to begin with
FIRST_WIDTH = 750
WIDEST = 8000  # where a solution takes minutes
UNRESOLVED = 0.1  # an estimate that deserves a warning
_SLOW = 0.3  # at the plateau an estimate does not fall faster than so on a doubled width
_PATIENCE = 3  # widths on which the rate of convergence is measured
_SEARCH = 16  # work of a search, beside the OVERSAMPLING of the solution that it ends with
_HOPE = 3  # doublings beyond the widest that it may predict, as it grows for smooth solutions


class Tuner:
    """Solves one strong form on chosen networks, and keeps count.

    Parameters
    ----------
    problem : StrongForm
    formulation : Collocation, optional
        Points and weights of the solution that is returned, where they are given.
    solver : optional
        As in :func:`linnet.solve`.
    workers, progress, checkpoint
        As in :func:`linnet.solve`.
    """

    plateau = 1e-10, "double precision"  # an estimate that roundoff keeps from falling
    regularisation: float | None = None  # μ of the trials; the solver's own

    def __init__(
        self,
        problem: StrongForm,
        formulation: Collocation | None = None,
        solver: Solver | Auto | None = None,
        workers: int | None = None,
        progress: Progress | None = None,
        checkpoint: str | Path | Checkpoint | None = None,
    ) -> None:
        self.problem, self.formulation, self.solver = problem, formulation, solver
        self.workers, self.progress = workers, progress
        if checkpoint is not None and not isinstance(checkpoint, Checkpoint):
            checkpoint = Checkpoint(checkpoint)
        self.checkpoint = checkpoint
        search = None if checkpoint is None else checkpoint.stage("search")
        self.search = Search(problem, workers, self.regularisation, search)
        self._reported = 0
        self._reduced: Progress | None = None

    def given(self, network: Network) -> Solution:
        """The solution on a given network; parts of it are solved on for the error estimate."""
        family = given(network)
        self._begin(network.n)
        for part in (4, 2):
            self.search.attempts(max(1, network.n // part), [(family, 1.0)])
        return self._warned(self._finished(family, network.n, 1.0)[0])

    def fixed(self, n: int) -> Solution:
        """The solution on the best network of a width."""
        self._begin(n)
        best = self.search.best(n)
        return self._warned(self._finished(best.family, n, best.spacing)[0])

    def until(self, tolerance: float) -> Solution:
        """Double the width until the error estimate is met, or is seen never to be."""
        n = FIRST.get(self.search.dim, FIRST_WIDTH)
        best: Solution | None = None
        known: Trial | None = None
        choices: list[str] = []
        history: list[float] = []
        reason = f"{WIDEST} neurons are the most that linnet tries"
        while n <= WIDEST:
            self._begin(n)
            known = self.search.best(n, known)
            solution, estimate = self._finished(known.family, n, known.spacing)
            choices += solution.info.choices
            solution.info.choices = choices
            before = _estimate_of(best)
            if best is None or estimate < before:
                best = solution
            if estimate <= tolerance:
                return solution
            if _SLOW * before < estimate < self.plateau[0]:
                reason = f"this is the plateau of {self.plateau[1]}"
                break
            if estimate < UNRESOLVED:
                history.append(estimate)
            if _hopeless(history, tolerance, math.log2(WIDEST / n)):
                reason = (
                    "it falls slowly with the width, as for solutions with a corner, a jump or a "
                    "thin layer"
                )
                break
            n *= 2
        assert best is not None
        text = (
            f"tolerance {tolerance:g} is not met: the estimated error is "
            f"{_estimate_of(best):.1e} with {best.network.n} neurons; {reason}"
        )
        best.info.choices = [*choices, text]
        warnings.warn(text, LinnetWarning, stacklevel=3)
        return best

    def _begin(self, n: int) -> None:
        """Report the progress of what is done for a width: so much for trials, then the rest."""
        show, before = self.progress, sum(work(t.n) for t in self.search.trials)
        if show is None:
            return
        trials, rest = _SEARCH * n**3, OVERSAMPLING * n**3

        def searched(done: int, _: int) -> None:
            show(min(done - before, trials), trials + rest)

        def reduced(done: int, total: int) -> None:
            show(trials + rest * done // max(total, 1), trials + rest)

        self.search.progress, self._reduced = searched, reduced

    def _finished(self, family: Family, n: int, spacing: float) -> tuple[Solution, float]:
        """The solution on one network on all points, and its error estimate."""
        search = self.search
        network = family.network(n, search.dim, spacing)
        formulation = self.formulation or search.formulation(network, OVERSAMPLING)
        solution = solve(
            self.problem,
            network,
            formulation,
            self.solver,
            workers=self.workers,
            progress=self._reduced,
            checkpoint=self._kept(n),
        )
        trial = search.of(solution, family, n, spacing)
        estimate = error_estimate(trial, search.trials)
        described = (
            f"points {', '.join(map(repr, formulation.rules))}; weights {formulation.weights}"
        )
        choices = self._report(trial, network, described)
        return self._recorded(solution, trial, estimate, choices), estimate

    def _kept(self, n: int) -> Checkpoint | None:
        """Where the reduction of one width is kept."""
        return None if self.checkpoint is None else self.checkpoint.stage(str(n))

    def _report(self, trial: Trial, network: Network, formulation: str) -> list[str]:
        """What was tried since the last report, and what is chosen."""
        tried = self.search.trials[self._reported :]
        spacing = f", spacing {trial.spacing:.3g}" if trial.family.spacings != (1.0,) else ""
        chosen = f"chosen: {trial.family.name}, {network.n} neurons{spacing}; {formulation}"
        return [*map(str, tried), chosen]

    def _recorded(
        self, solution: Solution, trial: Trial, estimate: float, choices: list[str]
    ) -> Solution:
        """The solution with its report, remembered as a trial for those that follow."""
        self.search.trials.append(trial)
        self._reported = len(self.search.trials)
        solution.info.error_estimate = estimate
        solution.info.choices = [
            *choices,
            *solution.info.choices,
            f"held-out residual {trial.residual:.1e}, estimated relative L2 error {estimate:.1e}",
        ]
        return solution

    def _warned(self, solution: Solution) -> Solution:
        """The solution, with a warning where it is not resolved."""
        if _estimate_of(solution) > UNRESOLVED:
            warnings.warn(
                f"the solution is not resolved: its estimated relative error is "
                f"{_estimate_of(solution):.1e} with {solution.network.n} neurons. Give more "
                "neurons, or a tolerance",
                LinnetWarning,
                stacklevel=4,
            )
        return solution


def _hopeless(history: list[float], tolerance: float, doublings: float) -> bool:
    """Whether the rate so far leads nowhere near the tolerance in the doublings that are left."""
    if len(history) < _PATIENCE:
        return False
    rate = math.log(history[0] / history[-1]) / (len(history) - 1)
    return rate * (doublings + _HOPE) < math.log(history[-1] / tolerance)


def _estimate_of(solution: Solution | None) -> float:
    estimate = None if solution is None else solution.info.error_estimate
    return float("inf") if estimate is None else estimate
