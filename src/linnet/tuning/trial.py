"""One solution that was tried on the way to the one that is returned."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linnet.tuning.families import Family

Array = NDArray[np.float64]


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
