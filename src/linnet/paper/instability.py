"""Figures 5 and 6: the matrix form loses its rate, the least-squares form keeps it (§4.1.3).

L² minimisation in 1D with ReLU², u = sin(πx/2), on the same 1024 × 5 Gauss points for all.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import linnet as ln
from linnet import neurons
from linnet.paper.curves import Sines, projection, result, slopes, solve_quietly
from linnet.paper.experiment import (
    Options,
    Result,
    Row,
    Series,
    Work,
    experiment,
    with_orders,
)
from linnet.paper.hidden import paper_network
from linnet.paper.tables import theory
from linnet.rules import Rule
from linnet.solvers import Solver

TAKES = ("neurons", "points", "activation", "solver")
POINTS = (16, 32, 64, 128, 256, 512, 724, 1024, 1448, 2048, 2896, 4096)  # on the circle
BOX = ln.Box(-1, 1)
ERRORS = BOX.gauss(1000, order=5)  # other points than those that the networks are fitted to


def rule(options: Options) -> Rule:
    """1024 subintervals of order 5, the paper's rule."""
    return BOX.gauss(1024 if options.points is None else max(1, options.points // 5), order=5)


def decay(
    label: str, form: str, solver: Solver, mirrored: bool, options: Options, work: Work
) -> Series:
    """Errors for every number of points on the circle.

    Parameters
    ----------
    label, form, solver
        The curve's name, its formulation and its solver.
    mirrored : bool
        Keep the mirror images: on a circle with an even number of points σ(−z) = z² − σ(z), so
        that half of the neurons are combinations of the others; the paper does not say that it
        removes them. ``network.on(box)`` does.
    """
    activation, rows = options.activation or ln.ReLU(2), []
    for points in options.neurons or POINTS:
        theta = neurons.circle(points)
        if mirrored:
            network = paper_network(activation, theta, BOX)
        else:
            network = ln.Network(activation, theta).on(BOX)
        problem, formulation = projection(Sines(0.5), BOX, rule(options), form)
        solution = solve_quietly(problem, network, formulation, solver, options)
        error = solution.error(Sines(0.5), ERRORS)
        info = solution.info
        extra = {"points": points, "rank": info.rank, "condition": info.condition}
        rows.append(Row(network.n, l2=error.l2, extra=extra))
        options.say(f"{label}, n = {network.n}: L2 {error.l2:.3e}")
        work.done(points**2)
    rate = theory(1, activation.k) if isinstance(activation, ln.ReLU) else {}
    reference = {"l2": rate["l2"]} if rate else {}
    return Series(label, with_orders(rows), slopes(falling(rows), 30, "l2"), reference)


def falling(rows: Sequence[Row]) -> list[Row]:
    """The rows up to the least error: the range in which a slope means something."""
    best = min(rows, key=lambda row: row.l2 or 0.0)
    return [row for row in rows if row.n <= best.n]


def _figure(id: str, curves: list[tuple[str, str, Solver, bool]], options: Options) -> Result:
    """All curves in one panel."""
    options.only(id, *TAKES)
    started = time.perf_counter()
    work = Work(options, len(curves) * sum(n**2 for n in options.neurons or POINTS))
    series = [decay(*curve, options, work) for curve in curves]
    settings = {
        "activation": repr(options.activation or ln.ReLU(2)),
        "solvers": {label: repr(options.solver or solver) for label, _, solver, _ in curves},
        "points on the circle": options.neurons or POINTS,
        "rule": rule(options).describe(),
        "rule of the errors": ERRORS.describe(),
    }
    notes = [_said(one) for one in series]
    return result(id, "errors", series, settings, options, started, notes)


def _said(series: Series) -> str:
    """Where the curve stops to fall, and its slope up to there."""
    best, last, slope = falling(series.rows)[-1], series.rows[-1], series.slopes.get("l2")
    text = f"{series.label}: least error {best.l2:.1e} at n = {best.n}"
    text += f", slope {slope:.2f} up to there" if slope is not None else ""
    return f"{text}; {last.l2:.1e} at n = {last.n}."


MATRIX = ("matrix form", "galerkin", ln.LU(), False)
KEPT = ("matrix form, mirror images kept", "galerkin", ln.LU(), True)
ROWS = ("least-squares form", "least-squares", ln.RegularizedQR(), False)


@experiment("figure-5", "Instability of the matrix form, ReLU², 1D", seconds=10)
def figure_5(options: Options) -> Result:
    """Figure 5: the error of the matrix form falls at first, then grows irregularly."""
    return _figure("figure-5", [MATRIX, KEPT], options)


@experiment("figure-6", "Mass matrix against variational least squares, ReLU², 1D", seconds=10)
def figure_6(options: Options) -> Result:
    """Figure 6: the same rule and points, assembled to a matrix or kept as rows."""
    return _figure("figure-6", [MATRIX, ROWS], options)
