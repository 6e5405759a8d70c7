"""Families of networks, each with one number to choose: the spacing of its hidden parameters.

A family lays n neurons out quasi-uniformly, *h* apart. Small h is a smooth and ill-conditioned
basis for smooth solutions, large h one that resolves detail; beyond some h the neurons are too far
from each other to approximate anything. In this unit the useful range is the same for all n and
nearly so for all dimensions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from linnet import neurons
from linnet.activations import Activation, Gaussian, Sine, Tanh
from linnet.network import Network

Array = NDArray[np.float64]

_OVERLAP = 1.3  # biases of ridge functions on [−1, 1] reach so far, relative to the slope


@dataclass(frozen=True)
class Family:
    """An activation, and how its hidden parameters are laid out.

    Attributes
    ----------
    name : str
    activation : Activation
    layout : callable
        From the number of neurons, the dimension and the spacing to hidden parameters.
    spacings : tuple of float
        Where the search for a spacing begins, descending.
    """

    name: str
    activation: Activation
    layout: Callable[[int, int, float], Array]
    spacings: tuple[float, ...]

    def network(self, n: int, dim: int, spacing: float) -> Network:
        """The network of about n neurons that lie `spacing` apart."""
        return Network(self.activation, self.layout(n, dim, spacing))


@cache
def families(dim: int) -> tuple[Family, ...]:
    """The families that are worth a trial in a dimension, the best on the whole first.

    ReLUᵏ networks are none of them: on no problem of the catalogue, the rough ones included, did
    they come first at the same width.
    """
    sine = Family("sine, half ball", Sine(), _half_ball, (2.0, 1.5, 1.0, 0.6, 0.3))
    if dim == 1:
        return (
            sine,
            Family("tanh, Petrushev", Tanh(), _ridges, (0.3, 0.17, 0.1)),
            Family("Gaussian, Petrushev", Gaussian(), _ridges, (0.6, 0.35, 0.2)),
        )
    return (
        sine,
        Family("tanh, sphere", Tanh(), _sphere, (0.6, 0.35, 0.2)),
        Family("Gaussian, sphere", Gaussian(), _sphere, (0.9, 0.55, 0.3)),
    )


def _half_ball(n: int, dim: int, spacing: float) -> Array:
    """Frequencies in half a ball, two phases each; n counts those of the whole ball."""
    n = max(2, n - n % 2)
    volume = math.pi ** (dim / 2) / math.gamma(dim / 2 + 1)
    return neurons.half_ball(n, dim, spacing * (n / volume) ** (1 / dim))


def _sphere(n: int, dim: int, spacing: float) -> Array:
    """Points of a sphere of dimension dim."""
    area = 2 * math.pi ** ((dim + 1) / 2) / math.gamma((dim + 1) / 2)
    radius = spacing * (n / area) ** (1 / dim)
    if dim == 2:
        return neurons.fibonacci(n, radius)
    return neurons.sobol_sphere(n, dim, radius, scramble=True, rng=0)


def _ridges(n: int, dim: int, spacing: float) -> Array:
    """Ridges at equal distances, Petrushev's scheme in one dimension."""
    slope = spacing * n / (2 * _OVERLAP)
    return neurons.petrushev(1, max(2, n), dim, slope, _OVERLAP * slope)


def given(network: Network) -> Family:
    """A network that was given, as a family: fewer neurons are a random part of it."""
    order = np.random.default_rng(0).permutation(network.n)

    def part(n: int, dim: int, spacing: float) -> Array:
        return network.theta if n >= network.n else network.theta[np.sort(order[:n])]

    return Family("the given network", network.activation, part, (1.0,))
