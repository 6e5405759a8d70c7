"""Problems: what they hold, and everything that is refused, with the words that help."""

import numpy as np
import pytest

import linnet as ln
from linnet.data import data_values
from linnet.errors import AlgebraError, ArgumentError, SmoothnessError
from linnet.rules import Nodes

BOX, OTHER, BRICK = ln.Box(-1, 1, dim=2), ln.Box(0, 2, dim=2), ln.Box(-1, 1, dim=3)
u, v = ln.trial(BOX), ln.test(BOX)
TANH = ln.Network(ln.Tanh(), ln.neurons.fibonacci(20, radius=2))
INSIDE, EDGE, GAUSS = BOX.grid(5), BOX.boundary.grid(5), BOX.gauss(4, order=3)
MASS = u * v
ELLIPTIC = ln.dot(ln.grad(u), ln.grad(v)) + u * v


def f(x):
    return np.sin(x[:, 0])


def collocate(*equations, network=TANH, rules=(INSIDE, EDGE), **options):
    return ln.solve(ln.StrongForm(*equations), network, ln.Collocation(*rules, **options))


def refused(*words, error=ArgumentError):
    """The refusal whose message holds all the words, in this order."""
    return pytest.raises(error, match=".*".join(words))


# ------------------------------------------------------------------------- what problems are


def test_a_strong_form_knows_its_domain_and_order():
    problem = ln.StrongForm(
        ln.Equation(-ln.laplacian(u) + u, f, on=BOX),
        ln.Equation(ln.normal_derivative(u), 0.0, on=BOX.face("left")),
        ln.Equation(u, f, on=BOX.face("right", "top")),
        exact=f,
    )
    assert problem.domain == BOX
    assert problem.order == 2
    assert problem.exact is f
    assert [equation.on for equation in problem.equations][1] == BOX.face("left")


def test_a_weak_form_knows_its_domain_order_and_symmetry():
    robin = ln.Integral(3 * u * v, load=f, on=BOX.face("left"))
    problem = ln.WeakForm(ELLIPTIC, robin, load=f)
    assert problem.domain == BOX
    assert problem.order == 1
    assert problem.symmetric
    assert problem.form == ELLIPTIC
    assert [integral.on for integral in problem.integrals] == [BOX, BOX.face("left")]
    nitsche = -ln.normal_derivative(u) * v
    assert not ln.WeakForm(ELLIPTIC, ln.Integral(nitsche, on=BOX.boundary)).symmetric
    both = nitsche - u * ln.normal_derivative(v)
    assert ln.WeakForm(ELLIPTIC, ln.Integral(both, on=BOX.boundary)).symmetric
    assert ln.WeakForm(MASS, load=ln.laplacian(v)).order == 2  # the load differentiates, too


def test_loads_are_data_on_derivatives_of_the_test_function():
    zero = (0, 0)
    assert ln.Integral(MASS, on=BOX).loads() == {}
    assert ln.Integral(MASS, load=f, on=BOX).loads() == {zero: f}
    assert ln.Integral(MASS, load=2.0, on=BOX).loads() == {zero: 2.0}
    g = ln.Coefficient(f)
    load = g * (5 * v - ln.partial(v, 1))
    assert ln.Integral(MASS, load=load, on=BOX).loads() == {zero: 5 * g, (0, 1): -g}


def test_periodicity_is_one_equation_per_order():
    first, second = ln.periodic(u, 1)
    assert first.operator == u
    assert second.operator == ln.partial(u, 1)
    assert first.on == BOX.periodic(1)
    assert [e.operator for e in ln.periodic(u, 0, order=4)][3] == ln.partial(u, 0, 0, 0)
    flux = 2 * u + ln.partial(u, 1)
    assert [e.operator for e in ln.periodic(flux, 0)] == [flux, ln.partial(flux, 0)]


def test_data_of_every_kind_have_values():
    x = np.random.default_rng(0).uniform(-1, 1, (6, 2))
    normals = np.tile([0.0, 1.0], (6, 1))
    nodes = Nodes(x, np.ones(6), normals)
    np.testing.assert_array_equal(data_values(f, nodes, 0, "data"), f(x)[:, None])
    np.testing.assert_array_equal(data_values(2, nodes, 0, "data"), np.full((6, 1), 2.0))
    np.testing.assert_array_equal(data_values(lambda x: 3, nodes, 0, "data"), np.full((6, 1), 3.0))
    np.testing.assert_array_equal(data_values(lambda x: x, nodes, 0, "data"), x)  # two at once
    measured = np.arange(20.0)
    np.testing.assert_array_equal(data_values(measured, nodes, 8, "data")[:, 0], measured[8:14])
    n1 = ln.normal(BOX)[1]
    np.testing.assert_array_equal(data_values(ln.Coefficient(f) * n1, nodes, 0, "data")[:, 0], f(x))


def test_what_is_meant_is_accepted():
    points = ln.Points(np.zeros((3, 2)))
    for equation in (
        ln.Equation(u, on=BOX),
        ln.Equation(u, np.float32(2), on=BOX),
        ln.Equation(u, ln.Coefficient(f), on=BOX.boundary),
        ln.Equation(u, np.ones(3), on=points),
        ln.Equation(ln.partial(u, 0), np.ones((3, 4)), on=points),
        ln.Equation(ln.normal_derivative(u), 0.0, on=BOX.periodic(0)),
    ):
        assert ln.StrongForm(equation).domain == BOX


# ----------------------------------------------------------------------- equations, refused


def test_what_is_no_operator_is_refused():
    with refused("operator = u·v", "linear operator on the trial function", error=AlgebraError):
        ln.Equation(u * v, f, on=BOX)
    with refused("operator = .*function f", "linear operator", "trial", error=AlgebraError):
        ln.Equation(f, f, on=BOX)
    with refused(
        "operator = v", "acts on a test function", r"u = trial\(box\)", error=AlgebraError
    ):
        ln.Equation(v, f, on=BOX)


@pytest.mark.parametrize("on", ["left", None, INSIDE, [BOX]], ids=str)
def test_what_is_no_part_is_refused(on):
    with refused("on = ", "no part of a domain", "box.boundary"):
        ln.Equation(u, f, on=on)
    with refused("on = ", "no part of a domain", "box.boundary"):
        ln.WeakForm(MASS, ln.Integral(load=f, on=on))


def test_another_dimension_is_refused():
    for on in (BRICK, BRICK.boundary, ln.Points(np.zeros((4, 3))), BRICK.periodic(2)):
        with refused("on = ", "it has dimension 3, and the operator dimension 2"):
            ln.Equation(u, f, on=on)
    with refused("on = ", "it has dimension 3"):
        ln.Integral(MASS, on=BRICK)


@pytest.mark.parametrize("part", [OTHER, OTHER.boundary, OTHER.face("left"), OTHER.periodic(0)])
def test_another_domain_is_refused(part):
    words = "on = ", "another domain than the unknown", r"Box\(-1, 1, dim=2\)"
    with refused(*words):
        ln.Equation(u, f, on=part)
    if part != OTHER.periodic(0):
        with refused(*words):
            ln.Integral(MASS, on=part)
        with refused(*words):
            ln.WeakForm(MASS, ln.Integral(load=f, on=part))  # no form that says its domain


def test_equations_on_two_domains_are_refused():
    there = ln.Equation(ln.trial(OTHER), f, on=OTHER)
    with refused("equations = Box.0, 2", "first expression lives on", "from one domain"):
        ln.StrongForm(ln.Equation(u, f, on=BOX), there)
    elsewhere = ln.Integral(ln.trial(OTHER) * ln.test(OTHER), on=OTHER.boundary)
    with refused("boundary = Box.0, 2", "first expression lives on"):
        ln.WeakForm(MASS, elsewhere)
    with refused("on = ", "another domain than the unknown"):
        ln.WeakForm(MASS, load=ln.test(OTHER))


def test_the_normal_in_the_interior_is_refused():
    words = "on = Box", "outward normal exists on the boundary only", "on=box.boundary"
    with refused(*words, error=SmoothnessError):
        ln.Equation(ln.normal_derivative(u), 0.0, on=BOX)
    with refused(*words, error=SmoothnessError):
        ln.WeakForm(ELLIPTIC + ln.normal_derivative(u) * v)
    with refused(*words, error=SmoothnessError):
        ln.WeakForm(ELLIPTIC, load=ln.normal_derivative(v))
    with refused("the interior", "does not exist there", "on a boundary"):
        collocate(ln.Equation(u, ln.normal(BOX)[0], on=BOX), rules=[INSIDE])
    with refused("the interior", "does not exist there"):  # bare points have no normals
        collocate(
            ln.Equation(ln.normal_derivative(u), 0.0, on=ln.Points(np.ones((2, 2)))),
            ln.Equation(u, f, on=BOX),
            rules=[INSIDE],
        )


@pytest.mark.parametrize("data", [np.nan, np.inf, 1j, None, "f", [1.0, 2.0], np.float64("nan")])
def test_data_that_can_be_no_right_hand_side_are_refused(data):
    with refused("data = ", "finite number, a function of the points or a Coefficient"):
        ln.Equation(u, data, on=BOX)
    with refused("load = ", "finite number, a function of the points or a Coefficient"):
        ln.WeakForm(MASS, load=data)


def test_an_array_of_data_needs_as_many_points():
    words = "an array of values goes with an equation on as many given points", "Points"
    with refused(r"data = \(4,\)", *words):
        ln.Equation(u, np.ones(4), on=ln.Points(np.zeros((3, 2))))
    with refused(r"data = \(25,\)", *words):
        ln.Equation(u, np.ones(25), on=BOX)


def test_a_strong_form_of_something_else_is_refused():
    with refused(r"equations = \(\)", "nothing to solve", "at least one equation"):
        ln.StrongForm()
    for wrong in (u, [ln.Equation(u, f, on=BOX)], f):
        with refused("equations = ", "made of equations", "Equation.operator, data, on=part."):
            ln.StrongForm(wrong)


def test_a_weak_form_of_something_else_is_refused():
    for wrong in (u, v, None, 1.0, f, ln.Equation(u, f, on=BOX)):
        with refused("form = ", "bilinear", "dot.grad.u., grad.v..", error=AlgebraError):
            ln.WeakForm(wrong, load=f)
    with refused("form = u", "bilinear", error=AlgebraError):
        ln.Integral(u, on=BOX)
    with refused("boundary = ", "boundary terms are integrals", "Integral.form, load"):
        ln.WeakForm(MASS, u * v)
    with refused(
        "load = 2·u", "linear in the test function", r"v = test\(box\)", error=AlgebraError
    ):
        ln.WeakForm(MASS, load=2 * u)


@pytest.mark.parametrize("on", [BOX.periodic(0), ln.Points(np.zeros((3, 2)))], ids=repr)
def test_integrals_over_pairs_and_points_are_refused(on):
    with refused("on = ", "an integral lives on the box or on faces", "StrongForm"):
        ln.Integral(MASS, on=on)


def test_operators_elsewhere_than_on_a_box_are_refused():
    w = ln.trial(ln.Points(np.zeros((3, 2))))
    with refused("domain = Points", "solved on boxes"):
        ln.Equation(w, f, on=ln.Points(np.zeros((3, 2))))


def test_several_components_are_refused():
    words = "several components are not solved for yet", "scalar problem"
    second, test = ln.trial(BOX, component=1), ln.test(BOX, component=1)
    for make in (
        lambda: ln.Equation(second, f, on=BOX),
        lambda: ln.Equation(u + second, f, on=BOX),
        lambda: ln.WeakForm(u * v + second * test),
        lambda: ln.WeakForm(second * v),
        lambda: ln.WeakForm(u * v, load=test),
        lambda: ln.Integral(load=v + test, on=BOX.boundary),
    ):
        with refused(*words):
            make()


def test_complex_problems_are_refused():
    words = "complex problems are not solved yet", "real"
    phase = ln.Coefficient(lambda x: np.exp(1j * x[:, 0]), name="phase")
    for make in (
        lambda: ln.Equation(1j * u, f, on=BOX),
        lambda: ln.Equation(ln.laplacian(u) + (1 + 2j) * u, f, on=BOX),
        lambda: ln.WeakForm(1j * u * v, load=f),
        lambda: ln.WeakForm(MASS, load=1j * v),
        lambda: ln.Integral(1j * u * v, on=BOX.boundary),
        lambda: collocate(ln.Equation(phase * u, f, on=BOX), rules=[INSIDE]),
        lambda: ln.solve(ln.WeakForm(phase * u * v), TANH, ln.Galerkin(GAUSS)),
    ):
        with refused(*words):
            make()
    for data in (lambda x: 1j * x[:, 0], ln.Coefficient(1j)):
        with refused("data of equation 1|data", "complex128", "real values"):
            collocate(ln.Equation(u, data, on=BOX), rules=[INSIDE])
    with refused("complex128", "real values"):
        ln.fit(lambda x: 1j * x[:, 0], TANH, INSIDE)
