"""Text that a user wrote, and errors that point into it."""

from __future__ import annotations

from dataclasses import dataclass

from linnet.errors import LinnetError


@dataclass(frozen=True)
class Source:
    """A text and the name of the file that it comes from, "" for none."""

    text: str
    name: str = ""

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a character, both counted from 1."""
        before = self.text[: max(0, min(offset, len(self.text)))]
        return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1

    def marked(self, start: int, stop: int) -> str:
        """The line with ``text[start:stop]``, and below it carets under that piece."""
        line, column = self.position(start)
        lines = self.text.split("\n")
        row = lines[line - 1].replace("\t", " ").rstrip("\r")
        first = max(0, column - 61)  # a long line is shown around the place
        shown = row[first : first + 100]
        width = max(1, min(stop - start, len(shown) - (column - 1 - first)))
        return f"    {shown}\n    {' ' * (column - 1 - first)}{'^' * width}"


@dataclass(frozen=True)
class Formula:
    """A formula: a text, and where it stands in its source.

    Attributes
    ----------
    text : str
    source : Source
    offset : int
        Where ``text`` begins in ``source.text``.
    exact : bool
        Whether ``text`` stands there letter by letter (no escapes of the file's own syntax).
    """

    text: str
    source: Source
    offset: int = 0
    exact: bool = True

    @classmethod
    def bare(cls, text: str) -> Formula:
        """A formula that comes from no file."""
        return cls(text, Source(text))

    def error(self, span: tuple[int, int], reason: str, remedy: str = "") -> FormulaError:
        """The error at ``text[span[0]:span[1]]``."""
        start, stop = span if self.exact else (0, 1)
        return FormulaError(self.source, self.offset + start, self.offset + stop, reason, remedy)


class SourceError(LinnetError, ValueError):
    """An error at a place in a text: file, line, column, the reason, the remedy, and the line.

    Attributes
    ----------
    line, column : int
        Counted from 1.
    reason, remedy : str
    """

    def __init__(self, source: Source, start: int, stop: int, reason: str, remedy: str) -> None:
        self.line, self.column = source.position(start)
        self.reason, self.remedy = reason, remedy
        self._arguments = (source, start, stop, reason, remedy)
        place = f"{source.name}:{self.line}:{self.column}" if source.name else f"at {self.column}"
        advice = f" {remedy}{'' if remedy.endswith('?') else '.'}" if remedy else ""
        super().__init__(f"{place}: {reason}.{advice}\n{source.marked(start, stop)}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), self._arguments


class FormulaError(SourceError):
    """A formula that cannot be read, or that means nothing where it stands."""
