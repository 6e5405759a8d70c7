"""A formula's text as tokens."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from linnet.formulas.source import Formula

LONGEST = 4000  # characters of a formula

_TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<mark>\*\*|[-+*/^()\[\],=])"
    r"|(?P<space>[ \t\r\n]+)"
)
_MEANT = {
    "−": "Write - for minus",
    "·": "Write * for a product",
    "×": "Write * for a product",
    "²": "Write ^2",
    "³": "Write ^3",
    "π": "Write pi",
    "Δ": "Write laplacian(u)",
    "∇": "Write grad(u)",
    "∂": "Write dx(u), or d(u, x)",
    "{": "Use round parentheses",
    ":": "Use / for a quotient",
    "'": "Write dx(u) for a derivative",
    ";": "Write one formula, and lists with commas",
}


@dataclass(frozen=True)
class Token:
    """A piece of text: its kind ('number', 'name', 'mark', 'end'), itself, where it stands."""

    kind: str
    text: str
    span: tuple[int, int]

    def __str__(self) -> str:
        return f"'{self.text}'" if self.text else "the end of the formula"


def tokens(formula: Formula) -> list[Token]:
    """The tokens of a formula, with one of the kind 'end' as the last."""
    text = formula.text
    if len(text) > LONGEST:
        raise formula.error(
            (0, 1),
            f"a formula of {len(text)} characters is too long",
            f"Use at most {LONGEST}, and name its parts under [functions]",
        )
    found = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            remedy = _MEANT.get(text[at], "")
            raise formula.error((at, at + 1), f"the character {text[at]!r} is unknown", remedy)
        kind, span = str(match.lastgroup), match.span()
        if kind == "number" and not math.isfinite(float(match[0])):
            raise formula.error(span, "this number is too large for double precision")
        if kind != "space":
            found.append(Token(kind, match[0], span))
        at = match.end()
    return [*found, Token("end", "", (len(text), len(text) + 1))]
