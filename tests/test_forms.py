"""Bilinear forms, and what is refused of operators and forms."""

import itertools

import numpy as np
import pytest
from hypothesis import given

import linnet as ln
from linnet.algebra import Form, Operator, Role, Vector
from linnet.errors import AlgebraError, ArgumentError, SmoothnessError
from test_operators import (
    BOX,
    DIM,
    a,
    b,
    c,
    few,
    forms,
    functions,
    numbers,
    operators,
    swapped,
    u,
    v,
)

# ----------------------------------------------------------------------------------- forms


@given(operators(u), operators(u), operators(v), operators(v), functions, numbers)
@few
def test_a_product_is_bilinear(L, M, P, Q, f, s):
    assert (L + s * M) * P == L * P + s * (M * P)
    assert L * (P + s * Q) == L * P + s * (L * Q)
    assert (f * L) * P == L * (f * P) == f * (L * P) == (L * P) * f
    assert L * P == P * L  # which is u and which is v is said by the operators


@given(forms(), forms(), forms(), functions)
@few
def test_forms_are_a_module(A, B, C, f):
    assert A + B == B + A
    assert (A + B) + C == A + (B + C)
    zero = 0 * (u * v)
    assert A + -A == A - A == zero
    assert A - B == -(B - A)
    assert f * (A + B) == f * A + f * B
    assert (4 * A) / 4 == A


@given(forms())
@few
def test_symmetry_is_invariance_under_exchange(A):
    assert A.symmetric == (swapped(A) == A)
    assert (A + swapped(A)).symmetric
    assert (A - swapped(A)).symmetric == (swapped(A) == A)
    assert swapped(swapped(A)) == A


@given(operators(u))
def test_squares_are_symmetric(L):
    same_on_v = Operator(Role.TEST, L.domain, L.terms)
    assert (L * same_on_v).symmetric


def test_which_forms_are_symmetric():
    K = [[a, c], [c, b]]
    x, y = ln.grad(u)
    assert ln.dot(ln.grad(u), ln.grad(v)).symmetric
    assert ln.dot(K @ ln.grad(u), ln.grad(v)).symmetric
    assert ln.dot(ln.grad(a * u), ln.grad(a * v)).symmetric
    assert (ln.normal_derivative(u) * v + u * ln.normal_derivative(v)).symmetric
    assert not ln.dot([[a, c], [b, b]] @ ln.grad(u), ln.grad(v)).symmetric
    assert not (ln.dot([1, 0], ln.grad(u)) * v).symmetric
    assert not (ln.normal_derivative(u) * v).symmetric
    assert not (x * ln.partial(v, 1)).symmetric
    assert (x * ln.partial(v, 1) + y * ln.partial(v, 0)).symmetric


def test_dot_of_gradients_is_the_sum_of_products():
    assert ln.dot(ln.grad(u), ln.grad(v)) == sum_of(
        ln.partial(u, i) * ln.partial(v, i) for i in range(DIM)
    )
    assert ln.dot(ln.grad(u), ln.grad(v)) == ln.dot(ln.grad(v), ln.grad(u))
    assert ln.dot(a * ln.grad(u), ln.grad(v)) == a * ln.dot(ln.grad(u), ln.grad(v))


def sum_of(parts):
    first, *rest = parts
    for part in rest:
        first = first + part
    return first


@given(operators(u), operators(v))
def test_exchange_transposes_a_product(L, P):
    assert swapped(L * P) == swap_role(P) * swap_role(L)


def swap_role(L):
    """The same operator on the other function."""
    return Operator(Role.TEST if L.role is Role.TRIAL else Role.TRIAL, L.domain, L.terms)


def test_adjoints_have_transposed_matrices_and_green_holds():
    # ∫ −div(k∇u) v = ∫ k∇u·∇v − ∫ k ∂u/∂n v over the boundary, for tanh and a Gauss rule that
    # is exact to roundoff; and a form with u and v exchanged has the transposed matrix
    k = ln.Coefficient(
        lambda x: 1 + x[:, 0] ** 2, grad=lambda x: np.stack([2 * x[:, 0], 0 * x[:, 1]], axis=1)
    )
    network = ln.Network(ln.Tanh(), ln.neurons.fibonacci(12, radius=1.5))
    rules = BOX.gauss(6, order=8), BOX.boundary.gauss(6, order=8)

    def matrix(form, *boundary):
        return ln.matrix(
            ln.WeakForm(form, *boundary), network, ln.Galerkin(*rules[: 1 + len(boundary)])
        )

    strong = matrix(-ln.div(k * ln.grad(u)) * v)
    flux = ln.Integral(-k * ln.normal_derivative(u) * v, on=BOX.boundary)
    weak = matrix(k * ln.dot(ln.grad(u), ln.grad(v)), flux)
    scale = abs(weak).max()
    np.testing.assert_allclose(strong, weak, rtol=0, atol=1e-12 * scale)
    assert abs(strong - strong.T).max() > 1e-3 * scale  # so that the boundary term matters
    convection = k * ln.partial(u, 0) * v + 3 * ln.partial(u, 1, 1) * ln.partial(v, 0)
    np.testing.assert_allclose(
        matrix(swapped(convection)), matrix(convection).T, rtol=0, atol=1e-13 * scale
    )


def test_form_orders_and_keys():
    form = ln.partial(u, 0, 0) * v + ln.dot(ln.grad(u), ln.grad(v))
    assert form.order == 2
    assert (0 * form).order == 0
    assert set(form.terms) == {
        (0, (2, 0), 0, (0, 0)),
        (0, (1, 0), 0, (1, 0)),
        (0, (0, 1), 0, (0, 1)),
    }


# --------------------------------------------------------------------------------- refusals

OTHER = ln.Box(0, 2, dim=DIM)


@pytest.mark.parametrize("make", [lambda: u * u, lambda: u * ln.laplacian(u), lambda: u * (a * u)])
def test_the_square_of_the_unknown_is_refused(make):
    with pytest.raises(AlgebraError, match=r"u with u is not linear in u.*u \* v"):
        make()


def test_other_nonlinear_expressions_are_refused():
    with pytest.raises(AlgebraError, match=r"v with v is not linear in v"):
        v * v
    with pytest.raises(AlgebraError, match=r"\(u\) \*\* 2.*not linear in u.*Linearise"):
        u**2
    for make in (lambda: u * v * u, lambda: u * (v * u), lambda: (u * v) * (u * v)):
        with pytest.raises(AlgebraError, match=r"product.*(three unknowns|multiplied by numbers)"):
            make()
    with pytest.raises(AlgebraError, match=r"divided by numbers only"):
        u / a
    with pytest.raises(AlgebraError, match=r"divided by numbers only"):
        (u * v) / a
    with pytest.raises(ArgumentError, match=r"divisor = 0"):
        u / 0


@pytest.mark.parametrize("other", [1, 2.5, np.float64(1), a, np.sin], ids=repr)
def test_an_operator_plus_what_is_no_operator_is_refused(other):
    for make in (
        lambda: -ln.laplacian(u) + other,
        lambda: other + ln.laplacian(u),
        lambda: u - other,
        lambda: other - u,
    ):
        with pytest.raises(AlgebraError, match=r"sum = .*only a linear operator.*right-hand side"):
            make()


def test_a_form_plus_what_is_no_form_is_refused():
    for other in (1, a, u, v):
        for make in (lambda w=other: u * v + w, lambda w=other: u * v - w):
            with pytest.raises(AlgebraError, match=r"sum = .*bilinear form.*load="):
                make()
    for make in (lambda: 1 + u * v, lambda: 1 - u * v, lambda: a + u * v):
        with pytest.raises(AlgebraError, match=r"sum = .*bilinear form.*load="):
            make()
    with pytest.raises(AlgebraError, match=r"sum = u·v: only a linear operator"):
        u + u * v


def test_trial_plus_test_is_refused():
    with pytest.raises(AlgebraError, match=r"trial and the test function cannot be added"):
        u + v


@pytest.mark.parametrize("other", [ln.Box(-1, 1, dim=3), OTHER], ids=["dimension", "bounds"])
def test_two_domains_are_refused(other):
    w, t = ln.trial(other), ln.test(other)
    for make in (lambda: u + w, lambda: u - w, lambda: u * t, lambda: u * v + w * t):
        with pytest.raises(AlgebraError, match=r"Box\(-1, 1, dim=2\) and .*different domains"):
            make()
    assert u + ln.trial(ln.Box([-1, -1], [1, 1])) == 2 * u  # the same box, made again


@pytest.mark.parametrize("factor", [np.sin, np.ones(3), "2", None, [1, 2]], ids=repr)
def test_a_factor_that_is_no_coefficient_is_refused(factor):
    for make in (lambda: u * factor, lambda: factor * u, lambda: (u * v) * factor):
        with pytest.raises(AlgebraError, match=r"product = .*multiplied by numbers.*[wW]rap"):
            make()


@pytest.mark.parametrize("axis", [2, -1, "x", 0.0, None])
def test_an_axis_that_does_not_exist_is_refused(axis):
    with pytest.raises(ArgumentError, match=r"axis = .*< 2 here.*Count axes from 0"):
        ln.partial(u, axis)
    if axis != 2:  # a coefficient does not know its dimension
        with pytest.raises(ArgumentError, match=r"axis = .*whole number ≥ 0"):
            ln.partial(a, axis)


def test_what_has_no_gradient_or_divergence_is_refused():
    for make in (lambda: ln.grad(ln.grad(u)), lambda: ln.grad(a), lambda: ln.laplacian(np.sin)):
        with pytest.raises(AlgebraError, match=r"scalar operator.*u = trial\(box\)"):
            make()
    for make in (lambda: ln.div([1, 2]), lambda: ln.div([a, b]), lambda: ln.div([])):
        with pytest.raises(AlgebraError, match=r"vector with the unknown.*a \* grad\(u\)"):
            make()
    with pytest.raises(AlgebraError, match=r"scalar operator"):
        ln.partial(np.sin, 0)
    with pytest.raises(AlgebraError, match=r"scalar operator"):
        ln.normal_derivative(a)


def test_what_is_no_vector_is_refused():
    for make in (
        lambda: ln.div(u),
        lambda: ln.dot(u, ln.grad(v)),
        lambda: ln.dot(ln.grad(u), v),
        lambda: ln.grad(u) + 1,
        lambda: ln.grad(u) - u,
        lambda: np.ones(2) @ ln.grad(u),
    ):
        with pytest.raises(AlgebraError, match=r"no vector.*grad\(u\)"):
            make()


def test_vectors_of_the_wrong_length_are_refused():
    for make in (
        lambda: ln.dot([1, 2, 3], ln.grad(u)),
        lambda: ln.dot(ln.grad(u), [1]),
        lambda: ln.div([u]),
        lambda: ln.div([u, u, u]),
        lambda: ln.grad(u) + (u,) * 3,
        lambda: np.ones((2, 3)) @ ln.grad(u),
    ):
        with pytest.raises(AlgebraError, match=r"entries, not \d.*Match the dimension"):
            make()


def test_a_vector_of_functions_is_refused():
    with pytest.raises(AlgebraError, match=r"operators, coefficients and numbers.*Coefficient"):
        ln.dot([np.sin, np.cos], ln.grad(u))


def test_the_laplacian_of_a_product_wants_second_derivatives():
    with pytest.raises(SmoothnessError, match=r"∂0a.*only the gradient is known.*Expand"):
        ln.laplacian(a * u)


@pytest.mark.parametrize("domain", [2, None, "box", lambda: 0])
def test_what_is_no_domain_is_refused(domain):
    for make in (ln.trial, ln.test):
        with pytest.raises(ArgumentError, match=r"domain = .*no domain.*Box"):
            make(domain)


def test_every_pair_of_operands_is_either_meant_or_refused():
    # whatever is combined with whatever, the answer is a meaning or one of our own refusals
    operands = [u, v, u * v, a, ln.grad(u), ln.grad(v), ln.normal(BOX), 2, 2.5]
    operations = [
        lambda x, y: x + y,
        lambda x, y: x - y,
        lambda x, y: x * y,
        ln.dot,
    ]
    for x, y in itertools.product(operands, operands):
        for operation in operations:
            try:
                result = operation(x, y)
            except AlgebraError:
                continue
            assert isinstance(result, Operator | Form | Vector | ln.Coefficient | int | float)
