"""Evolution equations, solved in space and time at once; the last axis is time."""

from __future__ import annotations

import numpy as np

from linnet.activations import Gaussian
from linnet.algebra import Operator
from linnet.catalog.entry import entry, manufactured
from linnet.catalog.known import Known, exponential, product, ridge, scaled, sine
from linnet.domains import Box
from linnet.operators import partial
from linnet.problem import Equation, periodic

_STRIP = Box([0, 0], [1, 1])
_WIDE = Box([-1, 0], [1, 2])
_SHEET = Box([0, 0, 0], [1, 1, 0.5])


def _heat(u: Operator, exact: Known) -> list[Equation]:
    return [
        Equation(partial(u, 1) - partial(u, 0, 0), 0.0, on=_STRIP),
        manufactured(u, exact, _STRIP.face("bottom")),
        manufactured(u, exact, _STRIP.face("left", "right")),
    ]


def _wave(u: Operator, exact: Known) -> list[Equation]:
    return [
        Equation(partial(u, 1, 1) - partial(u, 0, 0), 0.0, on=_WIDE),
        manufactured(u, exact, _WIDE.face("bottom")),
        manufactured(partial(u, 1), exact, _WIDE.face("bottom")),
        manufactured(u, exact, _WIDE.face("left", "right")),
    ]


def _transport(u: Operator, exact: Known) -> list[Equation]:
    return [
        Equation(partial(u, 1) + partial(u, 0), 0.0, on=_WIDE),
        manufactured(u, exact, _WIDE.face("bottom")),
        *periodic(u, 0, order=1),
    ]


def _heat_plane(u: Operator, exact: Known) -> list[Equation]:
    return [
        manufactured(partial(u, 2) - partial(u, 0, 0) - partial(u, 1, 1), exact, _SHEET),
        manufactured(u, exact, _SHEET.face("x2-")),
        manufactured(u, exact, _SHEET.face("x0-", "x0+", "x1-", "x1+")),
    ]


ENTRIES = (
    entry(
        "heat-2d",
        "∂t u − ∂xx u = 0 on (0, 1) × (0, 1), u at t = 0 and at both ends; "
        "u = sin(πx) exp(−π²t) + sin(x + 1) e⁻ᵗ",
        "smooth parabolic initial dirichlet space-time",
        _STRIP,
        product(sine(np.pi), exponential(-(np.pi**2))) + product(sine(1, 1.0), exponential(-1)),
        _heat,
    ),
    entry(
        "wave-2d",
        "∂tt u − ∂xx u = 0 on (−1, 1) × (0, 2), u and ∂t u at t = 0, u at both ends; "
        "u = sin 3(x − t) + exp(−2(x + t − 1)²)",
        "smooth hyperbolic initial dirichlet space-time",
        _WIDE,
        ridge(sine(3), (1, -1)) + ridge(scaled(Gaussian(), 2.0), (1, 1), -1.0),
        _wave,
    ),
    entry(
        "transport-2d",
        "∂t u + ∂x u = 0 on (−1, 1) × (0, 2), u at t = 0, periodic in x; u = sin 2π(x − t)",
        "smooth hyperbolic first-order initial periodic space-time",
        _WIDE,
        ridge(sine(2 * np.pi), (1, -1)),
        _transport,
    ),
    entry(
        "heat-3d",
        "∂t u − Δu = f on (0, 1)² × (0, ½), u at t = 0 and on the sides; u = sin 2x cos 3y e⁻ᵗ",
        "smooth parabolic initial dirichlet space-time",
        _SHEET,
        product(sine(2), sine(3, np.pi / 2), exponential(-1)),
        _heat_plane,
    ),
)
