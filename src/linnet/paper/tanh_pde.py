"""Figures 17 and 18: −Δu + u = f with Dirichlet values, tanh on the sphere, collocation (§4.2.4).

u = Σ_{m=1,2,4} Π sin(mπx_i), which vanishes on the boundary of (−1, 1)^d.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import linnet as ln
from linnet import neurons
from linnet.paper.curves import Sines, result, solve_quietly
from linnet.paper.experiment import (
    Options,
    Result,
    Row,
    Series,
    Work,
    experiment,
    with_orders,
)
from linnet.rules import Rule

EXACT = Sines(1, 2, 4)
BOUNDARY = 1e4  # λ of the boundary points, those inside having 1; the paper does not state its own


@dataclass(frozen=True)
class Study:
    """One of the two figures: its radii, numbers of neurons, and the paper's points."""

    dim: int
    radii: Sequence[float]
    counts: Sequence[int]
    grid: int  # points along each axis, those on the boundary included
    cells: int  # of the rule of the errors, along each axis
    order: int


def dirichlet(box: ln.Box) -> ln.StrongForm:
    """−Δu + u = f in the box, u = 0 on its boundary."""
    u = ln.trial(box)
    return ln.StrongForm(
        ln.Equation(-ln.laplacian(u) + u, EXACT.load, on=box),
        ln.Equation(u, 0.0, on=box.boundary),
        exact=EXACT,
    )


def points(box: ln.Box, n: int) -> tuple[Rule, Rule]:
    """A uniform grid with its boundary points: the equation at all of them, u = 0 on the latter."""
    return box.grid(n), box.boundary.grid(n)


def collocated(id: str, study: Study, options: Options) -> Result:
    """Both errors against n for each radius."""
    options.only(id, "neurons", "points", "activation", "solver")
    started = time.perf_counter()
    box = ln.Box(-1, 1, dim=study.dim)
    grid = study.grid if options.points is None else round(options.points ** (1 / study.dim))
    rules, errors = points(box, max(2, grid)), box.gauss(study.cells, study.order)
    formulation = ln.Collocation(*rules, weights=(1.0, BOUNDARY))
    activation, counts = options.activation or ln.Tanh(), options.neurons or study.counts
    work = Work(options, len(study.radii) * sum(n**2 for n in counts))
    series = []
    for r in study.radii:
        rows = []
        for n in counts:
            network = ln.Network(activation, neurons.sphere(n, study.dim, r)).on(box)
            solution = solve_quietly(
                dirichlet(box), network, formulation, ln.RegularizedQR(), options
            )
            error = solution.error(EXACT, errors, EXACT.gradient)
            info = solution.info
            extra = {"points": n, "residual": info.residual, "rank": info.rank}
            rows.append(Row(network.n, l2=error.l2, h1=error.h1, extra=extra))
            options.say(f"r = {r:g}, n = {network.n}: L2 {error.l2:.1e}, H1 {error.h1:.1e}")
            work.done(n**2)
        series.append(Series(f"r = {r:g}", with_orders(rows)))
    settings = {
        "activation": repr(activation),
        "radii": study.radii,
        "parameters before removal": counts,
        "solver": repr(options.solver or ln.RegularizedQR()),
        "rules": [rule.describe() for rule in rules],
        "weights": [1.0, BOUNDARY],
        "rule of the errors": errors.describe(),
    }
    found = [(row.l2 or 0.0, row.h1, s.label, row.n) for s in series for row in s.rows]
    l2, h1, label, n = min(found)
    notes = [
        f"Least L² error {l2:.1e}, with H¹ error {h1:.1e} ({label}, n = {n}).",
        f"Boundary points have the weight λ = {BOUNDARY:g}, interior points 1: −Δ makes the rows "
        "of the interior about a hundred times larger. The paper does not state its weights.",
    ]
    return result(id, "errors", series, settings, options, started, notes)


@experiment("figure-17", "Dirichlet problem, tanh on the circle, 1D, collocation", seconds=1)
def figure_17(options: Options) -> Result:
    """Figure 17: 200 collocation points, errors on 1024 × 3 Gauss points."""
    counts = (8, 16, 32, 64, 128, 256)
    return collocated("figure-17", Study(1, (2, 5, 8, 10), counts, 200, 1024, 3), options)


@experiment("figure-18", "Dirichlet problem, tanh on the sphere, 2D, collocation", seconds=25)
def figure_18(options: Options) -> Result:
    """Figure 18: 100 × 100 collocation points, errors on 50² × 5² Gauss points."""
    counts = (100, 200, 400, 800, 1600, 2400, 3200)
    return collocated("figure-18", Study(2, (2, 3, 4), counts, 100, 50, 5), options)
