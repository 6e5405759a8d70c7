"""Galerkin (§3.1, eq. (variational-neumann)): the matrix form A a = b of a weak form.

The integrand Σ c(x) D^α u D^β v is sorted by the functions of x in it and by the orders m = |α|,
m′ = |β| of differentiation. What depends on the neurons alone leaves the integral:

    A = Σ P ∘ (S_m′ᵀ W S_m),  P_ij = Σ c w_i^β w_j^α,  (S_m)_xj = σ⁽ᵐ⁾(z_j(x)),

so ∫ ∇φ_i·K∇φ_j is (W K Wᵀ) ∘ (S′ᵀS′), whatever the dimension.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linnet.algebra import MultiIndex
from linnet.coefficients import Coefficient, Monomial, monomial_values
from linnet.data import Data, data_values
from linnet.errors import ArgumentError
from linnet.network import Network
from linnet.problem import Integral, Problem, WeakForm
from linnet.reduce import Gram, Product, Workspace, symmetrised
from linnet.rows.stream import PointStream, Quadrature, check_used, columns_of, placed, rule_for
from linnet.rules import Nodes, Rule

Array = NDArray[np.float64]
Orders = tuple[int, int]


class Term(NamedTuple):
    """s·D^α u·D^β v, without its function of x."""

    alpha: MultiIndex
    beta: MultiIndex
    factor: float


Groups = dict[Monomial, dict[Orders, list[Term]]]  # {function of x: {(m, m′), m ≤ m′: terms}}


class Galerkin(Quadrature):
    """The matrix form of a weak form, symmetric or not."""

    def rows(self, problem: Problem, network: Network) -> GalerkinRows:
        """The stream of products that add up to the matrices."""
        return GalerkinRows(check_weak(problem), network, self.rules)


class GalerkinRows(PointStream):
    """Products S_m′ᵀ W S_m block by block, for each integral of the weak form."""

    def __init__(self, problem: WeakForm, network: Network, rules: tuple[Rule, ...]) -> None:
        self.problem, self.integrals = problem, problem.integrals
        chosen = rules_for(self.integrals, rules)
        super().__init__(placed(network, problem, problem.order), chosen, [1] * len(chosen))
        self.groups = [_grouped(integral) for integral in self.integrals]
        self.loads = [integral.loads() for integral in self.integrals]
        self.right_hand_sides = right_hand_sides(self.loads, chosen)

    def keys(self) -> dict[Hashable, tuple[int, int]]:
        """(integral, function, orders) for matrices, (integral, order) for loads."""
        shapes: dict[Hashable, tuple[int, int]] = {}
        for i, groups in enumerate(self.groups):
            for t, pairs in enumerate(groups.values()):
                shapes |= {(i, t, pair): (self.columns, self.columns) for pair in pairs}
            shapes |= {(i, beta): (self.columns, self.right_hand_sides) for beta in self.loads[i]}
        return shapes

    def products(self, k: int, workspace: Workspace) -> Iterator[Product]:
        """The products of block k."""
        segment, start, nodes = self.nodes(k)
        for t, (monomial, pairs) in enumerate(self.groups[segment].items()):
            density = nodes.weights * monomial_values(monomial, nodes.points, nodes.normals)
            if not np.isfinite(density).all():
                Coefficient.of_atom(monomial[0])(nodes.points)  # says what is not finite
            for sign in (1.0, -1.0):
                chosen = density * sign > 0
                if not chosen.any():
                    continue
                x, scale = nodes.points[chosen], np.sqrt(density[chosen] * sign)
                S = self._derivatives(x, scale, {m for pair in pairs for m in pair}, workspace)
                for low, high in pairs:
                    other = None if low == high else S[high]
                    yield Product((segment, t, (low, high)), S[low], other, sign)
        yield from self._load_products(segment, start, nodes, workspace)

    def _derivatives(
        self, x: Array, scale: Array, orders: set[int], workspace: Workspace
    ) -> dict[int, Array]:
        """√weight·σ⁽ᵐ⁾(z) for each order, (m, n) in Fortran order."""
        S = {m: workspace.array(m, self.columns, len(x)) for m in sorted(orders)}
        for rows, jet in self.network.pieces(x, sorted(orders)):
            for m, values in jet.items():
                np.multiply(values, scale, out=S[m][rows])
        return {m: values.T for m, values in S.items()}

    def _load_products(
        self, segment: int, start: int, nodes: Nodes, workspace: Workspace
    ) -> Iterator[Product]:
        values = weighted_loads(self.loads[segment], nodes, start)
        if not values:
            return
        ones = np.ones(len(nodes.points))
        S = self._derivatives(nodes.points, ones, {sum(beta) for beta in values}, workspace)
        for beta, data in values.items():
            columns = np.broadcast_to(data, (len(data), self.right_hand_sides))
            yield Product((segment, beta), S[sum(beta)], np.asfortranarray(columns), 1.0)

    def system(self, gram: Gram) -> tuple[Array, Array]:
        """The matrix A (n, n) and the right-hand side b (n, s) from the summed products."""
        n = self.columns
        A, b = np.zeros((n, n)), np.zeros((n, self.right_hand_sides))
        for i, groups in enumerate(self.groups):
            for t, pairs in enumerate(groups.values()):
                for (low, high), terms in pairs.items():
                    C = gram.matrices[i, t, (low, high)]
                    C = symmetrised(C) if low == high else C
                    forward = [term for term in terms if sum(term.beta) == low]
                    backward = [term for term in terms if sum(term.beta) != low]
                    if forward:
                        A += self._symbol(forward) * C
                    if backward:
                        A += self._symbol(backward) * C.T
            for beta in self.loads[i]:
                b += self.network.powers(beta)[:, None] * gram.matrices[i, beta]
        if self.problem.symmetric:
            A = (A + A.T) / 2
        return A, b

    def _symbol(self, terms: list[Term]) -> Array:
        """P_ij = Σ s w_i^β w_j^α."""
        test = np.stack([t.factor * self.network.powers(t.beta) for t in terms], axis=1)
        trial = np.stack([self.network.powers(t.alpha) for t in terms], axis=1)
        return test @ trial.T

    def given(self, k: int) -> Iterator[Array]:
        """Points, weights times the form's functions, and the loads of block k."""
        segment, start, nodes = self.nodes(k)
        yield from (nodes.points, nodes.weights)
        for monomial in self.groups[segment]:
            yield monomial_values(monomial, nodes.points, nodes.normals)
        for beta, values in sorted(weighted_loads(self.loads[segment], nodes, start).items()):
            yield from (np.array(beta), values)

    def fingerprint(self) -> str:
        """That of the points and functions, with the terms that they belong to."""
        return super().fingerprint() + repr([list(groups.values()) for groups in self.groups])


def check_weak(problem: Problem) -> WeakForm:
    """The problem, if it is a weak form."""
    if not isinstance(problem, WeakForm):
        raise ArgumentError(
            "problem",
            type(problem).__name__,
            "this formulation integrates a weak form",
            "Give a WeakForm, or use Collocation(rule) for equations",
        )
    return problem


def rules_for(integrals: tuple[Integral, ...], rules: tuple[Rule, ...]) -> list[Rule]:
    """The rule of each integral."""
    chosen = [rule_for(i.on, rules, f"integral {k}") for k, i in enumerate(integrals, 1)]
    check_used(rules, [i.on for i in integrals], "integral")
    return chosen


def right_hand_sides(loads: list[Mapping[MultiIndex, Data]], rules: list[Rule]) -> int:
    """The number of right-hand sides, found by looking at one point of each rule."""
    pairs = [(d, rule) for parts, rule in zip(loads, rules, strict=True) for d in parts.values()]
    return columns_of([d for d, _ in pairs], [rule for _, rule in pairs])


def weighted_loads(
    loads: Mapping[MultiIndex, Data], nodes: Nodes, start: int
) -> dict[MultiIndex, Array]:
    """Quadrature weight times load at the points, ``{β: (m, s)}``."""
    return {
        beta: nodes.weights[:, None] * data_values(data, nodes, start, "load")
        for beta, data in loads.items()
    }


def _grouped(integral: Integral) -> Groups:
    groups: Groups = {}
    for (_, alpha, _, beta), c in ({} if integral.form is None else integral.form.terms).items():
        for monomial, factor in c.terms.items():
            if isinstance(factor, complex):
                raise ArgumentError(
                    "form", c, "complex problems are not solved yet", "State it with real numbers"
                )
            low, high = sorted((sum(alpha), sum(beta)))
            pairs = groups.setdefault(monomial, {})
            pairs.setdefault((low, high), []).append(Term(alpha, beta, factor))
    return groups
