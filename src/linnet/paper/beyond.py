"""Three things that the paper leaves open, on its Neumann problem −Δu + u = f with ReLU³."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

import linnet as ln
from linnet.paper.curves import median_row, result, slopes
from linnet.paper.experiment import Options, Result, Row, Series, Work, experiment, with_orders
from linnet.paper.hidden import hidden, paper_network
from linnet.paper.neumann import rule_of_size, solve_errors
from linnet.paper.store import Values
from linnet.paper.tables import theory
from linnet.rules import Rule
from linnet.solvers import Solver


def solved(
    scheme: str,
    points: int,
    seed: int,
    rule: Rule,
    errors: Rule,
    options: Options,
) -> Values:
    """Errors of the Neumann problem with neurons from one scheme, kept for the next time."""
    box, activation = errors.part, options.activation or ln.ReLU(3)
    assert isinstance(box, ln.Box)

    def compute(checkpoint: Path | None) -> Values:
        network = paper_network(activation, hidden(scheme, points, box.dim, seed), box)
        found = solve_errors(network, rule, options, errors, checkpoint=checkpoint)
        return found | {"points": points}

    chosen = (options.formulation, activation, options.solver)
    found = options.kept(f"{scheme} {points} seed {seed} {rule} {errors} {chosen}", compute)
    options.say(f"{scheme}, {rule}, n = {found['n']}: L2 {found['l2']:.3e}, H1 {found['h1']:.3e}")
    return found


def rates(dim: int, options: Options) -> dict[str, float]:
    """The theory's rates, where it has any."""
    activation = options.activation or ln.ReLU(3)
    return theory(dim, activation.k) if isinstance(activation, ln.ReLU) else {}


# ------------------------------------------------------------------ 1: the barrier

ROWS = ln.RegularizedQR(mu=1e-9)  # as f lies far from the rows, roundoff enters as ε/μ
BARRIER = {  # dimension: (scheme, numbers of points, cells, order)
    1: ("circle", (8, 16, 32, 64, 128, 256, 512, 1024, 2048), 16384, 5),
    2: ("fibonacci", (50, 100, 200, 400, 800, 1600), 100, 4),
    3: ("lloyd", (50, 100, 200, 400, 800), 24, 3),
}


@experiment("beyond-1", "Elliptic problem: least-squares form against matrix form", seconds=90)
def beyond_1(options: Options) -> Result:
    """Where the variational least-squares form removes the barrier, and up to which n.

    It does, by a decimal digit or so, where conditioning is the barrier: in 1D, if the rule is fine
    enough to get there (with 1024 cells the quadrature ends both at 2e-8). Where the two do not
    part, what is left is the theory's rate, or the quadrature (see beyond-3).
    """
    options.only("beyond-1", "neurons", "points", "activation")
    started = time.perf_counter()
    forms: dict[str, tuple[str, Solver]] = {
        "matrix form": ("galerkin", ln.LU()),
        "least-squares form": ("least-squares", ROWS),
    }
    counts = {dim: options.neurons or numbers for dim, (_, numbers, _, _) in BARRIER.items()}
    work = Work(options, len(forms) * sum(sum(n**2 for n in ns) for ns in counts.values()))
    series, notes, rules = [], [], []
    for dim, (scheme, _, cells, order) in BARRIER.items():
        box = ln.Box(-1, 1, dim=dim)
        points = options.points
        rule = box.gauss(cells, order) if points is None else rule_of_size(box, points)
        rules.append(rule.describe())
        pair = []
        for label, (form, solver) in forms.items():
            rows = []
            for n in counts[dim]:
                used = replace(options, formulation=form, solver=solver)
                found = solved(scheme, n, options.seed, rule, rule, used)
                row = median_row([found])
                rows.append(replace(row, extra=row.extra | {"condition": found["condition"]}))
                work.done(n**2)
            pair.append(Series(label, with_orders(rows), {}, rates(dim, options), f"d = {dim}"))
        notes.append(parting(*pair))
        series += pair
    settings = {
        "activation": repr(options.activation or ln.ReLU(3)),
        "neurons": {dim: scheme for dim, (scheme, *_) in BARRIER.items()},
        "points on the sphere": counts,
        "rules": rules,
        "solvers": {label: repr(solver) for label, (_, solver) in forms.items()},
    }
    return result("beyond-1", "errors", series, settings, options, started, notes)


def parting(matrix: Series, rows: Series) -> str:
    """From which n on the matrix form is worse by a tenth."""
    pairs = list(zip(matrix.rows, rows.rows, strict=True))
    worse = [(a, b) for a, b in pairs if a.h1 and b.h1 and max(a.l2 / b.l2, a.h1 / b.h1) > 1.1]  # type: ignore[operator]
    last = rows.rows[-1]
    best = f"{last.l2:.1e} (L²) and {last.h1:.1e} (H¹) at n = {last.n} in the least-squares form"
    if not worse:
        return f"{rows.panel}: the two forms agree up to n = {last.n}; {best}."
    end = matrix.rows[-1]
    return (
        f"{rows.panel}: the matrix form is worse from n = {worse[0][0].n} on; {best}, "
        f"{end.l2:.1e} and {end.h1:.1e} in the matrix form."
    )


# ------------------------------------------------------------------ 2: the neurons

SCHEMES = ("lloyd", "sobol", "random")
COUNTS = (100, 200, 400, 800, 1600)


def neuron_rule(box: ln.Box) -> Rule:
    """The rule of beyond-2; the errors are measured with another one."""
    return box.gauss(20, order=3) if box.dim == 3 else box.sobol(2**16)


@experiment("beyond-2", "Lloyd against Sobol against random neurons, d = 3…6", seconds=200)
def beyond_2(options: Options) -> Result:
    """Which points on S^d make the best neurons? Medians over seeds for the random ones."""
    options.only("beyond-2", "neurons", "points", "seeds", "scheme", "activation", "solver")
    started = time.perf_counter()
    schemes = SCHEMES if options.scheme is None else (options.scheme,)
    boxes = [ln.Box(-1, 1, dim=dim) for dim in (3, 4, 5, 6)]
    counts = options.neurons or COUNTS
    seeds = range(options.seed, options.seed + (options.seeds or 3))
    work = Work(options, len(boxes) * sum(n**2 for n in counts) * (len(schemes) - 1 + len(seeds)))
    series, notes = [], []
    for box in boxes:
        rule = rule_of_size(box, options.points) if options.points else neuron_rule(box)
        errors = box.gauss(23, order=3) if box.dim == 3 else box.sobol(2**16, True, rng=2026)
        panel = []
        for scheme in schemes:
            rows = []
            for n in counts:
                found = []
                for seed in seeds if scheme == "random" else seeds[:1]:
                    found.append(solved(scheme, n, seed, rule, errors, stable(options)))
                    work.done(n**2)
                rows.append(median_row(found))
            fitted = slopes(rows, 0, "l2")
            reference = {"l2": r["l2"]} if (r := rates(box.dim, options)) else {}
            rows = [
                replace(
                    row,
                    h1=None,
                    spread=row.spread and {"l2": row.spread["l2"]},
                    extra=row.extra | {"h1": row.h1},
                )
                for row in rows
            ]
            panel.append(Series(scheme, with_orders(rows), fitted, reference, f"d = {box.dim}"))
        notes += [against(panel[0], other) for other in panel[1:]]
        series += panel
    settings = {
        "activation": repr(options.activation or ln.ReLU(3)),
        "points on the sphere": counts,
        "seeds of the random neurons": len(seeds),
        "formulation": "galerkin",
        "solver": repr(stable(options).solver),
    }
    return result("beyond-2", "errors", series, settings, options, started, notes)


def stable(options: Options) -> Options:
    """A truncated SVD: of random neurons some are active in a corner that few points see."""
    return options if options.solver else replace(options, solver=ln.TruncatedSVD(1e-14))


def against(one: Series, other: Series) -> str:
    """The ratios of two curves' errors."""
    ratios = [(b.l2 or 0.0) / (a.l2 or 1.0) for a, b in zip(one.rows, other.rows, strict=True)]
    text = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    return f"{one.panel}: L² error of {other.label} over that of {one.label} neurons: {text}."


# ------------------------------------------------------------------ 3: the quadrature

WIDTHS = {2: (165, 631, 1256), 3: (385,)}  # numbers of neurons; from so many points, in order:
ORIGIN = {165: 200, 631: 800, 1256: 1600, 385: 400}
CELLS = {2: (10, 14, 20, 28, 40, 57, 80, 113, 160), 3: (6, 8, 11, 16, 22, 31)}
ORDERS = (1, 2, 3, 5)
MOST = 410_000  # points: beyond them a row takes a minute


@experiment(
    "beyond-3", "The quadrature rule's effect on the Galerkin error at fixed n", seconds=200
)
def beyond_3(options: Options) -> Result:
    """Errors against the number of integration points: where the rule becomes the barrier."""
    options.only("beyond-3", "points", "activation", "solver", "formulation")
    started = time.perf_counter()
    most = options.points or (4 * MOST if options.paper_size else MOST)
    plan = [(dim, n) for dim, widths in WIDTHS.items() for n in widths]
    work = Work(options, sum(n**2 for _, n in plan))
    series, notes = [], []
    for dim, n in plan:
        box = ln.Box(-1, 1, dim=dim)
        errors = box.gauss({2: 120, 3: 25}[dim], order=3)
        panel = []
        families: dict[str, list[Rule]] = {
            f"Gauss, order {q}": [box.gauss(c, q) for c in CELLS[dim]] for q in ORDERS
        }
        families["Sobol"] = [box.sobol(2**k) for k in range(12, 21)]
        for label, rules in families.items():
            scheme = "fibonacci" if dim == 2 else "sobol"
            rows = [
                against_points(rule, solved(scheme, ORIGIN[n], options.seed, rule, errors, options))
                for rule in rules
                if 8 * n < rule.size <= most
            ]
            panel.append(Series(label, rows, panel=f"d = {dim}, n = {n}"))
        work.done(n**2)
        notes.append(enough(panel))
        series += [one for one in panel if one.rows]
    settings = {
        "abscissa": "number of integration points",
        "activation": repr(options.activation or ln.ReLU(3)),
        "neurons": "fibonacci points in 2D, Sobol points in 3D",
        "formulation": options.formulation or "galerkin",
    }
    return result("beyond-3", "errors", series, settings, options, started, notes)


def against_points(rule: Rule, found: Values) -> Row:
    """A row whose n is the number of integration points."""
    return Row(rule.size, l2=found["l2"], extra={"h1": found["h1"], "rule": rule.describe()})


def enough(panel: Sequence[Series]) -> str:
    """How many points each family needs to come within a tenth of the least error."""
    best = min(row.l2 or np.inf for one in panel for row in one.rows)
    texts = []
    for one in panel:
        near = [row.n for row in one.rows if (row.l2 or np.inf) <= 1.1 * best]
        texts.append(f"{one.label}: {min(near) if near else 'not reached'}")
    return f"{panel[0].panel}: least L² error {best:.2e}; within 10 % with — {', '.join(texts)}."
