"""Arguments as arrays of real numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linnet.errors import ArgumentError

Array = NDArray[np.float64]


def real_array(value: object, name: str, remedy: str) -> Array:
    """`value` as an array of floats, without a copy where it is one; others are refused.

    Parameters
    ----------
    value : object
        What should be an array of real numbers.
    name : str
        What it is called in messages.
    remedy : str
        What to do instead.
    """
    try:
        given = np.asarray(value)
        if given.dtype.kind in "biuf":
            return np.asarray(given, dtype=np.float64)
    except ValueError:  # rows of different lengths
        pass
    raise ArgumentError(name, value, "it is no array of real numbers", remedy)
