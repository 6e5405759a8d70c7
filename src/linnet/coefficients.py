"""Variable coefficients as data: polynomials over a few functions of the point.

A coefficient is Σ_t s_t·(atom · atom · …), with numbers s_t and *atoms*: functions that the user
gave, components of their gradients, and components of the outward normal. Sums, products and
derivatives of coefficients are again coefficients, so that the product rule in
``-div(a * grad(u))`` is carried out once, on data, and never at a point.
"""

from __future__ import annotations

import itertools
import numbers
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linnet.errors import AlgebraError, ArgumentError, SmoothnessError

Array = NDArray[np.float64]
Scalar = float | complex
PointFunction = Callable[[Array], NDArray[np.generic]]

_ROUNDOFF = 1e-14

_serial = itertools.count()


@dataclass(eq=False)
class Atom:
    """A function of the point; two atoms are the same only if they are the same object."""

    name: str
    serial: int = field(default_factory=lambda: next(_serial), init=False)

    def __call__(self, x: Array, normals: Array | None) -> Array:
        """Values at the points `x` (m, d), where `normals` (m, d) are known on boundaries only."""
        raise NotImplementedError

    def derivative(self, axis: int) -> Coefficient:
        """The partial derivative along `axis`."""
        raise NotImplementedError


@dataclass(eq=False)
class Function(Atom):
    """A function that the user gave, with its gradient where it is known."""

    fn: PointFunction
    grad: PointFunction | None
    slopes: dict[int, GradientComponent] = field(default_factory=dict, init=False)

    def __call__(self, x: Array, normals: Array | None) -> Array:
        """Values of the user's function, (m,)."""
        return point_values(self.fn, x, (len(x),), self.name)

    def derivative(self, axis: int) -> Coefficient:
        """A component of the gradient that the user gave."""
        if self.grad is None:
            raise SmoothnessError(
                "Coefficient",
                self.name,
                "its derivative is needed here, and no gradient was given",
                "Give it as Coefficient(f, grad=...), grad from points (m, d) to values (m, d)",
            )
        slope = GradientComponent(f"∂{axis}{self.name}", self.grad, axis)
        return Coefficient.of_atom(self.slopes.setdefault(axis, slope))  # one atom per axis


@dataclass(eq=False)
class GradientComponent(Atom):
    """One component of a gradient that the user gave."""

    grad: PointFunction
    axis: int

    def __call__(self, x: Array, normals: Array | None) -> Array:
        """Values of one component, (m,)."""
        return point_values(self.grad, x, x.shape, self.name)[:, self.axis]

    def derivative(self, axis: int) -> Coefficient:
        """Refused: second derivatives are not known."""
        raise SmoothnessError(
            "Coefficient",
            self.name,
            "its second derivative is needed here, and only the gradient is known",
            "Expand the operator, giving each derivative as a Coefficient of its own",
        )


@dataclass(eq=False)
class NormalComponent(Atom):
    """One component of the outward normal; it exists on boundaries only."""

    axis: int

    def __call__(self, x: Array, normals: Array | None) -> Array:
        """One component of the normals, (m,)."""
        if normals is None:
            raise ArgumentError(
                "on",
                "the interior",
                "the outward normal does not exist there",
                "State the equation or the integral on a boundary or on faces of it",
            )
        return normals[:, self.axis]

    def derivative(self, axis: int) -> Coefficient:
        """Refused: there is no derivative across the boundary."""
        raise SmoothnessError(
            "normal",
            self.name,
            "the normal is known on the boundary only and has no derivative across it",
            "Differentiate first and multiply by the normal afterwards",
        )


_normals: dict[int, NormalComponent] = {}


def normal_component(axis: int) -> Coefficient:
    """The component n_axis of the outward normal, one atom per axis."""
    atom = _normals.setdefault(axis, NormalComponent(f"n{axis}", axis))
    return Coefficient.of_atom(atom)


Monomial = tuple[Atom, ...]


class Coefficient:
    """A number or a function of the point, with arithmetic that carries its gradient.

    Parameters
    ----------
    value : number or callable
        A constant, or a function from points (m, d) to values (m,).
    grad : callable, optional
        Its gradient, from points (m, d) to values (m, d); needed only where an operator
        differentiates the coefficient, as in ``div(a * grad(u))``.
    name : str, optional
        How the coefficient is called in messages.
    """

    __slots__ = ("terms",)
    __array_ufunc__ = None
    terms: Mapping[Monomial, Scalar]

    def __init__(
        self,
        value: Scalar | PointFunction,
        grad: PointFunction | None = None,
        name: str | None = None,
    ) -> None:
        if isinstance(value, numbers.Number):
            constant = check_number(value, "value")
            self.terms = {(): constant} if constant != 0 else {}
        elif callable(value):
            if grad is not None and not callable(grad):
                raise ArgumentError(
                    "grad", grad, "it is no function", "Give a function from (m, d) to (m, d)"
                )
            self.terms = {(Function(name or _name_of(value), value, grad),): 1.0}
        else:
            raise ArgumentError(
                "value",
                value,
                "a coefficient is a number or a function of the points",
                "Give a number, or a function from points (m, d) to values (m,)",
            )

    @classmethod
    def _of(cls, terms: Mapping[Monomial, Scalar]) -> Coefficient:
        new = cls.__new__(cls)
        new.terms = {monomial: s for monomial, s in terms.items() if s != 0}
        return new

    @classmethod
    def of_atom(cls, atom: Atom) -> Coefficient:
        """The coefficient that is this atom alone."""
        return cls._of({(atom,): 1.0})

    # ------------------------------------------------------------------ algebra

    def __add__(self, other: object) -> Coefficient:
        right = as_coefficient(other)
        if right is None:
            return NotImplemented
        terms = dict(self.terms)
        for monomial, s in right.terms.items():
            terms[monomial] = terms.get(monomial, 0.0) + s
        return Coefficient._of(terms)

    __radd__ = __add__

    def __neg__(self) -> Coefficient:
        return Coefficient._of({monomial: -s for monomial, s in self.terms.items()})

    def __sub__(self, other: object) -> Coefficient:
        right = as_coefficient(other)
        return NotImplemented if right is None else self + (-right)

    def __rsub__(self, other: object) -> Coefficient:
        return -self + other

    def __mul__(self, other: object) -> Coefficient:
        right = as_coefficient(other)
        if right is None:
            return NotImplemented
        terms: dict[Monomial, Scalar] = {}
        for (left_atoms, s), (right_atoms, t) in itertools.product(
            self.terms.items(), right.terms.items()
        ):
            monomial = tuple(sorted(left_atoms + right_atoms, key=lambda atom: atom.serial))
            terms[monomial] = terms.get(monomial, 0.0) + s * t
        return Coefficient._of(terms)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Coefficient:
        if not isinstance(other, numbers.Number):
            raise AlgebraError(
                "division",
                other,
                "only a division by a number is carried out on data",
                "Give the quotient as a Coefficient of its own, with its gradient if needed",
            )
        return self * (1.0 / check_number(other, "divisor", nonzero=True))

    def __rtruediv__(self, other: object) -> Coefficient:
        raise AlgebraError(
            "division",
            self,
            "only a division by a number is carried out on data",
            "Give the quotient as a Coefficient of its own, with its gradient if needed",
        )

    def __pow__(self, exponent: int) -> Coefficient:
        if not isinstance(exponent, numbers.Integral) or exponent < 0:
            raise AlgebraError(
                "exponent",
                exponent,
                "only whole powers from 0 on are carried out on data",
                "Give the power as a Coefficient of its own, with its gradient if needed",
            )
        result = Coefficient(1.0)
        for _ in range(int(exponent)):
            result = result * self
        return result

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Coefficient) and self.terms == other.terms

    __hash__ = None  # type: ignore[assignment]

    def near(self, other: Coefficient) -> bool:
        """Whether it is the same up to roundoff in its numbers."""
        size = max(map(abs, [*self.terms.values(), *other.terms.values()]), default=0.0)
        return all(abs(s) <= _ROUNDOFF * size for s in (self - other).terms.values())

    def derivative(self, axis: int) -> Coefficient:
        """∂/∂x_axis by the product rule."""
        result = Coefficient(0.0)
        for atoms, s in self.terms.items():
            for i, atom in enumerate(atoms):
                rest = Coefficient._of({atoms[:i] + atoms[i + 1 :]: s})
                result = result + rest * atom.derivative(axis)
        return result

    # ------------------------------------------------------------------ values

    @property
    def constant(self) -> Scalar | None:
        """The number that it is, or None where it varies."""
        if not self.terms:
            return 0.0
        return self.terms[()] if set(self.terms) == {()} else None

    def __call__(self, x: Array, normals: Array | None = None) -> NDArray[np.generic]:
        """Values (m,) at the points `x` (m, d)."""
        total: NDArray[Any] = np.zeros(len(x))
        for atoms, s in self.terms.items():
            total = total + s * monomial_values(atoms, x, normals)
        return total

    def __repr__(self) -> str:
        if not self.terms:
            return "0"
        parts = []
        for atoms, s in self.terms.items():
            names = "·".join(atom.name for atom in atoms)
            parts.append(names if s == 1 and names else f"{s:g}" + (f"·{names}" if names else ""))
        return " + ".join(parts)


def monomial_values(atoms: Monomial, x: Array, normals: Array | None) -> Array:
    """The product of the atoms at the points, (m,)."""
    product = np.ones(len(x))
    for atom in atoms:
        product *= atom(x, normals)
    return product


def point_values(fn: PointFunction, x: Array, shape: tuple[int, ...], name: str) -> Array:
    """``fn(x)`` as a float array of `shape`, refused where it is not finite.

    Parameters
    ----------
    fn : callable
        A function of the points.
    x : ndarray, shape (m, d)
    shape : tuple of int
        The shape that the values must have; a number is broadcast to it.
    name : str
        What the function is called in messages.
    """
    given = np.asarray(fn(x))
    if np.iscomplexobj(given):
        raise ArgumentError(
            name, given.dtype, "complex problems are not solved yet", "Give real values"
        )
    values = np.asarray(given, dtype=np.float64)
    if values.shape != shape and values.ndim:
        raise ArgumentError(
            name,
            values.shape,
            f"for points of shape {x.shape} its values must have the shape {shape}",
            "Write it with array operations over the rows of x, as in x[:, 0] ** 2",
        )
    values = np.broadcast_to(values, shape)
    check_finite(values, x, name)
    return values


def check_finite(values: Array, x: Array, name: str) -> None:
    """Refuse values that are not finite, naming the first point where that is so."""
    finite = np.isfinite(values)
    if not finite.all():
        row = int(np.argmin(finite.reshape(len(x), -1).all(axis=1)))
        raise ArgumentError(
            name,
            values.reshape(len(x), -1)[row].tolist(),
            f"it is not finite at the point {x[row].tolist()}",
            "Give data that are finite on the whole domain, or choose a rule without that point",
        )


def check_number(value: object, argument: str, nonzero: bool = False) -> Scalar:
    """A finite real or complex number as a Python number."""
    number: complex = complex(value)  # type: ignore[call-overload]
    if not np.isfinite(number) or (nonzero and number == 0):
        raise ArgumentError(
            argument, value, "it is not a finite" + " nonzero" * nonzero + " number", "Check it"
        )
    return float(number.real) if number.imag == 0 else number


def as_coefficient(value: object) -> Coefficient | None:
    """A coefficient from a coefficient or a number; None for anything else."""
    if isinstance(value, Coefficient):
        return value
    return Coefficient(value) if isinstance(value, numbers.Number) else None  # type: ignore[arg-type]


def _name_of(fn: Callable[..., object]) -> str:
    return getattr(fn, "__name__", type(fn).__name__)
