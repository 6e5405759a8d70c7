"""Boundary conditions of every kind, in the strong and in the weak form, to many digits."""

import numpy as np
import pytest

import linnet as ln

# ------------------------------------------------------------------ boundary conditions, strong


BOX = ln.Box([0, -1], [2, 1])
U, V = ln.trial(BOX), ln.test(BOX)
EXACT = lambda x: np.sin(np.pi * x[:, 0]) * np.exp(x[:, 1]) + x[:, 0] * x[:, 1]
SLOPE = lambda x: np.stack(
    [
        np.pi * np.cos(np.pi * x[:, 0]) * np.exp(x[:, 1]) + x[:, 1],
        np.sin(np.pi * x[:, 0]) * np.exp(x[:, 1]) + x[:, 0],
    ],
    axis=1,
)
LAPLACIAN = lambda x: (1 - np.pi**2) * np.sin(np.pi * x[:, 0]) * np.exp(x[:, 1])
DX, DY = (ln.Coefficient(lambda x, i=i: SLOPE(x)[:, i]) for i in (0, 1))
FLUX = ln.normal(BOX)[0] * DX + ln.normal(BOX)[1] * DY
VALUE = ln.Coefficient(EXACT)
RULES = BOX.grid(45), BOX.boundary.grid(60)
NETWORK = ln.Network(ln.Sine(), ln.neurons.spiral(300, 8))
INSIDE = ln.Equation(-ln.laplacian(U) + U, lambda x: EXACT(x) - LAPLACIAN(x), on=BOX)


class Accuracy:
    """Relative errors of a solution of EXACT, in L² and H¹."""

    rule = BOX.gauss(12, order=4)

    def check(self, solution, l2, h1, exact=EXACT, gradient=SLOPE):
        errors = solution.error(exact, self.rule, gradient=gradient)
        assert errors.relative_l2 < l2
        assert errors.relative_h1 < h1


class TestStrongForms(Accuracy):
    def solved(self, *equations, rules=RULES, weights=1.0):
        form = ln.Collocation(*rules, weights=weights)
        return ln.solve(ln.StrongForm(*equations), NETWORK, form)

    def test_dirichlet(self):
        boundary = ln.Equation(U, VALUE, on=BOX.boundary)
        self.check(self.solved(INSIDE, boundary, weights=(1, 1e4)), 1e-11, 1e-11)

    def test_neumann(self):
        boundary = ln.Equation(ln.normal_derivative(U), FLUX, on=BOX.boundary)
        self.check(self.solved(INSIDE, boundary, weights=(1, 100)), 1e-11, 1e-11)

    def test_robin(self):
        boundary = ln.Equation(ln.normal_derivative(U) + 2 * U, FLUX + 2 * VALUE, on=BOX.boundary)
        self.check(self.solved(INSIDE, boundary, weights=(1, 100)), 1e-11, 1e-11)

    def test_mixed(self):
        """Another condition on every face."""
        normal = ln.normal_derivative(U)
        equations = [
            ln.Equation(U, VALUE, on=BOX.face("left")),
            ln.Equation(normal, FLUX, on=BOX.face("right")),
            ln.Equation(normal + U, FLUX + VALUE, on=BOX.face("bottom")),
            ln.Equation(ln.partial(U, 0), DX, on=BOX.face("top")),  # a tangential derivative
        ]
        self.check(self.solved(INSIDE, *equations, weights=(1, 1e3, 100, 100, 100)), 1e-11, 1e-11)

    def test_periodic_in_one_axis(self):
        """Period 2 along x, Dirichlet above and below."""
        exact = lambda x: np.sin(np.pi * x[:, 0] + 0.3) * np.exp(x[:, 1])
        slope = lambda x: np.stack(
            [np.pi * np.cos(np.pi * x[:, 0] + 0.3) * np.exp(x[:, 1]), exact(x)], axis=1
        )
        solution = self.solved(
            ln.Equation(-ln.laplacian(U) + U, lambda x: np.pi**2 * exact(x), on=BOX),
            ln.Equation(U, exact, on=BOX.face("bottom", "top")),
            *ln.periodic(U, 0),
            rules=(*RULES, BOX.periodic(0).grid(60)),
            weights=(1, 1e3, 1e3, 100),
        )
        self.check(solution, 1e-11, 1e-11, exact, slope)
        low = BOX.periodic(0).grid(20).points
        high = low + BOX.periodic(0).shift
        assert abs(solution(low) - solution(high)).max() < 1e-11
        assert abs(solution.gradient(low) - solution.gradient(high)).max() < 1e-9

    def test_one_measured_value_fixes_the_constant(self):
        """−Δu with Neumann data leaves a constant free."""
        equations = [
            ln.Equation(-ln.laplacian(U), lambda x: -LAPLACIAN(x), on=BOX),
            ln.Equation(ln.normal_derivative(U), FLUX, on=BOX.boundary),
            ln.Equation(U, EXACT(np.array([[0.5, 0.5]])), on=ln.Points([[0.5, 0.5]])),
        ]
        self.check(self.solved(*equations, weights=(1, 100, 1e4)), 1e-11, 1e-11)

    def test_measurements_instead_of_boundary_data(self):
        """The equation, Dirichlet data on three faces, and 200 values inside."""
        x = BOX.random(200, rng=0).points
        equations = [
            INSIDE,
            ln.Equation(U, VALUE, on=BOX.face("left", "right", "top")),
            ln.Equation(U, EXACT(x), on=ln.Points(x)),
        ]
        self.check(self.solved(*equations, weights=(1, 1e4, 1e4)), 1e-11, 1e-11)

    def test_convection_and_variable_coefficients(self):
        """−div(a∇u) + b·∇u + c u."""
        a = ln.Coefficient(
            lambda x: 1 + x[:, 0] ** 2,
            grad=lambda x: np.stack([2 * x[:, 0], 0 * x[:, 0]], axis=1),
        )
        b = [ln.Coefficient(lambda x: x[:, 1]), 3.0]
        operator = -ln.div(a * ln.grad(U)) + ln.dot(b, ln.grad(U)) + 5 * U

        def f(x):
            dx, dy = SLOPE(x).T
            diffusion = (1 + x[:, 0] ** 2) * LAPLACIAN(x) + 2 * x[:, 0] * dx
            return -diffusion + x[:, 1] * dx + 3 * dy + 5 * EXACT(x)

        boundary = ln.Equation(U, VALUE, on=BOX.boundary)
        solution = self.solved(ln.Equation(operator, f, on=BOX), boundary, weights=(1, 1e4))
        self.check(solution, 1e-11, 1e-11)
        x = BOX.sobol(200).points
        np.testing.assert_allclose(solution.apply(operator, x), f(x), atol=1e-9)

    def test_several_data_at_once(self):
        """Two problems, one factorisation."""
        other = lambda x: x[:, 0] * x[:, 1]
        both = lambda x: np.stack([EXACT(x), other(x)], axis=1)
        f = lambda x: np.stack([EXACT(x) - LAPLACIAN(x), other(x)], axis=1)
        solution = self.solved(
            ln.Equation(-ln.laplacian(U) + U, f, on=BOX),
            ln.Equation(U, both, on=BOX.boundary),
            weights=(1, 1e4),
        )
        error = solution(self.rule.points) - both(self.rule.points)
        assert (self.rule.weights @ error**2 < 1e-20).all()


# ------------------------------------------------------------------ boundary conditions, weak


WEAK_RULES = BOX.gauss(20, order=4), BOX.boundary.gauss(40, order=4)
SMOOTH = ln.Network(ln.Sine(), ln.neurons.spiral(100, 5))
each_form = pytest.mark.parametrize("form", [ln.Galerkin, ln.VariationalLeastSquares])


@pytest.mark.filterwarnings("ignore:the matrix form has rank")  # for Nitsche's form it has
class TestWeakForms(Accuracy):
    f = ln.Coefficient(lambda x: EXACT(x) - LAPLACIAN(x))

    def solved(self, form, bilinear, *boundary, load=f):
        weak = ln.WeakForm(bilinear, *boundary, load=load)
        return ln.solve(weak, SMOOTH, form(*WEAK_RULES))

    energy = ln.dot(ln.grad(U), ln.grad(V)) + U * V

    @each_form
    def test_neumann(self, form):
        self.check(
            self.solved(form, self.energy, ln.Integral(load=FLUX, on=BOX.boundary)), 2e-6, 1e-5
        )

    @each_form
    def test_robin(self, form):
        robin = ln.Integral(2 * U * V, load=FLUX + 2 * VALUE, on=BOX.boundary)
        self.check(self.solved(form, self.energy, robin), 2e-6, 1e-5)

    @each_form
    def test_mixed(self, form):
        integrals = [
            ln.Integral(load=FLUX, on=BOX.face("left", "right")),
            ln.Integral(3 * U * V, load=FLUX + 3 * VALUE, on=BOX.face("bottom", "top")),
        ]
        self.check(self.solved(form, self.energy, *integrals), 2e-6, 1e-5)

    def test_nitsche(self):
        """Dirichlet data in a weak form, consistent and symmetric."""
        gamma = 200.0
        nitsche = ln.Integral(
            -ln.normal_derivative(U) * V - U * ln.normal_derivative(V) + gamma * U * V,
            load=VALUE * (gamma * V - ln.normal_derivative(V)),
            on=BOX.boundary,
        )
        solution = self.solved(ln.Galerkin, self.energy, nitsche)
        self.check(solution, 2e-6, 1e-5)
        edge = BOX.boundary.grid(30).points
        assert abs(solution(edge) - EXACT(edge)).max() < 1e-4

    def test_convection(self):
        """The unsymmetric form −Δu + 3∂₁u + u with Neumann data."""
        form = self.energy + 3 * ln.partial(U, 1) * V
        load = ln.Coefficient(lambda x: EXACT(x) - LAPLACIAN(x) + 3 * SLOPE(x)[:, 1])
        neumann = ln.Integral(load=FLUX, on=BOX.boundary)
        self.check(self.solved(ln.Galerkin, form, neumann, load=load), 2e-6, 1e-5)


class TestEachActivation:
    """−u″ + u = f on an interval far from the reference one, Dirichlet."""

    @pytest.mark.parametrize(
        ("activation", "theta", "accuracy"),
        [
            pytest.param(activation, theta, accuracy, id=repr(activation))
            for activation, theta, accuracy in [
                (ln.Tanh(), ln.neurons.circle(160, radius=4), 1e-13),
                (ln.Sine(), ln.neurons.half_ball(60, 1, 14), 1e-13),
                (ln.Cosine(), ln.neurons.half_ball(60, 1, 14), 1e-13),
                (ln.Gaussian(), ln.neurons.circle(80, radius=4), 1e-13),
                (ln.Sigmoid(), ln.neurons.circle(160, radius=8), 1e-13),
                (ln.Softplus(), ln.neurons.circle(160, radius=8), 1e-13),
                (ln.ReLU(4), ln.neurons.circle(160), 5e-8),
            ]
        ],
    )
    def test_accuracy(self, activation, theta, accuracy):
        box = ln.Box(3, 5)
        u = ln.trial(box)
        exact = lambda x: np.exp(np.sin(2 * x[:, 0]))

        def f(x):
            s, c = np.sin(2 * x[:, 0]), np.cos(2 * x[:, 0])
            return exact(x) * (1 - 4 * c**2 + 4 * s)

        problem = ln.StrongForm(
            ln.Equation(-ln.laplacian(u) + u, f, on=box), ln.Equation(u, exact, on=box.boundary)
        )
        network = ln.Network(activation, theta).on(box)
        form = ln.Collocation(box.grid(2000), box.boundary.grid(2), weights=(1, 1e4))
        errors = ln.solve(problem, network, form).error(exact, box.gauss(50, order=4))
        assert errors.relative_l2 < accuracy
