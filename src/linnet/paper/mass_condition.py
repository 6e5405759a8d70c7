"""Figures 3 and 4: condition numbers of mass matrices, ReLU and ReLU², d = 1, …, 6 (§4.1.3)."""

from __future__ import annotations

import time
from pathlib import Path

import linnet as ln
from linnet.paper.conditions import RESOLVED, SHOWN, condition_numbers, condition_row
from linnet.paper.curves import result
from linnet.paper.experiment import (
    Options,
    Result,
    Row,
    Series,
    Work,
    experiment,
    fitted_slope,
)
from linnet.paper.hidden import hidden, paper_network
from linnet.paper.neumann import rule_of_size
from linnet.paper.regression import DIMENSIONS, SCHEMES, integration
from linnet.paper.store import Values
from linnet.rules import Rule

POINTS = {  # on the sphere
    1: (16, 32, 64, 128, 256, 512, 1024, 2048),
    2: (25, 50, 100, 200, 400, 800),
    3: (50, 100, 200, 400, 800),
    4: (50, 100, 200, 400, 800),
    5: (50, 100, 200, 400, 800),
    6: (50, 100, 200, 400, 800),
}
SEEDS = 3


def conditions(id: str, k: int, options: Options) -> Result:
    """All six panels: condition number against n, assembled and true, with fitted slopes."""
    options.only(id, "neurons", "points", "seeds", "scheme", "activation")
    started = time.perf_counter()
    activation = options.activation or ln.ReLU(k)
    counts = {dim: options.neurons or POINTS[dim] for dim in DIMENSIONS}
    rules = {dim: _rule(dim, options) for dim in DIMENSIONS}
    flops = {dim: [rules[dim].size * n**2 for n in counts[dim]] for dim in DIMENSIONS}
    work = Work(options, sum(sum(f) * len(_seeds(d, options)) for d, f in flops.items()))
    series = [_growth(dim, rules[dim], counts[dim], activation, options, work) for dim in counts]
    settings = {
        "activation": repr(activation),
        "points on the sphere": counts,
        "rules": [rule.describe() for rule in rules.values()],
        "seeds": {dim: len(_seeds(dim, options)) for dim in DIMENSIONS},
    }
    notes = [_said(one) for one in series]
    return result(id, "condition", series, settings, options, started, [*notes, *NOTES])


def _growth(
    dim: int,
    rule: Rule,
    counts: tuple[int, ...],
    activation: ln.Activation,
    options: Options,
    work: Work,
) -> Series:
    """One panel; medians over the seeds where the neurons are random."""
    box, scheme = ln.Box(-1, 1, dim=dim), options.scheme or SCHEMES.get(dim, "random")
    rows: list[Row] = []
    for points in counts:
        found = []
        for seed in _seeds(dim, options):

            def compute(checkpoint: Path | None, p: int = points, s: int = seed) -> Values:
                kept = paper_network(activation, hidden(scheme, p, dim, s), box).theta
                network = ln.Network(activation, kept).on(box)  # mirror images go as well
                return condition_numbers(network, rule, options)

            key = f"condition {scheme} {points} seed {seed} {rule} {activation}"
            found.append(options.kept(key, compute))
            work.done(rule.size * points**2)
        rows.append(condition_row(found))
        options.say(f"d = {dim}, n = {rows[-1].n}: {rows[-1].true_condition:.1e}")
    slopes = {
        "condition": fitted_slope(
            [r for r in rows if (r.condition or 0) < SHOWN / 10], "condition"
        ),
        "true_condition": fitted_slope(
            [r for r in rows if (r.true_condition or 0) < RESOLVED], "true_condition"
        ),
    }
    known = {q: slope for q, slope in slopes.items() if slope is not None}
    return Series(f"{scheme} neurons", rows, slopes=known, panel=f"d = {dim}")


def _rule(dim: int, options: Options) -> Rule:
    box = ln.Box(-1, 1, dim=dim)
    if options.points is not None:
        return rule_of_size(box, options.points)
    return integration(box, options.paper_size)


def _seeds(dim: int, options: Options) -> range:
    random = (options.scheme or SCHEMES.get(dim, "random")) == "random"
    return range(options.seed, options.seed + ((options.seeds or SEEDS) if random else 1))


def _said(series: Series) -> str:
    """The growth, and where the assembled matrix can show it no longer."""
    slope = series.slopes.get("true_condition", float("nan"))
    lost = [row.n for row in series.rows if (row.true_condition or 0.0) > SHOWN]
    end = f"; from n = {lost[0]} on the assembled matrix shows roundoff" if lost else ""
    unseen = [str(row.n) for row in series.rows if (row.true_condition or 0.0) > RESOLVED]
    if unseen:
        end += (
            f"; left out of the fit is n = {', '.join(unseen)}, where a neuron is active in so "
            "small a corner that no integration point sees it, and the matrix is singular"
        )
    return f"{series.panel}: the true condition number grows like n^{slope:.1f}{end}."


NOTES = [
    "Neurons are removed by the paper's rule (kinks outside [−0.98, 0.98]^d, see table 1), and "
    "mirror images: with all of them every matrix is singular, and one whose kink cuts off a tiny "
    "corner makes it nearly so. Such neurons, not the others, decide how the condition number "
    "jumps from one set of random neurons to the next; shown are medians over seeds. Columns are "
    "not scaled.",
]


@experiment("figure-3", "Condition numbers of mass matrices, ReLU, d = 1…6", seconds=70)
def figure_3(options: Options) -> Result:
    """Figure 3: ReLU."""
    return conditions("figure-3", 1, options)


@experiment("figure-4", "Condition numbers of mass matrices, ReLU², d = 1…6", seconds=70)
def figure_4(options: Options) -> Result:
    """Figure 4: ReLU²."""
    return conditions("figure-4", 2, options)
