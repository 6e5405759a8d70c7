"""How linnet's pictures look: colours that the colour-blind tell apart, and that print in grey."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

# Okabe and Ito's palette, ordered so that neighbours differ in lightness too
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#000000", "#CC79A7", "#56B4E9", "#E69F00")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
LINES: tuple[Any, ...] = ("-", "--", "-.", (0, (1, 1)), (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)), ":")
VALUES = "viridis"  # its lightness is monotone
ERRORS = "cividis"
GREY = "0.55"

SETTINGS: dict[str, Any] = {
    "figure.dpi": 100,
    "savefig.dpi": 160,
    "savefig.bbox": "tight",
    "font.size": 10,
    "axes.titlesize": 10.5,
    "axes.labelsize": 10,
    "legend.fontsize": 9,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "lines.linewidth": 1.6,
    "lines.markersize": 5,
    "image.cmap": VALUES,
    "mathtext.fontset": "dejavusans",
}


@contextmanager
def style() -> Iterator[None]:
    """The settings above, for as long as the context lasts."""
    with mpl.rc_context(SETTINGS):  # type: ignore[arg-type]
        yield


def figure(width: float, height: float) -> Figure:
    """An empty figure of that size in inches, whose parts do not overlap."""
    return plt.figure(figsize=(width, height), layout="constrained")


def close(*figures: Figure) -> None:
    """Forget figures that have been written, and their memory."""
    for each in figures:
        plt.close(each)


def look(i: int) -> dict[str, Any]:
    """Colour, marker and line of the i-th curve."""
    return {
        "color": COLOURS[i % len(COLOURS)],
        "marker": MARKERS[i % len(MARKERS)],
        "linestyle": LINES[i % len(LINES)],
    }


def grid(axes: Axes) -> None:
    """Faint lines at the major ticks."""
    axes.grid(True, which="major", color="0.9", linewidth=0.8)
    axes.set_axisbelow(True)


def names(dim: int, given: tuple[str, ...] | None = None) -> tuple[str, ...]:
    """Names of the coordinates: those given, or x, y, z, or x₁, x₂, …."""
    if given is not None:
        return given
    return tuple("xyz"[:dim]) if dim <= 3 else tuple(f"$x_{{{i + 1}}}$" for i in range(dim))
