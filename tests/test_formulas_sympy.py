"""Derivatives of formulas agree with SymPy's: two independent ways to the same number."""

import numpy as np
import pytest
import sympy

from linnet.formulas import Formula, PointFunction, Scope, derivative

X, Y = sympy.symbols("x y")
FORMULAS = {
    "sin(pi*x) * exp(y)": sympy.sin(sympy.pi * X) * sympy.exp(Y),
    "tanh(5*(x + y))": sympy.tanh(5 * (X + Y)),
    "1 / (1 + 4*x^2 + 4*y^2)": 1 / (1 + 4 * X**2 + 4 * Y**2),
    "x^y * log(x + 2)": X**Y * sympy.log(X + 2),
    "sqrt(1 + x^2) * atan2(y, x)": sympy.sqrt(1 + X**2) * sympy.atan2(Y, X),
    "erf(x*y) - cosh(x)/y^3": sympy.erf(X * Y) - sympy.cosh(X) / Y**3,
}


@pytest.mark.parametrize("text", FORMULAS)
@pytest.mark.parametrize("order", ["x", "y", "xx", "xy", "yyy"])
def test_derivatives(text: str, order: str) -> None:
    tree, expected = Scope(("x", "y")).scalar(Formula.bare(text)), FORMULAS[text]
    for variable in order:
        tree = derivative(tree, variable)
        expected = sympy.diff(expected, {"x": X, "y": Y}[variable])
    x = np.random.default_rng(1).uniform(0.3, 1.4, (20, 2))
    mine = PointFunction(tree, ("x", "y"), Formula.bare(text))(x)
    theirs = sympy.lambdify((X, Y), expected, ["scipy", "numpy"])(x[:, 0], x[:, 1])
    np.testing.assert_allclose(mine, np.broadcast_to(theirs, 20), rtol=1e-11, atol=1e-11)
