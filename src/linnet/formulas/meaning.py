"""From a formula's tree to what it means, given the names that are known."""

from __future__ import annotations

import difflib
import itertools
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from linnet.formulas.derive import Derivatives, TooComplicatedError
from linnet.formulas.expression import (
    Expression,
    RefusedError,
    Value,
    Vector,
    normal,
    total,
    unknown,
)
from linnet.formulas.functions import CONSTANTS, FUNCTIONS
from linnet.formulas.grammar import parse
from linnet.formulas.source import Formula, FormulaError
from linnet.formulas.tree import (
    NAME,
    Node,
    call,
    is_number,
    number,
    over,
    postorder,
    power,
    value_of,
)

OPERATORS = ("laplacian", "grad", "div", "dot", "d", "dn")
NORMAL = "normal"
LONGEST_CHAIN = 50  # of functions that use functions


@dataclass
class Scope:
    """The names that formulas may use.

    Attributes
    ----------
    coordinates : tuple of str
        The d coordinates.
    aliases : mapping
        Other names of coordinates, to their axes.
    unknown, test : str
        Names of the unknown and of the test function; "" for none.
    functions : mapping
        The user's own functions, by name.
    """

    coordinates: tuple[str, ...]
    aliases: Mapping[str, int] = field(default_factory=dict)
    unknown: str = ""
    test: str = ""
    functions: Mapping[str, Formula] = field(default_factory=dict)
    derivative: Derivatives = field(default_factory=Derivatives, repr=False)
    _values: dict[str, Value] = field(default_factory=dict, repr=False)
    _open: list[str] = field(default_factory=list, repr=False)

    @property
    def dim(self) -> int:
        """Number of coordinates."""
        return len(self.coordinates)

    @property
    def axes(self) -> dict[str, int]:
        """Axis of each coordinate, by all its names."""
        return dict(self.aliases) | {name: i for i, name in enumerate(self.coordinates)}

    @property
    def derivatives(self) -> dict[str, tuple[int, ...]]:
        """Axes of 'dx', 'dxx', 'dxy', …: names for coordinates of one letter."""
        single = {name: axis for name, axis in self.axes.items() if len(name) == 1}
        found: dict[str, tuple[int, ...]] = {f"d{n}": (axis,) for n, axis in self.axes.items()}
        for (a, i), (b, j) in itertools.product(single.items(), repeat=2):
            found[f"d{a}{b}"] = (i, j)
        return found

    @property
    def reserved(self) -> set[str]:
        """Names that a user's function cannot have."""
        names = {*CONSTANTS, *FUNCTIONS, *OPERATORS, NORMAL, *self.axes, *self.derivatives}
        return names | ({self.unknown, self.test} - {""})

    def meaning(self, formula: Formula, boundary: bool = False) -> Value:
        """What an expression means; `boundary`: the outward normal exists."""
        return self.meaning_of(parse(formula), formula, boundary)

    def scalar(self, formula: Formula) -> Node:
        """The tree of a function of the point."""
        tree = parse(formula)
        value = self.meaning_of(tree, formula)
        plain = value.plain if isinstance(value, Expression) else None
        if plain is None:
            raise formula.error(
                tree.span, "this must be a function of the coordinates", "Write one such as x*y"
            )
        return plain

    def meaning_of(self, tree: Node, formula: Formula, boundary: bool = False) -> Value:
        """What a tree means that was read from `formula`."""
        reader = _Meaning(self, formula, boundary)
        values: dict[int, Value] = {}
        for node in postorder(tree):
            if node.kind == NAME and node.name in OPERATORS + tuple(FUNCTIONS):
                raise formula.error(
                    node.span, f"'{node.name}' is a function", f"Write {node.name}(...)"
                )
            try:
                values[id(node)] = reader.value(node, [values[id(arg)] for arg in node.args])
            except RefusedError as refused:
                raise formula.error(node.span, refused.reason, refused.remedy) from None
            except TooComplicatedError:
                raise formula.error(
                    node.span, "its derivatives have too many parts", "Simplify it"
                ) from None
        return values[id(tree)]

    def own(self, name: str) -> Value:
        """What a function of the user's means."""
        if name not in self._values:
            formula = self.functions[name]
            whole = (0, len(formula.text))
            if name in self._open:
                raise formula.error(whole, f"'{name}' is defined by itself", "Break the circle")
            if len(self._open) >= LONGEST_CHAIN:
                raise formula.error(whole, "functions use one another in too long a chain")
            self._open.append(name)
            try:
                self._values[name] = self.meaning(formula)
            finally:
                self._open.pop()
        return self._values[name]

    def unknown_name(self, node: Node, formula: Formula) -> FormulaError:
        """The error for a name that nobody knows."""
        called = node.kind == "call"
        what = "function" if called else "name"
        pools = [*FUNCTIONS, *OPERATORS, *self.derivatives] if called else sorted(self.names)
        span = (node.span[0], node.span[0] + len(node.name))
        remedy = _nearest(node.name, pools)
        if not called and not remedy.startswith("Did"):
            remedy = f"Define it under [functions]. {remedy}"
        return formula.error(span, f"unknown {what} '{node.name}'", remedy)

    @property
    def names(self) -> set[str]:
        """Names that stand for a value."""
        own = ({self.unknown, self.test} - {""}) | set(self.functions)
        return {*CONSTANTS, NORMAL, *self.axes} | own


class _Meaning:
    """The meaning of one node, given those of its arguments."""

    def __init__(self, scope: Scope, formula: Formula, boundary: bool) -> None:
        self.scope, self.formula, self.boundary = scope, formula, boundary

    def value(self, node: Node, args: list[Value]) -> Value:
        match node.kind:
            case "number":
                return Expression.of(node)
            case "name":
                return self.name(node)
            case "vector":
                return tuple(_scalar(arg) for arg in args)
            case "call":
                return self.call(node, args)
            case "negative":
                return tuple(-e for e in args[0]) if isinstance(args[0], tuple) else -args[0]
            case "+" | "-":
                return self.sum(node.kind, *args)
            case "*":
                return self.product(*args)
            case "/":
                divisor = self.plain(args[1], "the divisor")
                if is_number(divisor, 0):
                    raise RefusedError("this divides by zero")
                return _each(args[0], lambda c: _finite(over(c, divisor)))
            case _:
                return self.power(*args)

    def name(self, node: Node) -> Value:
        scope, name = self.scope, node.name
        if name in scope.axes:
            axis = scope.axes[name]
            return Expression.of(Node(NAME, name=scope.coordinates[axis], span=node.span))
        if name in (scope.unknown, scope.test):
            return unknown(scope.dim, test=name == scope.test)
        if name in scope.functions:
            return scope.own(name)
        if name in CONSTANTS:
            return Expression.of(number(CONSTANTS[name]))
        if name == NORMAL:
            return self.normal()
        raise scope.unknown_name(node, self.formula)

    def normal(self) -> Vector:
        if not self.boundary:
            raise RefusedError(
                "the outward normal exists on the boundary only", "Use it under [boundary]"
            )
        return tuple(normal(axis) for axis in range(self.scope.dim))

    def sum(self, sign: str, a: Value, b: Value) -> Value:
        if isinstance(a, tuple) or isinstance(b, tuple):
            left, right = self.vector(a, "a summand"), self.vector(b, "a summand")
            return tuple(self._sum(sign, e, f) for e, f in zip(left, right, strict=True))
        return self._sum(sign, a, b)

    def _sum(self, sign: str, a: Expression, b: Expression) -> Expression:
        return _checked(a + b if sign == "+" else a - b)

    def product(self, a: Value, b: Value) -> Value:
        if isinstance(a, tuple) and isinstance(b, tuple):
            raise RefusedError("this multiplies two vectors", "Write dot(a, b)")
        if isinstance(a, tuple):
            a, b = b, a
        assert isinstance(a, Expression)
        if isinstance(b, tuple):
            return tuple(_checked(a * e) for e in b)
        return _checked(a * b)

    def power(self, base: Value, exponent: Value) -> Value:
        a, b = _scalar(base), self.plain(exponent, "the exponent")
        if a.plain is None:
            if is_number(b, 1):
                return a
            raise RefusedError(
                "a power of the unknown is not linear", "linnet solves linear problems"
            )
        return Expression.of(_finite(power(a.plain, b)))

    def call(self, node: Node, args: list[Value]) -> Value:
        name, scope = node.name, self.scope
        if name in FUNCTIONS:
            wanted = FUNCTIONS[name].arity
            if len(args) != wanted:
                raise RefusedError(
                    f"{name} takes {wanted} argument{'s' * (wanted > 1)}, not {len(args)}"
                )
            return Expression.of(
                _finite(call(name, *(self.plain(a, f"{name}'s argument") for a in args)))
            )
        if name in scope.derivatives:
            (argument,) = _count(name, args, 1)
            return self.along(argument, scope.derivatives[name])
        if name == "d":
            return self.d(node, args)
        if name in ("grad", "laplacian", "dn"):
            (argument,) = _count(name, args, 1)
            return self.operator(name, _scalar(argument))
        if name == "div":
            (argument,) = _count(name, args, 1)
            parts = self.vector(argument, "div's argument")
            return total(tuple(self.partial(e, axis) for axis, e in enumerate(parts)))
        if name == "dot":
            a, b = (self.vector(arg, "dot's argument") for arg in _count(name, args, 2))
            return _checked(total(tuple(e * f for e, f in zip(a, b, strict=True))))
        if name in scope.names:
            raise RefusedError(f"'{name}' takes no arguments", f"Write {name}, or {name}*(...)")
        raise scope.unknown_name(node, self.formula)

    def operator(self, name: str, argument: Expression) -> Value:
        slopes = tuple(self.partial(argument, axis) for axis in range(self.scope.dim))
        if name == "grad":
            return slopes
        if name == "dn":
            return total(tuple(n * e for n, e in zip(self.normal(), slopes, strict=True)))
        return total(tuple(self.partial(e, axis) for axis, e in enumerate(slopes)))

    def d(self, node: Node, args: list[Value]) -> Value:
        """d(u, x, y): the coordinates are named, not computed with."""
        if len(args) < 2:
            raise RefusedError("d takes an expression and coordinates", "Write d(u, x)")
        axes = []
        for arg in node.args[1:]:
            if arg.kind != NAME or arg.name not in self.scope.axes:
                raise self.formula.error(
                    arg.span,
                    "d differentiates with respect to a coordinate",
                    f"Use one of {', '.join(self.scope.coordinates)}",
                )
            axes.append(self.scope.axes[arg.name])
        return self.along(args[0], axes)

    def along(self, value: Value, axes: Iterable[int]) -> Value:
        for axis in axes:
            if isinstance(value, tuple):
                value = tuple(self.partial(e, axis) for e in value)
            else:
                value = self.partial(value, axis)
        return value

    def partial(self, expression: Expression, axis: int) -> Expression:
        return expression.partial(axis, self.scope.coordinates[axis], self.scope.derivative)

    def plain(self, value: Value, what: str) -> Node:
        tree = _scalar(value).plain
        if tree is None:
            assert isinstance(value, Expression)
            if value.has("u") or value.has("v"):
                raise RefusedError(
                    f"{what} contains the unknown, and this is not linear",
                    "linnet solves linear problems",
                )
            raise RefusedError(f"{what} contains the normal")
        return tree

    def vector(self, value: Value, what: str) -> Vector:
        if not isinstance(value, tuple):
            raise RefusedError(f"{what} must be a vector", "Write one such as grad(u) or [1, y]")
        if len(value) != self.scope.dim:
            raise RefusedError(
                f"{what} has {len(value)} entries, and there are {self.scope.dim} coordinates"
            )
        return value


def _scalar(value: Value) -> Expression:
    if isinstance(value, tuple):
        raise RefusedError("there is a vector where a number is needed", "Use div, dot or an entry")
    return value


def _each(value: Value, change: Callable[[Node], Node]) -> Value:
    """The value with each coefficient changed."""
    if isinstance(value, tuple):
        return tuple(Expression({k: change(c) for k, c in e.terms.items()}) for e in value)
    return Expression({key: change(c) for key, c in value.terms.items()})


def _checked(expression: Expression) -> Expression:
    for c in expression.terms.values():
        _finite(c)
    return expression


def _finite(node: Node) -> Node:
    """Refuse arithmetic of numbers whose result is none."""
    if node.args and all(is_number(arg) for arg in node.args):
        value = value_of(node)
        if not math.isfinite(value):
            large = "is too large for double precision" if math.isinf(value) else "has no value"
            raise RefusedError(f"this {large}")
    return node


def _count(name: str, args: list[Value], wanted: int) -> list[Value]:
    if len(args) != wanted:
        raise RefusedError(f"{name} takes {wanted} argument{'s' * (wanted > 1)}, not {len(args)}")
    return args


def _nearest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    if not near:
        lower = {k.lower(): k for k in known}
        near = [lower[name.lower()]] if name.lower() in lower else []
    return f"Did you mean '{near[0]}'?" if near else f"Known: {', '.join(sorted(known))}"
