"""A problem of the catalogue as the peers need it: operators and data, evaluated at points.

Every peer is given the same: the operator as its coefficients c_α of D^α, the right-hand side, and
the same two for the equation on each face.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from linnet import catalog
from linnet.coefficients import Coefficient
from linnet.domains import Box, PeriodicPair
from linnet.problem import Equation

Array = np.ndarray
MultiIndex = tuple[int, ...]


class CannotStateError(Exception):
    """A package has no way to state this problem; the message says what is missing."""


@dataclass(frozen=True)
class Answer:
    """What an adapter returns: the solution's values at points (m, d), and what it took."""

    values: Callable[[Array], Array]
    unknowns: int
    settings: str


class Statement:
    """The equations of a problem of the catalogue."""

    def __init__(self, name: str) -> None:
        self.entry = catalog.get(name)
        self.box, self.dim, self.exact = self.entry.box, self.entry.dim, self.entry.exact
        self.problem = self.entry.problem()
        inside = [e for e in self.problem.equations if isinstance(e.on, Box)]
        if len(inside) != 1 or any(isinstance(e.on, PeriodicPair) for e in self.problem.equations):
            raise CannotStateError("the adapters know one equation inside and one on each face")
        self.inside = inside[0]

    def faces(self) -> Iterator[tuple[int, int, Equation]]:
        """Axis, side (−1 or 1) and equation of each face that has one."""
        for equation in self.problem.equations:
            if equation is not self.inside:
                yield from ((axis, side, equation) for axis, side in equation.on.faces)

    def bound(self, axis: int, side: int) -> float:
        """Where a face lies on its axis."""
        return float((self.box.lower, self.box.upper)[side > 0][axis])

    def normals(self, x: Array, axis: int, side: int) -> Array:
        """The outward normal of a face, once for each point."""
        return np.tile(side * np.eye(self.dim)[axis], (len(x), 1))

    def scaled(self, unit: Array) -> Array:
        """Points of the unit cube, moved to the box."""
        return self.box.lower + unit * (self.box.upper - self.box.lower)


def terms(equation: Equation, x: Array, normals: Array | None = None) -> dict[MultiIndex, Array]:
    """The coefficients c_α of the operator Σ c_α D^α at points, without those that vanish."""
    values = {alpha: c(x, normals) for alpha, c in equation.operator.scalar.items()}
    return {alpha: c for alpha, c in values.items() if np.any(c)}


def data(equation: Equation, x: Array, normals: Array | None = None) -> Array:
    """The right-hand side at points, (m,)."""
    given = equation.data
    if isinstance(given, Coefficient):
        return given(x, normals)
    return np.asarray(given(x)) if callable(given) else np.full(len(x), float(given))


def rows(coefficients: dict[MultiIndex, Any], derivative: Callable[[MultiIndex], Any]) -> Any:
    """Σ c_α D^α Φ, for coefficients of shape (m, 1) and matrices D^α Φ of shape (m, n)."""
    return sum(c * derivative(alpha) for alpha, c in coefficients.items())


def axes(alpha: MultiIndex) -> list[int]:
    """The axes along which D^α differentiates, one after the other."""
    return [axis for axis, m in enumerate(alpha) for _ in range(m)]
