"""Waves of high frequency: Helmholtz' equation."""

from __future__ import annotations

import numpy as np

from linnet.algebra import Operator
from linnet.catalog.entry import Statement, dirichlet, entry, manufactured
from linnet.catalog.known import Known, cosine, product, ridge, sine
from linnet.domains import Box
from linnet.operators import laplacian
from linnet.problem import Equation

_LINE = Box(-1, 1)
_BOX = Box(-1, 1, dim=2)


def _helmholtz(k: float) -> Statement:
    """Δu + k²u = 0, with the solution's values on the boundary."""

    def statement(u: Operator, exact: Known) -> list[Equation]:
        assert isinstance(u.domain, Box)
        return [Equation(laplacian(u) + k**2 * u, 0.0, on=u.domain), dirichlet(u, exact)]

    return statement


def _forced(u: Operator, exact: Known) -> list[Equation]:
    assert isinstance(u.domain, Box)
    return [manufactured(laplacian(u) + 900 * u, exact, u.domain), dirichlet(u, exact)]


def _plane(k: float, angle: float) -> Known:
    """A plane wave of wave number k."""
    return ridge(cosine(1), (k * np.cos(angle), k * np.sin(angle)), 0.3)


ENTRIES = (
    entry(
        "helmholtz-30-1d",
        "u″ + 900u = f on (−1, 1), Dirichlet; u = sin 30x + cos 20x",
        "smooth oscillatory helmholtz dirichlet",
        _LINE,
        product(sine(30)) + product(cosine(20)),
        _forced,
    ),
    entry(
        "helmholtz-10-2d",
        "Δu + 100u = 0 on (−1, 1)², Dirichlet; u = two plane waves",
        "smooth oscillatory helmholtz dirichlet",
        _BOX,
        _plane(10, 0.4) + 0.5 * _plane(10, 2.0),
        _helmholtz(10),
    ),
    entry(
        "helmholtz-30-2d",
        "Δu + 900u = 0 on (−1, 1)², Dirichlet; u = two plane waves",
        "smooth oscillatory helmholtz dirichlet",
        _BOX,
        _plane(30, 0.4) + 0.5 * _plane(30, 2.0),
        _helmholtz(30),
    ),
)
