"""Points on the sphere by formula: uniform, spiral, random and quasi-Monte Carlo."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri
from scipy.stats import qmc

from linnet.errors import ArgumentError
from linnet.neurons.checks import Seed, count, generator, positive

Array = npt.NDArray[np.float64]

_CLIP = 1e-6  # the ε of the paper's second step; DESIGN.md: this one gives its digits


def circle(n: int, radius: float = 1.0) -> Array:
    """Uniform points on the circle, for domains in one dimension (the paper's S¹ grid).

    Parameters
    ----------
    n : int
        Number of points; their angles are 2πj/n, j = 0, …, n − 1.
    radius : float, optional
        Radius of the circle.

    Returns
    -------
    ndarray, shape (n, 2)
        Rows (w, b).

    Notes
    -----
    With n even the points come in antipodal pairs, and activations with a reflection law
    (`Activation.reflection`) make one neuron of each pair redundant.
    """
    angle = 2.0 * np.pi * np.arange(count("n", n)) / n
    points = np.column_stack([np.cos(angle), np.sin(angle)])
    points[np.abs(points) < 1e-15] = 0.0  # cos(π/2): a neuron of slope 6e-17 is a constant
    return positive("radius", radius) * points


def fibonacci(n: int, radius: float = 1.0) -> Array:
    """The spiral grid on S², for domains in two dimensions.

    For i = ½, 3/2, …, n − ½: φ = arccos(1 − 2i/n), ϑ = π(1 + √5)i and the point is
    (sin φ cos ϑ, sin φ sin ϑ, cos φ), exactly as in the paper ("ReLUᵏ shallow neural
    networks", after González 2010).

    Parameters
    ----------
    n : int
        Number of points.
    radius : float, optional
        Radius of the sphere.

    Returns
    -------
    ndarray, shape (n, 3)
        Rows (w₁, w₂, b).
    """
    i = np.arange(count("n", n)) + 0.5
    phi = np.arccos(1.0 - 2.0 * i / n)
    theta = np.pi * (1.0 + np.sqrt(5.0)) * i
    unit = [np.sin(phi) * np.cos(theta), np.sin(phi) * np.sin(theta), np.cos(phi)]
    return positive("radius", radius) * np.column_stack(unit)


def random_sphere(n: int, dim: int, radius: float = 1.0, rng: Seed = None) -> Array:
    """Independent uniform points on S^dim: the paper's random features.

    Parameters
    ----------
    n : int
        Number of points.
    dim : int
        Dimension of the domain.
    radius : float, optional
        Radius of the sphere.
    rng : None, int or Generator, optional
        Where the randomness comes from.

    Returns
    -------
    ndarray, shape (n, dim + 1)
        Rows (w, b).
    """
    shape = count("n", n), count("dim", dim) + 1
    return _project(generator(rng).standard_normal(shape), radius)


def sobol_sphere(
    n: int, dim: int, radius: float = 1.0, scramble: bool = False, rng: Seed = None
) -> Array:
    """Sobol points mapped to S^dim (the paper, "Deterministic features using QMC points").

    Points of the cube, from index 0, are clipped to [ε, 1 − ε], ε = 1e-6, sent through the
    normal quantile and normalised.

    Parameters
    ----------
    n : int
        Number of points. Any n is the beginning of the same sequence.
    dim : int
        Dimension of the domain.
    radius : float, optional
        Radius of the sphere.
    scramble : bool, optional
        Scramble the sequence at random.
    rng : None, int or Generator, optional
        Where the scrambling comes from; only with ``scramble=True``.

    Returns
    -------
    ndarray, shape (n, dim + 1)
        Rows (w, b).

    Notes
    -----
    Unscrambled, the point of index 1 is the centre of the cube, whose normal quantile is 0
    and has no direction. It becomes the pole (0, …, 0, −1): a neuron that is dead on every
    domain for ReLUᵏ (the paper's numbers of neurons show that it was dropped), a constant
    for the other activations.
    """
    return _project(ndtri(np.clip(sobol(n, dim, scramble, rng), _CLIP, 1.0 - _CLIP)), radius)


def halton_sphere(
    n: int, dim: int, radius: float = 1.0, scramble: bool = False, rng: Seed = None
) -> Array:
    """Halton points mapped to S^dim, as `sobol_sphere` does with Sobol points.

    Parameters
    ----------
    n, dim, radius, scramble, rng
        As in `sobol_sphere`.

    Returns
    -------
    ndarray, shape (n, dim + 1)
        Rows (w, b).
    """
    shape = count("n", n), count("dim", dim) + 1
    engine = qmc.Halton(shape[1], scramble=scramble, rng=_scrambler(scramble, rng))
    points = np.ascontiguousarray(engine.random(shape[0]))  # scipy's is in Fortran order
    return _project(ndtri(np.clip(points, _CLIP, 1.0 - _CLIP)), radius)


def sobol(n: int, dim: int, scramble: bool = False, rng: Seed = None) -> Array:
    """The first n Sobol points of [0, 1]^(dim + 1), shape (n, dim + 1)."""
    shape = count("n", n), count("dim", dim) + 1
    engine = qmc.Sobol(shape[1], scramble=scramble, rng=_scrambler(scramble, rng))
    powers = (shape[0] - 1).bit_length()  # a power of two: scipy warns of all other numbers
    points: Array = engine.random_base2(powers)[: shape[0]]
    return points


def _scrambler(scramble: bool, rng: Seed) -> np.random.Generator:
    """The generator for scrambling; refuses one that would have no effect."""
    if not scramble and rng is not None:
        raise ArgumentError(
            "rng", rng, "without scrambling nothing is random", "Pass scramble=True, or no rng"
        )
    return generator(rng)


def _project(points: Array, radius: float) -> Array:
    """Rows of `points` moved onto the sphere; rows of zeros onto its last, negative pole."""
    norms = np.linalg.norm(points, axis=1)
    points[norms == 0.0, -1] = norms[norms == 0.0] = -1.0
    points *= (positive("radius", radius) / np.abs(norms))[:, None]
    return points
