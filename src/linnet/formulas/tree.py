"""Formulas as trees, with constant folding.

Trees share their parts: a derivative contains the pieces of what it was derived from, not copies of
them. Whoever walks a tree therefore goes through :func:`postorder`, which meets each part once and
needs no recursion, so that neither the depth nor the repetition of parts can hurt.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from linnet.formulas.functions import FUNCTIONS

Span = tuple[int, int]

NUMBER, NAME, CALL, VECTOR, NEGATIVE = "number", "name", "call", "vector", "negative"


@dataclass(frozen=True)
class Node:
    """A piece of a formula.

    Attributes
    ----------
    kind : str
        'number', 'name', 'call', 'vector', 'negative', or one of '+', '-', '*', '/', '^'.
    args : tuple of Node
    name : str
        Of a name or a call.
    value : float
        Of a number.
    span : (int, int)
        Where it stands in the text; (0, 0) for what was derived. It does not count in ``==``.
    """

    kind: str
    args: tuple[Node, ...] = ()
    name: str = ""
    value: float = 0.0
    span: Span = field(default=(0, 0), compare=False)


def postorder(*roots: Node) -> Iterator[Node]:
    """Every part of the trees once, arguments before what they are arguments of."""
    seen: set[int] = set()
    stack = [(root, False) for root in reversed(roots)]
    while stack:
        node, ready = stack.pop()
        if id(node) in seen:
            continue
        if ready or not node.args:
            seen.add(id(node))
            yield node
        else:
            stack.append((node, True))
            stack.extend((arg, False) for arg in reversed(node.args))


def number(value: float) -> Node:
    """A number."""
    return Node(NUMBER, value=value)


ZERO, ONE, TWO = number(0.0), number(1.0), number(2.0)


def is_number(node: Node, value: float | None = None) -> bool:
    """Whether a node is a number, or that number."""
    return node.kind == NUMBER and (value is None or node.value == value)


def plus(a: Node, b: Node) -> Node:
    """A + b."""
    if is_number(a, 0):
        return b
    if is_number(b, 0):
        return a
    if b.kind == NEGATIVE:
        return minus(a, b.args[0])
    return folded(Node("+", (a, b)))


def minus(a: Node, b: Node) -> Node:
    """A - b."""
    if is_number(b, 0):
        return a
    return negative(b) if is_number(a, 0) else folded(Node("-", (a, b)))


def times(a: Node, b: Node) -> Node:
    """A · b, with signs and numbers in front."""
    if is_number(a, 0) or is_number(b, 0):
        return ZERO
    if is_number(b) and not is_number(a):
        a, b = b, a
    if is_number(a, 1):
        return b
    if is_number(a, -1):
        return negative(b)
    if b.kind == NEGATIVE:
        return negative(times(a, b.args[0]))
    if a.kind == NEGATIVE:
        return negative(times(a.args[0], b))
    if is_number(a) and b.kind == "*" and is_number(b.args[0]):
        return times(folded(Node("*", (a, b.args[0]))), b.args[1])
    return folded(Node("*", (a, b)))


def over(a: Node, b: Node) -> Node:
    """A / b."""
    if is_number(a, 0) and not is_number(b, 0):
        return ZERO
    return a if is_number(b, 1) else folded(Node("/", (a, b)))


def power(a: Node, b: Node) -> Node:
    """A ^ b."""
    if is_number(b, 0):
        return ONE
    return a if is_number(b, 1) else folded(Node("^", (a, b)))


def negative(a: Node) -> Node:
    """-a."""
    if a.kind == NEGATIVE:
        return a.args[0]
    return number(-a.value) if is_number(a) else Node(NEGATIVE, (a,))


def call(name: str, *args: Node) -> Node:
    """A function's value."""
    return folded(Node(CALL, args, name))


def folded(node: Node) -> Node:
    """The number that a node with numbers as arguments is, where that number is finite."""
    if not node.args or node.kind == VECTOR or not all(is_number(arg) for arg in node.args):
        return node
    value = value_of(node)
    return Node(NUMBER, value=value, span=node.span) if math.isfinite(value) else node


def value_of(node: Node) -> float:
    """The value of a node whose arguments are numbers; NaN or infinite where it has none."""
    values = [arg.value for arg in node.args]
    try:
        match node.kind:
            case "+":
                return values[0] + values[1]
            case "-":
                return values[0] - values[1]
            case "*":
                return values[0] * values[1]
            case "/":
                return values[0] / values[1]
            case "^":
                return math.pow(values[0], values[1])
            case "negative":
                return -values[0]
            case _:
                return float(FUNCTIONS[node.name].number(*values))
    except OverflowError:
        return math.inf
    except (ValueError, ZeroDivisionError):
        return math.nan
