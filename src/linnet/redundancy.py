"""Which neurons a domain needs: those that vanish on it or are combinations of others go.

All of it happens on the reference box [−1, 1]^d, where the range of w·x̂ + b is b ± ‖w‖₁.
"""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import qr
from scipy.spatial import cKDTree

from linnet.activations import Activation

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

_EQUAL = 1e-10  # two neurons closer than this (relative to their size) are one
_TOUCHING = 1e-12  # a kink that only touches the boundary is outside
_DEPENDENT = 1e-10  # a pivot below this fraction of the largest is a dependent column


def independent_neurons(activation: Activation, theta: Array) -> Indices:
    """Indices of the neurons to keep on [−1, 1]^d, ascending.

    Parameters
    ----------
    activation : Activation
    theta : ndarray, shape (n, d + 1)

    Notes
    -----
    Neurons that are polynomials on the box, or mirror images of others up to a polynomial, are
    reduced to as many as are linearly independent, chosen by a QR factorisation with pivoting.
    """
    slopes, biases = np.abs(theta[:, :-1]).sum(axis=1), theta[:, -1]
    size = np.maximum(np.linalg.norm(theta, axis=1), np.finfo(float).tiny)
    indices = np.arange(len(theta))
    if activation.degree is None:
        constant = slopes <= _TOUCHING * size
        alive = ~constant | (np.abs(activation(biases)) > 0)
        polynomial, degree = constant & alive, 0
        keys = theta
    else:
        alive = biases + slopes > _TOUCHING * size
        polynomial, degree = alive & (biases - slopes >= -_TOUCHING * size), activation.degree
        keys = theta / size[:, None]
    bent = indices[alive & ~polynomial]
    single, mirrored, originals = _classes(keys[bent])
    candidates = [indices[polynomial]]
    values = [_on_samples(activation, theta[polynomial], degree)]
    if activation.reflection is None:
        single = np.sort(np.concatenate([single, mirrored]))
    else:
        sign, q = activation.reflection
        if q >= 0:
            candidates.append(bent[mirrored])
            mirror = _on_samples(activation, theta[bent[mirrored]], max(q, degree))
            original = _on_samples(activation, keys[bent[originals]], max(q, degree))
            if activation.degree is not None:  # σ(cz) = c^k σ(z)
                original *= size[bent[mirrored]] ** activation.degree
            values.append(mirror - sign * original)
            values[0] = _on_samples(activation, theta[polynomial], max(q, degree))
    chosen = _independent_columns(np.hstack(values))
    return np.sort(np.concatenate([bent[single], np.concatenate(candidates)[chosen]]))


def _classes(keys: Array) -> tuple[Indices, Indices, Indices]:
    """Split neurons, without copies, into one of each mirror pair, the other, and its partner."""
    if len(keys) == 0:
        none = np.empty(0, dtype=np.intp)
        return none, none, none
    distance = _EQUAL * max(1.0, float(np.abs(keys).max()))
    copies = cKDTree(keys).query_pairs(distance, output_type="ndarray")
    unique = np.setdiff1d(np.arange(len(keys)), copies[:, 1])
    gaps, partner = cKDTree(keys[unique]).query(-keys[unique], distance_upper_bound=distance)
    is_mirror = np.isfinite(gaps) & (partner < np.arange(len(unique)))
    mirrored = np.flatnonzero(is_mirror)
    return unique[~is_mirror], unique[mirrored], unique[partner[mirrored]]


def _on_samples(activation: Activation, theta: Array, degree: int) -> Array:
    """Values of neurons that are polynomials, at points enough to tell them apart."""
    d = theta.shape[1] - 1
    count = 3 * comb(d + degree, degree) + 7
    x = np.random.default_rng(0).uniform(-1.0, 1.0, (count, d))
    return activation(x @ theta[:, :-1].T + theta[:, -1])


def _independent_columns(values: Array) -> Indices:
    norms = np.linalg.norm(values, axis=0)
    present = np.flatnonzero(norms > 0)
    if len(present) == 0:
        return present
    R, pivots = qr(values[:, present] / norms[present], mode="r", pivoting=True)
    diagonal = np.abs(np.diagonal(R))
    chosen: Indices = present[pivots[: int((diagonal > _DEPENDENT * diagonal[0]).sum())]]
    return chosen
