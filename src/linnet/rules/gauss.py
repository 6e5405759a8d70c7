"""Piecewise tensor Gauss-Legendre quadrature."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from linnet.rules._check import short
from linnet.rules.base import Floats, PatchRule, lexicographic


@lru_cache(maxsize=64)
def legendre(order: int) -> tuple[Floats, Floats]:
    """Gauss-Legendre nodes and weights on [0, 1], each of shape (order,)."""
    nodes, weights = np.polynomial.legendre.leggauss(order)
    return (nodes + 1) / 2, weights / 2


@dataclass(frozen=True, repr=False)
class GaussRule(PatchRule):
    """Tensor Gauss rule of `order` points per axis in each of ``prod(cells)`` equal cells.

    Exact for polynomials of degree 2·order - 1 in each variable on each cell. Nodes run through
    the tensor grid lexicographically, the last axis fastest. Each face of a boundary has its own
    rule in d - 1 variables; a face in 1D is a single node of weight 1.
    """

    cells: tuple[int, ...]
    order: int

    def counts(self) -> list[int]:
        """Number of nodes on each patch."""
        return [math.prod(self.cells[j] * self.order for j in p.free) for p in self.patches]

    def fill(self, k: int, start: int, stop: int, points: Floats, weights: Floats) -> None:
        """Write nodes `start`, …, `stop` - 1 of patch number `k`."""
        patch = self.patches[k]
        nodes, node_weights = legendre(self.order)
        shape = [self.cells[j] * self.order for j in patch.free]
        weights[:] = math.prod(1 / self.cells[j] for j in patch.free) * patch.measure
        for j, index in zip(patch.free, lexicographic(start, stop, shape), strict=True):
            cell = index // self.order
            local = index - cell * self.order
            width = (patch.upper[j] - patch.lower[j]) / self.cells[j]
            points[:, j] = patch.lower[j] + (cell + nodes[local]) * width
            weights *= node_weights[local]

    def describe(self) -> str:
        """The call that makes the rule."""
        return f"{self.domain!r}.gauss({short(self.cells)}, order={self.order})"
