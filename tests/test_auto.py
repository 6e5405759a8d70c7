"""Auto: what it measures, and what it chooses."""

import re

import numpy as np
import pytest
import scipy.linalg

import linnet as ln
from linnet.errors import ArgumentError, LinnetWarning, UnresolvedError
from linnet.solvers import LU, Cholesky, RegularizedQR, TruncatedSVD

# ------------------------------------------------------------------ Auto

BOX = ln.Box(-1, 1, dim=2)
U, V = ln.trial(BOX), ln.test(BOX)
F = lambda x: np.exp(x[:, 0]) * np.cos(3 * x[:, 1])


def dense_rows(problem, network, formulation):
    rows = formulation.rows(problem, network)
    blocks = [rows.block(k, ln.reduce.Workspace()).copy() for k in range(rows.blocks)]
    whole = np.vstack(blocks)
    return whole[:, : rows.columns], whole[:, rows.columns :]


class TestAuto:
    def test_tall_and_well_conditioned_is_cholesky_with_a_correction(self):
        network = ln.Network(ln.ReLU(1), ln.neurons.fibonacci(60)).on(BOX)
        rule = BOX.gauss(50, order=2)
        fit = ln.fit(F, network, rule)
        assert re.fullmatch(r"Cholesky\(limit=.*, corrections=1\)", fit.info.solver)
        assert len(fit.info.choices) == 1
        measured = float(fit.info.choices[0].split("condition ")[1].split()[0])
        A, y = dense_rows(fit.problem, network, ln.VariationalLeastSquares(rule))
        true = np.linalg.cond(A / np.linalg.norm(A, axis=0))
        assert true / 5 < measured < 5 * true  # it said what is so
        expected, squares, *_ = scipy.linalg.lstsq(A, y)
        assert np.linalg.norm(A @ fit.a - y[:, 0]) == pytest.approx(np.sqrt(squares[0]), rel=1e-10)
        np.testing.assert_allclose(fit.a, expected[:, 0], rtol=0, atol=1e-10 * abs(expected).max())
        relative = np.sqrt(squares[0]) / np.linalg.norm(y)
        assert fit.info.residual == pytest.approx(relative, rel=1e-9)
        assert fit.info.rank == network.n

    def test_the_correction_is_what_makes_it_accurate(self):
        """At κ ≈ 1e5 a Gram solve alone errs by κ²ε, with a correction by κε."""
        x = np.linspace(-1, 1, 4000)[:, None]
        box = ln.Box(-1, 1)
        u = ln.trial(box)
        theta = np.stack([np.arange(1.0, 7.0) / 2, np.zeros(6)], axis=1)
        network = ln.Network(ln.Tanh(), theta)
        problem = ln.StrongForm(ln.Equation(u, lambda x: np.sin(3 * x[:, 0]), on=box))
        rule = ln.Collocation(box.grid(4000))
        A, y = dense_rows(problem, network, rule)
        assert 1e5 < np.linalg.cond(A / np.linalg.norm(A, axis=0)) < 1e6
        np.testing.assert_allclose(A, np.tanh(x * theta[:, 0]), atol=1e-15)
        exact = scipy.linalg.lstsq(A, y)[0][:, 0]
        errors = [
            np.linalg.norm(ln.solve(problem, network, rule, solver).a - exact)
            for solver in (Cholesky(), Cholesky(corrections=1))
        ]
        assert errors[1] < 1e-2 * errors[0]

    def test_ill_conditioned_is_regularised_qr(self):
        network = ln.Network(ln.Tanh(), ln.neurons.fibonacci(150, radius=2))
        problem = ln.StrongForm(ln.Equation(U, F, on=BOX))
        rule = ln.Collocation(BOX.grid(90))
        solution = ln.solve(problem, network, rule)
        assert solution.info.solver == "RegularizedQR(mu=None)"
        assert "condition" in solution.info.choices[0]
        assert "in a sample of 5 rows per neuron" in solution.info.choices[0]
        A, y = dense_rows(problem, network, rule)
        best = np.linalg.norm(A @ scipy.linalg.lstsq(A, y)[0] - y)
        assert np.linalg.norm(A @ solution.a - y[:, 0]) < 3 * best
        assert best < 2e-5 * np.linalg.norm(y)

    def test_few_rows_need_no_sample(self):
        network = ln.Network(ln.Tanh(), ln.neurons.fibonacci(50, radius=2))
        problem = ln.StrongForm(ln.Equation(U, F, on=BOX))
        info = ln.solve(problem, network, ln.Collocation(BOX.grid(20))).info
        assert info.choices == ["RegularizedQR(mu=None): 8 rows per neuron"]

    def test_galerkin_symmetric_and_not(self):
        network = ln.Network(ln.ReLU(2), ln.neurons.fibonacci(40)).on(BOX)
        form = ln.dot(ln.grad(U), ln.grad(V)) + U * V
        rule = ln.Galerkin(BOX.gauss(20, order=3))
        symmetric = ln.solve(ln.WeakForm(form, load=F), network, rule)
        assert symmetric.info.solver == "Cholesky(limit=100000000000000.0, corrections=0)"
        assert symmetric.info.choices == [f"{symmetric.info.solver}: the form is symmetric"]
        skew = ln.solve(ln.WeakForm(form + ln.partial(U, 0) * V, load=F), network, rule)
        assert skew.info.solver == "LU(limit=100000000000000.0)"
        assert skew.info.choices == [f"{skew.info.solver}: the form is not symmetric"]
        for solution in (symmetric, skew):
            A, b = solution.factor.A, solution.factor.b
            np.testing.assert_allclose(A @ solution.a, b[:, 0], atol=1e-9 * abs(b).max())
            assert solution.info.residual < 1e-9

    @pytest.mark.parametrize("convection", [0.0, 1.0])
    def test_galerkin_beyond_double_precision_warns(self, convection):
        """Twice the same neurons: no matrix form resolves them, and none of it is silent."""
        theta = ln.neurons.fibonacci(30)
        network = ln.Network(ln.ReLU(2), np.vstack([theta, theta]))
        form = ln.dot(ln.grad(U), ln.grad(V)) + U * V + convection * ln.partial(U, 0) * V
        with pytest.warns(LinnetWarning, match=r"the matrix form has rank \d+ of 60"):
            solution = ln.solve(
                ln.WeakForm(form, load=F), network, ln.Galerkin(BOX.gauss(20, order=3))
            )
        assert solution.info.solver == "TruncatedSVD(rcond=None)"
        assert len(solution.info.choices) == (3 if convection else 5)  # and LU between
        assert solution.info.rank < 60
        clean = ln.solve(
            ln.WeakForm(form, load=F),
            ln.Network(ln.ReLU(2), theta).on(BOX),
            ln.Galerkin(BOX.gauss(20, order=3)),
        )
        x = BOX.sobol(100).points
        np.testing.assert_allclose(solution(x), clean(x), atol=1e-5 * abs(clean(x)).max())

    def test_redundant_neurons_in_tall_rows(self):
        theta = ln.neurons.fibonacci(30)
        network = ln.Network(ln.ReLU(1), np.vstack([theta, theta]))
        problem = ln.StrongForm(ln.Equation(U, F, on=BOX))
        solution = ln.solve(problem, network, ln.Collocation(BOX.grid(100)))
        assert solution.info.solver.startswith("RegularizedQR")
        assert solution.info.rank <= 30
        A, y = dense_rows(problem, network, ln.Collocation(BOX.grid(100)))
        best = np.linalg.norm(A @ scipy.linalg.lstsq(A, y, cond=1e-12)[0] - y)
        assert np.linalg.norm(A @ solution.a - y[:, 0]) == pytest.approx(best, rel=1e-5)

    def test_plain_cholesky_of_redundant_neurons_is_refused_with_the_remedy(self):
        theta = ln.neurons.fibonacci(30)
        network = ln.Network(ln.ReLU(1), np.vstack([theta, theta]))
        with pytest.raises(UnresolvedError, match=r"Cholesky.*Remedies:.*network\.on\(box\)"):
            ln.fit(F, network, BOX.gauss(30, order=2), Cholesky())

    def test_residual_of_normal_equations_where_data_are_no_target(self):
        """In an elliptic form y is not meant to be met: ‖Ba − y‖ says nothing."""
        network = ln.Network(ln.ReLU(2), ln.neurons.fibonacci(40)).on(BOX)
        weak = ln.WeakForm(ln.dot(ln.grad(U), ln.grad(V)) + U * V, load=F)
        form = ln.VariationalLeastSquares(BOX.gauss(40, order=2))
        for solver in (None, Cholesky(), RegularizedQR(), TruncatedSVD()):
            assert ln.solve(weak, network, form, solver).info.residual < 1e-9

    def test_several_right_hand_sides(self):
        network = ln.Network(ln.Tanh(), ln.neurons.fibonacci(60, radius=2))
        columns = lambda x: np.stack([F(x), x[:, 0], 0 * x[:, 0]], axis=1)
        problem = ln.StrongForm(
            ln.Equation(-ln.laplacian(U) + U, columns, on=BOX), ln.Equation(U, 0.0, on=BOX.boundary)
        )
        rules = BOX.grid(30), BOX.boundary.grid(30)
        for solver in (None, TruncatedSVD(), Cholesky(corrections=1), LU()):
            many = ln.solve(problem, network, ln.Collocation(*rules), solver)
            assert many.a.shape == (60, 3)
            assert (many.a[:, 2] == 0).all()
            first = ln.solve(
                ln.StrongForm(
                    ln.Equation(-ln.laplacian(U) + U, F, on=BOX),
                    ln.Equation(U, 0.0, on=BOX.boundary),
                ),
                network,
                ln.Collocation(*rules),
                solver,
            )
            x = BOX.sobol(50).points
            np.testing.assert_allclose(many(x)[:, 0], first(x), atol=1e-5 * abs(first(x)).max())

    def test_columns_that_do_not_fit_are_refused(self):
        two = lambda x: np.ones((len(x), 2))
        three = lambda x: np.ones((len(x), 3))
        network = ln.Network(ln.Tanh(), ln.neurons.fibonacci(20))
        strong = ln.StrongForm(ln.Equation(U, two, on=BOX), ln.Equation(U, three, on=BOX.boundary))
        weak = ln.WeakForm(U * V, ln.Integral(load=three, on=BOX.boundary), load=two)
        rules = BOX.gauss(4, 2), BOX.boundary.gauss(4, 2)
        match = r"data = '\[2, 3\] right-hand sides'"
        for problem, form in (
            (strong, ln.Collocation),
            (weak, ln.Galerkin),
            (weak, ln.VariationalLeastSquares),
        ):
            with pytest.raises(ArgumentError, match=match):
                ln.solve(problem, network, form(*rules))
