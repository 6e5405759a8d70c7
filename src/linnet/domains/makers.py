"""The methods by which a part makes rules for itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsIndex

import numpy as np

from linnet.errors import ArgumentError
from linnet.rules import GaussRule, GridRule, PatchPart, RandomRule, SobolRule
from linnet.rules._check import per_axis, seed_from, whole
from linnet.rules.sobol import MOST


class RuleMaker(PatchPart):
    """A part of patches that makes rules for itself."""

    def gauss(
        self, cells: SupportsIndex | Sequence[SupportsIndex], order: SupportsIndex
    ) -> GaussRule:
        """Piecewise tensor Gauss-Legendre rule.

        Parameters
        ----------
        cells : int or d ints
            Number of equal cells along each axis.
        order : int
            Gauss points per cell and axis: exact for degree 2·order - 1 in each variable.
        """
        return GaussRule(self, per_axis("cells", cells, self.dim, 1), whole("order", order, 1))

    def grid(self, n: SupportsIndex | Sequence[SupportsIndex]) -> GridRule:
        """Uniform grid including the boundary, all weights equal to measure / size.

        Parameters
        ----------
        n : int or d ints
            Number of points along each axis, at least 2. A boundary has the points of that grid
            that lie on it, each once: n^d - (n - 2)^d on the whole boundary of a box.
        """
        return GridRule(self, per_axis("n", n, self.dim, 2))

    def sobol(
        self,
        n: SupportsIndex,
        scramble: bool = False,
        rng: np.random.Generator | SupportsIndex | None = None,
    ) -> SobolRule:
        """The first `n` points of the Sobol sequence, from index 0.

        Parameters
        ----------
        n : int
            Number of points, at most 2^32. On a boundary they are divided over the faces in
            proportion to their measure, each face having a sequence of its own. (The end points
            of an interval are taken once each, whatever n is.)
        scramble : bool
            Randomise by a linear matrix scramble and a digital shift.
        rng : numpy.random.Generator or int, optional
            Seed of the scramble, drawn once, here; not without `scramble`.
        """
        if rng is not None and not scramble:
            reason = "the plain Sobol sequence has nothing random"
            raise ArgumentError("rng", rng, reason, "Give scramble=True as well, or leave it out")
        seed = seed_from(rng) if scramble else None
        return SobolRule(self, whole("n", n, 1, MOST), seed)

    def random(
        self, n: SupportsIndex, rng: np.random.Generator | SupportsIndex | None = None
    ) -> RandomRule:
        """`n` uniform random points, the same ones each time they are asked for.

        Parameters
        ----------
        n : int
            Number of points; divided over the faces of a boundary as for `sobol`.
        rng : numpy.random.Generator or int, optional
            Seed, drawn once, here; fresh entropy if absent.
        """
        return RandomRule(self, whole("n", n, 1), seed_from(rng))
