"""What is refused when it is solved, and what the equations of a problem are derived from."""

import warnings

import numpy as np
import pytest

import linnet as ln
from linnet.coefficients import Coefficient
from linnet.errors import ArgumentError, SmoothnessError
from test_problem import (
    BOX,
    EDGE,
    ELLIPTIC,
    GAUSS,
    INSIDE,
    MASS,
    OTHER,
    TANH,
    collocate,
    f,
    refused,
    u,
    v,
)

# ------------------------------------------------------------------ refused when it is solved

BAD = INSIDE.points[7]  # (-0.5, 0)


def spoiled(x, bad=np.nan):
    """A function that is not finite at one point of the grid."""
    return np.where((x == BAD).all(axis=1), bad, 1.0)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_the_point_where_data_are_not_finite_is_named(bad):
    def data(x):
        return spoiled(x, bad)

    point = rf"not finite at the point \[{BAD[0]}, {BAD[1]}\]", "without that point"
    with refused(f"data of equation 2 = .{bad}.", *point):
        collocate(ln.Equation(u, f, on=BOX.boundary), ln.Equation(ln.laplacian(u), data, on=BOX))
    with refused(f"load = .{bad}.", *point):
        ln.solve(ln.WeakForm(MASS, load=data), TANH, ln.Galerkin(INSIDE))
    with refused(f"load = .{bad}.", *point):
        ln.solve(ln.WeakForm(MASS, load=data), TANH, ln.VariationalLeastSquares(INSIDE))
    with refused(f"load = .{bad}.", *point):
        ln.fit(data, TANH, INSIDE)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_the_point_where_a_coefficient_is_not_finite_is_named(bad):
    k = ln.Coefficient(lambda x: spoiled(x, bad), name="kappa")
    words = f"kappa = .{bad}.", rf"not finite at the point \[{BAD[0]}, {BAD[1]}\]"
    with refused(*words):
        collocate(ln.Equation(u + k * ln.laplacian(u), f, on=BOX), rules=[INSIDE])
    for formulation in (ln.Galerkin(INSIDE), ln.VariationalLeastSquares(INSIDE)):
        with refused(*words):
            ln.solve(ln.WeakForm(ELLIPTIC + k * MASS, load=f), TANH, formulation)
        with refused(*words):
            ln.solve(ln.WeakForm(MASS, load=k * v), TANH, formulation)


@pytest.mark.parametrize(
    "data", [lambda x: f(x)[:3], lambda x: f(x)[None], lambda x: np.zeros((len(x), 2, 2))]
)
def test_data_of_the_wrong_shape_are_refused(data):
    words = "values of shape", "real values of shape", "over the rows of x"
    with refused("data", *words):
        collocate(ln.Equation(u, data, on=BOX), rules=[INSIDE])
    with refused("(load|data)", *words):
        ln.solve(ln.WeakForm(MASS, load=data), TANH, ln.Galerkin(INSIDE))


def test_different_numbers_of_right_hand_sides_are_refused():
    with refused("2, 3", "right-hand sides"):
        collocate(
            ln.Equation(u, lambda x: np.ones((len(x), 2)), on=BOX),
            ln.Equation(u, lambda x: np.ones((len(x), 3)), on=BOX.boundary),
        )


def test_a_coefficient_of_the_wrong_shape_is_refused():
    k = ln.Coefficient(lambda x: x, name="kappa")
    with refused("kappa = .*2", "its values must have the shape", "over the rows of x"):
        collocate(ln.Equation(k * u, f, on=BOX), rules=[INSIDE])


TWO = ln.Equation(-ln.laplacian(u), f, on=BOX), ln.Equation(u, 0.0, on=BOX.boundary)


@pytest.mark.parametrize("weights", [(1,), (1, 2, 3), [1.0] * 25])
def test_weights_of_the_wrong_number_are_refused(weights):
    with refused("weights = ", f"{len(weights)} entries for 2 equations", "one entry per equation"):
        collocate(*TWO, weights=weights)


@pytest.mark.parametrize(
    "weights",
    [-1.0, (1, -1e-3), (1, np.nan), (np.inf, 1), (np.ones(24), 1), (1, -np.ones(16))],
    ids=["-1", "(1, -0.001)", "nan", "inf", "24 for 25", "negative array"],
)
def test_wrong_weights_are_refused(weights):
    with refused("weights = ", r"number ≥ 0 or an array of (25|16) of them", "finite weights"):
        collocate(*TWO, weights=weights)


def test_a_missing_rule_is_refused():
    with refused("rules = ", r"points on .*boundary", "equation 2, u,", "grid.100."):
        collocate(*TWO, rules=[INSIDE])
    with refused("rules = ", "equation 1, .*∂00u"):
        collocate(*TWO, rules=[EDGE])
    with refused("rules = ", r"face\('left'\)", "equation 1"):
        right = BOX.face("right").grid(5)
        collocate(ln.Equation(u, 0.0, on=BOX.face("left")), rules=[right])
    robin = ln.WeakForm(ELLIPTIC, ln.Integral(MASS, on=BOX.boundary), load=f)
    for formulation in (ln.Galerkin(GAUSS), ln.VariationalLeastSquares(GAUSS)):
        with refused("rules = ", "points on .*boundary", "integral 2"):
            ln.solve(robin, TANH, formulation)


def test_an_unused_rule_is_refused():
    with refused("rules = .*boundary.grid", "no equation is stated on", "Leave the rule out"):
        collocate(TWO[0], rules=[INSIDE, EDGE])
    with refused("rules = .*0, 2", "no equation is stated on", "Leave the rule out"):
        collocate(TWO[0], rules=[INSIDE, OTHER.grid(5)])


@pytest.mark.parametrize("make", [ln.Galerkin, ln.VariationalLeastSquares])
def test_an_unused_rule_of_a_weak_form_is_refused(make):
    with refused("rules = .*boundary", "no integral is stated on", "Leave the rule out"):
        ln.solve(ln.WeakForm(ELLIPTIC, load=f), TANH, make(GAUSS, BOX.boundary.gauss(4, order=3)))


def test_a_formulation_without_rules_is_refused():
    for make in (ln.Collocation, ln.Galerkin, ln.VariationalLeastSquares):
        with refused(r"rules = \(\)", "no points", "at least one rule"):
            make()
        with refused("rules = ", "no rule", "box.grid"):
            make(np.zeros((4, 2)))


def test_a_weak_form_for_collocation_and_the_reverse_are_refused():
    weak, strong = ln.WeakForm(ELLIPTIC, load=f), ln.StrongForm(*TWO)
    with refused("problem = .*WeakForm", "equations at points", "StrongForm", "Galerkin.rule."):
        ln.solve(weak, TANH, ln.Collocation(INSIDE))
    for formulation in (ln.Galerkin(GAUSS), ln.VariationalLeastSquares(GAUSS)):
        with refused("problem = .*StrongForm", "integrates a weak form", "Collocation.rule."):
            ln.solve(strong, TANH, formulation)


def test_what_is_no_problem_network_formulation_or_solver_is_refused():
    weak, galerkin = ln.WeakForm(MASS, load=f), ln.Galerkin(GAUSS)
    with refused("problem = ", "no problem", "StrongForm", "WeakForm"):
        ln.solve(MASS, TANH, galerkin)
    with refused("network = ", "no network", "Network.activation, neurons."):
        ln.solve(weak, TANH.theta, galerkin)
    with refused("formulation = ", "no formulation", "Galerkin.rule."):
        ln.solve(weak, TANH, GAUSS)
    with refused("solver = 'lu'", "no solver", "LU.."):
        ln.solve(weak, TANH, galerkin, "lu")


def test_an_unsymmetric_form_has_no_least_squares_form():
    convection = ELLIPTIC + ln.partial(u, 0) * v
    with refused("problem = .*∂0u·v", "needs a symmetric form", "Galerkin.rule."):
        ln.solve(ln.WeakForm(convection, load=f), TANH, ln.VariationalLeastSquares(GAUSS))
    flux = ln.Integral(-ln.normal_derivative(u) * v, on=BOX.boundary)
    rules = GAUSS, BOX.boundary.gauss(4, order=3)
    with refused("problem = ", "needs a symmetric form", "Galerkin.rule."):
        ln.solve(ln.WeakForm(ELLIPTIC, flux, load=f), TANH, ln.VariationalLeastSquares(*rules))


@pytest.mark.parametrize(
    "form",
    [
        -ELLIPTIC,
        ELLIPTIC - 2 * MASS,
        ln.partial(u, 0) * ln.partial(v, 1) + ln.partial(u, 1) * ln.partial(v, 0),
        ELLIPTIC + 2 * (ln.partial(u, 0) * v + u * ln.partial(v, 0)),  # |∂u|² + 4u∂u + u²
        Coefficient(lambda x: x[:, 0], name="sign") * MASS,
    ],
    ids=["negative", "Helmholtz", "indefinite", "coupled", "varying"],
)
def test_a_form_that_is_not_positive_has_no_least_squares_form(form):
    with refused("problem = .*smallest eigenvalue", "positive form", "Galerkin.rule."):
        ln.solve(ln.WeakForm(form, load=f), TANH, ln.VariationalLeastSquares(GAUSS))


# ------------------------------------------------------------------------------ derivatives


def test_the_laplacian_of_a_relu_1_network_is_refused_with_the_remedy():
    network = ln.Network(ln.ReLU(1), ln.neurons.fibonacci(20))
    words = (
        "order = 2",
        r"highest derivative of ReLU\(k=1\) is of order 1",
        r"ReLU\(k\) with k > 2",
    )
    with refused(*words, "Tanh", "weak form", error=SmoothnessError):
        collocate(*TWO, network=network)
    weak = ln.WeakForm(ELLIPTIC, load=f)
    assert ln.solve(weak, network.on(BOX), ln.Galerkin(GAUSS)).network.n > 10  # the remedy


def test_the_third_derivative_of_relu_2_is_refused():
    network = ln.Network(ln.ReLU(2), ln.neurons.fibonacci(20))
    third = ln.Equation(ln.partial(u, 0, 0, 1), f, on=BOX)
    words = "order = 3", r"highest derivative of ReLU\(k=2\) is of order 2", "k > 3"
    with refused(*words, error=SmoothnessError):
        collocate(third, network=network, rules=[INSIDE])
    with refused(*words, error=SmoothnessError):
        network.features(INSIDE.points, {(2, 1): 1.0})
    with refused(*words, error=SmoothnessError):
        network.combine(INSIDE.points, np.ones((network.n, 1)), [(3, 0)])
    with refused(*words, error=SmoothnessError):
        ln.solve(ln.WeakForm(MASS, load=ln.partial(v, 0, 0, 1)), network, ln.Galerkin(GAUSS))
    weak = ln.WeakForm(MASS + ln.partial(u, 0, 1, 1) * ln.partial(v, 0, 1, 1))
    with refused(*words, error=SmoothnessError):
        ln.solve(weak, network, ln.Galerkin(GAUSS))


# --------------------------------------------------------------------------------- networks


def test_a_network_for_another_dimension_is_refused():
    flat = ln.Network(ln.Tanh(), ln.neurons.circle(10))
    words = "network = .*dimension 1", "problem's domain has dimension 2", "dim=2"
    with refused(*words):
        collocate(*TWO, network=flat)
    for formulation in (ln.Galerkin(GAUSS), ln.VariationalLeastSquares(GAUSS)):
        with refused(*words):
            ln.solve(ln.WeakForm(MASS, load=f), flat, formulation)
    with refused(r"theta = \(10, 2\)", "dimension 2", "dim=2"):
        flat.on(BOX)


def test_a_network_on_another_domain_is_refused():
    elsewhere = TANH.on(OTHER)
    with refused("network = Box.0, 2", "another domain than the problem's", "box. with"):
        collocate(*TWO, network=elsewhere)
    with refused("network = Box.0, 2", "another domain than the problem's"):
        ln.solve(ln.WeakForm(MASS, load=f), elsewhere, ln.Galerkin(GAUSS))


def test_a_second_placement_on_another_domain_is_refused():
    words = "domain = Box.0, 2", "placed on Box.-1, 1, dim=2. already", "new Network"
    for place in ("on", "placed_on"):
        with refused(*words):
            getattr(TANH.on(BOX), place)(OTHER)
    assert TANH.on(BOX).on(ln.Box(-1, 1, dim=2)).n == TANH.on(BOX).n  # the same one, again


@pytest.mark.parametrize("domain", ["box", None, BOX.boundary, INSIDE], ids=str)
def test_a_placement_on_no_box_is_refused(domain):
    with refused("domain = ", "placed on a box", "Box"):
        TANH.on(domain)


def test_wrong_hidden_parameters_are_refused():
    with refused(r"theta = \(0, 3\)", "no neurons", "at least one"):
        ln.Network(ln.Tanh(), np.empty((0, 3)))
    for bad in (np.nan, np.inf):
        with refused("theta = ", "NaN or inf", "Remove"):
            ln.Network(ln.Tanh(), [[1.0, 2.0, bad]])
    for theta in (np.ones(3), np.ones((2, 1)), np.ones((2, 3, 4)), 1.0):
        with refused("theta = ", r"shape \(n, d \+ 1\)", "linnet.neurons"):
            ln.Network(ln.Tanh(), theta)
    for theta in ([[1, 2], [3]], "circle", [[1j, 1.0]], None):
        with refused("theta = ", "no array of real numbers", "linnet.neurons"):
            ln.Network(ln.Tanh(), theta)
    for activation in ("tanh", np.tanh, ln.Tanh):
        with refused("activation = ", "no activation", r"Tanh\(\)"):
            ln.Network(activation, np.ones((2, 3)))


def test_a_network_that_is_dead_on_the_domain_is_refused():
    dead = ln.Network(ln.ReLU(2), [[0.1, 0.1, -1.0], [0.0, 0.0, -1.0]])
    with refused("theta = ", "every neuron vanishes on Box", "other neurons"):
        dead.on(BOX)


def test_points_of_another_shape_are_refused():
    for x in (np.zeros(4), np.zeros((4, 3)), np.zeros((2, 2, 2))):
        with refused("x = ", r"shape \(m, 2\)", "one point a row"):
            TANH.features(x)


def test_no_refusal_comes_with_a_warning_of_numpy():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for make in (
            lambda: ln.Network(ln.Tanh(), [[1j, 1.0]]),
            lambda: ln.Network(ln.Tanh(), [[1, 2], [3]]),
            lambda: collocate(ln.Equation(u, lambda x: 1j * f(x), on=BOX), rules=[INSIDE]),
        ):
            with pytest.raises(ArgumentError):
                make()
