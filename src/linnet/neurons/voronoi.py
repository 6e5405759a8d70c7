"""Quasi-uniform points on spheres of any dimension: centroidal Voronoi tessellations."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.spatial import cKDTree

from linnet.neurons.checks import Seed, count, generator, positive
from linnet.neurons.spherical import circle, fibonacci, sobol_sphere

Array = npt.NDArray[np.float64]


def lloyd(
    n: int,
    dim: int,
    radius: float = 1.0,
    iterations: int = 10,
    samples: int | None = None,
    rng: Seed = 0,
) -> Array:
    """Quasi-uniform points on S^dim, by Lloyd's algorithm.

    The paper asks for "high-quality quasi-uniform grids on hyperspheres" and has none beyond
    S²; this is one. Scrambled Sobol points move, again and again, to the centroids of their
    Voronoi cells, which are sampled by a fixed cloud of Sobol points.

    Parameters
    ----------
    n : int
        Number of points.
    dim : int
        Dimension of the domain.
    radius : float, optional
        Radius of the sphere.
    iterations : int, optional
        Greatest number of moves; fewer if the points come to rest. 0: the starting points.
    samples : int, optional
        Size of the cloud, at least n; by default 50 n, and 20 000 at least.
    rng : None, int or Generator, optional
        The scrambling. The default gives the same points every time.

    Returns
    -------
    ndarray, shape (n, dim + 1)
        Rows (w, b).

    Notes
    -----
    One move costs about samples × log n and more in high dimensions: 3200 points on S⁶ take
    a few seconds, 10⁵ minutes. For many more use `sobol_sphere`, whose points cost nothing.
    """
    n, dim = count("n", n), count("dim", dim)
    iterations = count("iterations", iterations, least=0)
    wanted = max(50 * n, 20_000) if samples is None else count("samples", samples, least=n)
    scale = positive("radius", radius)
    source = generator(rng)
    points = sobol_sphere(n, dim, scramble=True, rng=source)
    cloud = sobol_sphere(wanted, dim, scramble=True, rng=source)
    rest = 1e-3 * n ** (-1.0 / dim)  # a thousandth of the spacing
    for _ in range(iterations):
        moved = _centroids(points, cloud)
        shift = np.sqrt(np.mean(np.sum((moved - points) ** 2, axis=1)))
        points = moved
        if shift < rest:
            break
    return scale * points


def _centroids(points: Array, cloud: Array) -> Array:
    """Normalised mean of each Voronoi cell; where the cell is empty, the point itself.

    The normalised mean minimises the mean squared distance among points on the sphere.
    """
    cell = cKDTree(points).query(cloud, workers=-1)[1]
    sums = [np.bincount(cell, weights=x, minlength=len(points)) for x in cloud.T]
    means = np.column_stack(sums)
    norms = np.linalg.norm(means, axis=1)
    empty = norms == 0.0
    means[empty], norms[empty] = points[empty], 1.0
    moved: Array = means / norms[:, None]
    return moved


def sphere(n: int, dim: int, radius: float = 1.0) -> Array:
    """The best deterministic quasi-uniform points on S^dim that linnet has.

    `circle` for dim = 1, `fibonacci` for dim = 2 (the paper's grids), `lloyd` beyond.

    Parameters
    ----------
    n : int
        Number of points. From dim = 3 on their cost grows with n: seconds for some
        thousands, minutes for 10⁵; take `sobol_sphere` then.
    dim : int
        Dimension of the domain.
    radius : float, optional
        Radius of the sphere.

    Returns
    -------
    ndarray, shape (n, dim + 1)
        Rows (w, b).
    """
    if count("dim", dim) == 1:
        return circle(n, radius)
    return fibonacci(n, radius) if dim == 2 else lloyd(n, dim, radius)
