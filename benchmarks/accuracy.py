"""How good ``ln.solve(problem)`` is with nothing given: ``python benchmarks/accuracy.py [--json]``.

headline   the multi-frequency problem in 2D with 1000 neurons: error at most 1e-10 in at most 5 s
grid       on every smooth problem in 1D and 2D, against the best of a grid search over activation,
           spacing and weight at the same width that looks at the exact error: the error is at most
           10 times as large, in at most 5 times the time of one such solve
tolerance  tolerance=1e-6 on every smooth problem in 1D, 2D and 3D: met truly
estimate   the estimated error over the whole catalogue: the true error is at most 3 times the
           estimate in 95 % of the cases, never more than 10 times, the estimate at most 100 times
           too large
"""

from __future__ import annotations

import argparse
import json
import math
import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

import linnet as ln
from linnet import catalog
from linnet.catalog import Entry
from linnet.rows import Collocation
from linnet.tuning.families import Family, _half_ball, _ridges, _sphere
from linnet.tuning.points import OVERSAMPLING, collocation_points
from linnet.tuning.rows import balanced_weights

ROUNDOFF = 1e-13  # errors below are all the same: data and evaluation leave no more
WIDTHS = {1: 120, 2: 400}  # of the grid search, which takes some hundred solves a problem


def main() -> None:
    """Run the parts that were asked for and print them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--problems", help="names from the catalogue, with commas between them")
    parser.add_argument("--neurons", type=int, help="width in grid and estimate")
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], help="which ones")
    arguments = parser.parse_args()
    names = arguments.problems.split(",") if arguments.problems else catalog.names()
    results: dict[str, Any] = {}
    for part in arguments.parts or PARTS:
        rows = []
        for row in PARTS[part]([catalog.get(name) for name in names], arguments.neurons):
            rows.append(row)
            if not arguments.json:
                print(part, *(f"{k} {_text(v)}" for k, v in row.items()), sep="  ", flush=True)
        results[part] = rows
    if arguments.json:
        print(json.dumps(results, indent=2))


def _text(value: object) -> str:
    return f"{value:.2e}" if isinstance(value, float) else str(value)


def error(entry: Entry, solution: ln.Solution) -> float:
    """The true relative L² error."""
    rule = entry.box.sobol(8192, scramble=True, rng=99)
    return solution.error(entry.exact, rule).relative_l2


def solved(entry: Entry, **options: Any) -> tuple[ln.Solution, float, float]:
    """``ln.solve`` without its warnings; the solution, wall-clock and processor seconds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ln.LinnetWarning)
        clock, processor = time.perf_counter(), time.process_time()
        solution = ln.solve(entry.problem(), **options)
    return solution, time.perf_counter() - clock, time.process_time() - processor


Rows = Iterator[dict[str, Any]]


def headline(entries: list[Entry], neurons: int | None) -> Rows:
    """The issue's own case."""
    entry = catalog.get("multi-frequency-2d")
    solution, seconds, processor = solved(entry, neurons=1000)
    found = error(entry, solution)
    yield {
        "problem": entry.name,
        "n": solution.network.n,
        "error": found,
        "estimate": solution.info.error_estimate,
        "seconds": seconds,
        "processor": processor,
        "met": found <= 1e-10 and seconds <= 5,
    }


def grid(entries: list[Entry], neurons: int | None) -> Rows:
    """Against a search that looks at the exact solution."""
    for entry in entries:
        if "smooth" not in entry.tags or entry.dim > 2:
            continue
        n = neurons or WIDTHS[entry.dim]
        best, where, one = searched(entry, n)
        solution, _, processor = solved(entry, neurons=n)
        found = error(entry, solution)
        yield {
            "problem": entry.name,
            "n": n,
            "error": found,
            "best": best,
            "best_with": where,
            "ratio": max(found, ROUNDOFF) / max(best, ROUNDOFF),
            "time_ratio": processor / one,
        }


def searched(entry: Entry, n: int) -> tuple[float, str, float]:
    """The least error over activation × spacing × weight, where it is, and a solve's seconds."""
    layouts = [("sine, half ball", ln.Sine(), _half_ball, 2.5)]
    if entry.dim == 1:
        layouts += [("tanh, Petrushev", ln.Tanh(), _ridges, 0.5)]
        layouts += [("Gaussian, Petrushev", ln.Gaussian(), _ridges, 1.0)]
    else:
        layouts += [("tanh, sphere", ln.Tanh(), _sphere, 1.2)]
        layouts += [("Gaussian, sphere", ln.Gaussian(), _sphere, 1.5)]
    problem = entry.problem()
    rules = collocation_points(problem, OVERSAMPLING * n, 1)
    best, where, seconds = math.inf, "", []
    for name, activation, layout, widest in layouts:
        family = Family(name, activation, layout, ())
        for spacing in widest * 1.3 ** -np.arange(11.0):
            network = family.network(n, entry.dim, spacing)
            balanced = np.array(balanced_weights(problem, rules, network))
            for factor in (0.01, 1.0, 100.0):  # λ, on the squares
                weights = np.append(balanced[0], factor * balanced[1:])
                start = time.process_time()
                solution = ln.solve(problem, network, Collocation(*rules, weights=tuple(weights)))
                seconds.append(time.process_time() - start)
                found = error(entry, solution)
                if found < best:
                    best, where = found, f"{name}, spacing {spacing:.2g}, weight × {factor:g}"
    return best, where, float(np.median(seconds))


def tolerance(entries: list[Entry], neurons: int | None) -> Rows:
    """tolerance=1e-6 where it has to be met."""
    for entry in entries:
        if "smooth" not in entry.tags or entry.dim > 3:
            continue
        solution, seconds, _ = solved(entry, tolerance=1e-6)
        found = error(entry, solution)
        yield {
            "problem": entry.name,
            "n": solution.network.n,
            "error": found,
            "estimate": solution.info.error_estimate,
            "seconds": seconds,
            "met": found <= 1e-6 and (solution.info.error_estimate or math.inf) <= 1e-6,
        }


def estimate(entries: list[Entry], neurons: int | None) -> Rows:
    """The error estimate against the error."""
    for entry in entries:
        solution, seconds, _ = solved(entry, neurons=neurons)
        found, estimated = error(entry, solution), solution.info.error_estimate
        assert estimated is not None
        yield {
            "problem": entry.name,
            "n": solution.network.n,
            "error": found,
            "estimate": estimated,
            "error_over_estimate": found / estimated,
            "estimate_over_error": estimated / max(found, 1e-15),
            "seconds": seconds,
        }


PARTS = {"headline": headline, "grid": grid, "tolerance": tolerance, "estimate": estimate}

if __name__ == "__main__":
    main()
