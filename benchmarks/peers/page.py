"""The page of the documentation: tables in Markdown, the machine, and where linnet loses."""

from __future__ import annotations

import datetime
import os
import platform
from pathlib import Path
from typing import Any

Results = dict[str, dict[str, dict[str, Any]]]  # problem: package: record

SETTINGS = """\
All have the same right-hand sides and boundary values, as many threads as there are cores, and the
settings that their own documentation shows for such a problem; nothing was tuned.

- **linnet**: `ln.solve(problem)`. It tries activations, scales and widths by itself, in the time
  given here and without the exact solution, and it estimates its error. † is where it warned that
  the solution is not resolved.
- **fastlsq**: 1500 sines of scale 5 and boundary rows times 100, as in its README.
  **fastlsq-search** is `solve_linear(problem)` without a scale: 45 solves, of which the scale is
  taken that has the least error *against the exact solution*, which a user does not have.
- **pyrfm**: the sizes of its examples, 16 × 50 features in 1D, 2 × 2 × 300 in 2D, 1000 in 3D and
  beyond. **pyrfm-fine** is its first example in 2D, 4 × 4 × 400.
- **pypielm**: `CorePIELM` as in its two examples, 300 neurons in 1D, 500 beyond.
- **skfem**: scikit-fem, quadratic elements on a uniform mesh with about 1000 unknowns (2000 in
  3D), direct solver. **skfem-fine** has 2048 intervals, 2 × 256² triangles or 6 × 16³ tetrahedra:
  some seconds in 2D and 3D, as linnet takes. An adaptive mesh would do better still at layers and
  corners."""

FITTING = """\
swimnetworks fits functions and solves no differential equations. Here each package approximates
the exact solution from its values, with 512 neurons: **swim** is its README's network on 10 000
random points, **linnet-fit** is `ln.fit` with the network of linnet's example `fit_2d` on the same
points (in 1D half of its neurons are redundant and left out), and **linnet-chosen** is `ln.solve`
of the equation u = g with nothing given but the width."""

REASONS = {
    "layered": "the neurons are spread evenly, and a thousand of them do not resolve a thin layer",
    "singular": "no neuron is singular where the solution is",
    "oscillatory": "some thousand neurons are few for so many wavelengths",
}


def write(path: Path, solved: Results, fitted: Results, facts: dict[str, Any]) -> None:
    """The page as a file."""
    parts = [heading(facts), table(solved), SETTINGS, problems(facts["problems"])]
    parts += ["## Where linnet loses", losses(solved, facts["problems"])]
    parts += missing(solved)
    if fitted:
        parts += ["## Function approximation", FITTING, table(fitted)]
    path.write_text("\n\n".join(parts) + "\n")


def heading(facts: dict[str, Any]) -> str:
    """When, where, with what, and what the cells mean."""
    versions = ", ".join(f"{name} {version}" for name, version in facts["versions"].items())
    load = facts["load"]
    shared = ""
    if load > 0.5:
        shared = f" Other work was running (load average {load:.1f} at the start): times are upper"
        shared += " bounds, unevenly so."
    repeats = f" Medians of {facts['repeats']} runs." if facts["repeats"] > 1 else ""
    return (
        f"Measured on {datetime.date.today()}: {machine()}; {versions}.{shared}\n\n"
        "A cell has the relative L² error on 8192 points, the seconds that stating and solving the "
        "problem took in a fresh process, imports excluded, and by how much the process's peak "
        f"memory rose meanwhile. The least error is bold.{repeats}"
    )


def machine() -> str:
    """Processor, cores, memory, system and Python."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    processor = models[0] if models else platform.processor() or platform.machine()
    return (
        f"{processor}, {os.cpu_count()} cores, {memory:.0f} GB, {platform.system()} "
        f"{platform.machine()}, Python {platform.python_version()}"
    )


def table(results: Results) -> str:
    """Problem × package."""
    packages = list(next(iter(results.values())))
    lines = [f"| | {' | '.join(packages)} |", "|---" * (len(packages) + 1) + "|"]
    for problem, records in results.items():
        errors = [r["error"] for r in records.values() if r.get("error") is not None]
        least = min(errors, default=None)
        cells = [cell(records[package], least) for package in packages]
        lines.append(f"| {problem} | {' | '.join(cells)} |")
    return "\n".join(lines)


def cell(record: dict[str, Any], least: float | None) -> str:
    """Error, time and memory, or that there is none."""
    if "reason" in record:
        return record["reason"] if record["reason"].startswith(">") else "—"
    error = "no number" if record["error"] is None else f"{record['error']:.1e}"
    error = f"**{error}**" if record["error"] is not None and record["error"] == least else error
    dagger = "†" if record.get("warning") else ""
    lines = [f"{error}{dagger}", f"{record['seconds']:.2g} s", f"{record['memory'] / 2**20:.0f} MB"]
    return "<br>".join(lines).replace("-", "\u2011").replace(" ", "\u00a0")  # none of them breaks


def problems(titles: dict[str, dict[str, Any]]) -> str:
    """What the names mean."""
    return "\n".join(f"- `{name}`: {entry['title']}" for name, entry in titles.items())


def losses(results: Results, entries: dict[str, dict[str, Any]]) -> str:
    """Who is more accurate, and who is as accurate in less time."""
    lines = []
    for problem, records in results.items():
        mine = records.get("linnet", {})
        if mine.get("error") is None:
            continue
        better, faster = [], []
        for package, r in records.items():
            if package == "linnet" or r.get("error") is None:
                continue
            text = f"{package} ({r['error']:.1e} in {r['seconds']:.3g} s)"
            if r["error"] < mine["error"] / 2 and mine["error"] > 1e-12:
                better.append(text)
            elif r["error"] < 2 * max(mine["error"], 1e-12) and r["seconds"] < mine["seconds"]:
                faster.append(text)
        if better or faster:
            reasons = [
                REASONS[tag] for tag in REASONS if better and tag in entries[problem]["tags"]
            ]
            more = f"; more accurate: {', '.join(better)}" if better else ""
            quick = f"; as accurate and faster: {', '.join(faster)}" if faster else ""
            why = f". Here {reasons[0]}" if reasons else ""
            own = f"linnet has {mine['error']:.1e} in {mine['seconds']:.3g} s"
            lines.append(f"- `{problem}`: {own}{more}{quick}{why}.")
    lines.append(
        "- In time: whoever is content with fewer digits has them sooner elsewhere, scikit-fem's "
        "in hundredths of a second. Most of linnet's time goes into choosing its network."
    )
    return "\n".join(lines)


def missing(results: Results) -> list[str]:
    """What has no numbers, and why."""
    lines = [
        f"- {package}, `{problem}`: {record['reason']}"
        for problem, records in results.items()
        for package, record in records.items()
        if "reason" in record
    ]
    return ["Without numbers:", "\n".join(lines)] if lines else []
