"""Errors of a function against another one, in L², in the H¹ seminorm and in the maximum."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from types import EllipsisType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from linnet.arrays import real_array
from linnet.coefficients import check_finite
from linnet.errors import ArgumentError
from linnet.fold import map_blocks
from linnet.rows.stream import BLOCK
from linnet.rules import Nodes, PatchPart, Rule

Array = NDArray[np.float64]
PointFunction = Callable[[Array], NDArray[np.generic]]
GradientLike = Callable[[Array], NDArray[np.generic]]


class Differentiable(Protocol):
    """A function with a gradient."""

    def __call__(self, x: Array) -> Array:
        """Values (m,) or (m, s)."""

    def gradient(self, x: Array) -> Array:
        """Gradient (m, d) or (m, d, s)."""

    def value_and_gradient(self, x: Array) -> tuple[Array, Array]:
        """Both in one pass."""


@dataclass(frozen=True)
class Errors:
    """Errors of an approximation; of several right-hand sides, the largest.

    Attributes
    ----------
    l2, max : float
        ‖u − u_n‖ in L² and in the maximum over the rule's points.
    h1 : float or None
        The H¹ seminorm ‖∇(u − u_n)‖, where a gradient was given.
    relative_l2, relative_max, relative_h1 : float or None
        The same over the norm of u.
    """

    l2: float
    max: float
    h1: float | None
    relative_l2: float
    relative_max: float
    relative_h1: float | None


def measure(
    approximation: Differentiable,
    u: PointFunction | Differentiable,
    rule: Rule,
    gradient: GradientLike | EllipsisType | None = None,
) -> Errors:
    """Errors of an approximation against u, streamed over the rule's blocks and threaded."""
    if not callable(u):
        raise ArgumentError(
            "u", u, "it is no function of the points", "Give a function from (m, d) to (m,)"
        )
    if not isinstance(rule, Rule):
        raise ArgumentError("rule", rule, "it is no rule", "Give one such as box.gauss(50, 3)")
    if not (gradient is None or gradient is ... or callable(gradient)):
        remedy = "Give one from points (m, d) to (m, d), or ..."
        raise ArgumentError("gradient", gradient, "it is no function", remedy)
    if gradient is None:
        slope = getattr(u, "gradient", None)
    elif isinstance(gradient, EllipsisType):
        slope = differences(u, _steps(rule))
    else:
        slope = gradient
    if rule.dim != getattr(approximation, "dim", rule.dim):
        raise ArgumentError(
            "rule", rule, "its points have another dimension than the solution", "Use the domain's"
        )

    def block(k: int) -> tuple[Array, Array]:
        """Sums of squares and maxima: of the error and of u, values and gradients."""
        nodes = rule.take(k * BLOCK, min((k + 1) * BLOCK, rule.size))
        x = nodes.points
        exact = _values(u, x, "u")
        if slope is None:
            found, ascent = approximation(x), x
        else:
            found, ascent = approximation.value_and_gradient(x)
        if found.size != exact.size:
            raise ArgumentError(
                "u",
                exact.shape,
                f"the solution's values at {len(x)} points have the shape {found.shape}",
                "Give one column a right-hand side",
            )
        error = found.reshape(exact.shape) - exact
        pairs = [(error, exact)]
        if slope is not None:
            true = real_array(slope(x), "gradient", "Stack the partial derivatives along axis 1")
            if true.shape[:2] != x.shape:
                raise ArgumentError(
                    "gradient",
                    true.shape,
                    f"for points of shape {x.shape} it must have the shape {x.shape}",
                    "Stack the partial derivatives along axis 1",
                )
            check_finite(true, x, "gradient")
            pairs.append((ascent.reshape(true.shape) - true, true))
        return _sums(pairs, nodes), np.stack(
            [np.abs(a).reshape(len(x), -1).max(axis=0, initial=0.0) for a in pairs[0]]
        )

    results = map_blocks(block, -(-rule.size // BLOCK))
    sums = np.array(
        [
            [math.fsum(v) for v in zip(*rows, strict=True)]
            for rows in zip(*(r[0] for r in results), strict=True)
        ]
    )
    peaks = np.max([r[1] for r in results], axis=0)
    norms = np.sqrt(sums)

    def relative(error: Array, size: Array) -> float:
        return float(np.max(error / np.where(size > 0, size, 1.0)))

    return Errors(
        l2=float(norms[0].max()),
        max=float(peaks[0].max()),
        h1=float(norms[2].max()) if slope is not None else None,
        relative_l2=relative(norms[0], norms[1]),
        relative_max=relative(peaks[0], peaks[1]),
        relative_h1=relative(norms[2], norms[3]) if slope is not None else None,
    )


def _values(u: PointFunction | Differentiable, x: Array, name: str) -> Array:
    values = real_array(u(x), name, "Give real values; of complex ones the parts, one by one")
    if values.ndim == 0:
        values = np.full(len(x), values)
    if len(values) != len(x) or values.ndim > 2:
        raise ArgumentError(
            name,
            values.shape,
            f"for points of shape {x.shape} its values must have the shape ({len(x)},)",
            "Write it with array operations over the rows of x, as in np.sin(x[:, 0])",
        )
    check_finite(values, x, name)
    return values


def _sums(pairs: list[tuple[Array, Array]], nodes: Nodes) -> Array:
    """Quadrature of squares, one row a function and one column a right-hand side."""
    rows = []
    for pair in pairs:
        for values in pair:
            squares = values**2
            if values.ndim >= 2 and values is not pairs[0][0] and values is not pairs[0][1]:
                squares = squares.sum(axis=1)
            rows.append(nodes.weights @ squares.reshape(len(squares), -1))
    return np.stack(rows)


_STENCIL = {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}  # eighth order, central


def _steps(rule: Rule) -> Array:
    """Steps for differences: 1e-2 along each axis, less where the domain is narrow."""
    if not isinstance(rule.part, PatchPart):
        return np.full(rule.dim, 1e-2)
    patch = rule.part.patches[0]
    return 1e-2 * np.minimum(1.0, (np.array(patch.upper) - patch.lower) / 2)


def differences(u: PointFunction | Differentiable, steps: Array) -> GradientLike:
    """The gradient of a smooth function by central differences of eighth order."""

    def gradient(x: Array) -> Array:
        columns = []
        for h in np.diag(steps):
            slope = sum(
                c * (np.asarray(u(x + i * h)) - np.asarray(u(x - i * h)))
                for i, c in _STENCIL.items()
            )
            columns.append(slope / h.max())
        return np.stack(columns, axis=1)

    return gradient
