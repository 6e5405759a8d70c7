"""Tables of numbers in CSV files: points, and measured values."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from linnet.errors import ArgumentError

Array = NDArray[np.float64]

LARGEST = 1_000_000_000  # bytes of a table


def read_table(path: Path, columns: int) -> Array:
    """The numbers in a CSV file, with or without a line of names (not looked at) at its top.

    Parameters
    ----------
    path : Path
    columns : int
        How many numbers a line must have.

    Returns
    -------
    ndarray, shape (m, columns)
    """

    def refuse(reason: str, remedy: str = "Give comma-separated numbers") -> ArgumentError:
        return ArgumentError("file", str(path), reason, remedy)

    if path.exists() and not path.is_file():
        raise refuse("it is no file", "Name a CSV file")
    if path.exists() and path.stat().st_size > LARGEST:
        raise refuse(f"it is larger than {LARGEST // 10**6} MB", "Divide it into several")
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            lines = [(i, row) for i, row in enumerate(csv.reader(file), 1) if any(row)]
    except OSError as error:
        raise refuse((error.strerror or "it cannot be read").lower(), "Name a CSV file") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise refuse(f"it is no CSV file ({error})") from error
    if lines and not any(_numbers([entry]) for entry in lines[0][1]):  # a line of names
        lines = lines[1:]
    if not lines:
        raise refuse("there are no numbers in it")
    rows = []
    for i, row in lines:
        numbers = _numbers(row)
        if not numbers:
            raise refuse(f"line {i} has something else than numbers: {','.join(row)[:60]!r}")
        if len(numbers) != columns:
            raise refuse(
                f"line {i} has {len(numbers)} numbers, not {columns}",
                f"Give {columns} comma-separated numbers a line",
            )
        rows.append(numbers)
    table = np.array(rows)
    if not np.isfinite(table).all():
        line = lines[int(np.argmin(np.isfinite(table).all(axis=1)))][0]
        raise refuse(f"line {line} has a NaN or infinite number", "Remove the line")
    return table


def _numbers(row: list[str]) -> list[float]:
    try:
        return [float(entry) for entry in row]
    except ValueError:
        return []
