"""Tables 1 to 7: the Neumann problem in 2D … 6D, and with Sobol neurons in 3D and 5D."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import linnet as ln
from linnet.paper import printed
from linnet.paper.compare import differences
from linnet.paper.experiment import EXPERIMENTS, Options, Result, Series, experiment, fitted_slope
from linnet.paper.neumann import Study, neumann_rows
from linnet.rules import Rule

TAKES = ("neurons", "points", "seeds", "formulation", "scheme", "activation", "solver")


def theory(dim: int, k: int) -> dict[str, float]:
    """The rates −1/2 − (2k+1)/(2d) of the L² and, 1/d slower, of the H¹ error (theorem lfns)."""
    rate = -0.5 - (2 * k + 1) / (2 * dim)
    return {"l2": rate, "h1": rate + 1 / dim}


def plane_rule(box: ln.Box, n: int) -> Rule:
    """100² cells of order 3, as the paper states; from n = 318 on 200² of order 5 (see notes)."""
    return box.gauss(100, order=3) if n < 300 else box.gauss(200, order=5)


def _table(id: str, study: Study, options: Options) -> Result:
    """Solve the rows; say what was used, and how it compares."""
    options.only(id, *TAKES)
    activation = options.activation or ln.ReLU(3)
    rows = neumann_rows(study, options)
    slopes = {q: fitted_slope(rows, q) for q in ("l2", "h1")}
    series = Series(
        label=options.scheme or study.scheme,
        rows=rows,
        slopes={q: slope for q, slope in slopes.items() if slope is not None},
        reference=theory(study.dim, activation.k) if isinstance(activation, ln.ReLU) else {},
    )
    wanted = options.neurons or [row.n for row in study.printed]
    settings = {
        "dimension": study.dim,
        "activation": repr(activation),
        "neurons": f"{series.label} points on S^{study.dim}",
        "points of the neurons": [row.extra["points"] for row in rows],
        "formulation": options.formulation or "galerkin",
        "solver": repr(options.solver or ln.Auto()),
        "rules": [study.rule_for(n, options).describe() for n in wanted],
        "seeds": [row.extra["seeds"] for row in rows],
        "first seed": options.seed,
        "size": "paper" if options.paper_size else "default",
    }
    seconds = sum(row.extra["seconds"] for row in rows)
    notes = [*differences(rows), *remarks(id, options)]
    return Result(id, EXPERIMENTS[id].title, "errors", [series], settings, seconds, notes)


def remarks(id: str, options: Options) -> list[str]:
    """What was measured once about a table as the paper states it; nothing for another setting."""
    changed = (options.formulation, options.scheme, options.activation, options.points)
    return [] if any(value is not None for value in changed) else REMARKS.get(id, [])


def _study(dim: int, scheme: str, rows: Sequence[printed.Errors], first: int = 100) -> Study:
    """A table with the rules of its dimension."""
    rule, paper_rule = RULES[dim]
    return Study(dim, scheme, rows, first, rule, paper_rule, seeds=lambda n: 5 if n < 3000 else 2)


def _points(per_neuron: int, least: int, most: int) -> Callable[[ln.Box, int], Rule]:
    """Sobol points in proportion to n."""
    return lambda box, n: box.sobol(min(max(per_neuron * n, least), most))


# The default size and the paper's, by dimension. What the fewer points cost is in `notes` below.
RULES: dict[int, tuple[Callable[[ln.Box, int], Rule], Callable[[ln.Box], Rule]]] = {
    2: (plane_rule, lambda box: box.gauss(100, order=3)),
    3: (lambda box, n: box.gauss(30, order=3), lambda box: box.gauss(50, order=3)),
    4: (_points(130, 100_000, 200_000), lambda box: box.sobol(1_000_000)),
    5: (_points(130, 100_000, 300_000), lambda box: box.sobol(6_000_000)),
    6: (_points(100, 100_000, 300_000), lambda box: box.sobol(50_000_000)),
}


REMARKS: dict[str, list[str]] = {}


@experiment("table-1", "Neumann problem, 2D, Fibonacci neurons", seconds=150)
def table_1(options: Options) -> Result:
    """Table 1: points of the spiral on S²."""
    return _table("table-1", _study(2, "fibonacci", printed.TABLE_1), options)


@experiment("table-2", "Neumann problem, 3D, random neurons", seconds=150)
def table_2(options: Options) -> Result:
    """Table 2: random points on S³."""
    return _table("table-2", _study(3, "random", printed.TABLE_2), options)


@experiment("table-3", "Neumann problem, 4D, random neurons", seconds=150)
def table_3(options: Options) -> Result:
    """Table 3: random points on S⁴."""
    return _table("table-3", _study(4, "random", printed.TABLE_3), options)


@experiment("table-4", "Neumann problem, 5D, random neurons", seconds=300)
def table_4(options: Options) -> Result:
    """Table 4: random points on S⁵."""
    return _table("table-4", _study(5, "random", printed.TABLE_4), options)


@experiment("table-5", "Neumann problem, 6D, random neurons", seconds=300)
def table_5(options: Options) -> Result:
    """Table 5: random points on S⁶."""
    return _table("table-5", _study(6, "random", printed.TABLE_5), options)


@experiment("table-6", "Neumann problem, 3D, Sobol neurons", seconds=150)
def table_6(options: Options) -> Result:
    """Table 6: Sobol points on S³."""
    return _table("table-6", _study(3, "sobol", printed.TABLE_6, first=25), options)


@experiment("table-7", "Neumann problem, 5D, Sobol neurons", seconds=400)
def table_7(options: Options) -> Result:
    """Table 7: Sobol points on S⁵; more integration points than table 4, for the digits."""
    study = replace(
        _study(5, "sobol", printed.TABLE_7),
        rule=lambda box, n: box.sobol(1_000_000 if n < 1000 else 800_000 if n < 2000 else 600_000),
    )
    return _table("table-7", study, options)
