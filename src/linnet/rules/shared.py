"""What Sobol and random rules share: n points divided over the patches, scaled from [0, 1)^k."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from linnet.rules.base import Floats, PatchRule, shares
from linnet.rules.parts import Part, Patch, PatchPart


@dataclass(frozen=True, repr=False)
class CloudRule(PatchRule):
    """`n` points of equal weight, divided over the patches in proportion to their measure.

    Weights are measure / points of the patch, so that constants on each face are integrated
    exactly. Each face has its own points, so that a rule restricted to one face by `on` keeps
    just those. On the faces of an interval, which are points, the size is their number.
    """

    n: int

    @abc.abstractmethod
    def unit(self, patch: Patch, start: int, stop: int) -> Floats:
        """Points `start`, …, `stop` - 1 of the unit cube of the patch's k axes, (m, k)."""

    def counts(self) -> Sequence[int]:
        """Number of nodes on each patch."""
        return shares(self.n, self.patches)

    def fill(self, k: int, start: int, stop: int, points: Floats, weights: Floats) -> None:
        """Write nodes `start`, …, `stop` - 1 of patch number `k`."""
        patch = self.patches[k]
        weights[:] = patch.measure / (self.starts[k + 1] - self.starts[k])
        if free := patch.free:
            lower, upper = np.array(patch.lower)[free], np.array(patch.upper)[free]
            scaled = lower + self.unit(patch, start, stop) * (upper - lower)
            points[:, free] = scaled

    def on(self, part: Part) -> Self:
        """The rule for a `part` contained in its own part, with the share of n that it had."""
        self._demand(part)
        assert isinstance(part, PatchPart)
        if part == self.domain:
            return self
        wanted = set(part.patches)
        counted = zip(self.patches, self.counts(), strict=True)
        return replace(self, domain=part, n=sum(count for p, count in counted if p in wanted))


def patch_seed(seed: int, patch: Patch) -> int:
    """`seed` itself in the interior; on a face a seed of its own, made from it."""
    if patch.axis is None:
        return seed
    sequence = np.random.SeedSequence([seed, patch.axis, int(patch.side > 0)])
    return int(sequence.generate_state(1, np.uint64)[0])
