"""What a rule knows of a domain: a part is measured, and most parts consist of flat patches.

The geometry proper (names, unions, periodic pairs) is in `linnet.domains`, above the rules.
"""

from __future__ import annotations

import abc
import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Patch:
    """An axis-parallel box in R^d, or one face of it.

    Parameters
    ----------
    lower, upper : tuple of d floats
        Corners of the box (of the whole box, for a face too).
    axis : int or None
        The axis that the face is orthogonal to; None for the box itself.
    side : int
        -1 for the face at ``lower[axis]``, +1 for the one at ``upper[axis]``, 0 for the box.
    """

    lower: tuple[float, ...]
    upper: tuple[float, ...]
    axis: int | None = None
    side: int = 0

    @property
    def free(self) -> list[int]:
        """The axes along which the patch extends: d of them, or d - 1."""
        return [j for j in range(len(self.lower)) if j != self.axis]

    @property
    def level(self) -> float:
        """The coordinate along `axis` that is the same on all of a face."""
        assert self.axis is not None
        return self.lower[self.axis] if self.side < 0 else self.upper[self.axis]

    @property
    def measure(self) -> float:
        """Volume of the box or area of the face; a face in 1D is a point of measure 1."""
        return math.prod(self.upper[j] - self.lower[j] for j in self.free)


class Part(abc.ABC):
    """Where an equation holds."""

    @property
    @abc.abstractmethod
    def dim(self) -> int:
        """The dimension d of the space around it."""

    @property
    @abc.abstractmethod
    def measure(self) -> float:
        """Volume, area, or sum of the weights."""

    @abc.abstractmethod
    def contains(self, part: Part, /) -> bool:
        """Whether a rule for this part can be re-made for `part`."""


class PatchPart(Part):
    """A part that consists of patches, either one box or some of its faces."""

    @property
    @abc.abstractmethod
    def patches(self) -> tuple[Patch, ...]:
        """Its patches, in canonical order."""

    @property
    def dim(self) -> int:
        """The dimension d of the space around it."""
        return len(self.patches[0].lower)

    @property
    def measure(self) -> float:
        """Sum of the measures of the patches."""
        return math.fsum(patch.measure for patch in self.patches)
