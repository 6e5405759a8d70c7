"""Sine and cosine of large arrays, at the speed of the machine's vector registers."""

from __future__ import annotations

import numpy as np
from numpy.lib.introspect import opt_func_info
from numpy.typing import NDArray

Array = NDArray[np.float64]


def vectorised(name: str) -> bool:
    """Whether a function of NumPy has a version for this machine's vector registers."""
    known = opt_func_info(func_name=f"^{name}$", signature="float64")
    return not known[name]["dd"]["current"].startswith("baseline")


TANGENT = vectorised("tan")


def sine_and_cosine(
    z: Array, sine: bool, cosine: bool, by_tangent: bool = TANGENT
) -> tuple[Array | None, Array | None]:
    """sin z and cos z, each where it is wanted, with errors of a rounding or two.

    Where NumPy's tangent is vectorised, 2t/(1 + t²) and (1 − t²)/(1 + t²) with t = tan(z/2) take
    a fifth of the time of its sine and cosine, which are not.

    Parameters
    ----------
    z : ndarray, any shape
        Overwritten.
    sine, cosine : bool
        Which are wanted.
    by_tangent : bool
        Whether to go by the tangent.
    """
    if not by_tangent:
        cos = np.cos(z, out=None if sine else z) if cosine else None
        return np.sin(z, out=z) if sine else None, cos
    t = np.tan(np.multiply(z, 0.5, out=z), out=z)
    square = t * t
    cos = 1.0 - square if cosine else None
    square += 1.0
    if cos is not None:
        cos /= square
    if not sine:
        return None, cos
    t /= square
    t *= 2.0
    return t, cos
