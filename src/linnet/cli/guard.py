"""What a user of the command line sees when something goes wrong: a sentence, no traceback."""

from __future__ import annotations

import io
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup

from linnet.errors import LinnetError, LinnetWarning

BAD_INPUT, FAILED, INTERRUPTED = 2, 1, 130


class Guarded(TyperGroup):
    """A group of commands whose expected failures end in a message and an exit code.

    2: input that cannot be meant (``ArgumentError``, files that cannot be read or written);
    1: a computation that failed (``UnresolvedError``); 130: Ctrl-C.
    """

    def invoke(self, ctx: Any) -> Any:
        """Carry out the command."""
        for stream in (sys.stdout, sys.stderr):  # a terminal of few letters gets ? for others
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")
        with warnings_in_a_line():
            try:
                return super().invoke(ctx)
            except LinnetError as error:
                say("Error", str(error))
                raise typer.Exit(BAD_INPUT if isinstance(error, ValueError) else FAILED) from error
            except BrokenPipeError:
                raise
            except OSError as error:
                where = "" if error.filename is None else f"{error.filename}: "
                say("Error", f"{where}{error.strerror or error}.")
                raise typer.Exit(BAD_INPUT) from error
            except MemoryError as error:
                say(
                    "Error", f"this does not fit in memory ({error}). Take fewer neurons or points."
                )
                raise typer.Exit(FAILED) from error
            except KeyboardInterrupt as error:
                say("Interrupted", str(error) or "nothing more was written.")
                raise typer.Exit(INTERRUPTED) from error


def say(what: str, text: str) -> None:
    """A message on the standard error."""
    typer.secho(f"{what}: ", err=True, nl=False, bold=True)
    typer.echo(text, err=True)


@contextmanager
def warnings_in_a_line() -> Iterator[None]:
    """Show linnet's warnings as a line each on the standard error, once."""

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        say("Warning", str(message))

    with warnings.catch_warnings():
        warnings.simplefilter("default", LinnetWarning)
        warnings.showwarning = show
        yield
