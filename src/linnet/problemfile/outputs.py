"""What a file says about what is to be written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from linnet.problemfile.document import Document, nearest
from linnet.problemfile.tables import read_table

FORMATS = ("csv", "npz", "vtk")
GRID = {1: 401, 2: 101, 3: 33}  # points per axis, where nothing is said
MOST_POINTS = 5_000_000


@dataclass(frozen=True)
class Outputs:
    """What is to be written.

    Attributes
    ----------
    values : tuple of str
        Formats of the values: 'csv', 'npz', 'vtk'.
    grid : tuple of int or None
        Points of the grid along each axis; None for no grid.
    points : Path or None
        A CSV file with the points at which values are wanted, instead of the grid.
    pictures, report : bool
    """

    values: tuple[str, ...]
    grid: tuple[int, ...] | None
    points: Path | None
    pictures: bool
    report: bool


def outputs(document: Document, dim: int, folder: Path) -> Outputs:
    """What a document asks for; by default values on a grid in up to 3D, and pictures."""
    path = ("output", "values")
    given = document.get(*path)
    names = [given] if isinstance(given, str) else given
    if names is None:
        names = [] if dim > 3 else ["csv"] if dim == 1 else ["csv", "vtk"]
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise document.error(path, "this must be a list of formats", 'Write ["csv", "vtk"]')
    for name in names:
        if name not in FORMATS:
            raise document.error(path, f"unknown format '{name}'", nearest(name, FORMATS))
    points = document.text("output", "points")
    if points is not None and given is None:
        names = ["csv"]
    if "vtk" in names and (dim not in (2, 3) or points is not None):
        raise document.error(path, "VTK files are written for grids in 2D and 3D", "Use csv or npz")
    grid = None if points is not None else _grid(document, dim)
    if points is not None:
        with document.blaming("output", "points"):
            read_table(folder / points, dim)
    elif names and grid is None:
        remedy = 'Add grid = 11, or points = "points.csv"'
        raise document.error(path, f"in {dim} dimensions it must be said where", remedy)
    return Outputs(
        tuple(names),
        grid,
        None if points is None else folder / points,
        document.flag("output", "pictures") is not False,
        bool(document.flag("output", "report")),
    )


def _grid(document: Document, dim: int) -> tuple[int, ...] | None:
    path = ("output", "grid")
    value = document.get(*path)
    if value is None:
        return (GRID[dim],) * dim if dim in GRID else None
    sizes = value if isinstance(value, list) else [value] * dim
    whole = all(isinstance(size, int) and not isinstance(size, bool) for size in sizes)
    if not whole or len(sizes) != dim or min(sizes) < 2:
        raise document.error(
            path, "this must be a number of points per axis, from 2 on", f"Write {[51] * dim}"
        )
    total = 1
    for size in sizes:
        total *= size
    if total > MOST_POINTS:
        raise document.error(
            path, f"a grid of {total:.1e} points is too large", 'Name points = "points.csv" instead'
        )
    return tuple(sizes)
