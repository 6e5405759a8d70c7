"""Domain, functions, equations and conditions: from a document to a problem."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from linnet.algebra import Operator
from linnet.domains import Box, Points
from linnet.errors import ArgumentError
from linnet.formulas import (
    Expression,
    Formula,
    PointFunction,
    Scope,
    parse_equation,
)
from linnet.formulas.functions import CONSTANTS, FUNCTIONS
from linnet.formulas.meaning import NORMAL, OPERATORS
from linnet.formulas.tree import CALL, NAME, Node, postorder
from linnet.problem import Equation, Integral, StrongForm, WeakForm, periodic
from linnet.problemfile.convert import Converter
from linnet.problemfile.document import Document
from linnet.problemfile.faces import FREE, PERIODIC, Condition, conditions
from linnet.problemfile.tables import read_table

Array = NDArray[np.float64]

LETTERS = "xyz"
MOST_DIMENSIONS = 100
EXACT = "exact"
SMOOTH = {"abs": 1, "min": 1, "max": 1, "sign": 0, "step": 0}  # derivatives that are functions


class Exact(Protocol):
    """A function of the points that knows its derivatives."""

    def __call__(self, x: Array, /) -> Array:
        """Values (m,) at points (m, d)."""

    def gradient(self, x: Array, /) -> Array:
        """The gradient (m, d)."""


@dataclass(frozen=True)
class Statement:
    """A problem, and what belongs to it.

    Attributes
    ----------
    problem : StrongForm or WeakForm
    coordinates : tuple of str
    exact : callable or None
    kinds : list of str
        For each equation of a strong form, what it is: 'equation', 'boundary', 'measurements'.
    derived : list of str
        What was derived from the exact solution.
    doubts : list of str
        What may be wrong with that.
    unknown : str
        Its name.
    """

    problem: StrongForm | WeakForm
    coordinates: tuple[str, ...]
    exact: Exact | None
    kinds: list[str]
    derived: list[str]
    doubts: list[str] = field(default_factory=list)
    unknown: str = "u"


def statement(document: Document, folder: Path) -> Statement:
    """The problem that a document states; files it names are looked for in `folder`."""
    return _Reader(document, folder).read()


class _Reader:
    def __init__(self, document: Document, folder: Path) -> None:
        self.document, self.folder = document, folder
        self.box = read_box(document)
        self.scope = self._scope()
        self.converter = Converter(self.box, self.scope)
        self.exact_tree: Node | None = None
        self.derived: list[str] = []
        self.doubts: list[str] = []

    def read(self) -> Statement:
        document, scope = self.document, self.scope
        formula = document.formula(EXACT)
        exact = None
        if formula is not None:
            self.exact_tree = scope.scalar(formula)
            scope.functions = {**scope.functions, EXACT: formula}
            exact = self.converter.function(self.exact_tree, formula)
        for name in scope.functions:
            scope.own(name)
        equation, weak = document.formula("equation"), document.formula("weak")
        if equation is not None and weak is not None:
            raise document.error(
                ("weak",), "a problem has an equation or a weak form, not both", "Remove one", True
            )
        if equation is not None:
            problem, kinds = self.strong(equation, exact)
            return self._stated(problem, exact, kinds)
        if weak is not None:
            return self._stated(self.weak(weak, exact), exact, [])
        raise document.error(
            (), "there is no equation", 'Write one such as equation = "-laplacian(u) + u = f"'
        )

    def _stated(
        self, problem: StrongForm | WeakForm, exact: Exact | None, kinds: list[str]
    ) -> Statement:
        scope = self.scope
        return Statement(
            problem, scope.coordinates, exact, kinds, self.derived, self.doubts, scope.unknown
        )

    # ------------------------------------------------------------------ strong form

    def strong(self, formula: Formula, exact: PointFunction | None) -> tuple[StrongForm, list[str]]:
        inside = self.equation(formula, self.box, "the right-hand side")
        equations, kinds = [inside], ["equation"]
        found = conditions(self.document, self.box, self.scope, inside.operator.order > 0)
        for condition in found:
            equations += self.condition(condition, inside.operator)
        kinds += ["boundary"] * (len(equations) - 1)
        if self.document.has("measurements"):
            equations.append(self.measurements())
            kinds.append("measurements")
        return StrongForm(*equations, exact=exact), kinds

    def condition(self, condition: Condition, inside: Operator) -> list[Equation]:
        """The equations of one line under [boundary]."""
        if condition.kind == FREE:
            return []
        if condition.kind == PERIODIC:
            u = self.converter.u
            return [
                equation
                for axis in condition.axes
                for equation in periodic(u, axis, _order_along(inside, axis))
            ]
        part = self.box.face(*condition.faces)
        what = f"the data on {', '.join(condition.faces)}"
        return [self.equation(formula, part, what) for formula in condition.formulas]

    def equation(self, formula: Formula, part: object, what: str) -> Equation:
        """An equation on a part; a missing right-hand side comes from the exact solution."""
        on_boundary = part is not self.box
        left, right = parse_equation(formula)
        difference = self.expression(left, formula, on_boundary)
        derive = right is None or self._is_unknown_name(right)
        if right is not None and not derive:
            difference = difference - self.expression(right, formula, on_boundary)
        if not difference.has("u"):
            raise formula.error(
                (0, len(formula.text)),
                f"the unknown '{self.scope.unknown}' does not occur in this equation",
                f"Write one such as {self.scope.unknown} = 0",
            )
        linear, rest = difference.part(u=True, v=False), difference.part(u=False, v=False)
        known = self._derived(linear, right, formula, what) if derive else -rest
        operator = self.converter.operator(linear, formula)
        data = self.converter.data(known, formula)
        return Equation(operator, data, on=part)  # type: ignore[arg-type]

    def expression(self, tree: Node, formula: Formula, on_boundary: bool) -> Expression:
        value = self.scope.meaning_of(tree, formula, on_boundary)
        if isinstance(value, tuple):
            raise formula.error(tree.span, "this is a vector", "Take its div, or dot with another")
        return value

    def _is_unknown_name(self, tree: Node) -> bool:
        """Whether a side is one name that nothing defines, to be derived."""
        return (
            self.exact_tree is not None
            and tree.kind == NAME
            and tree.name not in self.scope.names | self.scope.reserved
        )

    def _derived(
        self, linear: Expression, right: Node | None, formula: Formula, what: str
    ) -> Expression:
        """What the operator makes of the exact solution."""
        if self.exact_tree is None:
            raise formula.error(
                (len(formula.text.rstrip()), len(formula.text)),
                "there is no right-hand side",
                "Write = and one, or give the exact solution, from which it is derived",
            )
        self.derived.append(what if right is None else f"{what} '{right.name}'")
        order = max(sum(key.u) for key in linear.terms if key.u is not None)
        for node in postorder(self.exact_tree):
            if node.kind == CALL and order > SMOOTH.get(node.name, order):
                self.doubts.append(
                    f"the exact solution has a kink or a jump ({node.name}), which its derivatives "
                    f"of order {order} leave out: {what} may not belong to it"
                )
                break
        return self.converter.applied(linear, self.exact_tree)

    def measurements(self) -> Equation:
        """Values of the unknown at given points."""
        name = self.document.text("measurements", "file")
        if name is None:
            raise self.document.error(
                ("measurements",), "there is no file", 'Add file = "data.csv"'
            )
        with self.document.blaming("measurements", "file"):
            table = read_table(self.folder / name, self.box.dim + 1)
            outside = ~self.box.contains(table[:, :-1])
            if outside.any():
                line = table[int(np.argmax(outside)), :-1].tolist()
                reason = f"{outside.sum()} of its points lie outside of the domain, as {line}"
                raise ArgumentError("file", name, reason, "Leave them out, or enlarge the domain")
        return Equation(self.converter.u, table[:, -1], on=Points(table[:, :-1]))

    # ------------------------------------------------------------------ weak form

    def weak(self, formula: Formula, exact: PointFunction | None) -> WeakForm:
        if self.document.has("measurements"):
            raise self.document.error(
                ("measurements",), "a weak form has no measurements",
                "State the problem by its equation", True,
            )  # fmt: skip
        form, load = self.integrand(formula, False)
        if form is None:
            raise formula.error(
                (0, len(formula.text)),
                "the unknown does not occur in this weak form",
                "Write one such as dot(grad(u), grad(v)) + u*v = f*v",
            )
        boundary = []
        for condition in conditions(self.document, self.box, self.scope, needed=False):
            if condition.kind == FREE:
                continue
            if condition.kind == PERIODIC:
                raise self.document.error(
                    ("boundary", condition.key), "a weak form has no periodic conditions here",
                    "State the problem by its equation",
                )  # fmt: skip
            for text in condition.formulas:
                parts = self.integrand(text, True)
                boundary.append(Integral(*parts, on=self.box.face(*condition.faces)))
        return WeakForm(form, *boundary, load=load, exact=exact)

    def integrand(self, formula: Formula, on_boundary: bool):  # type: ignore[no-untyped-def]
        """The bilinear and the linear integrand of ``a = l``."""
        left, right = parse_equation(formula)
        total = self.expression(left, formula, on_boundary)
        if right is not None:
            total = total - self.expression(right, formula, on_boundary)
        both, load = total.part(u=True, v=True), total.part(u=False, v=True)
        if len(both.terms) + len(load.terms) < len(total.terms):
            raise formula.error(
                (0, len(formula.text)),
                f"a term lacks the test function '{self.scope.test}'",
                "Each term of a weak form is linear in it",
            )
        form = self.converter.form(both, formula) if both.terms else None
        return form, self.converter.operator(-load, formula) if load.terms else 0.0

    # ------------------------------------------------------------------ names

    def _scope(self) -> Scope:
        document, dim = self.document, self.box.dim
        coordinates = document.get("domain", "coordinates")
        given = coordinates is not None
        if given and not (
            isinstance(coordinates, list)
            and len(coordinates) == dim == len(set(map(str, coordinates)))
            and all(isinstance(name, str) and name.isidentifier() for name in coordinates)
        ):
            raise document.error(
                ("domain", "coordinates"),
                f"this must be a list of {dim} different names",
                'Write one such as ["x", "t"]',
            )
        numbered = {f"x{i + 1}": i for i in range(dim)}
        names = tuple(coordinates) if given else tuple(LETTERS[:dim] if dim <= 3 else numbered)
        scope = Scope(
            names,
            {} if given else numbered,
            document.text("unknown") or "u",
            "" if document.formula("weak") is None else document.text("test") or "v",
        )
        self._check_coordinates(names)
        for key, name in (("unknown", scope.unknown), ("test", scope.test)):
            others = Scope(names, scope.aliases).reserved | {EXACT}
            if name in others or (name and not name.isidentifier()):
                place = (key,) if document.has(key) else ("domain", "coordinates")
                reason = f"the name '{name}' is taken or is none"
                raise document.error(place, reason, f'Name the unknown, as in {key} = "w"')
        own = document.get("functions") or {}
        for name in own:
            if name in scope.reserved | {EXACT}:
                raise document.error(
                    ("functions", name), f"the name '{name}' is taken", "Choose another", True
                )
            if not name.isidentifier():
                raise document.error(
                    ("functions", name), f"'{name}' is no name", "Use letters, digits and _", True
                )
        scope.functions = {name: document.formula("functions", name) for name in own}  # type: ignore[misc]
        return scope

    def _check_coordinates(self, names: tuple[str, ...]) -> None:
        """Refuse names whose derivatives d… would mean two things, or that formulas cannot say."""
        words = {*CONSTANTS, *FUNCTIONS, *OPERATORS, NORMAL, EXACT}
        derivatives = Scope(names).derivatives
        taken = [n for n in names if n in words or f"d{n}" in words | set(names)]
        taken += [a for a in names for b in names if len(a) == len(b) == 1 and a + b in names]
        taken += [n for n in names if not n.isascii() or n in derivatives]
        if taken:
            raise self.document.error(
                ("domain", "coordinates"),
                f"'{taken[0]}' cannot be a coordinate: the name, or that of a derivative, is taken",
                "Use names such as x, y, t",
            )


def read_box(document: Document) -> Box:
    """The box under [domain]."""
    path = ("domain", "box")
    value, dim = document.get(*path), document.whole("domain", "dim")
    if value is None:
        raise document.error(
            ("domain",), "there is no domain", "Write [domain] and box = [[-1, 1], [-1, 1]]"
        )
    if dim is not None and not 1 <= dim <= MOST_DIMENSIONS:
        raise document.error(("domain", "dim"), f"a dimension is one of 1, …, {MOST_DIMENSIONS}")
    if not isinstance(value, list) or not value:
        raise document.error(path, "this is no box", "Write [lower, upper] for each coordinate")
    if not any(isinstance(side, list) for side in value):
        value = [value] * (dim or 1)
    if dim not in (None, len(value)):
        raise document.error(
            path, f"the box has {len(value)} sides, and dim = {dim}", "Give one [lower, upper] each"
        )
    if len(value) > MOST_DIMENSIONS:
        raise document.error(path, f"more than {MOST_DIMENSIONS} dimensions")
    for side in value:
        if not isinstance(side, list) or len(side) != 2:
            raise document.error(path, f"{side!r} is no pair", "Write [lower, upper]")
    sides = np.array([[document.as_number(end, path) for end in side] for side in value])
    for i, (low, high) in enumerate(sides):
        if low >= high:
            raise document.error(
                path,
                f"the bounds of coordinate {i + 1} are reversed: {low:g} is not below {high:g}",
                "Write [lower, upper]",
            )
    with document.blaming(*path):
        return Box(sides[:, 0], sides[:, 1])


def _order_along(operator: Operator, axis: int) -> int:
    return max(1, *(alpha[axis] for alpha in operator.scalar))
