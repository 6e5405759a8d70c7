"""Pictures of a function on a box: a curve, a map, or slices through the box."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm, Normalize
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike, NDArray

from linnet.domains import Box
from linnet.errors import ArgumentError
from linnet.plotting.style import COLOURS, ERRORS, LINES, VALUES, figure, grid, names, style

Array = NDArray[np.float64]
PointFunction = Callable[[Array], Array]

RESOLUTION = {1: 801, 2: 201}  # points per axis of a curve, of a map
SAMPLE = 4096  # points among which the one with the largest value is looked for
CURVES = 6  # coordinate axes along which a function of many variables is drawn


@dataclass(frozen=True)
class Field:
    """What is to be drawn.

    Attributes
    ----------
    fn : callable
        From points (m, d) to values (m,).
    box : Box
    label : str
    log : bool
        Draw the absolute value on a logarithmic scale.
    exact : callable or None
        The true function, drawn beside it where curves are drawn.
    through : array_like, shape (d,), or None
        The point that slices pass through; by default the one where |fn| is largest.
    coordinates : tuple of str or None
    resolution : int or None
        Points along each axis of a picture.
    """

    fn: PointFunction
    box: Box
    label: str = "u"
    log: bool = False
    exact: PointFunction | None = None
    through: ArrayLike | None = None
    coordinates: tuple[str, ...] | None = None
    resolution: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the coordinates."""
        return names(self.box.dim, self.coordinates)

    def points(self, dim: int) -> int:
        """Points along each axis of a curve or a map."""
        return RESOLUTION[dim] if self.resolution is None else self.resolution

    def centre(self) -> Array:
        """The point that slices pass through."""
        if self.through is not None:
            point = np.asarray(self.through, dtype=np.float64)
            if point.shape != (self.box.dim,) or not self.box.contains(point[None]).all():
                raise ArgumentError(
                    "through",
                    self.through,
                    f"it is no point of {self.box}",
                    f"Give {self.box.dim} numbers",
                )
            return point
        x = self.box.sobol(SAMPLE).points
        largest: Array = x[int(np.argmax(np.abs(self.fn(x))))]
        return largest

    def line(self, axis: int, point: Array) -> tuple[Array, Array]:
        """Parameters and points of the line through a point along an axis."""
        t = np.linspace(self.box.lower[axis], self.box.upper[axis], self.points(1))
        x = np.tile(point, (len(t), 1))
        x[:, axis] = t
        return t, x

    def plane(self, first: int, second: int, point: Array) -> tuple[Array, Array, Array]:
        """Coordinates (m,), (m,) and values (m, m) on a plane through a point."""
        m = self.points(2)
        s = np.linspace(self.box.lower[first], self.box.upper[first], m)
        t = np.linspace(self.box.lower[second], self.box.upper[second], m)
        x = np.tile(point, (m * m, 1))
        x[:, first], x[:, second] = np.tile(s, m), np.repeat(t, m)
        return s, t, self.fn(x).reshape(m, m)


def draw(field: Field) -> Figure:
    """The picture of a field that suits its dimension."""
    with style():
        if field.box.dim == 1:
            return _curve(field)
        if field.box.dim == 2:
            return _map(field)
        return _slices(field) if field.box.dim == 3 else _many(field)


def draw_map(axes: Axes, field: Field, colorbar: bool = True) -> None:
    """A function of two variables as a map on given axes."""
    s, t, values = field.plane(0, 1, np.zeros(2))
    mesh = _mesh(axes, s, t, values, _norm(field, [values]), field)
    axes.set(xlabel=field.names[0], ylabel=field.names[1], title=field.label)
    if colorbar:
        axes.figure.colorbar(mesh, ax=axes, shrink=0.85)


def _curve(field: Field) -> Figure:
    picture = figure(6.0, 3.4)
    axes = picture.add_subplot()
    t, x = field.line(0, np.zeros(1))
    values = field.fn(x)
    axes.plot(t, np.abs(values) if field.log else values, color=COLOURS[0], label=field.label)
    if field.exact is not None:
        few = slice(None, None, max(1, len(t) // 40))
        axes.plot(t[few], field.exact(x[few]), "o", mfc="none", color=COLOURS[1], label="exact")
        axes.legend()
    if field.log and values.any():
        axes.set_yscale("log")
    axes.set(xlabel=field.names[0], ylabel=field.label, xlim=(t[0], t[-1]))
    grid(axes)
    return picture


def _map(field: Field) -> Figure:
    width, height = field.box.upper - field.box.lower
    picture = figure(5.4, float(np.clip(4.4 * height / width, 2.4, 6.0)))
    draw_map(picture.add_subplot(), field)
    return picture


def _slices(field: Field) -> Figure:
    """Three planes through the point where most is to be seen."""
    point = field.centre()
    picture = figure(11.0, 3.8)
    planes = [(0, 1, 2), (0, 2, 1), (1, 2, 0)]
    values = [field.plane(i, j, point) for i, j, _ in planes]
    norm = _norm(field, [v for *_, v in values])
    all_axes: list[Axes] = list(picture.subplots(1, 3))
    for axes, (i, j, k), (s, t, v) in zip(all_axes, planes, values, strict=True):
        mesh = _mesh(axes, s, t, v, norm, field)
        title = f"{field.names[k]} = {point[k]:.3g}"
        axes.set(xlabel=field.names[i], ylabel=field.names[j], title=title)
    picture.colorbar(mesh, ax=all_axes, shrink=0.85, label=field.label)
    return picture


def _many(field: Field) -> Figure:
    """Lines along the axes, and two planes, through the point where most is to be seen."""
    point, d = field.centre(), field.box.dim
    picture = figure(12.0, 3.8)
    all_axes: list[Axes] = list(picture.subplots(1, 3, width_ratios=[1.25, 1, 1]))
    lines = all_axes[0]
    for i in range(min(d, CURVES)):
        t, x = field.line(i, point)
        t = (t - field.box.lower[i]) / (field.box.upper[i] - field.box.lower[i])
        values = field.fn(x)
        line = {"color": COLOURS[i], "linestyle": LINES[i]}
        lines.plot(t, np.abs(values) if field.log else values, label=field.names[i], **line)
        if field.exact is not None:
            few = slice(i * 3, None, 40)
            lines.plot(t[few], field.exact(x[few]), "o", mfc="none", ms=4, color=COLOURS[i])
    if field.log:
        lines.set_yscale("log")
    lines.legend(ncols=2)
    exact = "" if field.exact is None else " (circles: exact)"
    lines.set(
        xlabel="along each axis, from its lower to its upper bound",
        ylabel=field.label,
        title=f"lines through the point of the largest value{exact}"
        if field.through is None
        else f"lines through the given point{exact}",
    )
    grid(lines)
    planes = [(0, 1), (d - 2, d - 1)]
    values2 = [field.plane(i, j, point) for i, j in planes]
    norm = _norm(field, [v for *_, v in values2])
    for axes, (i, j), (s, u, v) in zip(all_axes[1:], planes, values2, strict=True):
        mesh = _mesh(axes, s, u, v, norm, field)
        title = f"{field.names[i]}, {field.names[j]} through that point"
        axes.set(xlabel=field.names[i], ylabel=field.names[j], title=title)
    picture.colorbar(mesh, ax=all_axes[1:], shrink=0.85, label=field.label)
    return picture


def _norm(field: Field, values: list[Array]) -> Normalize:
    together = np.concatenate([v.ravel() for v in values])
    if not field.log:
        low, high = float(together.min()), float(together.max())
        least = 1e-6 * max(abs(low), abs(high))  # of a constant one would see the roundoff
        middle = (low + high) / 2
        return Normalize(min(low, middle - least / 2), max(high, middle + least / 2))
    sizes = np.abs(together)
    top = float(sizes.max()) or 1.0
    return LogNorm(max(float(np.quantile(sizes, 0.02)), top * 1e-5, 1e-300), top)


def _mesh(axes: Axes, s: Array, t: Array, values: Array, norm: Normalize, field: Field) -> Any:
    shown = np.maximum(np.abs(values), norm.vmin or 0.0) if field.log else values
    mesh = axes.pcolormesh(
        s, t, shown, norm=norm, cmap=ERRORS if field.log else VALUES, shading="gouraud",
        rasterized=True,
    )  # fmt: skip
    if not field.log and norm.vmin is not None and norm.vmax is not None and norm.vmin < norm.vmax:
        levels = np.linspace(norm.vmin, norm.vmax, 10)[1:-1]
        axes.contour(s, t, values, levels=levels, colors="white", linewidths=0.5, alpha=0.7)
    ratio = (t[-1] - t[0]) / (s[-1] - s[0])
    bins = 5 if ratio < 1.7 else 2  # a narrow picture has room for few numbers
    axes.xaxis.set_major_locator(MaxNLocator(bins, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    axes.set_aspect("equal" if 0.3 < ratio < 3.4 else "auto")
    for side in ("top", "right"):
        axes.spines[side].set_visible(True)
    return mesh
