"""Activations: derivatives, laws, safety and storage."""

import json
import math
import pickle
from dataclasses import FrozenInstanceError, dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.activations import (
    Activation,
    Cosine,
    Gaussian,
    ReLU,
    Sigmoid,
    Sine,
    Softplus,
    Tanh,
    from_spec,
)
from linnet.errors import ArgumentError, FileFormatError, SmoothnessError
from linnet.trigonometry import sine_and_cosine

COMPLEX = {  # the functions themselves, written independently and for complex arguments
    Tanh(): lambda z: (np.exp(z) - np.exp(-z)) / (np.exp(z) + np.exp(-z)),
    Sine(): lambda z: (np.exp(1j * z) - np.exp(-1j * z)) / 2j,
    Cosine(): lambda z: (np.exp(1j * z) + np.exp(-1j * z)) / 2,
    Gaussian(): lambda z: np.exp(-z * z / 2),
    Sigmoid(): lambda z: 1 / (1 + np.exp(-z)),
    Softplus(): lambda z: np.log(1 + np.exp(z)),
}
SMOOTH = list(COMPLEX)
RELUS = [ReLU(k) for k in range(1, 6)]
EVERY = SMOOTH + RELUS
Z = np.linspace(-3.0, 3.0, 25)  # holds 0


def highest(activation, otherwise=7):
    return otherwise if activation.max_order is None else activation.max_order


@pytest.mark.parametrize("activation", SMOOTH, ids=repr)
def test_derivatives_agree_with_cauchys_integral(activation):
    # f⁽ᵐ⁾(z) = m!/(N rᵐ) Σ f(z + r ωʲ) ω^(−jm); r stays clear of the poles at ±iπ/2
    N, r = 64, 0.9
    circle = r * np.exp(2j * np.pi * np.arange(N) / N)
    taylor = np.fft.fft(COMPLEX[activation](Z[:, None] + circle), axis=1).real / N
    jet = activation.jet(Z.copy(), range(9))
    assert sorted(jet) == list(range(9))
    for m in range(9):
        expected = math.factorial(m) / r**m * taylor[:, m]
        np.testing.assert_allclose(jet[m], expected, rtol=0, atol=2e-14 * math.factorial(m) / r**m)


@pytest.mark.parametrize("activation", EVERY, ids=repr)
def test_each_order_is_the_derivative_of_the_one_below(activation):
    h = 1e-5
    z = Z + 0.01  # away from the kink of ReLU
    for m in range(highest(activation)):
        central = (activation(z + h, m) - activation(z - h, m)) / (2 * h)
        exact = activation(z, m + 1)
        np.testing.assert_allclose(central, exact, rtol=1e-8, atol=2e-8 * (1 + abs(exact).max()))


@pytest.mark.parametrize("activation", EVERY, ids=repr)
def test_a_jet_shares_work_but_not_buffers(activation):
    orders = range(highest(activation, 5) + 1)
    for wanted in (orders, list(orders)[::-2], orders[-1:], [0], [0, 0, 1]):
        jet = activation.jet(Z.reshape(5, 5).copy(), wanted)
        assert set(jet) == set(wanted)
        values = list(jet.values())
        for i, a in enumerate(values):
            assert a.shape == (5, 5)
            assert a.dtype == np.float64
            assert a.flags.writeable
            assert not any(np.shares_memory(a, b) for b in values[:i])
        for m, value in jet.items():
            np.testing.assert_array_equal(value.ravel(), activation(Z, m))
    assert activation.jet(Z.copy(), []) == {}


@pytest.mark.parametrize("activation", EVERY, ids=repr)
def test_calling_leaves_its_argument_alone(activation):
    z = Z.copy()
    value = activation(z)
    np.testing.assert_array_equal(z, Z)
    assert not np.shares_memory(value, z)
    assert activation(0.5).shape == ()
    assert activation(1) == activation(1.0)
    assert activation([]).shape == (0,)
    np.testing.assert_array_equal(activation([[-1, 2]], 1), activation(np.array([[-1.0, 2.0]]), 1))


@pytest.mark.parametrize("activation", EVERY, ids=repr)
def test_reflection_leaves_a_polynomial_of_the_stated_degree(activation):
    sign, degree = activation.reflection
    rest = activation(-Z) - sign * activation(Z)
    size = abs(activation(Z)).max()
    fit = np.polynomial.Chebyshev.fit(Z, rest, max(degree, 0))
    if degree < 0:
        np.testing.assert_allclose(rest, 0.0, atol=1e-15)
    else:
        np.testing.assert_allclose(fit(Z), rest, rtol=0, atol=1e-13 * size)
        assert abs(fit.convert(kind=np.polynomial.Polynomial).coef[degree]) == pytest.approx(1.0)


@given(
    st.integers(1, 6),
    st.floats(1e-3, 1e3),
    st.floats(1e-30, 1e3).flatmap(lambda z: st.sampled_from((z, -z))),
)
def test_relu_is_homogeneous(k, t, z):
    activation = ReLU(k)
    assert activation.degree == activation.max_order == k
    for m in range(k + 1):
        np.testing.assert_allclose(
            activation(t * z, m), t ** (k - m) * activation(z, m), rtol=1e-13, atol=1e-300
        )


@pytest.mark.parametrize("k", range(1, 6))
def test_relu_is_a_monomial_on_the_right_and_zero_on_the_left(k):
    z = np.array([-2.0, -1e-300, -0.0, 0.0, 1e-3, 0.5, 3.0])
    for m in range(k + 1):
        right = math.factorial(k) / math.factorial(k - m) * np.where(z > 0, z, 1.0) ** (k - m)
        np.testing.assert_allclose(ReLU(k)(z, m), np.where(z > 0, right, 0.0), rtol=1e-15)
    assert ReLU(k)(0.0, k) == 0.0  # the step is 0 at 0
    assert ReLU(k)(1e-300, k) == math.factorial(k)


def test_known_values():
    assert ReLU(3)(2.0, 1) == 12.0
    assert Tanh()(0.0, 3) == -2.0
    assert [float(Sine()(0.0, m)) for m in range(5)] == [0, 1, 0, -1, 0]
    assert [float(Cosine()(0.0, m)) for m in range(5)] == [1, 0, -1, 0, 1]
    assert Gaussian()(0.0, 6) == -15.0  # (−1)³ 5!!
    assert Sigmoid()(0.0, 1) == 0.25
    assert Softplus()(0.0) == pytest.approx(math.log(2.0), abs=1e-16)
    # tangent numbers: tanh⁽¹¹⁾(0) = −353792
    assert Tanh()(0.0, 11) == -353792.0


@pytest.mark.parametrize("activation", SMOOTH, ids=repr)
def test_nothing_overflows(activation):
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        for z in (700.0, 1e4, 1e100):
            for m in range(6):
                assert np.isfinite(activation([-z, z], m)).all()


def test_tails():
    z = np.array([-700.0, 700.0])
    np.testing.assert_allclose(Sigmoid()(z), [math.exp(-700), 1.0], rtol=1e-13)
    np.testing.assert_allclose(Sigmoid()(z, 1)[0], math.exp(-700), rtol=1e-13)
    np.testing.assert_allclose(Softplus()(z), [math.exp(-700), 700.0], rtol=1e-13)
    np.testing.assert_allclose(Softplus()(z, 1), Sigmoid()(z), rtol=0)
    np.testing.assert_array_equal(Tanh()(z), [-1.0, 1.0])
    np.testing.assert_array_equal(Gaussian()([1e200, -1e200], 4), 0.0)
    np.testing.assert_allclose(Gaussian()(36.0, 2), 1295 * math.exp(-648), rtol=1e-13)
    assert np.isnan(ReLU(2)(np.nan))


@pytest.mark.parametrize("activation", EVERY, ids=repr)
def test_storage(activation):
    spec = json.loads(json.dumps(activation.spec()))
    assert from_spec(spec) == activation
    assert from_spec(spec).max_order == activation.max_order
    assert pickle.loads(pickle.dumps(activation)) == activation
    assert hash(from_spec(spec)) == hash(activation)
    with pytest.raises(FrozenInstanceError):
        activation.k = 7


def test_a_numpy_integer_is_saved_as_json():
    assert ReLU(np.int64(2)).spec() == {"name": "ReLU", "k": 2}
    assert json.dumps(ReLU(np.int64(2)).spec()) == '{"name": "ReLU", "k": 2}'


@dataclass(frozen=True)
class Wave(Activation):
    speed: float = 1.0

    def jet(self, z, orders):
        values = Sine().jet(self.speed * z, orders)
        return {m: self.speed**m * value for m, value in values.items()}


def test_a_users_activation_is_found_by_its_name():
    assert from_spec({"name": "Wave", "speed": 2.0}) == Wave(2.0)
    assert Wave(2.0).spec() == {"name": "Wave", "speed": 2.0}
    assert Wave.reflection is None
    assert Wave(2.0)(0.0, 3) == -8.0


def test_a_second_activation_of_the_same_name_is_refused():
    with pytest.raises(ArgumentError, match=r"'Tanh'.*exists in linnet.activations.*another name"):
        type("Tanh", (Activation,), {})
    assert type(from_spec({"name": "Tanh"})) is Tanh


@pytest.mark.parametrize("spec", [{"name": "Swish"}, {}, {"name": None}])
def test_an_unknown_name_is_refused(spec):
    with pytest.raises(FileFormatError, match=r"name = .*no activation.*Import the module"):
        from_spec(spec)


@pytest.mark.parametrize("spec", [{"name": "ReLU", "j": 2}, {"name": "ReLU", "k": 2.5}])
def test_wrong_fields_are_refused(spec):
    with pytest.raises(FileFormatError, match="ReLU does not take these fields"):
        from_spec(spec)


@pytest.mark.parametrize("k", [0, -1, True, 2.0, "2", None])
def test_wrong_powers_are_refused(k):
    with pytest.raises(ArgumentError, match=r"k = .*integer ≥ 1.*Pass k = 1"):
        ReLU(k)


def test_missing_derivatives_are_refused():
    message = r"order = 3: .*ReLU\(k=2\) is of order 2.*ReLU\(k\) with k > 3.*Tanh.*weak form"
    with pytest.raises(SmoothnessError, match=message):
        ReLU(2).check_order(3)
    with pytest.raises(SmoothnessError, match=message):
        ReLU(2)([1.0], order=3)
    with pytest.raises(SmoothnessError, match=message):
        ReLU(2).jet(np.ones(3), (0, 3))
    ReLU(2).check_order(2)
    Tanh().check_order(40)


@pytest.mark.parametrize("order", [-1, 1.0, True, "1"])
def test_wrong_orders_are_refused(order):
    with pytest.raises(ArgumentError, match=r"order = .*integer ≥ 0"):
        Tanh()(1.0, order)


@pytest.mark.parametrize("z", [1j, "one", [None]])
def test_wrong_points_are_refused(z):
    with pytest.raises(ArgumentError, match=r"z = .*real numbers"):
        Tanh()(z)


@pytest.mark.parametrize("size", [1.0, 1e3, 1e8])
@pytest.mark.parametrize("by_tangent", [True, False])
def test_sine_and_cosine_are_exact_to_the_rounding_by_either_way(size, by_tangent):
    """Also where tan(z/2) has its poles and zeros."""
    z = np.concatenate([np.linspace(-size, size, 10_001), np.pi * np.arange(-9, 10) / 2])
    for sine, cosine in ((True, True), (True, False), (False, True)):
        s, c = sine_and_cosine(z.copy(), sine, cosine, by_tangent)
        for found, wanted, exact in ((s, sine, np.sin(z)), (c, cosine, np.cos(z))):
            assert (found is not None) == wanted
            if found is not None:
                assert np.abs(found - exact).max() <= 2 * np.finfo(float).eps
