"""Problems in five and six dimensions."""

from __future__ import annotations

import numpy as np

from linnet.algebra import Operator
from linnet.catalog.entry import dirichlet, entry, manufactured
from linnet.catalog.known import Known, exponential, polynomial, product, radial, ridge, sine
from linnet.domains import Box
from linnet.operators import laplacian, normal_derivative
from linnet.problem import Equation

_FIVE, _SIX = Box(-1, 1, dim=5), Box(0, 1, dim=6)


def _poisson(u: Operator, exact: Known) -> list[Equation]:
    assert isinstance(u.domain, Box)
    return [manufactured(-laplacian(u), exact, u.domain), dirichlet(u, exact)]


def _neumann(u: Operator, exact: Known) -> list[Equation]:
    zero = Equation(normal_derivative(u), 0.0, on=_FIVE.boundary)
    return [manufactured(-laplacian(u) + u, exact, _FIVE), zero]


ENTRIES = (
    entry(
        "neumann-5d",
        "−Δu + u = f on (−1, 1)⁵, ∂u/∂n = 0; u = ∏ sin(πxᵢ/2) (the paper's)",
        "smooth elliptic neumann paper high",
        _FIVE,
        product(*[sine(np.pi / 2)] * 5),
        _neumann,
    ),
    entry(
        "bump-5d",
        "−Δu = f on (−1, 1)⁵, Dirichlet; u = exp(−|x|²/4)",
        "smooth elliptic dirichlet high",
        _FIVE,
        radial(exponential(-0.25)),
        _poisson,
    ),
    entry(
        "ridge-6d",
        "−Δu = f on (0, 1)⁶, Dirichlet; u = sin(x₁ + … + x₆) + (x₁ − x₆)²",
        "smooth elliptic dirichlet high",
        _SIX,
        ridge(sine(1), [1] * 6) + ridge(polynomial(0, 0, 1), [1, 0, 0, 0, 0, -1]),
        _poisson,
    ),
)
