"""Rows of the variational least-squares form."""

import numpy as np
import pytest

import linnet as ln
from linnet.errors import ArgumentError
from test_rows import BOX, NETWORK, POSITIVE, WIGGLE, U, V, close, rows_of, system_of

pytestmark = pytest.mark.filterwarnings("ignore:the matrix form has rank")


# ------------------------------------------------------------------ variational least squares

SYMMETRIC = [[POSITIVE, WIGGLE], [WIGGLE, 3.0]]  # positive: a ≥ 1, det ≥ 3 − 1.3²
FORMS = {
    "mass": U * V,
    "stiffness": ln.dot(ln.grad(U), ln.grad(V)),
    "elliptic": 2 * ln.dot(ln.grad(U), ln.grad(V)) + 5 * U * V,
    "variable diagonal": POSITIVE * ln.dot(ln.grad(U), ln.grad(V)) + POSITIVE**2 * U * V,
    "constant tensor": ln.dot([[2.0, -1.0], [-1.0, 1.0]] @ ln.grad(U), ln.grad(V)) + U * V,
    "variable tensor": ln.dot(SYMMETRIC @ ln.grad(U), ln.grad(V)) + U * V,
    "a square": (U + 2 * ln.partial(U, 0)) * (V + 2 * ln.partial(V, 0)),
    "biharmonic": ln.laplacian(U) * ln.laplacian(V) + U * V,
    "mass that vanishes": ln.Coefficient(lambda x: np.maximum(x[:, 1], 0.0)) * U * V,
    "tiny diffusion": 1e-15 * ln.dot(ln.grad(U), ln.grad(V)) + U * V,
}


class TestVariationalLeastSquares:
    rule, edge = BOX.gauss(6, order=4), BOX.boundary.gauss(6, order=4)

    @pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
    @pytest.mark.parametrize("boundary", [False, True])
    def test_rows_have_the_galerkin_matrix_and_load(self, form, boundary):
        """BᵀB = A and Bᵀy + ℓ = b."""
        extra = [
            ln.Integral(POSITIVE * U * V, load=WIGGLE, on=BOX.face("top", "left")),
            ln.Integral(load=3.0, on=BOX.face("right")),
        ]
        problem = ln.WeakForm(form, *extra[: 2 * boundary], load=lambda x: np.exp(x[:, 0]))
        rules = (self.rule, self.edge)[: 1 + boundary]
        A, b = system_of(problem, *rules)
        B, y, load = rows_of(ln.VariationalLeastSquares(*rules), problem)
        close(B.T @ B, A)
        close(B.T @ y + load, b)

    def test_loads_with_derivatives_and_columns(self):
        load = WIGGLE * V - 2 * ln.partial(V, 0) + POSITIVE * ln.partial(V, 1)
        problem = ln.WeakForm(FORMS["elliptic"], load=load)
        A, b = system_of(problem, self.rule)
        B, y, rest = rows_of(ln.VariationalLeastSquares(self.rule), problem)
        close(B.T @ B, A)
        close(B.T @ y + rest, b)
        f = lambda x: np.stack([x[:, 0], np.cos(x[:, 1])], axis=1)
        for form in FORMS.values():
            problem = ln.WeakForm(form, ln.Integral(load=1.0, on=BOX.face("left")), load=f)
            _, b = system_of(problem, self.rule, self.edge)
            B, y, rest = rows_of(ln.VariationalLeastSquares(self.rule, self.edge), problem)
            assert b.shape == (12, 2)
            close(B.T @ y + rest, b)

    def test_small_diffusion_is_not_dropped(self):
        """Its eigenvalue is 1e-15 of the largest, and as exact as that."""
        B, _, _ = rows_of(
            ln.VariationalLeastSquares(self.rule), ln.WeakForm(FORMS["tiny diffusion"])
        )
        assert len(B) == 3 * self.rule.size

    def test_which_loads_lie_in_the_rows(self):
        """With a mass term ∫ f v does; a Neumann load on a face without one does not."""
        face = BOX.face("left")
        cases = [
            (ln.WeakForm(FORMS["mass"], load=1.0), False),
            (ln.WeakForm(FORMS["elliptic"], load=1.0), False),
            (ln.WeakForm(FORMS["constant tensor"], load=1.0), False),
            (ln.WeakForm(FORMS["stiffness"], load=1.0), True),
            (ln.WeakForm(FORMS["mass"], ln.Integral(load=1.0, on=face)), True),
            (ln.WeakForm(FORMS["mass"], ln.Integral(U * V, load=1.0, on=face)), False),
            (ln.WeakForm(FORMS["a square"], load=1.0), True),
        ]
        for problem, apart in cases:
            form = ln.VariationalLeastSquares(*(self.rule, self.edge)[: len(problem.integrals)])
            assert form.rows(problem, NETWORK).has_load is apart

    def test_l2_projection_meets_the_data_and_others_do_not(self):
        form = ln.VariationalLeastSquares(self.rule)
        assert form.rows(ln.WeakForm(U * V, load=1.0), NETWORK).reachable
        assert not form.rows(ln.WeakForm(FORMS["elliptic"], load=1.0), NETWORK).reachable

    @pytest.mark.parametrize(
        "form",
        [
            U * V - ln.dot(ln.grad(U), ln.grad(V)),
            WIGGLE * U * V,
            ln.dot([[1.0, 2.0], [2.0, 1.0]] @ ln.grad(U), ln.grad(V)) + U * V,
        ],
        ids=["Helmholtz", "a coefficient that changes sign", "an indefinite tensor"],
    )
    def test_refuses_forms_that_are_not_positive(self, form):
        with pytest.raises(ArgumentError, match=r"needs a positive form.*Use Galerkin\(rule\)"):
            rows_of(ln.VariationalLeastSquares(self.rule), ln.WeakForm(form))

    def test_refuses_unsymmetric_forms(self):
        problem = ln.WeakForm(U * V + ln.partial(U, 0) * V)
        with pytest.raises(ArgumentError, match=r"needs a symmetric form.*Use Galerkin\(rule\)"):
            rows_of(ln.VariationalLeastSquares(self.rule), problem)

    @pytest.mark.parametrize("name", ["elliptic", "variable diagonal", "variable tensor"])
    def test_both_forms_have_one_solution(self, name):
        """Where double precision resolves both, with a Neumann load that no row holds."""
        network = ln.Network(ln.ReLU(2), ln.neurons.fibonacci(40)).on(BOX)
        problem = ln.WeakForm(
            FORMS[name], ln.Integral(load=2.0, on=BOX.face("top")), load=lambda x: np.sin(x[:, 0])
        )
        rules = BOX.gauss(20, order=3), BOX.boundary.gauss(20, order=3)
        matrix = ln.solve(problem, network, ln.Galerkin(*rules))
        x = BOX.sobol(500).points
        for solver in (None, ln.RegularizedQR(), ln.TruncatedSVD(), ln.Cholesky()):
            rows = ln.solve(problem, network, ln.VariationalLeastSquares(*rules), solver)
            close(rows(x), matrix(x), 1e-8)
