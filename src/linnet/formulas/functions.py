"""The functions and constants that formulas know."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import erf

CONSTANTS = {"pi": math.pi, "e": math.e}


@dataclass(frozen=True)
class Function:
    """An elementary function.

    Attributes
    ----------
    array : callable
        On arrays.
    number : callable
        On floats; raises ValueError or OverflowError where it has no value.
    arity : int
    slopes : tuple of str
        The derivative with respect to each argument, as a formula in the arguments a (and b).
    """

    array: Callable[..., Any]
    number: Callable[..., float]
    arity: int
    slopes: tuple[str, ...]


def _step(a: float) -> float:
    return 1.0 if a > 0 else 0.0


def _sign(a: float) -> float:
    return float((a > 0) - (a < 0))


FUNCTIONS = {
    "sin": Function(np.sin, math.sin, 1, ("cos(a)",)),
    "cos": Function(np.cos, math.cos, 1, ("-sin(a)",)),
    "tan": Function(np.tan, math.tan, 1, ("1 + tan(a)^2",)),
    "asin": Function(np.arcsin, math.asin, 1, ("1/sqrt(1 - a^2)",)),
    "acos": Function(np.arccos, math.acos, 1, ("-1/sqrt(1 - a^2)",)),
    "atan": Function(np.arctan, math.atan, 1, ("1/(1 + a^2)",)),
    "atan2": Function(np.arctan2, math.atan2, 2, ("b/(a^2 + b^2)", "-a/(a^2 + b^2)")),
    "sinh": Function(np.sinh, math.sinh, 1, ("cosh(a)",)),
    "cosh": Function(np.cosh, math.cosh, 1, ("sinh(a)",)),
    "tanh": Function(np.tanh, math.tanh, 1, ("1 - tanh(a)^2",)),
    "exp": Function(np.exp, math.exp, 1, ("exp(a)",)),
    "log": Function(np.log, math.log, 1, ("1/a",)),
    "sqrt": Function(np.sqrt, math.sqrt, 1, ("1/(2*sqrt(a))",)),
    "erf": Function(erf, math.erf, 1, ("2/sqrt(pi)*exp(-a^2)",)),
    "abs": Function(np.abs, math.fabs, 1, ("sign(a)",)),
    "sign": Function(np.sign, _sign, 1, ("0",)),
    "step": Function(lambda a: np.where(a > 0, 1.0, 0.0), _step, 1, ("0",)),
    "min": Function(np.minimum, min, 2, ("step(b - a)", "1 - step(b - a)")),
    "max": Function(np.maximum, max, 2, ("step(a - b)", "1 - step(a - b)")),
}
