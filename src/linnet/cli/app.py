"""The command ``linnet`` and its sub-commands, one line each."""

from __future__ import annotations

import typer

from linnet.cli.guard import Guarded
from linnet.cli.reproduce import reproduce

app = typer.Typer(
    cls=Guarded,
    name="linnet",
    help="Linear PDEs and function approximation with linearized neural networks.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


@app.callback()
def main() -> None:
    """Linear PDEs and function approximation with linearized neural networks."""


app.command()(reproduce)
