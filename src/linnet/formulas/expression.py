"""What a formula with an unknown means: Σ c(x) D^α u D^β v, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from linnet.formulas.derive import Derivatives
from linnet.formulas.tree import ONE, ZERO, Node, is_number, negative, plus, times

MultiIndex = tuple[int, ...]

MOST_TERMS = 5000
HIGHEST = 8  # order of a derivative


class RefusedError(Exception):
    """An operation that means nothing: the reason and the remedy."""

    def __init__(self, reason: str, remedy: str = "") -> None:
        super().__init__(reason)
        self.reason, self.remedy = reason, remedy


class Key(NamedTuple):
    """What a coefficient multiplies.

    Attributes
    ----------
    u, v : multi-index or None
        Derivative of the unknown and of the test function; None where it is not there.
    normal : tuple of int
        Axes of the components of the outward normal, ascending.
    """

    u: MultiIndex | None = None
    v: MultiIndex | None = None
    normal: tuple[int, ...] = ()


PLAIN = Key()


@dataclass(frozen=True)
class Expression:
    """Σ c(x) · n_i … · D^α u · D^β v, linear in u and in v, with terms of neither as well."""

    terms: Mapping[Key, Node]

    @classmethod
    def of(cls, node: Node) -> Expression:
        """A function of the point alone."""
        return cls({} if is_number(node, 0) else {PLAIN: node})

    @property
    def plain(self) -> Node | None:
        """The function of the point that it is; None if there is more in it."""
        return self.terms.get(PLAIN, ZERO) if set(self.terms) <= {PLAIN} else None

    def has(self, name: str) -> bool:
        """Whether 'u', 'v' or the 'normal' occurs."""
        return any(getattr(key, name) not in (None, ()) for key in self.terms)

    def part(self, u: bool, v: bool) -> Expression:
        """The terms in which u, and v, do or do not occur."""
        chosen = {
            key: c
            for key, c in self.terms.items()
            if ((key.u is not None), (key.v is not None)) == (u, v)
        }
        return Expression(chosen)

    def __add__(self, other: Expression) -> Expression:
        terms = dict(self.terms)
        for key, c in other.terms.items():
            terms[key] = plus(terms[key], c) if key in terms else c
        return _limited(terms)

    def __neg__(self) -> Expression:
        return Expression({key: negative(c) for key, c in self.terms.items()})

    def __sub__(self, other: Expression) -> Expression:
        return self + -other

    def __mul__(self, other: Expression) -> Expression:
        terms: dict[Key, Node] = {}
        for a, c in self.terms.items():
            for b, e in other.terms.items():
                u, v = _one(a.u, b.u, "unknown"), _one(a.v, b.v, "test function")
                key = Key(u, v, tuple(sorted(a.normal + b.normal)))
                product = times(c, e)
                terms[key] = plus(terms[key], product) if key in terms else product
                if len(terms) > MOST_TERMS:
                    raise RefusedError("this has too many terms")
        return _limited(terms)

    def partial(self, axis: int, variable: str, derivative: Derivatives) -> Expression:
        """The derivative along an axis, by the product rule; the normal counts as constant."""
        result = Expression({})
        for key, c in self.terms.items():
            result += Expression({key: derivative(c, variable)})
            if key.u is not None:
                result += Expression({key._replace(u=_raised(key.u, axis)): c})
            if key.v is not None:
                result += Expression({key._replace(v=_raised(key.v, axis)): c})
        return result


Vector = tuple[Expression, ...]
Value = Expression | Vector


def unknown(dim: int, test: bool = False) -> Expression:
    """The unknown itself, or the test function."""
    zero = (0,) * dim
    return Expression({Key(v=zero) if test else Key(u=zero): ONE})


def normal(axis: int) -> Expression:
    """A component of the outward normal."""
    return Expression({Key(normal=(axis,)): ONE})


def total(parts: Vector) -> Expression:
    """The sum of some expressions."""
    result = Expression({})
    for part in parts:
        result += part
    return result


def _limited(terms: dict[Key, Node]) -> Expression:
    if len(terms) > MOST_TERMS:
        raise RefusedError("this has too many terms")
    return Expression({key: c for key, c in terms.items() if not is_number(c, 0)})


def _one(a: MultiIndex | None, b: MultiIndex | None, what: str) -> MultiIndex | None:
    if a is not None and b is not None:
        raise RefusedError(
            f"this multiplies the {what} by itself, and is not linear",
            "linnet solves linear problems",
        )
    return b if a is None else a


def _raised(alpha: MultiIndex, axis: int) -> MultiIndex:
    if sum(alpha) >= HIGHEST:
        raise RefusedError(f"derivatives of an order above {HIGHEST} are not taken")
    return (*alpha[:axis], alpha[axis] + 1, *alpha[axis + 1 :])
