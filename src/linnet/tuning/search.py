"""The search for a family and a spacing: small systems first, few large ones, no exact solution."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linnet.errors import UnresolvedError
from linnet.fold import blas_threads_for
from linnet.network import Network
from linnet.problem import StrongForm
from linnet.rows import Collocation
from linnet.solution import Solution
from linnet.solvers import RegularizedQR
from linnet.solving import solve
from linnet.tuning.families import Family, families
from linnet.tuning.points import TRIAL, collocation_points
from linnet.tuning.rows import HeldOut, balanced_weights

Array = NDArray[np.float64]

FITTED, HELD_OUT, COMPARED = 1, 2, 3  # seeds of the three sets of points
_JUDGES = {1: 250}  # held-out points, and points of comparison, by dimension
_MOST_JUDGES = 600  # in all others
_STEP = 1.25  # ratio of neighbouring spacings
_FINEST = 3  # spacings of each family that are tried where small systems resolve nothing
_CLIMB = 3  # trials of one family on one width
_RIVAL = 100.0  # a family whose residual is so many times the best's is given up
_RESOLVED = 0.05  # a relative residual from which on trials can be ranked
_PLATEAU = 1e-14  # a relative residual that is all roundoff
_LEAST = 24  # neurons of the smallest system


@dataclass(frozen=True, eq=False)
class Trial:
    """One solution that was tried.

    Attributes
    ----------
    family : Family
    n : int
        Neurons asked for.
    spacing : float
    residual : float
        On held-out points, relative to the data, in the unit of u; the largest of several
        right-hand sides. Infinite where the system could not be solved.
    values : ndarray, shape (m, s)
        At the points where solutions are compared.
    """

    family: Family
    n: int
    spacing: float
    residual: float
    values: Array

    def __str__(self) -> str:
        return (
            f"{self.family.name}, {self.n} neurons, spacing {self.spacing:.3g}: "
            f"held-out residual {self.residual:.1e}"
        )


class Search:
    """Trials for one problem, each made once.

    Parameters
    ----------
    problem : StrongForm
    workers : int, optional
        Threads of each solve.
    mu : float, optional
        Regularisation of the trials; roundoff by default.
    """

    def __init__(
        self, problem: StrongForm, workers: int | None = None, mu: float | None = None
    ) -> None:
        self.problem, self.workers, self.mu = problem, workers, mu
        self.dim = problem.domain.dim
        judges = _JUDGES.get(self.dim, _MOST_JUDGES)
        self.held_out = HeldOut(problem, collocation_points(problem, judges, HELD_OUT))
        self.points = problem.domain.sobol(judges, scramble=True, rng=COMPARED).points
        self.trials: list[Trial] = []

    def best(self, n: int, known: Trial | None = None) -> Trial:
        """The best family and spacing for n neurons.

        All families are tried on a quarter of the width, the best two on half of it and the best
        one on all of it, each beginning where the last step ended: about the cost of two
        solutions. Where small systems resolve nothing yet (a wave of high frequency), the widest
        spacings are tried on the full width, as they resolve most.

        Parameters
        ----------
        n : int
        known : Trial, optional
            The best of a smaller width, to begin with.
        """
        if known is not None and known.residual <= _RESOLVED:
            return self._climb(known.family, n, self._grown(known, n))
        least = min(n, _LEAST)
        small, half = max(n // 4, least), max(n // 2, least)
        first = self._survey(small)
        if first[0].residual > _RESOLVED and half > small:
            first = self._survey(half)
        if first[0].residual > _RESOLVED:
            finest = [(t.family, h) for t in first[:2] for h in t.family.spacings[:_FINEST]]
            return _least([self.attempt(family, n, h) for family, h in finest])
        good = [t for t in first[:2] if t.residual <= _RIVAL * first[0].residual]
        start = _least([self._climb(t.family, half, self._grown(t, half)) for t in good])
        return self._climb(start.family, n, self._grown(start, n))

    def _survey(self, n: int) -> list[Trial]:
        """The best trial of each family, the best family first."""
        best = []
        for family in families(self.dim):
            best.append(_least([self.attempt(family, n, h) for h in family.spacings]))
            if best[-1].residual < _PLATEAU:
                break
        return sorted(best, key=lambda trial: trial.residual)

    def _grown(self, trial: Trial, n: int) -> float:
        """Where to begin at another width: between the same spacing and the same radius."""
        return trial.spacing * float((trial.n / n) ** (0.5 / self.dim))

    def _climb(self, family: Family, n: int, spacing: float) -> Trial:
        """Go from spacing to spacing as long as the residual falls, in three trials at most."""
        best = self.attempt(family, n, spacing)
        tried = 1
        for factor in (_STEP, 1 / _STEP):
            while tried < _CLIMB and best.residual > _PLATEAU:
                trial = self.attempt(family, n, best.spacing * factor)
                tried += 1
                if trial.residual >= best.residual:
                    break
                best = trial
            if best.spacing != spacing:
                break
        return best

    def formulation(self, network: Network, oversampling: int) -> Collocation:
        """Points for a width, and balanced weights."""
        rules = collocation_points(self.problem, oversampling * network.n, FITTED)
        with blas_threads_for(0):
            weights = balanced_weights(self.problem, rules, network)
        return Collocation(*rules, weights=weights)

    def attempt(self, family: Family, n: int, spacing: float) -> Trial:
        """Solve a small system, and see how well the equations are met elsewhere."""
        for trial in self.trials:
            if (trial.family, trial.n) == (family, n) and abs(trial.spacing / spacing - 1) < 1e-9:
                return trial
        network = family.network(n, self.dim, spacing)
        try:
            solution = solve(
                self.problem,
                network,
                self.formulation(network, TRIAL),
                RegularizedQR(self.mu),
                workers=self.workers,
            )
            trial = self.judged(solution, family, n, spacing)
        except UnresolvedError:
            trial = Trial(family, n, spacing, np.inf, np.zeros((len(self.points), 1)))
        self.trials.append(trial)
        return trial

    def judged(self, solution: Solution, family: Family, n: int, spacing: float) -> Trial:
        """A solution with its held-out residual and its values."""
        values = solution(self.points).reshape(len(self.points), -1)
        residual = self.held_out(solution)
        return Trial(family, n, spacing, residual, values)


def _least(trials: list[Trial]) -> Trial:
    """The trial of the least residual, the first of several."""
    return min(trials, key=lambda trial: trial.residual)
