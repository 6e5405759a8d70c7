"""``linnet evaluate``: a saved solution at points."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Annotated

import typer

from linnet.errors import ArgumentError


def evaluate(
    solution: Annotated[
        Path, typer.Argument(metavar="SOLUTION.npz", help="What 'linnet solve' wrote.")
    ],
    points: Annotated[
        Path, typer.Argument(metavar="POINTS.csv", help="One point a line, a number a coordinate.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="A .csv or .npz file; the terminal if absent."
        ),
    ] = None,
    gradient: Annotated[bool, typer.Option("--gradient", help="The gradient as well.")] = False,
) -> None:
    """Evaluate a saved solution at the points of a CSV file."""
    import numpy as np

    import linnet
    from linnet.checkpoint import writable_path
    from linnet.problemfile import read_table
    from linnet.writers import write_csv, write_npz

    sol = linnet.load(solution)
    x = read_table(points, sol.dim)
    box = sol.network.domain
    if box is not None and (outside := int((~box.contains(x)).sum())):
        text = f"{outside} of the points lie outside of {box}, where the solution means nothing"
        warnings.warn(text, linnet.LinnetWarning, stacklevel=2)
    if out is not None:
        writable_path("--out", out)
    values = sol(x).reshape(len(x), -1)
    several = values.shape[1] > 1
    fields = {f"u{j + 1}" if several else "u": values[:, j] for j in range(values.shape[1])}
    coordinates = (
        ["x", "y", "z"][: sol.dim] if sol.dim <= 3 else [f"x{i + 1}" for i in range(sol.dim)]
    )
    if gradient:
        slopes = sol.gradient(x).reshape(len(x), sol.dim, -1)
        for i, name in enumerate(coordinates):
            for j, label in enumerate(list(fields)[: values.shape[1]]):
                fields[f"d{label}/d{name}"] = slopes[:, i, j]
    if out is None:
        table = np.column_stack([x, *fields.values()])
        header = ",".join([*coordinates, *fields])
        np.savetxt(sys.stdout, table, fmt="%.17g", delimiter=",", header=header, comments="")
    elif out.suffix == ".npz":
        write_npz(out, x, fields, None)
    elif out.suffix == ".csv":
        write_csv(out, x, fields, coordinates)
    else:
        raise ArgumentError("--out", str(out), "it is neither .csv nor .npz", "Name such a file")
