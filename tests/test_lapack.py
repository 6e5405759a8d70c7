"""The four routines, against dense products and numpy's QR, and what they may not touch."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import threadpool_limits

from linnet.lapack import absorb_rows, add_gram, add_product, first_rows

EPS = np.finfo(float).eps


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """As in a lane: threads that wait for each other make small matrices slow."""
    with threadpool_limits(1, user_api="blas"):
        yield


sizes = st.tuples(st.integers(0, 70), st.integers(1, 150), st.integers(0, 2**31))


def matrix(rng, *shape):
    return np.asfortranarray(rng.standard_normal(shape))


def same_gram(R, A):
    """RᵀR = AᵀA, to roundoff of the size of A."""
    scale = max(np.linalg.norm(A) ** 2, 1.0)
    np.testing.assert_allclose(R.T @ R, A.T @ A, rtol=0, atol=20 * EPS * scale)


@given(sizes, st.sampled_from([1.0, -1.0]))
def test_add_gram_writes_the_upper_triangle_only(size, sign):
    m, n, seed = size
    rng = np.random.default_rng(seed)
    X, C = matrix(rng, m, n), matrix(rng, n, n)
    expected = np.triu(C + sign * X.T @ X) + np.tril(C, -1)
    add_gram(C, X, sign)
    np.testing.assert_allclose(C, expected, rtol=0, atol=4 * EPS * (m + 1) * 20)
    np.testing.assert_array_equal(np.tril(C, -1), np.tril(expected, -1))


@given(sizes, st.integers(1, 5), st.sampled_from([1.0, -1.0]))
def test_add_product(size, p, sign):
    m, n, seed = size
    rng = np.random.default_rng(seed)
    X, Y, C = matrix(rng, m, n), matrix(rng, m, p), matrix(rng, n, p)
    expected = C + sign * X.T @ Y
    add_product(C, X, Y, sign)
    np.testing.assert_allclose(C, expected, rtol=0, atol=4 * EPS * (m + 1) * 20)


@given(sizes)
def test_first_rows_is_numpys_r_up_to_signs(size):
    """Trapezoidal where there are fewer rows than columns, as 70 < 150 often gives."""
    m, n, seed = size
    A = matrix(np.random.default_rng(seed), m, n)
    R = np.zeros((n, n), order="F")
    first_rows(R, A.copy(order="F"))
    assert (np.tril(R, -1) == 0).all()
    assert (R[min(m, n) :] == 0).all()
    if m:
        expected = np.linalg.qr(A, mode="r")
        np.testing.assert_allclose(abs(R[: min(m, n)]), abs(expected), rtol=0, atol=1e-11)
    same_gram(R, A)


@given(sizes, st.integers(1, 90))
def test_absorb_rows(size, more):
    m, n, seed = size
    rng = np.random.default_rng(seed)
    A, B = matrix(rng, more, n), matrix(rng, m, n)
    R = np.zeros((n, n), order="F")
    first_rows(R, A.copy(order="F"))
    absorb_rows(R, B.copy(order="F"))
    same_gram(R, np.vstack([A, B]))
    assert (np.tril(R, -1) == 0).all()


@given(st.integers(1, 150), st.integers(0, 2**31))
def test_triangles_are_read_above_the_diagonal_only(n, seed):
    rng = np.random.default_rng(seed)
    R, X = np.triu(matrix(rng, n, n)), np.triu(matrix(rng, n, n))
    below = np.tril_indices(n, -1)
    dirty_R, dirty_X = R.copy(order="F"), X.copy(order="F")
    dirty_R[below] = dirty_X[below] = np.nan
    absorb_rows(dirty_R, dirty_X, triangular=True)
    assert np.isnan(dirty_R[below]).all()
    same_gram(np.triu(dirty_R), np.vstack([R, X]))


def test_zero_rows_and_zero_columns():
    rng = np.random.default_rng(0)
    A, B = matrix(rng, 9, 6), matrix(rng, 7, 6)
    A[:, 2] = B[:, 2] = 0.0
    A[3] = B[0] = 0.0
    R = np.zeros((6, 6), order="F")
    first_rows(R, A.copy(order="F"))
    absorb_rows(R, B.copy(order="F"))
    same_gram(R, np.vstack([A, B]))
    assert (R[:, 2] == 0).all()
    absorb_rows(R, np.zeros((5, 6), order="F"))
    same_gram(R, np.vstack([A, B]))


def test_small_columns_keep_their_relative_accuracy():
    """Householder's QR is columnwise stable: what a Gram matrix would drown in roundoff stays."""
    rng = np.random.default_rng(1)
    scale = 10.0 ** -np.arange(0.0, 300.0, 50.0)
    A, B = rng.standard_normal((40, 6)), rng.standard_normal((30, 6))
    R = np.zeros((6, 6), order="F")
    first_rows(R, np.asfortranarray(A * scale))
    absorb_rows(R, np.asfortranarray(B * scale))
    same_gram(R / scale, np.vstack([A, B]))


@pytest.mark.parametrize(
    "bad", [np.ones((4, 3)), np.ones((4, 3), dtype=np.float32, order="F"), np.ones(3)]
)
def test_refuses_other_layouts(bad):
    good = np.ones((3, 3), order="F")
    calls = [
        lambda: add_gram(good, bad),
        lambda: add_product(good, bad, bad),
        lambda: first_rows(good, bad),
        lambda: absorb_rows(good, bad),
        lambda: absorb_rows(bad, good),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="float64 matrix in Fortran order"):
            call()
