"""Right-hand sides: numbers, functions of the points, coefficients, measured values."""

from __future__ import annotations

import numbers
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from linnet.coefficients import Coefficient, check_finite
from linnet.errors import ArgumentError
from linnet.rules import Nodes

Array = NDArray[np.float64]
Data = float | Coefficient | Callable[[Array], NDArray[np.generic]] | NDArray[np.generic]


def data_values(data: Data, nodes: Nodes, start: int, name: str) -> Array:
    """Values of data at the nodes numbered `start`, …, as an array (m, s).

    Parameters
    ----------
    data : Data
    nodes : Nodes
        The points and, on a boundary, the normals.
    start : int
        Number of the first node in its rule, for data given as an array.
    name : str
        What the data are called in messages.
    """
    x = nodes.points
    if isinstance(data, Coefficient):
        values = data(x, nodes.normals)
    elif isinstance(data, np.ndarray) and data.ndim:
        values = data[start : start + len(x)]
    elif callable(data):
        values = np.asarray(data(x))
    else:
        values = np.full(len(x), data)
    if values.ndim == 0:
        values = np.full(len(x), values)
    if values.ndim > 2 or len(values) != len(x) or np.iscomplexobj(values):
        raise ArgumentError(
            name,
            f"values of shape {values.shape} and type {values.dtype}",
            f"for points of shape {x.shape} real values of shape ({len(x)},) or ({len(x)}, s) "
            "are needed",
            "Write it with array operations over the rows of x, as in np.sin(x[:, 0])",
        )
    values = np.asarray(values, dtype=np.float64).reshape(len(x), -1)
    check_finite(values, x, name)
    return values


def check_data(data: object, name: str) -> None:
    """Refuse what can be no right-hand side."""
    constant = isinstance(data, numbers.Real) and np.isfinite(float(data))
    if not (constant or callable(data) or isinstance(data, Coefficient)):
        raise ArgumentError(
            name,
            data,
            "a right-hand side is a finite number, a function of the points or a Coefficient",
            "Give a function from points (m, d) to values (m,)",
        )
