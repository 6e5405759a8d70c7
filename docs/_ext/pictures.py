"""The pictures of the pages on ideas; each function draws one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import linnet as ln
from linnet.plotting import plot_kinks, plot_neurons, plot_singular_values


def kinks() -> Figure:
    """The lines where ReLU neurons bend, for Fibonacci points."""
    box = ln.Box(-1, 1, dim=2)
    return plot_kinks(ln.Network(ln.ReLU(2), ln.neurons.fibonacci(200)).on(box))


def sphere() -> Figure:
    """Fibonacci points."""
    return plot_neurons(ln.Network(ln.Tanh(), ln.neurons.fibonacci(800)))


def random_sphere() -> Figure:
    """Random points, for comparison."""
    return plot_neurons(ln.Network(ln.Tanh(), ln.neurons.random_sphere(800, dim=2, rng=0)))


def spiral() -> Figure:
    """Frequencies of a sine network."""
    return plot_neurons(ln.Network(ln.Sine(), ln.neurons.spiral(400, radius=22)))


def singular_values() -> Figure:
    """Rows of four networks of 300 neurons on the same points."""
    box = ln.Box(-1, 1, dim=2)
    u, v = ln.trial(box), ln.test(box)
    problem = ln.WeakForm(u * v, load=lambda x: np.ones(len(x)))
    rows = ln.VariationalLeastSquares(box.gauss(30, order=3))
    networks = {
        "ReLU": ln.Network(ln.ReLU(1), ln.neurons.fibonacci(360)).on(box),
        "ReLU³": ln.Network(ln.ReLU(3), ln.neurons.fibonacci(360)).on(box),
        "tanh, radius 2": ln.Network(ln.Tanh(), ln.neurons.fibonacci(300, radius=2)),
        "sine, radius 12": ln.Network(ln.Sine(), ln.neurons.spiral(300, radius=12)),
    }
    return plot_singular_values(
        {name: ln.singular_values(problem, network, rows) for name, network in networks.items()}
    )


PICTURES: tuple[Callable[[], Figure], ...] = (kinks, sphere, random_sphere, spiral, singular_values)


def draw_all(out: Path, newest: float) -> None:
    """Draw those that are older than linnet or this file."""
    newest = max(newest, Path(__file__).stat().st_mtime)
    for picture in PICTURES:
        path = out / f"{picture.__name__}.png"
        if not path.exists() or path.stat().st_mtime < newest:
            picture().savefig(path)
            plt.close("all")
