"""Boxes, boundaries, faces and periodic pairs: geometry, identity and refusals."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.domains import Boundary, Box, PeriodicPair, Points
from linnet.errors import ArgumentError

SQUARE = Box(-1, 1, dim=2)


def bounds(dim):
    start = st.floats(-3, 3, allow_subnormal=False)
    return st.lists(st.tuples(start, st.floats(0.5, 4)), min_size=dim, max_size=dim)


boxes = (
    st.integers(1, 5)
    .flatmap(bounds)
    .map(lambda pairs: Box([a for a, _ in pairs], [a + h for a, h in pairs]))
)


def parts_of(box):
    yield box
    yield box.boundary
    yield from box.faces.values()
    yield box.periodic(0)


@given(boxes)
def test_repr_reads_back_and_pickle_keeps_identity(box):
    for part in parts_of(box):
        for again in (eval(repr(part), {"Box": Box}), pickle.loads(pickle.dumps(part))):
            assert again == part
            assert hash(again) == hash(part)
            assert type(again) is type(part)


@pytest.mark.parametrize(
    ("box", "text"),
    [
        (Box(-1, 1), "Box(-1, 1)"),
        (Box(-1, 1, dim=2), "Box(-1, 1, dim=2)"),
        (Box([0, -2], [3, 5]), "Box([0, -2], [3, 5])"),
        (Box(0, [1, 2.5]), "Box([0, 0], [1, 2.5])"),
        (Box(-0.0, 1), "Box(0, 1)"),
        (SQUARE.boundary, "Box(-1, 1, dim=2).boundary"),
        (SQUARE.face("top", "left"), "Box(-1, 1, dim=2).face('left', 'top')"),
        (Box(0, 1, dim=4).face("x3+"), "Box(0, 1, dim=4).face('x3+')"),
        (SQUARE.periodic(1), "Box(-1, 1, dim=2).periodic(1)"),
    ],
)
def test_repr(box, text):
    assert repr(box) == text


def test_geometry_of_a_box():
    box = Box([0, -2], [3, 5])
    assert box.dim == 2
    assert box.measure == 21
    np.testing.assert_array_equal(box.lower, [0, -2])
    np.testing.assert_array_equal(box.upper, [3, 5])
    np.testing.assert_array_equal(box.center, [1.5, 1.5])
    np.testing.assert_array_equal(box.halfwidth, [1.5, 3.5])
    assert box.boundary.measure == 20
    assert box.face("left").measure == 7
    assert box.face("bottom", "top").measure == 6
    assert box.boundary.dim == box.face("left").dim == 2
    assert Box(0, 5).boundary.measure == 2
    np.testing.assert_array_equal(box.contains([[0, 0], [3.1, 0], [1, 5]]), [True, False, True])


def test_bounds_are_read_only():
    with pytest.raises(ValueError, match="read-only"):
        SQUARE.lower[0] = 5
    with pytest.raises(AttributeError):
        SQUARE.dim = 3


def test_names_of_faces():
    cube = Box(0, 1, dim=3)
    assert list(cube.faces) == ["left", "right", "bottom", "top", "back", "front"]
    for axis, pair in enumerate([("left", "right"), ("bottom", "top"), ("back", "front")]):
        for side, name in zip("-+", pair, strict=True):
            assert cube.face(name) == cube.face(f"x{axis}{side}") == cube.faces[name]
    assert list(Box(0, 1, dim=4).faces)[-2:] == ["x3-", "x3+"]
    np.testing.assert_array_equal(cube.face("front").gauss(1, 1).normals, [[0, 0, 1]])
    np.testing.assert_array_equal(cube.face("left").gauss(1, 1).normals, [[-1, 0, 0]])


def test_unions_are_canonical():
    left, top = SQUARE.face("left"), SQUARE.face("top")
    assert left | top == top | left == SQUARE.face("top", "left", "left")
    assert (left | top).names == ("left", "top")
    assert SQUARE.face("left", "right", "bottom", "top") == SQUARE.boundary


def test_containment():
    left, pair = SQUARE.face("left"), SQUARE.periodic(0)
    assert SQUARE.contains(Box(-1, 1, dim=2))
    assert not SQUARE.contains(SQUARE.boundary)
    assert not SQUARE.contains(Box(-1, 0.5, dim=2))
    assert SQUARE.boundary.contains(left)
    assert not left.contains(SQUARE.boundary)
    assert not SQUARE.boundary.contains(Box(0, 1, dim=2).face("left"))
    assert not SQUARE.boundary.contains(SQUARE)
    assert SQUARE.boundary.contains(pair)
    assert not SQUARE.face("right").contains(pair)
    assert pair != left


def test_periodic_pair_leads_to_the_partner_face():
    box = Box([0, -2, 1], [3, 5, 2])
    for axis in range(3):
        pair = box.periodic(axis)
        low = pair.grid(4).points
        np.testing.assert_array_equal(low[:, axis], box.lower[axis])
        high = box.face(f"x{axis}+").grid(4).points
        np.testing.assert_allclose(low + pair.shift, high, rtol=0, atol=1e-15)
        assert pair.axis == axis


def test_points_as_a_part():
    x = np.array([[0.0, 1.0], [2.0, 3.0], [-0.0, 5.0]])
    part = Points(x, weights=[1, 2, 4])
    assert (part.dim, part.size, len(part), part.measure) == (2, 3, 3, 7)
    assert part.contains(Points(x + 0.0, weights=[1, 2, 4]))
    assert not part.contains(Points(x))
    assert not part.contains(SQUARE)
    assert pickle.loads(pickle.dumps(part)) == part
    assert hash(Points(abs(x))) == hash(Points(x))
    assert Points(abs(x)) == Points(x)
    x[:] = 7  # a copy was taken
    assert part.points[0, 1] == 1


REFUSALS = [
    (lambda: Box(1, -1), "upper = .*not above lower = 1 along axis 0"),
    (lambda: Box([0, 0], [1, 0]), "along axis 1"),
    (lambda: Box(np.nan, 1), "lower = nan: has an entry that is NaN"),
    (lambda: Box(0, np.inf), "upper = inf"),
    (lambda: Box(-1.5e308, 1.5e308), "overflows"),
    (lambda: Box("a", 1), "not an array of real numbers"),
    (lambda: Box(0, 1j), "not an array of real numbers"),
    (lambda: Box([[0]], 1), r"an array of shape \(1, 1\) is no corner"),
    (lambda: Box([], 1), "is no corner"),
    (lambda: Box([0, 0], [1, 1, 1]), "Give corners of the same dimension"),
    (lambda: Box([0, 0], 1, dim=3), "dim = 3"),
    (lambda: Box(0, 1, dim=0), "dim = 0: less than 1"),
    (lambda: Box(0, 1, dim=2.0), "dim = 2.0: not a whole number"),
    (lambda: Box(0, 1, dim=True), "a truth value"),
    (lambda: SQUARE.face("lefft"), "Did you mean 'left'"),
    (lambda: SQUARE.face("x2-"), "no face of a box in 2D"),
    (lambda: SQUARE.face("zzzzzz"), "Known names: left, right, bottom, top, x0-"),
    (lambda: SQUARE.face(["left", "top"]), "no face of a box"),
    (lambda: SQUARE.face(), "no face at all"),
    (lambda: Boundary(SQUARE, [(2, 1)]), r"faces = \(2, 1\)"),
    (lambda: Boundary(SQUARE, [(0, 0)]), "side -1 or 1"),
    (lambda: SQUARE.periodic(2), "axis = 2: more than 1"),
    (lambda: PeriodicPair(SQUARE, -1), "axis = -1"),
    (lambda: SQUARE.face("left") | Box(0, 1, dim=2).face("left"), "another box"),
    (lambda: SQUARE.face("left") | SQUARE.periodic(1), "its shift would be lost"),
    (lambda: SQUARE.contains([[0.0, 0, 0]]), r"shape \(1, 3\)"),
    (lambda: Points(0.5), r"shape \(\) is no list of points"),
    (lambda: Points(np.zeros((0, 2))), "N >= 1"),
    (lambda: Points([0, np.nan]), "x = .*NaN"),
    (lambda: Points([0, 1], weights=[1]), r"weights = .*Give an array of shape \(2,\)"),
    (lambda: Points([0, 1], weights=[1, -1]), "negative"),
    (lambda: Points([[0, 1]], normals=[[1, 1]]), "not unit vectors"),
    (lambda: Points([[0, 1]], normals=[[1, 0, 0]]), "normals = .*does not go with"),
]


@pytest.mark.parametrize(("make", "message"), REFUSALS)
def test_refusals(make, message):
    with pytest.raises(ArgumentError, match=message):
        make()
