"""The error estimate is honest over the whole catalogue."""

import warnings

import numpy as np
import pytest

import linnet as ln
from linnet import catalog
from linnet.tuning.estimate import FLOOR, error_estimate
from linnet.tuning.families import families
from linnet.tuning.search import Trial

WIDTHS = {1: 48, 2: 160, 3: 240, 5: 240, 6: 240}
ROUNDOFF = 1e-15  # errors below cannot be told from those of the exact solution's own values


def trial(residual, values, n=10):
    return Trial(families(2)[0], n, 1.0, residual, np.asarray(values, dtype=float)[:, None])


class TestTheFormula:
    u = np.array([1.0, 2.0, -2.0])  # of norm 3

    def off(self, error, residual):
        """A trial with that relative error, in one component."""
        return trial(residual, self.u + np.array([0.0, 0.0, 3 * error]))

    def test_the_stability_constant_times_the_residual(self):
        # errors are 0.1 times the residuals; a safety factor of 2
        others = [self.off(1e-2, 1e-1), self.off(1e-3, 1e-2)]
        estimate = error_estimate(trial(1e-5, self.u), others)
        assert estimate == pytest.approx(2 * 0.1 * 1e-5, rel=1e-6)

    def test_trials_that_are_as_good_but_far_away(self):
        others = [self.off(1e-2, 1e-1), self.off(3e-4, 1e-5)]
        assert error_estimate(trial(1e-5, self.u), others) == pytest.approx(3e-4, rel=1e-6)

    def test_a_trial_that_is_better_stands_in_for_the_solution(self):
        better, worse = trial(1e-9, self.u), self.off(1e-2, 1e-1)
        estimate = error_estimate(self.off(1e-4, 1e-2), [better, worse])
        assert estimate == pytest.approx(1e-4, rel=1e-3)

    def test_not_below_roundoff(self):
        assert error_estimate(trial(1e-17, self.u), [self.off(1e-2, 1e-1)]) == FLOOR

    def test_no_trial_says_nothing(self):
        assert error_estimate(trial(1e-5, self.u), []) == np.inf
        assert error_estimate(trial(1e-5, self.u), [trial(np.inf, self.u)]) == np.inf


def solved(name):
    """Error, and estimate, of a network of moderate width."""
    entry = catalog.get(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ln.LinnetWarning)  # "not resolved": then it is to be seen
        solution = ln.solve(entry.problem(), neurons=WIDTHS[entry.dim])
    rule = entry.box.sobol(4096, scramble=True, rng=99)
    return solution.error(entry.exact, rule).relative_l2, solution.info.error_estimate


def test_honest_over_the_catalogue():
    found = {name: solved(name) for name in catalog.names()}
    low = {name: error / estimate for name, (error, estimate) in found.items()}
    high = {name: estimate / max(error, ROUNDOFF) for name, (error, estimate) in found.items()}
    assert sum(ratio <= 3 for ratio in low.values()) >= 0.95 * len(low), low
    assert max(low.values()) <= 10, max(low.items(), key=lambda item: item[1])
    assert max(high.values()) <= 100, max(high.items(), key=lambda item: item[1])
