"""A TOML file with the places of what stands in it, and errors that point there."""

from __future__ import annotations

import difflib
import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path as FilePath
from typing import Any

from linnet.errors import ArgumentError, LinnetError
from linnet.formulas import Formula, Scope, Source, SourceError
from linnet.formulas.tree import is_number
from linnet.problemfile.places import Path, Place, places

LARGEST = 100_000  # bytes of a problem file
_NAME = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+"""
_CHAIN = re.compile(rf"(?<![\w-]){_NAME}(?:\.[ \t]*+{_NAME}){{10}}")  # a dotted key of eleven parts


class ProblemFileError(SourceError):
    """A problem file that states no problem: where, why, and what to do."""


class UnreadableFileError(LinnetError, ValueError):
    """A file that cannot be read at all."""


KEYS: Mapping[str, tuple[str, ...]] = {
    "": ("title", "unknown", "test", "equation", "weak", "exact"),
    "domain": ("box", "dim", "coordinates"),
    "network": ("activation", "power", "scheme", "neurons", "radius", "seed"),
    "formulation": ("kind", "boundary_weight", "measurement_weight"),
    "points": ("rule", "n", "order", "boundary", "seed"),
    "measurements": ("file",),
    "solver": ("kind", "mu", "rcond", "workers", "tolerance"),
    "output": ("values", "grid", "points", "pictures", "report"),
}
FREE = ("functions", "boundary")  # tables whose keys are names of the user's


class Document:
    """A problem file: its values, and where they stand.

    Parameters
    ----------
    text : str
        TOML.
    name : str
        Name of the file, for messages.
    """

    def __init__(self, text: str, name: str) -> None:
        self.source = Source(text.replace("\r\n", "\n"), name)
        self.values = _parsed(self.source)
        self.places = places(self.source.text)
        self._check_keys()

    @classmethod
    def read(cls, path: FilePath) -> Document:
        """The document in a file."""
        try:
            if path.stat().st_size > LARGEST:
                raise UnreadableFileError(
                    f"{path}: a problem file of more than 100 kB is no problem file."
                )
            text = path.read_bytes().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise UnreadableFileError(
                f"{path}: this is no text in UTF-8 (byte {error.start}). Give a TOML file."
            ) from error
        except OSError as error:
            reason = (error.strerror or "it cannot be read").lower()
            raise UnreadableFileError(
                f"{path}: {reason}. Name a problem file; `linnet init` writes an example."
            ) from error
        return cls(text, str(path))

    def get(self, *path: str) -> Any:
        """A value, or None where it is not there."""
        value: Any = self.values
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        return value

    def has(self, table: str, *keys: str) -> bool:
        """Whether a table is there, or one of its keys."""
        return (
            any(self.get(table, key) is not None for key in keys) if keys else table in self.values
        )

    # ------------------------------------------------------------------ errors

    def place(self, *path: str) -> Place:
        """Where a key stands; where that is not known, its table, or the file's first line."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.places:
                return self.places[path[:length]]
        return Place((0, 1), (0, 1))

    def error(
        self, path: Path, reason: str, remedy: str = "", key: bool = False
    ) -> ProblemFileError:
        """The error at a value, or at its key."""
        place = self.place(*path)
        span = place.key if key or place.value == (0, 0) else place.value
        return ProblemFileError(self.source, *span, reason, remedy)

    @contextmanager
    def blaming(self, *path: str) -> Iterator[None]:
        """Give what linnet refuses inside a place in the file."""
        try:
            yield
        except ArgumentError as error:
            what = f"{error.argument} = {error.value!r}"
            reason = f"{what}: {error.reason}" if len(what) < 60 else error.reason
            raise self.error(path, reason, error.remedy) from error

    # ------------------------------------------------------------------ values

    def formula(self, *path: str, index: int = 0) -> Formula | None:
        """The formula at a key; the one of that index where it holds a list."""
        value = self.get(*path)
        if isinstance(value, list) and path[0] == "boundary" and index < len(value):
            value = value[index]
        if value is None:
            return None
        place = self.place(*path)
        if isinstance(value, int | float) and not isinstance(value, bool):
            self.as_number(value, path)
            return Formula(repr(value), self.source, place.value[0], exact=False)
        if not isinstance(value, str):
            raise self.error(path, "this must be a formula", 'Write a text such as "sin(pi*x)"')
        if index < len(place.strings):
            start, stop = place.strings[index]
            same = self.source.text[start:stop] == value
            return Formula(value, self.source, start, exact=same)
        return Formula(value, self.source, place.value[0], exact=False)

    def text(self, *path: str) -> str | None:
        """A text."""
        value = self.get(*path)
        if value is not None and not isinstance(value, str):
            raise self.error(path, "this must be a text", 'Write it in quotes, as in "u"')
        return value

    def choice(self, *path: str, of: Mapping[str, Any]) -> Any:
        """What a text stands for; None where it is not there."""
        text = self.text(*path)
        if text is None:
            return None
        if text.lower() not in of:
            raise self.error(path, f"unknown {path[-1]} '{text}'", nearest(text.lower(), list(of)))
        return of[text.lower()]

    def whole(self, *path: str, negative: bool = True) -> int | None:
        """An integer."""
        value = self.get(*path)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise self.error(path, "this must be a whole number", "Write one such as 100")
        if value is not None and value < 0 and not negative:
            raise self.error(path, f"a {path[-1]} is not negative", "Write 0, 1, 2, …")
        return value

    def flag(self, *path: str) -> bool | None:
        """True or false."""
        value = self.get(*path)
        if value is not None and not isinstance(value, bool):
            raise self.error(path, "this must be true or false")
        return value

    def number(self, *path: str) -> float | None:
        """A number, or a formula without coordinates such as "2*pi"."""
        value = self.get(*path)
        return None if value is None else self.as_number(value, path)

    def as_number(self, value: object, path: Path) -> float:
        """A number that stands somewhere inside a value."""
        if isinstance(value, str):
            tree = Scope(()).scalar(self._piece(value, path))
            if is_number(tree):
                return tree.value
        elif isinstance(value, int | float) and not isinstance(value, bool):
            with suppress(OverflowError):
                if math.isfinite(float(value)):
                    return float(value)
        raise self.error(path, "this must be a finite number", 'Write one such as 2.5 or "2*pi"')

    def _piece(self, text: str, path: Path) -> Formula:
        place = self.place(*path)
        for start, stop in place.strings:
            if self.source.text[start:stop] == text:
                return Formula(text, self.source, start)
        return Formula(text, self.source, place.value[0], exact=False)

    def _check_keys(self) -> None:
        if not self.values:
            raise ProblemFileError(
                self.source,
                0,
                1,
                "the file is empty",
                "`linnet init` writes an example to start from",
            )
        for table in FREE:
            for key in self.get(table) if isinstance(self.get(table), dict) else ():
                if key in KEYS[""]:
                    raise self.error(
                        (table, key),
                        f"'{key}' stands under [{table}]",
                        "Put it above the first table, at the top of the file",
                        key=True,
                    )
        for name, value in self.values.items():
            if name in KEYS[""]:
                continue
            tables = [*(t for t in KEYS if t), *FREE]
            if name not in tables:
                homes = [t for t, keys in KEYS.items() if name in keys]
                known = nearest(name, [*KEYS[""], *tables])
                remedy = f"It belongs under [{homes[0]}]" if homes else known
                raise self.error((name,), f"unknown key '{name}'", remedy, key=True)
            if not isinstance(value, dict):
                raise self.error((name,), f"'{name}' is a table", f"Write [{name}] above its keys")
            for key in value if name not in FREE else ():
                if key not in KEYS[name]:
                    homes = [t for t, keys in KEYS.items() if key in keys]
                    remedy = nearest(key, KEYS[name])
                    if homes == [""]:
                        remedy = f"'{key}' belongs above the first table, at the top of the file"
                    raise self.error(
                        (name, key), f"unknown key '{key}' in [{name}]", remedy, key=True
                    )


def nearest(name: str, known: list[str] | tuple[str, ...]) -> str:
    """The advice for a misspelt name."""
    near = difflib.get_close_matches(name, known, n=1)
    return f"Did you mean '{near[0]}'?" if near else f"Known: {', '.join(known)}"


def _parsed(source: Source) -> dict[str, Any]:
    if chain := _CHAIN.search(source.text):  # tomllib takes the square of its length
        reason = "a key of more than ten parts"
        raise ProblemFileError(source, *chain.span(), reason, "Keys have one part, under [tables]")
    try:
        return tomllib.loads(source.text)
    except ValueError as error:  # TOMLDecodeError, and Python's own at numbers of 5000 digits
        message = str(error)
        at = re.search(r"\(at line (\d+), column (\d+)\)|\(at end of document\)", message)
        offset = len(source.text.rstrip())
        if at and at[1]:
            lines = source.text.split("\n")
            offset = sum(len(line) + 1 for line in lines[: int(at[1]) - 1]) + int(at[2]) - 1
        reason = message[: at.start()].strip() if at else message
        reason = reason[:1].lower() + reason[1:]
        remedy = "Texts stand in quotes, and each key has a line of its own"
        if reason.startswith("cannot overwrite"):
            reason, remedy = "this key is given twice", "Remove one"
            start = source.text.rfind("\n", 0, offset - 1) + 1
            end = source.text.find("=", start)
            raise ProblemFileError(
                source, start, max(end - 1, start + 1), reason, remedy
            ) from error
        raise ProblemFileError(
            source, offset, offset + 1, f"this is not TOML: {reason}", remedy
        ) from error
    except RecursionError as error:
        raise ProblemFileError(source, 0, 1, "the file is nested too deeply", "") from error
