"""Coefficients: arithmetic on data agrees with arithmetic on values, and carries the gradient."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import linnet as ln
from linnet.coefficients import NormalComponent, normal_component
from linnet.errors import AlgebraError, ArgumentError, SmoothnessError

X = np.random.default_rng(5).uniform(-1, 1, (7, 2))
NORMALS = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0], [1.0, 0.0], [0, 1], [-1, 0]])


def conductivity(x):
    return 1 + x[:, 0] ** 2


p = ln.Coefficient(
    conductivity, grad=lambda x: np.stack([2 * x[:, 0], 0 * x[:, 1]], axis=1), name="p"
)
q = ln.Coefficient(lambda x: x[:, 0] * x[:, 1], grad=lambda x: x[:, ::-1], name="q")
s = ln.Coefficient(
    lambda x: np.sin(x[:, 0] + 2 * x[:, 1]),
    grad=lambda x: np.cos(x[:, 0] + 2 * x[:, 1])[:, None] * np.array([1.0, 2.0]),
    name="s",
)
MADE_OF = {"p": p, "q": q, "s": s}


def true_jet(name):
    """Value and gradient at X of an atom, without linnet."""
    x, y = X.T
    return {
        "p": (1 + x**2, np.stack([2 * x, 0 * y])),
        "q": (x * y, np.stack([y, x])),
        "s": (np.sin(x + 2 * y), np.cos(x + 2 * y) * np.array([[1.0], [2.0]])),
    }[name]


@st.composite
def expressions(draw, depth=3):
    """A coefficient and, computed beside it by the rules of calculus, its values and gradient."""
    kind = draw(st.sampled_from(["atom", "number"] if depth == 0 else ["atom", "+", "-", "*", "/"]))
    if kind == "atom":
        name = draw(st.sampled_from(sorted(MADE_OF)))
        return MADE_OF[name], *true_jet(name)
    if kind == "number":
        c = draw(st.integers(-3, 3))
        return ln.Coefficient(c), np.full(7, float(c)), np.zeros((2, 7))
    a, va, ga = draw(expressions(depth - 1))
    if kind == "/":
        c = draw(st.sampled_from([-2, 0.5, 4]))
        return a / c, va / c, ga / c
    b, vb, gb = draw(expressions(depth - 1))
    if kind == "+":
        return a + b, va + vb, ga + gb
    if kind == "-":
        return a - b, va - vb, ga - gb
    return a * b, va * vb, va * gb + vb * ga


@given(expressions())
def test_values_and_gradients_follow_the_rules_of_calculus(case):
    c, values, slopes = case
    size = 1 + abs(values).max() + abs(slopes).max()
    np.testing.assert_allclose(c(X), values, rtol=0, atol=1e-12 * size)
    for axis in range(2):
        np.testing.assert_allclose(c.derivative(axis)(X), slopes[axis], rtol=0, atol=1e-12 * size)


@given(expressions(2), expressions(2), expressions(2))
def test_coefficients_form_a_commutative_ring(first, second, third):
    (a, *_), (b, *_), (c, *_) = first, second, third  # small integers and dyadics: no roundoff
    assert a + b == b + a
    assert a * b == b * a
    assert (a + b) + c == a + (b + c)
    assert (a * b) * c == a * (b * c)
    assert a * (b + c) == a * b + a * c
    assert a - a == ln.Coefficient(0)
    assert a + 0 == 0 + a == a * 1 == 1 * a == a
    assert 0 * a == ln.Coefficient(0)
    assert 2 - a == -(a - 2)
    assert a**3 == a * a * a
    assert a**0 == ln.Coefficient(1)


@given(expressions(2), expressions(2), st.integers(0, 1))
def test_product_rule_on_data(first, second, axis):
    a, b = first[0], second[0]
    assert (a * b).derivative(axis) == a.derivative(axis) * b + a * b.derivative(axis)
    assert (3 * a - b).derivative(axis) == 3 * a.derivative(axis) - b.derivative(axis)


def test_the_same_derivative_asked_for_twice_is_the_same():
    assert p.derivative(0) == p.derivative(0)
    assert p.derivative(0) != p.derivative(1)
    assert p.derivative(0) != q.derivative(0)


def test_two_functions_are_two_atoms_even_if_they_are_one_function():
    f = conductivity
    assert ln.Coefficient(f) != ln.Coefficient(f)  # who knows what it reads
    assert ln.Coefficient(f) - ln.Coefficient(f) != ln.Coefficient(0)


def test_constants_know_that_they_are():
    assert ln.Coefficient(2.5).constant == 2.5
    assert ln.Coefficient(0).constant == 0.0
    assert (p - p).constant == 0.0
    assert (p - p + 3).constant == 3.0
    assert p.constant is None
    assert (p + 3).constant is None
    assert ln.Coefficient(np.float32(0.5)).constant == 0.5
    assert ln.Coefficient(2 + 0j).constant == 2.0
    assert not isinstance(ln.Coefficient(2 + 0j).constant, complex)
    assert ln.Coefficient(1j).constant == 1j  # room for complex values
    np.testing.assert_array_equal(ln.Coefficient(1j)(X), np.full(7, 1j))


def test_a_function_may_return_one_number():
    np.testing.assert_array_equal(ln.Coefficient(lambda x: 2.0)(X), np.full(7, 2.0))


def test_values_of_no_points():
    assert p(X[:0]).shape == (0,)
    assert (p * q + 1)(X[:0]).shape == (0,)


def test_the_normal_is_a_coefficient_on_boundaries():
    n0, n1 = normal_component(0), normal_component(1)
    assert n0 == normal_component(0)
    assert n0 != n1
    np.testing.assert_array_equal((n0 * n0 + n1 * n1)(X, NORMALS), np.ones(7))
    np.testing.assert_array_equal((p * n1)(X, NORMALS), p(X) * NORMALS[:, 1])


def test_it_reads_as_it_was_written():
    assert repr(ln.Coefficient(0)) == "0"
    assert repr(2 * p * q + 1) == "2·p·q + 1"
    assert repr(p.derivative(1)) == "∂1p"
    assert "sine" in repr(ln.Coefficient(lambda x: x, name="sine"))


# --------------------------------------------------------------------------------- refusals


def test_a_derivative_that_was_not_given_is_refused():
    bare = ln.Coefficient(conductivity)
    message = r"conductivity.*no gradient was given.*grad=.*points \(m, d\) to values \(m, d\)"
    with pytest.raises(SmoothnessError, match=message):
        bare.derivative(0)
    with pytest.raises(SmoothnessError, match=message):
        (2 * p * bare).derivative(1)
    assert (2 * p + 0 * bare).derivative(0) == 2 * p.derivative(0)  # not needed, not asked for


def test_a_second_derivative_is_refused():
    with pytest.raises(SmoothnessError, match=r"∂0p.*only the gradient is known.*Expand"):
        p.derivative(0).derivative(0)


def test_a_normal_has_no_derivative():
    with pytest.raises(SmoothnessError, match=r"n1.*no derivative across.*Differentiate first"):
        normal_component(1).derivative(0)


def test_a_normal_is_refused_in_the_interior():
    with pytest.raises(ArgumentError, match=r"the interior.*does not exist there.*boundary"):
        normal_component(0)(X)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_the_point_where_a_value_is_not_finite_is_named(bad):
    def f(x):
        return np.where(np.arange(len(x)) == 4, bad, x[:, 0])

    with pytest.raises(ArgumentError) as caught:
        ln.Coefficient(f, name="eps")(X)
    assert str(X[4].tolist()) in str(caught.value)
    assert str(X[3].tolist()) not in str(caught.value)
    for words in ("eps", str(bad), "not finite at the point", "rule without that point"):
        assert words in str(caught.value)


def test_the_point_where_a_gradient_is_not_finite_is_named():
    broken = ln.Coefficient(
        conductivity, grad=lambda x: np.where(x == X[2, 0], np.nan, x), name="p"
    )
    with pytest.raises(ArgumentError, match=r"∂1p.*not finite at the point") as caught:
        broken.derivative(1)(X)
    assert str(X[2].tolist()) in str(caught.value)


@pytest.mark.parametrize(
    "f", [lambda x: x, lambda x: x[:, :1], lambda x: x[:3, 0], lambda x: x[None, :, 0]]
)
def test_values_of_the_wrong_shape_are_refused(f):
    with pytest.raises(ArgumentError, match=r"eps = \(.*points of shape \(7, 2\).*shape \(7,\)"):
        ln.Coefficient(f, name="eps")(X)


def test_a_gradient_of_the_wrong_shape_is_refused():
    c = ln.Coefficient(conductivity, grad=lambda x: 2 * x[:, 0], name="p")
    with pytest.raises(ArgumentError, match=r"∂0p = \(7,\).*must have the shape \(7, 2\)"):
        c.derivative(0)(X)


def test_complex_values_of_a_function_are_refused():
    with pytest.raises(ArgumentError, match=r"wave.*complex problems are not solved yet"):
        ln.Coefficient(lambda x: np.exp(1j * x[:, 0]), name="wave")(X)


@pytest.mark.parametrize("value", ["1", None, np.ones(7), [1.0, 2.0]])
def test_what_is_no_coefficient_is_refused(value):
    with pytest.raises(ArgumentError, match=r"value = .*number or a function of the points.*Give"):
        ln.Coefficient(value)


@pytest.mark.parametrize("value", [np.nan, np.inf, complex(0, np.nan)])
def test_numbers_that_are_not_finite_are_refused(value):
    with pytest.raises(ArgumentError, match=r"value = .*not a finite number"):
        ln.Coefficient(value)
    with pytest.raises(ArgumentError, match=r"value = .*not a finite number"):
        p * value


def test_a_gradient_that_is_no_function_is_refused():
    with pytest.raises(ArgumentError, match=r"grad = .*no function.*\(m, d\) to \(m, d\)"):
        ln.Coefficient(conductivity, grad=np.ones(2))


def test_a_division_that_is_no_data_is_refused():
    for divide in (lambda: p / q, lambda: 1 / p, lambda: p / np.ones(3)):
        with pytest.raises(AlgebraError, match=r"only a division by a number.*Coefficient"):
            divide()
    with pytest.raises(ArgumentError, match=r"divisor = 0.*nonzero"):
        p / 0


@pytest.mark.parametrize("exponent", [-1, 0.5, "2"])
def test_a_power_that_is_no_data_is_refused(exponent):
    with pytest.raises(AlgebraError, match=r"exponent = .*whole powers from 0 on.*Coefficient"):
        p**exponent
    assert p ** np.int64(2) == p * p


def test_a_normal_is_an_atom_of_its_own_kind():
    ((atom,),) = normal_component(1).terms
    assert isinstance(atom, NormalComponent)
    assert atom.axis == 1
