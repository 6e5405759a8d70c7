"""Auto, the default solver: it measures the conditioning and chooses accordingly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linnet.fold import fold
from linnet.reduce import Triangle, Workspace
from linnet.rows.galerkin import GalerkinRows
from linnet.rows.stream import LeastSquaresRows
from linnet.solvers import LU, Cholesky, Factor, RegularizedQR, Solver, TruncatedSVD

Array = NDArray[np.float64]

TALL = 40  # rows per neuron from which a look at a sample pays
SAMPLE = 5  # rows per neuron of that sample
SPREAD = 16  # blocks of that sample at least: a block's points are neighbours in most rules
UNSEEN = 0.98  # of the neurons at least must be active in the sample
GRAM = 1e7  # condition number of the rows up to which a Gram matrix and a correction are as good
MATRIX = 1e14  # condition number up to which a matrix form is solved directly

Plan = Iterator[tuple[Solver, str]]


@dataclass(frozen=True)
class Auto:
    """Choose the solver by measured conditioning, and say what was chosen and why.

    Rows (collocation, variational least squares): where there are many rows per neuron, a sample
    of them is factored first. If it is well conditioned, the Gram matrix with one correction is
    as accurate as a factorisation of all rows, at half the cost; else, regularised QR.

    Matrices (Galerkin): Cholesky, or LU where the form is not symmetric, up to a condition number
    of 1e14, beyond it a truncated SVD of the matrix with a warning.
    """

    def plan(self, rows: GalerkinRows | LeastSquaresRows, workers: int | None) -> Plan:
        """Solvers to try in this order until one resolves the system, each with the reason."""
        if isinstance(rows, GalerkinRows):
            if rows.problem.symmetric:
                yield Cholesky(limit=MATRIX), "the form is symmetric"
                yield LU(limit=MATRIX), "the matrix is not positive"
            else:
                yield LU(limit=MATRIX), "the form is not symmetric"
            yield TruncatedSVD(), "the matrix form is at the end of double precision"
            return
        if rows.size < TALL * rows.columns:
            yield RegularizedQR(), f"{rows.size / rows.columns:.3g} rows per neuron"
        else:
            condition = sampled_condition(rows, workers)
            measured = f"condition {condition:.1e} in a sample of {SAMPLE} rows per neuron"
            if condition < GRAM:
                yield Cholesky(limit=10 * GRAM**2, corrections=1), measured
                yield RegularizedQR(), "the Gram matrix is beyond a correction"
            else:
                yield RegularizedQR(), measured
        yield TruncatedSVD(), "the regularised solution is none"


class _Sample:
    """Some blocks of a stream, as a stream."""

    has_load = False

    def __init__(self, rows: LeastSquaresRows, chosen: list[int]) -> None:
        self.rows, self.chosen = rows, chosen
        self.columns, self.blocks = rows.columns, len(chosen)
        self.right_hand_sides = rows.right_hand_sides
        self.size = sum(rows.rows_of(k) for k in chosen)

    def rows_of(self, k: int) -> int:
        return self.rows.rows_of(self.chosen[k])

    def block(self, k: int, workspace: Workspace) -> Array:
        return self.rows.block(self.chosen[k], workspace)

    def load(self, k: int) -> Array:
        return self.rows.load(self.chosen[k])

    def fingerprint(self) -> str:
        return self.rows.fingerprint() + repr(self.chosen)


def sampled_condition(rows: LeastSquaresRows, workers: int | None) -> float:
    """An estimate of κ of the rows, columns scaled, from evenly spread blocks."""
    wanted = SAMPLE * rows.columns
    count = min(rows.blocks, max(SPREAD, round(rows.blocks * wanted / rows.size)))
    chosen = sorted({round(k) for k in np.linspace(0, rows.blocks - 1, count)})
    sample = _Sample(rows, chosen)
    triangle = fold(sample, lambda: Triangle(sample), workers=workers)
    R = Factor(triangle.factor, triangle.load).R
    norms = np.linalg.norm(R, axis=0)
    seen = norms > 0  # a neuron active in a corner only may be missed by all points of the sample
    if seen.mean() < UNSEEN:
        return np.inf
    values = np.linalg.svd(R[:, seen] / norms[seen], compute_uv=False)
    return float(values[0] / values[-1]) if values[-1] > 0 else np.inf
