"""Pictures of a solution: itself, its error, its residual."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from linnet.algebra import Operator
from linnet.data import data_values
from linnet.domains import Box
from linnet.errors import ArgumentError
from linnet.plotting.fields import Field, draw
from linnet.problem import StrongForm
from linnet.rules import Nodes
from linnet.solution import Solution

Array = NDArray[np.float64]
PointFunction = Callable[[Array], Any]


def plot(
    sol: Solution,
    of: Operator | None = None,
    *,
    exact: PointFunction | None = None,
    component: int = 0,
    **options: Any,
) -> Figure:
    """A picture of a solution: a curve in 1D, a map in 2D, slices through the box beyond.

    Slices pass through the point where |u| is largest, or through the one given.

    Parameters
    ----------
    sol : Solution
    of : Operator, optional
        Draw (Lu)(x) instead of u.
    exact : callable, optional
        The true function, drawn as circles where curves are drawn (1D, and from 4D on).
    component : int
        Which right-hand side, where there are several.
    **options
        ``through`` (d numbers), ``resolution`` (points per axis), ``coordinates`` (names),
        ``label``.

    Returns
    -------
    matplotlib.figure.Figure
    """
    fn = _values(sol, component, of)
    label = options.pop("label", "u" if of is None else "Lu")
    return draw(Field(fn, _domain(sol), label, exact=exact, **options))


def plot_error(sol: Solution, u: PointFunction, *, component: int = 0, **options: Any) -> Figure:
    """|u − u_n| on a logarithmic scale, drawn as :func:`plot` draws u.

    Parameters
    ----------
    sol : Solution
    u : callable
        The true function, from points (m, d) to values (m,).
    component : int
    **options
        As for :func:`plot`.
    """
    fn = _values(sol, component)
    label = options.pop("label", "|u − uₙ|")
    return draw(Field(lambda x: fn(x) - np.asarray(u(x)), _domain(sol), label, log=True, **options))


def plot_residual(sol: Solution, *, component: int = 0, **options: Any) -> Figure:
    """|Lu_n − f| of the equation inside the domain, on a logarithmic scale.

    Parameters
    ----------
    sol : Solution
        Of a strong form.
    component : int
    **options
        As for :func:`plot`.
    """
    problem = sol.problem
    if not isinstance(problem, StrongForm):
        raise ArgumentError(
            "sol",
            type(problem).__name__,
            "residuals are those of equations, which a weak form or a loaded solution has not",
            "Use plot(sol, of=operator)",
        )
    inside = [e for e in problem.equations if isinstance(e.on, Box)]
    if not inside:
        raise ArgumentError(
            "sol", problem, "no equation is stated inside the domain", "Use plot(sol)"
        )
    equation = inside[0]
    values = _values(sol, component, equation.operator)

    def residual(x: Array) -> Array:
        data = data_values(equation.data, Nodes(x, np.ones(len(x)), None), 0, "data")
        return values(x) - data[:, min(component, data.shape[1] - 1)]

    label = options.pop("label", "|Luₙ − f|")
    return draw(Field(residual, _domain(sol), label, log=True, **options))


def _values(sol: Solution, component: int, of: Operator | None = None) -> Callable[[Array], Array]:
    """One right-hand side's values as a function of the points."""
    if not isinstance(sol, Solution):
        raise ArgumentError("sol", sol, "it is no solution", "Give what linnet.solve returned")
    count = 1 if sol.a.ndim == 1 else sol.a.shape[1]
    if not 0 <= component < count:
        raise ArgumentError(
            "component", component, f"the solution has {count}", f"Give 0, …, {count - 1}"
        )

    def values(x: Array) -> Array:
        result = sol(x) if of is None else sol.apply(of, x)
        return result if result.ndim == 1 else result[:, component]

    return values


def _domain(sol: Solution) -> Box:
    return sol.network.domain or Box(-1, 1, dim=sol.dim)
