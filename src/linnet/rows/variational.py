"""Variational least squares (appendix B): factor B, never BᵀB.

A symmetric positive form is an integral of squares. At a point it is a quadratic form in the
derivatives of the function, q(x) = Σ Q_αβ(x) D^α u D^β u, and with Q = V Λ Vᵀ the rows
√(w λ_r) Σ_α V_αr D^α φ make up B, for which BᵀB is the Galerkin matrix. The load Σ_α ℓ_α D^α v
lies in these rows where ℓ(x) is in the range of Q(x) (a mass term is there), and the problem is
min ‖Ba − y‖; what is left of it, such as a Neumann load, is added up apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from linnet.algebra import MultiIndex
from linnet.data import data_values
from linnet.errors import ArgumentError
from linnet.network import Network
from linnet.problem import Integral, Problem, WeakForm
from linnet.reduce import Workspace
from linnet.rows.galerkin import check_weak, right_hand_sides, rules_for
from linnet.rows.stream import LeastSquaresRows, Quadrature, coefficient_at, placed
from linnet.rules import Nodes, Rule

Array = NDArray[np.float64]

_ROUNDOFF = 1e-13  # a computed eigenvalue of Q below this fraction of the largest is 0


class VariationalLeastSquares(Quadrature):
    """The least-squares form of a symmetric positive weak form."""

    def rows(self, problem: Problem, network: Network) -> VariationalRows:
        """The stream of rows of B, and y."""
        return VariationalRows(check_weak(problem), network, self.rules)


class _Squares:
    """One integral's form as a sum of squares."""

    def __init__(self, integral: Integral) -> None:
        terms = {} if integral.form is None else integral.form.terms
        if integral.form is not None and not integral.form.symmetric:
            raise ArgumentError(
                "problem",
                integral.form,
                "the least-squares form needs a symmetric form, and this one is not",
                "Use Galerkin(rule), or Collocation for the equation itself",
            )
        self.terms = {(alpha, beta): c for (_, alpha, _, beta), c in terms.items()}
        self.alphas = sorted({alpha for alpha, _ in self.terms})
        self.constant = all(c.constant is not None for c in self.terms.values())
        self.diagonal = all(alpha == beta for alpha, beta in self.terms)
        self.index = {alpha: i for i, alpha in enumerate(self.alphas)}
        if self.constant and self.alphas:
            values, vectors = self._eigen(self._matrix(None))
            kept = values[0] > 0
            self._fixed = values[:, kept], vectors[:, :, kept]
        self.count = self._fixed[0].shape[1] if self.constant and self.alphas else len(self.alphas)

    def eigen(self, nodes: Nodes) -> tuple[Array, Array]:
        """λ (m or 1, r) and V (m or 1, p, r) with Q = V diag(λ) Vᵀ at the points."""
        return self._fixed if self.constant else self._eigen(self._matrix(nodes))

    def holds(self, alpha: MultiIndex) -> bool:
        """Whether a load on D^α v surely lies in the rows, at every point."""
        if alpha not in self.index:
            return False
        if self.constant:
            projected = self._fixed[1][0] @ self._fixed[1][0][self.index[alpha]]
            return bool(abs(projected[self.index[alpha]] - 1.0) < 1e-12)
        if not self.diagonal:
            return False
        return self.terms[alpha, alpha].constant is not None

    def _matrix(self, nodes: Nodes | None) -> Array:
        p = len(self.alphas)
        m = 1 if nodes is None else len(nodes.points)
        Q = np.zeros((m, p, p))
        for (alpha, beta), c in self.terms.items():
            value = c.constant if nodes is None else coefficient_at(c, nodes)
            Q[:, self.index[alpha], self.index[beta]] = value
        return Q

    def _eigen(self, Q: Array) -> tuple[Array, Array]:
        if self.diagonal:
            values = np.einsum("mii->mi", Q).copy()
            vectors = np.eye(len(self.alphas))[None]
        else:
            values, vectors = np.linalg.eigh(Q)
        noise = 0.0 if self.diagonal else _ROUNDOFF * np.abs(values).max(axis=1, keepdims=True)
        if (values < -noise).any():
            raise ArgumentError(
                "problem",
                f"a form whose smallest eigenvalue at a point is {values.min():g}",
                "the least-squares form needs a positive form",
                "Use Galerkin(rule), or Collocation for the equation itself",
            )
        values[values <= noise] = 0.0
        return values, vectors


class VariationalRows(LeastSquaresRows):
    """Rows √(w λ_r)·[Σ_α V_αr D^α φ │ …], integral after integral."""

    def __init__(self, problem: WeakForm, network: Network, rules: tuple[Rule, ...]) -> None:
        self.squares = [_Squares(integral) for integral in problem.integrals]
        self.loads = [integral.loads() for integral in problem.integrals]
        chosen = rules_for(problem.integrals, rules)
        counts = [squares.count for squares in self.squares]
        super().__init__(placed(network, problem, problem.order), chosen, counts)
        self.right_hand_sides = right_hand_sides(self.loads, chosen)
        self.has_load = any(
            not squares.holds(alpha)
            for squares, load in zip(self.squares, self.loads, strict=True)
            for alpha in load
        )
        self.reachable = problem.order == 0

    def block(self, k: int, workspace: Workspace) -> Array:
        """Rows [B │ y] of block k, (r m, n + s) in Fortran order."""
        segment, start, nodes = self.nodes(k)
        squares = self.squares[segment]
        m, n, s, r = len(nodes.points), self.columns, self.right_hand_sides, squares.count
        out = workspace.array("rows", n + s, r * m)
        if r == 0:
            return out.T
        values, vectors = squares.eigen(nodes)
        roots = np.sqrt(values)
        y, _ = self._split_load(squares, values, vectors, self._load_at(segment, nodes, start))
        scale = np.sqrt(nodes.weights)
        for i in range(r):
            rows = slice(i * m, (i + 1) * m)
            terms = _row_terms(squares.alphas, roots[:, i], vectors[:, :, i])
            self.network.fill(out[:n, rows], nodes.points, terms, scale)
            out[n:, rows] = (y[:, i] * scale[:, None]).T
        return out.T

    def load(self, k: int) -> Array:
        """∫ of the load that the rows do not hold, over block k, (n, s)."""
        segment, start, nodes = self.nodes(k)
        squares, load = self.squares[segment], self._load_at(segment, nodes, start)
        rest = load
        if squares.alphas:
            rest = {a: v for a, v in load.items() if a not in squares.index}
            _, left = self._split_load(squares, *squares.eigen(nodes), load)
            rest |= {alpha: left[:, i] for alpha, i in squares.index.items()}
        total = np.zeros((self.columns, self.right_hand_sides))
        rest = {a: v * nodes.weights[:, None] for a, v in rest.items() if v.any()}
        orders = sorted({sum(alpha) for alpha in rest})
        for rows, jet in self.network.pieces(nodes.points, orders):
            for alpha, v in rest.items():
                total[rows] += (jet[sum(alpha)] @ v) * self.network.powers(alpha, rows)[:, None]
        return total

    def given(self, k: int) -> Iterator[Array]:
        """Points and their weights, the form's squares, and the load of block k."""
        segment, start, nodes = self.nodes(k)
        squares = self.squares[segment]
        yield from (nodes.points, nodes.weights, np.array(squares.alphas))
        if squares.alphas:
            yield from squares.eigen(nodes)
        for beta, values in sorted(self._load_at(segment, nodes, start).items()):
            yield from (np.array(beta), values)

    def _load_at(self, segment: int, nodes: Nodes, start: int) -> dict[MultiIndex, Array]:
        return {
            beta: data_values(data, nodes, start, "load")
            for beta, data in self.loads[segment].items()
        }

    def _split_load(
        self, squares: _Squares, values: Array, vectors: Array, load: Mapping[MultiIndex, Array]
    ) -> tuple[Array, Array]:
        """Write y (m, r, s) with V √Λ y = ℓ as far as it goes, and what is left of ℓ (m, p, s)."""
        m = len(next(iter(load.values()))) if load else 1
        wanted = np.zeros((m, len(squares.alphas), self.right_hand_sides))
        for alpha, value in load.items():
            if alpha in squares.index:
                wanted[:, squares.index[alpha]] = value
        roots = np.sqrt(values)[..., None]
        inverse = np.divide(1.0, roots, out=np.zeros_like(roots), where=roots > 0)
        y = inverse * (np.swapaxes(vectors, 1, 2) @ wanted)
        left = wanted - vectors @ (roots * y)
        left[np.abs(left) <= 1e-14 * np.abs(wanted).max(initial=0.0)] = 0.0
        return y, left


def _row_terms(
    alphas: Sequence[MultiIndex], root: Array, vector: Array
) -> dict[MultiIndex, float | Array]:
    """√λ_r V_αr by α: numbers where they are the same at all points, zeros left out."""
    terms: dict[MultiIndex, float | Array] = {}
    for i, alpha in enumerate(alphas):
        value = root * vector[:, i]
        if value.any():
            terms[alpha] = float(value[0]) if len(value) == 1 else value
    return terms
