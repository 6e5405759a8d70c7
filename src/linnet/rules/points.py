"""Given points: at once a part and a rule."""

from __future__ import annotations

import hashlib
from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike

from linnet.errors import ArgumentError
from linnet.rules._check import floats
from linnet.rules.base import Floats, Nodes, Rule
from linnet.rules.parts import Part


class Points(Rule, Part):
    """Given points, as a part (``on=Points(x)``) and as the rule on it.

    Parameters
    ----------
    x : (N, d) or (N,) array
        The points; (N,) means d = 1, so one point of the plane is ``[[0.0, 0.0]]``.
    weights : (N,) array, optional
        Not negative; 1 each if absent (so that the measure is N).
    normals : (N, d) array, optional
        Unit vectors.
    """

    def __init__(
        self, x: ArrayLike, weights: ArrayLike | None = None, normals: ArrayLike | None = None
    ) -> None:
        points = floats("x", x)
        if points.ndim == 1:
            points = points[:, None]
        if points.ndim != 2 or points.size == 0:
            reason = f"an array of shape {points.shape} is no list of points"
            raise ArgumentError("x", x, reason, "Give an array of shape (N, d) or (N,), N >= 1")
        mass = np.ones(len(points)) if weights is None else floats("weights", weights)
        _same_shape("weights", mass, points.shape[:1])
        if (mass < 0).any():
            reason = "has a negative entry, but a weight multiplies a squared residual"
            raise ArgumentError("weights", weights, reason, "Give weights >= 0")
        outward = None if normals is None else floats("normals", normals)
        if outward is not None:
            outward = outward[:, None] if outward.ndim == 1 else outward
            _same_shape("normals", outward, points.shape)
            if (abs(np.linalg.norm(outward, axis=1) - 1) > 1e-8).any():
                raise ArgumentError("normals", normals, "not unit vectors", "Divide by their norms")
        for array in (points, mass, outward):
            if array is not None:
                array.flags.writeable = False
        self._nodes = Nodes(points, mass, outward)

    @property
    def part(self) -> Points:
        """The points themselves."""
        return self

    @property
    def dim(self) -> int:
        """The dimension d of the points."""
        return int(self._nodes.points.shape[1])

    @property
    def size(self) -> int:
        """Number of points."""
        return len(self._nodes.points)

    @property
    def measure(self) -> float:
        """Sum of the weights."""
        return float(self._nodes.weights.sum())

    def contains(self, part: Part, /) -> bool:
        """Whether `part` is the same list of points."""
        return self == part

    def take(self, start: SupportsIndex, stop: SupportsIndex) -> Nodes:
        """The nodes of index `start`, …, `stop` - 1, as read-only views: see `Rule.take`."""
        first, last = self._block(start, stop)
        points, weights, normals = self._nodes
        rows = slice(first, last)
        return Nodes(points[rows], weights[rows], None if normals is None else normals[rows])

    def on(self, part: Part) -> Points:
        """The rule itself; another part is refused."""
        self._demand(part)
        return self

    def describe(self) -> str:
        """Shape and a fingerprint of the numbers."""
        digest = hashlib.sha256()
        for array in self._nodes:
            digest.update(b"none" if array is None else _bytes(array))
        return f"Points(<{self.size} x {self.dim}, sha256 {digest.hexdigest()[:16]}>)"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Points):
            return NotImplemented
        pairs = zip(self._nodes, other._nodes, strict=True)
        return all(
            a is b or (a is not None and b is not None and np.array_equal(a, b)) for a, b in pairs
        )

    def __hash__(self) -> int:
        return hash(_bytes(self._nodes.points))

    def __reduce__(self) -> tuple[object, ...]:
        return Points, tuple(self._nodes)


def _bytes(array: Floats) -> bytes:
    """The numbers as bytes; adding 0.0 makes -0.0 and 0.0 the same, as == does."""
    return (array + 0.0).tobytes()


def _same_shape(name: str, array: Floats, shape: tuple[int, ...]) -> None:
    """Refuse an `array` that does not go with the points."""
    if array.shape != shape:
        reason = f"shape {array.shape} does not go with the points"
        raise ArgumentError(name, array, reason, f"Give an array of shape {shape}")
