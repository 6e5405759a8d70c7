"""Functions all of whose derivatives are known: what exact solutions are made of.

A *jet* is a function of one variable with its derivatives, ``g(t, m)`` = g⁽ᵐ⁾(t). A :class:`Known`
function of several variables is made of jets: products ∏ g_i(x_i), ridge functions g(w·x), radial
functions g(|x|²) and sums of these. The right-hand side that belongs to a solution is then the
operator applied to it, and nothing is derived by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb, factorial

import numpy as np
from numpy.typing import NDArray

from linnet.activations import Activation
from linnet.algebra import MultiIndex

Array = NDArray[np.float64]
Jet = Callable[[Array, int], Array]


@dataclass(frozen=True)
class Known:
    """A function with its partial derivatives.

    Parameters
    ----------
    derivative : callable
        From points (m, d) and a multi-index α to D^α u, (m,).
    """

    derivative: Callable[[Array, MultiIndex], Array]

    def __call__(self, x: Array) -> Array:
        """Values at the points x (m, d), (m,)."""
        return self.derivative(x, (0,) * x.shape[1])

    def gradient(self, x: Array) -> Array:
        """The gradient at the points x (m, d), (m, d)."""
        units = np.eye(x.shape[1], dtype=int)
        return np.stack([self.derivative(x, tuple(unit.tolist())) for unit in units], axis=1)

    def __add__(self, other: Known) -> Known:
        return Known(lambda x, alpha: self.derivative(x, alpha) + other.derivative(x, alpha))

    def __rmul__(self, factor: float) -> Known:
        return Known(lambda x, alpha: factor * self.derivative(x, alpha))


def product(*jets: Jet) -> Known:
    """∏ g_i(x_i)."""

    def derivative(x: Array, alpha: MultiIndex) -> Array:
        values = [g(x[:, i], m) for i, (g, m) in enumerate(zip(jets, alpha, strict=True))]
        return np.asarray(np.prod(values, axis=0))

    return Known(derivative)


def ridge(jet: Jet, w: Sequence[float], b: float = 0.0) -> Known:
    """g(w·x + b)."""
    direction = np.asarray(w, dtype=np.float64)

    def derivative(x: Array, alpha: MultiIndex) -> Array:
        power = float(np.prod(direction ** np.asarray(alpha)))
        return power * jet(x @ direction + b, sum(alpha))

    return Known(derivative)


def radial(jet: Jet, center: Sequence[float] | float = 0.0) -> Known:
    """g(|x − c|²), with derivatives to the second order."""

    def derivative(x: Array, alpha: MultiIndex) -> Array:
        y = x - np.asarray(center)
        s = (y**2).sum(axis=1)
        axes = [i for i, m in enumerate(alpha) for _ in range(m)]
        if len(axes) > 2:
            raise NotImplementedError("radial functions are differentiated twice at most")
        value = jet(s, len(axes))
        for axis in axes:
            value = value * (2.0 * y[:, axis])
        return value + 2.0 * jet(s, 1) if len(axes) == 2 and axes[0] == axes[1] else value

    return Known(derivative)


# ---------------------------------------------------------------------------------------- jets


def sine(k: float, phase: float = 0.0) -> Jet:
    """sin(kt + phase)."""
    return lambda t, m: k**m * np.sin(k * t + (phase + m * np.pi / 2))


def cosine(k: float) -> Jet:
    """cos(kt)."""
    return sine(k, np.pi / 2)


def exponential(a: float, shift: float = 0.0) -> Jet:
    """exp(a(t − shift))."""
    return lambda t, m: a**m * np.exp(a * (t - shift))


def polynomial(*coefficients: float) -> Jet:
    """c₀ + c₁t + c₂t² + …."""
    p = np.polynomial.Polynomial(coefficients)
    return lambda t, m: np.asarray(p.deriv(m)(t) if m else p(t))


def witch(c: float) -> Jet:
    """1/(1 + c²t²), Runge's function: the imaginary part of 1/(ct − i)."""

    def jet(t: Array, m: int) -> Array:
        angle, modulus = np.arctan2(1.0, c * t), np.hypot(1.0, c * t)
        sines = np.sin((m + 1) * angle) / modulus ** (m + 1)
        return np.asarray((-c) ** m * factorial(m) * sines)

    return jet


def reciprocal(a: float) -> Jet:
    """1/(1 + at), for radial functions 1/(1 + a|x|²)."""
    return lambda t, m: np.asarray((-a) ** m * factorial(m) / (1.0 + a * t) ** (m + 1))


def scaled(activation: Activation, k: float, shift: float = 0.0) -> Jet:
    """σ(k(t − shift)) for any of linnet's activations."""
    return lambda t, m: k**m * activation(k * (t - shift), m)


def constant(c: float) -> Jet:
    """C for every t."""
    return polynomial(c)


def times(f: Jet, g: Jet) -> Jet:
    """f(t) g(t), by Leibniz' rule."""
    return lambda t, m: np.sum([comb(m, i) * f(t, i) * g(t, m - i) for i in range(m + 1)], axis=0)


def exp_of(g: Jet) -> Jet:
    """h = exp(g(t)), by Leibniz' rule for h′ = g′h."""

    def jet(t: Array, m: int) -> Array:
        h = [np.exp(g(t, 0))]
        for k in range(m):
            h.append(np.sum([comb(k, i) * g(t, i + 1) * h[k - i] for i in range(k + 1)], axis=0))
        return h[m]

    return jet


def signed_power(p: int) -> Jet:
    """|t|ᵖ sign(t): its derivative of order p jumps."""

    def jet(t: Array, m: int) -> Array:
        scale = factorial(p) / factorial(p - m)
        return scale * np.abs(t) ** (p - m) * (np.sign(t) if m % 2 == 0 else np.ones_like(t))

    return jet
