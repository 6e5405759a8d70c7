"""Expressions as linnet's operators, forms and data."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add

from linnet.algebra import Form, MultiIndex, Operator
from linnet.coefficients import Coefficient
from linnet.data import Data
from linnet.domains import Box
from linnet.formulas import Expression, Formula, PointFunction, Scope
from linnet.formulas.expression import Key
from linnet.formulas.tree import NUMBER, Node, plus, times
from linnet.operators import normal, partial, test, trial


class Converter:
    """Makes linnet's objects for one box.

    Parameters
    ----------
    box : Box
    scope : Scope
        The names that the expressions were read with.
    """

    def __init__(self, box: Box, scope: Scope) -> None:
        self.box, self.scope = box, scope
        self.u, self.v, self.n = trial(box), test(box), normal(box)

    def operator(self, expression: Expression, formula: Formula) -> Operator:
        """The operator on the unknown, or on the test function, that an expression is."""
        parts = [
            (_along(self.u, key.u) if key.u is not None else _along(self.v, key.v))
            * self.coefficient(key, c, formula)
            for key, c in expression.terms.items()
        ]
        return reduce(add, parts)

    def form(self, expression: Expression, formula: Formula) -> Form:
        """The bilinear form that an expression is."""
        parts = [
            (_along(self.u, key.u) * _along(self.v, key.v)) * self.coefficient(key, c, formula)
            for key, c in expression.terms.items()
        ]
        return reduce(add, parts)

    def data(self, expression: Expression, formula: Formula) -> Data:
        """A right-hand side: a number, a function of the point, or one with the normal."""
        if not expression.terms:
            return 0.0
        plain = expression.plain
        if plain is not None:
            return plain.value if plain.kind == NUMBER else self.function(plain, formula)
        parts = [self.coefficient(key, c, formula) for key, c in expression.terms.items()]
        return reduce(add, parts)

    def coefficient(self, key: Key, c: Node, formula: Formula) -> Coefficient:
        """A function of the point, times components of the normal."""
        value = c.value if c.kind == NUMBER else self.function(c, formula)
        result = Coefficient(value, name="c(x)")
        for axis in key.normal:
            result = result * self.n[axis]
        return result

    def function(self, tree: Node, formula: Formula) -> PointFunction:
        """A tree as a function on arrays of points."""
        return PointFunction(tree, self.scope.coordinates, formula)

    def applied(self, expression: Expression, to: Node) -> Expression:
        """The expression with a function in the place of the unknown."""
        terms: dict[Key, Node] = {}
        for key, c in expression.terms.items():
            if key.u is not None:
                c = times(c, self._derivative(to, key.u))
                key = key._replace(u=None)
            terms[key] = plus(terms[key], c) if key in terms else c
        return Expression(terms)

    def _derivative(self, tree: Node, alpha: MultiIndex) -> Node:
        for name, order in zip(self.scope.coordinates, alpha, strict=True):
            for _ in range(order):
                tree = self.scope.derivative(tree, name)
        return tree


def _along(u: Operator, alpha: Sequence[int] | None) -> Operator:
    axes = [axis for axis, order in enumerate(alpha or ()) for _ in range(order)]
    return partial(u, *axes)
