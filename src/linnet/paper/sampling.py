"""Figures 7 and 8: Sobol against random neurons, Neumann problem in 3D and 5D, ReLU³ (§4.1.5)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import linnet as ln
from linnet.paper.curves import result, slopes
from linnet.paper.experiment import Options, Result, Row, Series, experiment
from linnet.paper.neumann import Study, neumann_rows
from linnet.paper.printed import TABLE_2, TABLE_4, TABLE_6, TABLE_7
from linnet.paper.tables import theory

TAKES = ("neurons", "points", "seeds", "formulation", "activation", "solver")


def compared(id: str, sobol: Study, random: Study, options: Options) -> Result:
    """Two curves in each panel, L² and H¹ errors; the paper's numbers beside them."""
    options.only(id, *TAKES)
    started = time.perf_counter()
    series: list[Series] = []
    for study, label in ((sobol, "Sobol neurons"), (random, "random neurons")):
        rows = neumann_rows(study, replace(options, scheme=study.scheme))
        activation = options.activation or ln.ReLU(3)
        rates = theory(study.dim, activation.k) if isinstance(activation, ln.ReLU) else {}
        series.append(Series(label, rows, slopes(rows, 0, "l2", "h1"), rates))
    settings = {
        "dimension": sobol.dim,
        "activation": repr(options.activation or ln.ReLU(3)),
        "formulation": options.formulation or "galerkin",
        "solver": repr(options.solver or ln.Auto()),
        "rules": [sobol.rule_for(row.n, options).describe() for row in series[0].rows],
        "seeds of the random neurons": [row.extra["seeds"] for row in series[1].rows],
    }
    panels = [panel for one in series for panel in _split(one)]
    notes = [gain(series[0].rows, series[1].rows)]
    return result(id, "errors", panels, settings, options, started, notes)


def _split(series: Series) -> list[Series]:
    """A series as two, one for the panel of each norm."""
    parts = []
    for keep, drop, title in (("l2", "h1", "L² error"), ("h1", "l2", "H¹ seminorm error")):
        without: dict[str, Any] = {drop: None, f"order_{drop}": None}
        rows = [
            replace(
                row,
                spread=row.spread and {keep: row.spread[keep]},
                paper=row.paper and {q: row.paper[q] for q in ("n", keep)},
                **without,
            )
            for row in series.rows
        ]
        slope = {q: value for q, value in series.slopes.items() if q == keep}
        rate = {q: value for q, value in series.reference.items() if q == keep}
        parts.append(Series(series.label, rows, slope, rate, title))
    return parts


def gain(sobol: Sequence[Row], random: Sequence[Row]) -> str:
    """By what factor the errors of Sobol neurons are smaller, at about the same n."""
    texts = []
    for one in sobol:
        other = min(random, key=lambda row: abs(row.n - one.n))
        if abs(other.n - one.n) <= 0.1 * one.n and one.l2 and one.h1:
            l2, h1 = (other.l2 or 0.0) / one.l2, (other.h1 or 0.0) / one.h1
            texts.append(f"{one.n}: {l2:.2f} and {h1:.2f}")
    return f"Error with random over error with Sobol neurons, L² and H¹, by n — {'; '.join(texts)}."


@experiment("figure-7", "Sobol against random neurons, Neumann problem, 3D, ReLU³", seconds=130)
def figure_7(options: Options) -> Result:
    """Figure 7: 3D; the rows of tables 6 and 2."""
    sobol = Study(
        dim=3,
        scheme="sobol",
        printed=TABLE_6,
        first=25,
        rule=lambda box, n: box.gauss(24, order=3),
        paper_rule=lambda box: box.gauss(50, order=3),
        seeds=lambda n: 3,
    )
    random = replace(sobol, scheme="random", printed=TABLE_2, first=100)
    return compared("figure-7", sobol, random, options)


@experiment("figure-8", "Sobol against random neurons, Neumann problem, 5D, ReLU³", seconds=150)
def figure_8(options: Options) -> Result:
    """Figure 8: 5D; the rows of tables 7 and 4."""
    sobol = Study(
        dim=5,
        scheme="sobol",
        printed=TABLE_7,
        first=100,
        rule=lambda box, n: box.sobol(2**17),
        paper_rule=lambda box: box.sobol(6_000_000),
        seeds=lambda n: 3 if n < 2000 else 1,
    )
    random = replace(sobol, scheme="random", printed=TABLE_4)
    return compared("figure-8", sobol, random, options)
