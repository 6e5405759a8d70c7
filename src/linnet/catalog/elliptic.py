"""Elliptic equations in the plane with smooth solutions."""

from __future__ import annotations

import numpy as np

from linnet.activations import Gaussian
from linnet.algebra import Operator
from linnet.catalog.entry import dirichlet, entry, manufactured
from linnet.catalog.known import (
    Known,
    cosine,
    exp_of,
    exponential,
    polynomial,
    product,
    radial,
    reciprocal,
    ridge,
    scaled,
    sine,
    times,
)
from linnet.coefficients import Coefficient
from linnet.domains import Box
from linnet.operators import div, grad, laplacian, normal_derivative, partial
from linnet.problem import Equation, periodic

_BOX = Box(-1, 1, dim=2)
_UNIT = Box(0, 1, dim=2)
_LARGE = Box([0, -2], [3, 5])


def _poisson(u: Operator, exact: Known) -> list[Equation]:
    return [manufactured(-laplacian(u), exact, u.domain), dirichlet(u, exact)]  # type: ignore[arg-type]


def _reaction(u: Operator, exact: Known) -> list[Equation]:
    return [manufactured(-laplacian(u) + u, exact, u.domain), dirichlet(u, exact)]  # type: ignore[arg-type]


def _neumann(u: Operator, exact: Known) -> list[Equation]:
    zero = Equation(normal_derivative(u), 0.0, on=_BOX.boundary)
    return [manufactured(-laplacian(u) + u, exact, _BOX), zero]


def _robin(u: Operator, exact: Known) -> list[Equation]:
    robin = manufactured(normal_derivative(u) + u, exact, _UNIT.boundary)
    return [manufactured(-laplacian(u), exact, _UNIT), robin]


def _periodic(u: Operator, exact: Known) -> list[Equation]:
    return [manufactured(-laplacian(u) + u, exact, _BOX), *periodic(u, 0), *periodic(u, 1)]


def _anisotropic(u: Operator, exact: Known) -> list[Equation]:
    K = [[1.0, 0.0], [0.0, 0.01]]
    return [manufactured(-div(K @ grad(u)), exact, _BOX), dirichlet(u, exact)]


def _tensor(u: Operator, exact: Known) -> list[Equation]:
    K = [[2.0, 1.0], [1.0, 3.0]]
    return [manufactured(-div(K @ grad(u)) + u, exact, _BOX), dirichlet(u, exact)]


def _mixed(u: Operator, exact: Known) -> list[Equation]:
    a = Coefficient(
        lambda x: np.exp(x[:, 0]) + x[:, 1] ** 2,
        grad=lambda x: np.stack([np.exp(x[:, 0]), 2 * x[:, 1]], axis=1),
        name="eˣ + y²",
    )
    y = Coefficient(lambda x: x[:, 1], name="y")
    return [
        manufactured(-div(a * grad(u)) + y * partial(u, 0), exact, _BOX),  # type: ignore[arg-type]
        manufactured(u, exact, _BOX.face("left", "bottom")),
        manufactured(normal_derivative(u), exact, _BOX.face("top")),
        manufactured(normal_derivative(u) + 3 * u, exact, _BOX.face("right")),
    ]


def _plate(u: Operator, exact: Known) -> list[Equation]:
    slope = manufactured(normal_derivative(u), exact, _BOX.boundary)
    return [manufactured(laplacian(laplacian(u)), exact, _BOX), dirichlet(u, exact), slope]


def _convection(u: Operator, exact: Known) -> list[Equation]:
    wind = partial(u, 0) + 0.5 * partial(u, 1)
    return [manufactured(-0.1 * laplacian(u) + wind, exact, _UNIT), dirichlet(u, exact)]


_waves = [product(sine(m * np.pi), sine(m * np.pi)) for m in (1, 2, 4)]

ENTRIES = (
    entry(
        "multi-frequency-2d",
        "−Δu + u = f on (−1, 1)², Dirichlet; u = Σ sin mπx sin mπy, m = 1, 2, 4",
        "smooth elliptic dirichlet oscillatory",
        _BOX,
        _waves[0] + _waves[1] + _waves[2],
        _reaction,
    ),
    entry(
        "neumann-2d",
        "−Δu + u = f on (−1, 1)², ∂u/∂n = 0; u = sin(πx/2) sin(πy/2) (the paper's)",
        "smooth elliptic neumann paper",
        _BOX,
        product(sine(np.pi / 2), sine(np.pi / 2)),
        _neumann,
    ),
    entry(
        "runge-2d",
        "−Δu = f on (−1, 1)², Dirichlet; u = 1/(1 + 4x² + 4y²)",
        "smooth elliptic dirichlet",
        _BOX,
        radial(reciprocal(4)),
        _poisson,
    ),
    entry(
        "periodic-2d",
        "−Δu + u = f on (−1, 1)², periodic; u = exp(sin πx + cos πy)",
        "smooth elliptic periodic",
        _BOX,
        product(exp_of(sine(np.pi)), exp_of(cosine(np.pi))),
        _periodic,
    ),
    entry(
        "exp-sine-2d",
        "−Δu = f on (−1, 1)², Dirichlet; u = exp(sin(2x + 3y))",
        "smooth elliptic dirichlet",
        _BOX,
        ridge(exp_of(sine(1)), (2, 3)),
        _poisson,
    ),
    entry(
        "polynomial-2d",
        "−Δu = f on (−1, 1)², u = 0 on the boundary; u = (1 − x²)(1 − y²)(1 + xy²)",
        "smooth elliptic dirichlet polynomial",
        _BOX,
        product(polynomial(1, 0, -1), polynomial(1, 0, -1))
        + product(polynomial(0, 1, 0, -1), polynomial(0, 0, 1, 0, -1)),
        _poisson,
    ),
    entry(
        "large-box-2d",
        "−Δu + u = f on (0, 3) × (−2, 5), Dirichlet; u = two bumps exp(−|x − c|²/2)",
        "smooth elliptic dirichlet box",
        _LARGE,
        product(scaled(Gaussian(), 1.0, 1.0), scaled(Gaussian(), 1.0, 3.0))
        + -0.5 * product(scaled(Gaussian(), 1.0, 2.0), scaled(Gaussian(), 1.0, -1.0)),
        _reaction,
    ),
    entry(
        "robin-2d",
        "−Δu = f on (0, 1)², ∂u/∂n + u given; u = e^(x/2) sin 3y + x²y",
        "smooth elliptic robin",
        _UNIT,
        product(exponential(0.5), sine(3)) + product(polynomial(0, 0, 1), polynomial(0, 1)),
        _robin,
    ),
    entry(
        "anisotropic-2d",
        "−∂xx u − 0.01 ∂yy u = f on (−1, 1)², Dirichlet; u = cos 2x exp(sin 4y)",
        "smooth elliptic dirichlet anisotropic",
        _BOX,
        product(cosine(2), exp_of(sine(4))),
        _anisotropic,
    ),
    entry(
        "tensor-2d",
        "−div(K∇u) + u = f on (−1, 1)², K = [[2, 1], [1, 3]], Dirichlet; u = sin(3x − y) e^y",
        "smooth elliptic dirichlet anisotropic",
        _BOX,
        product(sine(3), times(exponential(1), cosine(1)))
        + -1.0 * product(cosine(3), times(exponential(1), sine(1))),
        _tensor,
    ),
    entry(
        "mixed-2d",
        "−div((eˣ + y²)∇u) + y ∂x u = f on (−1, 1)², Dirichlet, Neumann and Robin faces; "
        "u = e^(x/2) cos 2y + sin 3x",
        "smooth elliptic mixed variable convection",
        _BOX,
        product(exponential(0.5), cosine(2)) + product(sine(3), polynomial(1)),
        _mixed,
    ),
    entry(
        "plate-2d",
        "Δ²u = f on (−1, 1)², u and ∂u/∂n given; u = cos 2x e^y + sin(x + 2y)",
        "smooth fourth-order dirichlet neumann",
        _BOX,
        product(cosine(2), exponential(1)) + ridge(sine(1), (1, 2)),
        _plate,
    ),
    entry(
        "convection-2d",
        "−0.1 Δu + ∂x u + ½ ∂y u = f on (0, 1)², Dirichlet; u = e^(x − y) sin(4x + y)",
        "smooth convection dirichlet",
        _UNIT,
        product(times(exponential(1), sine(4)), times(exponential(-1), cosine(1)))
        + product(times(exponential(1), cosine(4)), times(exponential(-1), sine(1))),
        _convection,
    ),
)
