"""Directions times biases (Petrushev's scheme), and the random box."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from linnet.errors import ArgumentError
from linnet.neurons.checks import Seed, count, generator, positive
from linnet.neurons.voronoi import sphere

Array = npt.NDArray[np.float64]


def petrushev(n1: int, n2: int, dim: int, r1: float = 1.0, r2: float = 1.0) -> Array:
    """Petrushev's scheme of the paper: quasi-uniform directions times uniform biases.

    Parameters
    ----------
    n1 : int
        Number of directions w on r1 S^(dim − 1): for dim = 1 the points r1 and −r1 (n1 = 2),
        or r1 alone (n1 = 1); beyond that the points of `sphere`.
    n2 : int
        Number of biases, uniform on [−r2, r2], both ends included, so at least 2.
    dim : int
        Dimension of the domain.
    r1, r2 : float, optional
        Radius of the directions; greatest bias.

    Returns
    -------
    ndarray, shape (n1 * n2, dim + 1)
        Rows (w, b); row i n2 + j has direction i and bias j.

    Notes
    -----
    The biases are symmetric, so where directions come in pairs ±w (dim = 1 with n1 = 2,
    dim = 2 with n1 even) half of the neurons are redundant for activations with a
    reflection law (`Activation.reflection`).
    """
    n1, n2, dim = count("n1", n1), count("n2", n2, least=2), count("dim", dim)
    r1, r2 = positive("r1", r1), positive("r2", r2)
    if dim > 1:
        directions = sphere(n1, dim - 1, r1)
    elif n1 <= 2:
        directions = np.array([[r1], [-r1]][:n1])
    else:
        raise ArgumentError(
            "n1", n1, "in one dimension there are two directions, +1 and −1", "Pass n1 = 2 or 1"
        )
    biases = np.linspace(-r2, r2, n2)
    return np.column_stack([np.repeat(directions, n2, axis=0), np.tile(biases, n1)])


def random_box(n: int, dim: int, R: float, rng: Seed = None) -> Array:
    """Independent uniform points of [−R, R]^(dim + 1): the paper's random tanh features.

    Parameters
    ----------
    n : int
        Number of points.
    dim : int
        Dimension of the domain.
    R : float
        Half the side of the box.
    rng : None, int or Generator, optional
        Where the randomness comes from.

    Returns
    -------
    ndarray, shape (n, dim + 1)
        Rows (w, b).
    """
    shape = count("n", n), count("dim", dim) + 1
    return generator(rng).uniform(-positive("R", R), R, shape)
