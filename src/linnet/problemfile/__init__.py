"""Problem files: a PDE stated in a few lines of TOML, with formulas.

    equation = "-laplacian(u) + u = f"
    exact = "sin(pi*x) * sin(pi*y)"

    [domain]
    box = [[-1, 1], [-1, 1]]

    [boundary]
    all = "u = 0"

Formulas are never evaluated as code: :mod:`linnet.formulas` reads them by its own grammar.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from linnet import catalog
from linnet.problemfile.document import Document, ProblemFileError, UnreadableFileError
from linnet.problemfile.method import Method, method
from linnet.problemfile.outputs import GRID, Outputs, outputs
from linnet.problemfile.probe import probe
from linnet.problemfile.run import solve_problem
from linnet.problemfile.statement import Statement, statement
from linnet.problemfile.tables import read_table

__all__ = [
    "Method",
    "Outputs",
    "ProblemFile",
    "ProblemFileError",
    "UnreadableFileError",
    "catalog_problem",
    "read_problem",
    "read_table",
    "solve_problem",
]


@dataclass(frozen=True)
class ProblemFile:
    """A problem file that has been read and checked.

    Attributes
    ----------
    title, text : str
        Its title, and all of its text.
    stated : Statement
        The problem, its coordinates and its exact solution.
    method : Method
        How it is to be solved.
    outputs : Outputs
        What is to be written.
    remarks : list of str
        What is worth knowing: what was derived, whether the exact solution fits.
    """

    title: str
    text: str
    stated: Statement
    method: Method
    outputs: Outputs
    remarks: list[str]


def catalog_problem(name: str) -> ProblemFile:
    """A problem of linnet's catalogue, as if a file had stated it."""
    entry = catalog.get(name)
    problem = entry.problem()
    box = problem.domain
    kinds = ["equation" if e.on == box else "boundary" for e in problem.equations]
    letters = tuple("xyz"[: box.dim])
    coordinates = letters if box.dim <= 3 else tuple(f"x{i + 1}" for i in range(box.dim))
    stated = Statement(problem, coordinates, entry.exact, kinds, [])
    nothing = Method(None, None, None, None, None, None)
    values = {1: ("csv",), 2: ("csv", "vtk"), 3: ("csv", "vtk")}.get(box.dim, ())
    wanted = Outputs(values, (GRID[box.dim],) * box.dim if values else None, None, True, False)
    return ProblemFile(entry.title, f"catalogue: {name}", stated, nothing, wanted, [])


def read_problem(path: str | os.PathLike[str]) -> ProblemFile:
    """Read a problem file, and check all that can be checked without solving.

    Raises
    ------
    ProblemFileError, FormulaError
        With line and column, for whatever is wrong in the file.
    """
    file = Path(path)
    document = Document.read(file)
    stated = statement(document, file.parent)
    chosen = method(document, stated)
    wanted = outputs(document, stated.problem.domain.dim, file.parent)
    title = document.text("title") or file.stem
    return ProblemFile(title, document.source.text, stated, chosen, wanted, probe(stated))
