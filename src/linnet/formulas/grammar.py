"""From a formula's text to its tree, by recursive descent.

    equation  :=  sum [ "=" sum ]
    sum       :=  product { ("+" | "-") product }
    product   :=  factor { ("*" | "/") factor }
    factor    :=  ("+" | "-") factor  |  atom [ ("^" | "**") factor ]
    atom      :=  number  |  name [ "(" list ")" ]  |  "(" sum ")"  |  "[" list "]"
    list      :=  sum { "," sum }

so that -x^2 is -(x^2), 2^-1 is allowed, and 2^3^2 is 2^(3^2). Nothing of a text is ever evaluated.
"""

from __future__ import annotations

from linnet.formulas.source import Formula, FormulaError
from linnet.formulas.tokens import Token, tokens
from linnet.formulas.tree import CALL, NAME, NEGATIVE, NUMBER, VECTOR, Node, postorder

DEEPEST = 50  # parentheses, signs and exponents within one another


def parse(formula: Formula) -> Node:
    """The tree of an expression.

    Raises
    ------
    FormulaError
        If the text is no formula.
    """
    reader = _Reader(formula)
    tree = reader.sum()
    if reader.next.text == "=":
        raise reader.error("there is no equation here, only an expression", "Leave out the =")
    reader.finish()
    return tree


def parse_equation(formula: Formula) -> tuple[Node, Node | None]:
    """The trees of both sides of an equation; None for a side that is not there."""
    reader = _Reader(formula)
    left = reader.sum()
    right = None
    if reader.accept("="):
        right = reader.sum()
    if reader.next.text == "=":
        raise reader.error("a second = in one equation", "Write one equation")
    reader.finish()
    return left, right


class _Reader:
    """The tokens of a formula, read from left to right."""

    def __init__(self, formula: Formula) -> None:
        self.formula, self.tokens = formula, tokens(formula)
        self.at, self.depth = 0, 0
        self.open: list[Token] = []

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    def take(self) -> Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def accept(self, *marks: str) -> Token | None:
        return self.take() if self.next.kind == "mark" and self.next.text in marks else None

    def error(self, reason: str, remedy: str = "") -> FormulaError:
        return self.formula.error(self.next.span, reason, remedy)

    def finish(self) -> None:
        if self.next.text in (")", "]"):
            raise self.error(f"{self.next} closes nothing that was opened", "Remove it")
        if self.next.kind != "end":
            raise self.unexpected("an operator such as + or *")

    def unexpected(self, wanted: str) -> FormulaError:
        """The error for a token that cannot stand where it stands."""
        before = self.tokens[self.at - 1] if self.at else None
        remedy = ""
        if self.next.kind in ("number", "name") or self.next.text == "(":
            if before is not None and (before.kind in ("number", "name") or before.text in ")]"):
                remedy = f"Write a product as {before.text}*{self.next.text}"
        elif self.open and (self.next.kind == "end" or self.next.text == "="):
            opening = self.open[-1]
            closing = ")" if opening.text == "(" else "]"
            return self.formula.error(
                opening.span, f"this '{opening.text}' is never closed", f"Add a '{closing}'"
            )
        return self.error(f"expected {wanted}, found {self.next}", remedy)

    def sum(self) -> Node:
        left = self.product()
        while mark := self.accept("+", "-"):
            left = _binary(mark.text, left, self.product())
        return left

    def product(self) -> Node:
        left = self.factor()
        while mark := self.accept("*", "/"):
            left = _binary(mark.text, left, self.factor())
        return left

    def factor(self) -> Node:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.error(
                f"the formula is nested more than {DEEPEST} deep",
                "Name its parts under [functions]",
            )
        if sign := self.accept("+", "-"):
            inner = self.factor()
            whole = (sign.span[0], inner.span[1])
            result = Node(NEGATIVE, (inner,), span=whole) if sign.text == "-" else inner
        else:
            result = self.atom()
            if self.accept("^", "**"):
                result = _binary("^", result, self.factor())
        self.depth -= 1
        return result

    def atom(self) -> Node:
        token = self.next
        if token.kind == "number":
            self.take()
            return Node(NUMBER, value=float(token.text), span=token.span)
        if token.kind == "name":
            self.take()
            if self.next.text != "(":
                return Node(NAME, name=token.text, span=token.span)
            args, stop = self.list(")")
            return Node(CALL, args, name=token.text, span=(token.span[0], stop))
        if token.text == "(":
            self.open.append(self.take())
            inner = self.sum()
            if self.next.text == ",":
                raise self.error("a list stands in square brackets", "Write a vector as [1, y]")
            stop = self.close(")")
            return Node(inner.kind, inner.args, inner.name, inner.value, (token.span[0], stop))
        if token.text == "[":
            args, stop = self.list("]")
            return Node(VECTOR, args, span=(token.span[0], stop))
        raise self.unexpected("a number, a name or a parenthesis")

    def list(self, closing: str) -> tuple[tuple[Node, ...], int]:
        self.open.append(self.take())
        args = [self.sum()]
        while self.accept(","):
            args.append(self.sum())
        return tuple(args), self.close(closing)

    def close(self, closing: str) -> int:
        mark = self.accept(closing)
        if mark is None:
            raise self.unexpected(f"'{closing}'")
        self.open.pop()
        return mark.span[1]


def _binary(kind: str, left: Node, right: Node) -> Node:
    return Node(kind, (left, right), span=(left.span[0], right.span[1]))


_BINDS = {"+": 1, "-": 1, "*": 2, "/": 2, NEGATIVE: 3, "^": 4}


def show(tree: Node) -> str:
    """A text whose tree is `tree`; numbers in it must not be negative."""
    texts: dict[int, str] = {}

    def inside(node: Node, least: int) -> str:
        text = texts[id(node)]
        return f"({text})" if _BINDS.get(node.kind, 5) < least else text

    for node in postorder(tree):
        match node.kind, node.args:
            case "number", _:
                text = repr(node.value).removesuffix(".0")
            case "name", _:
                text = node.name
            case (("call" | "vector"), args):
                inner = ", ".join(texts[id(arg)] for arg in args)
                text = f"{node.name}({inner})" if node.kind == CALL else f"[{inner}]"
            case "negative", (inner_node,):
                text = "-" + inside(inner_node, 3)
            case "^", (base, exponent):
                text = f"{inside(base, 5)}^{inside(exponent, 3)}"
            case kind, (left, right):
                least = _BINDS[kind]
                text = f"{inside(left, least)} {kind} {inside(right, least + 1)}"
            case _:
                raise AssertionError(node.kind)
        texts[id(node)] = text
    return texts[id(tree)]
