"""Solvers: small frozen objects that turn a factor into output weights.

A solver says which reduction of the rows it wants (a ``System`` of normal or Galerkin equations, or
a ``Factor`` R of the rows), and never returns garbage without saying so.
"""

from __future__ import annotations

import numbers
import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np
import scipy.linalg
from numpy.typing import NDArray
from scipy.linalg.lapack import dgecon, dpocon, dpotrf, dpotrs, dtrcon

from linnet.errors import ArgumentError, LinnetWarning, UnresolvedError
from linnet.lapack import absorb_rows
from linnet.reduce import checked_finite

Array = NDArray[np.float64]
EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class System:
    """Normal or Galerkin equations A a = b.

    Attributes
    ----------
    A : ndarray, shape (n, n)
    b : ndarray, shape (n, s)
    symmetric : bool
    squares : ndarray, shape (s,), or None
        ‖y‖² where they are the normal equations of rows [A │ y].
    reachable : bool
        Whether y is meant to be met by these rows: see `Factor`.
    """

    A: Array
    b: Array
    symmetric: bool
    squares: Array | None = None
    reachable: bool = False

    def triangle(self) -> Factor:
        """The R factor of the matrix itself, for solvers that work on triangles."""
        n, s = self.b.shape
        factor = np.zeros((n + s, n + s), order="F")
        absorb_rows(factor, np.asfortranarray(np.hstack([self.A, self.b])))
        return Factor(factor, np.zeros((n, s)))  # an equation each: the residual is to vanish


@dataclass(frozen=True, eq=False)
class Factor:
    """R of a QR factorisation of rows [A │ y], with ℓ: RᵀR a = Rᵀc + ℓ.

    Attributes
    ----------
    factor : ndarray, shape (n + s, n + s)
        [[R, c], [0, ρ]], upper triangular.
    load : ndarray, shape (n, s)
        ℓ, zero for a plain least-squares problem.
    reachable : bool
        Whether y is meant to be met. Where it is not (an elliptic form's rows) or there is an ℓ,
        the solution feels the square of R's condition number, and regularisation has to stand at
        the root of the roundoff.
    """

    factor: Array
    load: Array
    reachable: bool = True

    @cached_property
    def R(self) -> Array:
        """The triangle, (n, n)."""
        n = len(self.load)
        return np.triu(self.factor[:n, :n])

    @property
    def c(self) -> Array:
        """Qᵀy, (n, s)."""
        return self.factor[: len(self.load), len(self.load) :]

    @property
    def unreachable(self) -> Array:
        """Norm of the part of each y that no a reaches, (s,)."""
        n = len(self.load)
        norms: Array = np.linalg.norm(np.triu(self.factor[n:, n:]), axis=0)
        return norms

    def singular_values(self) -> Array:
        """Singular values of the rows, (n,), descending."""
        values: Array = scipy.linalg.svdvals(checked_finite(self.R, "the R factor"))
        return values


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a solver found.

    Attributes
    ----------
    a : ndarray, shape (n, s)
        Output weights.
    rank : int
        Numerical rank (for RegularizedQR an estimate, from the diagonal of R).
    condition : float
        Condition number of the matrix that was solved with, columns scaled to the same size
        except in TruncatedSVD; an estimate of LAPACK's.
    """

    a: Array
    rank: int
    condition: float


@runtime_checkable
class Solver(Protocol):
    """What a solver is: a class of your own with these two will do.

    Attributes
    ----------
    on_system : bool
        Whether it wants the square system A a = b rather than the triangle R of the rows. (A
        Galerkin problem is a square system in any case; ``System.triangle()`` factors it.)
    """

    on_system: ClassVar[bool]

    def solve(self, problem: System | Factor) -> Outcome:
        """Solve, or raise UnresolvedError."""


@dataclass(frozen=True)
class Cholesky:
    """Cholesky factorisation of a symmetric positive definite matrix.

    Parameters
    ----------
    limit : float
        Refuse a matrix whose condition number (columns scaled) is estimated beyond this.
    corrections : int
        For least-squares problems: passes over the rows that correct the solution; one gives
        the accuracy of a least-squares solver as long as κ of the rows is below about 1e7.
    """

    on_system: ClassVar[bool] = True
    limit: float = np.inf
    corrections: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.corrections, int) or self.corrections < 0:
            remedy = "Give 0, 1, 2, …"
            raise ArgumentError("corrections", self.corrections, "it is no number of them", remedy)

    def solve(self, problem: System | Factor) -> Outcome:
        """Solve A a = b for a symmetric positive definite A."""
        system = _system(problem, self)
        if not system.symmetric:
            raise UnresolvedError(
                "Cholesky needs a symmetric matrix and this one is not (a convection term, say). "
                "Use LU() or Auto()."
            )
        A = checked_finite(system.A, "the matrix")
        diagonal = np.diagonal(A)
        if not (diagonal > 0).all():
            raise UnresolvedError(
                f"Cholesky: {int((diagonal <= 0).sum())} of the {len(A)} diagonal entries are not "
                "positive. Causes: neurons that vanish on the domain, or a form that is not "
                "positive. Remedies: network.on(box), TruncatedSVD() or Auto()."
            )
        d = 1.0 / np.sqrt(diagonal)
        scaled = A * d[:, None] * d
        norm = np.abs(scaled).sum(axis=0).max()
        factor, info = dpotrf(scaled)
        if info:
            raise UnresolvedError(
                f"Cholesky: the matrix is not positive definite (it fails at column {info} of "
                f"{len(A)}). Causes: a form that is not positive (Helmholtz, Nitsche); a condition "
                "number beyond 1e16, from redundant neurons, too many neurons for the matrix form "
                "or too coarse a rule. Remedies: LU() or Auto(), network.on(box), "
                "VariationalLeastSquares or Collocation, a finer rule."
            )
        condition = _inverse(dpocon(factor, norm)[0])
        if condition > self.limit:
            raise UnresolvedError(
                f"Cholesky: the condition number {condition:.1e} is beyond the limit "
                f"{self.limit:.0e}."
            )
        a, _ = dpotrs(factor, system.b * d[:, None])
        return Outcome(a * d[:, None], len(A), condition)


@dataclass(frozen=True)
class LU:
    """LU factorisation with pivoting of a square matrix; it warns where nothing can be trusted.

    Parameters
    ----------
    limit : float
        Refuse a matrix whose condition number (rows and columns scaled) is beyond this.
    """

    on_system: ClassVar[bool] = True
    limit: float = np.inf

    def solve(self, problem: System | Factor) -> Outcome:
        """Solve A a = b for a square A."""
        system = _system(problem, self)
        A = checked_finite(system.A, "the matrix")
        d = _column_scale(A)
        scaled = A / d
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", scipy.linalg.LinAlgWarning)
            factor = scipy.linalg.lu_factor(scaled)
        if (np.diagonal(factor[0]) == 0).any():
            raise UnresolvedError(
                "LU: the matrix is singular. Causes: neurons that vanish on the domain or are "
                "redundant, a problem without a unique solution. Remedies: network.on(box), "
                "TruncatedSVD() or Auto()."
            )
        condition = _inverse(dgecon(factor[0], np.abs(scaled).sum(axis=0).max())[0])
        if condition > self.limit:
            raise UnresolvedError(
                f"LU: the condition number {condition:.1e} is beyond the limit {self.limit:.0e}."
            )
        if condition > 0.1 / EPS:
            warnings.warn(
                f"LU: the condition number {condition:.1e} leaves no correct digit for certain; "
                "use VariationalLeastSquares, Collocation or Auto()",
                LinnetWarning,
                stacklevel=5,
            )
        a = scipy.linalg.lu_solve(factor, system.b) / d[:, None]
        return Outcome(a, len(A), condition)


@dataclass(frozen=True)
class TruncatedSVD:
    """Least squares of least norm by a singular value decomposition: what gelsd computes, from R.

    Parameters
    ----------
    rcond : float, optional
        Singular values below this fraction of the largest count as 0; the machine epsilon by
        default, as in ``scipy.linalg.lstsq``, and its root where y is not to be reached.
    """

    on_system: ClassVar[bool] = False
    rcond: float | None = None

    def __post_init__(self) -> None:
        if self.rcond is not None:
            _check_number("rcond", self.rcond, 1.0)

    def solve(self, problem: System | Factor) -> Outcome:
        """Minimise ‖Ra − c‖, then ‖a‖; of a symmetric system by its eigenvalues."""
        rcond = EPS if self.rcond is None else self.rcond
        if self.rcond is None and isinstance(problem, Factor) and not problem.reachable:
            rcond = EPS**0.5
        if isinstance(problem, System) and problem.symmetric:
            values, V = scipy.linalg.eigh(checked_finite(problem.A, "the matrix"))
            largest = np.abs(values).max()
            kept = np.abs(values) > rcond * largest
            a = V[:, kept] @ ((V[:, kept].T @ problem.b) / values[kept, None])
            return Outcome(a, int(kept.sum()), _inverse(np.abs(values).min() / (largest or 1.0)))
        factor = _factor(problem)
        R = checked_finite(factor.R, "the R factor")
        if not factor.load.any():
            a, _, rank, values = scipy.linalg.lstsq(R, factor.c, cond=rcond, check_finite=False)
        else:
            U, values, Vt = scipy.linalg.svd(R, check_finite=False)
            rank = int((values > rcond * values[0]).sum())
            inverse = (1.0 / values[:rank])[:, None]
            half = U[:, :rank].T @ factor.c + inverse * (Vt[:rank] @ factor.load)
            a = Vt[:rank].T @ (inverse * half)
        return Outcome(a, int(rank), _inverse(values[-1] / values[0]) if values[0] else np.inf)


@dataclass(frozen=True)
class RegularizedQR:
    """Tikhonov's least squares, min ‖Ra − c‖² + μ²‖Da‖², D the norms of the columns.

    It needs no singular values: the rows μD are absorbed into R like any others, for a third of
    the flops of a factorisation, and the triangle can be solved with.

    Parameters
    ----------
    mu : float, optional
        μ; 1e-15·√n by default, at the roundoff of the factorisation, and the root of that where
        y is not to be reached.
    """

    on_system: ClassVar[bool] = False
    mu: float | None = None

    def __post_init__(self) -> None:
        if self.mu is not None:
            _check_number("mu", self.mu, np.inf)

    def solve(self, problem: System | Factor) -> Outcome:
        """Minimise the regularised residual."""
        given = _factor(problem)
        n, s = given.load.shape
        roundoff = 1e-15 * np.sqrt(n)
        default = roundoff if given.reachable else np.sqrt(roundoff)
        mu = default if self.mu is None else self.mu
        d = _column_scale(checked_finite(given.R, "the R factor"))
        factor = given.factor.copy(order="F")
        absorb_rows(factor, np.asfortranarray(np.diag(np.append(mu * d, np.zeros(s)))), True)
        R = factor[:n, :n]
        R /= d
        diagonal = np.abs(np.diagonal(R))
        if (diagonal == 0).any():
            raise UnresolvedError(
                f"RegularizedQR: μ = {mu:g} leaves a singular triangle. Causes: neurons that "
                "vanish on the domain. Remedies: network.on(box), μ > 0, TruncatedSVD()."
            )
        c = factor[:n, n:]
        if given.load.any():
            scaled = given.load / d[:, None]
            c = c + scipy.linalg.solve_triangular(R, scaled, trans="T", check_finite=False)
        a = scipy.linalg.solve_triangular(R, c, check_finite=False) / d[:, None]
        rank = int((diagonal > 10 * mu).sum())
        return Outcome(a, rank, _inverse(dtrcon(np.asfortranarray(R))[0]))


def _check_number(name: str, value: object, below: float) -> None:
    if (
        isinstance(value, bool)
        or not isinstance(value, numbers.Real)
        or not 0 <= float(value) < below
    ):
        bound = "" if below == np.inf else f" and < {below:g}"
        raise ArgumentError(name, value, f"it is no number ≥ 0{bound}", "Give one, such as 1e-13")


def _system(problem: System | Factor, solver: Solver) -> System:
    if isinstance(problem, System):
        return problem
    raise ArgumentError(
        "solver", solver, "it solves square systems, not triangles", "Use TruncatedSVD()"
    )


def _factor(problem: System | Factor) -> Factor:
    return problem.triangle() if isinstance(problem, System) else problem


def _column_scale(A: Array) -> Array:
    """Norms of the columns, 1 for those that vanish."""
    norms = np.linalg.norm(A, axis=0)
    return np.where(norms > 0, norms, 1.0)


def _inverse(reciprocal: float) -> float:
    return float(1.0 / reciprocal) if reciprocal > 0 else np.inf
