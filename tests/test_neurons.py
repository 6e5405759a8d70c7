"""Point sets: counts, norms, the paper's formulas, uniformity and refusals."""

import math

import numpy as np
import pytest
from scipy.spatial import cKDTree
from scipy.special import ndtri
from scipy.stats import qmc

from linnet import neurons
from linnet.errors import ArgumentError
from linnet.neurons import (
    circle,
    fibonacci,
    half_ball,
    halton_sphere,
    lloyd,
    petrushev,
    random_box,
    random_sphere,
    sobol_sphere,
    sphere,
    spiral,
)

SPHERES = {
    "circle": (1, circle),
    "fibonacci": (2, fibonacci),
    **{
        f"{f.__name__} {d}": (d, lambda n, radius=1.0, f=f, d=d: f(n, d, radius))
        for f in (random_sphere, sobol_sphere, halton_sphere, lloyd, sphere)
        for d in (1, 2, 3, 5)
    },
}


def separation(points):
    """Distance of each point to its nearest neighbour."""
    return cKDTree(points).query(points, k=2)[0][:, 1]


def energy(points, dim):
    """Mean squared distance of the points of the sphere to the nearest of `points`."""
    samples = random_sphere(20_000, dim, rng=7)
    return np.mean(cKDTree(points).query(samples)[0] ** 2)


@pytest.mark.parametrize("name", SPHERES)
@pytest.mark.parametrize("n", [1, 2, 7, 64])
def test_spheres_have_n_points_of_the_given_norm(name, n):
    dim, points = SPHERES[name]
    theta = points(n, radius=2.5)
    assert theta.shape == (n, dim + 1)
    assert theta.dtype == np.float64
    assert theta.flags.c_contiguous
    np.testing.assert_allclose(np.linalg.norm(theta, axis=1), 2.5, rtol=1e-14)


@pytest.mark.parametrize("name", SPHERES)
def test_spheres_are_uniform(name):
    # ∫ x_i = 0 and ∫ x_i x_j = δ_ij/(d+1); 4/√n is four deviations of random points
    dim, points = SPHERES[name]
    n = 1000
    tolerance = 2e-2 if "lloyd" in name or "sphere " not in name else 4 / math.sqrt(n)
    theta = points(n)
    np.testing.assert_allclose(theta.mean(axis=0), 0.0, atol=tolerance)
    np.testing.assert_allclose(theta.T @ theta / n, np.eye(dim + 1) / (dim + 1), atol=tolerance)


def test_circle():
    s = math.sqrt(0.5)
    np.testing.assert_allclose(
        circle(8, 2.0),
        2 * np.array([[1, 0], [s, s], [0, 1], [-s, s], [-1, 0], [-s, -s], [0, -1], [s, -s]]),
        atol=1e-15,
    )


def test_fibonacci_is_the_papers_formula():
    n = 10
    theta = fibonacci(n)
    for row, i in zip(theta, np.arange(0.5, n), strict=True):
        phi, angle = math.acos(1 - 2 * i / n), math.pi * (1 + math.sqrt(5)) * i
        expected = math.sin(phi) * math.cos(angle), math.sin(phi) * math.sin(angle), math.cos(phi)
        np.testing.assert_allclose(row, expected, atol=1e-14)
    # i = ½: φ = arccos 0.9, ϑ = π(1 + √5)/2 = πφ
    np.testing.assert_allclose(theta[0], [0.157956, -0.406264, 0.9], atol=1e-6)
    np.testing.assert_allclose(theta[:, 2], 1 - (2 * np.arange(n) + 1) / n, atol=1e-15)


def kept(theta, k):
    """Neurons left on (−1, 1)^d: not dead, and at most C(d+k, k) of the active ones."""
    reach, bias = np.abs(theta[:, :-1]).sum(axis=1), theta[:, -1]
    dead, active = bias <= -reach, (bias >= reach) & (bias > 0)
    return np.sum(~dead) - max(0, np.sum(active) - math.comb(theta.shape[1] - 1 + k, k))


def test_the_papers_numbers_of_neurons():
    # tables of the 3D and the 5D Neumann problem with QMC points, ReLU³
    counts = [kept(sobol_sphere(100 * 2**j, 5), 3) for j in range(6)]
    assert counts == [98, 197, 397, 794, 1591, 3185]
    assert [kept(sobol_sphere(25 * 2**j, 3), 3) for j in range(4)] == [23, 47, 96, 191]
    # DESIGN.md: Fibonacci 2D
    counts = [kept(fibonacci(100 * 2**j), 3) for j in range(5)]
    assert counts == [90, 165, 320, 637, 1265]


@pytest.mark.parametrize("dim", [1, 3, 8])
def test_sobol_sphere(dim):
    theta = sobol_sphere(100, dim)
    # index 0: all coordinates clipped alike; 1: the centre, which has no direction
    np.testing.assert_allclose(theta[0], -1 / math.sqrt(dim + 1), rtol=1e-14)
    np.testing.assert_array_equal(theta[1], [0.0] * dim + [-1.0])
    # index 2 is (3/4, 1/4, …), whose quantiles differ in sign alone
    np.testing.assert_allclose(np.abs(theta[2]), 1 / math.sqrt(dim + 1), rtol=1e-12)
    assert theta[2, 0] > 0 > theta[2, 1]
    # extensible, deterministic, scaled
    np.testing.assert_array_equal(sobol_sphere(37, dim), theta[:37])
    np.testing.assert_allclose(sobol_sphere(100, dim, radius=3.0), 3 * theta, rtol=1e-15)
    points = qmc.Sobol(dim + 1, scramble=False).random_base2(7)[2:100]
    normal = ndtri(points)
    np.testing.assert_allclose(theta[2:], normal / np.linalg.norm(normal, axis=1)[:, None])


def test_halton_sphere():
    theta = halton_sphere(50, 2)
    np.testing.assert_allclose(theta[0], -1 / math.sqrt(3), rtol=1e-14)
    normal = ndtri([1 / 4, 2 / 3, 2 / 5])  # index 2 in bases 2, 3, 5
    np.testing.assert_allclose(theta[2], normal / np.linalg.norm(normal), rtol=1e-12)
    np.testing.assert_array_equal(halton_sphere(20, 2), theta[:20])


@pytest.mark.parametrize(
    "points",
    [
        lambda rng: random_sphere(50, 3, rng=rng),
        lambda rng: sobol_sphere(50, 3, scramble=True, rng=rng),
        lambda rng: halton_sphere(50, 3, scramble=True, rng=rng),
        lambda rng: random_box(50, 3, 2.0, rng=rng),
        lambda rng: lloyd(50, 3, samples=500, rng=rng),
    ],
)
def test_rng(points):
    np.testing.assert_array_equal(points(3), points(3))
    np.testing.assert_array_equal(points(3), points(np.random.default_rng(3)))
    assert not np.array_equal(points(3), points(4))
    source = np.random.default_rng(3)
    assert not np.array_equal(points(source), points(source))
    assert not np.array_equal(points(None), points(None))


@pytest.mark.parametrize("dim", [2, 3, 5])
def test_lloyd_is_more_uniform_than_sobol(dim):
    n = 400
    theta, start = lloyd(n, dim), sobol_sphere(n, dim, scramble=True, rng=0)
    assert separation(theta).min() > 2 * separation(start).min()
    assert separation(theta).mean() > 1.25 * separation(start).mean()
    assert energy(theta, dim) < 0.95 * energy(start, dim)
    np.testing.assert_array_equal(theta, lloyd(n, dim))


def test_lloyd_on_the_plane_is_nearly_as_good_as_fibonacci():
    assert energy(lloyd(300, 2), 2) < 1.04 * energy(fibonacci(300), 2)


def test_lloyd_never_loses_energy():
    samples = 3000
    energies = [energy(lloyd(60, 3, iterations=i, samples=samples), 3) for i in (0, 1, 3, 8)]
    assert energies == sorted(energies, reverse=True)
    np.testing.assert_array_equal(
        lloyd(60, 3, iterations=200, samples=60 * 20), lloyd(60, 3, iterations=400, samples=60 * 20)
    )  # it comes to rest


def test_lloyd_finds_antipodes():
    theta = lloyd(2, 3, iterations=50)
    assert theta[0] @ theta[1] < -0.999


def test_lloyd_of_one_sample_per_point_stands_on_samples():
    assert np.isfinite(lloyd(20, 4, samples=20)).all()  # most cells are empty


def test_sphere_takes_the_best_for_the_dimension():
    np.testing.assert_array_equal(sphere(20, 1, 3.0), circle(20, 3.0))
    np.testing.assert_array_equal(sphere(20, 2, 3.0), fibonacci(20, 3.0))
    np.testing.assert_array_equal(sphere(20, 3, 3.0), lloyd(20, 3, 3.0))


@pytest.mark.parametrize(("dim", "n1"), [(1, 2), (1, 1), (2, 6), (3, 10), (4, 9)])
def test_petrushev_is_a_product(dim, n1):
    n2 = 5
    theta = petrushev(n1, n2, dim, r1=2.0, r2=3.0)
    assert theta.shape == (n1 * n2, dim + 1)
    grid = theta.reshape(n1, n2, dim + 1)
    np.testing.assert_array_equal(grid[..., -1], np.tile([-3.0, -1.5, 0.0, 1.5, 3.0], (n1, 1)))
    np.testing.assert_array_equal(grid[..., :-1], np.repeat(grid[:, :1, :-1], n2, axis=1))
    directions = grid[:, 0, :-1]
    np.testing.assert_allclose(np.linalg.norm(directions, axis=1), 2.0, rtol=1e-14)
    assert len(np.unique(directions.round(9), axis=0)) == n1
    if dim > 1:
        np.testing.assert_array_equal(directions, sphere(n1, dim - 1, 2.0))
    else:
        np.testing.assert_array_equal(directions[:, 0], [2.0, -2.0][:n1])


def test_random_box():
    theta = random_box(4000, 2, 5.0, rng=0)
    assert theta.shape == (4000, 3)
    assert np.abs(theta).max() <= 5.0
    # variance R²/3, and every octant has its share; four deviations
    np.testing.assert_allclose(theta.var(axis=0), 25 / 3, rtol=0.06)
    np.testing.assert_allclose(np.bincount((theta > 0) @ [1, 2, 4]), 500, atol=90)


@pytest.mark.parametrize(
    ("dim", "points"),
    [(2, spiral), *((d, lambda n, R, d=d: half_ball(n, d, R)) for d in (1, 2, 3, 6))],
)
def test_frequencies_fill_half_a_ball_uniformly(dim, points):
    n, R = 2000, 3.0
    theta = points(n, R)
    assert theta.shape == (n, dim + 1)
    np.testing.assert_array_equal(theta[0::2, :-1], theta[1::2, :-1])
    np.testing.assert_array_equal(theta[:, -1], np.tile([0.0, np.pi / 2], n // 2))
    w = theta[::2, :-1]
    moduli = np.sort(np.linalg.norm(w, axis=1))
    assert moduli[0] > 0
    assert moduli[-1] <= R * (1 + 1e-15)
    # uniform in volume: (|w|/R)^d is uniform in (0, 1)
    np.testing.assert_allclose((moduli / R) ** dim, (np.arange(n // 2) + 0.5) / 1000, atol=0.01)
    assert (w[:, 0] >= 0).all()
    if dim > 1:
        # symmetric in the other coordinates: E w_2 = 0, and E w_i w_j = δ_ij R²/(d+2)
        np.testing.assert_allclose(w[:, 1:].mean(axis=0), 0.0, atol=0.03 * R)
        second = w.T @ w / len(w)
        np.testing.assert_allclose(second, np.eye(dim) * R**2 / (dim + 2), atol=0.02 * R**2)


def test_frequencies_are_exact():
    np.testing.assert_allclose(half_ball(8, 1, 2.0)[::2, 0], [0.5, 1.0, 1.5, 2.0])
    np.testing.assert_array_equal(half_ball(80, 2, 2.0), spiral(80, 2.0))
    w = spiral(600, 5.0)[::2, :2]
    np.testing.assert_allclose(np.sum(w**2, axis=1), 25 * (np.arange(300) + 0.5) / 300)
    # ±w stay apart, as on a lattice: a random set would have separation 0.05 of the spacing
    spacing = 5.0 * math.sqrt(math.pi / 600)
    assert separation(np.vstack([w, -w])).min() > 0.8 * spacing


def test_sine_spiral_reaches_twelve_digits():
    # DESIGN.md: −Δu + u = f, u = Σ_{m=1,2,4} sin(mπx) sin(mπy), Dirichlet: 5.8e-13. Here with
    # a third of the rows, for speed.
    def sines(x, power):
        waves = [np.sin(m * np.pi * x[:, 0]) * np.sin(m * np.pi * x[:, 1]) for m in (1, 2, 4)]
        return sum(
            (1 + 2 * (m * np.pi) ** 2) ** power * s for m, s in zip((1, 2, 4), waves, strict=True)
        )

    grid = np.linspace(-1, 1, 60)
    x = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2)
    edge = x[np.abs(x).max(axis=1) == 1.0]
    theta = spiral(1000, 22.0)
    features = [np.sin(p @ theta[:, :2].T + theta[:, 2]) for p in (x, edge)]
    rows = np.vstack([features[0] * (1 + np.sum(theta[:, :2] ** 2, axis=1)), 100 * features[1]])
    values = np.concatenate([sines(x, 1), 100 * sines(edge, 0)])
    a = np.linalg.lstsq(rows, values, rcond=1e-15)[0]
    fresh = np.random.default_rng(0).uniform(-1, 1, (2000, 2))
    error = np.sin(fresh @ theta[:, :2].T + theta[:, 2]) @ a - sines(fresh, 0)
    assert np.sqrt(np.mean(error**2)) < 3e-12


WRONG = [
    (lambda: circle(0), "n = 0: it is below 1.*Pass an int ≥ 1"),
    (lambda: circle(2.0), "n = 2.0: a count is an integer"),
    (lambda: circle(True), "n = True: a count is an integer"),
    (lambda: circle(4, radius=0.0), "radius = 0.0: a length is a positive, finite"),
    (lambda: fibonacci(-1), "n = -1"),
    (lambda: fibonacci(4, radius=-1.0), "radius = -1.0"),
    (lambda: random_sphere(4, 0), "dim = 0"),
    (lambda: random_sphere(4, 2, math.inf), "radius = inf"),
    (lambda: random_sphere(4, 2, rng="seed"), "rng = 'seed': it makes no random generator"),
    (lambda: random_sphere(4, 2, rng=-1), "rng = -1"),
    (lambda: sobol_sphere("4", 2), "n = '4'"),
    (lambda: sobol_sphere(4, 2.5), "dim = 2.5"),
    (lambda: sobol_sphere(4, 2, math.nan), "radius = nan"),
    (lambda: sobol_sphere(4, 2, rng=0), "rng = 0: without scrambling nothing is random"),
    (lambda: halton_sphere(0, 2), "n = 0"),
    (lambda: halton_sphere(4, 0), "dim = 0"),
    (lambda: halton_sphere(4, 2, "1"), "radius = '1'"),
    (lambda: halton_sphere(4, 2, rng=0), "rng = 0: without scrambling"),
    (lambda: lloyd(0, 3), "n = 0"),
    (lambda: lloyd(4, 0), "dim = 0"),
    (lambda: lloyd(4, 3, radius=0), "radius = 0"),
    (lambda: lloyd(4, 3, iterations=-1), "iterations = -1: it is below 0"),
    (lambda: lloyd(40, 3, samples=39), "samples = 39: it is below 40"),
    (lambda: lloyd(40, 3, rng=1.5), "rng = 1.5"),
    (lambda: sphere(0, 3), "n = 0"),
    (lambda: sphere(4, 0), "dim = 0"),
    (lambda: sphere(4, 1, math.inf), "radius = inf"),
    (lambda: petrushev(3, 4, 1), "n1 = 3: in one dimension there are two directions"),
    (lambda: petrushev(0, 4, 2), "n1 = 0"),
    (lambda: petrushev(4, 1, 2), "n2 = 1: it is below 2"),
    (lambda: petrushev(4, 4, 0), "dim = 0"),
    (lambda: petrushev(4, 4, 2, r1=0.0), "r1 = 0.0"),
    (lambda: petrushev(4, 4, 2, r2=math.inf), "r2 = inf"),
    (lambda: random_box(0, 2, 1.0), "n = 0"),
    (lambda: random_box(4, 0, 1.0), "dim = 0"),
    (lambda: random_box(4, 2, 0.0), "R = 0.0"),
    (lambda: random_box(4, 2, 1.0, rng="x"), "rng = 'x'"),
    (lambda: spiral(7, 1.0), "n = 7: it is odd.*Pass n even"),
    (lambda: spiral(0, 1.0), "n = 0"),
    (lambda: spiral(4, 0.0), "radius = 0.0"),
    (lambda: half_ball(7, 3, 1.0), "n = 7: it is odd"),
    (lambda: half_ball(4, 0, 1.0), "dim = 0"),
    (lambda: half_ball(4, 3, -1.0), "radius = -1.0"),
]


@pytest.mark.parametrize(("call", "message"), WRONG, ids=[m for _, m in WRONG])
def test_refusals(call, message):
    with pytest.raises(ArgumentError, match=message):
        call()


def test_everything_public_is_listed():
    assert sorted(neurons.__all__) == neurons.__all__
    assert all(callable(getattr(neurons, name)) for name in neurons.__all__)
