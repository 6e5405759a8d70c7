"""Matrices, singular values and condition numbers, against exact integrals and exact inverses."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

import linnet as ln
from linnet.errors import ArgumentError, LinnetWarning

UNIT = ln.Box(0, 1)


def truncated_powers(n, k, polynomials=0):
    """(x − t)₊ᵏ, t = 0, 1/n, …, on [0, 1], after t = −1/n, …, which are polynomials there.

    The network lives in x̂ = 2x − 1.
    """
    knots = np.arange(-polynomials, n) / n
    return ln.Network(ln.ReLU(k), np.column_stack([0.5 + 0 * knots, 0.5 - knots]))


def exact_mass(n, k, polynomials=0):
    """∫ (x − s)ᵏ (x − t)ᵏ from z = max(0, s, t) to 1 as fractions: with y = x − z

    it is ∫ (y + p)ᵏ (y + q)ᵏ from 0 to 1 − z, by the binomial theorem.
    """
    knots = [Fraction(i, n) for i in range(-polynomials, n)]

    def entry(s, t):
        z = max(Fraction(0), s, t)
        first = [comb(k, i) * (z - s) ** (k - i) for i in range(k + 1)]
        second = [comb(k, i) * (z - t) ** (k - i) for i in range(k + 1)]
        return sum(
            a * b * (1 - z) ** (i + j + 1) / (i + j + 1)
            for i, a in enumerate(first)
            for j, b in enumerate(second)
        )

    return [[entry(s, t) for t in knots] for s in knots]


def exact_inverse(A):
    """Gauss and Jordan, on fractions."""
    n = len(A)
    rows = [list(row) + [Fraction(int(i == j)) for j in range(n)] for i, row in enumerate(A)]
    for i in range(n):
        pivot = rows[i][i]  # a Gram matrix: never zero
        rows[i] = [entry / pivot for entry in rows[i]]
        for j in range(n):
            if j != i and (factor := rows[j][i]):
                rows[j] = [a - factor * b for a, b in zip(rows[j], rows[i], strict=True)]
    return [row[n:] for row in rows]


def floats(A):
    return np.array([[float(entry) for entry in row] for row in A])


def true_condition(A):
    """κ₂ of a symmetric positive matrix of fractions: both norms are those of exact matrices."""
    return np.linalg.norm(floats(A), 2) * np.linalg.norm(floats(exact_inverse(A)), 2)


def mass_problem(box=UNIT):
    return ln.WeakForm(ln.trial(box) * ln.test(box))


class TestMatrices:
    @pytest.mark.parametrize("k", [1, 2, 3])
    def test_mass_matrix(self, k):
        found = ln.mass_matrix(truncated_powers(8, k), UNIT.gauss(8, order=k + 1))
        np.testing.assert_allclose(found, floats(exact_mass(8, k)), rtol=1e-13, atol=1e-16)
        np.testing.assert_array_equal(found, found.T)

    @pytest.mark.parametrize("k", [1, 2, 3])
    def test_stiffness_matrix(self, k):
        """k² times the mass matrix of the powers k − 1; for k = 1 it is 1 − max(s, t)."""
        found = ln.stiffness_matrix(truncated_powers(8, k), UNIT.gauss(8, order=k + 1))
        knots = np.arange(8) / 8
        if k == 1:
            expected = 1 - np.maximum.outer(knots, knots)
        else:
            expected = k**2 * floats(exact_mass(8, k - 1))
        np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-16)

    def test_units_of_the_domain(self):
        """On [0, L] masses scale with L and stiffnesses with 1/L."""
        network = truncated_powers(8, 2)
        wide = ln.Box(0, 7)
        args = (8, 3)
        small = ln.mass_matrix(network, UNIT.gauss(*args))
        np.testing.assert_allclose(ln.mass_matrix(network, wide.gauss(*args)), 7 * small)
        small = ln.stiffness_matrix(network, UNIT.gauss(*args))
        np.testing.assert_allclose(ln.stiffness_matrix(network, wide.gauss(*args)), small / 7)

    def test_sines_are_orthogonal(self):
        """sin(πjx), cos(πjx) on (−1, 1): M = I, K = π²j²."""
        j = np.arange(1, 5)
        theta = np.pi * np.column_stack([np.repeat(j, 2), np.tile([0.0, 0.5], 4)])
        network, rule = ln.Network(ln.Sine(), theta), ln.Box(-1, 1).gauss(40, order=6)
        np.testing.assert_allclose(ln.mass_matrix(network, rule), np.eye(8), atol=1e-13)
        expected = np.diag(np.repeat((np.pi * j) ** 2, 2))
        np.testing.assert_allclose(ln.stiffness_matrix(network, rule), expected, atol=1e-11)

    def test_matrix_of_every_formulation(self):
        network, rule = truncated_powers(6, 2), UNIT.gauss(6, order=3)
        u = ln.trial(UNIT)
        strong = ln.StrongForm(ln.Equation(u, 1.0, on=UNIT))
        values = network.placed_on(UNIT).features(rule.points)
        found = ln.matrix(strong, network, ln.Collocation(rule))
        np.testing.assert_allclose(found, values, rtol=1e-13)
        B = ln.matrix(mass_problem(), network, ln.VariationalLeastSquares(rule))
        np.testing.assert_allclose(B, np.sqrt(rule.weights)[:, None] * values, rtol=1e-13)
        A = ln.matrix(mass_problem(), network, ln.Galerkin(rule), workers=2)
        np.testing.assert_allclose(A, B.T @ B, rtol=1e-12)

    def test_refuses_rules_that_are_on_no_box(self):
        for make in (ln.mass_matrix, ln.stiffness_matrix):
            with pytest.raises(ArgumentError, match=r"box|Box"):
                make(truncated_powers(4, 1), ln.Points([0.1, 0.2]))


class TestConditionNumbers:
    @pytest.mark.parametrize(("n", "k"), [(8, 1), (16, 2), (24, 3)])
    def test_of_mass_matrices(self, n, k):
        true = true_condition(exact_mass(n, k))
        form = ln.Galerkin(UNIT.gauss(n, order=k + 1))
        found = ln.condition_number(mass_problem(), truncated_powers(n, k), form)
        assert found == pytest.approx(true, rel=1e-6)

    @pytest.mark.parametrize(("n", "k"), [(8, 6), (10, 6)])
    def test_beyond_double_precision(self, n, k):
        """The matrix form can show no more than noise, the rows know the truth."""
        true = true_condition(exact_mass(n, k, k))
        assert 1e18 < true < 1e28
        network, rule = truncated_powers(n, k, k), UNIT.gauss(n, order=k + 1)
        found = ln.condition_number(mass_problem(), network, ln.Galerkin(rule))
        assert found == pytest.approx(true, rel=0.05)
        shown = np.linalg.cond(ln.mass_matrix(network, rule))
        assert not 0.5 < shown / true < 2
        rows = ln.condition_number(mass_problem(), network, ln.VariationalLeastSquares(rule))
        assert rows**2 == pytest.approx(found, rel=1e-12)

    def test_of_a_stiffness_matrix(self):
        """∫ (sin πjx)′ (sin πix)′ = π²j² δᵢⱼ, so that κ = 5²."""
        j = np.arange(1, 6)
        theta = np.column_stack([np.pi * j, np.zeros(5)])
        box, rule = ln.Box(-1, 1), ln.Box(-1, 1).gauss(40, order=6)
        u, v = ln.trial(box), ln.test(box)
        weak = ln.WeakForm(ln.partial(u, 0) * ln.partial(v, 0))
        network = ln.Network(ln.Sine(), theta)
        found = ln.condition_number(weak, network, ln.Galerkin(rule))
        assert found == pytest.approx(25.0, rel=1e-12)

    def test_redundant_neurons(self):
        theta = np.array([[0.5, 0.5], [0.5, 0.25], [0.5, -2.0]])  # the last one is dead
        network = ln.Network(ln.ReLU(1), theta)
        form = ln.Galerkin(UNIT.gauss(8, 2))
        assert ln.condition_number(mass_problem(), network, form) == np.inf
        doubled = ln.Network(ln.ReLU(1), theta[[0, 1, 1]])
        assert ln.condition_number(mass_problem(), doubled, form) > 1e28

    def test_of_forms_that_are_no_sums_of_squares(self):
        """Helmholtz, Nitsche, convection: that of the matrix itself."""
        box = ln.Box(-1, 1)
        u, v = ln.trial(box), ln.test(box)
        energy = ln.dot(ln.grad(u), ln.grad(v))
        nitsche = ln.Integral(
            -ln.normal_derivative(u) * v - u * ln.normal_derivative(v) + 50 * u * v,
            on=box.boundary,
        )
        network = ln.Network(ln.Tanh(), ln.neurons.circle(5, radius=2))
        inside, ends = box.gauss(20, order=4), box.boundary.gauss(1, 1)
        for weak, form in (
            (ln.WeakForm(energy - 9 * u * v), ln.Galerkin(inside)),
            (ln.WeakForm(energy, nitsche), ln.Galerkin(inside, ends)),
            (ln.WeakForm(energy + u * v + ln.partial(u, 0) * v), ln.Galerkin(inside)),
        ):
            A = ln.matrix(weak, network, form)
            found = ln.condition_number(weak, network, form)
            assert found == pytest.approx(np.linalg.cond(A), rel=1e-8)


class TestSingularValues:
    def test_of_collocation_rows(self):
        box = ln.Box([0, -2], [3, 5])
        u = ln.trial(box)
        problem = ln.StrongForm(
            ln.Equation(-ln.laplacian(u), 1.0, on=box), ln.Equation(u, 0.0, on=box.boundary)
        )
        network = ln.Network(ln.Tanh(), ln.neurons.fibonacci(40, radius=2))
        form = ln.Collocation(box.grid(40), box.boundary.grid(40), weights=(1, 100))
        found = ln.singular_values(problem, network, form)
        expected = np.linalg.svd(ln.matrix(problem, network, form), compute_uv=False)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-14 * expected[0])
        assert ln.condition_number(problem, network, form) == found[0] / found[-1]

    def test_of_a_galerkin_matrix_are_those_of_the_assembled_one(self):
        network, form = truncated_powers(8, 2), ln.Galerkin(UNIT.gauss(8, order=3))
        found = ln.singular_values(mass_problem(), network, form)
        expected = np.linalg.eigvalsh(floats(exact_mass(8, 2)))[::-1]
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-15 * expected[0] * 8)

    def test_solves_report_the_condition_that_is_true(self):
        """Cholesky's estimate is that of the matrix with columns scaled to one size."""
        network, rule = truncated_powers(12, 1), UNIT.gauss(12, order=2)
        weak = ln.WeakForm(ln.trial(UNIT) * ln.test(UNIT), load=1.0)
        info = ln.solve(weak, network, ln.Galerkin(rule)).info
        M = floats(exact_mass(12, 1))
        d = 1 / np.sqrt(np.diagonal(M))
        true = np.linalg.cond(M * d * d[:, None], 1)
        assert true / 3 < info.condition < 1.001 * true

    def test_too_ill_conditioned_a_matrix_form_warns(self):
        network, rule = truncated_powers(10, 6, 6), UNIT.gauss(10, order=7)
        weak = ln.WeakForm(ln.trial(UNIT) * ln.test(UNIT), load=1.0)
        with pytest.warns(LinnetWarning, match="VariationalLeastSquares"):
            ln.solve(weak, network, ln.Galerkin(rule))
        rows = ln.solve(weak, network, ln.VariationalLeastSquares(rule))
        one = lambda x: np.ones(len(x))
        assert rows.error(one, rule).l2 < 1e-10
