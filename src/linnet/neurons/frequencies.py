"""Frequencies of sine networks: deterministic points in a half ball, with two phases each.

sin(w·x) and cos(w·x) = sin(w·x + π/2) span what any phase would give, and −w spans what w
does; so each frequency comes with the phases 0 and π/2, and half of the ball is enough.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from linnet.errors import ArgumentError
from linnet.neurons.checks import count, positive
from linnet.neurons.spherical import sobol

Array = npt.NDArray[np.float64]


def spiral(n: int, radius: float) -> Array:
    """Sine neurons for domains in two dimensions: frequencies on a golden-angle spiral.

    The n/2 frequencies fill the half disk w₁ ≥ 0 of the given radius with uniform density:
    with i = ½, 3/2, … their moduli are radius·√(2i/n) and their angles π(frac(i(3 − √5)/2) − ½).
    (The golden angle is taken on the half turn: the full turn's, folded, leaves lines of
    points and loses four digits.)

    Parameters
    ----------
    n : int
        Number of neurons, even: two phases for each frequency.
    radius : float
        Greatest frequency. More resolves finer detail, and needs more neurons.

    Returns
    -------
    ndarray, shape (n, 3)
        Rows (w₁, w₂, b), to be used with `Sine`; rows 2i and 2i + 1 share a frequency and
        have b = 0 and b = π/2.
    """
    half = _pairs(n)
    i = np.arange(half) + 0.5
    modulus = positive("radius", radius) * np.sqrt(i / half)
    angle = np.pi * (np.mod(i * (3.0 - np.sqrt(5.0)) / 2.0, 1.0) - 0.5)
    return _with_phases(modulus[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]))


def half_ball(n: int, dim: int, radius: float) -> Array:
    """Sine neurons for domains of any dimension: frequencies that fill half a ball.

    dim = 1: uniform in (0, radius]; dim = 2: the `spiral`; beyond: Sobol points of the cube,
    one coordinate for the modulus U^(1/dim), the others for the direction, reflected to
    w₁ ≥ 0: uniform in volume.

    Parameters
    ----------
    n : int
        Number of neurons, even: two phases for each frequency.
    dim : int
        Dimension of the domain.
    radius : float
        Greatest frequency.

    Returns
    -------
    ndarray, shape (n, dim + 1)
        Rows (w, b), to be used with `Sine`; rows 2i and 2i + 1 share a frequency and have
        b = 0 and b = π/2.
    """
    half, dim, radius = _pairs(n), count("dim", dim), positive("radius", radius)
    if dim == 1:
        return _with_phases(radius * np.arange(1, half + 1)[:, None] / half)
    if dim == 2:
        return spiral(n, radius)
    cube = sobol(half + 2, dim)[2:]  # 0 is the frequency 0, 1 (the centre) has no direction
    direction = ndtri(cube[:, 1:])
    direction *= np.where(direction[:, :1] < 0.0, -1.0, 1.0)
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    return _with_phases(radius * cube[:, :1] ** (1.0 / dim) * direction)


def _pairs(n: int) -> int:
    """n/2, for n even."""
    if count("n", n, least=2) % 2:
        raise ArgumentError(
            "n", n, "it is odd, and each frequency has two neurons, sine and cosine", "Pass n even"
        )
    return n // 2


def _with_phases(frequencies: Array) -> Array:
    """Each frequency twice, with b = 0 and b = π/2."""
    phases = np.tile([0.0, np.pi / 2.0], len(frequencies))
    return np.column_stack([np.repeat(frequencies, 2, axis=0), phases])
