"""Which neurons a box needs: counts from DESIGN.md and the paper, and spans that are preserved."""

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_limits

import linnet as ln
from linnet import neurons
from linnet.redundancy import independent_neurons

ODD = [ln.Tanh(), ln.Sine()]  # σ(−z) = −σ(z)
EVEN = [ln.Cosine(), ln.Gaussian()]  # σ(−z) = σ(z)
AFFINE = [ln.Sigmoid(), ln.Softplus()]  # σ(−z) = 1 − σ(z), σ(−z) = σ(z) − z
RELUS = [ln.ReLU(k) for k in (1, 2, 3, 4)]


@pytest.fixture(autouse=True, scope="module")
def _one_thread():
    """Small factorisations are faster so, fifty times on a machine that others use."""
    with threadpool_limits(1):
        yield


def box(theta):
    return ln.Box(-1, 1, dim=np.shape(theta)[1] - 1)


def kept(activation, theta):
    return independent_neurons(activation, np.asarray(theta, dtype=np.float64))


def sampled(activation, theta, m=600):
    """Columns of length 1 (or 0): the neurons at many points, half of them close to corners."""
    theta = np.asarray(theta, dtype=np.float64)
    x = np.random.default_rng(7).uniform(-1, 1, (m, theta.shape[1] - 1))
    x[::2] = np.sign(x[::2]) * (1 - np.abs(x[::2]) ** 6)
    A = activation(x @ theta[:, :-1].T + theta[:, -1])
    norms = np.linalg.norm(A, axis=0)
    return A / np.where(norms > 0, norms, 1.0)


def numerical_rank(A, eps=1e-12):
    values = np.linalg.svd(A, compute_uv=False)
    return int((values > eps * values[0]).sum())


def assert_spanned(activation, theta):
    """Every neuron is a combination of the kept ones, to roundoff."""
    A = sampled(activation, theta)
    basis = A[:, kept(activation, theta)]
    a = np.linalg.lstsq(basis, A, rcond=1e-15)[0]
    assert np.linalg.norm(basis @ a - A, axis=0).max() <= 1e-9


def split(theta):
    """Numbers of dead neurons, of bent ones and of polynomials on the box, by the formula."""
    slopes, b = np.abs(theta[:, :-1]).sum(axis=1), theta[:, -1]
    dead, polynomial = b + slopes <= 0, b - slopes >= 0
    return dead.sum(), (~dead & ~polynomial).sum(), polynomial.sum()


# ----------------------------------------------------------------------------------- counts


@pytest.mark.parametrize(
    ("n", "expected"),
    [(100, 98), (200, 197), (400, 397), (800, 794), (1600, 1591), (3200, 3185)],
)
def test_sobol_5d_has_the_papers_numbers(n, expected):  # table "5D … QMC points"
    theta = neurons.sobol_sphere(n, 5)
    assert ln.Network(ln.ReLU(3), theta).on(box(theta)).n == expected


@pytest.mark.parametrize(
    ("n", "expected"),
    [(25, 23), (50, 47), (100, 96), (200, 191), (400, 384), (800, 750), (1600, 1485)],
)
def test_sobol_3d(n, expected):
    # 23, 47, 96, 191 are the paper's. From 400 on the 20 cubics are full, and one bent neuron is
    # redundant, too: Sobol points 2 and 3 are antipodes (see below). The paper has 385, 750, 1483
    # from min(number of polynomials, 20) on a box shrunk by 2 %.
    theta = neurons.sobol_sphere(n, 3)
    assert len(kept(ln.ReLU(3), theta)) == expected
    _, bent, polynomials = split(theta)
    assert expected == bent + min(polynomials, comb(6, 3)) - (polynomials > comb(6, 3))


def test_sobol_points_2_and_3_are_antipodes():
    for dim in (1, 2, 3, 5):
        second, third = neurons.sobol_sphere(4, dim)[2:]
        np.testing.assert_allclose(second, -third, rtol=0, atol=1e-15)


@pytest.mark.parametrize(
    ("n", "expected"), [(100, 90), (200, 165), (400, 320), (800, 637), (1600, 1265)]
)
def test_fibonacci_2d(n, expected):
    theta = neurons.fibonacci(n)
    assert len(kept(ln.ReLU(3), theta)) == expected
    _, bent, polynomials = split(theta)
    assert expected == bent + min(polynomials, comb(5, 3))


PAPER = {  # the neurons in the paper's tables, and the point sets they come from
    "fibonacci": (lambda j: neurons.fibonacci(100 * 2**j), [88, 165, 318, 631, 1256]),
    "sobol 3D": (
        lambda j: neurons.sobol_sphere(25 * 2**j, 3),
        [23, 47, 96, 191, 385, 750, 1483],
    ),
    "sobol 5D": (
        lambda j: neurons.sobol_sphere(100 * 2**j, 5),
        [98, 197, 397, 794, 1591, 3185],
    ),
}


@pytest.mark.parametrize("name", PAPER)
def test_the_papers_counts_are_those_of_a_box_shrunk_by_two_percent(name):
    # a kink that only enters the outer 2 % of the box counts as outside; of the polynomials
    # that are left as many are kept as the space has dimensions
    make, counts = PAPER[name]
    for j, expected in enumerate(counts):
        theta = make(j)
        shrunk = np.column_stack([0.98 * theta[:, :-1], theta[:, -1]])
        _, bent, polynomials = split(shrunk)
        assert bent + min(polynomials, comb(theta.shape[1] + 2, 3)) == expected


@pytest.mark.parametrize("k", [1, 2, 3, 4])
@pytest.mark.parametrize("m", [8, 32, 128, 512])
def test_half_of_an_even_circle_is_redundant(m, k):
    # angles 2πj/m with 8 | m: a quarter of the neurons is dead (the one that only touches
    # included), a quarter polynomial (likewise), half is bent, in antipodal pairs
    theta = neurons.circle(m)
    number = len(kept(ln.ReLU(k), theta))
    dead, bent, polynomials = m // 4 + 1, m // 2 - 2, m // 4 + 1
    assert dead + bent + polynomials == m
    assert number == bent // 2 + min(k + 1, polynomials + bent // 2)
    if m > 8:
        assert number == m // 4 + k


@pytest.mark.parametrize("m", [9, 33, 129])
def test_an_odd_circle_has_no_antipodes(m):
    theta = neurons.circle(m)
    _, bent, polynomials = split(theta)
    assert len(kept(ln.ReLU(2), theta)) == bent + min(3, polynomials)


@pytest.mark.parametrize("activation", [*ODD, *EVEN, *AFFINE], ids=repr)
def test_half_of_an_even_circle_is_redundant_for_smooth_activations(activation):
    theta = neurons.circle(20, radius=3)
    number = len(kept(activation, theta))
    # 20 neurons in 10 pairs, one of them the constants (w, b) = ±(0, 3): cos(π/2) is not exact
    if activation in AFFINE:  # one of all pairs brings the polynomial that the mirrors leave over
        assert number == 10 + {ln.Sigmoid(): 0, ln.Softplus(): 1}[activation]
    else:
        assert number == 10
    assert numerical_rank(sampled(activation, theta)) <= number
    assert_spanned(activation, theta)


# ------------------------------------------------------------------------------------ spans


@pytest.mark.parametrize("activation", RELUS, ids=repr)
@pytest.mark.parametrize(
    "theta",
    [
        neurons.circle(40),
        neurons.circle(41),
        neurons.fibonacci(120),
        neurons.sobol_sphere(150, 3),
        neurons.petrushev(2, 21, 1, 1.0, 2.0),
        neurons.petrushev(12, 9, 2, 1.0, 1.5),
        neurons.random_sphere(150, 2, rng=1),
    ],
    ids=["even circle", "odd circle", "fibonacci", "sobol", "petrushev 1D", "petrushev", "random"],
)
def test_the_span_is_kept_and_nothing_more(activation, theta):
    assert_spanned(activation, theta)
    indices = kept(activation, theta)
    assert (np.diff(indices) > 0).all()
    if activation.degree <= 2:  # beyond, kinks close to a corner sink below roundoff
        A = sampled(activation, theta)
        assert numerical_rank(A[:, indices]) == len(indices) == numerical_rank(A)


@pytest.mark.parametrize("activation", [*ODD, *EVEN, *AFFINE], ids=repr)
@pytest.mark.parametrize("dim", [1, 2, 3])
def test_mirror_images_are_found(activation, dim):
    theta = np.random.default_rng(dim).normal(size=(9, dim + 1))
    both = np.concatenate([theta, -theta])
    indices = kept(activation, both)
    extra = {ln.Sigmoid(): 1, ln.Softplus(): dim + 1}.get(activation, 0)  # 1; or 1, x₁, …, x_d
    assert len(indices) == 9 + extra
    assert len({i % 9 for i in indices}) == 9  # one of each pair at least
    assert_spanned(activation, both)
    assert kept(activation, theta).tolist() == list(range(9))


@pytest.mark.parametrize("activation", [*ODD, *EVEN, *AFFINE, *RELUS], ids=repr)
def test_copies_are_found(activation):
    theta = np.random.default_rng(0).normal(size=(8, 3))
    theta[:, -1] *= 0.1  # bent on the box
    thrice = np.concatenate([theta, theta[::-1], theta + 1e-13])
    assert kept(activation, thrice).tolist() == list(range(8))
    near = np.concatenate([theta, theta + 1e-6])  # near is not the same
    assert len(kept(activation, near)) == 16


@pytest.mark.parametrize("k", [1, 2, 3])
def test_multiples_are_copies_for_relu_only(k):
    theta = np.random.default_rng(0).normal(size=(8, 3)) * [1, 1, 0.1]
    stretched = np.concatenate([theta, 2.5 * theta])
    assert kept(ln.ReLU(k), stretched).tolist() == list(range(8))  # σ(cz) = cᵏσ(z)
    assert len(kept(ln.Tanh(), stretched)) == 16
    mirrored = np.concatenate([theta, -0.3 * theta])  # up to (−z)ᵏ, a polynomial
    indices = kept(ln.ReLU(k), mirrored)
    assert len(indices) == 8 + min(8, comb(2 + k, k))
    assert_spanned(ln.ReLU(k), mirrored)


def test_tiny_and_huge_neurons_are_judged_by_their_own_size():
    theta = np.random.default_rng(0).normal(size=(8, 3)) * [1, 1, 0.1]
    for factor in (1e-8, 1e8):
        assert kept(ln.ReLU(2), factor * theta).tolist() == list(range(8))
        mixed = np.concatenate([theta, -factor * theta])
        assert len(kept(ln.ReLU(2), mixed)) == 8 + 6


def test_constants():
    constants = np.array([[0.0, 0.0, 0.7], [0.0, 0.0, -0.4], [0.0, 0.0, 2.0]])
    bent = np.array([[1.0, 0.5, 0.1], [0.3, -1.0, 0.2]])
    for activation in (*ODD, *EVEN, *AFFINE):
        assert len(kept(activation, constants)) == 1
        indices = kept(activation, np.concatenate([constants, bent]))
        assert len(indices) == 3
        assert {3, 4} <= set(indices)
    assert kept(ln.Tanh(), np.concatenate([bent, [[0, 0, 0.0]]])).tolist() == [0, 1]  # tanh 0 = 0
    assert kept(ln.Gaussian(), np.concatenate([bent, [[0, 0, 0.0]]])).tolist() == [0, 1, 2]
    for k in (1, 2):
        assert kept(ln.ReLU(k), np.concatenate([bent, constants[1:2]])).tolist() == [0, 1]
        assert len(kept(ln.ReLU(k), np.concatenate([bent, constants]))) == 3


def test_a_mirrored_sigmoid_brings_the_constant():
    theta = np.array([[1.0, 0.2], [-1.0, -0.2], [0.0, 0.5]])  # σ(z), 1 − σ(z), a constant
    assert len(kept(ln.Sigmoid(), theta)) == 2
    assert_spanned(ln.Sigmoid(), theta)


def test_dead_neurons():
    theta = np.array(
        [
            [1.0, 1.0, -2.1],  # dead
            [1.0, 1.0, -2.0],  # only touches the corner (1, 1)
            [1.0, 1.0, -1.9],
            [-0.5, 0.5, -1.0],  # touches another corner
            [0.0, 0.0, 0.0],  # nothing at all
        ]
    )
    for k in (1, 3):
        assert kept(ln.ReLU(k), theta).tolist() == [2]
    assert kept(ln.ReLU(2), theta[:2]).tolist() == []
    assert len(kept(ln.Tanh(), theta)) == 4  # smooth ones live everywhere; tanh 0 = 0


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("dim", [1, 2, 3])
def test_polynomials_are_as_many_as_their_space_has_dimensions(k, dim):
    rng = np.random.default_rng(k)
    theta = rng.normal(size=(60, dim + 1))
    theta[:, -1] = np.abs(theta[:, :-1]).sum(axis=1) + rng.uniform(0, 1, 60)
    assert len(kept(ln.ReLU(k), theta)) == comb(dim + k, k)
    assert len(kept(ln.ReLU(k), theta[:2])) == 2
    assert_spanned(ln.ReLU(k), theta)


def test_the_polynomials_are_chosen_well_not_first():
    # many polynomials close together come first; the space is found all the same
    crowd = np.array([[1e-4 * i, 0.0, 1.0] for i in range(1, 30)])
    spread = np.array(
        [[0.5, 0.4, 1], [0.4, -0.5, 1], [-0.3, 0.6, 1], [0, 0, 1], [0.9, 0, 1], [0, 0.9, 1.0]]
    )
    theta = np.concatenate([crowd, spread])
    indices = kept(ln.ReLU(2), theta)
    assert len(indices) == 6
    assert numerical_rank(sampled(ln.ReLU(2), theta[indices]), eps=1e-3) == 6
    assert_spanned(ln.ReLU(2), theta)


@given(st.integers(0, 2**32 - 1), st.sampled_from([*RELUS[:3], *ODD, *EVEN, *AFFINE]))
# the same seeds every time: a few others have corners that no sample sees, or differ by roundoff
@settings(max_examples=60, derandomize=True)
def test_mixtures_keep_their_span(seed, activation):
    rng = np.random.default_rng(seed)
    dim = int(rng.integers(1, 4))
    base = 3 * rng.normal(size=(6, dim + 1))
    base[:, 0] += np.sign(base[:, 0]) * np.arange(6)  # far apart: like ones are nearly dependent
    flat = np.column_stack([np.zeros((2, dim)), rng.normal(size=2)])
    some = base[rng.integers(0, 6, 4)]
    theta = np.concatenate([base, some, -base[rng.integers(0, 6, 3)], flat])
    theta = theta[rng.permutation(len(theta))]
    if isinstance(activation, ln.ReLU):
        theta = theta * rng.uniform(0.5, 2, (len(theta), 1))
    assert_spanned(activation, theta)
    A, indices = sampled(activation, theta), kept(activation, theta)
    assert len(indices) == numerical_rank(A[:, indices])


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=20)
def test_the_number_kept_does_not_depend_on_the_order(seed):
    theta = neurons.fibonacci(60)
    theta = np.concatenate([theta, -theta[10:30]])
    shuffled = theta[np.random.default_rng(seed).permutation(len(theta))]
    for activation in (ln.ReLU(2), ln.Tanh(), ln.Softplus()):
        assert len(kept(activation, shuffled)) == len(kept(activation, theta))


class Lopsided(ln.Activation):
    """An activation without a law of reflection."""

    def jet(self, z, orders):
        return {m: np.exp(z) for m in orders}


def test_an_activation_without_reflection_keeps_mirror_images():
    theta = np.random.default_rng(0).normal(size=(5, 3))
    assert len(kept(Lopsided(), np.concatenate([theta, -theta, theta]))) == 10


# --------------------------------------------------------------------------- on other boxes


def test_on_looks_at_reference_coordinates():
    theta = neurons.fibonacci(150)
    unit, long = ln.Box(-1, 1, dim=2), ln.Box([0, 50], [0.1, 70])
    for activation in (ln.ReLU(3), ln.Tanh()):
        network = ln.Network(activation, theta)
        one, other = network.on(unit), network.on(long)
        np.testing.assert_array_equal(one.theta, other.theta)
        assert (one.domain, other.domain) == (unit, long)
        assert {tuple(row) for row in one.theta} <= {tuple(row) for row in theta}
    assert network.n == 150  # the network itself stays as it is


def test_on_twice_is_on_once():
    network = ln.Network(ln.ReLU(2), neurons.circle(40)).on(ln.Box(0, 1))
    np.testing.assert_array_equal(network.on(ln.Box(0, 1)).theta, network.theta)
