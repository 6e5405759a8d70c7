"""The Neumann problem −Δu + u = f, ∂u/∂n = 0 on (−1, 1)^d with ReLUᵏ networks (§4.1.4, §4.1.5).

The exact solution is u = Π sin(πx_i/2), so f = (1 + dπ²/4) u. A row of tables 1 to 7 is one solve:
hidden parameters on the sphere, the variational method, both errors.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import linnet as ln
from linnet.errors import ArgumentError, LinnetWarning
from linnet.paper.experiment import Options, Row, Work, with_orders
from linnet.paper.hidden import hidden, paper_network, points_for
from linnet.paper.printed import Errors
from linnet.paper.store import Values
from linnet.problem import Problem
from linnet.rows import Formulation
from linnet.rules import Rule

Array = NDArray[np.float64]


def exact(x: Array) -> Array:
    """u = Π sin(πx_i/2), from points (m, d) to values (m,)."""
    values: Array = np.prod(np.sin(np.pi * x / 2), axis=1)
    return values


def gradient(x: Array) -> Array:
    """∇u, from points (m, d) to values (m, d)."""
    s, c = np.sin(np.pi * x / 2), np.cos(np.pi * x / 2)
    dim = x.shape[1]
    others = [np.prod(s[:, [j for j in range(dim) if j != i]], axis=1) for i in range(dim)]
    slopes: Array = np.pi / 2 * c * np.stack(others, axis=1)
    return slopes


def load(x: Array) -> Array:
    """f = (1 + dπ²/4) u."""
    factor: float = 1 + x.shape[1] * np.pi**2 / 4
    return factor * exact(x)


def weak_form(box: ln.Box) -> ln.WeakForm:
    """∫ ∇u·∇v + uv = ∫ fv (eq. variational-neumann)."""
    u, v = ln.trial(box), ln.test(box)
    return ln.WeakForm(ln.dot(ln.grad(u), ln.grad(v)) + u * v, load=load, exact=exact)


def strong_form(box: ln.Box) -> ln.StrongForm:
    """−Δu + u = f in the box, ∂u/∂n = 0 on its boundary (eq. Neumann)."""
    u = ln.trial(box)
    return ln.StrongForm(
        ln.Equation(-ln.laplacian(u) + u, load, on=box),
        ln.Equation(ln.normal_derivative(u), 0.0, on=box.boundary),
        exact=exact,
    )


@dataclass(frozen=True)
class Study:
    """Rows of a table: the same problem for several numbers of neurons.

    Attributes
    ----------
    dim : int
    scheme : str
        Where the hidden parameters come from, see :data:`linnet.paper.hidden.SCHEMES`.
    printed : sequence of Errors
        The paper's rows.
    first : int
        Points of the first row; each row after it has twice as many.
    rule : callable
        (box, n) → the quadrature rule of the default size for n neurons.
    paper_rule : callable
        box → the paper's rule.
    seeds : callable
        n → number of seeds in the default size; 1 for deterministic schemes.
    """

    dim: int
    scheme: str
    printed: Sequence[Errors]
    first: int
    rule: Callable[[ln.Box, int], Rule]
    paper_rule: Callable[[ln.Box], Rule]
    seeds: Callable[[int], int] = lambda n: 1

    @property
    def box(self) -> ln.Box:
        """(−1, 1)^d."""
        return ln.Box(-1, 1, dim=self.dim)

    def rule_for(self, n: int, options: Options) -> Rule:
        """The rule for n neurons: as the options say, the paper's, or the default."""
        if options.points is not None:
            return rule_of_size(self.box, options.points)
        return self.paper_rule(self.box) if options.paper_size else self.rule(self.box, n)


def rule_of_size(box: ln.Box, points: int) -> Rule:
    """Gauss of order 3 in up to three dimensions, Sobol points beyond, of about so many points."""
    if box.dim > 3:
        return box.sobol(points)
    return box.gauss(max(1, round(points ** (1 / box.dim) / 3)), order=3)


def neumann_rows(study: Study, options: Options) -> list[Row]:
    """Solve the problem for every number of neurons and every seed; medians over the seeds.

    Parameters
    ----------
    study : Study
    options : Options
        `neurons`, `points`, `seed`, `seeds`, `formulation`, `scheme`, `activation`, `solver`,
        `workers` change it.
    """
    study = replace(study, scheme=options.scheme or study.scheme)
    wanted = options.neurons or [row.n for row in study.printed]
    plan = [(n, seed) for n in wanted for seed in _seeds(study, n, options)]
    work = Work(options, sum(_units(study, n, options) for n, _ in plan))
    rows = []
    for n in wanted:
        found = []
        for seed in _seeds(study, n, options):
            units = _units(study, n, options)
            found.append(_solved(study, n, seed, options, work, units))
            work.done(units)
        rows.append(_summary(study, n, found))
        options.say(describe(rows[-1]))
    return with_orders(rows)


def describe(row: Row) -> str:
    """One line on a finished row."""
    many = f", median of {row.extra['seeds']} seeds" if row.extra.get("seeds", 1) > 1 else ""
    return f"n = {row.n}: L2 {row.l2:.3e}, H1 {row.h1:.3e}{many}"


def _seeds(study: Study, n: int, options: Options) -> range:
    if study.scheme != "random":
        return range(options.seed, options.seed + 1)
    default = 1 if options.paper_size else study.seeds(n)
    return range(options.seed, options.seed + (options.seeds or default))


def _units(study: Study, n: int, options: Options) -> float:
    """Work of a solve: the flops of its Gram matrices, the features and the errors."""
    return study.rule_for(n, options).size * n * (n + 300.0)


def _points(study: Study, n: int, seed: int, activation: ln.Activation) -> int:
    """Number of points for n neurons: the paper's where the paper prints n."""
    for i, row in enumerate(study.printed):
        if n == row.n:
            return study.first << i  # twice as many each time
    return points_for(n, study.scheme, activation, study.box, seed)


def _solved(study: Study, n: int, seed: int, options: Options, work: Work, units: float) -> Values:
    activation = options.activation or ln.ReLU(3)
    rule = study.rule_for(n, options)
    points = _points(study, n, seed, activation)

    def compute(checkpoint: Path | None) -> Values:
        theta = hidden(study.scheme, points, study.dim, seed)
        network = paper_network(activation, theta, study.box)
        return solve_errors(
            network,
            rule,
            options,
            progress=work.part(units),
            checkpoint=checkpoint,
        ) | {"points": points}

    choices = (options.formulation, options.solver, activation)
    return options.kept(f"{study.scheme} {points} seed {seed} {rule} {choices}", compute)


def solve_errors(
    network: ln.Network, rule: Rule, options: Options, errors: Rule | None = None, **given: Any
) -> Values:
    """Solve the Neumann problem with a network on a box; both errors, and how it went.

    Parameters
    ----------
    network : Network
        Placed on its box.
    rule : Rule
        For the integrals.
    options : Options
        `formulation` ('galerkin' if None), `solver` and `workers`.
    errors : Rule, optional
        For the norms of the error; `rule` by default.
    **given
        `progress` and `checkpoint` of :func:`linnet.solve`.

    Returns
    -------
    dict
        n, l2, h1, rank, condition, seconds, warned.
    """
    box, started = network.domain, time.perf_counter()
    assert box is not None
    problem, formulation = _formulated(box, rule, options.formulation)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", LinnetWarning)
        solution = ln.solve(
            problem, network, formulation, options.solver, workers=options.workers, **given
        )
    error = solution.error(exact, errors or rule, gradient)
    return {
        "n": network.n,
        "l2": error.l2,
        "h1": error.h1,
        "rank": solution.info.rank,
        "condition": solution.info.condition,
        "seconds": time.perf_counter() - started,
        "warned": [str(w.message) for w in caught],
    }


def _formulated(box: ln.Box, rule: Rule, name: str | None) -> tuple[Problem, Formulation]:
    if name in (None, "galerkin"):
        return weak_form(box), ln.Galerkin(rule)
    if name == "least-squares":
        return weak_form(box), ln.VariationalLeastSquares(rule)
    if name == "collocation":
        faces = box.boundary.sobol(max(2 * box.dim, rule.size // 10))
        return strong_form(box), ln.Collocation(rule, faces)
    raise ArgumentError(
        "formulation", name, "it is none", "Take galerkin, least-squares or collocation"
    )


def _summary(study: Study, n: int, found: list[Values]) -> Row:
    """The row of medians over the seeds."""
    column = {name: [values[name] for values in found] for name in ("n", "l2", "h1")}
    paper = next((row for row in study.printed if row.n == n), None)
    extra = {
        "points": found[0]["points"],
        "seeds": len(found),
        "seconds": sum(values["seconds"] for values in found),
        "condition": float(np.median([values["condition"] for values in found])),
        "rank": [values["rank"] for values in found],
    }
    spread = {name: [min(column[name]), max(column[name])] for name in ("l2", "h1")}
    return Row(
        n=int(np.median(column["n"])),
        l2=float(np.median(column["l2"])),
        h1=float(np.median(column["h1"])),
        spread=spread if len(found) > 1 else None,
        paper=None if paper is None else {"n": paper.n, "l2": paper.l2, "h1": paper.h1},
        extra=extra,
    )
