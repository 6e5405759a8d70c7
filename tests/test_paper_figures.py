"""The paper's figures: quick versions that pin what must hold; full sizes are marked slow."""

import numpy as np
import pytest

import linnet as ln
from linnet.errors import ArgumentError
from linnet.paper import EXPERIMENTS, beyond, mass_condition, regression, tanh_l2, tanh_pde
from linnet.paper.curves import Sines, projection, slopes
from linnet.paper.experiment import Options, Row, Work
from linnet.paper.instability import KEPT, MATRIX, ROWS, decay
from linnet.paper.tables import theory

FIGURES = [f"figure-{i}" for i in range(1, 22)] + ["beyond-1", "beyond-2", "beyond-3"]


def least(series, panel="", label=""):
    """The least error of the curves of a panel."""
    return min(r.l2 for s in series if s.panel == panel and label in s.label for r in s.rows)


def one_panel(monkeypatch, dim, k, formulation, neurons):
    monkeypatch.setattr(regression, "DIMENSIONS", (dim,))
    options = Options(neurons=neurons, seeds=1)
    return regression.regression("figure-1", k, formulation, options).series[0]


def test_all_figures_are_registered():
    assert set(FIGURES) <= set(EXPERIMENTS)


# ------------------------------------------------------------------ targets and slopes


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_target_gradient_and_load_belong_together(dim):
    u, h = Sines(0.5, 1, 2), 1e-4
    x = np.random.default_rng(0).uniform(-1, 1, (20, dim))
    steps = h * np.eye(dim)
    first = np.stack([(u(x + s) - u(x - s)) / (2 * h) for s in steps], axis=1)
    second = sum((u(x + s) - 2 * u(x) + u(x - s)) / h**2 for s in steps)
    np.testing.assert_allclose(u.gradient(x), first, atol=1e-5)
    np.testing.assert_allclose(u.load(x), u(x) - second, atol=1e-4)


def test_target_has_norm_one():
    box = ln.Box(-1, 1, dim=3)
    nodes = box.gauss(4, order=6).take(0, (4 * 6) ** 3)
    assert nodes.weights @ Sines(0.5)(nodes.points) ** 2 == pytest.approx(1.0, rel=1e-12)


def test_slope_of_a_power_is_its_exponent_and_early_rows_are_left_out():
    rows = [Row(4, l2=1.0), *(Row(n, l2=5.0 * n**-1.5) for n in (40, 80, 160))]
    assert slopes(rows, 30, "l2")["l2"] == pytest.approx(-1.5, abs=1e-12)


def test_first_of_fit_counts_spherical_harmonics():
    # those of degree ≤ L on S^d: C(L + d, d) + C(L + d − 1, d); here L = d
    from math import comb

    for d in (4, 5, 6):
        assert regression.first_of_fit(d) == comb(2 * d, d) + comb(2 * d - 1, d)


# ------------------------------------------------------------------ figures 1, 2, 19, 20


@pytest.mark.parametrize("formulation", ["galerkin", "least-squares", "collocation"])
@pytest.mark.parametrize("k", [1, 2])
def test_rate_in_1d(monkeypatch, k, formulation):
    series = one_panel(monkeypatch, 1, k, formulation, (64, 128, 256, 512))
    assert series.slopes["l2"] == pytest.approx(theory(1, k)["l2"], abs=0.15)


@pytest.mark.parametrize("formulation", ["galerkin", "collocation"])
@pytest.mark.parametrize("k", [1, 2])
def test_rate_in_2d(monkeypatch, k, formulation):
    monkeypatch.setattr(regression, "integration", lambda box, paper: box.gauss(40, order=3))
    series = one_panel(monkeypatch, 2, k, formulation, (50, 100, 200, 400))
    assert series.slopes["l2"] == pytest.approx(theory(2, k)["l2"], abs=0.15)


def test_corner_neurons_that_one_point_sees_do_no_harm():
    # 5D, ReLU², random neurons: an exact least-squares solution has an error of 4e3 here
    box = ln.Box(-1, 1, dim=5)
    network = ln.Network(ln.ReLU(2), ln.neurons.random_sphere(400, 5, rng=0)).on(box)
    problem, form = projection(Sines(0.5), box, box.sobol(25_600), "least-squares")
    errors = box.sobol(2**15, scramble=True, rng=1)
    exact = ln.solve(problem, network, form, ln.RegularizedQR()).error(Sines(0.5), errors).l2
    solver = regression.default_solver("least-squares", 5)
    ours = ln.solve(problem, network, form, solver).error(Sines(0.5), errors).l2
    assert exact > 100
    assert ours < 0.3


# ------------------------------------------------------------------ figures 3 to 6


def test_condition_numbers_beyond_double_precision(monkeypatch):
    monkeypatch.setattr(mass_condition, "DIMENSIONS", (1,))
    options = Options(neurons=(64, 256, 1024, 2048))
    series = mass_condition.conditions("figure-4", 2, options).series[0]
    first, *_, before, last = series.rows
    assert first.condition == pytest.approx(first.true_condition, rel=1e-3)
    assert last.true_condition > 1e16  # which the assembled matrix cannot show
    # it grows like n^6, the last row included: no noise
    fitted = before.true_condition * (last.n / before.n) ** 6
    assert last.true_condition == pytest.approx(fitted, rel=0.1)


def test_matrix_form_loses_its_rate_and_the_least_squares_form_keeps_it():
    options, work = Options(neurons=(128, 256, 512, 1024, 2048)), Work(Options(), 1)
    matrix = decay(*MATRIX, options, work).rows
    rows = decay(*ROWS, options, work)
    assert rows.slopes["l2"] == pytest.approx(-3.0, abs=0.15)
    assert rows.rows[-1].l2 < 1.5e-9
    assert matrix[-1].l2 > 50 * rows.rows[-1].l2
    assert matrix[-1].l2 > min(row.l2 for row in matrix)


def test_mirror_images_double_the_neurons_and_change_nothing():
    options, work = Options(neurons=(64, 128)), Work(Options(), 1)
    kept, removed = decay(*KEPT, options, work).rows, decay(*MATRIX, options, work).rows
    for a, b in zip(kept, removed, strict=True):
        assert a.n > 1.8 * b.n
        assert a.l2 == pytest.approx(b.l2, rel=1e-3)


# ------------------------------------------------------------------ figures 9 to 16


@pytest.mark.parametrize(("scheme", "bound"), [("random", 1e-13), ("sphere", 1e-14)])
def test_collocation_in_1d_reaches_roundoff(scheme, bound):
    options = Options(neurons=(512,), seeds=1)
    series = tanh_l2.minimisation("figure-11", 1, scheme, "collocation", options).series
    assert least(series, "m = 1") < 1e-14
    assert least(series, "m = 2") < 1e-14
    assert least(series, "m = 4") < bound


def test_petrushev_in_1d_reaches_roundoff():
    series = EXPERIMENTS["figure-13"](neurons=(256,)).series
    assert max(least(series, f"m = {m}") for m in (1, 2, 4)) < 1e-14


def test_variational_form_in_1d_stops_at_the_root_of_the_machine_epsilon():
    options = Options(neurons=(128, 256), seeds=2)
    series = EXPERIMENTS["figure-9"](options).series
    assert 1e-10 < least(series, "m = 1") < 1e-7


def test_collocation_in_2d():
    series = EXPERIMENTS["figure-16"](neurons=(800,)).series
    assert least(series, "m = 1") < 1e-10
    # and the larger m asks for the larger radius
    assert least(series, "m = 1", "r = 2") < least(series, "m = 1", "r = 3")


def test_scheme_formulation_and_unused_options_are_checked():
    with pytest.raises(ArgumentError, match="scheme"):
        EXPERIMENTS["figure-11"](scheme="fibonacci")
    with pytest.raises(ArgumentError, match="formulation"):
        EXPERIMENTS["figure-11"](formulation="spectral", neurons=(8,))
    with pytest.raises(ArgumentError, match="nothing to set"):
        EXPERIMENTS["figure-5"](scheme="random")


# ------------------------------------------------------------------ figures 17, 18, 21


def test_dirichlet_problem_in_1d():
    result = EXPERIMENTS["figure-17"](neurons=(256,))
    best = min(result.series, key=lambda s: s.rows[0].l2).rows[0]
    assert best.l2 < 1e-13
    assert best.h1 < 1e-12


def test_dirichlet_problem_in_2d_converges_fast(monkeypatch):
    study = tanh_pde.Study(2, (2,), (200, 400), 40, 20, 4)
    rows = tanh_pde.collocated("figure-18", study, Options()).series[0].rows
    assert rows[1].l2 < 1e-2 * rows[0].l2
    assert rows[1].h1 < 1e-2 * rows[0].h1


def test_singular_values_flatten_at_roundoff_and_twice_as_early_for_the_normal_equations():
    line, normal = EXPERIMENTS["figure-21"]().series[:2]
    values, roots = (np.array([row.l2 for row in s.rows]) for s in (line, normal))
    assert len(values) == 128
    assert (np.diff(values) <= 0).all()
    assert values[100] < 1e-14
    assert 1e-10 < roots[100] < 1e-7
    np.testing.assert_allclose(values[:30], roots[:30], rtol=1e-2)


# ------------------------------------------------------------------ beyond


def test_least_squares_form_removes_the_barrier_of_the_elliptic_problem(monkeypatch):
    monkeypatch.setattr(beyond, "BARRIER", {1: beyond.BARRIER[1]})
    matrix, rows = EXPERIMENTS["beyond-1"](neurons=(32, 256, 2048)).series
    assert rows.rows[0].l2 == pytest.approx(matrix.rows[0].l2, rel=1e-3)
    assert rows.rows[-1].h1 < 0.5 * matrix.rows[-1].h1


def test_an_experiment_is_kept_and_not_computed_again(tmp_path, monkeypatch):
    monkeypatch.setattr(regression, "DIMENSIONS", (1,))
    options = Options(neurons=(32,), checkpoints=tmp_path)
    first = regression.regression("figure-1", 1, "galerkin", options)
    monkeypatch.setattr(regression, "solve_quietly", None)
    again = regression.regression("figure-1", 1, "galerkin", options)
    assert again.series == first.series


# ------------------------------------------------------------------ full size


@pytest.mark.slow
@pytest.mark.parametrize("id", ["figure-1", "figure-2", "figure-19", "figure-20"])
def test_all_slopes_are_the_theory_s(id):
    for series in EXPERIMENTS[id]().series:
        assert series.slopes["l2"] == pytest.approx(series.reference["l2"], abs=0.15), series.panel


@pytest.mark.slow
def test_dirichlet_problem_in_2d():
    result = EXPERIMENTS["figure-18"]()
    best = min((row for s in result.series for row in s.rows), key=lambda row: row.l2)
    assert best.l2 < 1e-9
    assert best.h1 < 1e-7


@pytest.mark.slow
def test_variational_form_in_2d():
    series = EXPERIMENTS["figure-10"]().series
    assert least(series, "m = 1") < 1e-5
