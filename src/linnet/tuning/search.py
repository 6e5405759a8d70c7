"""The search for a family and a spacing: small systems first, few large ones, no exact solution."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from linnet.checkpoint import Checkpoint
from linnet.errors import UnresolvedError
from linnet.fold import Progress, blas_threads_for, map_blocks
from linnet.network import Network
from linnet.problem import StrongForm
from linnet.rows import Collocation
from linnet.solution import Solution
from linnet.tuning.album import Album
from linnet.tuning.families import Family, families
from linnet.tuning.points import FITTED, TRIAL, collocation_points
from linnet.tuning.rows import HeldOut, Station, balanced_weights, fitted, stations
from linnet.tuning.trial import Trial

Array = NDArray[np.float64]

HELD_OUT, COMPARED = 2, 3  # seeds of two sets of points
_JUDGES = {1: 150}  # held-out points, by dimension
_MOST_JUDGES = 500  # in all others
_COMPARED = 200  # points at which solutions are compared
_STEP, _FINE = 1.4, 1.25  # ratio of neighbouring spacings on half and on the full width
_FINEST = 3  # spacings of each family that are tried where small systems resolve nothing
_RIVAL = 100.0  # a family whose residual is so many times the best's is given up
_RESOLVED = 0.05  # a relative residual from which on trials can be ranked
_PLATEAU = 1e-14  # a relative residual that is all roundoff
_LEAST = 24  # neurons of the smallest system
_TOGETHER = 120  # neurons from which on two systems are solved at the same time


def work(n: int) -> int:
    """Points times the square of the neurons of a trial, which its time is in proportion to."""
    return TRIAL * n**3


class Search:
    """Trials for one problem, each made once.

    Parameters
    ----------
    problem : StrongForm
    workers : int, optional
        Threads of each solve.
    mu : float, optional
        Regularisation of the trials; roundoff by default.
    checkpoint : Checkpoint, optional
        Where trials are kept, so that a search that was interrupted makes none of them again.
    """

    def __init__(
        self,
        problem: StrongForm,
        workers: int | None = None,
        mu: float | None = None,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        self.problem, self.workers, self.mu = problem, workers, mu
        self.dim = problem.domain.dim
        judges = _JUDGES.get(self.dim, _MOST_JUDGES)
        self.held_out = HeldOut(problem, collocation_points(problem, judges, HELD_OUT))
        self.points = problem.domain.sobol(_COMPARED, scramble=True, rng=COMPARED).points
        self.trials: list[Trial] = []
        self.progress: Progress | None = None  # called with the work of the trials so far
        self._album = Album(problem, mu, checkpoint)
        self._places: dict[int, list[Station]] = {}

    def best(self, n: int, known: Trial | None = None) -> Trial:
        """The best family and spacing for n neurons.

        All families are tried on a quarter of the width and on half of it, the two that promise
        most on all of it, each beginning where the last step ended: about the cost of two
        solutions. Where small systems resolve nothing yet (a wave of high frequency), the widest
        spacings are tried on the full width, as they resolve most.

        Parameters
        ----------
        n : int
        known : Trial, optional
            The best of a smaller width, to begin with.
        """
        if known is not None and known.residual <= _RESOLVED:
            alike = [t for t in self.trials if t.n == known.n and t.residual < np.inf]
            return self._climb(self._least_of_each(alike), n, _FINE, rivals=1)[0]
        least = min(n, _LEAST)
        small, half = max(n // 4, least), max(n // 2, least)
        first = self._survey(small)
        if first[0].residual > _RESOLVED and half > small:
            first = self._survey(half)
        if first[0].residual > _RESOLVED:
            finest = [(t.family, h) for t in first for h in t.family.spacings[:_FINEST]]
            return _least(self.attempts(n, finest))
        climbed = self._climb(first, half, _STEP, rivals=2)
        before = {t.family: t for t in first if t.n < half}
        climbed.sort(key=lambda t: _expected(t, before.get(t.family)))
        return self._climb(climbed, n, _FINE, rivals=1)[0]

    def _survey(self, n: int) -> list[Trial]:
        """The best trial of each family, the best family first."""
        best: list[Trial] = []
        for some in (families(self.dim)[:1], families(self.dim)[1:]):
            if not best or best[0].residual > _PLATEAU:
                trials = self.attempts(n, [(f, h) for f in some for h in f.spacings])
                best += self._least_of_each(trials)
        return sorted(best, key=lambda trial: trial.residual)

    def _climb(self, starts: Sequence[Trial], n: int, step: float, rivals: int) -> list[Trial]:
        """The best trial of each family on another width, the best family first.

        Of the families, as many as `rivals` are followed, if they are not far behind: to the
        spacings beside the first, and once more in the direction in which the residual falls.
        """
        best = self.attempts(n, [(t.family, self._grown(t, n)) for t in starts])
        best.sort(key=lambda trial: trial.residual)
        best = [t for t in best[:rivals] if t.residual <= _RIVAL * best[0].residual]
        if best[0].residual < _PLATEAU:
            return best
        sides = [(t.family, t.spacing * factor) for t in best for factor in (step, 1 / step)]
        found = self._least_of_each([*best, *self.attempts(n, sides)])
        moved = [(t, t.spacing / b.spacing) for t, b in zip(found, best, strict=True) if t is not b]
        further = self.attempts(n, [(t.family, t.spacing * factor) for t, factor in moved])
        return sorted(self._least_of_each([*found, *further]), key=lambda trial: trial.residual)

    def _least_of_each(self, trials: Sequence[Trial]) -> list[Trial]:
        """The best trial of each family, in the order in which they come.

        Of two that meet the equations alike the wider spacing has the smaller error, as its basis
        is the better conditioned one.
        """
        each = dict.fromkeys(t.family for t in trials)
        return [
            min((t for t in trials if t.family is family), key=lambda t: t.residual / t.spacing)
            for family in each
        ]

    def _grown(self, trial: Trial, n: int) -> float:
        """Where to begin at another width: between the same spacing and the same radius."""
        return self._vertex(trial) * float((trial.n / n) ** (0.5 / self.dim))

    def _vertex(self, trial: Trial) -> float:
        """The spacing of the least residual by a parabola through a trial and its neighbours."""
        same = [t for t in self.trials if (t.family, t.n) == (trial.family, trial.n)]
        finer = [t for t in same if t.spacing < trial.spacing * 0.999]
        wider = [t for t in same if t.spacing > trial.spacing * 1.001]
        if not finer or not wider:
            return trial.spacing
        low, high = max(finer, key=_spacing), min(wider, key=_spacing)
        if not all(0 < t.residual < np.inf for t in (low, trial, high)):
            return trial.spacing
        a, b = math.log(trial.spacing / low.spacing), math.log(high.spacing / trial.spacing)
        before = math.log(trial.residual / low.residual) / a  # the slopes on both sides
        behind = math.log(high.residual / trial.residual) / b
        bend = (behind - before) / (a + b)
        if bend <= 0:
            return trial.spacing
        vertex = -(before + bend * a) / (2 * bend)
        return trial.spacing * math.exp(min(max(vertex, -a), b))

    def formulation(self, network: Network, oversampling: int) -> Collocation:
        """Points for a width, and balanced weights."""
        rules = collocation_points(self.problem, oversampling * network.n, FITTED)
        with blas_threads_for(0):
            weights = balanced_weights(self.problem, rules, network)
        return Collocation(*rules, weights=weights)

    def attempts(self, n: int, wanted: Sequence[tuple[Family, float]]) -> list[Trial]:
        """Solve systems of one width, and see how well the equations are met elsewhere.

        Each is made once, and by one thread where there are several: two at the same time.
        """
        new = [(f, h) for f, h in wanted if self._made(f, n, h) is None]
        if self.progress is not None:
            self.progress(sum(work(t.n) for t in self.trials), 0)
        if n not in self._places:
            rules = collocation_points(self.problem, TRIAL * n, FITTED)
            self._places[n] = stations(self.problem, rules)
        fresh = [(f, h) for f, h in new if self._album.find(f, n, h) is None]
        with self._album.kept():
            if len(fresh) == 1:
                with blas_threads_for(n):
                    self._album.add([self._attempt(n, *fresh[0])])
            else:
                workers = self.workers if n >= _TOGETHER else 1
                some = map_blocks(lambda k: self._attempt(n, *fresh[k]), len(fresh), workers)
                self._album.add(some)
        found = [self._album.find(family, n, h) for family, h in new]
        self.trials += [trial for trial in found if trial is not None]
        made = [self._made(family, n, h) for family, h in wanted]
        return [trial for trial in made if trial is not None]

    def _made(self, family: Family, n: int, spacing: float) -> Trial | None:
        for t in self.trials:
            if t.family is family and t.n == n and abs(t.spacing / spacing - 1) < 1e-9:
                return t
        return None

    def _attempt(self, n: int, family: Family, spacing: float) -> Trial:
        network = family.network(n, self.dim, spacing).placed_on(self.problem.domain)
        try:
            a = fitted(self.problem, self._places[n], network, self.mu)
        except UnresolvedError:
            return Trial(family, n, spacing, np.inf, np.zeros((len(self.points), 1)))
        return self.judged(network, a, family, n, spacing)

    def of(self, solution: Solution, family: Family, n: int, spacing: float) -> Trial:
        """A solution as a trial."""
        a = solution.a.reshape(solution.network.n, -1)
        return self.judged(solution.network, a, family, n, spacing)

    def judged(self, network: Network, a: Array, family: Family, n: int, spacing: float) -> Trial:
        """Output weights a (n, s) with their held-out residual and their values."""
        value = (0,) * self.dim
        values = network.combine(self.points, a, [value])[value]
        return Trial(family, n, spacing, self.held_out(network, a), values)


def _spacing(trial: Trial) -> float:
    return trial.spacing


def _least(trials: Sequence[Trial]) -> Trial:
    """The trial of the least residual, the first of several."""
    return min(trials, key=lambda trial: trial.residual)


def _expected(trial: Trial, before: Trial | None) -> float:
    """The residual on the double width, if it falls as it did from the width before."""
    fall = 1.0 if before is None or not before.residual else trial.residual / before.residual
    return trial.residual * fall
