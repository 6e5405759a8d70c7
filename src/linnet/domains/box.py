"""Box: an interval, a rectangle, a brick, …; its boundary, its faces and periodic pairs of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import SupportsIndex, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from linnet.domains.makers import RuleMaker
from linnet.domains.names import Face, all_faces, face_called, face_name
from linnet.errors import ArgumentError
from linnet.rules import Part, Patch
from linnet.rules._check import floats, whole


@dataclass(frozen=True, init=False, repr=False)
class Box(RuleMaker):
    """The open box of the x with lower < x < upper in each of d coordinates.

    Parameters
    ----------
    lower, upper : float or d floats
        Its corners; a number stands for the same number along each axis.
    dim : int, optional
        The dimension d; 1 if absent and both corners are numbers.

    Examples
    --------
    >>> Box(-1, 1, dim=2)
    Box(-1, 1, dim=2)
    >>> Box([0, -2], [3, 5]).measure
    21.0
    """

    _patch: Patch

    def __init__(
        self, lower: ArrayLike, upper: ArrayLike, dim: SupportsIndex | None = None
    ) -> None:
        low, high = floats("lower", lower), floats("upper", upper)
        for name, corner in (("lower", low), ("upper", high)):
            if corner.ndim > 1 or corner.size == 0:
                reason = f"an array of shape {corner.shape} is no corner"
                raise ArgumentError(name, corner, reason, "Give a number or a list of d numbers")
        sizes = {corner.size for corner in (low, high) if corner.ndim}
        if dim is not None:
            sizes.add(whole("dim", dim, 1))
        if len(sizes) > 1:
            reason = f"lower has shape {low.shape}, upper has shape {high.shape}"
            raise ArgumentError("dim", dim, reason, "Give corners of the same dimension")
        d = sizes.pop() if sizes else 1
        low, high = np.broadcast_to(low, d) + 0.0, np.broadcast_to(high, d) + 0.0
        if not (low < high).all():
            axis = int(np.argmin(low < high))
            reason = f"not above lower = {_number(low[axis])} along axis {axis}"
            remedy = "Give lower < upper in each coordinate"
            raise ArgumentError("upper", high.tolist(), reason, remedy)
        with np.errstate(over="ignore"):
            if not np.isfinite(high - low).all():
                raise ArgumentError("upper", high.tolist(), "upper - lower overflows", "Rescale")
            if ((high - low) / 2 < np.finfo(np.float64).tiny).any():
                raise ArgumentError("upper", high.tolist(), "upper - lower underflows", "Rescale")
        object.__setattr__(self, "_patch", Patch(tuple(low.tolist()), tuple(high.tolist())))

    def __reduce__(self) -> tuple[object, ...]:
        return Box, (self._patch.lower, self._patch.upper)

    @property
    def patches(self) -> tuple[Patch, ...]:
        """The box itself as its only patch."""
        return (self._patch,)

    @cached_property
    def lower(self) -> NDArray[np.float64]:
        """Lower corner, (d,), read-only."""
        return _fixed(self._patch.lower)

    @cached_property
    def upper(self) -> NDArray[np.float64]:
        """Upper corner, (d,), read-only."""
        return _fixed(self._patch.upper)

    @cached_property
    def center(self) -> NDArray[np.float64]:
        """Midpoint, (d,), read-only."""
        return _fixed(self.lower / 2 + self.upper / 2)

    @cached_property
    def halfwidth(self) -> NDArray[np.float64]:
        """Half the extent along each axis, (d,), read-only."""
        return _fixed((self.upper - self.lower) / 2)

    @property
    def boundary(self) -> Boundary:
        """All 2d faces."""
        return Boundary(self, all_faces(self.dim))

    @property
    def faces(self) -> Mapping[str, Boundary]:
        """The 2d faces by name, each under one name, in canonical order."""
        return MappingProxyType({face_name(f): Boundary(self, [f]) for f in all_faces(self.dim)})

    def face(self, *names: str) -> Boundary:
        """The part of the boundary that consists of the named faces.

        Parameters
        ----------
        *names : str
            'left', 'right' (axis 0), 'bottom', 'top' (axis 1), 'back', 'front' (axis 2), or in
            any dimension 'x0-', 'x0+', 'x1-', ….
        """
        return Boundary(self, [face_called(name, self.dim) for name in names])

    def periodic(self, axis: SupportsIndex) -> PeriodicPair:
        """The two faces orthogonal to `axis`, where u(x) = u(x + shift) can be asked for."""
        return PeriodicPair(self, axis)

    @overload
    def contains(self, part: Part, /) -> bool: ...
    @overload
    def contains(self, part: ArrayLike, /) -> NDArray[np.bool_]: ...
    def contains(self, part: Part | ArrayLike, /) -> bool | NDArray[np.bool_]:
        """Whether a part is this box; or which of some points lie in the closed box.

        Parameters
        ----------
        part : Part, or (N, d) array

        Returns
        -------
        bool, or (N,) bool array
        """
        if isinstance(part, Part):
            return self == part
        points = np.asarray(part, dtype=np.float64)
        if points.ndim != 2 or points.shape[1] != self.dim:
            reason = f"points of a box in {self.dim}D cannot have shape {points.shape}"
            raise ArgumentError("x", part, reason, f"Give an array of shape (N, {self.dim})")
        inside = (self.lower <= points) & (points <= self.upper)
        return np.asarray(inside.all(axis=1), dtype=np.bool_)

    def __repr__(self) -> str:
        low, high = self._patch.lower, self._patch.upper
        if len(set(low)) > 1 or len(set(high)) > 1:
            lists = (f"[{', '.join(map(_number, corner))}]" for corner in (low, high))
            return f"Box({', '.join(lists)})"
        dim = f", dim={self.dim}" if self.dim > 1 else ""
        return f"Box({_number(low[0])}, {_number(high[0])}{dim})"


@dataclass(frozen=True, init=False, repr=False)
class Boundary(RuleMaker):
    """Some faces of a box.

    Parameters
    ----------
    box : Box
    faces : iterable of (axis, side)
        Side -1 is the face at the lower bound, +1 the one at the upper; at least one face.

    Attributes
    ----------
    faces : tuple of (axis, side)
        Each once, in canonical order.
    """

    box: Box
    faces: tuple[Face, ...]

    def __init__(self, box: Box, faces: Iterable[Face]) -> None:
        known, given = all_faces(box.dim), list(faces)
        for face in given:
            if face not in known:
                reason = f"no face of a box in {box.dim}D"
                remedy = f"Give (axis, side), axis in 0, …, {box.dim - 1}, side -1 or 1"
                raise ArgumentError("faces", face, reason, remedy)
        if not given:
            raise ArgumentError("faces", given, "no face at all", "Name at least one face")
        object.__setattr__(self, "box", box)
        object.__setattr__(self, "faces", tuple(face for face in known if face in given))

    @property
    def patches(self) -> tuple[Patch, ...]:
        """One patch for each face, in canonical order."""
        (whole_box,) = self.box.patches
        return tuple(Patch(whole_box.lower, whole_box.upper, *face) for face in self.faces)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the faces, in canonical order."""
        return tuple(face_name(face) for face in self.faces)

    def contains(self, part: Part, /) -> bool:
        """Whether `part` consists of faces of this part."""
        if not isinstance(part, Boundary):
            return False
        return part.box == self.box and set(part.faces) <= set(self.faces)

    def __or__(self, other: Boundary) -> Boundary:
        """The union of two parts of the boundary of the same box."""
        if not isinstance(other, Boundary):
            return NotImplemented
        if isinstance(self, PeriodicPair) or isinstance(other, PeriodicPair):
            reason = "a periodic pair cannot be united with other faces: its shift would be lost"
            raise ArgumentError("part", other, reason, "State its equation on its own")
        if self.box != other.box:
            reason = f"belongs to another box than {self!r}"
            raise ArgumentError("part", other, reason, "Unite faces of the same box")
        return Boundary(self.box, self.faces + other.faces)

    def __repr__(self) -> str:
        if len(self.faces) == 2 * self.box.dim:
            return f"{self.box!r}.boundary"
        return f"{self.box!r}.face({', '.join(map(repr, self.names))})"


class PeriodicPair(Boundary):
    """The low face of an axis, each point x of it having its partner x + shift on the high face.

    Parameters
    ----------
    box : Box
    axis : int
    """

    def __init__(self, box: Box, axis: SupportsIndex) -> None:
        super().__init__(box, [(whole("axis", axis, 0, box.dim - 1), -1)])

    @property
    def axis(self) -> int:
        """The axis that both faces are orthogonal to."""
        return self.faces[0][0]

    @property
    def shift(self) -> NDArray[np.float64]:
        """From a point of the low face to its partner on the high face, (d,), read-only."""
        width = self.box.upper - self.box.lower
        return _fixed(np.where(np.arange(self.dim) == self.axis, width, 0.0))

    def __repr__(self) -> str:
        return f"{self.box!r}.periodic({self.axis})"


def _fixed(numbers: ArrayLike) -> NDArray[np.float64]:
    """A read-only float array."""
    array = np.array(numbers, dtype=np.float64)
    array.flags.writeable = False
    return array


def _number(value: float) -> str:
    """The shortest text that reads back: 1 for 1.0."""
    return repr(float(value)).removesuffix(".0")
