"""The four routines of BLAS and LAPACK that the fold lives on, called without holding the GIL.

SciPy publishes the routines that it was linked with as function pointers, in
``scipy.linalg.cython_blas`` and ``cython_lapack`` (a documented, stable interface). Called through
``ctypes`` they release the GIL, accumulate in place and copy nothing, which the ordinary wrappers
do not: two threads fold two blocks at once, and a block costs its flops and nothing more.

All matrices are float64 in Fortran order.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import byref, c_double, c_int, c_void_p
from typing import Any

import numpy as np
import scipy.linalg.cython_blas
import scipy.linalg.cython_lapack
from numpy.typing import NDArray

Array = NDArray[np.float64]

_PANEL = 64  # columns that dtpqrt factors at a time before it updates the rest


def _routine(module: Any, name: str) -> Callable[..., None]:
    """The routine behind a capsule of SciPy's, as a foreign function of pointers only."""
    capsule = module.__pyx_capi__[name]
    signature = ctypes.pythonapi.PyCapsule_GetName
    signature.restype, signature.argtypes = ctypes.c_char_p, [ctypes.py_object]
    address = ctypes.pythonapi.PyCapsule_GetPointer
    address.restype, address.argtypes = c_void_p, [ctypes.py_object, ctypes.c_char_p]
    text = signature(capsule)
    prototype = ctypes.CFUNCTYPE(None, *[c_void_p] * (text.count(b",") + 1))
    return prototype(address(capsule, text))


_dsyrk = _routine(scipy.linalg.cython_blas, "dsyrk")
_dgemm = _routine(scipy.linalg.cython_blas, "dgemm")
_dgeqrf = _routine(scipy.linalg.cython_lapack, "dgeqrf")
_dtpqrt = _routine(scipy.linalg.cython_lapack, "dtpqrt")


def add_gram(C: Array, X: Array, sign: float = 1.0) -> None:
    """C ← C + sign·XᵀX, upper triangle only.

    Parameters
    ----------
    C : ndarray, shape (n, n), Fortran order
    X : ndarray, shape (m, n), Fortran order
    sign : float
    """
    m, n = _fortran(X)
    _fortran(C)
    _dsyrk(
        *(b"U", b"T", byref(c_int(n)), byref(c_int(m)), byref(c_double(sign))),
        *(X.ctypes.data, byref(c_int(max(m, 1)))),
        *(byref(c_double(1.0)), C.ctypes.data, byref(c_int(n))),
    )


def add_product(C: Array, X: Array, Y: Array, sign: float = 1.0) -> None:
    """C ← C + sign·XᵀY.

    Parameters
    ----------
    C : ndarray, shape (n, p), Fortran order
    X : ndarray, shape (m, n), Fortran order
    Y : ndarray, shape (m, p), Fortran order
    sign : float
    """
    m, n = _fortran(X)
    p = _fortran(Y)[1]
    _fortran(C)
    leading = byref(c_int(max(m, 1)))
    _dgemm(
        *(b"T", b"N", byref(c_int(n)), byref(c_int(p)), byref(c_int(m)), byref(c_double(sign))),
        *(X.ctypes.data, leading, Y.ctypes.data, leading),
        *(byref(c_double(1.0)), C.ctypes.data, byref(c_int(n))),
    )


def first_rows(R: Array, X: Array) -> None:
    """R ← the R factor of X, in place, for an R that is zero; X is destroyed.

    Parameters
    ----------
    R : ndarray, shape (n, n), Fortran order
    X : ndarray, shape (m, n), Fortran order
    """
    m, n = _fortran(X)
    _fortran(R)
    k = min(m, n)
    if k == 0:
        return
    reflectors, work, info = np.empty(k), np.empty(n * _PANEL), c_int()
    _dgeqrf(
        *(byref(c_int(m)), byref(c_int(n)), X.ctypes.data, byref(c_int(m))),
        *(reflectors.ctypes.data, work.ctypes.data, byref(c_int(len(work))), byref(info)),
    )
    if info.value:  # only a wrong argument can cause it
        raise RuntimeError(f"dgeqrf refused its argument {-info.value}")
    for j in range(n):
        R[: min(j + 1, k), j] = X[: min(j + 1, k), j]


def absorb_rows(R: Array, X: Array, triangular: bool = False) -> None:
    """R ← the R factor of [R; X], in place; X is destroyed.

    Parameters
    ----------
    R : ndarray, shape (n, n), Fortran order
        Upper triangular; what stands below its diagonal is neither read nor written.
    X : ndarray, shape (m, n), Fortran order
        Rows to absorb.
    triangular : bool
        X is (n, n) and upper triangular, which costs a third of the flops.
    """
    m, n = _fortran(X)
    _fortran(R)
    if m == 0 or n == 0:
        return
    panel = min(_PANEL, n)
    reflectors = np.empty((n, panel))
    work = np.empty(panel * n)
    info = c_int()
    _dtpqrt(
        *(byref(c_int(m)), byref(c_int(n)), byref(c_int(m if triangular else 0))),
        *(byref(c_int(panel)), R.ctypes.data, byref(c_int(n)), X.ctypes.data, byref(c_int(m))),
        *(reflectors.ctypes.data, byref(c_int(panel)), work.ctypes.data, byref(info)),
    )
    if info.value:  # only a wrong argument can cause it
        raise RuntimeError(f"dtpqrt refused its argument {-info.value}")


def _fortran(a: Array) -> tuple[int, int]:
    if a.dtype != np.float64 or a.ndim != 2 or not a.flags.f_contiguous:
        raise TypeError("a float64 matrix in Fortran order is needed here")
    return a.shape
