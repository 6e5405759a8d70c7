"""Problems in space."""

from __future__ import annotations

import numpy as np

from linnet.algebra import Operator
from linnet.catalog.entry import dirichlet, entry, manufactured
from linnet.catalog.known import (
    Known,
    cosine,
    exp_of,
    polynomial,
    product,
    radial,
    reciprocal,
    ridge,
    sine,
)
from linnet.coefficients import Coefficient
from linnet.domains import Box
from linnet.operators import div, grad, laplacian, normal_derivative
from linnet.problem import Equation

_BOX = Box(-1, 1, dim=3)
_BRICK = Box([0, -1, 0], [1, 1, 2])


def _poisson(u: Operator, exact: Known) -> list[Equation]:
    assert isinstance(u.domain, Box)
    return [manufactured(-laplacian(u), exact, u.domain), dirichlet(u, exact)]


def _neumann(u: Operator, exact: Known) -> list[Equation]:
    zero = Equation(normal_derivative(u), 0.0, on=_BOX.boundary)
    return [manufactured(-laplacian(u) + u, exact, _BOX), zero]


def _helmholtz(u: Operator, exact: Known) -> list[Equation]:
    return [Equation(laplacian(u) + 25 * u, 0.0, on=_BOX), dirichlet(u, exact)]


def _variable(u: Operator, exact: Known) -> list[Equation]:
    a = Coefficient(
        lambda x: 1 + 0.5 * np.sin(x.sum(axis=1)),
        grad=lambda x: np.repeat(0.5 * np.cos(x.sum(axis=1))[:, None], 3, axis=1),
        name="1 + ½ sin(x + y + z)",
    )
    box = _BRICK
    return [
        manufactured(-div(a * grad(u)) + u, exact, box),  # type: ignore[arg-type]
        manufactured(u, exact, box.face("left", "bottom", "top", "back")),
        manufactured(normal_derivative(u), exact, box.face("right", "front")),
    ]


ENTRIES = (
    entry(
        "poisson-3d",
        "−Δu = f on (−1, 1)³, Dirichlet; u = (1 − x²) cos(y) exp(sin z)",
        "smooth elliptic dirichlet",
        _BOX,
        product(polynomial(1, 0, -1), cosine(1), exp_of(sine(1))),
        _poisson,
    ),
    entry(
        "neumann-3d",
        "−Δu + u = f on (−1, 1)³, ∂u/∂n = 0; u = ∏ sin(πxᵢ/2) (the paper's)",
        "smooth elliptic neumann paper",
        _BOX,
        product(*[sine(np.pi / 2)] * 3),
        _neumann,
    ),
    entry(
        "runge-3d",
        "−Δu = f on (−1, 1)³, Dirichlet; u = 1/(1 + |x|²)",
        "smooth elliptic dirichlet",
        _BOX,
        radial(reciprocal(1)),
        _poisson,
    ),
    entry(
        "helmholtz-5-3d",
        "Δu + 25u = 0 on (−1, 1)³, Dirichlet; u = sin(3x + 4z + 0.3)",
        "smooth oscillatory helmholtz dirichlet",
        _BOX,
        ridge(sine(1), (3, 0, 4), 0.3),
        _helmholtz,
    ),
    entry(
        "brick-3d",
        "−div((1 + ½ sin(x + y + z))∇u) + u = f on (0, 1) × (−1, 1) × (0, 2), Dirichlet and "
        "Neumann faces; u = sin(x + 2y) cos z",
        "smooth elliptic mixed variable box",
        _BRICK,
        product(sine(1), cosine(2), cosine(1)) + product(cosine(1), sine(2), cosine(1)),
        _variable,
    ),
)
