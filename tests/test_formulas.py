"""Formulas: the grammar, the derivatives, the meaning, and what a stranger's text can do."""

import time
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from linnet.formulas import (
    Expression,
    Formula,
    FormulaError,
    PointFunction,
    Scope,
    derivative,
    parse,
    parse_equation,
    show,
)
from linnet.formulas.functions import FUNCTIONS
from linnet.formulas.tree import CALL, NAME, NEGATIVE, NUMBER, Node

# ------------------------------------------------------------------------- trees at random

LEAVES = st.one_of(
    st.sampled_from("xy").map(lambda name: Node(NAME, name=name)),
    st.floats(0, 1e6, allow_nan=False).map(lambda value: Node(NUMBER, value=value)),
)
SMOOTH = ("sin", "cos", "exp", "tanh", "atan", "erf", "cosh")


def branches(children):
    pairs = st.tuples(children, children)
    return st.one_of(
        st.builds(Node, st.sampled_from("+-*/^"), pairs),
        children.map(lambda child: Node(NEGATIVE, (child,))),
        st.builds(lambda f, a: Node(CALL, (a,), name=f), st.sampled_from(SMOOTH), children),
        st.builds(lambda a, b: Node(CALL, (a, b), name="atan2"), children, children),
    )


TREES = st.recursive(LEAVES, branches, max_leaves=12)


@given(TREES)
@settings(max_examples=300)
def test_what_is_shown_is_read_again(tree):
    assert parse(Formula.bare(show(tree))) == tree


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-2^2", -4),
        ("2^-1", 0.5),
        ("2^3^2", 512),
        ("2**3**2", 512),
        ("8/4/2", 1),
        ("8-4-2", 2),
        ("1 - -1", 2),
        ("-x^2", -9),
        ("2e-1*1E+1", 2),
        (".5 + 1.", 1.5),
        ("max(x, 2*x) + min(x, y)", 9),
        ("step(x) + sign(-x) + step(0)", 0),
        ("atan2(x, -x)*4/pi", 3),
        ("log(e^2)", 2),
        ("sqrt(x^2 + 16)", 5),
    ],
)
def test_values(text, value):
    """At x = 3, y = 4, by hand."""
    scope = Scope(("x", "y"))
    function = PointFunction(scope.scalar(Formula.bare(text)), ("x", "y"), Formula.bare(text))
    assert function(np.array([[3.0, 4.0]])) == pytest.approx(value, rel=1e-15)


def test_a_large_formula_in_arrays_is_numpys():
    text = "exp(x)*sin(pi*y) - (1 + x^2)/(2 + cos(y)) + abs(x - y)*tanh(3*x)"
    x = np.random.default_rng(0).uniform(-1, 1, (1000, 2))
    s, t = x.T
    expected = np.exp(s) * np.sin(np.pi * t) - (1 + s**2) / (2 + np.cos(t))
    expected = expected + np.abs(s - t) * np.tanh(3 * s)
    np.testing.assert_allclose(function(text)(x), expected, rtol=1e-15, atol=1e-15)


def function(text, names=("x", "y")):
    formula = Formula.bare(text)
    return PointFunction(Scope(names).scalar(formula), names, formula)


# ------------------------------------------------------------------------- derivatives


@given(TREES, st.sampled_from("xy"), st.floats(-1, 1), st.floats(-1, 1))
@settings(max_examples=300)
def test_derivatives_are_those_of_finite_differences(tree, name, x, y):
    f = PointFunction(tree, ("x", "y"), Formula.bare("f"))
    slope = PointFunction(derivative(tree, name), ("x", "y"), Formula.bare("f"))
    h = 1e-3
    step = np.array([h, 0.0]) if name == "x" else np.array([0.0, h])
    point = np.array([x, y])
    try:
        far, near = (
            (f((point + k * step)[None])[0] - f((point - k * step)[None])[0]) / (2 * k * h)
            for k in (2, 1)
        )
        right = (f((point + step)[None])[0] - f(point[None])[0]) / h
        exact = slope(point[None])[0]
    except FormulaError:  # not defined there
        assume(False)
    size = max(1.0, abs(near), float(np.abs(f(point[None])[0])) / h * 1e-10)
    assume(abs(far - near) < 1e-4 * size)  # smooth at this scale,
    assume(abs(right - near) < 0.1 * size)  # without a kink in the middle
    assert exact == pytest.approx((4 * near - far) / 3, abs=1e-3 * size)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_functions_derivative(name):
    """Central differences at a point inside every function's domain."""
    names = ("x", "y")
    arguments = "(0.3 + 0.2*x, 0.5 + 0.1*x)" if FUNCTIONS[name].arity == 2 else "(0.3 + 0.2*x)"
    f = function(name + arguments, names)
    x = np.array([[0.4, 0.0]])
    h = np.array([[1e-5, 0.0]])
    differences = (f(x + h) - f(x - h)) / 2e-5
    np.testing.assert_allclose(f.partial("x")(x), differences, rtol=1e-8, atol=1e-9)


def test_higher_derivatives_of_known_functions():
    u = function("sin(2*x)*exp(3*y)")
    x = np.random.default_rng(1).uniform(-1, 1, (50, 2))
    np.testing.assert_allclose(u.derivative((4, 2))(x), 16 * 9 * u(x), rtol=1e-12)
    gradient = np.stack([2 * np.cos(2 * x[:, 0]) * np.exp(3 * x[:, 1]), 3 * u(x)], axis=1)
    np.testing.assert_allclose(u.gradient(x), gradient, rtol=1e-14)


# ------------------------------------------------------------------------- meaning


def meaning(text, **more):
    scope = Scope(("x", "y"), {"x1": 0, "x2": 1}, "u", **more)
    return scope.meaning(Formula.bare(text), boundary=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("div((1 + x^2)*grad(u))", "(1 + x^2)*laplacian(u) + 2*x*dx(u)"),
        ("laplacian(x*y*u)", "x*y*laplacian(u) + 2*y*dx(u) + 2*x*dy(u)"),
        ("dot([y, -x], grad(u))", "y*dx(u) - x*dy(u)"),
        ("dn(u)", "dot(normal, grad(u))"),
        ("d(u, x1, x2)", "dxy(u)"),
        ("laplacian(laplacian(u))", "d(u,x,x,x,x) + 2*d(u,x,x,y,y) + d(u,y,y,y,y)"),
        ("(u + 1)*x - x", "x*u"),
        ("dx(u)/2", "0.5*dx(u)"),
        ("--u", "u"),
    ],
)
def test_identities_of_operators(one, other):
    x = np.random.default_rng(2).uniform(-1, 1, (20, 2))
    left, right = values(meaning(one), x), values(meaning(other), x)
    assert set(left) == set(right)
    for key in left:
        np.testing.assert_allclose(left[key], right[key], rtol=1e-13, atol=1e-13)


def values(expression, x):
    assert isinstance(expression, Expression)
    formula = Formula.bare("")
    found = {k: PointFunction(c, ("x", "y"), formula)(x) for k, c in expression.terms.items()}
    return {key: value for key, value in found.items() if np.abs(value).max() > 1e-14}


def test_functions_may_use_one_another():
    functions = {"a": Formula.bare("b^2"), "b": Formula.bare("1 + x")}
    tree = Scope(("x",), functions=functions).scalar(Formula.bare("a*b"))
    np.testing.assert_allclose(
        PointFunction(tree, ("x",), Formula.bare(""))(np.array([[1.0]])), [8.0]
    )


def test_both_sides_of_an_equation():
    left, right = parse_equation(Formula.bare("-laplacian(u) = f"))
    assert show(left) == "-laplacian(u)"
    assert show(right) == "f"
    assert parse_equation(Formula.bare("u"))[1] is None


# ------------------------------------------------------------------------- refusals

WRONG = [
    ("u*u", 1, "multiplies the unknown by itself"),
    ("1 + u^2", 5, "a power of the unknown is not linear"),
    ("sin(u)", 1, "sin's argument contains the unknown"),
    ("x/u", 1, "the divisor contains the unknown"),
    ("2 + sn(x)", 5, "unknown function 'sn'. Did you mean 'sin'"),
    ("2 + w", 5, "unknown name 'w'. Define it under"),
    ("lapacian(u)", 1, "Did you mean 'laplacian'"),
    ("(1 + x", 1, "this '\\(' is never closed"),
    ("(1 + [x, y)", 11, "expected ']', found '\\)'"),
    ("1 + x)", 6, "closes nothing"),
    ("2x", 2, "Write a product as 2\\*x"),
    ("x y", 3, "Write a product as x\\*y"),
    ("x²", 2, "unknown. Write \\^2"),
    ("1 +", 4, "found the end of the formula"),
    ("", 1, "found the end of the formula"),
    ("x = 1", 3, "no equation here"),
    ("1e999", 1, "too large for double precision"),
    ("9^9^9^9", 3, "too large for double precision"),
    ("exp(1e6)", 1, "too large for double precision"),
    ("1/0", 1, "divides by zero"),
    ("sqrt(-1)", 1, "has no value"),
    ("sin", 1, "'sin' is a function"),
    ("sin(x, y)", 1, "sin takes 1 argument, not 2"),
    ("x(y)", 1, "'x' takes no arguments"),
    ("d(u, 2)", 6, "with respect to a coordinate"),
    ("grad(u) + 1", 1, "must be a vector"),
    ("grad(u)*grad(u)", 1, r"multiplies two vectors. Write dot\(a, b\)"),
    ("dot([1, 2, 3], grad(u))", 1, "3 entries, and there are 2 coordinates"),
    ("__import__('os')", 12, 'the character "\'" is unknown'),
    ("x.__class__", 2, "the character '.' is unknown"),
    ("(1, 2)", 3, "square brackets"),
]


@pytest.mark.parametrize(("text", "column", "message"), WRONG)
def test_refusals_name_the_column(text, column, message):
    with pytest.raises(FormulaError, match=message) as caught:
        meaning(text)
    assert caught.value.column == column
    assert str(caught.value).endswith("^")


def test_the_normal_is_refused_inside():
    with pytest.raises(FormulaError, match="exists on the boundary only"):
        Scope(("x",), unknown="u").meaning(Formula.bare("dn(u)"))


def test_a_circle_of_functions_is_refused():
    functions = {"f": Formula.bare("g"), "g": Formula.bare("1 + f")}
    with pytest.raises(FormulaError, match="defined by itself"):
        Scope(("x",), functions=functions).own("f")


def test_values_that_are_not_finite_name_the_point():
    with pytest.raises(FormulaError, match=r"the value is inf at x = 0, y = 2"):
        function("1/x")(np.array([[1.0, 2.0], [0.0, 2.0]]))


# ------------------------------------------------------------------------- a stranger's text

ALPHABET = "xyuf0123456789.+-*/^()[],= \t\neEsincodgralp'\"_;:{}é²π\\"
SECONDS = 20.0  # for what takes about three here, on a machine that others use as well


@given(st.text(alphabet=ALPHABET, max_size=60) | st.text(max_size=30))
@settings(max_examples=500)
def test_random_text_raises_nothing_but_formula_errors(text):
    scope = Scope(("x", "y"), {}, "u", functions={"f": Formula.bare("x + 1")})
    with suppress(FormulaError):
        left, right = parse_equation(Formula.bare(text))
        for side in (left, right):
            if side is not None:
                scope.meaning_of(side, Formula.bare(text))


WORDS = ["sin(", "laplacian(", "grad(", "div(", "dot(", "d(", "dn(", "(", ")", "[", "]", ",",
         "x", "y", "u", "2", "+", "-", "*", "/", "^", "normal", "f"]  # fmt: skip


@given(st.lists(st.sampled_from(WORDS), max_size=25))
@settings(max_examples=500)
def test_random_words_raise_nothing_but_formula_errors(words):
    scope = Scope(("x", "y"), {}, "u", functions={"f": Formula.bare("x + 1")})
    with suppress(FormulaError):
        scope.meaning(Formula.bare("".join(words)), boundary=True)


HEAVY = {
    "deep": "(" * 1900 + "x" + ")" * 1900,
    "signs": "-" * 3900 + "x",
    "exponents": "^".join(["9"] * 1000),
    "tower": "x" + "^x" * 1000,
    "long sum": "+".join(["x"] * 1900),
    "derivatives": "laplacian(" * 20 + "sin(x*y)*exp(x*cos(y))" + ")" * 20,
    "product": "laplacian(" * 4 + "*".join(["sin(x*y + exp(x))"] * 200) + "*u" + ")" * 4,
    "nested": "laplacian(" * 3 + "sin(" * 40 + "x*y" + ")" * 43,
    "digits": "9" * 4000,
    "longer than allowed": "x" * 100_000,
}


@pytest.mark.parametrize("name", HEAVY)
def test_nothing_hangs(name):
    started = time.process_time()
    with suppress(FormulaError):
        value = meaning(HEAVY[name])
        for c in value.terms.values():
            PointFunction(c, ("x", "y"), Formula.bare("f"))(np.full((10, 2), 0.5))
    assert time.process_time() - started < SECONDS


def test_functions_that_double_stay_small():
    """f50 has 2^50 leaves as a text, and 50 nodes as what it is."""
    functions = {f"f{i}": Formula.bare(f"f{i - 1} + f{i - 1}") for i in range(1, 50)}
    functions["f0"] = Formula.bare("x")
    scope = Scope(("x",), functions=functions)
    tree = scope.scalar(Formula.bare("f49"))
    assert PointFunction(tree, ("x",), Formula.bare(""))(np.array([[1.0]]))[0] == 2.0**49
    assert (
        PointFunction(derivative(tree, "x"), ("x",), Formula.bare(""))(np.zeros((1, 1)))[0]
        == 2.0**49
    )


def test_a_message_shows_the_right_piece_of_a_long_line():
    text = "x + " * 60 + "wrong + " + "x + " * 60 + "x"
    with pytest.raises(FormulaError) as caught:
        meaning(text)
    line, carets = str(caught.value).split("\n")[-2:]
    assert line[carets.index("^") :].startswith("wrong")
    assert len(line) < 120
