"""Gram, Triangle and Gradient against dense linear algebra, for any division into blocks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import threadpool_limits

from linnet.errors import UnresolvedError
from linnet.fold import fold
from linnet.reduce import Gradient, Gram, Product, Triangle, Workspace, checked_finite, symmetrised

EPS = np.finfo(float).eps


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """As in a lane: threads that wait for each other make small matrices slow."""
    with threadpool_limits(1, user_api="blas"):
        yield


class Given:
    """Given rows [A │ y] as a stream, cut at given places, with a load for each block."""

    def __init__(self, A, y, cuts=(), loads=None):
        self.A, self.y = A, y.reshape(len(A), -1)
        self.edges = [0, *sorted(cuts), len(A)]
        self.columns, self.blocks, self.size = A.shape[1], len(self.edges) - 1, len(A)
        self.right_hand_sides, self.loads = self.y.shape[1], loads
        self.has_load = loads is not None

    def rows_of(self, k):
        return self.edges[k + 1] - self.edges[k]

    def block(self, k, workspace):
        rows = slice(self.edges[k], self.edges[k + 1])
        return np.asfortranarray(np.hstack([self.A[rows], self.y[rows]]))

    def load(self, k):
        return self.loads[k]

    def keys(self):
        width = self.columns + self.right_hand_sides
        return {"rows": (width, width), "cross": (self.columns, self.right_hand_sides)}

    def products(self, k, workspace):
        rows, n = self.block(k, workspace), self.columns
        yield Product("rows", rows, None, 1.0)
        yield Product("cross", rows[:, :n], rows[:, n:], -1.0)

    def fingerprint(self):
        return "given"


@st.composite
def streams(draw):
    N, n, s = draw(st.integers(1, 60)), draw(st.integers(1, 20)), draw(st.integers(1, 3))
    cuts = draw(st.lists(st.integers(0, N), max_size=9))  # some of the blocks are empty
    rng = np.random.default_rng(draw(st.integers(0, 2**31)))
    A = rng.standard_normal((N, n))
    A[:, draw(st.integers(0, n - 1))] *= draw(st.sampled_from([0.0, 1.0]))
    A[draw(st.integers(0, N - 1))] *= draw(st.sampled_from([0.0, 1.0]))
    loads = rng.standard_normal((len(cuts) + 1, n, s)) if draw(st.booleans()) else None
    return Given(A, rng.standard_normal((N, s)), cuts, loads)


def near(a, b, scale):
    np.testing.assert_allclose(a, b, rtol=0, atol=50 * EPS * max(scale, 1.0))


@given(streams())
def test_gram_is_the_dense_product(stream):
    rows = np.hstack([stream.A, stream.y])
    gram = fold(stream, lambda: Gram(stream), workers=2).matrices
    near(symmetrised(gram["rows"]), rows.T @ rows, np.linalg.norm(rows) ** 2)
    near(gram["cross"], -stream.A.T @ stream.y, np.linalg.norm(rows) ** 2)


@given(streams())
def test_triangle_has_the_gram_matrix_of_the_rows(stream):
    rows = np.hstack([stream.A, stream.y])
    triangle = fold(stream, lambda: Triangle(stream), workers=2)
    R = triangle.factor
    assert (np.tril(R, -1) == 0).all()
    near(R.T @ R, rows.T @ rows, np.linalg.norm(rows) ** 2)
    total = np.zeros_like(triangle.load) if stream.loads is None else stream.loads.sum(axis=0)
    near(triangle.load, total, 10)


@given(streams(), st.integers(0, 2**31))
def test_gradient_is_the_residuals(stream, seed):
    a = np.random.default_rng(seed).standard_normal((stream.columns, stream.right_hand_sides))
    residual = stream.y - stream.A @ a
    total = 0.0 if stream.loads is None else stream.loads.sum(axis=0)
    found = fold(stream, lambda: Gradient(stream, a), workers=2)
    scale = (np.linalg.norm(stream.A) + 1) ** 2 * (np.linalg.norm(a) + 1) ** 2 + 10
    near(found.gradient, stream.A.T @ residual + total, scale)
    near(found.squares, (residual**2).sum(axis=0), scale)


@given(streams(), st.integers(0, 2**31))
def test_combine_is_associative(a, seed):
    rng = np.random.default_rng(seed)
    n, s = a.columns, a.right_hand_sides
    b = Given(rng.standard_normal((3, n)), rng.standard_normal((3, s)))
    c = Given(rng.standard_normal((30, n)), rng.standard_normal((30, s)), cuts=[11])

    def whole(stream):
        state = Triangle(stream)
        for k in range(stream.blocks):
            state.absorb(k)
        return state

    left, right, other = whole(a), whole(b), whole(a)
    left.combine(whole(b))
    left.combine(whole(c))
    right.combine(whole(c))
    other.combine(right)
    rows = np.vstack([np.hstack([t.A, t.y]) for t in (a, b, c)])
    for state in (left, other):
        near(state.factor.T @ state.factor, rows.T @ rows, np.linalg.norm(rows) ** 2)
    near(left.load, other.load, 10)


def test_triangle_is_numpys_r_up_to_signs():
    rng = np.random.default_rng(3)
    A, y = rng.standard_normal((500, 40)), rng.standard_normal(500)
    stream = Given(A, y, cuts=[7, 30, 31, 200])  # the first two blocks are trapezoidal
    R = fold(stream, lambda: Triangle(stream)).factor
    expected = np.linalg.qr(np.column_stack([A, y]), mode="r")
    np.testing.assert_allclose(abs(R), abs(expected), rtol=1e-10, atol=1e-11)


def test_dependent_columns_leave_a_zero_on_the_diagonal():
    rng = np.random.default_rng(4)
    A = rng.standard_normal((300, 10))
    A[:, 7] = A[:, 2] - 3 * A[:, 4]
    stream = Given(A, rng.standard_normal(300), cuts=[4, 150])
    R = fold(stream, lambda: Triangle(stream)).factor
    diagonal = abs(np.diagonal(R))[:10]
    assert diagonal[7] < 1e-13 * diagonal.max()
    assert np.delete(diagonal, 7).min() > 1
    values = np.linalg.svd(R[:10, :10], compute_uv=False)
    np.testing.assert_allclose(values[:9], np.linalg.svd(A, compute_uv=False)[:9], rtol=1e-12)


def test_triangle_keeps_what_a_gram_matrix_loses():
    """Läuchli's matrix: κ = 1e10, so that fl(AᵀA) is singular."""
    n, delta = 5, 1e-10
    A = np.vstack([np.ones(n), delta * np.eye(n)])
    stream = Given(A, np.ones(n + 1), cuts=[2, 3])
    gram = symmetrised(fold(stream, lambda: Gram(stream)).matrices["rows"])[:n, :n]
    assert np.linalg.matrix_rank(gram) == 1
    R = fold(stream, lambda: Triangle(stream)).factor[:n, :n]
    values = np.linalg.svd(R, compute_uv=False)
    np.testing.assert_allclose(values[0], np.sqrt(n + delta**2), rtol=1e-14)
    np.testing.assert_allclose(values[1:], delta, rtol=1e-5)  # ε·‖A‖ of 1e-10


def test_workspace_gives_the_same_memory_for_the_same_key():
    workspace = Workspace()
    a = workspace.array("a", 4, 3)
    assert a.flags.c_contiguous
    b = workspace.array("a", 2, 5)
    assert np.shares_memory(a, b)
    assert not np.shares_memory(a, workspace.array("b", 4, 3))
    assert workspace.array("a", 40, 3).shape == (40, 3)


def test_not_finite_is_refused_before_lapack_sees_it():
    with pytest.raises(UnresolvedError, match=r"the matrix has entries that are not finite.*Remed"):
        checked_finite(np.array([[1.0, np.inf]]), "the matrix")
