"""An estimate of the relative L² error, from the trials that the search has made anyway.

Every trial k has a held-out residual ρ_k and a distance d_k to the final solution. A trial that is
clearly worse than the final solution has an error of about d_k, so d_k/ρ_k says what a residual
means in this problem: the stability constant, measured. The final residual times that constant is
the estimate, unless trials about as good as the final solution are further from it than that. A
trial that is clearly better, as one by collocation may be than the solution of a weak form, stands
in for the exact solution.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from linnet.tuning.trial import Trial

Array = NDArray[np.float64]

FLOOR = 3e-14  # what data and evaluation in double precision leave in any case
_CLEARLY = 3.0  # a residual so many times larger belongs to a clearly larger error
_WITNESSES = 8  # trials that the stability constant is measured on, the nearest
_SAFETY = 2.0


def error_estimate(final: Trial, trials: Sequence[Trial]) -> float:
    """The estimated relative L² error of `final`.

    Parameters
    ----------
    final : Trial
        The solution that is returned.
    trials : sequence of Trial
        Others, at least one of them with another network.

    Returns
    -------
    float
        Infinite where no trial says anything.
    """
    others = [t for t in trials if t is not final and np.isfinite(t.residual)]
    others.sort(key=lambda trial: trial.residual)
    if others and _CLEARLY * others[0].residual < final.residual:  # a weak form's solution
        return error_estimate(others[0], others) + distance(others[0], final)
    worse = [t for t in others if t.residual > _CLEARLY * final.residual][:_WITNESSES]
    alike = [t for t in others if t.residual <= _CLEARLY * final.residual]
    witnesses = worse or alike
    if not witnesses or not np.isfinite(final.residual):
        return np.inf
    ratios = [distance(t, final) / t.residual for t in witnesses if t.residual > 0]
    positive = [ratio for ratio in ratios if ratio > 0]
    stability = float(np.exp(np.mean(np.log(positive)))) if positive else 0.0
    scatter = float(np.median([distance(t, final) for t in alike])) if alike else 0.0
    return max(_SAFETY * stability * final.residual, scatter, FLOOR)


def distance(a: Trial, b: Trial) -> float:
    """The relative distance of the values, the largest of several right-hand sides."""
    size = np.linalg.norm(b.values, axis=0)
    gap = np.linalg.norm(a.values - b.values, axis=0)
    return float((gap / np.where(size > 0, size, 1.0)).max())
