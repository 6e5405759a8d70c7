"""The command ``linnet`` and its sub-commands, one line each."""

from __future__ import annotations

import typer

from linnet.cli.check import check
from linnet.cli.demo import demo
from linnet.cli.evaluate import evaluate
from linnet.cli.guard import Guarded
from linnet.cli.init import init
from linnet.cli.reproduce import reproduce
from linnet.cli.solve import solve

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


app.command()(demo)
app.command()(init)
app.command()(check)
app.command()(solve)
app.command()(evaluate)
app.command()(reproduce)
