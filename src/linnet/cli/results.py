"""How good a solution is, and its files: what ``linnet solve`` shows and writes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linnet.errors import LinnetError
from linnet.problem import StrongForm

if TYPE_CHECKING:
    from linnet.measure import Errors
    from linnet.problemfile import ProblemFile
    from linnet.rules import Rule
    from linnet.solution import Solution

EXACT_POINTS = 2**16  # Sobol points for errors in more than three dimensions


@dataclass(frozen=True)
class Quality:
    """How good a solution is.

    Attributes
    ----------
    residuals : list of (str, float)
        For each equation, what it is and its relative residual on points that were not used.
    errors : Errors or None
        Against the exact solution, where it is known.
    estimate : float or None
        Relative L² error as linnet estimates it.
    """

    residuals: list[tuple[str, float]]
    errors: Errors | None
    estimate: float | None

    def lines(self) -> list[str]:
        """For the terminal."""
        found = []
        if self.residuals:
            parts = ", ".join(f"{name} {value:.1e}" for name, value in self.residuals)
            found.append(f"residual on fresh points: {parts}")
        if self.estimate is not None:
            found.append(f"estimated relative error in L2: {self.estimate:.1e}")
        if (e := self.errors) is not None:
            slope = "" if e.h1 is None else f", H1 seminorm {e.h1:.3e}"
            relative = f"(relative {e.relative_l2:.1e})"
            found.append(f"error: L2 {e.l2:.3e} {relative}{slope}, maximum {e.max:.3e}")
        return found

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        errors = None if self.errors is None else vars(self.errors)
        residuals = [{"equation": name, "residual": value} for name, value in self.residuals]
        return {"residuals": residuals, "errors": errors, "error_estimate": self.estimate}


def quality(file: ProblemFile, sol: Solution) -> Quality:
    """Residuals on fresh points, and errors where the exact solution is known."""
    stated, residuals = file.stated, []
    if isinstance(stated.problem, StrongForm):
        residuals = list(zip(names_of(stated.kinds), sol.residual(), strict=True))
    errors = None
    if stated.exact is not None:
        rule = error_rule(stated.problem.domain)
        try:
            errors = sol.error(stated.exact, rule)
        except LinnetError:  # a gradient that is not finite everywhere, as that of sqrt(x)
            exact = stated.exact
            errors = sol.error(lambda x: exact(x), rule)
    return Quality(residuals, errors, getattr(sol.info, "error_estimate", None))


def names_of(kinds: list[str]) -> list[str]:
    """Kinds of equations, numbered where there are several of one kind."""
    counts: dict[str, int] = {}
    names = []
    for kind in kinds:
        counts[kind] = counts.get(kind, 0) + 1
        names.append(f"{kind} {counts[kind]}" if kinds.count(kind) > 1 else kind)
    return names


def error_rule(box: Any) -> Rule:
    """Points for errors: Gauss's in up to three dimensions, Sobol's beyond."""
    rules = {1: (500, 5), 2: (60, 5), 3: (15, 4)}
    made: Rule = box.gauss(*rules[box.dim]) if box.dim in rules else box.sobol(EXACT_POINTS)
    return made


def write_values(file: ProblemFile, sol: Solution, folder: Path, stem: str) -> list[Path]:
    """Values on the grid or at the user's points, in the formats asked for."""
    from linnet.problemfile import read_table
    from linnet.writers import write_csv, write_npz, write_vtk

    wanted, stated = file.outputs, file.stated
    box = stated.problem.domain
    if not wanted.values or (wanted.grid is None and wanted.points is None):
        return []
    if wanted.points is not None:
        points = read_table(wanted.points, box.dim)
    else:
        points = box.grid(wanted.grid).points  # type: ignore[arg-type]
    values = sol(points)
    fields = {stated.unknown: values}
    if stated.exact is not None:
        exact = stated.exact(points)
        fields |= {"exact": exact, "error": values - exact}
    written = []
    for kind in wanted.values:
        suffix = {"csv": "csv", "npz": "npz", "vtk": "vti"}[kind]
        path = folder / f"{stem}-values.{suffix}"
        if kind == "csv":
            write_csv(path, points, fields, stated.coordinates)
        elif kind == "npz":
            write_npz(path, points, fields, wanted.grid)
        else:
            assert wanted.grid is not None
            write_vtk(path, box, wanted.grid, fields)
        written.append(path)
    return written


def pictures(file: ProblemFile, sol: Solution) -> dict[str, tuple[str, Any]]:
    """Figures by the end of their file's name, with captions."""
    os.environ.setdefault("MPLBACKEND", "Agg")  # no window, wherever this runs
    from linnet import plotting  # matplotlib is heavy

    stated = file.stated
    options: dict[str, Any] = {"coordinates": stated.coordinates}
    curve = plotting.plot(sol, exact=stated.exact, label=stated.unknown, **options)
    found = {"u": ("The solution.", curve)}
    if stated.exact is not None:
        figure = plotting.plot_error(sol, stated.exact, **options)
        found["error"] = ("Its error.", figure)
    if isinstance(stated.problem, StrongForm):
        figure = plotting.plot_residual(sol, **options)
        found["residual"] = ("The residual of the equation inside the domain.", figure)
    found["neurons"] = ("The hidden parameters.", plotting.plot_neurons(sol.network))
    return found


def write_report(
    file: ProblemFile, sol: Solution, good: Quality, shown: dict[str, Any], path: Path
) -> Path:
    """One HTML page with the problem, what was done, how good it is, and the pictures."""
    from linnet import plotting
    from linnet.report import Page
    from linnet.solvers import Factor

    page, info = Page(file.title), sol.info
    page.heading("The problem")
    lines = [line for line in file.text.splitlines() if not line.startswith("#")]
    page.code("\n".join(lines).strip())
    page.list(file.remarks)
    page.heading("How good the answer is")
    rows = [(f"residual, {name}", f"{value:.2e}") for name, value in good.residuals]
    if good.estimate is not None:
        rows.append(("estimated relative error in L²", f"{good.estimate:.1e}"))
    if (e := good.errors) is not None:
        pairs = (("L²", e.l2, e.relative_l2), ("H¹ seminorm", e.h1, e.relative_h1),
                 ("maximum", e.max, e.relative_max))  # fmt: skip
        rows += [
            (f"error, {name}", f"{value:.3e} (relative {relative:.1e})")
            for name, value, relative in pairs
            if value is not None and relative is not None
        ]
    page.table(rows)
    page.heading("Pictures")
    for caption, figure in shown.values():
        page.picture(figure, caption)
    if isinstance(sol.factor, Factor):
        figure = plotting.plot_singular_values(sol.factor.singular_values())
        page.picture(figure, "Singular values of the rows.")
        plotting.close(figure)
    page.heading("What was done")
    page.table(
        [
            ("network", f"{info.n} neurons, {sol.network.activation!r}"),
            ("formulation", info.formulation),
            ("solver", info.solver),
            ("rows", info.rows),
            ("rank", info.rank),
            ("condition", f"{info.condition:.1e}"),
            ("residual of the system", f"{info.residual:.1e}"),
            ("time", f"{info.seconds:.2f} s"),
            ("memory", f"{info.peak_memory / 1e6:.0f} MB"),
        ]
    )
    page.list(info.choices)
    page.write(path)
    return path
