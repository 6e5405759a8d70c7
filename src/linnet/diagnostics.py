"""Assembled matrices, singular values and condition numbers, one call each.

What a matrix form can no longer resolve is taken from the rows: the condition number of a symmetric
positive matrix BᵀB is the square of B's, which double precision resolves up to 1e16, so that
condition numbers up to 1e32 are true.
"""

from __future__ import annotations

import contextlib

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from linnet.assembler import Assembler
from linnet.domains import Box
from linnet.errors import ArgumentError
from linnet.network import Network
from linnet.operators import dot, grad, test, trial
from linnet.problem import Problem, WeakForm
from linnet.reduce import Workspace
from linnet.rows import Formulation, Galerkin, VariationalLeastSquares
from linnet.rows.galerkin import GalerkinRows
from linnet.rules import Rule
from linnet.solvers import LU, Factor, RegularizedQR, System
from linnet.solving import l2_problem

Array = NDArray[np.float64]


def matrix(
    problem: Problem, network: Network, formulation: Formulation, *, workers: int | None = None
) -> Array:
    """The matrix of a formulation.

    Returns
    -------
    ndarray
        (n, n) for Galerkin; (N, n), all rows at once, for the others.
    """
    rows = formulation.rows(problem, network)
    if isinstance(rows, GalerkinRows):
        system = Assembler(rows, workers).factor(LU())
        assert isinstance(system, System)
        return system.A
    blocks = [rows.block(k, Workspace())[:, : rows.columns] for k in range(rows.blocks)]
    return np.vstack(blocks)


def mass_matrix(network: Network, rule: Rule, *, workers: int | None = None) -> Array:
    """M_ij = ∫ φ_j φ_i (§3.1), (n, n)."""
    return matrix(l2_problem(0.0, network, rule), network, Galerkin(rule), workers=workers)


def stiffness_matrix(network: Network, rule: Rule, *, workers: int | None = None) -> Array:
    """K_ij = ∫ ∇φ_j·∇φ_i, (n, n)."""
    box = network.domain or rule.part
    if not isinstance(box, Box):
        raise ArgumentError("rule", rule, "its points are on no box", "Use a rule of a Box")
    problem = WeakForm(dot(grad(trial(box)), grad(test(box))))
    return matrix(problem, network, Galerkin(rule), workers=workers)


def singular_values(
    problem: Problem, network: Network, formulation: Formulation, *, workers: int | None = None
) -> Array:
    """Singular values of a formulation's matrix, descending, (n,).

    For rows (collocation, variational least squares) they come from the R factor and are resolved
    down to the machine epsilon times the largest; for Galerkin they are those of the assembled
    matrix, with all of the assembly's roundoff in them.
    """
    rows = formulation.rows(problem, network)
    if isinstance(rows, GalerkinRows):
        values: Array = scipy.linalg.svdvals(matrix(problem, network, formulation, workers=workers))
        return values
    factor = Assembler(rows, workers).factor(RegularizedQR())
    assert isinstance(factor, Factor)
    return factor.singular_values()


def condition_number(
    problem: Problem, network: Network, formulation: Formulation, *, workers: int | None = None
) -> float:
    """The true condition number of a formulation's matrix.

    For Galerkin with a symmetric positive form it is the square of the condition number of the
    rows B (with B not resolved either, it is at least what is returned); for other forms, such as
    Helmholtz's or Nitsche's, that of the assembled matrix. ``numpy.linalg.cond(matrix(...))`` gives
    what the matrix form shows.
    """
    if isinstance(formulation, Galerkin) and isinstance(problem, WeakForm) and problem.symmetric:
        squares = VariationalLeastSquares(*formulation.rules)
        with contextlib.suppress(ArgumentError):  # not positive at every point: no sum of squares
            return _ratio(singular_values(problem, network, squares, workers=workers)) ** 2
    return _ratio(singular_values(problem, network, formulation, workers=workers))


def _ratio(values: Array) -> float:
    """The largest over the smallest singular value."""
    return float(values[0] / values[-1]) if values[-1] > 0 else np.inf
