"""Rows and matrices of each formulation against direct dense evaluation, written out by hand."""

import numpy as np
import pytest

import linnet as ln
from linnet.errors import ArgumentError, SmoothnessError
from linnet.reduce import Workspace

BOX = ln.Box([0, -2], [3, 1])  # not the reference box: chain rules and measures must show
U, V = ln.trial(BOX), ln.test(BOX)
CENTER, HALF = np.array([1.5, -0.5]), np.array([1.5, 1.5])
ACROSS = np.array([3.0, 0.0])  # from the left face to the right one
THETA = ln.neurons.fibonacci(12, radius=1.5)
NETWORK = ln.Network(ln.Tanh(), THETA)
W, B = THETA[:, :2] / HALF, THETA[:, 2] - THETA[:, :2] @ (CENTER / HALF)  # w·x + b, x in the box

WIGGLE = ln.Coefficient(lambda x: np.sin(2 * x[:, 0]) + 0.3)  # changes its sign
POSITIVE = ln.Coefficient(
    lambda x: 2 + np.cos(x[:, 0] * x[:, 1]),
    grad=lambda x: -np.sin(x[:, 0] * x[:, 1])[:, None] * x[:, ::-1],
    name="a",
)


def phi(x):
    """Values (m, n), gradients (m, n, 2) and Hessians (m, n, 2, 2) of tanh(w·x + b)."""
    t = np.tanh(x @ W.T + B)
    first, second = 1 - t**2, -2 * t * (1 - t**2)
    return t, first[..., None] * W, second[..., None, None] * (W[:, :, None] * W[:, None, :])


def rows_of(formulation, problem, network=NETWORK):
    """All rows A (N, n) and y (N, s), and the load (n, s)."""
    rows = formulation.rows(problem, network)
    whole = np.vstack([rows.block(k, Workspace()).copy() for k in range(rows.blocks)])
    assert len(whole) == rows.size == sum(rows.rows_of(k) for k in range(rows.blocks))
    assert rows.block(0, Workspace()).flags.f_contiguous
    load = sum(rows.load(k) for k in range(rows.blocks)) if rows.has_load else 0.0
    return whole[:, : rows.columns], whole[:, rows.columns :], load


def system_of(problem, *rules, network=NETWORK):
    solution = ln.solve(problem, network, ln.Galerkin(*rules), ln.TruncatedSVD(rcond=1e-8))
    return solution.factor.A, solution.factor.b


def close(found, expected, tolerance=1e-12):
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * abs(expected).max())


# The matrices themselves are looked at; that their solutions are truncated is no matter.
pytestmark = pytest.mark.filterwarnings("ignore:the matrix form has rank")


class TestCollocation:
    grid, edge = BOX.grid(7), BOX.boundary.grid(9)

    def test_interior_rows_of_every_kind_of_operator(self):
        x = self.grid.points
        value, gradient, hessian = phi(x)
        c, a = WIGGLE(x), POSITIVE(x)
        da = -np.sin(x[:, 0] * x[:, 1])[:, None] * x[:, ::-1]
        trace = hessian[..., 0, 0] + hessian[..., 1, 1]
        cases = {
            "identity": (U, value),
            "laplacian": (-ln.laplacian(U) + 3 * U, -trace + 3 * value),
            "mixed": (ln.partial(U, 0, 1), hessian[..., 0, 1]),
            "convection": (
                WIGGLE * ln.partial(U, 1) - 2 * ln.partial(U, 0),
                c[:, None] * gradient[..., 1] - 2 * gradient[..., 0],
            ),
            "divergence": (
                -ln.div(POSITIVE * ln.grad(U)),
                -a[:, None] * trace - np.einsum("md,mnd->mn", da, gradient),
            ),
        }
        for operator, expected in cases.values():
            A, y, _ = rows_of(
                ln.Collocation(self.grid), ln.StrongForm(ln.Equation(operator, WIGGLE, on=BOX))
            )
            close(A, expected)
            close(y[:, 0], c)

    def test_boundary_rows_take_the_outward_normal(self):
        x, n = self.edge.points, self.edge.normals
        value, gradient, _ = phi(x)
        operator = ln.normal_derivative(U) + WIGGLE * U
        data = ln.normal(BOX)[0] * 2.0 + 1.0
        A, y, _ = rows_of(
            ln.Collocation(self.edge), ln.StrongForm(ln.Equation(operator, data, on=BOX.boundary))
        )
        expected = np.einsum("md,mnd->mn", n, gradient) + WIGGLE(x)[:, None] * value
        close(A, expected)
        close(y[:, 0], 2 * n[:, 0] + 1)
        assert {tuple(row) for row in n} == {(1, 0), (-1, 0), (0, 1), (0, -1)}

    def test_equations_stand_one_below_the_other(self):
        left, right = BOX.face("left"), BOX.face("right")
        problem = ln.StrongForm(
            ln.Equation(ln.partial(U, 0), 1.0, on=BOX),
            ln.Equation(U, 2.0, on=left),
            ln.Equation(ln.partial(U, 1), 3.0, on=right),
        )
        A, y, _ = rows_of(ln.Collocation(self.grid, self.edge), problem)
        on_left = np.stack([np.zeros(9), np.linspace(-2, 1, 9)], axis=1)
        on_right = on_left + ACROSS
        expected = [phi(self.grid.points)[1][..., 0], phi(on_left)[0], phi(on_right)[1][..., 1]]
        close(A, np.vstack(expected))
        assert y[:, 0].tolist() == [1.0] * 49 + [2.0] * 9 + [3.0] * 9

    @pytest.mark.parametrize("per_point", [False, True])
    def test_weights_multiply_the_squared_residual(self, per_point):
        """½Σ λ(Lu − f)² as in the paper's loss: rows times √λ."""
        problem = ln.StrongForm(
            ln.Equation(-ln.laplacian(U), POSITIVE, on=BOX), ln.Equation(U, 1.0, on=BOX.boundary)
        )
        rng = np.random.default_rng(0)
        inner = rng.uniform(0, 2, self.grid.size) if per_point else 0.25
        outer = rng.uniform(0, 100, self.edge.size) if per_point else 1e4
        plain = rows_of(ln.Collocation(self.grid, self.edge), problem)
        found = rows_of(ln.Collocation(self.grid, self.edge, weights=(inner, outer)), problem)
        lam = np.concatenate(
            [np.broadcast_to(inner, self.grid.size), np.broadcast_to(outer, self.edge.size)]
        )
        a = rng.standard_normal(12)
        loss = np.sum((found[0] @ a - found[1][:, 0]) ** 2)
        assert loss == pytest.approx(np.sum(lam * (plain[0] @ a - plain[1][:, 0]) ** 2), rel=1e-12)
        close(found[0], np.sqrt(lam)[:, None] * plain[0])

    def test_weights_per_point_reach_across_blocks(self):
        """More points than a block has: each weight stays with its own point."""
        grid = BOX.grid(80)
        lam = 1.0 + np.arange(6400) % 17
        A, y, _ = rows_of(
            ln.Collocation(grid, weights=(lam,)), ln.StrongForm(ln.Equation(U, 1.0, on=BOX))
        )
        close(y[:, 0], np.sqrt(lam))
        close(A, np.sqrt(lam)[:, None] * phi(grid.points)[0])

    def test_one_number_for_all(self):
        problem = ln.StrongForm(ln.Equation(U, 1.0, on=BOX), ln.Equation(U, 1.0, on=BOX.boundary))
        A, _, _ = rows_of(ln.Collocation(self.grid, self.edge, weights=9.0), problem)
        close(A, 3 * phi(np.vstack([self.grid.points, self.edge.points]))[0])

    def test_periodic_rows_are_differences(self):
        problem = ln.StrongForm(ln.Equation(U, 1.0, on=BOX), *ln.periodic(U, 0))
        A, y, _ = rows_of(ln.Collocation(self.grid, BOX.periodic(0).grid(9)), problem)
        low = np.stack([np.zeros(9), np.linspace(-2, 1, 9)], axis=1)
        near, far = phi(low), phi(low + ACROSS)
        close(A[49:58], near[0] - far[0])
        close(A[58:], near[1][..., 0] - far[1][..., 0])
        assert (y[49:] == 0).all()
        assert len(A) == 49 + 2 * 9

    def test_periodic_rows_take_coefficients_at_their_own_face(self):
        operator = POSITIVE * ln.partial(U, 0)
        problem = ln.StrongForm(ln.Equation(operator, 0.0, on=BOX.periodic(0)))
        A, _, _ = rows_of(ln.Collocation(BOX.periodic(0).grid(9)), problem)
        low = np.stack([np.zeros(9), np.linspace(-2, 1, 9)], axis=1)
        high = low + ACROSS
        expected = POSITIVE(low)[:, None] * phi(low)[1][..., 0]
        close(A, expected - POSITIVE(high)[:, None] * phi(high)[1][..., 0])

    def test_point_rows_and_measured_values(self):
        x = np.random.default_rng(5).uniform([0, -2], [3, 1], (2500, 2))
        measured = np.cos(x[:, 0])
        problem = ln.StrongForm(
            ln.Equation(U, 0.0, on=BOX), ln.Equation(ln.partial(U, 1), measured, on=ln.Points(x))
        )
        A, y, _ = rows_of(ln.Collocation(self.grid), problem)
        close(A[49:], phi(x)[1][..., 1])
        np.testing.assert_array_equal(y[49:, 0], measured)

    def test_several_right_hand_sides(self):
        f = lambda x: np.stack([x[:, 0], x[:, 1], x[:, 0] ** 2], axis=1)
        problem = ln.StrongForm(ln.Equation(U, f, on=BOX), ln.Equation(U, 4.0, on=BOX.boundary))
        _, y, _ = rows_of(ln.Collocation(self.grid, self.edge, weights=(4, 1)), problem)
        close(y[:49], 2 * f(self.grid.points))
        assert (y[49:] == 4).all()

    @pytest.mark.parametrize(
        "weights", [(1.0,), (1.0, 2.0, 3.0), (1.0, -1.0), (1.0, np.ones(5)), (np.nan, 1.0)]
    )
    def test_refuses_other_weights(self, weights):
        problem = ln.StrongForm(ln.Equation(U, 1.0, on=BOX), ln.Equation(U, 1.0, on=BOX.boundary))
        with pytest.raises(ArgumentError, match=r"weights = .*(entries for 2|number ≥ 0)"):
            rows_of(ln.Collocation(self.grid, self.edge, weights=weights), problem)

    def test_refusals(self):
        problem = ln.StrongForm(ln.Equation(U, 1.0, on=BOX))
        cases = [
            (lambda: ln.Collocation(), "there are no points"),
            (lambda: ln.Collocation("grid"), "it is no rule"),
            (
                lambda: rows_of(ln.Collocation(self.grid, self.edge), problem),
                "no equation is stated on",
            ),
            (
                lambda: rows_of(ln.Collocation(self.grid), ln.WeakForm(U * V)),
                "collocation holds equations at points",
            ),
            (
                lambda: rows_of(
                    ln.Collocation(self.grid),
                    ln.StrongForm(*problem.equations, ln.Equation(U, 0.0, on=BOX.boundary)),
                ),
                "none of them has points on",
            ),
            (
                lambda: rows_of(
                    ln.Collocation(self.grid),
                    problem,
                    ln.Network(ln.Tanh(), ln.neurons.circle(4)),
                ),
                "the problem's domain has dimension 2",
            ),
            (
                lambda: rows_of(
                    ln.Collocation(self.grid), problem, NETWORK.placed_on(ln.Box(-1, 1, dim=2))
                ),
                "placed on another domain",
            ),
        ]
        for call, message in cases:
            with pytest.raises(ArgumentError, match=message):
                call()

    def test_a_laplacian_of_relu_is_refused_with_the_remedy(self):
        network = ln.Network(ln.ReLU(1), THETA)
        problem = ln.StrongForm(ln.Equation(-ln.laplacian(U), 1.0, on=BOX))
        with pytest.raises(SmoothnessError, match=r"Use ReLU\(k\) with k > 2.*weak form"):
            rows_of(ln.Collocation(self.grid), problem, network)


class TestGalerkin:
    rule, edge = BOX.gauss(6, order=4), BOX.boundary.gauss(6, order=4)

    def test_forms_against_dense_quadrature(self):
        x, w = self.rule.points, self.rule.weights
        value, gradient, _ = phi(x)
        c, a = WIGGLE(x), POSITIVE(x)
        du, dv = gradient[..., 0], gradient[..., 1]
        K = [[POSITIVE, WIGGLE], [0.5, 3.0]]
        tensor = np.stack(
            [np.stack([a, c], axis=1), np.stack([0.5 + 0 * a, 3 + 0 * a], axis=1)], axis=1
        )
        both = np.einsum("mid,mjd->mij", gradient, gradient)
        cases = [  # (form, integrand[m, i = test, j = trial])
            (U * V, value[:, :, None] * value[:, None, :]),
            (ln.dot(ln.grad(U), ln.grad(V)), both),
            (WIGGLE * U * V, c[:, None, None] * value[:, :, None] * value[:, None, :]),
            (WIGGLE * ln.dot(ln.grad(U), ln.grad(V)), c[:, None, None] * both),
            (ln.partial(U, 0) * V, value[:, :, None] * du[:, None, :]),
            (U * ln.partial(V, 1), dv[:, :, None] * value[:, None, :]),
            (
                WIGGLE * ln.partial(U, 1) * ln.partial(V, 0),
                c[:, None, None] * du[:, :, None] * dv[:, None, :],
            ),
            (
                ln.dot(K @ ln.grad(U), ln.grad(V)),
                np.einsum("mie,med,mjd->mij", gradient, tensor, gradient),
            ),
            (
                ln.laplacian(U) * V - POSITIVE * U * ln.partial(V, 0) + 2 * U * V,
                value[:, :, None] * np.trace(phi(x)[2], axis1=2, axis2=3)[:, None, :]
                - a[:, None, None] * du[:, :, None] * value[:, None, :]
                + 2 * value[:, :, None] * value[:, None, :],
            ),
        ]
        for form, integrand in cases:
            A, b = system_of(ln.WeakForm(form, load=WIGGLE), self.rule)
            close(A, np.einsum("m,mij->ij", w, integrand))
            close(b[:, 0], value.T @ (w * c))
            if form.symmetric:
                np.testing.assert_array_equal(A, A.T)

    def test_loads_with_derivatives(self):
        x, w = self.rule.points, self.rule.weights
        value, gradient, _ = phi(x)
        load = WIGGLE * V - 2 * ln.partial(V, 0) + POSITIVE * ln.partial(V, 1)
        _, b = system_of(ln.WeakForm(U * V, load=load), self.rule)
        integrand = WIGGLE(x)[:, None] * value - 2 * gradient[..., 0]
        close(b[:, 0], w @ (integrand + POSITIVE(x)[:, None] * gradient[..., 1]))

    def test_boundary_integrals(self):
        """Robin on one face, Neumann data on another, each with its own points."""
        robin = ln.Integral(WIGGLE * U * V, load=2.0, on=BOX.face("top"))
        neumann = ln.Integral(load=lambda x: x[:, 1], on=BOX.face("right"))
        A, b = system_of(ln.WeakForm(U * V, robin, neumann, load=1.0), self.rule, self.edge)
        t, wt = self.edge.on(BOX.face("top")).points, self.edge.on(BOX.face("top")).weights
        r, wr = self.edge.on(BOX.face("right")).points, self.edge.on(BOX.face("right")).weights
        assert (t[:, 1] == 1).all()
        assert (r[:, 0] == 3).all()
        inside, top, right = phi(self.rule.points)[0], phi(t)[0], phi(r)[0]
        w = self.rule.weights
        close(A, (inside * w[:, None]).T @ inside + (top * (wt * WIGGLE(t))[:, None]).T @ top)
        close(b[:, 0], inside.T @ w + 2 * top.T @ wt + right.T @ (wr * r[:, 1]))

    def test_nitsche(self):
        gamma, g = 50.0, ln.Coefficient(lambda x: np.exp(x[:, 1]))
        nitsche = ln.Integral(
            -ln.normal_derivative(U) * V - U * ln.normal_derivative(V) + gamma * U * V,
            load=g * (gamma * V - ln.normal_derivative(V)),
            on=BOX.boundary,
        )
        problem = ln.WeakForm(ln.dot(ln.grad(U), ln.grad(V)), nitsche)
        assert problem.symmetric
        A, b = system_of(problem, self.rule, self.edge)
        x, w, n = self.edge.points, self.edge.weights, self.edge.normals
        value, gradient, _ = phi(x)
        slope = np.einsum("md,mnd->mn", n, gradient)
        inside = phi(self.rule.points)[1]
        expected = np.einsum("m,mid,mjd->ij", self.rule.weights, inside, inside)
        weighted = value * w[:, None]
        expected += -weighted.T @ slope - slope.T @ weighted + gamma * weighted.T @ value
        close(A, expected)
        close(b[:, 0], (gamma * value - slope).T @ (w * np.exp(x[:, 1])))

    def test_coefficients_that_vanish_on_half_of_the_domain(self):
        half = ln.Coefficient(lambda x: np.where(x[:, 0] > 1.5, 1.0, 0.0))
        A, _ = system_of(ln.WeakForm(half * U * V), self.rule)
        x, w = self.rule.points, self.rule.weights * (self.rule.points[:, 0] > 1.5)
        value = phi(x)[0]
        close(A, (value * w[:, None]).T @ value)

    def test_refusals(self):
        cases = [
            (lambda: system_of(ln.WeakForm(U * V), self.edge), "none of them has points on"),
            (
                lambda: system_of(
                    ln.WeakForm(U * V, ln.Integral(U * V, on=BOX.boundary)), self.rule
                ),
                "where integral 2 is stated",
            ),
            (
                lambda: system_of(ln.StrongForm(ln.Equation(U, on=BOX)), self.rule),
                "integrates a weak form",
            ),
        ]
        for call, message in cases:
            with pytest.raises(ArgumentError, match=message):
                call()
