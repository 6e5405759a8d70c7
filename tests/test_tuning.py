"""What ln.solve chooses where nothing is given."""

import warnings

import numpy as np
import pytest
from scipy.spatial import cKDTree

import linnet as ln
from linnet import catalog
from linnet.rows import Collocation
from linnet.tuning import search
from linnet.tuning.equivalent import equivalent
from linnet.tuning.families import families, given
from linnet.tuning.points import collocation_points
from linnet.tuning.rows import HeldOut, balanced_weights, conditions, sizes_of, stations
from linnet.tuning.weak import refined

BOX = ln.Box(-1, 1, dim=2)


def error(name, solution):
    entry = catalog.get(name)
    return solution.error(entry.exact, entry.box.sobol(4096, scramble=True, rng=99)).relative_l2


def sines(x):
    return np.prod(np.sin(np.pi * x / 2), axis=1)


def neumann():
    """−Δu + u = f with zero Neumann data, as a weak form (the paper's)."""
    u, v = ln.trial(BOX), ln.test(BOX)
    load = lambda x: (1 + np.pi**2 / 2) * sines(x)
    return ln.WeakForm(ln.dot(ln.grad(u), ln.grad(v)) + u * v, load=load)


class TestFamilies:
    @pytest.mark.parametrize("dim", [2, 3])
    def test_the_spacing_is_the_distance_of_neighbours(self, dim):
        for family in families(dim):
            theta = family.network(800, dim, 0.5).theta
            if family.activation == ln.Sine():  # two phases, and half of the ball
                theta = np.vstack([theta[::2, :-1], -theta[::2, :-1]])
            gaps = cKDTree(theta).query(theta, k=2)[0][:, 1]
            # of the cells' volume 0.5^d; Sobol points are nearer to each other than a lattice's
            assert 0.4 * 0.5 < np.median(gaps) < 1.2 * 0.5

    def test_in_one_dimension_too(self):
        for family in families(1):
            theta = family.network(100, 1, 0.1).theta
            axis = theta[::2, 0] if family.activation == ln.Sine() else theta[:, 1]
            assert np.diff(axis) == pytest.approx(0.1, rel=0.02)

    def test_parts_of_a_given_network(self):
        network = ln.Network(ln.Tanh(), ln.neurons.fibonacci(50))
        family = given(network)
        np.testing.assert_array_equal(family.network(50, 2, 1.0).theta, network.theta)
        half = family.network(25, 2, 1.0).theta
        assert len(half) == 25
        assert len(np.unique(np.vstack([half, network.theta]), axis=0)) == 50


class TestWeights:
    @pytest.mark.parametrize("family", families(2))
    def test_all_rows_become_equally_large(self, family):
        problem = catalog.get("mixed-2d").problem()
        rules = collocation_points(problem, 2000, 1)
        network = family.network(100, 2, 1.0)
        weights = balanced_weights(problem, rules, network)
        placed = network.placed_on(problem.domain)
        rows = [place.rows(placed) for place in stations(problem, rules)]
        weighted = np.sqrt(weights) * sizes_of(rows, network.n)
        assert weights[0] == 1.0
        wanted = conditions(family.activation)
        assert weighted[1:] / weighted[0] == pytest.approx(wanted, rel=0.25)

    @pytest.mark.parametrize("name", ["runge-2d", "plate-2d", "wave-2d", "robin-1d"])
    def test_within_a_factor_of_10_of_the_best(self, name):
        problem = catalog.get(name).problem()
        d = problem.domain.dim
        network = families(d)[0].network(60 if d == 1 else 150, d, 1.2)
        rules = collocation_points(problem, 10 * network.n, 1)
        balanced = np.array(balanced_weights(problem, rules, network))
        errors = []
        for factor in (1.0, 1e-8, 1e-4, 1e-2, 1e2, 1e4, 1e8):
            weights = np.append(balanced[0], factor * balanced[1:])
            solution = ln.solve(problem, network, Collocation(*rules, weights=tuple(weights)))
            errors.append(error(name, solution))
        assert errors[0] < 10 * max(min(errors), 1e-14)
        assert max(errors) > 10 * errors[0]  # so that it matters


class TestHeldOutResidual:
    def test_it_is_zero_for_the_solution_and_one_for_zero(self):
        entry = catalog.get("polynomial-2d")
        problem = entry.problem()
        held_out = HeldOut(problem, collocation_points(problem, 200, 2))

        def exactly(place):
            x, normals = place.nodes.points, place.nodes.normals
            alphas = place.equation.operator.scalar.items()
            return sum(c(x, normals) * entry.exact.derivative(x, alpha) for alpha, c in alphas)

        lefts = [exactly(place)[:, None] for place in held_out.places]
        assert held_out.relative(lefts) < 1e-15
        assert held_out.relative([0 * left for left in lefts]) == pytest.approx(1.0)

    @pytest.mark.parametrize("name", ["robin-2d", "periodic-2d"])
    def test_a_network_s_left_hand_side_is_its_rows_times_its_weights(self, name):
        problem = catalog.get(name).problem()
        network = families(2)[1].network(40, 2, 0.5).placed_on(problem.domain)
        a = np.random.default_rng(0).standard_normal((40, 1))
        for place in stations(problem, collocation_points(problem, 100, 2)):
            left = place.rows(network)[:, :40] @ a
            np.testing.assert_allclose(place.left(network, a), left, rtol=1e-12, atol=1e-10)


class TestStrongForms:
    def test_nothing_given(self):
        solution = ln.solve(catalog.get("robin-2d").problem(), neurons=300)
        assert solution.network.n == 300
        assert error("robin-2d", solution) < 1e-12
        assert solution.info.error_estimate < 1e-11
        text = "\n".join(solution.info.choices)
        for family in families(2):
            assert f"{family.name}, 75 neurons" in text
        assert "chosen: sine, half ball, 300 neurons, spacing" in text
        assert "estimated relative L2 error" in text

    def test_the_same_problem_gives_the_same_bits(self):
        a, b = (
            ln.solve(catalog.get("runge-1d").problem(), neurons=80, workers=workers)
            for workers in (1, 2)
        )
        np.testing.assert_array_equal(a.network.theta, b.network.theta)
        np.testing.assert_array_equal(a.a, b.a)
        assert a.info.error_estimate == b.info.error_estimate

    def test_the_scale_follows_the_domain(self):
        def on(box):
            u = ln.trial(box)
            g = lambda x: np.exp(np.sin(3 * (x[:, 0] - box.center[0]) / box.halfwidth[0]))
            return ln.solve(
                ln.StrongForm(
                    ln.Equation(u, g, on=box.boundary), ln.Equation(ln.laplacian(u), 0.0, on=box)
                ),
                neurons=48,
            )

        small, large = on(ln.Box(-1, 1)), on(ln.Box(300, 2300))
        np.testing.assert_array_equal(small.network.theta, large.network.theta)

    def test_a_network_given(self):
        network = ln.Network(ln.Tanh(), ln.neurons.fibonacci(300, radius=2))
        solution = ln.solve(catalog.get("convection-2d").problem(), network)
        np.testing.assert_array_equal(solution.network.theta, network.theta)
        found = error("convection-2d", solution)
        assert found < 1e-7
        assert found / 3 < solution.info.error_estimate < 100 * found

    def test_a_formulation_given(self):
        problem = catalog.get("convection-2d").problem()
        box = problem.domain
        formulation = Collocation(box.grid(40), box.boundary.grid(40), weights=(1, 100))
        solution = ln.solve(problem, formulation=formulation, neurons=200)
        assert solution.info.rows == 40**2 + 4 * 39
        assert error("convection-2d", solution) < 1e-10

    def test_both_given_is_the_explicit_solve(self):
        problem = catalog.get("convection-2d").problem()
        box = problem.domain
        network = ln.Network(ln.Tanh(), ln.neurons.fibonacci(50))
        solution = ln.solve(problem, network, Collocation(box.grid(20), box.boundary.grid(20)))
        assert solution.info.error_estimate is None

    def test_several_right_hand_sides(self):
        box = ln.Box(0, 1)
        u = ln.trial(box)
        exact = lambda x: np.stack([np.sin(3 * x[:, 0]), 1e6 * np.exp(x[:, 0])], axis=1)
        second = lambda x: np.stack([9 * np.sin(3 * x[:, 0]), -1e6 * np.exp(x[:, 0])], axis=1)
        solution = ln.solve(
            ln.StrongForm(
                ln.Equation(-ln.laplacian(u), second, on=box),
                ln.Equation(u, exact, on=box.boundary),
            ),
            neurons=60,
        )
        assert solution.error(exact, box.gauss(10, order=5)).relative_l2 < 1e-12
        assert solution.info.error_estimate < 1e-11

    def test_what_is_not_resolved_is_said(self):
        with pytest.warns(ln.LinnetWarning, match="not resolved: its estimated relative error"):
            ln.solve(catalog.get("helmholtz-30-2d").problem(), neurons=60)


class TestTolerance:
    @pytest.mark.parametrize("name", ["runge-1d", "helmholtz-30-1d", "large-box-2d", "mixed-2d"])
    def test_met_truly(self, name):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            solution = ln.solve(catalog.get(name).problem(), tolerance=1e-6)
        assert solution.info.error_estimate <= 1e-6
        assert error(name, solution) <= 1e-6

    def test_a_rough_solution_says_why_not(self):
        with pytest.warns(ln.LinnetWarning, match="is not met.*falls slowly.*a jump"):
            solution = ln.solve(catalog.get("step-load-1d").problem(), tolerance=1e-9)
        assert "tolerance 1e-09 is not met" in solution.info.choices[-1]
        assert error("step-load-1d", solution) < 3 * solution.info.error_estimate

    def test_the_plateau_of_double_precision(self):
        with pytest.warns(ln.LinnetWarning, match="plateau of double precision"):
            solution = ln.solve(catalog.get("poisson-1d").problem(), tolerance=1e-15)
        assert solution.network.n <= 240  # it does not go on in vain


class TestWeakForms:
    def test_nothing_given(self):
        solution = ln.solve(neumann(), neurons=150)
        assert solution.info.formulation == "VariationalLeastSquares"
        found = solution.error(sines, BOX.gauss(10, order=5)).relative_l2
        assert found < 3e-8
        assert found / 3 < solution.info.error_estimate < 100 * found
        assert any("effect of the quadrature" in choice for choice in solution.info.choices)

    def test_an_unsymmetric_form_is_solved_by_galerkin(self):
        u, v = ln.trial(BOX), ln.test(BOX)
        exact = lambda x: np.cos(np.pi * x[:, 0])  # its normal derivative vanishes
        load = lambda x: (np.pi**2 + 1) * exact(x) - np.pi * np.sin(np.pi * x[:, 0])
        form = ln.dot(ln.grad(u), ln.grad(v)) + ln.partial(u, 0) * v + u * v
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ln.LinnetWarning)  # the matrix form is not of full rank
            solution = ln.solve(ln.WeakForm(form, load=load), neurons=200)
        assert solution.info.formulation == "Galerkin"
        found = solution.error(exact, BOX.gauss(10, order=5)).relative_l2
        assert found < 1e-6
        assert found / 3 < solution.info.error_estimate < 100 * found

    def test_quadrature_that_is_the_barrier_is_said(self):
        coarse = ln.VariationalLeastSquares(BOX.gauss(20, order=1))
        with pytest.warns(ln.LinnetWarning, match="quadrature is the barrier"):
            solution = ln.solve(neumann(), formulation=coarse, neurons=100)
        found = solution.error(sines, BOX.gauss(10, order=5)).relative_l2
        assert found < 3 * solution.info.error_estimate

    def test_finer_rules(self):
        weak = ln.Galerkin(BOX.gauss(4, order=3), BOX.boundary.sobol(100))
        finer = refined(weak)
        assert finer.rules == (BOX.gauss(4, order=4), BOX.boundary.sobol(200))
        assert refined(ln.Galerkin(BOX.grid(10))) is None


class TestEquivalentEquations:
    def test_of_a_robin_problem_with_variable_coefficients(self):
        """∫ a∇u·∇v + u v + ∮ 2uv = … : −div(a∇u) + u = f, a ∂u/∂n + 2u = g."""
        u, v = ln.trial(BOX), ln.test(BOX)
        a = ln.Coefficient(
            lambda x: 2 + x[:, 0] * x[:, 1],
            grad=lambda x: np.stack([x[:, 1], x[:, 0]], axis=1),
        )
        f, g = (lambda x: np.sin(x[:, 0])), (lambda x: np.cos(x[:, 1]))
        right = BOX.face("right")
        weak = ln.WeakForm(
            a * ln.dot(ln.grad(u), ln.grad(v)) + u * v,
            ln.Integral(2 * u * v, g, on=right),
            load=f,
        )
        strong = equivalent(weak)
        inside, *conditions = strong.equations
        assert inside.data is f
        robin = next(e for e in conditions if e.on == right)
        natural = next(e for e in conditions if e.on != right)
        assert robin.data is g
        assert set(natural.on.names) == {"left", "bottom", "top"}
        network = ln.Network(ln.Tanh(), [[0.7, -0.4, 0.2]], BOX)
        wave = ln.Solution(network, [1.0], None)
        x = BOX.sobol(20).points
        np.testing.assert_allclose(
            wave.apply(inside.operator, x), wave.apply(-ln.div(a * ln.grad(u)) + u, x), atol=1e-14
        )
        nodes = right.sobol(20).take(0, 20)
        flux = a * ln.normal_derivative(u) + 2 * u
        np.testing.assert_allclose(
            wave.apply(robin.operator, nodes.points, nodes.normals),
            wave.apply(flux, nodes.points, nodes.normals),
            atol=1e-14,
        )

    def test_none_for_nitsche_and_unknown_gradients(self):
        u, v = ln.trial(BOX), ln.test(BOX)
        rough = ln.Coefficient(lambda x: 1 + (x[:, 0] > 0))
        weak = ln.WeakForm(rough * ln.dot(ln.grad(u), ln.grad(v)), load=1.0)
        assert equivalent(weak) is None
        nitsche = ln.Integral(-u * ln.normal_derivative(v), on=BOX.boundary)
        assert equivalent(ln.WeakForm(ln.dot(ln.grad(u), ln.grad(v)), nitsche)) is None
        with pytest.raises(ln.ArgumentError, match="its equations cannot be derived from it"):
            ln.solve(weak)


class TestRefusals:
    strong = catalog.get("runge-1d").problem()
    network = ln.Network(ln.Tanh(), ln.neurons.circle(20))

    @pytest.mark.parametrize(
        ("options", "match"),
        [
            ({"tolerance": 0.0}, "tolerance = 0.0: it is no number > 0"),
            ({"tolerance": "small"}, "tolerance = 'small'"),
            ({"neurons": 3}, "neurons = 3: it is no width"),
            ({"neurons": 10.5}, "neurons = 10.5"),
            ({"neurons": 10, "tolerance": 0.1}, "with a tolerance the width is chosen"),
            ({"network": network, "tolerance": 0.1}, "the network that is given has its width"),
            ({"network": network, "neurons": 10}, "neurons = 10: the network that is given"),
            ({"network": "tanh"}, "network = 'tanh': it is no network"),
            (
                {"formulation": ln.Galerkin(BOX.grid(3))},
                "it does not go with a StrongForm.*Give Collocation",
            ),
        ],
    )
    def test_what_does_not_fit(self, options, match):
        with pytest.raises(ln.ArgumentError, match=match):
            ln.solve(self.strong, **options)

    def test_no_problem(self):
        with pytest.raises(ln.ArgumentError, match="problem = 'poisson': it is no problem"):
            ln.solve("poisson")


class TestInterruption:
    """A search that was interrupted makes no trial twice, and ends where another would."""

    @pytest.mark.parametrize("options", [{"neurons": 100}, {"tolerance": 1e-9}], ids=repr)
    def test_trials_are_kept(self, tmp_path, monkeypatch, options):
        problem, calls = catalog.get("runge-1d").problem(), []
        original = search.fitted

        def counted(*args):
            calls.append(1)
            if len(calls) == stop:
                raise KeyboardInterrupt
            return original(*args)

        monkeypatch.setattr(search, "fitted", counted)
        stop = 0
        undisturbed = ln.solve(problem, workers=1, **options)
        total, stop = len(calls), 20
        calls.clear()
        with pytest.raises(KeyboardInterrupt):
            ln.solve(problem, workers=1, checkpoint=tmp_path / "run", **options)
        assert (tmp_path / "run.search").exists()
        stop = 0
        calls.clear()
        resumed = ln.solve(problem, workers=1, checkpoint=tmp_path / "run", **options)
        assert 0 < len(calls) <= total - 10
        np.testing.assert_array_equal(resumed.a, undisturbed.a)
        assert resumed.info.error_estimate == undisturbed.info.error_estimate
        assert resumed.info.choices == undisturbed.info.choices

    def test_those_of_another_problem_are_refused(self, tmp_path):
        ln.solve(catalog.get("poisson-1d").problem(), neurons=40, checkpoint=tmp_path / "run")
        with pytest.raises(ln.ArgumentError, match="belongs to another problem"):
            ln.solve(catalog.get("runge-1d").problem(), neurons=40, checkpoint=tmp_path / "run")
