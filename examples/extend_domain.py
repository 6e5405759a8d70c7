r"""A domain of your own

An equation holds on a `Part`: the box that the unknown lives on, its faces, or a part of your own
inside that box. A part knows its dimension and its measure, and which parts it contains. A `Rule`
on it is a stream of points, weights and, on a boundary, outward normals, any block of which can
be asked for. That is all that collocation, errors and residuals need.

Here is the unit disk, with the spiral of the sunflower as its points, and its circle; on them
$-\Delta u = f$ and $\partial u/\partial n + u = g$, with $u = e^x\sin 2y$.
"""

from dataclasses import dataclass

import numpy as np

import linnet as ln
from linnet.rules import Nodes, Part, Rule


@dataclass(frozen=True)
class Disk(Part):
    """The unit disk, or the circle around it."""

    boundary: bool = False
    dim = 2

    @property
    def measure(self):
        return 2 * np.pi if self.boundary else np.pi

    def contains(self, part):
        return self == part

    def points(self, n):
        return DiskRule(self, n)


@dataclass(frozen=True, repr=False)
class DiskRule(Rule):
    """n points: a sunflower's spiral in the disk, or equal angles on the circle."""

    part: Disk = None
    size: int = 0

    def take(self, start, stop):
        i = np.arange(start, stop) + 0.5
        radius = np.ones_like(i) if self.part.boundary else np.sqrt(i / self.size)
        angle = i * (2 * np.pi / self.size if self.part.boundary else np.pi * (3 - np.sqrt(5)))
        x = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
        weights = np.full(len(i), self.part.measure / self.size)
        return Nodes(x, weights, x if self.part.boundary else None)

    def on(self, part):
        self._demand(part)
        return self

    def describe(self):
        return f"{self.part}.points({self.size})"


def exact(x):
    return np.exp(x[:, 0]) * np.sin(2 * x[:, 1])


def exact_slope(x):
    return np.exp(x[:, 0])[:, None] * np.column_stack(
        [np.sin(2 * x[:, 1]), 2 * np.cos(2 * x[:, 1])]
    )


def main(picture=None):
    box, disk, circle = ln.Box(-1, 1, dim=2), Disk(), Disk(boundary=True)
    u = ln.trial(box)
    g = lambda x: (exact_slope(x) * x).sum(axis=1) + exact(x)  # the normal at x is x
    problem = ln.StrongForm(
        ln.Equation(-ln.laplacian(u), lambda x: 3 * exact(x), on=disk),
        ln.Equation(ln.normal_derivative(u) + u, g, on=circle),
    )
    network = ln.Network(ln.Tanh(), ln.neurons.fibonacci(400, radius=1.2))
    points = ln.Collocation(disk.points(3000), circle.points(300), weights=(1, 1e2))
    sol = ln.solve(problem, network, points)

    fresh = disk.points(20_000)
    if picture:
        drawing = sol.plot()
        (axes, *_) = drawing.axes
        t = np.linspace(0, 2 * np.pi, 400)
        axes.plot(np.cos(t), np.sin(t), "w-", lw=2)
        drawing.savefig(picture)
    return {"relative L² error on the disk": sol.error(exact, fresh).relative_l2}


if __name__ == "__main__":
    print(main("extend_domain.png"))
