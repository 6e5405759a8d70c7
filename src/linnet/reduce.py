"""What a stream of rows is folded into: products of matrices, a triangle, a gradient.

Each is a monoid's element for :func:`linnet.fold.fold`: it absorbs blocks and combines with its
like, and the order of the two does not matter beyond roundoff.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from linnet.errors import UnresolvedError
from linnet.fold import Stream
from linnet.lapack import absorb_rows, add_gram, add_product, first_rows

Array = NDArray[np.float64]


class Workspace:
    """Buffers that are used again for every block, so that no block waits for fresh memory."""

    def __init__(self) -> None:
        self._buffers: dict[Hashable, Array] = {}

    def array(self, key: Hashable, *shape: int) -> Array:
        """An uninitialised C-ordered array; the same memory for the same `key` every time."""
        size = int(np.prod(shape))
        buffer = self._buffers.get(key)
        if buffer is None or buffer.size < size:
            buffer = self._buffers[key] = np.empty(size)
        return buffer[:size].reshape(shape)


class Product(NamedTuple):
    """sign·XᵀY, or sign·XᵀX where Y is None; X (m, n) and Y (m, p) in Fortran order."""

    key: Hashable
    X: Array
    Y: Array | None
    sign: float


class MatrixStream(Stream, Protocol):
    """A stream whose blocks are products, added up into matrices."""

    def keys(self) -> dict[Hashable, tuple[int, int]]:
        """The shape of the matrix under each key."""

    def products(self, k: int, workspace: Workspace) -> Iterator[Product]:
        """The products of block k; each may use the buffers of the one before."""


class RowStream(Stream, Protocol):
    """A stream whose blocks are rows [A │ y] of a least-squares problem min ‖Aa − y‖.

    Where a part of the right-hand side is no combination of rows (a Neumann load, say), the
    problem is AᵀA a = Aᵀy + ℓ, with ℓ added up by :meth:`load`.
    """

    @property
    def right_hand_sides(self) -> int:
        """Number s of columns of y."""

    @property
    def has_load(self) -> bool:
        """Whether there is an ℓ."""

    def block(self, k: int, workspace: Workspace) -> Array:
        """Rows [A │ y] of block k, (m, n + s) in Fortran order; the caller may destroy them."""

    def load(self, k: int) -> Array:
        """The contribution of block k to ℓ, (n, s)."""


class Gram:
    """Sums of XᵀX and XᵀY by key, from :meth:`MatrixStream.products`."""

    def __init__(self, stream: MatrixStream) -> None:
        self._stream, self._workspace = stream, Workspace()
        self.matrices = {key: np.zeros(shape, order="F") for key, shape in stream.keys().items()}

    def absorb(self, k: int) -> None:
        """Add the products of block k."""
        for key, X, Y, sign in self._stream.products(k, self._workspace):
            if Y is None:
                add_gram(self.matrices[key], X, sign)
            else:
                add_product(self.matrices[key], X, Y, sign)

    def combine(self, other: Self) -> None:
        """Add another sum."""
        for key, matrix in self.matrices.items():
            matrix += other.matrices[key]

    def arrays(self) -> dict[str, Array]:
        """The matrices, numbered."""
        return {str(i): matrix for i, matrix in enumerate(self.matrices.values())}


class Triangle:
    """The R factor of [A │ y], and ℓ: Householder QR of the rows, block after block.

    Attributes
    ----------
    factor : ndarray, shape (n + s, n + s)
        Upper triangular, R Qᵀy over 0 and the residual's triangle.
    load : ndarray, shape (n, s)
    """

    def __init__(self, stream: RowStream) -> None:
        n, s = stream.columns, stream.right_hand_sides
        self._stream, self._workspace = stream, Workspace()
        self.factor = np.zeros((n + s, n + s), order="F")
        self.load = np.zeros((n, s))
        self._blocks = np.zeros(1)

    def absorb(self, k: int) -> None:
        """Take the rows of block k into the factor."""
        rows = self._stream.block(k, self._workspace)
        if self._blocks[0] == 0:  # a factorisation of its own costs less than an update of zeros
            first_rows(self.factor, rows)
        else:
            absorb_rows(self.factor, rows)
        self._blocks += 1
        if self._stream.has_load:
            self.load += self._stream.load(k)

    def combine(self, other: Self) -> None:
        """Take another triangle's rows in."""
        absorb_rows(self.factor, other.factor, triangular=True)
        self.load += other.load

    def arrays(self) -> dict[str, Array]:
        """The factor, ℓ and the number of blocks."""
        return {"factor": self.factor, "load": self.load, "blocks": self._blocks}


class Gradient:
    """Aᵀ(y − Aa) + ℓ for given output weights a, and ‖y − Aa‖² by column.

    It is the correction's right-hand side: a Gram solve followed by one such pass has the
    accuracy of a least-squares solver as long as κ(A) is below about 1e7.
    """

    def __init__(self, stream: RowStream, a: Array) -> None:
        self._stream, self._workspace, self._a = stream, Workspace(), a
        self.gradient = np.zeros_like(a)
        self.squares = np.zeros(a.shape[1])

    def absorb(self, k: int) -> None:
        """Add block k."""
        block = self._stream.block(k, self._workspace)
        n = len(self._a)
        residual = block[:, n:] - block[:, :n] @ self._a
        self.gradient += block[:, :n].T @ residual
        self.squares += np.einsum("ij,ij->j", residual, residual)
        if self._stream.has_load:
            self.gradient += self._stream.load(k)

    def combine(self, other: Self) -> None:
        """Add another sum."""
        self.gradient += other.gradient
        self.squares += other.squares

    def arrays(self) -> dict[str, Array]:
        """The two sums."""
        return {"gradient": self.gradient, "squares": self.squares}


def symmetrised(C: Array) -> Array:
    """The full symmetric matrix whose upper triangle C holds."""
    upper = np.triu(C)
    return upper + np.triu(C, 1).T


def checked_finite(matrix: Array, what: str) -> Array:
    """Refuse a matrix with NaN or infinite entries before LAPACK meets it."""
    if not np.isfinite(matrix).all():
        raise UnresolvedError(
            f"{what} has entries that are not finite: features or data overflow. "
            "Causes: hidden parameters too large for the activation, or a coefficient that blows "
            "up. Remedies: a smaller radius, data that stay finite."
        )
    return matrix
