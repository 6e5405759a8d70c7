"""Derivatives of trees, exactly, by the rules of calculus."""

from __future__ import annotations

from functools import cache

from linnet.formulas.functions import CONSTANTS, FUNCTIONS
from linnet.formulas.grammar import parse
from linnet.formulas.source import Formula
from linnet.formulas.tree import (
    NAME,
    NUMBER,
    ONE,
    VECTOR,
    ZERO,
    Node,
    call,
    is_number,
    minus,
    negative,
    number,
    over,
    plus,
    postorder,
    power,
    times,
)

MOST = 60_000  # parts that are differentiated; a formula of a page has a few hundred


class TooComplicatedError(Exception):
    """A derivative that would have too many parts."""


class Derivatives:
    """Derivatives of trees, each part differentiated once, and not more parts than `MOST`."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, str], tuple[Node, Node]] = {}  # with the part, to keep its id

    def __call__(self, tree: Node, variable: str) -> Node:
        """The derivative with respect to a name; every other name is a constant."""
        stack = [tree]
        while stack:
            node = stack[-1]
            missing = [a for a in node.args if (id(a), variable) not in self._known]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            if len(self._known) >= MOST:
                raise TooComplicatedError
            inner = [self._known[id(arg), variable][1] for arg in node.args]
            self._known[id(node), variable] = node, _slope(node, inner, variable)
        return self._known[id(tree), variable][1]


def derivative(tree: Node, variable: str) -> Node:
    """The derivative with respect to a name; every other name is a constant."""
    return Derivatives()(tree, variable)


def _slope(node: Node, inner: list[Node], variable: str) -> Node:
    """The derivative of a node whose arguments have the derivatives `inner`."""
    if node.kind in (NAME, NUMBER):
        return ONE if node.kind == NAME and node.name == variable else ZERO
    if all(is_number(slope, 0) for slope in inner):
        return ZERO
    match node.kind:
        case "+":
            return plus(*inner)
        case "-":
            return minus(*inner)
        case "negative":
            return negative(*inner)
        case "*":
            a, b = node.args
            return plus(times(inner[0], b), times(a, inner[1]))
        case "/":
            a, b = node.args
            return over(minus(inner[0], times(node, inner[1])), b)
        case "^":
            return _power_slope(node, inner)
        case "call":
            result = ZERO
            for rule, slope in zip(FUNCTIONS[node.name].slopes, inner, strict=True):
                if not is_number(slope, 0):
                    outer = substituted(_rule(rule), dict(zip("ab", node.args, strict=False)))
                    result = plus(result, times(outer, slope))
            return result
        case _:
            raise AssertionError(node.kind)


def _power_slope(node: Node, inner: list[Node]) -> Node:
    """(a^b)′ = b·a^(b − 1)·a′ + a^b·log(a)·b′."""
    a, b = node.args
    result = ZERO
    if not is_number(inner[0], 0):
        result = times(times(b, power(a, minus(b, ONE))), inner[0])
    if not is_number(inner[1], 0):
        result = plus(result, times(times(node, call("log", a)), inner[1]))
    return result


@cache
def _rule(text: str) -> Node:
    constants = {name: number(value) for name, value in CONSTANTS.items()}
    return substituted(parse(Formula.bare(text)), constants)


def substituted(tree: Node, values: dict[str, Node]) -> Node:
    """The tree with names replaced by trees, and folded."""
    made: dict[int, Node] = {}
    for node in postorder(tree):
        args = tuple(made[id(arg)] for arg in node.args)
        made[id(node)] = values.get(node.name, node) if node.kind == NAME else rebuilt(node, args)
    return made[id(tree)]


def rebuilt(node: Node, args: tuple[Node, ...]) -> Node:
    """The node with other arguments, simplified."""
    match node.kind:
        case "number" | "name":
            return node
        case "+":
            return plus(*args)
        case "-":
            return minus(*args)
        case "*":
            return times(*args)
        case "/":
            return over(*args)
        case "^":
            return power(*args)
        case "negative":
            return negative(*args)
        case "call":
            return call(node.name, *args)
        case _:
            return Node(VECTOR, args, span=node.span)
