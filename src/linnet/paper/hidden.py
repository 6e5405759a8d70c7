"""The paper's hidden parameters: where they come from, and which of them it keeps."""

from __future__ import annotations

from collections.abc import Callable
from math import comb

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import qr

from linnet import neurons
from linnet.activations import Activation, ReLU
from linnet.domains import Box
from linnet.errors import ArgumentError
from linnet.network import Network

Array = NDArray[np.float64]

CROSSING = 0.98  # a kink that does not cross [-0.98, 0.98]^d is taken to miss the domain

SCHEMES: dict[str, Callable[[int, int, int], Array]] = {  # (points, dim, seed) → (points, dim + 1)
    "circle": lambda n, dim, seed: neurons.circle(n),
    "fibonacci": lambda n, dim, seed: neurons.fibonacci(n),
    "random": lambda n, dim, seed: neurons.random_sphere(n, dim, rng=seed),
    "sobol": lambda n, dim, seed: neurons.sobol_sphere(n, dim),
    "halton": lambda n, dim, seed: neurons.halton_sphere(n, dim),
    "lloyd": lambda n, dim, seed: neurons.lloyd(n, dim),
}
_ONLY_IN = {"circle": 1, "fibonacci": 2}


def hidden(scheme: str, n: int, dim: int, seed: int = 0) -> Array:
    """Points on the unit sphere S^dim by one of the schemes, (n, dim + 1)."""
    if scheme not in SCHEMES or _ONLY_IN.get(scheme, dim) != dim:
        known = [name for name in SCHEMES if _ONLY_IN.get(name, dim) == dim]
        raise ArgumentError(
            "scheme", scheme, f"it is no scheme in {dim}D", f"Take one of {', '.join(known)}"
        )
    return SCHEMES[scheme](n, dim, seed)


def paper_network(activation: Activation, theta: Array, box: Box) -> Network:
    """The network on the box with the neurons that the paper keeps.

    For ReLUᵏ: those whose kink crosses [−0.98, 0.98]^d, |b| < 0.98 ‖w‖₁, and of those that are
    active everywhere, polynomials of degree k, as many as are independent, C(d + k, k), chosen by
    a QR factorisation with pivoting. This gives each of the numbers of neurons that the paper
    prints in tables 1, 6 and 7 (``network.on(box)`` asks whether the kink crosses [−1, 1]^d
    itself, and keeps up to 1 % more). For other activations: ``network.on(box)``.

    Parameters
    ----------
    activation : Activation
    theta : ndarray, shape (m, d + 1)
    box : Box
    """
    if not isinstance(activation, ReLU):
        return Network(activation, theta).on(box)
    k, dim = activation.k, box.dim
    slopes, biases = np.abs(theta[:, :-1]).sum(axis=1), theta[:, -1]
    crossing = np.abs(biases) < CROSSING * slopes
    everywhere = np.flatnonzero(~crossing & (biases > 0))
    most = comb(dim + k, k)
    if len(everywhere) > most:
        x = np.random.default_rng(0).uniform(-1.0, 1.0, (3 * most + 7, dim))
        values = activation(x @ theta[everywhere, :-1].T + biases[everywhere])
        pivots = qr(values / np.linalg.norm(values, axis=0), mode="r", pivoting=True)[1]
        everywhere = everywhere[pivots[:most]]
    kept = np.sort(np.concatenate([np.flatnonzero(crossing), everywhere]))
    return Network(activation, theta[kept]).placed_on(box)


def points_for(n: int, scheme: str, activation: Activation, box: Box, seed: int = 0) -> int:
    """The number of points of a scheme of which n neurons are kept, or nearly so."""
    points, best, gap = n, n, n
    for _ in range(40):
        theta = hidden(scheme, points, box.dim, seed)
        miss = n - paper_network(activation, theta, box).n
        if abs(miss) < gap:
            best, gap = points, abs(miss)
        if miss == 0:
            break
        points = max(1, points + miss)
    return best
