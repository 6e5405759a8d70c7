"""Values on points and on grids as files: CSV, NumPy's, and VTK's for ParaView."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from linnet.checkpoint import write_atomically
from linnet.domains import Box
from linnet.errors import ArgumentError

Array = NDArray[np.float64]
Fields = Mapping[str, Array]
PathLike = str | os.PathLike[str]


def write_csv(path: PathLike, points: Array, fields: Fields, coordinates: Sequence[str]) -> None:
    """Write a line of names, and a line of numbers for each point.

    Parameters
    ----------
    path : path-like
    points : ndarray, shape (m, d)
    fields : mapping from names to ndarrays of shape (m,)
    coordinates : sequence of d str
    """
    table = np.column_stack([points, *fields.values()])
    header = ",".join([*coordinates, *fields])
    # 17 digits: every number reads back as it was
    np.savetxt(path, table, fmt="%.17g", delimiter=",", header=header, comments="")


def write_npz(path: PathLike, points: Array, fields: Fields, shape: Sequence[int] | None) -> None:
    """Write arrays ``points`` and one for each field, in the shape of the grid if there is one.

    Parameters
    ----------
    path : path-like
    points : ndarray, shape (m, d)
    fields : mapping from names to ndarrays of shape (m,)
    shape : sequence of d int, or None
        Points of the grid along each axis; the last axis runs fastest.
    """
    grid = tuple(shape) if shape is not None else (len(points),)
    arrays = {name: values.reshape(grid) for name, values in fields.items()}
    write_atomically(Path(path), {"points": points.reshape(*grid, -1), **arrays})


def write_vtk(path: PathLike, box: Box, shape: Sequence[int], fields: Fields) -> None:
    """Write values on a uniform grid as VTK image data (``.vti``, XML, text).

    Parameters
    ----------
    path : path-like
    box : Box
        In two or three dimensions.
    shape : sequence of d int
        Points of the grid along each axis, the bounds included.
    fields : mapping from names to ndarrays of shape (m,)
        Values with the last axis running fastest, as ``box.grid(shape).points`` does.
    """
    if box.dim not in (2, 3):
        raise ArgumentError(
            "box", box, "VTK image data have two or three dimensions", "Write CSV or NPZ files"
        )
    padding = (1,) * (3 - box.dim)
    counts = (*shape, *padding)
    origin = (*box.lower, *(0.0 for _ in padding))
    widths = (box.upper - box.lower) / (np.array(shape) - 1)
    extent = " ".join(f"0 {count - 1}" for count in counts)
    lines = [
        '<?xml version="1.0"?>',
        '<VTKFile type="ImageData" version="0.1" byte_order="LittleEndian">',
        f'<ImageData WholeExtent="{extent}" Origin="{_numbers(origin)}" '
        f'Spacing="{_numbers((*widths, *(1.0 for _ in padding)))}">',
        f'<Piece Extent="{extent}">',
        f'<PointData Scalars="{next(iter(fields), "")}">',
    ]
    for name, values in fields.items():
        first_fastest = values.reshape(shape).ravel(order="F")
        lines += [
            f'<DataArray type="Float64" Name="{name}" format="ascii">',
            *(_numbers(first_fastest[i : i + 8]) for i in range(0, len(first_fastest), 8)),
            "</DataArray>",
        ]
    lines += ["</PointData>", "</Piece>", "</ImageData>", "</VTKFile>"]
    Path(path).write_text("\n".join(lines) + "\n", encoding="ascii")


def _numbers(values: Sequence[float] | Array) -> str:
    return " ".join(f"{value:.17g}" for value in values)
