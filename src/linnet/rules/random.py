"""Uniform random points, any block of which can be had again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linnet.rules.base import Floats
from linnet.rules.parts import Patch
from linnet.rules.shared import CloudRule, patch_seed


@dataclass(frozen=True, repr=False)
class RandomRule(CloudRule):
    """`n` uniform random points; in the unit cube, ``default_rng(seed).random((n, d))``."""

    seed: int

    def unit(self, patch: Patch, start: int, stop: int) -> Floats:
        """Points `start`, …, `stop` - 1 of the unit cube of the patch's k axes, (m, k)."""
        k = len(patch.free)
        bits = np.random.PCG64(patch_seed(self.seed, patch))
        bits.advance(start * k)  # a double takes one step of PCG64
        return np.random.Generator(bits).random((stop - start, k))

    def describe(self) -> str:
        """The call that makes the rule."""
        return f"{self.domain!r}.random({self.n}, rng={self.seed})"
