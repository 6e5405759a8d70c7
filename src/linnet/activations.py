"""Activation functions: values and derivatives of every order that exists.

Everything linnet evaluates is Σ_m σ⁽ᵐ⁾(z) p_m, so an activation is its *jet*: several
derivatives at the same points, sharing the expensive part (one tanh, one exponential).
"""

from __future__ import annotations

import abc
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from linnet.errors import ArgumentError, FileFormatError, SmoothnessError
from linnet.trigonometry import sine_and_cosine

Array = npt.NDArray[np.float64]


class Activation(abc.ABC):
    """A function σ of one variable with its derivatives.

    To add one, derive a frozen dataclass whose fields are JSON-able and write `jet`. It is
    registered under its class name, so networks that use it can be saved and loaded.

    Attributes
    ----------
    max_order : int or None
        Highest derivative that exists; None: all of them.
    degree : int or None
        k where σ is 0 for z ≤ 0 and zᵏ for z ≥ 0, so that it is homogeneous; else None.
    reflection : (int, int) or None
        (s, q): σ(−z) = s·σ(z) + a polynomial of degree q (−1: nothing). None: no such law.

    Examples
    --------
    >>> Tanh()([0.0, 1.0], order=1).round(3).tolist()
    [1.0, 0.42]
    """

    max_order: int | None = None
    degree: int | None = None
    reflection: tuple[int, int] | None = None

    _registry: ClassVar[dict[str, type[Activation]]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        known = Activation._registry.setdefault(cls.__name__, cls)
        if (known.__module__, known.__qualname__) != (cls.__module__, cls.__qualname__):
            reason = f"an activation of this name exists in {known.__module__}"
            remedy = "Give the class another name: saved networks find theirs by it"
            raise ArgumentError("class", cls.__name__, reason, remedy)
        Activation._registry[cls.__name__] = cls  # the same class, executed again (a notebook)

    @abc.abstractmethod
    def jet(self, z: Array, orders: Iterable[int]) -> dict[int, Array]:
        """Derivatives of several orders at every element of `z`.

        Parameters
        ----------
        z : ndarray of float64, any shape but ()
            Where to evaluate. **It may be overwritten**, and its buffer returned.
        orders : iterable of int
            The orders wanted.

        Returns
        -------
        dict of int to ndarray
            One array of the shape of `z` per order, each with a buffer of its own, which
            the caller may overwrite.
        """

    def __call__(self, z: npt.ArrayLike, order: int = 0) -> Array:
        """σ⁽ᵒʳᵈᵉʳ⁾(z), elementwise.

        Parameters
        ----------
        z : array_like of real numbers, any shape
            Left untouched.
        order : int, optional
            Order of the derivative.

        Returns
        -------
        ndarray of float64
            A new array of the shape of `z`.
        """
        self.check_order(order)
        given = np.asarray(z)
        if given.dtype.kind not in "buif":
            raise ArgumentError("z", z, "activations take real numbers", "Pass an array of floats")
        values = np.array(given, dtype=np.float64)
        return self.jet(np.atleast_1d(values), (order,))[order].reshape(values.shape)

    def check_order(self, order: int) -> None:
        """Refuse a derivative that does not exist.

        Raises
        ------
        SmoothnessError
            If `order` is above `max_order`.
        ArgumentError
            If `order` is no integer ≥ 0.
        """
        if isinstance(order, bool) or not isinstance(order, int | np.integer) or order < 0:
            reason = "the order of a derivative is an integer ≥ 0"
            raise ArgumentError("order", order, reason, "Pass 0, 1, 2, …")
        if self.max_order is not None and order > self.max_order:
            instead = "Use" if self.degree is None else f"Use ReLU(k) with k > {order}, or"
            raise SmoothnessError(
                "order",
                order,
                f"the highest derivative of {self!r} is of order {self.max_order}",
                f"{instead} a smooth activation such as Tanh(), or the weak form, "
                "which needs fewer derivatives",
            )

    def _checked(self, orders: Iterable[int]) -> list[int]:
        """`orders` without repetition, ascending, each one checked."""
        wanted = sorted(set(orders))
        for order in wanted:
            self.check_order(order)
        return wanted

    def spec(self) -> dict[str, Any]:
        """The activation as JSON-able data, e.g. ``{"name": "ReLU", "k": 2}``."""
        names = getattr(self, "__dataclass_fields__", ())
        return {"name": type(self).__name__} | {name: getattr(self, name) for name in names}


def from_spec(spec: dict[str, Any]) -> Activation:
    """The activation that :meth:`Activation.spec` described.

    Parameters
    ----------
    spec : dict
        ``{"name": class name, field: value, …}``.

    Raises
    ------
    FileFormatError
        If no activation of that name is known, or it has no such fields.
    """
    fields = dict(spec)
    name = fields.pop("name", None)
    cls = Activation._registry.get(str(name))
    if cls is None:
        reason = f"no activation of this name is known ({', '.join(Activation._registry)} are)"
        remedy = "Import the module that defines the class first"
        raise FileFormatError("name", name, reason, remedy)
    try:
        return cls(**fields)
    except (TypeError, ArgumentError) as error:
        reason = f"{cls.__name__} does not take these fields ({error})"
        remedy = "Load the file with the version that wrote it"
        raise FileFormatError("spec", spec, reason, remedy) from error


@dataclass(frozen=True)
class ReLU(Activation):
    """max(z, 0)ᵏ, the activation of the paper's ReLUᵏ networks.

    Parameters
    ----------
    k : int
        Power, at least 1. The k-th derivative is k! times a step, taken almost everywhere
        (0 at z = 0).
    """

    k: int = 1

    def __post_init__(self) -> None:
        if isinstance(self.k, bool) or not isinstance(self.k, int | np.integer) or self.k < 1:
            reason = "the power of a ReLU is an integer ≥ 1"
            raise ArgumentError("k", self.k, reason, "Pass k = 1, 2, 3, …")
        k = int(self.k)  # σ(−z) = (−1)ᵏ⁺¹ σ(z) + (−z)ᵏ
        derived = {"k": k, "max_order": k, "degree": k, "reflection": ((-1) ** (k + 1), k)}
        for name, value in derived.items():
            object.__setattr__(self, name, value)  # the dataclass is frozen

    def jet(self, z: Array, orders: Iterable[int]) -> dict[int, Array]:
        """k!/(k−m)! r^(k−m) with r = max(z, 0); `z` is overwritten."""
        wanted = self._checked(orders)
        powers = [self.k - m for m in reversed(wanted)]  # ascending
        found: dict[int, Array] = {}
        if 0 in powers:
            found[0] = np.greater(z, 0.0, out=np.empty_like(z))  # np.where is ten times slower
            powers.remove(0)
        if powers:
            zeros = np.zeros(z.shape[-1])  # with the scalar 0.0, NumPy takes four times as long
            found |= _powers(np.maximum(z, zeros, out=z), powers)
        for m in wanted:
            if m > 0 and (factor := math.perm(self.k, m)) != 1:
                found[self.k - m] *= factor
        return {m: found[self.k - m] for m in wanted}


def _powers(r: Array, wanted: list[int]) -> dict[int, Array]:
    """r^p for every p ≥ 1 in `wanted`, by multiplication; `r` is one of the results."""
    found: dict[int, Array] = {}
    last = wanted[-1]
    power = r
    for p in range(1, last + 1):
        if p == 2:  # the last product may overwrite r unless r itself is wanted
            power = np.multiply(r, r, out=r if last == 2 and 1 not in wanted else None)
        elif p > 2:
            power = np.multiply(power, r, out=None if p - 1 in wanted else power)
        if p in wanted:
            found[p] = power
    return found


@dataclass(frozen=True)
class Tanh(Activation):
    """The hyperbolic tangent; its derivatives are polynomials in t = tanh z."""

    reflection = (-1, -1)

    def jet(self, z: Array, orders: Iterable[int]) -> dict[int, Array]:
        """One tanh for all orders; `z` is overwritten."""
        return _polynomials(_tanh_coefficients, np.tanh(z, out=z), self._checked(orders))


@dataclass(frozen=True)
class Sine(Activation):
    """sin z."""

    reflection = (-1, -1)

    def jet(self, z: Array, orders: Iterable[int]) -> dict[int, Array]:
        """One sine and one cosine for all orders; `z` is overwritten."""
        return _cycle(z, self._checked(orders), shift=0)


@dataclass(frozen=True)
class Cosine(Activation):
    """cos z."""

    reflection = (1, -1)

    def jet(self, z: Array, orders: Iterable[int]) -> dict[int, Array]:
        """One sine and one cosine for all orders; `z` is overwritten."""
        return _cycle(z, self._checked(orders), shift=1)


def _cycle(z: Array, orders: list[int], shift: int) -> dict[int, Array]:
    """The derivatives of order m + shift of the sine: sin, cos, −sin, −cos."""
    odd = [m for m in orders if (m + shift) % 2]
    even = [m for m in orders if (m + shift) % 2 == 0]
    sine, cosine = sine_and_cosine(z, bool(even), bool(odd))
    jet: dict[int, Array] = {}
    for family, value in ((odd, cosine), (even, sine)):
        if value is not None:
            jet |= {m: value.copy() for m in family[1:]} | {family[0]: value}
    for m, value in jet.items():
        if (m + shift) % 4 >= 2:
            np.negative(value, out=value)
    return jet


@dataclass(frozen=True)
class Gaussian(Activation):
    """exp(−z²/2); its derivatives are (−1)ᵐ Heₘ(z) exp(−z²/2)."""

    reflection = (1, -1)

    def jet(self, z: Array, orders: Iterable[int]) -> dict[int, Array]:
        """One exponential for all orders; `z` is overwritten."""
        np.clip(z, -40.0, 40.0, out=z)  # exp(−800) is 0 already; keeps Heₘ·0 from being inf·0
        bell = z * z
        bell *= -0.5
        np.exp(bell, out=bell)
        wanted = self._checked(orders)
        jet = _polynomials(_hermite_coefficients, z, [m for m in wanted if m > 0])
        for value in jet.values():
            value *= bell
        return jet | {0: bell} if 0 in wanted else jet


@dataclass(frozen=True)
class Sigmoid(Activation):
    """1/(1 + exp(−z)); its derivatives are polynomials in s = σ(z)."""

    reflection = (-1, 0)  # σ(−z) = 1 − σ(z)

    def jet(self, z: Array, orders: Iterable[int]) -> dict[int, Array]:
        """One exponential for all orders; `z` is overwritten."""
        return _polynomials(_sigmoid_coefficients, expit(z, out=z), self._checked(orders))


@dataclass(frozen=True)
class Softplus(Activation):
    """log(1 + exp z); its derivative is the sigmoid."""

    reflection = (1, 1)  # σ(−z) = σ(z) − z

    def jet(self, z: Array, orders: Iterable[int]) -> dict[int, Array]:
        """One logarithm for order 0, one sigmoid for all others; `z` is overwritten."""
        wanted = self._checked(orders)
        jet = {0: _softplus(z)} if 0 in wanted else {}
        higher = [m - 1 for m in wanted if m > 0]
        if higher:
            sigmoid = _polynomials(_sigmoid_coefficients, expit(z, out=z), higher)
            jet |= {m + 1: value for m, value in sigmoid.items()}
        return jet


def _softplus(z: Array) -> Array:
    """max(z, 0) + log1p(exp(−|z|)), in a new array (np.logaddexp takes ten times as long)."""
    value = np.abs(z)
    np.negative(value, out=value)
    np.exp(value, out=value)
    np.log1p(value, out=value)
    value += np.maximum(z, 0.0)
    return value


Coefficients = tuple[int, ...]


def _polynomials(
    coefficients: Callable[[int], Coefficients], x: Array, orders: list[int]
) -> dict[int, Array]:
    """P_m(x) for each order m; x itself, untouched, is the result where P_m(x) = x."""
    jet: dict[int, Array] = {}
    squares: Array | None = None
    for m in orders:
        c = coefficients(m)
        parity = next((p for p in (0, 1) if not any(c[1 - p :: 2])), None)
        if c == (0, 1):
            jet[m] = x
        elif parity is None or len(c) <= 2:
            jet[m] = _horner(c, x)
        else:  # an even or odd polynomial: one of x², in half the passes
            squares = x * x if squares is None else squares
            jet[m] = _horner(c[parity::2], squares)
            if parity == 1:
                jet[m] *= x
    return jet


def _horner(c: Coefficients, x: Array) -> Array:
    """Σ c_i xⁱ in a new array."""
    if len(c) == 1:
        return np.full_like(x, c[0])
    value = x * float(c[-1])
    for a in c[-2:0:-1]:
        if a:
            value += float(a)
        value *= x
    if c[0]:
        value += float(c[0])
    return value


def _differentiate(c: Coefficients) -> Coefficients:
    """Coefficients of the derivative of a polynomial."""
    return tuple(i * a for i, a in enumerate(c))[1:] or (0,)


def _multiply(a: Coefficients, b: Coefficients) -> Coefficients:
    """Coefficients of the product of two polynomials, in exact integers."""
    product = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            product[i + j] += x * y
    return tuple(product)


@cache
def _tanh_coefficients(m: int) -> Coefficients:
    """tanh⁽ᵐ⁾ = P_m(tanh): P_0 = t, P_{m+1} = (1 − t²) P_m′."""
    return (0, 1) if m == 0 else _multiply((1, 0, -1), _differentiate(_tanh_coefficients(m - 1)))


@cache
def _sigmoid_coefficients(m: int) -> Coefficients:
    """σ⁽ᵐ⁾ = P_m(σ): P_0 = s, P_{m+1} = s(1 − s) P_m′."""
    return (0, 1) if m == 0 else _multiply((0, 1, -1), _differentiate(_sigmoid_coefficients(m - 1)))


@cache
def _hermite_coefficients(m: int) -> Coefficients:
    """g⁽ᵐ⁾ = P_m g for g = exp(−z²/2): P_0 = 1, P_{m+1} = P_m′ − z P_m."""
    if m == 0:
        return (1,)
    last = _hermite_coefficients(m - 1)
    slope = _differentiate(last) + (0,) * (len(last) + 1)
    return tuple(a - b for a, b in zip(slope, (0, *last), strict=False))
