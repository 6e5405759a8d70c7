"""Rules: exactness, counts, random access, restriction, and equality with scipy's Sobol."""

import itertools
import math
import pickle
import time
import tracemalloc
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import qmc

from linnet.domains import Box, Points
from linnet.errors import ArgumentError

SQUARE = Box(-1, 1, dim=2)
BRICK = Box([0, -2, 1], [3, 5, 2])


def scipy_sobol(dim, n, **settings):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about n that is no power of 2
        return qmc.Sobol(dim, **settings).random(n)


def monomial(x, powers):
    return np.prod(x ** np.array(powers), axis=1)


def exact(box, powers):
    """The integral of a monomial over a box."""
    terms = [
        (b ** (k + 1) - a ** (k + 1)) / (k + 1)
        for a, b, k in zip(box.lower, box.upper, powers, strict=True)
    ]
    return math.prod(terms)


@st.composite
def polynomial_cases(draw):
    """A box, cells, an order, and a monomial of the degree that is integrated exactly."""
    dim = draw(st.integers(1, 4))
    lower = np.array(draw(st.lists(st.floats(-2, 2), min_size=dim, max_size=dim)))
    width = np.array(draw(st.lists(st.floats(0.5, 3), min_size=dim, max_size=dim)))
    cells = draw(st.lists(st.integers(1, 3), min_size=dim, max_size=dim))
    order = draw(st.integers(1, 3))
    powers = draw(st.lists(st.integers(0, 2 * order - 1), min_size=dim, max_size=dim))
    return Box(lower, lower + width), cells, order, powers


@given(polynomial_cases())
@settings(max_examples=60)
def test_gauss_is_exact_in_the_interior(case):
    box, cells, order, powers = case
    points, weights, normals = box.gauss(cells, order).take(0, math.prod(cells) * order**box.dim)
    assert normals is None
    values = monomial(points, powers)
    assert abs(weights @ values - exact(box, powers)) <= 1e-13 * (weights @ abs(values) + 1)
    assert (weights > 0).all()
    assert box.contains(points).all()


@given(polynomial_cases(), st.data())
@settings(max_examples=60)
def test_gauss_satisfies_the_divergence_theorem(case, data):
    """∫_Ω ∂_i f = ∫_∂Ω f n_i, both sides by quadrature and the left one by hand too."""
    box, cells, order, powers = case
    i = data.draw(st.integers(0, box.dim - 1))
    x, w, n = box.boundary.gauss(cells, order).take(0, len(box.boundary.gauss(cells, order)))
    surface = w @ (monomial(x, powers) * n[:, i])
    scale = w @ abs(monomial(x, powers)) + 1
    lowered = [k - (j == i) for j, k in enumerate(powers)]
    volume = powers[i] * exact(box, lowered) if powers[i] else 0.0
    assert abs(surface - volume) <= 1e-13 * scale
    inside = box.gauss(cells, order)
    if powers[i]:
        quadrature = inside.weights @ (powers[i] * monomial(inside.points, lowered))
        assert abs(surface - quadrature) <= 1e-13 * scale


def test_gauss_is_not_exact_one_degree_higher():
    """x^(2n) on [-1, 1]: the error is that of the squared monic Legendre polynomial."""
    for order in range(1, 6):
        rule = Box(-1, 1).gauss(1, order)
        monic = 2**order * math.factorial(order) ** 2 / math.factorial(2 * order)
        norm = monic**2 * 2 / (2 * order + 1)
        error = 2 / (2 * order + 1) - rule.weights @ rule.points[:, 0] ** (2 * order)
        assert error == pytest.approx(norm, rel=1e-10)


def makers():
    yield "gauss", lambda part: part.gauss(3, order=2)
    yield "grid", lambda part: part.grid(4)
    yield "sobol", lambda part: part.sobol(77)
    yield "scrambled", lambda part: part.sobol(77, scramble=True, rng=5)
    yield "random", lambda part: part.random(77, rng=5)


MAKERS = dict(makers())
DOMAINS = [Box(0, 2), Box([0, -2], [3, 5]), BRICK, Box(-1, 1, dim=4)]
PARTS = [
    part for box in DOMAINS for part in (box, box.boundary, box.face("right"), box.periodic(0))
]
each_rule = pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)
each_part = pytest.mark.parametrize("part", PARTS, ids=repr)


@each_rule
@each_part
def test_every_rule_on_every_part(maker, part):
    rule = maker(part)
    points, weights, normals = rule.take(0, rule.size)
    assert points.shape == (len(rule), part.dim)
    assert weights.sum() == pytest.approx(part.measure, rel=1e-13)
    assert (weights > 0).all()
    box = getattr(part, "box", part)
    assert box.contains(points).all()
    if part is box:
        assert normals is None
        assert rule.normals is None
    else:  # outward unit normals, at points of the face that they belong to
        assert set(np.unique(normals)) <= {-1.0, 0.0, 1.0}
        np.testing.assert_array_equal(abs(normals).sum(axis=1), 1)
        outside = points + 1e-9 * normals
        assert not box.contains(outside).any()
    for again in (pickle.loads(pickle.dumps(rule)), eval(repr(rule), {"Box": Box})):
        assert again == rule
        assert again.describe() == rule.describe()
        np.testing.assert_array_equal(again.points, points)
    assert rule.on(part) == rule


@each_rule
@given(st.data())
@settings(max_examples=15)
def test_pieces_make_the_whole(maker, data):
    rule = maker(data.draw(st.sampled_from(PARTS)))
    size = len(rule)
    cuts = sorted(data.draw(st.lists(st.integers(0, size), max_size=5)))
    pieces = [rule.take(a, b) for a, b in itertools.pairwise([0, *cuts, size])]
    for name in ("points", "weights", "normals"):
        whole = getattr(rule, name)
        if whole is not None:
            joined = np.concatenate([getattr(piece, name) for piece in pieces])
            np.testing.assert_array_equal(joined, whole)


@each_rule
def test_restriction_to_faces(maker):
    rule = maker(BRICK.boundary)
    for face in BRICK.faces.values():
        own = rule.on(face)
        assert own.part == face
        assert own.weights.sum() == pytest.approx(face.measure)
        pieces = {tuple(x) for x in np.hstack([rule.points, rule.normals])}
        mine = {tuple(x) for x in np.hstack([own.points, own.normals])}
        if maker is MAKERS["grid"]:
            assert len(mine) == 16  # the full grid of the face, shared edges included
        else:
            assert mine <= pieces
    np.testing.assert_array_equal(
        rule.on(BRICK.periodic(1)).points, rule.on(BRICK.face("bottom")).points
    )


@pytest.mark.parametrize("dim", [1, 2, 3, 4])
@pytest.mark.parametrize("n", [2, 3, 5])
def test_boundary_grid_is_the_boundary_of_the_grid(dim, n):
    box = Box(-0.3, 1.1, dim=dim)
    rule = box.boundary.grid(n)
    assert rule.size == n**dim - (n - 2) ** dim
    grid = box.grid(n).points
    on_boundary = ((grid == box.lower) | (grid == box.upper)).any(axis=1)
    assert {tuple(x) for x in rule.points} == {tuple(x) for x in grid[on_boundary]}
    assert len({tuple(x) for x in rule.points}) == rule.size


@given(st.data())
@settings(max_examples=40)
def test_grid_on_some_faces_has_each_of_their_points_once(data):
    names = data.draw(st.sets(st.sampled_from(list(BRICK.faces)), min_size=1))
    n = data.draw(st.lists(st.integers(2, 4), min_size=3, max_size=3))
    rule = BRICK.face(*names).grid(n)
    got = [tuple(x) for x in rule.points]
    wanted = {tuple(x) for name in names for x in BRICK.face(name).grid(n).points}
    assert len(got) == len(wanted)
    assert set(got) == wanted


def test_the_paper_counts():
    assert SQUARE.boundary.grid(100).size == 396
    assert SQUARE.grid(100).size == 10_000
    assert SQUARE.gauss(100, order=3).size == 90_000


def test_settings_per_axis():
    assert BRICK.grid([2, 3, 4]).size == 24
    assert BRICK.gauss([2, 3, 4], order=2).size == 24 * 8
    assert BRICK.face("left").gauss([2, 3, 4], order=2).size == 12 * 4
    assert BRICK.face("top").grid([2, 3, 4]).size == 8
    np.testing.assert_array_equal(np.unique(BRICK.grid([2, 3, 4]).points[:, 1]), [-2, 1.5, 5])


def test_gauss_on_the_ends_of_an_interval():
    points, weights, normals = Box(-1, 3).boundary.gauss(5, order=2).take(0, 2)
    np.testing.assert_array_equal(points, [[-1], [3]])
    np.testing.assert_array_equal(weights, [1, 1])
    np.testing.assert_array_equal(normals, [[-1], [1]])


@pytest.mark.parametrize("dim", [1, 2, 6, 13])
@pytest.mark.parametrize("seed", [None, 7])
def test_sobol_has_the_bits_of_scipy(dim, seed):
    scrambled = seed is not None
    reference = scipy_sobol(dim, 20_000, scramble=scrambled, rng=seed)
    rule = Box(0, 1, dim=dim).sobol(20_000, scramble=scrambled, rng=seed)
    np.testing.assert_array_equal(rule.points, reference)
    rng = np.random.default_rng(dim)
    for start in rng.integers(0, 19_000, size=30):
        stop = start + rng.integers(0, 1000)
        np.testing.assert_array_equal(rule.take(start, stop).points, reference[start:stop])


@given(st.integers(0, 2**22), st.integers(1, 300))
@settings(max_examples=10)
def test_sobol_from_far_starts(start, m):
    engine = qmc.Sobol(3, scramble=True, rng=11)
    if start:
        engine.fast_forward(start)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reference = engine.random(m)
    rule = Box(0, 1, dim=3).sobol(2**23, scramble=True, rng=11)
    np.testing.assert_array_equal(rule.take(start, start + m).points, reference)


def test_sobol_beyond_30_bits_begins_alike():
    small, large = (Box(0, 1, dim=4).sobol(n).take(0, 3000) for n in (2**30, 2**31))
    np.testing.assert_array_equal(small.points, large.points)


def test_sobol_is_scaled_to_the_box():
    reference = qmc.scale(scipy_sobol(3, 100, scramble=False), BRICK.lower, BRICK.upper)
    np.testing.assert_allclose(BRICK.sobol(100).points, reference, rtol=0, atol=1e-15)
    np.testing.assert_array_equal(BRICK.sobol(100).points[0], BRICK.lower)
    np.testing.assert_array_equal(BRICK.sobol(100).weights, BRICK.measure / 100)


def test_sobol_converges_faster_than_random():
    """Mean of Π 3x²/1 over the unit cube is 1; Sobol's error at 2^14 is below n^(-0.9)·10."""
    rule = Box(0, 1, dim=3).sobol(2**14)
    error = abs(rule.weights @ np.prod(3 * rule.points**2, axis=1) - 1)
    assert error < 10 * (2**14) ** -0.9


def test_random_is_numpy_in_the_unit_cube():
    rule = Box(0, 1, dim=3).random(500, rng=9)
    reference = np.random.default_rng(9).random((500, 3))
    np.testing.assert_array_equal(rule.points, reference)
    np.testing.assert_array_equal(rule.take(123, 456).points, reference[123:456])


@pytest.mark.parametrize(
    "make", [lambda r: SQUARE.random(9, r), lambda r: SQUARE.sobol(9, True, r)]
)
def test_rng_is_drawn_from_once(make):
    first, second = make(np.random.default_rng(3)), make(np.random.default_rng(3))
    assert first == second
    generator = np.random.default_rng(3)
    assert make(generator) != make(generator)
    assert make(None) != make(None)
    rule = make(None)
    np.testing.assert_array_equal(rule.points, rule.points)


@pytest.mark.parametrize("n", [6, 7, 50, 1001])
def test_points_are_divided_by_measure(n):
    rule = BRICK.boundary.sobol(n)
    assert rule.size == n
    for face in BRICK.faces.values():
        share = n * face.measure / BRICK.boundary.measure
        count = rule.on(face).size
        assert count >= 1
        assert abs(count - share) < 1 or count == 1 or n < 10
    thin = Box([0, 0], [1, 1e-6]).boundary.random(5, rng=0)
    assert [thin.on(thin.part.box.face(s)).size for s in thin.part.box.faces] == [1, 1, 1, 2]


def test_ends_of_an_interval_are_taken_once():
    for rule in (Box(0, 1).boundary.sobol(100), Box(0, 1).boundary.random(100, rng=0)):
        np.testing.assert_array_equal(rule.points, [[0], [1]])
        np.testing.assert_array_equal(rule.weights, [1, 1])


@pytest.mark.parametrize("part", [Box(-1, 1, dim=6), Box(-1, 1, dim=6).boundary], ids=repr)
def test_big_rules_are_streams(part):
    """The last block of about 5e7 points in 6D, at once and in little memory."""
    n = 50_000_000
    for rule in (part.gauss(7, 3), part.grid(20), part.sobol(n), part.random(n, rng=1)):
        assert rule.size > 2e7
        rule.take(rule.size - 1, rule.size)  # Sobol asks scipy for powers of two, once
        tracemalloc.start()
        began = time.perf_counter()
        points, weights, _ = rule.take(rule.size - 1024, rule.size)
        seconds = time.perf_counter() - began
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert seconds < 0.1
        assert peak < 1e6
        assert (abs(points) <= 1).all()
        assert len(weights) == 1024


@each_rule
def test_threads_see_the_same_nodes(maker):
    rule = maker(BRICK.boundary)
    blocks = [(a, min(a + 10, rule.size)) for a in range(0, rule.size, 10)]
    with ThreadPoolExecutor(4) as pool:
        pieces = list(pool.map(lambda block: rule.take(*block).points, blocks))
    np.testing.assert_array_equal(np.concatenate(pieces), rule.points)


def test_given_points_are_a_rule():
    rule = Points([1.0, 2, 4], normals=[1, -1, 1])
    points, weights, normals = rule.take(1, 3)
    np.testing.assert_array_equal(points, [[2], [4]])
    np.testing.assert_array_equal(weights, [1, 1])
    np.testing.assert_array_equal(normals, [[-1], [1]])
    assert rule.part is rule
    assert rule.on(Points([1.0, 2, 4], normals=[1, -1, 1])) is rule
    assert rule.describe() == Points([1.0, 2, 4], normals=[1, -1, 1]).describe()
    assert rule.describe() != Points([1.0, 2, 4]).describe()


def test_describe():
    assert SQUARE.gauss(100, 3).describe() == "Box(-1, 1, dim=2).gauss(100, order=3)"
    assert BRICK.grid([2, 3, 4]).describe() == f"{BRICK!r}.grid((2, 3, 4))"
    assert SQUARE.boundary.sobol(8).describe() == "Box(-1, 1, dim=2).boundary.sobol(8)"
    assert repr(SQUARE.random(8, rng=2)) == "Box(-1, 1, dim=2).random(8, rng=2)"


REFUSALS = [
    (lambda: SQUARE.gauss(0, 3), "cells = 0: less than 1"),
    (lambda: SQUARE.gauss(2.5, 3), "cells = 2.5: not a whole number"),
    (lambda: SQUARE.gauss([2, 3, 4], 3), "3 numbers for 2 axes"),
    (lambda: SQUARE.gauss(2, 0), "order = 0"),
    (lambda: SQUARE.grid(1), "n = 1: less than 2"),
    (lambda: SQUARE.grid([5, 1]), "n = 1"),
    (lambda: SQUARE.sobol(0), "n = 0"),
    (lambda: SQUARE.sobol(True), "truth value"),
    (lambda: SQUARE.sobol(2**32 + 1), "n = 4294967297: more than 4294967296"),
    (lambda: SQUARE.boundary.sobol(3), "fewer points than the 4 faces"),
    (lambda: SQUARE.random(5, rng="seed"), "rng = 'seed'"),
    (lambda: SQUARE.random(5, rng=-1), "rng = -1"),
    (lambda: Box(0, 1, dim=30).grid(10), "cannot be numbered in 64 bits"),
    (lambda: SQUARE.grid(3).take(0, 10), "stop = 10: more than 9"),
    (lambda: SQUARE.grid(3).take(5, 4), "stop = 4: less than 5"),
    (lambda: SQUARE.grid(3).take(-1, 4), "start = -1"),
    (lambda: SQUARE.grid(3).on(SQUARE.boundary), "part = .*not contained in"),
    (lambda: SQUARE.face("left").grid(3).on(SQUARE.boundary), "Make a rule on that part itself"),
    (lambda: SQUARE.grid(3).on(Points([[0, 0]])), "not contained in"),
    (lambda: Points([[0, 0]]).on(SQUARE), "not contained in"),
]


@pytest.mark.parametrize(("make", "message"), REFUSALS)
def test_refusals(make, message):
    with pytest.raises(ArgumentError, match=message):
        make()
