"""Each solver on systems with known solutions; what it refuses, and what Auto chooses."""

import warnings

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given
from hypothesis import strategies as st

import linnet as ln
from linnet.errors import ArgumentError, LinnetWarning, UnresolvedError
from linnet.lapack import first_rows
from linnet.solvers import LU, Cholesky, Factor, RegularizedQR, System, TruncatedSVD

EPS = np.finfo(float).eps


def factor_of(A, y, load=None):
    """The triangle of [A │ y], as the fold leaves it."""
    rows = np.asfortranarray(np.hstack([A, y.reshape(len(A), -1)]))
    n, width = A.shape[1], rows.shape[1]
    R = np.zeros((width, width), order="F")
    first_rows(R, rows)
    return Factor(R, np.zeros((n, width - n)) if load is None else load)


def system_of(A, b, symmetric=True):
    return System(A, b.reshape(len(A), -1), symmetric)


def spd(rng, n, condition):
    """A symmetric positive matrix with known eigenvalues from 1 down to 1/condition."""
    Q, _ = np.linalg.qr(rng.standard_normal((n, n)))
    return (Q * np.geomspace(1.0, 1.0 / condition, n)) @ Q.T


@pytest.fixture
def rng():
    return np.random.default_rng(7)


SQUARE = [Cholesky(), LU(), TruncatedSVD(), RegularizedQR()]
TALL = [TruncatedSVD(), RegularizedQR(), RegularizedQR(mu=0.0)]


class TestKnownSolutions:
    @pytest.mark.parametrize("solver", SQUARE, ids=repr)
    def test_square_systems_with_three_right_hand_sides(self, rng, solver):
        A, a = spd(rng, 30, 1e4), rng.standard_normal((30, 3))
        outcome = solver.solve(system_of(A, A @ a))
        np.testing.assert_allclose(outcome.a, a, atol=1e-10)
        assert outcome.rank == 30

    @pytest.mark.parametrize("solver", [LU(), TruncatedSVD(), RegularizedQR()], ids=repr)
    def test_unsymmetric_systems(self, rng, solver):
        A = spd(rng, 25, 1e3) @ np.linalg.qr(rng.standard_normal((25, 25)))[0]
        a = rng.standard_normal((25, 2))
        outcome = solver.solve(system_of(A, A @ a, symmetric=False))
        np.testing.assert_allclose(outcome.a, a, atol=1e-10)

    @pytest.mark.parametrize("solver", TALL, ids=repr)
    def test_least_squares_is_scipys(self, rng, solver):
        A, y = rng.standard_normal((200, 20)), rng.standard_normal((200, 3))
        outcome = solver.solve(factor_of(A, y))
        expected = scipy.linalg.lstsq(A, y)[0]
        np.testing.assert_allclose(outcome.a, expected, rtol=1e-11, atol=1e-13)
        assert outcome.rank == 20

    @pytest.mark.parametrize("solver", [*TALL, Cholesky()], ids=repr)
    def test_badly_scaled_columns_cost_nothing(self, rng, solver):
        """Columns from 1 to 1e-90: each entry of the solution to full relative accuracy."""
        A = rng.standard_normal((60, 10))
        scale = 10.0 ** -np.arange(0.0, 100.0, 10.0)
        a = rng.standard_normal((10, 1)) / scale[:, None]
        B = A * scale
        if isinstance(solver, Cholesky):
            problem = system_of(B.T @ B, B.T @ (B @ a))
        else:
            problem = factor_of(B, B @ a)
        if isinstance(solver, TruncatedSVD):  # it alone takes small columns for small values
            assert solver.solve(problem).rank == 2
            return
        np.testing.assert_allclose(solver.solve(problem).a, a, rtol=1e-11)

    @pytest.mark.parametrize("solver", TALL, ids=repr)
    def test_loads(self, rng, solver):
        """RᵀR a = Rᵀc + ℓ is AᵀA a = Aᵀy + ℓ."""
        A, y = rng.standard_normal((80, 12)), rng.standard_normal((80, 2))
        load = rng.standard_normal((12, 2))
        outcome = solver.solve(factor_of(A, y, load))
        expected = np.linalg.solve(A.T @ A, A.T @ y + load)
        np.testing.assert_allclose(outcome.a, expected, rtol=1e-10, atol=1e-12)

    def test_the_part_that_no_weights_reach(self, rng):
        A, y = rng.standard_normal((80, 12)), rng.standard_normal((80, 2))
        residual = y - A @ scipy.linalg.lstsq(A, y)[0]
        unreachable = factor_of(A, y).unreachable
        np.testing.assert_allclose(unreachable, np.linalg.norm(residual, axis=0), rtol=1e-12)


class TestIllConditioned:
    def test_truncated_svd_is_gelsd_on_hilbert_like_rows(self):
        """A Vandermonde matrix of monomials (κ beyond 1e16): rank and residual as in scipy."""
        x = np.linspace(0.0, 1.0, 300)
        A, y = np.vander(x, 40), np.sin(5 * x)
        expected, _, rank, values = scipy.linalg.lstsq(A, y, cond=EPS)
        outcome = TruncatedSVD().solve(factor_of(A, y))
        assert abs(outcome.rank - rank) <= 1  # a value at the limit may fall on either side
        assert values[-1] < EPS * values[0]
        miss = np.linalg.norm(A @ outcome.a[:, 0] - y)
        assert miss < 1e-11
        assert np.linalg.norm(outcome.a) < 3 * np.linalg.norm(expected) + 1

    @given(st.integers(2, 12), st.integers(0, 2**31))
    def test_truncated_svd_is_the_least_norm_solution(self, rank, seed):
        rng = np.random.default_rng(seed)
        A = rng.standard_normal((60, rank)) @ rng.standard_normal((rank, 20))
        y = rng.standard_normal((60, 2))
        expected, _, found, _ = scipy.linalg.lstsq(A, y, cond=1e-12)
        outcome = TruncatedSVD(rcond=1e-12).solve(factor_of(A, y))
        assert outcome.rank == found == rank
        scale = abs(expected).max() * np.linalg.cond(A[:, :rank]) + 1
        np.testing.assert_allclose(outcome.a, expected, rtol=0, atol=1e-11 * scale)
        assert outcome.condition > 1e12

    def test_truncated_svd_with_a_load_in_the_range(self, rng):
        A = rng.standard_normal((50, 4)) @ rng.standard_normal((4, 9))
        y, load = rng.standard_normal((50, 1)), A.T @ rng.standard_normal((50, 1))
        outcome = TruncatedSVD(rcond=1e-12).solve(factor_of(A, y, load))
        expected = np.linalg.pinv(A.T @ A, rcond=1e-12, hermitian=True) @ (A.T @ y + load)
        assert outcome.rank == 4
        np.testing.assert_allclose(outcome.a, expected, atol=1e-9)

    @pytest.mark.parametrize("symmetric", [True, False])
    def test_truncated_svd_of_a_singular_square_matrix(self, rng, symmetric):
        A = np.diag([3.0, -2.0, 0.0, 1.0]) if symmetric else np.diag([3.0, 2.0, 0.0, 1.0])[::-1]
        b = np.array([3.0, 4.0, 0.0, 5.0]) if symmetric else A @ np.ones(4)
        outcome = TruncatedSVD().solve(system_of(A, b, symmetric))
        assert outcome.rank == 3
        np.testing.assert_allclose(outcome.a[:, 0], np.linalg.pinv(A) @ b, atol=1e-14)

    def test_zero_matrix_gives_zero(self):
        for problem in (
            factor_of(np.zeros((5, 3)), np.ones(5)),
            system_of(np.zeros((3, 3)), np.ones(3)),
        ):
            outcome = TruncatedSVD().solve(problem)
            assert outcome.rank == 0
            assert outcome.condition == np.inf
            assert (outcome.a == 0).all()

    def test_cholesky_on_hilberts_matrix(self):
        """κ of the Hilbert matrix of order 8 is 1.526e10; with columns scaled it is smaller."""
        H = scipy.linalg.hilbert(8)
        a = np.ones((8, 1))
        outcome = Cholesky().solve(system_of(H, H @ a))
        np.testing.assert_allclose(outcome.a, a, rtol=EPS * 1.6e10 * 10)
        d = 1 / np.sqrt(np.diagonal(H))
        true = np.linalg.cond(H * d * d[:, None], 1)
        assert true / 3 < outcome.condition < 1.01 * true


class TestRegularizedQR:
    @given(st.floats(1e-8, 1e2), st.integers(0, 2**31), st.booleans())
    def test_mu_is_tikhonovs(self, mu, seed, loaded):
        """(AᵀA + μ²D²) a = Aᵀy + ℓ, D the norms of the columns."""
        rng = np.random.default_rng(seed)
        A = rng.standard_normal((50, 8)) * np.array([1, 1e3, 1e-3, 1, 10, 1, 1, 0.1])
        y = rng.standard_normal((50, 2))
        load = rng.standard_normal((8, 2)) * np.linalg.norm(A, axis=0)[:, None] if loaded else None
        d = np.linalg.norm(A, axis=0)
        B = A / d
        right = B.T @ y + (0.0 if load is None else load / d[:, None])
        expected = np.linalg.solve(B.T @ B + mu**2 * np.eye(8), right)
        found = RegularizedQR(mu).solve(factor_of(A, y, load)).a * d[:, None]
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11 * (1 + abs(expected).max()))

    def test_default_mu_resolves_dependent_columns(self, rng):
        A = rng.standard_normal((100, 10))
        A = np.hstack([A, A[:, :3]])
        y = A @ np.ones(13)
        outcome = RegularizedQR().solve(factor_of(A, y))
        assert outcome.rank == 10
        assert np.linalg.norm(A @ outcome.a[:, 0] - y) < 1e-12 * np.linalg.norm(y)
        assert abs(outcome.a).max() < 10  # the regularisation keeps the weights small

    def test_mu_zero_refuses_a_singular_triangle(self):
        A = np.eye(4)[:, [0, 1, 1]]
        A[:, 2] = 0.0
        with pytest.raises(
            UnresolvedError, match=r"RegularizedQR: μ = 0 leaves a singular triangle"
        ):
            RegularizedQR(mu=0).solve(factor_of(A, np.ones(4)))

    @pytest.mark.parametrize("mu", [-1.0, np.nan, np.inf])
    def test_refuses_other_mu(self, mu):
        with pytest.raises(ArgumentError, match=r"mu = .*: it is no number ≥ 0"):
            RegularizedQR(mu)


class TestRefusals:
    def test_cholesky_of_an_unsymmetric_matrix(self):
        with pytest.raises(UnresolvedError, match=r"Cholesky needs a symmetric matrix.*Use LU"):
            Cholesky().solve(system_of(np.eye(3), np.ones(3), symmetric=False))

    def test_cholesky_of_dead_neurons(self):
        with pytest.raises(UnresolvedError, match=r"1 of the 3 diagonal entries are not positive"):
            Cholesky().solve(system_of(np.diag([1.0, 0.0, 2.0]), np.ones(3)))

    def test_cholesky_of_an_indefinite_matrix(self):
        A = np.array([[1.0, 2.0], [2.0, 1.0]])
        with pytest.raises(UnresolvedError, match=r"not positive definite \(it fails at column 2"):
            Cholesky().solve(system_of(A, np.ones(2)))

    @pytest.mark.parametrize("solver", [Cholesky(limit=1e6), LU(limit=1e6)], ids=repr)
    def test_limit(self, rng, solver):
        A = spd(rng, 20, 1e9)
        with pytest.raises(UnresolvedError, match=r"condition number .* beyond the limit 1e\+06"):
            solver.solve(system_of(A, np.ones(20)))
        solver.solve(system_of(spd(rng, 20, 1e3), np.ones(20)))

    def test_lu_of_a_singular_matrix(self):
        A = np.array([[1.0, 2.0, 0.0], [2.0, 4.0, 0.0], [0.0, 0.0, 1.0]])
        with pytest.raises(UnresolvedError, match="LU: the matrix is singular"):
            LU().solve(system_of(A, np.ones(3), symmetric=False))

    def test_lu_warns_where_no_digit_is_certain(self, rng):
        with pytest.warns(LinnetWarning, match="leaves no correct digit for certain"):
            LU().solve(system_of(spd(rng, 20, 1e18), np.ones(20), symmetric=False))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            LU().solve(system_of(spd(rng, 20, 1e12), np.ones(20), symmetric=False))

    @pytest.mark.parametrize("solver", [Cholesky(), LU()], ids=repr)
    def test_square_solvers_refuse_triangles(self, solver):
        with pytest.raises(ArgumentError, match=r"it solves square systems, not triangles"):
            solver.solve(factor_of(np.eye(3), np.ones(3)))

    @pytest.mark.parametrize("solver", SQUARE, ids=repr)
    def test_entries_that_are_not_finite(self, solver):
        A = np.eye(3)
        A[0, 1] = A[1, 0] = np.inf
        with pytest.raises(UnresolvedError, match="not finite"):
            solver.solve(system_of(A, np.ones(3)))

    @pytest.mark.parametrize("solver", ["lstsq", Cholesky, 3])
    def test_solve_takes_objects_only(self, solver):
        box = ln.Box(-1, 1)
        network = ln.Network(ln.Tanh(), ln.neurons.circle(5))
        with pytest.raises(ArgumentError, match=r"solver = .*it is no solver"):
            ln.fit(np.sin, network, box.grid(20), solver)
