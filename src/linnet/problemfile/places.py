"""Where the keys and strings of a TOML document stand, which tomllib does not tell.

The scanner is meant for text that tomllib has accepted: it only has to find its way.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

Path = tuple[str, ...]
Span = tuple[int, int]

_BARE = re.compile(r"[A-Za-z0-9_-]+")


@dataclass
class Place:
    """A key and its value.

    Attributes
    ----------
    key, value : (int, int)
        First and last-plus-one character.
    strings : list of (int, int)
        The insides of the string literals in the value, in order.
    """

    key: Span
    value: Span = (0, 0)
    strings: list[Span] = field(default_factory=list)


def places(text: str) -> dict[Path, Place]:
    """The place of each key, by its table and name; tables themselves by their header."""
    return _Scanner(text).run()


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.found: dict[Path, Place] = {}

    def run(self) -> dict[Path, Place]:
        table: Path = ()
        while self.skip_blank():
            start = self.at
            if self.text[self.at] == "[":
                while self.peek() == "[":
                    self.at += 1
                table = self.keys()
                self.line_end()
                self.found.setdefault(table, Place((start, self.at), (start, self.at)))
            else:
                path = table + self.keys()
                place = Place((start, self.at))
                self.at = self.text.find("=", self.at) + 1 or len(self.text)
                self.value(place)
                self.found.setdefault(path, place)
        return self.found

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def skip_blank(self) -> bool:
        """Go to the next key or header; False at the end."""
        while self.at < len(self.text):
            if self.peek() == "#":
                self.line_end()
            elif not self.peek().isspace():
                return True
            else:
                self.at += 1
        return False

    def line_end(self) -> None:
        end = self.text.find("\n", self.at)
        self.at = len(self.text) if end < 0 else end

    def keys(self) -> Path:
        """A dotted key, up to what follows it."""
        names = []
        end = self.at
        while self.at < len(self.text):
            if self.peek() in "\"'":
                inside = self.string()
                names.append(self.text[slice(*inside)])
            elif match := _BARE.match(self.text, self.at):
                names.append(match[0])
                self.at = match.end()
            else:
                break
            end = self.at
            while self.peek() in (" ", "\t", "."):
                self.at += 1
        self.at = end
        return tuple(names)

    def value(self, place: Place) -> None:
        """A value up to the end of its line, brackets and strings observed."""
        while self.peek() in (" ", "\t"):
            self.at += 1
        start, depth, end = self.at, 0, self.at
        while self.at < len(self.text):
            c = self.peek()
            if c in "\"'":
                place.strings.append(self.string())
            elif c == "#":
                self.line_end()
                continue
            elif c == "\n" and depth == 0:
                break
            else:
                depth += (c in "[{") - (c in "]}")
                self.at += 1
            if not c.isspace():
                end = self.at
        place.value = (start, end)

    def string(self) -> Span:
        """A string literal; the span of its inside."""
        quote = self.peek()
        mark = quote * 3 if self.text.startswith(quote * 3, self.at) else quote
        start = self.at + len(mark)
        if len(mark) == 3 and self.text.startswith("\n", start):
            start += 1
        at = start
        while at < len(self.text) and not self.text.startswith(mark, at):
            at += 2 if quote == '"' and self.text[at] == "\\" else 1
        self.at = min(at + len(mark), len(self.text))
        return start, at
