"""Pictures of hidden parameters: on the circle, on the sphere, as frequencies, and as kinks."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from linnet.domains import Box
from linnet.errors import ArgumentError
from linnet.network import Network
from linnet.plotting.style import COLOURS, GREY, VALUES, figure, names, style

Array = NDArray[np.float64]

FEW = 4  # different values of b up to which they have a marker each
ROUND = 1e-6  # relative spread of the norms up to which points count as points of a sphere


def plot_neurons(network: Network) -> Figure:
    """The hidden parameters (w, b).

    In one dimension the points (w, b) of the plane, on their circle where they have one; in two
    dimensions both halves of their sphere, seen along the b axis, where they have one. Where the
    points are on no sphere, and in more dimensions, the first two entries of w, coloured by b.

    Parameters
    ----------
    network : Network

    Returns
    -------
    matplotlib.figure.Figure
    """
    theta = _checked(network).theta
    sizes = np.linalg.norm(theta, axis=1)
    spherical = bool(np.ptp(sizes) <= ROUND * sizes.max())
    with style():
        if network.dim == 1:
            return _plane(theta, float(sizes.max()) if spherical else None)
        if network.dim == 2 and spherical:
            return _sphere(theta, float(sizes.max()))
        return _frequencies(theta)


def plot_kinks(network: Network) -> Figure:
    """The sets w·x + b = 0 inside the domain: points of an interval, lines of a rectangle.

    Parameters
    ----------
    network : Network
        In one or two dimensions.

    Returns
    -------
    matplotlib.figure.Figure
    """
    box = _checked(network).domain or Box(-1, 1, dim=network.dim)
    if network.dim > 2:
        raise ArgumentError(
            "network",
            f"neurons in {network.dim} dimensions",
            "kinks are drawn in one and two dimensions",
            "Use plot_neurons(network)",
        )
    with style():
        return _kink_points(network, box) if network.dim == 1 else _kink_lines(network, box)


def _checked(network: Network) -> Network:
    if not isinstance(network, Network):
        raise ArgumentError(
            "network", network, "it is no network", "Give a Network, such as sol.network"
        )
    return network


def _plane(theta: Array, radius: float | None) -> Figure:
    picture = figure(4.2, 4.0)
    axes = picture.add_subplot()
    if radius is not None:
        angle = np.linspace(0, 2 * np.pi, 361)
        axes.plot(radius * np.cos(angle), radius * np.sin(angle), color="0.85", lw=1)
    axes.plot(theta[:, 0], theta[:, 1], "o", ms=_size(len(theta)), color=COLOURS[0])
    wide, high = np.ptp(theta, axis=0)
    equal = radius is not None or 0.3 * wide < high < 3 * wide
    axes.set(xlabel="w", ylabel="b", title=f"{len(theta)} neurons")
    axes.set_aspect("equal" if equal else "auto")
    axes.margins(0.08)
    return picture


def _sphere(theta: Array, radius: float) -> Figure:
    """Two discs: the half b ≥ 0 and the half b < 0, by Lambert's equal-area projection."""
    picture = figure(8.0, 4.2)
    angle = np.linspace(0, 2 * np.pi, 361)
    for i, (title, half) in enumerate(
        (("b ≥ 0", theta[theta[:, 2] >= 0]), ("b < 0", theta[theta[:, 2] < 0]))
    ):
        axes = picture.add_subplot(1, 2, i + 1)
        unit = half / radius
        flat = unit[:, :2] / np.sqrt(1 + np.abs(unit[:, 2:]))
        axes.plot(np.cos(angle), np.sin(angle), color="0.7", lw=1)
        axes.plot(flat[:, 0], flat[:, 1], "o", ms=_size(len(theta)), color=COLOURS[0])
        axes.set(title=f"{title}: {len(half)} neurons", aspect="equal", xticks=[], yticks=[])
        axes.set(xlabel="$w_1$", ylabel="$w_2$", xlim=(-1.05, 1.05), ylim=(-1.05, 1.05))
        for side in axes.spines.values():
            side.set_visible(False)
    picture.suptitle(f"sphere of radius {radius:.3g}, equal-area projection")
    return picture


def _frequencies(theta: Array) -> Figure:
    picture = figure(5.0, 4.2)
    axes = picture.add_subplot()
    phases = np.unique(theta[:, -1])
    if len(phases) <= FEW:  # sine networks: each frequency stands there once for each phase
        for i, b in enumerate(phases):
            w = theta[theta[:, -1] == b]
            size, fill = _size(len(w)) + 2.5 * i, "none" if i else COLOURS[i]
            axes.plot(
                w[:, 0], w[:, 1], "o", ms=size, color=COLOURS[i], mfc=fill, label=f"b = {b:.4g}"
            )
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    else:
        dots = axes.scatter(
            theta[:, 0], theta[:, 1], c=theta[:, -1], s=_size(len(theta)) ** 2, cmap=VALUES
        )
        picture.colorbar(dots, ax=axes, label="b", shrink=0.85)
    axes.set(xlabel="$w_1$", ylabel="$w_2$", title=f"{len(theta)} neurons", aspect="equal")
    return picture


def _kink_points(network: Network, box: Box) -> Figure:
    w, b = network.theta.T
    with np.errstate(divide="ignore", invalid="ignore"):
        places = box.center[0] + box.halfwidth[0] * (-b / w)
    inside = places[(places >= box.lower[0]) & (places <= box.upper[0])]
    picture = figure(6.0, 1.6)
    axes = picture.add_subplot()
    axes.vlines(inside, 0, 1, color=COLOURS[0], lw=0.8)
    axes.set(xlabel="x", yticks=[], xlim=(box.lower[0], box.upper[0]), ylim=(0, 1))
    axes.set_title(f"kinks of {len(inside)} of {network.n} neurons")
    axes.spines["left"].set_visible(False)
    return picture


def _kink_lines(network: Network, box: Box) -> Figure:
    segments = [s for s in map(_clipped, network.theta) if s is not None]
    lines = [np.array(s) * box.halfwidth + box.center for s in segments]
    picture = figure(4.4, 4.2)
    axes: Axes = picture.add_subplot()
    width = float(np.clip(30 / max(len(lines), 1), 0.15, 0.8))
    axes.add_collection(LineCollection(lines, colors=COLOURS[0], linewidths=width))
    x, y = names(2)
    axes.set(xlabel=x, ylabel=y, aspect="equal")
    axes.set(xlim=(box.lower[0], box.upper[0]), ylim=(box.lower[1], box.upper[1]))
    axes.set_title(f"kinks of {len(lines)} of {network.n} neurons")
    axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    for side in axes.spines.values():
        side.set(visible=True, color=GREY)
    return picture


def _clipped(theta: Array) -> tuple[Array, Array] | None:
    """The piece of w·x̂ + b = 0 in [−1, 1]², by its end points."""
    w, b = theta[:2], theta[2]
    square = float(w @ w)
    if square == 0.0:
        return None
    foot, along = -b * w / square, np.array([-w[1], w[0]])
    low, high = -np.inf, np.inf
    for axis in range(2):
        if along[axis] == 0.0:
            if abs(foot[axis]) > 1:
                return None
            continue
        ends = sorted(((-1 - foot[axis]) / along[axis], (1 - foot[axis]) / along[axis]))
        low, high = max(low, ends[0]), min(high, ends[1])
    return (foot + low * along, foot + high * along) if low < high else None


def _size(n: int) -> float:
    return float(np.clip(90 / np.sqrt(n), 1.2, 6.0))
