"""Condition numbers of mass matrices (§4.1.3, §4.2.3): tables 8 and 9, and a helper for others.

From a condition number of 1e16 on the assembled matrix M = BᵀB shows its own roundoff. The true
condition number is the square of that of the rows B, resolved up to 1e32.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

import linnet as ln
from linnet import neurons
from linnet.paper.experiment import Options, Result, Row, Series, Work, experiment
from linnet.paper.printed import TABLE_8, TABLE_9, Condition
from linnet.paper.store import Values
from linnet.rules import Rule

SHOWN = 1e16  # the largest condition number that double precision can show
RESOLVED = 1e31  # and the largest square of one of B's


def condition_numbers(network: ln.Network, rule: Rule, options: Options) -> Values:
    """Condition number of the mass matrix, assembled and true.

    Parameters
    ----------
    network : Network
        Placed on its box.
    rule : Rule
    options : Options
        `workers`.

    Returns
    -------
    dict
        n, condition (``numpy.linalg.cond`` of M) and true_condition (κ(B)²).
    """
    box = network.domain
    assert box is not None
    mass = ln.mass_matrix(network, rule, workers=options.workers)
    projection = ln.WeakForm(ln.trial(box) * ln.test(box))
    true = ln.condition_number(projection, network, ln.Galerkin(rule), workers=options.workers)
    return {
        "n": network.n,
        "condition": float(np.linalg.cond(mass)),
        "true_condition": true,
    }


def condition_row(found: Sequence[Values], paper: Condition | None = None) -> Row:
    """Medians and ranges over seeds of what :func:`condition_numbers` returned."""
    names = ("condition", "true_condition")
    column = {name: [values[name] for values in found] for name in names}
    return Row(
        n=int(np.median([values["n"] for values in found])),
        condition=float(np.median(column["condition"])),
        true_condition=float(np.median(column["true_condition"])),
        spread={name: [min(c), max(c)] for name, c in column.items()} if len(found) > 1 else None,
        paper=None if paper is None else {"n": paper.n, "condition": paper.condition},
        extra={"seeds": len(found)},
    )


def _table(
    id: str, dim: int, rule: Rule, printed: Sequence[Condition], radii: Sequence[float], o: Options
) -> Result:
    """Random parameters in [−R, R]^(d+1): the first R is the table's, the others are context."""
    o.only(id, "neurons", "points", "seeds", "activation")
    started = time.perf_counter()
    if o.points is not None:
        per_axis = max(1, round(o.points ** (1 / dim) / 5))
        rule = ln.Box(-1, 1, dim=dim).gauss(per_axis, order=5)
    box, activation, count = ln.Box(-1, 1, dim=dim), o.activation or ln.Tanh(), o.seeds or 100
    wanted = o.neurons or [row.n for row in printed]
    work = Work(o, len(radii) * len(wanted) * count)
    series = []
    for R in radii:
        rows = []
        for n in wanted:
            found = []
            for seed in range(o.seed, o.seed + count):
                theta = neurons.random_box(n, dim, R, rng=seed)
                network = ln.Network(activation, theta).placed_on(box)
                found.append(condition_numbers(network, rule, o))
                work.done(1)
            paper = next((row for row in printed if row.n == n), None)
            rows.append(condition_row(found, paper if radii[0] == R else None))
            o.say(f"R = {R:g}, n = {n}: condition {rows[-1].condition:.1e}")
        series.append(Series(f"R = {R:g}", rows))
    settings = {
        "activation": repr(activation),
        "neurons": f"independent, uniform on [-R, R]^{dim + 1}, R = {radii[0]:g}",
        "rule": rule.describe(),
        "seeds": [o.seed, o.seed + count - 1],
    }
    title = f"Condition numbers of the mass matrix, tanh, {dim}D"
    seconds = time.perf_counter() - started
    return Result(id, title, "condition", series, settings, seconds, _notes(series))


def _notes(series: Sequence[Series]) -> list[str]:
    """Where the paper's values lie in the ranges over the seeds, and why not where they do not."""
    first, *others = series
    seeds = first.rows[0].extra["seeds"]
    notes = [
        f"The paper prints neither R nor a seed. Of the radii tried, {first.label} makes its "
        f"values most likely; shown are the median and the range over {seeds} seeds."
    ]
    compared = [row for row in first.rows if row.paper is not None and row.spread is not None]
    inside = [row for row in compared if _within(row)]
    if inside:
        places = ", ".join(str(row.n) for row in inside)
        notes.append(f"The paper's value lies in the range over our seeds for n = {places}.")
    for row in compared:
        if row in inside or row.paper is None or row.spread is None:
            continue
        value, (low, high) = row.paper["condition"], row.spread["condition"]
        line = f"n = {row.n}: {value:.1e} of the paper lies outside {low:.1e} … {high:.1e}"
        if min(low, value) > SHOWN and row.true_condition is not None:
            line += (
                ". All of these are rounding errors: the true condition number is about "
                f"{row.true_condition:.0e}, so that the smallest eigenvalue computed is noise of "
                "the size of the machine epsilon and depends on the order of summation"
            )
        notes.append(line + ".")
    if any((row.true_condition or 0.0) > RESOLVED for row in first.rows):
        notes.append(
            "True condition numbers from about 1e31 on are lower bounds: there the singular values "
            "of B itself reach the machine epsilon."
        )
    for other in others:
        medians = ", ".join(f"{row.condition:.1e} (n = {row.n})" for row in other.rows)
        notes.append(f"For {other.label} the medians are {medians}.")
    return notes


def _within(row: Row) -> bool:
    assert row.spread is not None
    assert row.paper is not None
    low, high = row.spread["condition"]
    return low <= row.paper["condition"] <= high


@experiment("table-8", "Condition numbers of the mass matrix, tanh, 1D", seconds=10)
def table_8(options: Options) -> Result:
    """Table 8: 1D, 1024 subintervals, Gauss order 5."""
    rule = ln.Box(-1, 1, dim=1).gauss(1024, order=5)
    return _table("table-8", 1, rule, TABLE_8, (1.0, 2.0, 5.0), options)


@experiment("table-9", "Condition numbers of the mass matrix, tanh, 2D", seconds=15)
def table_9(options: Options) -> Result:
    """Table 9: 2D, 100² cells of order 5 in the paper; 20² integrate these functions exactly."""
    rule = ln.Box(-1, 1, dim=2).gauss(100 if options.paper_size else 20, order=5)
    return _table("table-9", 2, rule, TABLE_9, (0.35, 1.0, 2.0), options)
