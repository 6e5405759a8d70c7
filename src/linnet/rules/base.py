"""A rule is a stream of (points, weights, normals) that can begin anywhere."""

from __future__ import annotations

import abc
import bisect
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, Self, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from linnet.errors import ArgumentError
from linnet.rules._check import whole
from linnet.rules.parts import Part, Patch, PatchPart

Floats = NDArray[np.float64]


class Nodes(NamedTuple):
    """A block of a rule.

    Attributes
    ----------
    points : (m, d) float array
    weights : (m,) float array
    normals : (m, d) float array or None
        Outward unit normals on a boundary, None in the interior.
    """

    points: Floats
    weights: Floats
    normals: Floats | None


class Rule(abc.ABC):
    """A quadrature or collocation rule that produces any block of its nodes by index.

    Rules are immutable, picklable and safe to use from several threads.
    """

    @property
    @abc.abstractmethod
    def part(self) -> Part:
        """Where the nodes lie."""

    @property
    @abc.abstractmethod
    def size(self) -> int:
        """Number of nodes."""

    @abc.abstractmethod
    def take(self, start: SupportsIndex, stop: SupportsIndex) -> Nodes:
        """The m = `stop` - `start` nodes of index `start`, …, `stop` - 1.

        The cost depends on m alone, not on `start`.

        Returns
        -------
        Nodes
            points (m, d), weights (m,), normals (m, d) or None.
        """

    @abc.abstractmethod
    def on(self, part: Part) -> Rule:
        """The rule with the same settings for a `part` contained in its own part."""

    @abc.abstractmethod
    def describe(self) -> str:
        """One line that is the same for the same nodes, in every process."""

    @property
    def dim(self) -> int:
        """The dimension d of the points."""
        return self.part.dim

    @property
    def points(self) -> Floats:
        """All points at once, (size, d)."""
        return self.take(0, self.size).points

    @property
    def weights(self) -> Floats:
        """All weights at once, (size,)."""
        return self.take(0, self.size).weights

    @property
    def normals(self) -> Floats | None:
        """All outward unit normals at once, (size, d); None in the interior."""
        return self.take(0, self.size).normals

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        return self.describe()

    def _block(self, start: SupportsIndex, stop: SupportsIndex) -> tuple[int, int]:
        """`start` and `stop` as integers with 0 <= start <= stop <= size."""
        first = whole("start", start, 0, self.size)
        return first, whole("stop", stop, first, self.size)

    def _demand(self, part: Part) -> None:
        """Refuse a `part` that does not belong to the rule's own part."""
        if not self.part.contains(part):
            reason = f"not contained in {self.part!r}, where this rule lives"
            raise ArgumentError("part", part, reason, "Make a rule on that part itself")


@dataclass(frozen=True, repr=False)
class PatchRule(Rule):
    """A rule on a part made of patches: the nodes of the first patch, of the second, ….

    A family says how many nodes each patch has (`counts`) and writes those of one patch (`fill`).
    """

    domain: PatchPart

    def __post_init__(self) -> None:
        if self.size >= 2**62:
            remedy = "Take fewer nodes, or a rule that does not grow with d (sobol)"
            raise ArgumentError("size", self.size, "nodes cannot be numbered in 64 bits", remedy)

    @abc.abstractmethod
    def counts(self) -> Sequence[int]:
        """Number of nodes on each patch of the part; may be 0."""

    @abc.abstractmethod
    def fill(self, k: int, start: int, stop: int, points: Floats, weights: Floats) -> None:
        """Write nodes `start`, …, `stop` - 1 of patch number `k`.

        Into `points` (m, d), along the free axes of the patch only, and into `weights` (m,).
        """

    @property
    def part(self) -> PatchPart:
        """Where the nodes lie."""
        return self.domain

    @property
    def size(self) -> int:
        """Number of nodes."""
        return self.starts[-1]

    @cached_property
    def patches(self) -> tuple[Patch, ...]:
        """The patches of the part."""
        return self.domain.patches

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Index of the first node of each patch, and last the size."""
        return tuple(itertools.accumulate(self.counts(), initial=0))

    def take(self, start: SupportsIndex, stop: SupportsIndex) -> Nodes:
        """The m = `stop` - `start` nodes of index `start`, …, `stop` - 1: see `Rule.take`."""
        first, last = self._block(start, stop)
        points = np.empty((last - first, self.dim))
        weights = np.empty(last - first)
        normals = None if self.patches[0].axis is None else np.zeros_like(points)
        k = max(bisect.bisect_right(self.starts, first) - 1, 0)
        here = first
        while here < last:
            patch, base = self.patches[k], self.starts[k]
            end = min(last, self.starts[k + 1])
            rows = slice(here - first, end - first)
            if end > here:
                self.fill(k, here - base, end - base, points[rows], weights[rows])
                if patch.axis is not None and normals is not None:
                    points[rows, patch.axis] = patch.level
                    normals[rows, patch.axis] = patch.side
            here, k = end, k + 1
        return Nodes(points, weights, normals)

    def on(self, part: Part) -> Self:
        """The rule with the same settings for a `part` contained in its own part."""
        self._demand(part)
        assert isinstance(part, PatchPart)
        return replace(self, domain=part)


def lexicographic(start: int, stop: int, shape: Sequence[int]) -> tuple[NDArray[np.intp], ...]:
    """Multi-indices number `start`, …, `stop` - 1 of a tensor grid, the last axis fastest.

    Returns
    -------
    tuple of len(shape) arrays of shape (m,)
    """
    if not shape:
        return ()
    return np.unravel_index(np.arange(start, stop), tuple(shape))


def shares(n: int, patches: Sequence[Patch]) -> list[int]:
    """`n` nodes divided over the patches in proportion to their measure, at least one each."""
    if not patches[0].free:  # the faces of an interval are points
        return [1] * len(patches)
    if n < len(patches):
        reason = f"fewer points than the {len(patches)} faces they are divided over"
        raise ArgumentError("n", n, reason, f"Give at least {len(patches)}")
    total = math.fsum(p.measure for p in patches)
    ideal = [n * (p.measure / total) for p in patches]
    counts = [max(1, math.floor(share)) for share in ideal]
    while (gap := n - sum(counts)) != 0:
        step = 1 if gap > 0 else -1
        owed = [step * (share - count) for share, count in zip(ideal, counts, strict=True)]
        movable = [k for k in range(len(counts)) if counts[k] + step > 0]
        counts[max(movable, key=owed.__getitem__)] += step
    return counts
