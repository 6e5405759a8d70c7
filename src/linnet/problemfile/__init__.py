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

from linnet.problemfile.document import Document, ProblemFileError, UnreadableFileError
from linnet.problemfile.method import Method, method
from linnet.problemfile.outputs import Outputs, outputs
from linnet.problemfile.probe import probe
from linnet.problemfile.statement import Statement, statement
from linnet.problemfile.tables import read_table

__all__ = [
    "Method",
    "Outputs",
    "ProblemFile",
    "ProblemFileError",
    "UnreadableFileError",
    "read_problem",
    "read_table",
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
