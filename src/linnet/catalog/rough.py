"""Layers, corners and jumps: solutions that are not smooth, or not on the scale of the domain."""

from __future__ import annotations

from math import prod

import numpy as np
from numpy.typing import NDArray

from linnet.activations import Tanh
from linnet.algebra import MultiIndex, Operator
from linnet.catalog.entry import dirichlet, entry, manufactured
from linnet.catalog.known import (
    Known,
    exponential,
    polynomial,
    product,
    ridge,
    scaled,
    signed_power,
    sine,
)
from linnet.domains import Box
from linnet.operators import laplacian, partial
from linnet.problem import Equation

Array = NDArray[np.float64]

_LINE = Box(0, 1)
_SYMMETRIC = Box(-1, 1)
_BOX = Box(-1, 1, dim=2)
_UNIT = Box(0, 1, dim=2)


def _convection(u: Operator, exact: Known) -> list[Equation]:
    return [Equation(-0.05 * laplacian(u) + partial(u, 0), 1.0, on=_LINE), dirichlet(u, exact)]


def _poisson(u: Operator, exact: Known) -> list[Equation]:
    assert isinstance(u.domain, Box)
    return [manufactured(-laplacian(u), exact, u.domain), dirichlet(u, exact)]


def _laplace(u: Operator, exact: Known) -> list[Equation]:
    return [Equation(laplacian(u), 0.0, on=_UNIT), dirichlet(u, exact)]


def _corner(x: Array, alpha: MultiIndex) -> Array:
    """D^α of Im z^(2/3) = r^(2/3) sin(2θ/3)."""
    z, order = x[:, 0] + 1j * x[:, 1], sum(alpha)
    factor = prod(2 / 3 - i for i in range(order)) * 1j ** alpha[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((factor * z ** (2 / 3 - order)).imag)


_layer = 1 / (1 - np.exp(-20))

ENTRIES = (
    entry(
        "boundary-layer-1d",
        "−0.05u″ + u′ = 1 on (0, 1), u = 0 at both ends: a layer of width 0.05 at 1",
        "layered convection dirichlet",
        _LINE,
        product(polynomial(np.exp(-20) * _layer, 1)) + -_layer * product(exponential(20, 1.0)),
        _convection,
    ),
    entry(
        "step-load-1d",
        "−u″ = −sign x on (−1, 1), Dirichlet; u = x|x|/2",
        "singular elliptic dirichlet jump",
        _SYMMETRIC,
        0.5 * product(signed_power(2)),
        _poisson,
    ),
    entry(
        "layer-5-2d",
        "−Δu = f on (−1, 1)², Dirichlet; u = tanh(5(x + y))",
        "layered elliptic dirichlet",
        _BOX,
        ridge(scaled(Tanh(), 5), (1, 1)),
        _poisson,
    ),
    entry(
        "layer-20-2d",
        "−Δu = f on (−1, 1)², Dirichlet; u = tanh(20(x + y))",
        "layered elliptic dirichlet",
        _BOX,
        ridge(scaled(Tanh(), 20), (1, 1)),
        _poisson,
    ),
    entry(
        "corner-2d",
        "Δu = 0 on (0, 1)², Dirichlet; u = r^(2/3) sin(2θ/3)",
        "singular elliptic dirichlet corner",
        _UNIT,
        Known(_corner),
        _laplace,
    ),
    entry(
        "step-load-2d",
        "−Δu = f on (−1, 1)², f jumps at x = 0, Dirichlet; u = (x|x| − x) cos(πy/2)",
        "singular elliptic dirichlet jump",
        _BOX,
        product(signed_power(2), sine(np.pi / 2, np.pi / 2))
        + product(polynomial(0, -1), sine(np.pi / 2, np.pi / 2)),
        _poisson,
    ),
)
