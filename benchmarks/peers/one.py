"""One solve in this process, a fresh one: ``python -m peers.one PROBLEM PACKAGE`` prints JSON.

Seconds are those of stating and solving the problem, without imports; memory is by how much the
process's peak rose in that time; the error is that on the same points for every package.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import sys
import time
import traceback
import warnings
from typing import Any

import numpy as np

import linnet as ln
from linnet.info import memory_peak

WIDTH, POINTS = 512, 10_000  # of a function approximation

# name: file, function, options
SOLVERS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "linnet": ("linnet_", "solve", {}),
    "fastlsq": ("fastlsq_", "solve", {"scale": 5.0}),
    "fastlsq-search": ("fastlsq_", "solve", {"scale": None}),
    "pyrfm": ("pyrfm_", "solve", {}),
    "pyrfm-fine": ("pyrfm_", "solve", {"fine": True}),
    "pypielm": ("pypielm_", "solve", {}),
    "skfem": ("skfem_", "solve", {}),
    "skfem-fine": ("skfem_", "solve", {"fine": True}),
    "linnet-chosen": ("linnet_", "approximate", {"neurons": WIDTH}),
    "linnet-fit": ("linnet_", "fit", {"neurons": WIDTH, "points": POINTS}),
    "swim": ("swim_", "approximate", {"neurons": WIDTH, "points": POINTS}),
}


def main() -> None:
    """Solve, and print the record as the only line of the output."""
    problem, package = sys.argv[1:]
    with contextlib.redirect_stdout(sys.stderr):  # packages print
        record = run(problem, package)
    print(json.dumps(record))


def run(problem: str, package: str) -> dict[str, Any]:
    """The record of a solve, or the reason why there is none."""
    from peers.statement import CannotStateError, Statement

    file, function, options = SOLVERS[package]
    try:
        adapter = importlib.import_module(f"peers.{file}")
        statement = Statement(problem)
        return measured(statement, lambda: getattr(adapter, function)(statement, **options))
    except CannotStateError as reason:
        return {"reason": str(reason)}
    except Exception as failure:
        traceback.print_exc()
        lines = str(failure).strip().splitlines() or [""]
        return {"reason": f"{type(failure).__name__}: {lines[0][:160]}"}


def measured(statement, solve) -> dict[str, Any]:
    """Seconds, memory and error of one solve."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        before, start = memory_peak(), time.perf_counter()
        answer = solve()
        seconds, memory = time.perf_counter() - start, memory_peak() - before
    x = statement.box.sobol(8192, scramble=True, rng=99).points
    exact, found = statement.exact(x), np.asarray(answer.values(x))
    assert found.shape == exact.shape
    error = float(np.linalg.norm(found - exact) / np.linalg.norm(exact))
    own = [str(w.message) for w in said if issubclass(w.category, ln.LinnetWarning)]
    return {
        "error": error if np.isfinite(error) else None,
        "seconds": seconds,
        "memory": memory,
        "unknowns": int(answer.unknowns),
        "settings": answer.settings,
        "warning": own[0] if own else None,
    }


if __name__ == "__main__":
    main()
