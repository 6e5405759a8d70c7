"""Sobol points at any index, without those before them.

Let X(i) be the i-th point as integers (coordinates times 2^bits). A Sobol sequence in Gray code
order has X(i) = X(0) ^ XOR of v_j over the bits j of gray(i) = i ^ (i >> 1). As gray is linear
over GF(2), so is i ↦ X(i) ^ X(0). Hence the points of index 2^j alone give all others:

    X(i) = X(0) ^ XOR over the bits j of i of (X(2^j) ^ X(0)).

A digital shift sits in X(0) and a linear scramble is linear, so scrambled sequences obey it too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.stats import qmc

from linnet.rules.base import Floats
from linnet.rules.parts import Patch
from linnet.rules.shared import CloudRule, patch_seed

MOST = 2**32  # points of one rule
LOW = 10  # the points of 2^LOW consecutive indices differ from a table by one XOR

Integers = NDArray[np.int64]


def bits_for(n: int) -> int:
    """30 as in scipy as long as that is enough, else 32: beyond, scipy 1.17 cannot skip points."""
    return 30 if n <= 2**30 else 32


@lru_cache(maxsize=4096)
def integer_point(dim: int, bits: int, seed: int | None, index: int) -> Integers:
    """X(index), (dim,), asked of scipy: O(index), 0.1 s at 2^25 in 6D, once for each power of 2."""
    rng = None if seed is None else np.random.default_rng(seed)
    engine = qmc.Sobol(dim, scramble=seed is not None, bits=bits, rng=rng)
    if index:
        engine.fast_forward(index)
    point: Integers = (engine.random(1)[0] * 2.0**bits).astype(np.int64)
    point.flags.writeable = False
    return point


@lru_cache(maxsize=16)
def low_table(dim: int, bits: int, seed: int | None) -> Integers:
    """X(0), …, X(2^LOW - 1), (2^LOW, dim)."""
    table = integer_point(dim, bits, seed, 0)[None, :]
    for j in range(LOW):
        table = np.concatenate([table, table ^ table[0] ^ integer_point(dim, bits, seed, 1 << j)])
    table.flags.writeable = False
    return table


def sobol_points(dim: int, bits: int, seed: int | None, start: int, stop: int) -> Floats:
    """Points `start`, …, `stop` - 1 of the Sobol sequence in [0, 1)^dim.

    The same bits as ``scipy.stats.qmc.Sobol(dim, scramble=…, bits=bits, rng=seed)`` gives.

    Parameters
    ----------
    seed : int or None
        Of the scramble; None for the plain sequence.

    Returns
    -------
    (stop - start, dim) float array
    """
    table = low_table(dim, bits, seed)
    points = np.empty((stop - start, dim))
    here = start
    while here < stop:
        high = here >> LOW
        end = min(stop, (high + 1) << LOW)
        offset = np.zeros(dim, dtype=np.int64)
        for j in range(high.bit_length()):
            if high >> j & 1:
                offset ^= table[0] ^ integer_point(dim, bits, seed, 1 << (j + LOW))
        first = high << LOW
        rows = table[here - first : end - first] ^ offset
        np.multiply(rows, 2.0**-bits, out=points[here - start : end - start])
        here = end
    return points


@dataclass(frozen=True, repr=False)
class SobolRule(CloudRule):
    """The first `n` Sobol points, plain (`seed` None) or scrambled by `seed`."""

    seed: int | None

    def unit(self, patch: Patch, start: int, stop: int) -> Floats:
        """Points `start`, …, `stop` - 1 of the unit cube of the patch's k axes, (m, k)."""
        seed = None if self.seed is None else patch_seed(self.seed, patch)
        return sobol_points(len(patch.free), bits_for(self.n), seed, start, stop)

    def describe(self) -> str:
        """The call that makes the rule."""
        scramble = "" if self.seed is None else f", scramble=True, rng={self.seed}"
        return f"{self.domain!r}.sobol({self.n}{scramble})"
