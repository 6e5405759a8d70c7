"""Pictures of singular values and of convergence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator
from numpy.typing import ArrayLike, NDArray

from linnet.errors import ArgumentError
from linnet.plotting.style import GREY, figure, grid, look, style

Array = NDArray[np.float64]
FEW = 8  # abscissae that are named one by one

Curve = tuple[ArrayLike, ArrayLike]


def plot_singular_values(values: ArrayLike | Mapping[str, ArrayLike]) -> Figure:
    """Singular values, relative to the largest, on a logarithmic scale.

    Parameters
    ----------
    values : array_like, shape (n,), or mapping from labels to such
        As :func:`linnet.singular_values` gives them.

    Returns
    -------
    matplotlib.figure.Figure
    """
    curves = values if isinstance(values, Mapping) else {"": values}
    with style():
        picture = figure(5.6, 3.8)
        axes = picture.add_subplot()
        for i, (label, given) in enumerate(curves.items()):
            sigma = np.sort(_column("values", given))[::-1]
            if sigma[0] <= 0 or sigma[-1] < 0:
                raise ArgumentError(
                    "values",
                    given,
                    "singular values are not negative, and one is not 0",
                    "Check it",
                )
            line = {**look(i), "marker": ""}
            axes.semilogy(np.arange(1, len(sigma) + 1), sigma / sigma[0], label=label, **line)
        eps = float(np.finfo(np.float64).eps)
        axes.axhline(eps, color=GREY, lw=1, ls=":")
        axes.annotate(
            "double precision", (1, eps), (2, 3), textcoords="offset points", color="0.35"
        )
        axes.set(xlabel="i", ylabel=r"$\sigma_i / \sigma_1$", xlim=(1, None))
        if any(curves):
            axes.legend()
        grid(axes)
        return picture


def plot_convergence(
    curves: Mapping[str, Curve],
    slopes: Mapping[str, float] | Sequence[float] = (),
    *,
    xlabel: str = "number of neurons n",
    ylabel: str = "error",
    paper: Mapping[str, Curve] | None = None,
) -> Figure:
    """Errors against the number of neurons, with fitted and reference slopes.

    Parameters
    ----------
    curves : mapping from labels to (n, errors)
        Arrays of the same length. The fitted slope stands in the legend.
    slopes : mapping from labels to numbers, or sequence of numbers
        Exponents of reference lines n^slope, such as ``{"theory": -1.2}``.
    xlabel, ylabel : str
    paper : mapping from labels to (n, errors), optional
        Numbers of others, drawn as crosses.

    Returns
    -------
    matplotlib.figure.Figure
    """
    with style():
        picture = figure(5.6, 4.2)
        draw_convergence(picture.add_subplot(), curves, slopes, paper)
        picture.axes[0].set(xlabel=xlabel, ylabel=ylabel)
        return picture


def draw_convergence(
    axes: Axes,
    curves: Mapping[str, Curve],
    slopes: Mapping[str, float] | Sequence[float] = (),
    paper: Mapping[str, Curve] | None = None,
) -> None:
    """The curves of :func:`plot_convergence` on given axes."""
    if not curves:
        raise ArgumentError(
            "curves", curves, "there is nothing to draw", "Give {label: (n, errors)}"
        )
    points: list[tuple[Array, Array]] = []
    for i, (label, curve) in enumerate(curves.items()):
        n, error = _positive(label, curve)
        fitted = f" (slope {fitted_slope(n, error):.2f})" if len(n) > 1 else ""
        axes.loglog(n, error, label=f"{label}{fitted}", **look(i))
        points.append((n, error))
    for label, curve in (paper or {}).items():
        n, error = _positive(label, curve)
        axes.loglog(n, error, "x", color="black", ms=8, mew=1.4, label=label, zorder=5)
    named = slopes if isinstance(slopes, Mapping) else {f"$n^{{{s:g}}}$": s for s in slopes}
    first, last = points[0], points[-1]
    for i, (label, slope) in enumerate(named.items()):
        n, error = points[i] if len(named) == len(points) else (last if i else first)
        ends = np.array([n[0], n[-1]])
        line = 0.6 * error[0] * (ends / ends[0]) ** slope
        axes.loglog(ends, line, color=GREY, ls=":", lw=1.4)
        axes.annotate(
            label,
            (ends[1], line[1]),
            (-4, -10),
            textcoords="offset points",
            ha="right",
            color="0.3",
        )
    places = sorted({float(x) for n, _ in points for x in n})
    if len(places) <= FEW and places[-1] < 100 * places[0]:
        axes.set_xticks(places, [f"{x:g}" for x in places])
        axes.xaxis.set_minor_locator(NullLocator())
    axes.legend()
    grid(axes)


def fitted_slope(n: ArrayLike, errors: ArrayLike) -> float:
    """The slope of the straight line through (log n, log error), by least squares."""
    x, y = np.log(np.asarray(n, dtype=float)), np.log(np.asarray(errors, dtype=float))
    return float(np.polyfit(x, y, 1)[0])


def _column(name: str, given: ArrayLike) -> Array:
    array = np.asarray(given, dtype=np.float64)
    if array.ndim != 1 or not array.size or not np.isfinite(array).all():
        raise ArgumentError(
            name, array.shape, "it must be a list of finite numbers", "Give an array (n,)"
        )
    return array


def _positive(label: str, curve: Curve) -> tuple[Array, Array]:
    n, error = _column("n", curve[0]), _column("errors", curve[1])
    if n.shape != error.shape or (n <= 0).any() or (error <= 0).any():
        raise ArgumentError(
            "curves",
            label,
            "on logarithmic axes n and errors are positive and of the same length",
            "Leave out errors that are 0",
        )
    return n, error
