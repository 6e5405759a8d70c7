"""Other packages at their defaults beside linnet at its own: ``python benchmarks/peers.py``.

Makes a virtual environment of its own, installs ``peers-requirements.txt`` and this linnet there,
and solves problems of the catalogue with every package, each in a fresh process: error, time and
memory side by side. What each package is given stands in its file in ``peers/``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import statistics
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

from peers import page

HERE = Path(__file__).resolve().parent
ROOT, REQUIREMENTS = HERE.parent, HERE / "peers-requirements.txt"
PROBLEMS = [
    "runge-1d",
    "multi-frequency-2d",
    "runge-2d",
    "mixed-2d",
    "helmholtz-30-2d",
    "layer-20-2d",
    "corner-2d",
    "poisson-3d",
    "bump-5d",
]
PACKAGES = [
    "linnet",
    "fastlsq",
    "fastlsq-search",
    "pyrfm",
    "pyrfm-fine",
    "pypielm",
    "skfem",
    "skfem-fine",
]
FITTERS = ["linnet-fit", "linnet-chosen", "swim"]
FACTS = """
import json, sys
from importlib.metadata import version
from linnet import catalog
names, packages = json.loads(sys.argv[1])
entries = {e.name: {"title": e.title, "tags": sorted(e.tags)} for e in map(catalog.get, names)}
print(json.dumps({"versions": {p: version(p) for p in packages}, "problems": entries}))
"""
NAMES = ["linnet", "fastlsq", "pyrfm", "pypielm", "swimnetworks", "scikit-fem", "torch", "numpy"]


def main() -> None:
    """Install, run everything that was asked for, print and write it."""
    arguments = parsed()
    python = installed(arguments.venv)
    load = os.getloadavg()[0]
    names = json.dumps([arguments.problems, NAMES])
    facts = json.loads(output([python, "-c", FACTS, names], arguments.timeout))
    facts |= {"load": load, "repeats": arguments.repeats}
    results = []
    for packages in (PACKAGES, FITTERS):
        wanted = [p for p in packages if p in arguments.packages]
        results.append(
            {
                problem: compared(python, problem, wanted, arguments)
                for problem in arguments.problems
            }
            if wanted
            else {}
        )
    solved, fitted = results
    if arguments.json:
        print(json.dumps(facts | {"solved": solved, "fitted": fitted}, indent=2))
    if arguments.markdown:
        page.write(arguments.markdown, solved, fitted, facts)


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--venv", type=Path, default=ROOT / ".venv-peers", help="environment")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--markdown", type=Path, help="write the page of the documentation")
    parser.add_argument("--problems", type=split, default=PROBLEMS, help="names, with commas")
    parser.add_argument(
        "--packages", type=split, default=PACKAGES + FITTERS, help="with commas, of the default"
    )
    parser.add_argument("--repeats", type=int, default=1, help="runs of each, for the median")
    parser.add_argument("--timeout", type=float, default=300, help="seconds for each process")
    arguments = parser.parse_args()
    unknown = set(arguments.packages) - {*PACKAGES, *FITTERS}
    if unknown or arguments.repeats < 1:
        parser.error(f"packages are {', '.join(PACKAGES + FITTERS)}; repeats at least 1")
    if arguments.markdown and not set(PACKAGES) & set(arguments.packages):
        parser.error("the page needs a package that solves equations")
    return arguments


def split(text: str) -> list[str]:
    """Words with commas between them."""
    return text.split(",")


def installed(folder: Path) -> str:
    """The interpreter of the environment, which is made and filled where it is not up to date."""
    folder = folder.resolve()
    stated = (REQUIREMENTS.read_bytes(), (ROOT / "pyproject.toml").read_bytes(), bytes(ROOT))
    state, stamp = hashlib.sha256(b"\0".join(stated)).hexdigest(), folder / "installed"
    python = str(folder / ("Scripts" if os.name == "nt" else "bin") / "python")
    if not stamp.exists() or stamp.read_text() != state:
        note(f"installing {REQUIREMENTS.name} and linnet in {folder}: several GB, once")
        if not Path(python).exists():
            venv.create(folder, with_pip=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        # all of pip's output goes to stderr: with --json stdout has the one object
        command = [*pip, "-r", str(REQUIREMENTS), "-e", str(ROOT)]
        subprocess.run(command, check=True, stdout=sys.stderr)
        stamp.write_text(state)
    return python


def compared(
    python: str, problem: str, packages: list[str], arguments: argparse.Namespace
) -> dict[str, dict[str, Any]]:
    """All packages on one problem."""
    records = {}
    for package in packages:
        note(f"{problem}, {package} …")
        runs = []
        while len(runs) < arguments.repeats and "reason" not in (runs or [{}])[-1]:
            runs.append(solved_once(python, problem, package, arguments.timeout))
        records[package] = median(runs)
        if not arguments.json:
            print(f"{problem:20s} {package:15s} {text(records[package])}", flush=True)
    return records


def solved_once(python: str, problem: str, package: str, timeout: float) -> dict[str, Any]:
    """One record, from a process of its own."""
    try:
        return json.loads(output([python, "-m", "peers.one", problem, package], timeout))
    except subprocess.TimeoutExpired:
        return {"reason": f"> {timeout:.0f} s"}
    except subprocess.CalledProcessError as failure:
        return {"reason": f"its process ended with code {failure.returncode}"}


def output(command: list[str], timeout: float) -> str:
    """The last line that a process prints; all have as many threads as there are cores."""
    threads = dict.fromkeys(
        ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), str(os.cpu_count())
    )
    environment = os.environ | threads | {"PYTHONPATH": str(HERE), "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        command,
        env=environment,
        timeout=timeout,
        check=True,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    return done.stdout.splitlines()[-1]


def median(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """The last record with the medians of all; or the reason why one has failed."""
    last = runs[-1]
    if "reason" in last or any(run["error"] is None for run in runs):
        return last
    return last | {k: statistics.median(r[k] for r in runs) for k in ("error", "seconds", "memory")}


def text(record: dict[str, Any]) -> str:
    """A line of the output."""
    if "reason" in record:
        return record["reason"]
    error = "no number" if record["error"] is None else f"{record['error']:.2e}"
    warned = "  warned" if record["warning"] else ""
    return f"{error}  {record['seconds']:8.3f} s  {record['memory'] / 2**20:6.0f} MB{warned}"


def note(line: str) -> None:
    """Progress, on stderr."""
    print(f"peers.py: {line}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
