"""Uniform grids that include the boundary."""

from __future__ import annotations

import math
from dataclasses import dataclass

from linnet.rules._check import short
from linnet.rules.base import Floats, PatchRule, lexicographic
from linnet.rules.parts import Patch


@dataclass(frozen=True, repr=False)
class GridRule(PatchRule):
    """Uniform grid of ``n[j]`` points along axis j, all weights equal to measure / size.

    On a boundary: the points of that grid that lie there, each of them once (n^d - (n - 2)^d on
    the boundary of a box). A corner belongs to the face of the lowest axis among the faces of
    the part, so that a single face has its full grid of n^(d-1) points.
    """

    n: tuple[int, ...]

    def span(self, patch: Patch) -> list[tuple[int, int]]:
        """First grid index and number of them, for each free axis of the patch."""
        if patch.axis is None:
            return [(0, self.n[j]) for j in patch.free]
        taken = {(p.axis, p.side) for p in self.patches[: self.patches.index(patch)]}
        ends = [((j, -1) in taken, (j, 1) in taken) for j in patch.free]
        return [(int(a), self.n[j] - a - b) for j, (a, b) in zip(patch.free, ends, strict=True)]

    def counts(self) -> list[int]:
        """Number of nodes on each patch."""
        return [math.prod(count for _, count in self.span(p)) for p in self.patches]

    def fill(self, k: int, start: int, stop: int, points: Floats, weights: Floats) -> None:
        """Write nodes `start`, …, `stop` - 1 of patch number `k`."""
        patch = self.patches[k]
        span = self.span(patch)
        indices = lexicographic(start, stop, [count for _, count in span])
        for j, (first, _), index in zip(patch.free, span, indices, strict=True):
            t = (index + first) / (self.n[j] - 1)
            # exact at both ends, unlike lower + t * width
            points[:, j] = (1 - t) * patch.lower[j] + t * patch.upper[j]
        weights[:] = self.domain.measure / self.size

    def describe(self) -> str:
        """The call that makes the rule."""
        return f"{self.domain!r}.grid({short(self.n)})"
