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
from linnet.solving import l2_problem, rows_of

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
    rows = rows_of(problem, network, formulation)
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

    They come from the R factor of rows, resolved down to the machine epsilon times the largest. For
    Galerkin with a symmetric positive form, whose matrix is BᵀB, they are the squares of those of
    the rows B, for other forms, such as Helmholtz's or Nitsche's, those of the assembled matrix
    with all of its roundoff.
    """
    rows = rows_of(problem, network, formulation)
    if isinstance(rows, GalerkinRows):
        if rows.problem.symmetric:
            squares = VariationalLeastSquares(*formulation.rules)
            with contextlib.suppress(ArgumentError):  # not positive at every point
                return singular_values(problem, network, squares, workers=workers) ** 2
        values: Array = scipy.linalg.svdvals(matrix(problem, network, formulation, workers=workers))
        return values
    factor = Assembler(rows, workers).factor(RegularizedQR())
    assert isinstance(factor, Factor)
    return factor.singular_values()


def condition_number(
    problem: Problem, network: Network, formulation: Formulation, *, workers: int | None = None
) -> float:
    """The true condition number of a formulation's matrix: the ratio of its singular values.

    ``numpy.linalg.cond(matrix(...))`` gives what the matrix form shows. (Where B is not resolved
    either, beyond 1e32 for BᵀB, it is at least what is returned.)
    """
    values = singular_values(problem, network, formulation, workers=workers)
    return float(values[0] / values[-1]) if values[-1] > 0 else np.inf
