"""Figures as the paper describes them: log-log, reference slopes, fitted slopes, legends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

from linnet.paper.experiment import Result, Row, Series

# Okabe and Ito's colours, which colour-blind readers and grey prints tell apart.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = "osD^vP*"
GREY = "#707070"
ROUNDOFF = 1 / 2.2e-16  # condition numbers beyond it are noise in double precision


@dataclass(frozen=True)
class Curve:
    """How a quantity is drawn."""

    name: str
    line: str
    filled: bool


CURVES = {
    "l2": Curve("$L^2$", "-", True),
    "h1": Curve("$H^1$", "--", False),
    "condition": Curve("assembled", "-", True),
    "true_condition": Curve("true", "--", False),
}


def draw(result: Result) -> Figure:
    """The figure of a result, one sub-picture for each panel."""
    panels = list(dict.fromkeys(series.panel for series in result.series))
    columns = 3 if len(panels) in (3, 5, 6) or len(panels) > 6 else min(len(panels), 2)
    rows = math.ceil(len(panels) / columns)
    width = {1: 6.4, 2: 5.2}.get(columns, 4.2)
    figure = Figure(figsize=(width * columns, 4.1 * rows + 0.3), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False)
    for ax in grid.flat[len(panels) :]:
        ax.set_axis_off()
    for ax, panel in zip(grid.flat, panels, strict=False):
        draw_panel(ax, [s for s in result.series if s.panel == panel], result.kind)
        ax.set_title(panel, fontsize=10)
    figure.suptitle(f"{result.id.replace('-', ' ').capitalize()}. {result.title}", fontsize=11)
    return figure


def draw_panel(ax: Axes, series: Sequence[Series], kind: str) -> None:
    """All curves of one panel, their slopes and the legend."""
    ax.set_yscale("log")
    if kind == "singular values":
        ax.set_xlabel("index")
        ax.set_ylabel("singular value, relative to the largest")
    else:
        ax.set_xscale("log")
        ax.set_xlabel("number of neurons $n$")
        ax.set_ylabel("error" if kind == "errors" else "condition number")
    quantities = {q for s in series for q in CURVES if _pairs(s.rows, q)}
    several = len(quantities) > 1
    if quantities == {"l2"} and kind == "errors":
        ax.set_ylabel("$L^2$ error")
    for i, one in enumerate(series):
        colour, marker = COLOURS[i % len(COLOURS)], MARKERS[i % len(MARKERS)]
        if kind == "singular values":
            n, values = np.array(_pairs(one.rows, "l2")).T
            ax.plot(n, values, color=colour, label=one.label, lw=1.5)
            continue
        for q, curve in CURVES.items():
            _draw_curve(ax, one, q, curve, colour, marker, several, kind == "condition")
    if kind == "errors":
        _draw_references(ax, series)
    if kind == "condition":
        _draw_roundoff(ax)
    _ticks(ax, kind)
    ax.grid(True, which="major", lw=0.4, color="#d8d8d8")
    ax.legend(fontsize=7.5, framealpha=0.9, handlelength=2.6)


def _draw_curve(
    ax: Axes,
    series: Series,
    q: str,
    curve: Curve,
    colour: str,
    marker: str,
    named: bool,
    fit: bool,
) -> None:
    pairs = _pairs(series.rows, q)
    if not pairs:
        return
    n, values = np.array(pairs).T
    label = ", ".join(filter(None, [series.label, curve.name if named else ""]))
    slope = series.slopes.get(q)
    if slope is not None:
        label += f" (slope {slope:.2f})"
    face = colour if curve.filled else "white"
    style = {"color": colour, "marker": marker, "ms": 4.5, "mfc": face, "lw": 1.4}
    ax.plot(n, values, curve.line, label=label, **style)  # type: ignore[arg-type]
    if series.rows[0].spread and q in series.rows[0].spread:
        ranges = [row.spread[q] for row in series.rows if row.spread and q in row.spread]
        low, high = np.array(ranges).T
        ax.fill_between(n[: len(low)], low, high, color=colour, alpha=0.15, lw=0)
    if fit and slope is not None:
        middle = np.exp(np.log(n).mean()), np.exp(np.log(values).mean())
        ax.plot(n, middle[1] * (n / middle[0]) ** slope, ":", color=colour, lw=1.1)
    printed = [
        (row.paper["n"], row.paper[q]) for row in series.rows if row.paper and q in row.paper
    ]
    if printed:
        x, y = np.array(printed).T
        ax.plot(x, y, "x", color="black", ms=6, mew=1.2, zorder=5, label=f"paper, {curve.name}")


def _draw_references(ax: Axes, series: Sequence[Series]) -> None:
    """One grey line for each rate of the theory, a little below the curve that it belongs to."""
    drawn = set()
    for one in series:
        for q, slope in one.reference.items():
            pairs = _pairs(one.rows, q)
            if len(pairs) < 2 or (key := round(slope, 3)) in drawn:
                continue
            drawn.add(key)
            n, values = np.array(pairs[-max(2, 2 * len(pairs) // 3) :]).T
            line = n**slope
            line *= 0.55 * (values / line).min()
            ax.plot(n, line, "-.", color=GREY, lw=1.1, label=f"theory, $n^{{{slope:.2f}}}$")


def _draw_roundoff(ax: Axes) -> None:
    if ax.get_ylim()[1] > 1e14:
        ax.axhline(ROUNDOFF, color=GREY, lw=1.0, ls="-.", label="1/machine epsilon")


def _ticks(ax: Axes, kind: str) -> None:
    """Plain numbers of neurons below a short axis, powers of ten at its side."""
    least, largest = np.log10(ax.get_ylim())
    if np.floor(largest) > np.ceil(least):  # else one power of ten alone would be labelled
        ax.yaxis.set_minor_formatter(NullFormatter())
    if kind == "singular values":
        return
    low, high = ax.get_xlim()
    if high / low < 200:
        ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        ax.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    ax.xaxis.set_minor_formatter(NullFormatter())


def _pairs(rows: Sequence[Row], q: str) -> list[tuple[int, float]]:
    """(n, value) where there is a positive value."""
    return [(row.n, v) for row in rows if (v := getattr(row, q)) is not None and v > 0]
