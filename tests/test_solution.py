"""A solution as a function: derivatives, errors, residuals, its file, other processes."""

import numpy as np
import pytest

import linnet as ln
from linnet.errors import ArgumentError, SmoothnessError
from linnet.info import Info

INFO = Info("Collocation", "given", 0, 0, 0, 1.0, 0.0, 0.0, 0)
BOXES = [ln.Box(-1, 1), ln.Box(2, 2.5), ln.Box([0, -2], [3, 5]), ln.Box(0, [1, 2, 4])]
ACTIVATIONS = [ln.Tanh(), ln.Sine(), ln.Gaussian(), ln.ReLU(4)]


TANH = ln.Tanh()


def some_solution(box, activation=TANH, n=9, columns=None, seed=0):
    """Given weights on a given box; nothing was solved."""
    rng = np.random.default_rng(seed)
    theta = rng.uniform(-2, 2, (n, box.dim + 1))
    a = rng.standard_normal(n if columns is None else (n, columns))
    return ln.Solution(ln.Network(activation, theta, box), a, INFO)


def by_hand(solution, x):
    """Σ a_j σ(w_j·x̂ + b_j), x̂ the reference coordinates."""
    box, theta = solution.network.domain, solution.network.theta
    reference = 2 * (x - box.lower) / (box.upper - box.lower) - 1
    return solution.network.activation(reference @ theta[:, :-1].T + theta[:, -1]) @ solution.a


def difference(f, x, axis, h):
    """∂f along an axis, by central differences of sixth order."""
    step = np.zeros(x.shape[1])
    step[axis] = h
    stencil = {1: 3 / 4, 2: -3 / 20, 3: 1 / 60}
    return sum(c * (f(x + i * step) - f(x - i * step)) for i, c in stencil.items()) / h


each_box = pytest.mark.parametrize("box", BOXES, ids=repr)
each_activation = pytest.mark.parametrize("activation", ACTIVATIONS, ids=repr)
each_count = pytest.mark.parametrize("columns", [None, 1, 3])


class TestFunction:
    @each_box
    @each_activation
    @each_count
    def test_values_and_shapes(self, box, activation, columns):
        solution = some_solution(box, activation, columns=columns)
        x = box.random(40, rng=1).points
        tail = () if columns is None else (columns,)
        assert solution(x).shape == (40, *tail)
        assert solution.gradient(x).shape == (40, box.dim, *tail)
        np.testing.assert_allclose(solution(x), by_hand(solution, x), rtol=1e-12, atol=1e-12)
        assert solution(x[:0]).shape == (0, *tail)
        assert solution.gradient(x[:0]).shape == (0, box.dim, *tail)

    @each_box
    @each_activation
    @each_count
    def test_gradient_is_the_difference_quotient(self, box, activation, columns):
        solution = some_solution(box, activation, columns=columns)
        x = box.random(30, rng=2).points
        h = 2e-3 * box.halfwidth
        expected = np.stack(
            [difference(solution, x, axis, h[axis]) for axis in range(box.dim)], axis=1
        )
        scale = 1e-10 * abs(expected).max() * 10
        np.testing.assert_allclose(solution.gradient(x), expected, rtol=0, atol=scale)

    @each_box
    @each_count
    def test_apply_is_the_difference_quotient(self, box, columns):
        """−div(c∇u) + x₁ ∂₀u + 2u, whose derivatives are those of the difference quotients."""
        solution = some_solution(box, columns=columns)
        u = ln.trial(box)
        c = ln.Coefficient(lambda x: 1 + (x**2).sum(axis=1), grad=lambda x: 2 * x, name="c")
        last = ln.Coefficient(lambda x: x[:, -1])
        operator = -ln.div(c * ln.grad(u)) + last * ln.partial(u, 0) + 2 * u
        x = box.random(30, rng=3).points
        weigh = lambda values, x: (
            values * (1 + (x**2).sum(axis=1)).reshape(-1, *[1] * (values.ndim - 1))
        )
        expected = 2 * solution(x)
        for axis in range(box.dim):
            h = 1e-2 * box.halfwidth[axis]
            flux = lambda y, axis=axis: weigh(solution.gradient(y)[:, axis], y)
            expected = expected - difference(flux, x, axis, h)
        slope = solution.gradient(x)[:, 0]
        expected = expected + slope * x[:, -1].reshape(-1, *[1] * (slope.ndim - 1))
        found = solution.apply(operator, x)
        assert found.shape == expected.shape
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-8 * abs(expected).max())

    @each_count
    def test_normal_derivative_on_a_boundary(self, columns):
        box = BOXES[2]
        solution = some_solution(box, columns=columns)
        x, _, n = box.boundary.grid(6).take(0, 20)
        found = solution.apply(ln.normal_derivative(ln.trial(box)), x, n)
        expected = np.einsum("md,md...->m...", n, solution.gradient(x))
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)

    def test_derivatives_of_any_order_in_one_pass(self):
        box = BOXES[2]
        solution = some_solution(box)
        x = box.random(20, rng=4).points
        alphas = [(0, 0), (2, 1), (0, 0), (1, 0)]
        values = solution.derivatives(x, alphas)
        np.testing.assert_array_equal(values[0], values[2])
        u = ln.trial(box)
        np.testing.assert_allclose(
            values[1], solution.apply(ln.partial(u, 0, 0, 1), x), rtol=1e-13, atol=1e-14
        )

    def test_blocks_and_workers_change_nothing(self):
        box = BOXES[2]
        solution = some_solution(box, n=60)
        x = box.sobol(5000).points
        whole = solution.derivatives(x, [(1, 0)], workers=1)[0]
        np.testing.assert_array_equal(whole, solution.derivatives(x, [(1, 0)], workers=3)[0])
        np.testing.assert_allclose(whole, solution.gradient(x)[:, 0], rtol=1e-13, atol=1e-13)
        pieces = np.concatenate([solution(x[:1500]), solution(x[1500:])])
        np.testing.assert_allclose(solution(x), pieces, rtol=0, atol=1e-13)

    def test_points_of_an_interval_may_be_a_list(self):
        solution = some_solution(BOXES[0])
        np.testing.assert_array_equal(solution([0.1, 0.2]), solution([[0.1], [0.2]]))

    def test_refusals(self):
        solution = some_solution(BOXES[2])
        u = ln.trial(BOXES[2])
        x = BOXES[2].center[None]
        cases = [
            (lambda: solution(np.zeros((4, 3))), ArgumentError, r"have the shape \(m, 2\)"),
            (lambda: solution(np.zeros(2)), ArgumentError, r"have the shape \(m, 2\)"),
            (
                lambda: solution.apply("u", x),
                ArgumentError,
                "no operator on a trial function in dimension 2",
            ),
            (
                lambda: solution.apply(ln.trial(BOXES[0]), x),
                ArgumentError,
                "no operator on a trial function in dimension 2",
            ),
            (
                lambda: solution.apply(ln.normal_derivative(u), x),
                ArgumentError,
                "the outward normal does not exist there",
            ),
            (
                lambda: some_solution(BOXES[2], ln.ReLU(1)).apply(ln.laplacian(u), x),
                SmoothnessError,
                "highest derivative",
            ),
        ]
        for call, error, message in cases:
            with pytest.raises(error, match=message):
                call()


class TestErrors:
    def zero(self, box, columns=None):
        """The zero function: its errors are the norms of u."""
        solution = some_solution(box, columns=columns)
        return ln.Solution(solution.network, 0 * solution.a, INFO)

    def test_exact_integrals(self):
        """u = sin(πx)·(y − 1) on [0, 3] × [−2, 5]: all three norms by hand."""
        box = ln.Box([0, -2], [3, 5])
        u = lambda x: np.sin(np.pi * x[:, 0]) * (x[:, 1] - 1)
        slope = lambda x: np.stack(
            [np.pi * np.cos(np.pi * x[:, 0]) * (x[:, 1] - 1), np.sin(np.pi * x[:, 0])], axis=1
        )
        moment = (4**3 + 3**3) / 3  # ∫(y − 1)²
        l2, h1 = np.sqrt(1.5 * moment), np.sqrt(np.pi**2 * 1.5 * moment + 1.5 * 7)
        for gradient, digits in ((slope, 1e-12), (..., 1e-9)):
            errors = self.zero(box).error(u, box.gauss(12, order=5), gradient=gradient)
            assert errors.l2 == pytest.approx(l2, rel=1e-12)
            assert errors.h1 == pytest.approx(h1, rel=digits)
            assert (errors.relative_l2, errors.relative_max) == (1.0, 1.0)
            assert errors.relative_h1 == pytest.approx(1.0)
        errors = self.zero(box).error(u, box.grid((7, 8)))
        assert errors.max == pytest.approx(4.0, rel=1e-12)  # at (½, 5)
        assert errors.h1 is None
        assert errors.relative_h1 is None

    def test_relative_errors(self):
        """Half of u is off by half."""
        box = BOXES[2]
        solution = some_solution(box)
        double = lambda x: 2 * by_hand(solution, x)
        errors = solution.error(double, box.gauss(5, order=4), gradient=...)
        assert errors.relative_l2 == pytest.approx(0.5)
        assert errors.relative_max == pytest.approx(0.5)
        assert errors.relative_h1 == pytest.approx(0.5)
        against_zero = solution.error(lambda x: 0.0 * x[:, 0], box.gauss(5, order=4))
        assert against_zero.relative_l2 == against_zero.l2 > 0

    @pytest.mark.parametrize("size", [1e-4, 1.0, 50.0])
    def test_gradients_by_differences_on_small_and_large_domains(self, size):
        box = ln.Box([0, -size], [size, size])
        u = lambda x: np.exp((x[:, 0] + 2 * x[:, 1]) / size)
        slope = lambda x: np.stack([u(x), 2 * u(x)], axis=1) / size
        rule = box.gauss(4, order=4)
        exact = self.zero(box).error(u, rule, gradient=slope)
        found = self.zero(box).error(u, rule, gradient=...)
        assert found.h1 == pytest.approx(exact.h1, rel=1e-9)

    def test_another_solution_brings_its_gradient(self):
        box = BOXES[2]
        one, two = some_solution(box, seed=1), some_solution(box, ln.Sine(), seed=2)
        rule = box.gauss(5, order=4)
        errors = one.error(two, rule)
        by_function = one.error(lambda x: by_hand(two, x), rule, gradient=two.gradient)
        assert errors.l2 == pytest.approx(by_function.l2, rel=1e-12)
        assert errors.h1 == pytest.approx(by_function.h1, rel=1e-12)
        assert one.error(one, rule) == ln.measure.Errors(0, 0, 0, 0, 0, 0)

    def test_of_several_right_hand_sides_the_largest(self):
        box = BOXES[0]
        solution = some_solution(box, columns=3)
        singles = [ln.Solution(solution.network, solution.a[:, j], INFO) for j in range(3)]
        u = lambda x: np.stack([0 * x[:, 0], x[:, 0], np.exp(x[:, 0])], axis=1)
        slope = lambda x: np.stack([0 * x, 1 + 0 * x, np.exp(x)], axis=2)
        rule = box.gauss(9, order=4)
        found = solution.error(u, rule, gradient=slope)
        each = [
            single.error(lambda x, j=j: u(x)[:, j], rule, gradient=lambda x, j=j: slope(x)[:, :, j])
            for j, single in enumerate(singles)
        ]
        for name in ("l2", "max", "h1", "relative_l2", "relative_max", "relative_h1"):
            largest = max(getattr(e, name) for e in each)
            assert getattr(found, name) == pytest.approx(largest, rel=1e-12)
        assert solution.error(u, rule, gradient=...).h1 == pytest.approx(found.h1, rel=1e-9)

    def test_blocks_are_added_up(self):
        box = BOXES[2]
        solution = some_solution(box)
        rule = box.gauss(20, order=3)  # 3600 points: four blocks
        values = by_hand(solution, rule.points)
        errors = solution.error(lambda x: 0 * x[:, 0], rule)
        assert errors.l2 == pytest.approx(np.sqrt(rule.weights @ values**2), rel=1e-13)
        assert errors.max == pytest.approx(abs(values).max(), rel=1e-13)

    def test_refusals(self):
        box = BOXES[2]
        solution, rule = some_solution(box), box.gauss(4, order=2)
        f = lambda x: x[:, 0]
        cases = [
            (lambda: solution.error(3.0, rule), "it is no function of the points"),
            (lambda: solution.error(f, BOXES[0].gauss(4, 2)), "another dimension"),
            (lambda: solution.error(lambda x: x.sum(), lambda: rule), None),
            (lambda: solution.error(f, rule, gradient=f), r"it must have the shape \(64, 2\)"),
            (lambda: solution.error(lambda x: x[:3, 0], rule), r"must have the shape \(64,\)"),
            (lambda: solution.error(lambda x: np.log(x[:, 1] - 9), rule), "it is not finite at"),
            (
                lambda: some_solution(box, columns=2).error(f, rule),
                "Give one column a right-hand side",
            ),
            (
                lambda: solution.error(lambda x: np.stack([f(x)] * 2, axis=1), rule),
                "Give one column a right-hand side",
            ),
        ]
        for call, message in cases:
            if message is not None:
                with np.errstate(all="ignore"), pytest.raises(ArgumentError, match=message):
                    call()


class TestResidual:
    box = ln.Box([0, -2], [3, 5])
    u = ln.trial(box)
    rules = box.grid(20), box.boundary.grid(20)

    def solved(self, *equations, rules=rules):
        network = ln.Network(ln.Tanh(), ln.neurons.fibonacci(60, radius=2))
        return ln.solve(ln.StrongForm(*equations), network, ln.Collocation(*rules))

    def test_root_mean_square_over_that_of_the_data(self):
        f = lambda x: np.cos(x[:, 0])
        solution = self.solved(
            ln.Equation(-ln.laplacian(self.u), f, on=self.box),
            ln.Equation(self.u, 0.0, on=self.box.boundary),
        )
        inner, edge = self.box.grid(11), self.box.boundary.grid(13)
        found = solution.residual(inner, edge)
        miss = solution.apply(-ln.laplacian(self.u), inner.points) - f(inner.points)
        size = np.sqrt(np.mean(f(inner.points) ** 2))
        assert found[0] == pytest.approx(np.sqrt(np.mean(miss**2)) / size, rel=1e-12)
        assert found[1] == pytest.approx(np.sqrt(np.mean(solution(edge.points) ** 2)), rel=1e-12)
        fresh = solution.residual()
        assert fresh == solution.residual()  # the same points every time
        assert 0.2 < fresh[0] / found[0] < 5

    def test_periodic_and_point_equations(self):
        x = self.box.random(30, rng=0).points
        measured = np.sin(x[:, 1])
        solution = self.solved(
            ln.Equation(ln.partial(self.u, 1), 1.0, on=self.box),
            *ln.periodic(self.u, 0, order=1),
            ln.Equation(self.u, measured, on=ln.Points(x)),
            rules=(self.box.grid(20), self.box.periodic(0).grid(20)),
        )
        rules = self.box.grid(9), self.box.periodic(0).grid(9)
        found = solution.residual(*rules)
        low = rules[1].points
        jump = solution(low) - solution(low + self.box.periodic(0).shift)
        assert found[1] == pytest.approx(np.sqrt(np.mean(jump**2)), rel=1e-12)
        miss = np.sqrt(np.mean((solution(x) - measured) ** 2) / np.mean(measured**2))
        assert found[2] == pytest.approx(miss, rel=1e-12)

    def test_several_right_hand_sides_give_the_largest(self):
        f = lambda x: np.stack([np.cos(x[:, 0]), 100 * np.sin(9 * x[:, 1])], axis=1)
        solution = self.solved(ln.Equation(self.u, f, on=self.box), rules=self.rules[:1])
        x = self.box.grid(9).points
        miss = np.sqrt(((solution(x) - f(x)) ** 2).mean(axis=0) / (f(x) ** 2).mean(axis=0))
        assert solution.residual(self.box.grid(9)) == [pytest.approx(miss.max(), rel=1e-12)]

    def test_refused_without_equations(self):
        with pytest.raises(ArgumentError, match="residuals are those of equations"):
            some_solution(self.box).residual()
