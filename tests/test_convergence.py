"""Problems with known solutions: convergence orders, exactness, the paper's digits, accuracy.

One class per kind of problem; the orders are the paper's, n^(−1/2 − (2(k−m)+1)/(2d)) for the
derivatives of order m of a ReLUᵏ network in d dimensions.
"""

from math import comb

import numpy as np
import pytest

import linnet as ln


def product(x):
    """∏ sin(πx_i/2), the paper's solution."""
    return np.prod(np.sin(np.pi * x / 2), axis=1)


def product_slope(x):
    s, c = np.sin(np.pi * x / 2), np.cos(np.pi * x / 2) * np.pi / 2
    columns = [c[:, i] * np.prod(np.delete(s, i, axis=1), axis=1) for i in range(x.shape[1])]
    return np.stack(columns, axis=1)


def neumann(dim):
    """−Δu + u = f with zero Neumann data on (−1, 1)^d (§5.1)."""
    box = ln.Box(-1, 1, dim=dim)
    u, v = ln.trial(box), ln.test(box)
    f = lambda x: (1 + dim * np.pi**2 / 4) * product(x)
    return ln.WeakForm(ln.dot(ln.grad(u), ln.grad(v)) + u * v, load=f)


# ------------------------------------------------------------------ orders


class Orders:
    """Fitted slopes of both errors; the distance between two theoretical orders is 1/d."""

    tolerance = 0.15

    def check(self, k):
        n, l2, h1 = np.transpose([self.errors(k, size) for size in self.sizes])
        if self.dim == 1:
            n = n - k  # pieces of the splines that these networks are
        for m, errors in enumerate((l2, h1)):
            slope = np.polyfit(np.log(n), np.log(errors), 1)[0]
            theory = -0.5 - (2 * (k - m) + 1) / (2 * self.dim)
            assert slope == pytest.approx(theory, abs=self.tolerance), f"m = {m}"

    def errors(self, k, size):
        problem, rule = neumann(self.dim), self.rule(k)
        network = ln.Network(ln.ReLU(k), self.neurons(size)).on(problem.domain)
        solution = ln.solve(problem, network, self.formulation(rule))
        errors = solution.error(product, rule, gradient=product_slope)
        return network.n, errors.l2, errors.h1


class TestOrders1D(Orders):
    dim, sizes = 1, (128, 256, 512)
    formulation = ln.VariationalLeastSquares

    def neurons(self, size):
        return ln.neurons.circle(size)

    def rule(self, k):
        return ln.Box(-1, 1).gauss(12000, order=k + 1)

    @pytest.mark.parametrize("k", [1, 2, 3])
    def test_orders(self, k):
        self.check(k)


@pytest.mark.filterwarnings("ignore:the matrix form has rank")  # a neuron in a corner, unseen
class TestOrders2D(Orders):
    dim, sizes = 2, (50, 100, 200, 400)
    formulation = ln.Galerkin

    def neurons(self, size):
        return ln.neurons.fibonacci(size)

    def rule(self, k):
        return ln.Box(-1, 1, dim=2).gauss(100, order=2 if k == 1 else 3)

    @pytest.mark.parametrize("k", [1, 2, 3])
    def test_orders(self, k):
        self.check(k)


class TestOrders3D(Orders):
    dim, sizes = 3, (50, 100, 200, 400)
    tolerance = 1 / 6  # half the distance to the next order
    formulation = ln.Galerkin

    def neurons(self, size):
        return ln.neurons.sobol_sphere(size, 3)

    def rule(self, k):
        return ln.Box(-1, 1, dim=3).gauss(25, order=2)

    @pytest.mark.parametrize("k", [1, 2])
    def test_orders(self, k):
        self.check(k)


class TestConditioning1D:
    """DESIGN.md's fact: from n ≈ 500 on the matrix form of the L² projection loses its rate."""

    def test_rows_keep_the_rate_that_the_matrix_loses(self):
        box = ln.Box(-1, 1)
        u, v = ln.trial(box), ln.test(box)
        f = lambda x: np.sin(np.pi * x[:, 0])
        rule = box.gauss(2000, order=3)
        coarse, fine = (ln.Network(ln.ReLU(2), ln.neurons.circle(n)).on(box) for n in (1024, 2048))
        assert (coarse.n, fine.n) == (258, 514)
        errors = [ln.fit(f, network, rule).error(f, rule).l2 for network in (coarse, fine)]
        assert errors[0] / errors[1] == pytest.approx(2**3, rel=0.05)
        with pytest.warns(ln.LinnetWarning, match=r"the matrix form has rank \d+ of 514"):
            matrix = ln.solve(ln.WeakForm(u * v, load=f), fine, ln.Galerkin(rule))
        assert matrix.error(f, rule).l2 > 10 * errors[1]


# ------------------------------------------------------------------ exactness


class TestExactness:
    """ReLUᵏ networks contain P_k: neurons that are active everywhere are its polynomials."""

    def network(self, box, k):
        rng = np.random.default_rng(0)
        w = rng.uniform(-1, 1, (4 * comb(box.dim + k, k), box.dim)) / box.dim
        network = ln.Network(ln.ReLU(k), np.column_stack([w, np.ones(len(w))])).on(box)
        assert network.n == comb(box.dim + k, k)
        return network

    @pytest.mark.parametrize("box", [ln.Box(2, 5), ln.Box([0, -2], [3, 5]), ln.Box(-1, 1, dim=3)])
    @pytest.mark.parametrize("k", [2, 3])
    def test_collocation_of_a_polynomial(self, box, k):
        """−Δu + u = f, Dirichlet, for u = x₀² + 2x₀ + (x₁x₀)."""
        d = box.dim
        u = ln.trial(box)
        exact = lambda x: x[:, 0] ** 2 + 2 * x[:, 0] + (x[:, 0] * x[:, 1] if d > 1 else 0)
        problem = ln.StrongForm(
            ln.Equation(-ln.laplacian(u) + u, lambda x: exact(x) - 2, on=box),
            ln.Equation(u, exact, on=box.boundary),
        )
        form = ln.Collocation(box.grid(8), box.boundary.grid(8))
        for solver in (None, ln.TruncatedSVD(), ln.RegularizedQR()):
            solution = ln.solve(problem, self.network(box, k), form, solver)
            assert solution.error(exact, box.sobol(500)).relative_max < 1e-11
            assert solution.info.residual < 1e-12
            assert max(solution.residual()) < 1e-10

    @pytest.mark.parametrize("form", [ln.Galerkin, ln.VariationalLeastSquares])
    def test_weak_form_of_a_polynomial(self, form):
        """−div(K∇u) + u = f with a full tensor and the flux as Neumann data."""
        box = ln.Box([0, -2], [3, 5])
        u, v = ln.trial(box), ln.test(box)
        K = [[2.0, 1.0], [1.0, 3.0]]
        exact = lambda x: x[:, 0] ** 2 - 3 * x[:, 0] * x[:, 1]
        p, q = ln.Coefficient(lambda x: x[:, 0]), ln.Coefficient(lambda x: x[:, 1])
        slope = [2 * p - 3 * q, -3 * p]
        flux = [2 * slope[0] + slope[1], slope[0] + 3 * slope[1]]
        normal = ln.normal(box)
        data = normal[0] * flux[0] + normal[1] * flux[1]
        weak = ln.WeakForm(
            ln.dot(K @ ln.grad(u), ln.grad(v)) + u * v,
            ln.Integral(load=data, on=box.boundary),
            load=lambda x: exact(x) + 2,  # div K∇u = ∂₀(4x − 6y − 3x) + ∂₁(2x − 3y − 9x) = −2
        )
        rules = box.gauss(2, order=4), box.boundary.gauss(2, order=4)
        solution = ln.solve(weak, self.network(box, 2), form(*rules))
        assert solution.error(exact, box.sobol(500)).relative_max < 1e-10

    def test_fit_reproduces_its_own_functions(self):
        box = ln.Box(-1, 1, dim=2)
        network = ln.Network(ln.ReLU(2), ln.neurons.fibonacci(60)).on(box)
        a = np.random.default_rng(1).standard_normal(network.n)
        f = lambda x: network.features(x) @ a
        fit = ln.fit(f, network, box.grid(60))
        assert fit.error(f, box.sobol(1000)).relative_max < 1e-11


# ------------------------------------------------------------------ the paper's digits


class TestPaper:
    """Table 1, n = 165: 8.224e-05 and 1.905e-03 with 100² cells of order 3."""

    box = ln.Box(-1, 1, dim=2)
    rule = box.gauss(100, order=3)

    @pytest.mark.parametrize("form", [ln.Galerkin, ln.VariationalLeastSquares])
    def test_2d_neumann(self, form):
        network = ln.Network(ln.ReLU(3), ln.neurons.fibonacci(200)).on(self.box)
        assert network.n == 165
        solution = ln.solve(neumann(2), network, form(self.rule))
        errors = solution.error(product, self.rule, gradient=...)
        assert f"{errors.l2:.3e}" == "8.224e-05"
        assert f"{errors.h1:.3e}" == "1.905e-03"

    @pytest.mark.parametrize(("n", "count"), [(100, 90), (200, 165), (400, 320), (800, 637)])
    def test_fibonacci_counts(self, n, count):
        assert ln.Network(ln.ReLU(3), ln.neurons.fibonacci(n)).on(self.box).n == count
