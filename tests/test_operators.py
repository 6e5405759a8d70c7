"""The algebra's laws: operators and forms are equal as data where they are equal in mathematics.

All coefficients are small whole numbers times functions, so that no law is blurred by roundoff.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import linnet as ln
from linnet.algebra import Form, Operator, Role, Vector
from linnet.errors import SmoothnessError

DIM = 2
BOX = ln.Box(-1, 1, dim=DIM)
u, v = ln.trial(BOX), ln.test(BOX)


def coefficient(name):
    """A function whose gradient is known by name only: the laws hold before any value is taken."""
    return ln.Coefficient(lambda x: x[:, 0], grad=lambda x: x, name=name)


a, b, c = (coefficient(name) for name in "abc")
few = settings(max_examples=50)
numbers = st.integers(-3, 3)
functions = st.sampled_from([a, b, c, a * b, a + 2, 3 * c - b])
indices = st.tuples(*[st.integers(0, 2)] * DIM)


def derivative(w, alpha):
    """D^α w."""
    return ln.partial(w, *(axis for axis, times in enumerate(alpha) for _ in range(times)))


@st.composite
def operators(draw, role=u):
    """A sum of terms s·f·D^α."""
    terms = draw(st.lists(st.tuples(numbers, st.none() | functions, indices), max_size=3))
    total = 0 * role
    for s, f, alpha in terms:
        total = total + s * (1 if f is None else f) * derivative(role, alpha)
    return total


@st.composite
def forms(draw):
    """A sum of products of operators on u and on v."""
    pairs = draw(st.lists(st.tuples(operators(u), operators(v)), max_size=2))
    total = 0 * (u * v)
    for left, right in pairs:
        total = total + left * right
    return total


def swapped(form):
    """The form with u and v exchanged."""
    return Form(form.domain, {(j, y, i, x): e for (i, x, j, y), e in form.terms.items()})


# ------------------------------------------------------------------------------- operators


@given(operators(), operators(), operators())
@few
def test_operators_are_a_commutative_group(L, M, N):
    assert L + M == M + L
    assert (L + M) + N == L + (M + N)
    zero, negative = 0 * u, -L
    assert L + negative == L - L == zero
    assert L - M == -(M - L)
    assert -negative == L
    assert L + zero == L


@given(operators(), operators(), functions, functions, numbers)
@few
def test_operators_are_a_module_over_the_coefficients(L, M, f, g, s):
    assert f * (L + M) == f * L + f * M
    assert (f + g) * L == f * L + g * L
    assert (f * g) * L == f * (g * L)
    assert s * (f * L) == f * (s * L) == (s * f) * L
    assert L * f == f * L
    assert L * s == s * L
    assert (4 * L) / 4 == L
    assert 1 * L == L


@given(operators(), operators(), functions, numbers, st.integers(0, DIM - 1))
@few
def test_a_derivative_is_linear_and_obeys_the_product_rule(L, M, f, s, axis):
    def d(e):
        return ln.partial(e, axis)

    linear = only_differentiable(L + M)
    if linear is None:
        return
    assert d(L + s * M) == d(L) + s * d(M)
    flat = constant_part(L)
    assert d(f * flat) == f * d(flat) + d(f) * flat


def only_differentiable(L):
    """The operator, if no coefficient of it has been differentiated already."""
    try:
        for axis in range(DIM):
            ln.partial(L, axis)
    except SmoothnessError:
        return None
    return L


def constant_part(L):
    """The terms of an operator whose coefficients are numbers."""
    kept = {alpha: e for alpha, e in L.scalar.items() if e.constant is not None}
    return Operator(L.role, L.domain, {0: kept})


@given(st.lists(st.integers(0, DIM - 1), max_size=5), st.randoms(use_true_random=False))
def test_partial_derivatives_commute(axes, random):
    other = list(axes)
    random.shuffle(other)
    assert ln.partial(u, *axes) == ln.partial(u, *other)
    alpha = tuple(axes.count(i) for i in range(DIM))
    assert ln.partial(u, *axes).terms == {0: {alpha: ln.Coefficient(1)}}


def test_mixed_derivatives_of_a_product_commute_as_far_as_they_exist():
    assert ln.partial(a * u, 0) == a * ln.partial(u, 0) + ln.partial(a, 0) * u
    second = 3 * ln.partial(u, 0, 1)
    assert ln.partial(a * second, 1) == 3 * a * ln.partial(u, 0, 1, 1) + ln.partial(a, 1) * second


@given(functions)
def test_divergence_of_a_gradient(f):
    product_rule = f * ln.laplacian(u) + ln.dot([ln.partial(f, i) for i in range(DIM)], ln.grad(u))
    assert ln.div(f * ln.grad(u)) == product_rule
    assert -ln.div(f * ln.grad(u)) == -product_rule
    assert ln.div(ln.grad(u) * f) == product_rule
    assert ln.div([f * ln.partial(u, i) for i in range(DIM)]) == product_rule


@given(functions)
def test_divergence_of_a_field_times_the_unknown(f):
    field = Vector([f, 2])  # div(β u) = β·∇u + (div β) u
    assert ln.div(field * u) == ln.dot(field, ln.grad(u)) + ln.partial(f, 0) * u
    assert ln.div(u * field) == ln.div(field * u)
    assert ln.div([f * u, 2 * u]) == ln.div(field * u)


@pytest.mark.parametrize("dim", [1, 2, 3, 5])
def test_laplacian_and_biharmonic_in_every_dimension(dim):
    w = ln.trial(ln.Box(-1, 1, dim=dim))
    unit = [tuple(int(i == j) for i in range(dim)) for j in range(dim)]
    twice = {tuple(2 * i for i in e): ln.Coefficient(1) for e in unit}
    assert ln.laplacian(w).scalar == twice
    assert ln.laplacian(w).order == 2
    fourth = ln.laplacian(ln.laplacian(w))
    assert fourth.order == 4
    assert len(fourth.scalar) == dim * (dim + 1) // 2
    mixed = {tuple(x + y for x, y in zip(e, f, strict=True)) for e in twice for f in twice}
    for alpha in mixed:  # (Σ ∂ᵢ²)² = Σ ∂ᵢ⁴ + 2 Σ_{i<j} ∂ᵢ²∂ⱼ²
        assert fourth.scalar[alpha] == ln.Coefficient(1 if 4 in alpha else 2)


def test_matrix_times_gradient():
    K = [[a, 1], [1, b]]
    x, y = ln.grad(u)
    for flux in (K @ ln.grad(u), [a * x + y, x + b * y]):
        assert (
            ln.div(flux)
            == (a * ln.partial(u, 0, 0) + 2 * ln.partial(u, 0, 1) + b * ln.partial(u, 1, 1))
            + ln.partial(a, 0) * x
            + ln.partial(b, 1) * y
        )
    assert (np.array([[1, 2], [3, 4]]) @ ln.grad(u))[1] == 3 * x + 4 * y
    assert list(np.eye(2) @ ln.grad(u)) == list(ln.grad(u))


def test_vectors_are_added_scaled_and_cut():
    x, y = ln.grad(u)
    other = [y, x]
    assert list(ln.grad(u) + other) == [x + y, y + x]
    assert list(other + ln.grad(u)) == [x + y, y + x]
    assert list(other - ln.grad(u)) == [y - x, x - y]
    assert list(ln.grad(u) - [y, 0 * u]) == [x - y, y]
    assert list(-ln.grad(u)) == [-x, -y]
    assert list(3 * ln.grad(u) / 3) == [x, y]
    assert list(a * ln.grad(u)) == [a * x, a * y]
    assert list(ln.grad(u)[1:]) == [y]
    assert ln.dot([1, 0], ln.grad(u)) == x
    assert ln.dot(ln.grad(u), [0, a]) == a * y


def test_the_normal_derivative():
    n = ln.normal(BOX)
    assert ln.normal_derivative(u) == n[0] * ln.partial(u, 0) + n[1] * ln.partial(u, 1)
    assert ln.normal_derivative(u) == ln.dot(n, ln.grad(u)) == ln.dot(ln.grad(u), n)
    assert ln.normal_derivative(a * u) == a * ln.normal_derivative(u) + u * ln.dot(
        n, [ln.partial(a, 0), ln.partial(a, 1)]
    )


def test_numbers_of_numpy_are_numbers():
    assert np.float64(2) * u == u * np.float32(2) == 2 * u
    assert np.int64(3) * (u * v) == 3 * (u * v)
    assert ln.partial(u, np.int64(1)) == ln.partial(u, 1)


def test_components_are_kept_apart():
    second = ln.trial(BOX, component=1)
    assert (u + second).terms == {**u.terms, **second.terms}
    assert u != second
    assert (u + second - u) == second
    ((key,),) = [(second * v).terms]
    assert key == (1, (0, 0), 0, (0, 0))


def test_order_and_roles():
    assert (0 * u).order == 0
    assert (0 * u).terms == {}
    assert ln.partial(u, 0, 0, 1).order == 3
    assert u.role is Role.TRIAL
    assert v.role is Role.TEST
    assert u != v
    assert u.dim == v.dim == (u * v).dim == DIM


def test_it_reads_as_it_was_written():
    assert repr(ln.laplacian(u)) == "∂00u + ∂11u"
    assert repr(-2 * ln.partial(v, 1) + v) == "-2·∂1v + v"
    assert repr(a * u) == "(a)·u"
    assert repr(u * ln.partial(v, 0)) == "u·∂0v"
    assert repr(u - u) == "0"
