"""Ordinary differential equations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import airy

from linnet.algebra import Operator
from linnet.catalog.entry import dirichlet, entry, manufactured
from linnet.catalog.known import (
    Known,
    cosine,
    exp_of,
    exponential,
    polynomial,
    product,
    sine,
    times,
    witch,
)
from linnet.coefficients import Coefficient
from linnet.domains import Box
from linnet.operators import div, grad, laplacian, normal_derivative, partial
from linnet.problem import Equation, periodic

Array = NDArray[np.float64]

_SYMMETRIC = Box(-1, 1)
_UNIT = Box(0, 1)
_LONG = Box(0, 5)
_AIRY = Box(-10, 2)


def _airy(t: Array, m: int) -> Array:
    """Ai and its derivatives, from Ai″ = t Ai."""
    if m < 2:
        return np.asarray(airy(t)[m])
    return t * _airy(t, m - 2) + (m - 2) * (_airy(t, m - 3) if m > 2 else 0.0)


def _robin(u: Operator, exact: Known) -> list[Equation]:
    a = Coefficient(lambda x: 1 + x[:, 0] ** 2, grad=lambda x: 2 * x, name="1 + x²")
    box = _UNIT
    return [
        manufactured(-div(a * grad(u)) + u, exact, box),  # type: ignore[arg-type]
        manufactured(normal_derivative(u) + 2 * u, exact, box.face("left")),
        manufactured(normal_derivative(u), exact, box.face("right")),
    ]


def _beam(u: Operator, exact: Known) -> list[Equation]:
    box = _UNIT
    return [
        manufactured(partial(u, 0, 0, 0, 0), exact, box),
        dirichlet(u, exact),
        manufactured(normal_derivative(u), exact, box.boundary),
    ]


ENTRIES = (
    entry(
        "poisson-1d",
        "−u″ = f on (−1, 1), Dirichlet; u = sin 2πx + ½ cos 5x",
        "smooth elliptic dirichlet",
        _SYMMETRIC,
        product(sine(2 * np.pi)) + 0.5 * product(cosine(5)),
        lambda u, exact: [manufactured(-laplacian(u), exact, _SYMMETRIC), dirichlet(u, exact)],
    ),
    entry(
        "runge-1d",
        "−u″ + u = f on (−1, 1), Dirichlet; u = 1/(1 + 25x²)",
        "smooth elliptic dirichlet",
        _SYMMETRIC,
        product(witch(5)),
        lambda u, exact: [manufactured(-laplacian(u) + u, exact, _SYMMETRIC), dirichlet(u, exact)],
    ),
    entry(
        "periodic-1d",
        "−u″ + u = f on (−1, 1), periodic; u = exp(sin πx)",
        "smooth elliptic periodic",
        _SYMMETRIC,
        product(exp_of(sine(np.pi))),
        lambda u, exact: [manufactured(-laplacian(u) + u, exact, _SYMMETRIC), *periodic(u, 0)],
    ),
    entry(
        "robin-1d",
        "−((1 + x²)u′)′ + u = f on (0, 1), ∂u/∂n + 2u left, ∂u/∂n right; u = eˣ cos 4x",
        "smooth elliptic robin neumann variable",
        _UNIT,
        product(times(exponential(1), cosine(4))),
        _robin,
    ),
    entry(
        "beam-1d",
        "u⁗ = f on (0, 1), u and u′ at both ends; u = e⁻ˣ sin 3x",
        "smooth fourth-order dirichlet neumann",
        _UNIT,
        product(times(exponential(-1), sine(3))),
        _beam,
    ),
    entry(
        "polynomial-1d",
        "−u″ + u = f on (−1, 1), Dirichlet; u = 1 − 3x² + 2x⁵",
        "smooth elliptic dirichlet polynomial",
        _SYMMETRIC,
        product(polynomial(1, 0, -3, 0, 0, 2)),
        lambda u, exact: [manufactured(-laplacian(u) + u, exact, _SYMMETRIC), dirichlet(u, exact)],
    ),
    entry(
        "initial-value-1d",
        "u′ + u = f on (0, 5), u given at 0; u = e⁻ˣ + sin 3x",
        "smooth first-order initial",
        _LONG,
        product(exponential(-1)) + product(sine(3)),
        lambda u, exact: [
            manufactured(partial(u, 0) + u, exact, _LONG),
            manufactured(u, exact, _LONG.face("left")),
        ],
    ),
    entry(
        "airy-1d",
        "u″ = xu on (−10, 2), Dirichlet; u = Ai(x)",
        "smooth oscillatory dirichlet variable",
        _AIRY,
        product(_airy),
        lambda u, exact: [
            Equation(laplacian(u) - Coefficient(lambda x: x[:, 0], name="x") * u, 0.0, on=_AIRY),
            dirichlet(u, exact),
        ],
    ),
)
