"""Formulas: text in a language of linnet's own, read by its own grammar and never evaluated.

``-div((1 + x^2) * grad(u)) + y * dx(u) = exp(x) * sin(pi*y)`` becomes a tree, the tree an
:class:`~linnet.formulas.expression.Expression` Σ c(x) D^α u D^β v, and its coefficients functions
on arrays of points. Derivatives are taken on trees.
"""

from linnet.formulas.derive import derivative
from linnet.formulas.expression import Expression
from linnet.formulas.grammar import parse, parse_equation, show
from linnet.formulas.meaning import Scope
from linnet.formulas.numeric import PointFunction
from linnet.formulas.source import Formula, FormulaError, Source, SourceError

__all__ = [
    "Expression",
    "Formula",
    "FormulaError",
    "PointFunction",
    "Scope",
    "Source",
    "SourceError",
    "derivative",
    "parse",
    "parse_equation",
    "show",
]
