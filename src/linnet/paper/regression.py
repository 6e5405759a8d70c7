"""Figures 1, 2, 19, 20: L² minimisation with ReLU and ReLU², d = 1, …, 6 (§4.1.1, §4.1.2, app. A).

The target is u = Π sin(πx_i/2), the neurons lie on the unit sphere S^d, and the theory promises
‖u − u_n‖ = O(n^(−1/2 − (2k+1)/(2d))).
"""

from __future__ import annotations

import time
from math import comb
from pathlib import Path

import linnet as ln
from linnet.fold import Progress
from linnet.paper.curves import Sines, median_row, projection, result, slopes, solve_quietly
from linnet.paper.experiment import Options, Result, Series, Work, experiment, with_orders
from linnet.paper.hidden import hidden
from linnet.paper.neumann import rule_of_size
from linnet.paper.store import Values
from linnet.paper.tables import theory
from linnet.rules import Rule
from linnet.solvers import Solver

DIMENSIONS = (1, 2, 3, 4, 5, 6)
POINTS = {  # on the sphere, before those that the box does not need are removed
    1: (16, 32, 64, 128, 256, 512),
    2: (25, 50, 100, 200, 400, 800),
    3: (50, 100, 200, 400, 800, 1600),
    4: (100, 200, 400, 800, 1600),
    5: (200, 400, 800, 1600, 3200),
    6: (400, 800, 1600, 2263, 3200),
}
SCHEMES = {1: "circle", 2: "fibonacci"}  # random beyond, as in the paper
SEEDS = {3: 3, 4: 3}  # one in 5D and 6D: there the curves of different seeds coincide


def integration(box: ln.Box, paper: bool) -> Rule:
    """The rule of the variational form; from 2D on fewer points than the paper's (see notes)."""
    if box.dim < 4:
        cells, order = {1: (1024, 5), 2: (400 if paper else 64, 5), 3: (50 if paper else 20, 3)}[
            box.dim
        ]
        return box.gauss(cells, order)
    return box.sobol({4: 800_000, 5: 800_000, 6: 2_000_000}[box.dim] if paper else 2**17)


def collocation(box: ln.Box, paper: bool) -> Rule:
    """The points of the collocation form; in 1D and 2D the paper's."""
    if box.dim < 4:
        return box.grid({1: 2048, 2: 100, 3: 100 if paper else 50}[box.dim])
    return box.sobol({4: 800_000, 5: 800_000, 6: 2_000_000}[box.dim] if paper else 2**16)


def fresh(box: ln.Box) -> Rule:
    """The rule of the errors: other points than those that the networks are fitted to."""
    if box.dim < 4:
        return box.gauss(*{1: (1000, 5), 2: (71, 4), 3: (23, 3)}[box.dim])
    return box.sobol(2**16, scramble=True, rng=2026)


def first_of_fit(dim: int) -> float:
    """The number of neurons from which on a rate can be seen.

    The target is odd in each of its d variables, and so orthogonal to all polynomials of degree
    below d. Spherical harmonics of degree up to d span 3/2·C(2d, d) dimensions on S^d (9 in 2D,
    105 in 4D, 1386 in 6D): networks with fewer neurons hardly see it. In low dimensions: 30.
    """
    return max(30.0, 1.5 * comb(2 * dim, dim))


def default_solver(formulation: str, dim: int) -> Solver | None:
    """Up to 3D Auto for matrices and regularised QR for rows; from 4D on a truncated SVD.

    There some neurons are active in so small a corner that one of the points sees them, or none,
    and an exact least-squares solution can give them weights of 1e9. Singular values of the rows
    below 1e-7 of the largest, that is eigenvalues of the matrix below 1e-14, are left out.
    """
    if dim > 3:
        return ln.TruncatedSVD(1e-14 if formulation == "galerkin" else 1e-7)
    return None if formulation == "galerkin" else ln.RegularizedQR()


def regression(id: str, k: int, formulation: str, options: Options) -> Result:
    """All six panels of a figure: errors against n, fitted and theoretical slopes."""
    options.only(id, "neurons", "points", "seeds", "formulation", "scheme", "activation", "solver")
    started = time.perf_counter()
    form = options.formulation or formulation
    activation = options.activation or ln.ReLU(k)
    boxes = [ln.Box(-1, 1, dim=dim) for dim in DIMENSIONS]
    rules = [_rule(box, form, options) for box in boxes]
    counts = [options.neurons or POINTS[box.dim] for box in boxes]
    work = Work(
        options,
        sum(
            rule.size * n**2 * len(_seeds(box.dim, options))
            for box, rule, ns in zip(boxes, rules, counts, strict=True)
            for n in ns
        ),
    )
    series = [
        _decay(box, rule, ns, activation, form, options, work)
        for box, rule, ns in zip(boxes, rules, counts, strict=True)
    ]
    settings = {
        "activation": repr(activation),
        "formulation": form,
        "solver": repr(options.solver or [default_solver(form, d) for d in DIMENSIONS]),
        "points on the sphere": counts,
        "rules": [rule.describe() for rule in rules],
        "rules of the errors": [fresh(box).describe() for box in boxes],
    }
    notes = [_said(one) for one in series]
    return result(id, "errors", series, settings, options, started, [*notes, *NOTES])


def _decay(
    box: ln.Box,
    rule: Rule,
    counts: tuple[int, ...],
    activation: ln.Activation,
    form: str,
    options: Options,
    work: Work,
) -> Series:
    """One panel: the errors for every number of neurons, medians over the seeds."""
    dim, rows = box.dim, []
    scheme = options.scheme or SCHEMES.get(dim, "random")
    for points in counts:
        found = []
        units = rule.size * points**2
        for seed in _seeds(dim, options):
            part = work.part(units)

            def compute(
                checkpoint: Path | None,
                p: int = points,
                s: int = seed,
                part: Progress | None = part,
            ) -> Values:
                network = ln.Network(activation, hidden(scheme, p, dim, s)).on(box)
                problem, formulation = projection(Sines(0.5), box, rule, form)
                solver = default_solver(form, dim)
                solution = solve_quietly(
                    problem, network, formulation, solver, options, part, checkpoint
                )
                error = solution.error(Sines(0.5), fresh(box)).l2
                return {"n": network.n, "l2": error, "points": p}

            chosen = (form, scheme, activation, options.solver)
            found.append(options.kept(f"{points} seed {seed} {rule} {chosen}", compute))
            work.done(units)
        rows.append(median_row(found))
        options.say(f"d = {dim}, n = {rows[-1].n}: L2 {rows[-1].l2:.3e}")
    rate = theory(dim, activation.k)["l2"] if isinstance(activation, ln.ReLU) else None
    return Series(
        label=f"{scheme} neurons",
        rows=with_orders(rows),
        slopes=slopes(rows, first_of_fit(dim), "l2"),
        reference={} if rate is None else {"l2": rate},
        panel=f"d = {dim}",
    )


def _rule(box: ln.Box, form: str, options: Options) -> Rule:
    if options.points is not None and form == "collocation" and box.dim < 4:
        return box.grid(max(2, round(options.points ** (1 / box.dim))))
    if options.points is not None:
        return rule_of_size(box, options.points)
    return (collocation if form == "collocation" else integration)(box, options.paper_size)


def _seeds(dim: int, options: Options) -> range:
    random = (options.scheme or SCHEMES.get(dim, "random")) == "random"
    count = (options.seeds or SEEDS.get(dim, 1)) if random else 1
    return range(options.seed, options.seed + count)


def _said(series: Series) -> str:
    """The fitted slope, over which n, and how far it is from the theory's."""
    dim, slope = int(series.panel[-1]), series.slopes.get("l2")
    if slope is None:
        return f"{series.panel}: one row, no slope."
    fitted = [row.n for row in series.rows if row.n >= first_of_fit(dim)]
    fitted = fitted if len(fitted) > 1 else [row.n for row in series.rows[-2:]]
    text = f"{series.panel}: slope {slope:.2f} over n = {fitted[0]}, …, {fitted[-1]}"
    if "l2" not in series.reference:
        return f"{text}."
    rate = series.reference["l2"]
    verdict = "within 0.15" if abs(slope - rate) <= 0.15 else f"out by {abs(slope - rate):.2f}"
    return f"{text}; theory {rate:.2f}, {verdict}."


NOTES = [
    "Slopes are fitted from n = 30, in 4D … 6D from 3/2·C(2d, d) = 105, 378, 1386 on. The target "
    "is odd in each variable, so orthogonal to polynomials of degree below d, and networks with "
    "fewer neurons hardly see it: that is why the curves are flat at first in high dimensions.",
]


@experiment("figure-1", "L² minimisation, ReLU², variational form, d = 1…6", seconds=120)
def figure_1(options: Options) -> Result:
    """Figure 1: ReLU², mass matrices."""
    return regression("figure-1", 2, "galerkin", options)


@experiment("figure-2", "ℓ² regression, ReLU², collocation form, d = 1…6", seconds=120)
def figure_2(options: Options) -> Result:
    """Figure 2: ReLU², least squares at points."""
    return regression("figure-2", 2, "collocation", options)


@experiment("figure-19", "L² minimisation, ReLU, variational form, d = 1…6", seconds=110)
def figure_19(options: Options) -> Result:
    """Figure 19: ReLU, mass matrices."""
    return regression("figure-19", 1, "galerkin", options)


@experiment("figure-20", "ℓ² regression, ReLU, collocation form, d = 1…6", seconds=120)
def figure_20(options: Options) -> Result:
    """Figure 20: ReLU, least squares at points."""
    return regression("figure-20", 1, "collocation", options)
