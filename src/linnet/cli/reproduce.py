"""``linnet reproduce``: the paper's experiments, one or all, beside the paper's numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from linnet.errors import ArgumentError

if TYPE_CHECKING:
    from linnet.activations import Activation
    from linnet.paper import Options, Result
    from linnet.solvers import Solver

Names = Annotated[
    str | None,
    typer.Argument(
        metavar="EXPERIMENT", help="table-1 … table-9, figure-1 … figure-21, beyond-1 …, or all."
    ),
]


def reproduce(
    experiment: Names = None,
    list_: Annotated[
        bool, typer.Option("--list", help="Show all experiments and the time each takes.")
    ] = False,
    json_: Annotated[
        bool, typer.Option("--json", help="Print one JSON object and nothing else.")
    ] = False,
    neurons: Annotated[
        str | None,
        typer.Option(
            metavar="88,165", help="Numbers of neurons; those of the paper ask for its rows."
        ),
    ] = None,
    points: Annotated[
        int | None, typer.Option(metavar="N", help="Integration or collocation points.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="S", help="First seed of random neurons.")] = 0,
    seeds: Annotated[
        int | None, typer.Option(metavar="K", help="Seeds: median and range over K of them.")
    ] = None,
    formulation: Annotated[
        str | None, typer.Option(metavar="NAME", help="galerkin, least-squares or collocation.")
    ] = None,
    scheme: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Where the neurons come from: sobol, random, lloyd, …"),
    ] = None,
    activation: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="relu1, relu2, relu3, tanh, sine, gaussian, …"),
    ] = None,
    solver: Annotated[
        str | None, typer.Option(metavar="NAME", help="cholesky, lu, svd or qr.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="Threads; all cores by default.")
    ] = None,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder for the files that are written.")
    ] = Path("reproduced"),
    paper: Annotated[
        bool, typer.Option("--paper", help="The paper's own numbers of points: hours, resumable.")
    ] = False,
) -> None:
    """Carry out the paper's numerical experiments and show them beside its numbers.

    Writes NAME.json, NAME.csv and, for figures, NAME.png and NAME.svg; 'all' also index.html, a
    page of its own with every table and figure. A run that was interrupted goes on where it was.
    """
    from linnet.paper import EXPERIMENTS, Options  # heavy

    console = Console(stderr=json_)
    if list_:
        show_list(console, json_)
        return
    if experiment is None:
        remedy = "Name one, or give 'all', or --list to see them"
        raise ArgumentError("EXPERIMENT", experiment, "no experiment is named", remedy)
    if experiment != "all" and experiment not in EXPERIMENTS:
        remedy = "Give one of those that 'linnet reproduce --list' shows, or 'all'"
        raise ArgumentError("EXPERIMENT", experiment, "the paper has no such experiment", remedy)
    options = Options(
        neurons=numbers(neurons),
        points=points,
        seed=seed,
        seeds=seeds,
        formulation=formulation,
        scheme=scheme,
        activation=named_activation(activation),
        solver=named_solver(solver),
        workers=workers,
        paper_size=paper,
    )
    if experiment == "all" and not plain(options):
        remedy = "Give them to one experiment at a time; 'all' takes --paper, --workers and --out"
        raise ArgumentError("all", "with options of single experiments", "they differ", remedy)
    chosen = list(EXPERIMENTS) if experiment == "all" else [experiment]
    results = run_all(chosen, options, out, console)
    if json_:
        body = [result.to_json() for result in results]
        print(json.dumps(body[0] if experiment != "all" else body, indent=1))
    if experiment == "all":
        from linnet.paper.page import write_page  # matplotlib

        console.print(f"The page: {write_page(results, out / 'index.html')}")


def show_list(console: Console, as_json: bool) -> None:
    """All experiments, a line each, with the time that the default size takes."""
    from linnet.paper import EXPERIMENTS  # heavy

    if as_json:
        entries = [
            {"id": e.id, "title": e.title, "seconds": e.seconds} for e in EXPERIMENTS.values()
        ]
        print(json.dumps(entries, indent=1))
        return
    for e in EXPERIMENTS.values():
        print(f"{e.id:10}  {clock(e.seconds):>9}  {e.title}")
    total = sum(e.seconds for e in EXPERIMENTS.values())
    print(f"{'all':10}  {clock(total):>9}  one page with all of them")


def run_all(ids: list[str], options: Options, out: Path, console: Console) -> list[Result]:
    """Carry out experiments one after the other, each written to `out` as soon as it is there."""
    from linnet.paper.batch import Batch  # heavy

    batch = Batch(out, options)
    results = []
    columns = TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()
    try:
        for position, id in enumerate(ids, 1):
            with Progress(*columns, console=console, transient=True) as bar:
                label = f"{id} ({position} of {len(ids)})" if len(ids) > 1 else id
                result = batch.run(id, drawn(bar, label), said(bar, id))
            results.append(result)
            show(result, console)
            files = ", ".join(str(path) for path in batch.files(result))
            console.print(f"{result.seconds:.1f} s. Written: {files}\n", highlight=False)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"what is finished is kept in {batch.folder}. The same command goes on from there."
        ) from None
    batch.finish()
    return results


def drawn(bar: Progress, label: str) -> Callable[[int, int], None]:
    """A progress callback that moves a bar."""
    task = bar.add_task(label, total=None)
    return lambda done, total: bar.update(task, completed=done, total=total)


def said(bar: Progress, id: str) -> Callable[[str], None] | None:
    """What prints a line above the bar, on a terminal."""
    if not bar.console.is_terminal:
        return None
    return lambda line: bar.console.print(f"[dim]{id}  {line}[/dim]", highlight=False)


def show(result: Result, console: Console) -> None:
    """A result on the terminal."""
    from linnet.paper.text import as_text  # heavy

    console.print(as_text(result), markup=False, highlight=False, soft_wrap=True)


def plain(options: Options) -> bool:
    """Whether no option of a single experiment is set."""
    single = ("neurons", "points", "seeds", "formulation", "scheme", "activation", "solver")
    return all(getattr(options, name) is None for name in single) and options.seed == 0


def numbers(text: str | None) -> tuple[int, ...] | None:
    """Whole numbers between commas."""
    if text is None:
        return None
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise ArgumentError(
            "--neurons", text, "it is no list of whole numbers", "Write it as in 88,165"
        ) from None


def named_activation(name: str | None) -> Activation | None:
    """An activation by its name: relu2, tanh, …."""
    from linnet.activations import ReLU  # heavy
    from linnet.problemfile.method import ACTIVATIONS

    if name is None:
        return None
    lower = name.lower()
    if lower.startswith("relu") and lower[4:].isdigit():
        return ReLU(int(lower[4:]))
    if lower not in ACTIVATIONS:
        known = ", ".join(["relu2", "relu3", *ACTIVATIONS])
        raise ArgumentError("--activation", name, "it is no activation", f"Take one of {known}")
    return ACTIVATIONS[lower]()


def named_solver(name: str | None) -> Solver | None:
    """A solver by its name."""
    from linnet.solvers import LU, Cholesky, RegularizedQR, TruncatedSVD  # heavy

    solvers: dict[str, type[Cholesky | LU | TruncatedSVD | RegularizedQR]]
    solvers = {"cholesky": Cholesky, "lu": LU, "svd": TruncatedSVD, "qr": RegularizedQR}
    if name is None:
        return None
    if name.lower() not in solvers:
        known = ", ".join(solvers)
        raise ArgumentError("--solver", name, "it is no solver", f"Take one of {known}")
    return solvers[name.lower()]()


def clock(seconds: float) -> str:
    """Seconds for a reader."""
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.1f} min"
