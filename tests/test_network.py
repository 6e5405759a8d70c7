"""The one formula: (Lφ)(x) = Σ_m σ⁽ᵐ⁾(z) p_m(x, w), on any box, for any operator."""

import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import linnet as ln
from linnet import network as module
from linnet.reduce import Workspace
from linnet.rows.stream import terms_at
from linnet.rules import Nodes

SMOOTH = [ln.Tanh(), ln.Sine(), ln.Cosine(), ln.Gaussian(), ln.Sigmoid(), ln.Softplus()]
EVERY = [*SMOOTH, *(ln.ReLU(k) for k in (1, 2, 3, 4))]
LONG = ln.Box([0, -3, 10], [0.5, 5, 11])  # neither centred nor a cube


def neurons(n, dim, seed=0):
    return np.random.default_rng(seed).normal(size=(n, dim + 1))


def points(box, m, seed=1):
    return np.random.default_rng(seed).uniform(box.lower, box.upper, (m, box.dim))


def multi_indices(dim, order):
    return [a for a in itertools.product(range(order + 1), repeat=dim) if sum(a) == order]


def dense(network, box, x, alpha):
    """D^α σ(w·x̂ + b) with x̂ = (x − c)/h, by the chain rule, neuron by neuron."""
    c, h = (box.lower + box.upper) / 2, (box.upper - box.lower) / 2
    columns = []
    for *w, b in network.theta:
        slope = np.array(w) / h  # ∂z/∂x
        z = (x - c) @ slope + b
        columns.append(network.activation(z, sum(alpha)) * np.prod(slope ** np.array(alpha)))
    return np.stack(columns, axis=1)


def close(actual, expected, eps=1e-13):
    np.testing.assert_allclose(actual, expected, rtol=0, atol=eps * (1e-300 + abs(expected).max()))


# ------------------------------------------------------------------------------ the formula


@pytest.mark.parametrize("order", range(5))
@pytest.mark.parametrize("activation", [ln.Tanh(), ln.Gaussian(), ln.ReLU(4)], ids=repr)
def test_constant_coefficients_of_every_order(activation, order):
    network = ln.Network(activation, neurons(9, 3)).placed_on(LONG)
    x = points(LONG, 11)
    for alpha in multi_indices(3, order):
        close(network.features(x, {alpha: 1.0}), dense(network, LONG, x, alpha))
        close(network.features(x, {alpha: -2.5}), -2.5 * dense(network, LONG, x, alpha))
    alphas = multi_indices(3, order)
    scales = np.random.default_rng(2).normal(size=len(alphas))
    together = dict(zip(alphas, scales, strict=True))
    expected = sum(s * dense(network, LONG, x, alpha) for alpha, s in together.items())
    close(network.features(x, together), expected)


@given(st.data())
@settings(max_examples=60)
def test_any_operator_agrees_with_the_direct_formula(data):
    dim = data.draw(st.integers(1, 3))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**31)))
    lower = rng.uniform(-3, 3, dim)
    box = ln.Box(lower, lower + rng.uniform(0.3, 4, dim))
    network = ln.Network(data.draw(st.sampled_from(SMOOTH)), rng.normal(size=(6, dim + 1)))
    network, x = network.placed_on(box), rng.uniform(box.lower, box.upper, (5, dim))
    possible = [a for order in range(5) for a in multi_indices(dim, order)]
    chosen = data.draw(st.lists(st.sampled_from(possible), unique=True, max_size=5))
    terms = {
        alpha: rng.normal(size=5) if data.draw(st.booleans()) else float(rng.integers(-1, 2))
        for alpha in chosen
    }
    parts = [np.reshape(c, (-1, 1)) * dense(network, box, x, a) for a, c in terms.items()]
    size = max((abs(part).max() for part in parts), default=0.0)
    expected = sum(parts, np.zeros((5, 6)))
    np.testing.assert_allclose(network.features(x, terms), expected, rtol=0, atol=1e-13 * size)
    scale = rng.uniform(0.5, 2, 5)
    out = np.full((6, 5), np.nan)
    network.fill(out, x, terms, scale)
    np.testing.assert_allclose(out.T, scale[:, None] * expected, rtol=0, atol=3e-13 * size)


@pytest.mark.parametrize("activation", EVERY, ids=repr)
def test_each_order_is_the_difference_quotient_of_the_one_below(activation):
    # orders 0 … 4, each against central differences of the features one order lower
    network = ln.Network(activation, neurons(9, 3)).placed_on(LONG)
    x, width = points(LONG, 8), (LONG.upper - LONG.lower) / 2
    highest = 4 if activation.max_order is None else activation.max_order
    for order in range(1, highest + 1):
        for axis in range(3):
            lower = tuple((order - 1) * (i == (axis + 1) % 3) for i in range(3))
            alpha = tuple(a + (i == axis) for i, a in enumerate(lower))
            h = 1e-5 * width * (np.arange(3) == axis)
            up, down = (network.features(x + s * h, {lower: 1.0}) for s in (1, -1))
            exact = network.features(x, {alpha: 1.0})
            quotient = (up - down) / (2 * h[axis])
            tolerance = 1e-8 * (abs(exact).max() + abs(up).max() / width[axis])
            np.testing.assert_allclose(quotient, exact, rtol=0, atol=tolerance)


def test_variable_coefficients_through_the_algebra():
    box = ln.Box([0, -1], [2, 4])
    u = ln.trial(box)
    a = ln.Coefficient(
        lambda x: 1 + x[:, 0] * x[:, 1] ** 2,
        grad=lambda x: np.stack([x[:, 1] ** 2, 2 * x[:, 0] * x[:, 1]], axis=1),
    )
    b = ln.Coefficient(lambda x: np.cos(x[:, 0]))
    network, x = ln.Network(ln.Tanh(), neurons(7, 2)).placed_on(box), points(box, 6)
    value, dx, dy, dxx, dyy = (
        dense(network, box, x, alpha) for alpha in [(0, 0), (1, 0), (0, 1), (2, 0), (0, 2)]
    )
    s, t = x.T[:, :, None]
    expected = -((1 + s * t**2) * (dxx + dyy) + t**2 * dx + 2 * s * t * dy)
    expected = expected + np.cos(s) * dy + 3 * value
    operator = -ln.div(a * ln.grad(u)) + b * ln.partial(u, 1) + 3 * u
    terms = terms_at(operator.scalar, Nodes(x, np.ones(6), None))
    assert sum(isinstance(c, np.ndarray) for c in terms.values()) == 4  # the mass is a number
    close(network.features(x, terms), expected)


def test_a_fourth_order_operator_through_the_algebra():
    box = ln.Box([0, -1], [2, 4])
    u = ln.trial(box)
    network, x = ln.Network(ln.Sine(), neurons(7, 2)).placed_on(box), points(box, 6)
    terms = terms_at(ln.laplacian(ln.laplacian(u)).scalar, Nodes(x, np.ones(6), None))
    squares = (network.frequencies**2).sum(axis=1)  # Δ² sin(k·x + b) = |k|⁴ sin(k·x + b)
    close(network.features(x, terms), squares**2 * network.features(x))


# --------------------------------------------------------------------- reference coordinates


def test_a_placed_network_takes_reference_coordinates():
    theta = neurons(9, 3)
    free, placed = ln.Network(ln.Tanh(), theta), ln.Network(ln.Tanh(), theta).placed_on(LONG)
    x = points(LONG, 8)
    reference = 2 * (x - LONG.lower) / (LONG.upper - LONG.lower) - 1
    close(placed.reference(x), reference)
    close(placed.features(x), free.features(reference))
    corners = np.stack([LONG.lower, LONG.upper])
    np.testing.assert_array_equal(placed.reference(corners), [[-1] * 3, [1] * 3])
    np.testing.assert_array_equal(placed.theta, theta)
    assert placed.domain == LONG
    assert free.domain is None
    np.testing.assert_array_equal(free.reference(x), x)


def test_the_unit_box_changes_nothing():
    theta, box = neurons(9, 3), ln.Box(-1, 1, dim=3)
    x = points(box, 8)
    free, placed = ln.Network(ln.Tanh(), theta), ln.Network(ln.Tanh(), theta).placed_on(box)
    for terms in ({(0, 0, 0): 1.0}, {(1, 0, 2): 1.0, (0, 1, 0): x[:, 0].copy()}):
        np.testing.assert_array_equal(free.features(x, terms), placed.features(x, terms))


@pytest.mark.parametrize("factor", [1e-3, 7.0])
def test_scaling_the_box_scales_derivatives(factor):
    # on λ·box, D^α of the same network is λ^(−|α|) times that on box
    big = ln.Box(factor * LONG.lower, factor * LONG.upper)
    theta, x = neurons(9, 3), points(LONG, 8)
    one, other = (ln.Network(ln.Tanh(), theta).placed_on(box) for box in (LONG, big))
    for order in range(4):
        for alpha in multi_indices(3, order):
            expected = factor**-order * one.features(x, {alpha: 1.0})
            close(other.features(factor * x, {alpha: 1.0}), expected, eps=1e-11)


def test_a_network_in_its_own_span_solves_exactly_on_a_long_box():
    # the chain rule through a whole solve: −div(K∇u) + u = f for u in the span
    box = ln.Box([0, 10], [0.5, 13])
    u = ln.trial(box)
    network = ln.Network(ln.Tanh(), neurons(15, 2)).placed_on(box)
    weights = np.random.default_rng(3).normal(size=15)
    operator = -ln.div([[2, 1], [1, 3]] @ ln.grad(u)) + u

    def data(x):
        return (
            network.features(x, {(2, 0): -2.0, (1, 1): -2.0, (0, 2): -3.0, (0, 0): 1.0}) @ weights
        )

    strong = ln.StrongForm(
        ln.Equation(operator, data, on=box),
        ln.Equation(u, lambda x: network.features(x) @ weights, on=box.boundary),
    )
    solution = ln.solve(
        strong, network, ln.Collocation(box.grid(15), box.boundary.grid(15)), ln.RegularizedQR()
    )
    x = points(box, 50)
    close(solution(x), network.features(x) @ weights, eps=1e-9)


# --------------------------------------------------------------------------------- periodic


def test_periodic_rows_are_differences_between_partners():
    box = ln.Box([0, -3], [0.5, 5])
    u = ln.trial(box)
    network = ln.Network(ln.Tanh(), neurons(9, 2)).placed_on(box)
    rule = box.boundary.grid([4, 6])
    for axis, expression in ((0, u), (1, ln.partial(u, 1)), (0, ln.normal_derivative(u))):
        pair = box.periodic(axis)
        problem = ln.StrongForm(ln.Equation(expression, 0.0, on=pair))
        rows = ln.Collocation(rule, weights=4.0).rows(problem, network)
        low = rule.on(pair).points
        high = low + (box.upper - box.lower) * (np.arange(2) == axis)
        assert (low[:, axis] == box.lower[axis]).all()
        np.testing.assert_allclose(high[:, axis], box.upper[axis], rtol=1e-15)
        block = rows.block(0, Workspace())
        sign = -1.0 if expression == ln.normal_derivative(u) else 1.0  # the low face's normal
        alpha = (0, 0) if expression == u else tuple(int(i == axis) for i in range(2))
        jump = dense(network, box, low, alpha) - dense(network, box, high, alpha)
        close(block[:, :-1], 2.0 * sign * jump)  # √4
        assert (block[:, -1] == 0.0).all()


def test_periodic_neurons_have_no_jump():
    box = ln.Box(0, [0.5, 3])
    u = ln.trial(box)  # sin(π m x̂ + b) has period 2 in x̂
    network = ln.Network(ln.Sine(), [[2 * np.pi, 0, 0.3], [np.pi, 0, 0.1]]).placed_on(box)
    problem = ln.StrongForm(*ln.periodic(u, 0, order=3))
    rows = ln.Collocation(box.periodic(0).grid(5)).rows(problem, network)
    blocks = np.concatenate([rows.block(k, Workspace())[:, :-1] for k in range(rows.blocks)])
    assert blocks.shape == (15, 2)
    assert abs(blocks).max() < 1e-11  # (2π/h)² 1e-16
    shifted = ln.Network(ln.Sine(), [[1.5 * np.pi, 0, 0.3]]).placed_on(box)
    assert (
        abs(
            ln.Collocation(box.periodic(0).grid(5)).rows(problem, shifted).block(0, Workspace())
        ).max()
        > 0.1
    )


# ------------------------------------------------------------------------- combine and pieces


@pytest.mark.parametrize("columns", [1, 3])
def test_combining_is_multiplying_features(columns):
    network = ln.Network(ln.Tanh(), neurons(40, 3)).placed_on(LONG)
    x, a = points(LONG, 23), np.random.default_rng(4).normal(size=(40, columns))
    alphas = [(0, 0, 0), (1, 0, 0), (0, 0, 1), (1, 1, 0), (0, 2, 0), (0, 1, 3)]
    found = network.combine(x, a, alphas)
    assert list(found) == alphas
    for alpha in alphas:
        assert found[alpha].shape == (23, columns)
        close(found[alpha], network.features(x, {alpha: 1.0}) @ a, eps=1e-12)
    assert network.combine(x, a, []) == {}


@pytest.mark.parametrize("piece", [1, 7, 100])
def test_the_pieces_do_not_matter(piece, monkeypatch):
    network = ln.Network(ln.ReLU(3), neurons(31, 2))
    x, a = points(ln.Box(-1, 1, dim=2), 13), np.random.default_rng(4).normal(size=(31, 2))
    terms = {(0, 0): 1.0, (1, 0): x[:, 0].copy(), (2, 1): -3.0}
    whole, combined = network.features(x, terms), network.combine(x, a, [(0, 0), (2, 0)])
    monkeypatch.setattr(module, "_PIECE", piece * 13)
    rows = [rows for rows, _ in network.pieces(x, [0])]
    assert [r.stop - r.start for r in rows][:-1] == [piece] * (len(rows) - 1)
    assert [r.start for r in rows] == list(range(0, 31, piece))
    close(network.features(x, terms), whole, eps=1e-14)
    for alpha, values in network.combine(x, a, [(0, 0), (2, 0)]).items():
        close(values, combined[alpha], eps=1e-13)


def test_shapes_and_orders_of_memory():
    network = ln.Network(ln.Tanh(), neurons(5, 2))
    assert (network.n, network.dim, len(network)) == (5, 2, 5)
    matrix = network.features(np.zeros((3, 2)))
    assert matrix.shape == (3, 5)
    assert matrix.flags.f_contiguous
    assert network.features(np.zeros((0, 2))).shape == (0, 5)
    assert network.features([[0, 1]]).shape == (1, 5)
    assert (network.features(np.zeros((3, 2)), {}) == 0.0).all()


def test_values_are_left_alone():
    theta, x = neurons(5, 2), points(ln.Box(-1, 1, dim=2), 4)
    kept, where, c = theta.copy(), x.copy(), np.arange(4.0)
    network = ln.Network(ln.ReLU(2), theta)
    network.features(x, {(0, 0): c, (1, 0): 2.0})
    np.testing.assert_array_equal(theta, kept)
    np.testing.assert_array_equal(x, where)
    np.testing.assert_array_equal(c, np.arange(4.0))
    theta[:] = 0.0  # the network has parameters of its own
    np.testing.assert_array_equal(network.theta, kept)
    with pytest.raises(ValueError, match="read-only"):
        network.theta[0, 0] = 1.0


def test_a_network_can_be_pickled():
    network = ln.Network(ln.ReLU(3), neurons(5, 3)).placed_on(LONG)
    again = pickle.loads(pickle.dumps(network))
    x = points(LONG, 4)
    np.testing.assert_array_equal(again.features(x), network.features(x))
    assert again.domain == LONG
