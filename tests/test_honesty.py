"""Nothing returns garbage silently: what is singular, empty or unmet is refused or said."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from threadpoolctl import threadpool_info

import linnet as ln
from linnet import neurons
from linnet.errors import AlgebraError, ArgumentError, LinnetWarning, UnresolvedError

LINE = ln.Box(-1, 1)
BOX = ln.Box(-1, 1, dim=2)
u, v = ln.trial(BOX), ln.test(BOX)
RULE = BOX.gauss(20, order=3)
TANH = ln.Network(ln.Tanh(), neurons.fibonacci(30, radius=2))


def g(x):
    return np.exp(x[:, 0]) * x[:, 1]


class TestNeumannWithoutAMassTerm:
    """∫ u′v′ = ∫ f v determines u up to a constant, and only where ∫ f = 0."""

    w, t = ln.trial(LINE), ln.test(LINE)
    form = ln.partial(w, 0) * ln.partial(t, 0)
    network = ln.Network(ln.Tanh(), neurons.circle(60, radius=5)).on(LINE)
    rules = LINE.gauss(400, order=4)

    @pytest.mark.parametrize("formulation", [ln.VariationalLeastSquares, ln.Galerkin])
    @pytest.mark.filterwarnings("ignore:the matrix form has rank")
    def test_compatible_data_are_met(self, formulation):
        weak = ln.WeakForm(self.form, load=lambda x: np.pi**2 * np.cos(np.pi * x[:, 0]))
        sol = ln.solve(weak, self.network, formulation(self.rules))
        nodes = self.rules.take(0, self.rules.size)
        miss = sol(nodes.points) - np.cos(np.pi * nodes.points[:, 0])
        miss -= nodes.weights @ miss / 2
        assert np.sqrt(nodes.weights @ miss**2) < 2e-5

    @pytest.mark.parametrize("formulation", [ln.VariationalLeastSquares, ln.Galerkin])
    def test_incompatible_data_are_said_not_to_be(self, formulation):
        weak = ln.WeakForm(self.form, load=1.0)
        with pytest.warns(LinnetWarning, match="the equations are met to .* only: .*not unique"):
            sol = ln.solve(weak, self.network, formulation(self.rules))
        assert sol.info.residual > 1e-3

    def test_a_solver_of_ones_own_choice_warns_as_well(self):
        weak = ln.WeakForm(self.form, load=1.0)
        with pytest.warns(LinnetWarning, match="the equations are met to"):
            ln.solve(weak, self.network, ln.Galerkin(self.rules), ln.RegularizedQR())


def test_a_neuron_of_the_circle_is_constant_or_it_is_not():
    theta = neurons.circle(64, radius=5)
    assert (theta[np.abs(theta) < 1e-10] == 0).all()
    assert (theta[:, 0] == 0).sum() == 2


def test_fewer_rows_than_neurons_are_said():
    with pytest.warns(LinnetWarning, match="9 rows do not determine 30 neurons"):
        fit = ln.fit(g, TANH, BOX.grid(3))
    assert fit.info.rank <= 9


def test_neurons_that_all_vanish_are_refused():
    dead = ln.Network(ln.ReLU(2), [[0.1, 0.1, -5.0], [0.2, 0.0, -5.0]])
    with pytest.raises(UnresolvedError, match=r"all rows vanish.*network.on\(box\)"):
        ln.fit(g, dead, RULE)
    strong = ln.StrongForm(ln.Equation(u, g, on=BOX))
    with pytest.raises(UnresolvedError, match="weights of 0"):
        ln.solve(strong, TANH, ln.Collocation(RULE, weights=0.0))


def test_an_operator_without_terms_is_refused():
    with pytest.raises(AlgebraError, match="operator = 0: it is zero for every u"):
        ln.Equation(0 * u, 1.0, on=BOX)
    with pytest.raises(AlgebraError, match="form = 0: it is zero for every u"):
        ln.WeakForm(0 * u * v, load=1.0)


def test_data_beyond_the_squares_of_double_precision():
    with (
        np.errstate(all="ignore"),
        pytest.raises(UnresolvedError, match=r"not finite.*other units"),
    ):
        ln.fit(lambda x: 1e300 * g(x), TANH, RULE)


class TestKinks:
    """σ⁽ᵏ⁾ of ReLUᵏ is a step: at a point on its kink the equation means nothing."""

    problem = ln.StrongForm(
        ln.Equation(-ln.laplacian(u), -2.0, on=BOX),
        ln.Equation(u, lambda x: x[:, 0] ** 2, on=BOX.boundary),
    )
    network = ln.Network(ln.ReLU(2), neurons.petrushev(8, 9, 2)).on(BOX)

    def collocated(self, inside):
        points = ln.Collocation(inside, BOX.boundary.grid(20))
        return ln.solve(self.problem, self.network, points)

    def test_points_beside_kinks_are_exact(self):
        solution = self.collocated(BOX.random(400, rng=0))
        assert solution.error(lambda x: x[:, 0] ** 2, RULE).l2 < 1e-12

    def test_points_on_kinks_are_said(self):
        with pytest.warns(LinnetWarning, match=r"lie on kinks .*take ReLU\(3\)"):
            self.collocated(BOX.grid(21))


@pytest.mark.parametrize(
    "call",
    [
        lambda sol: sol.error(lambda x: 1j * x[:, 0], RULE),
        lambda sol: sol(np.array([[1 + 1j, 0.5]])),
        lambda sol: sol.error(g, RULE, gradient=lambda x: 1j * x),
    ],
)
def test_complex_numbers_are_refused(call):
    sol = ln.fit(g, TANH, RULE)
    with pytest.raises(ArgumentError, match="no array of real numbers"):
        call(sol)


def test_an_operator_of_another_component_is_refused():
    sol = ln.fit(g, TANH, RULE)
    with pytest.raises(ArgumentError, match="several components"):
        sol.apply(ln.trial(BOX, 1), RULE.points)
    with pytest.raises(ArgumentError, match="component = 'a'"):
        ln.trial(BOX, "a")


def test_a_second_rule_on_the_same_part_is_refused():
    strong = ln.StrongForm(ln.Equation(u, g, on=BOX))
    with pytest.raises(ArgumentError, match="another rule has the points on"):
        ln.solve(strong, TANH, ln.Collocation(BOX.grid(9), BOX.grid(19)))


def test_the_weights_of_points_multiply_those_of_the_loss():
    x = BOX.sobol(100).points
    mass = np.linspace(0.1, 3.0, 100)
    strong = ln.StrongForm(ln.Equation(u, g, on=ln.Points(x, weights=mass)))
    plain = ln.StrongForm(ln.Equation(u, g, on=ln.Points(x)))
    a = ln.matrix(strong, TANH, ln.Collocation(ln.Points(x, weights=mass)))
    b = ln.matrix(plain, TANH, ln.Collocation(ln.Points(x), weights=[mass]))
    np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("angle", np.linspace(0.1, 3.0, 12))
def test_symmetry_up_to_roundoff(angle):
    """Q diag(1, 100) Qᵀ is symmetric, and its computed entries nearly so."""
    Q = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    K = Q @ np.diag([1.0, 100.0]) @ Q.T
    K[0, 1] *= 1 + 2e-16
    weak = ln.WeakForm(ln.dot(K.tolist() @ ln.grad(u), ln.grad(v)) + u * v, load=g)
    assert weak.symmetric
    network = ln.Network(ln.ReLU(3), neurons.fibonacci(40)).on(BOX)
    squares = ln.solve(weak, network, ln.VariationalLeastSquares(RULE))
    matrix = ln.solve(weak, network, ln.Galerkin(RULE))
    assert squares.error(matrix, RULE).relative_l2 < 1e-6
    K[0, 1] *= 1 + 1e-10
    assert not ln.WeakForm(ln.dot(K.tolist() @ ln.grad(u), ln.grad(v)) + u * v).symmetric


def test_a_projection_with_a_variable_weight_has_all_its_digits():
    w, t = ln.trial(LINE), ln.test(LINE)
    rho = ln.Coefficient(lambda x: 2 + np.sin(x[:, 0]))
    f = ln.Coefficient(lambda x: np.cos(3 * x[:, 0]))
    network = ln.Network(ln.Tanh(), neurons.circle(100, radius=5)).on(LINE)
    rule = LINE.gauss(100, order=4)
    form = ln.VariationalLeastSquares(rule)
    sol = ln.solve(ln.WeakForm(rho * w * t, load=rho * f * t), network, form)
    assert sol.error(lambda x: np.cos(3 * x[:, 0]), rule).l2 < 1e-9


def test_singular_values_of_a_galerkin_matrix_are_those_of_its_rows_squared():
    w, t = ln.trial(LINE), ln.test(LINE)
    network = ln.Network(ln.Tanh(), neurons.circle(30, radius=2)).on(LINE)
    rule, weak = LINE.gauss(40, order=4), ln.WeakForm(w * t, load=0.0)
    values = ln.singular_values(weak, network, ln.Galerkin(rule))
    rows = ln.singular_values(weak, network, ln.VariationalLeastSquares(rule))
    np.testing.assert_array_equal(values, rows**2)
    assert values[-1] < 1e-18 * values[0]  # the assembled matrix shows nothing below 1e-16


class TestThreads:
    """BLAS is held at one thread while anybody folds, and given back by the last."""

    def test_solves_at_the_same_time(self):
        def threads():
            return [pool["num_threads"] for pool in threadpool_info()]

        before = threads()
        network = ln.Network(ln.ReLU(2), neurons.fibonacci(60)).on(BOX)

        def solved(_):
            return ln.fit(g, network, BOX.gauss(60, order=3)).a

        with ThreadPoolExecutor(3) as pool:
            found = list(pool.map(solved, range(6)))
        assert threads() == before
        alone = solved(0)
        assert all((a == alone).all() for a in found)


class TestCheckpoints:
    """A file of another problem is not taken, wherever in the domain the two differ."""

    network = ln.Network(ln.ReLU(2), neurons.fibonacci(40)).on(BOX)

    @pytest.mark.parametrize("form", [ln.Galerkin, ln.VariationalLeastSquares])
    def test_an_inclusion_in_the_middle(self, tmp_path, form):
        def solved(inside):
            a = ln.Coefficient(lambda x: np.where((x**2).sum(axis=1) < 0.25, inside, 1.0))
            weak = ln.WeakForm(a * ln.dot(ln.grad(u), ln.grad(v)) + u * v, load=g)
            rule = form(BOX.gauss(60, order=3))
            return ln.solve(weak, self.network, rule, checkpoint=tmp_path / "run")

        solved(10.0)
        with pytest.raises(ArgumentError, match="belongs to another problem"):
            solved(1000.0)

    def test_a_source_in_the_middle(self, tmp_path):
        def solved(center):
            f = lambda x: np.exp(-1000 * ((x - center) ** 2).sum(axis=1))
            strong = ln.StrongForm(ln.Equation(u, lambda x: np.round(f(x), 9), on=BOX))
            points = ln.Collocation(BOX.grid(80))
            return ln.solve(strong, TANH, points, ln.RegularizedQR(), checkpoint=tmp_path / "run")

        solved(0.0)
        with pytest.raises(ArgumentError, match="belongs to another problem"):
            solved(0.1)

    def test_a_folder_that_is_not_there(self, tmp_path):
        with pytest.raises(ArgumentError, match=r"checkpoint = .*there is no folder"):
            ln.Checkpoint(tmp_path / "nowhere" / "run")


@pytest.mark.parametrize(
    "make",
    [
        lambda: ln.TruncatedSVD(rcond=float("nan")),
        lambda: ln.TruncatedSVD(rcond=-1),
        lambda: ln.RegularizedQR(mu="x"),
        lambda: ln.Cholesky(corrections=-1),
        lambda: BOX.sobol(16, rng=1),
        lambda: ln.fit(g, TANH, RULE).error(g, 5),
        lambda: ln.fit(g, TANH, RULE).error(g, RULE, gradient=3),
        lambda: ln.fit(g, TANH, RULE).derivatives(RULE.points, [(1, 2, 0)]),
        lambda: ln.singular_values(ln.WeakForm(u * v), TANH, 3),
        lambda: ln.fit(g, TANH, ln.Points(RULE.points)),
        lambda: ln.load(3),
        lambda: ln.periodic(3, 0),
        lambda: TANH.features(RULE.points, ln.laplacian(u)),
        lambda: ln.Collocation(RULE, weights=("a",)).rows(
            ln.StrongForm(ln.Equation(u, g, on=BOX)), TANH
        ),
    ],
)
def test_arguments_that_cannot_be_meant(make):
    with pytest.raises(ArgumentError, match=r" = .*: .*\. .*\."):
        make()


class TestUniqueness:
    """What leaves u open is said, whatever number a solver returns."""

    network = ln.Network(ln.Tanh(), neurons.fibonacci(60, radius=1.5))
    points = ln.Collocation(BOX.grid(20), BOX.boundary.grid(20))

    @pytest.mark.filterwarnings("ignore:the solution is not resolved")
    @pytest.mark.parametrize("settings", [(), (network, points)], ids=["chosen", "given"])
    def test_neumann_data_alone(self, settings):
        problem = ln.StrongForm(
            ln.Equation(-ln.laplacian(u), lambda x: np.cos(np.pi * x[:, 0]), on=BOX),
            ln.Equation(ln.normal_derivative(u), 0.0, on=BOX.boundary),
        )
        width = {} if settings else {"neurons": 100}
        with pytest.warns(LinnetWarning, match="not unique: with u every u . constant"):
            ln.solve(problem, *settings, **width)

    def test_no_condition_at_all(self):
        problem = ln.StrongForm(ln.Equation(-ln.laplacian(u) + u, 1.0, on=BOX))
        with pytest.warns(LinnetWarning, match="not unique: there is a differential equation and"):
            ln.solve(problem, self.network, ln.Collocation(BOX.grid(20)))

    @pytest.mark.parametrize(
        "conditions",
        [
            [ln.Equation(ln.normal_derivative(u) + u, 0.0, on=BOX.boundary)],
            [ln.Equation(u, 0.0, on=ln.Points([[0.0, 0.0]])), *ln.periodic(u, 0)],
        ],
    )
    def test_conditions_that_fix_it(self, conditions):
        inside = ln.Equation(-ln.laplacian(u), 0.0, on=BOX)
        assert ln.StrongForm(inside, *conditions).undetermined is None


def test_zero_data_have_the_solution_zero():
    problem = ln.StrongForm(
        ln.Equation(-ln.laplacian(u) + u, 0.0, on=BOX), ln.Equation(u, 0.0, on=BOX.boundary)
    )
    sol = ln.solve(problem, neurons=50)
    assert np.abs(sol(RULE.points)).max() < 1e-12


def test_progress_of_a_search_never_goes_back():
    shares = []
    problem = ln.StrongForm(ln.Equation(u, g, on=BOX))
    ln.solve(problem, neurons=100, progress=lambda done, total: shares.append(done / total))
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert len(shares) > 3
