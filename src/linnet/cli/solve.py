"""``linnet solve``: a problem file, solved."""

from __future__ import annotations

import dataclasses
import glob
import hashlib
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from linnet.errors import ArgumentError

if TYPE_CHECKING:
    from linnet.cli.results import Quality
    from linnet.problemfile import ProblemFile
    from linnet.solution import Solution


def solve(
    problem: Annotated[
        Path | None, typer.Argument(metavar="PROBLEM.toml", help="The problem file.")
    ] = None,
    catalog: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A problem of linnet's catalogue; 'list' shows them."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Folder to write to; that of the problem's name by default."
        ),
    ] = None,
    report: Annotated[
        bool, typer.Option("--report", help="Write one HTML page with everything on it.")
    ] = False,
    pictures: Annotated[bool, typer.Option(help="Write pictures.")] = True,
    tolerance: Annotated[
        float | None,
        typer.Option(
            metavar="TOL", help="Relative error in L2 to aim at; linnet chooses the width."
        ),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="Threads; all cores by default.")
    ] = None,
    json_: Annotated[
        bool, typer.Option("--json", help="Print one JSON object and nothing else.")
    ] = False,
) -> None:
    """Solve the problem in a file and say how good the answer is.

    Writes the solution (NAME.npz, for 'linnet evaluate'), its values on a grid or at points of your
    own (CSV, NPZ, VTK for ParaView), pictures, and with --report one HTML page. 'linnet init'
    writes a problem file to start from.
    """
    if catalog == "list":
        show_catalog()
        return
    file, stem = chosen(problem, catalog)
    for name, value in (("--tolerance", tolerance), ("--workers", workers)):
        if value is not None and not value > 0:
            raise ArgumentError(name, value, "it is not positive", "Give a positive number")
    if tolerance is not None or workers is not None:
        method = file.method
        changed = dataclasses.replace(
            method,
            tolerance=method.tolerance if tolerance is None else tolerance,
            workers=method.workers if workers is None else workers,
        )
        file = dataclasses.replace(file, method=changed)
    folder = writable(Path(stem) if out is None else out)
    if not json_:
        print(f"{file.title}: {file.stated.problem.domain}")
        for remark in file.remarks:
            print(f"  {remark}")
    sol = solved(file, folder, stem)
    written = [folder / f"{stem}.npz"]
    sol.save(written[0])
    from linnet.cli.results import quality, write_values

    good = quality(file, sol)
    if not json_:
        show(sol, good)
    written += write_values(file, sol, folder, stem)
    written += drawn(file, sol, good, folder, stem, report, pictures)
    if json_:
        print(json.dumps(as_json(file, sol, good, written), indent=1))
    else:
        print("Written:", ", ".join(map(str, written)))


def chosen(path: Path | None, catalog: str | None) -> tuple[ProblemFile, str]:
    """The problem, and the stem of the names of its files."""
    from linnet.catalog import names, similar
    from linnet.problemfile import catalog_problem, read_problem

    if (path is None) == (catalog is None):
        remedy = "Name a problem file, or a problem with --catalog; 'linnet init' writes an example"
        given = "nothing" if path is None else f"{path} and {catalog}"
        raise ArgumentError("PROBLEM.toml", given, "exactly one problem is solved", remedy)
    if catalog is not None:
        if catalog not in names():
            near = similar(catalog) or names()
            remedy = f"There are {', '.join(near)}; --catalog list shows all"
            raise ArgumentError("--catalog", catalog, "there is no such problem", remedy)
        return catalog_problem(catalog), catalog
    assert path is not None
    return read_problem(path), path.stem


def show_catalog() -> None:
    """The problems of the catalogue, a line each."""
    from linnet import catalog

    for name in catalog.names():
        print(f"{name:22} {catalog.get(name).title}")


def writable(folder: Path) -> Path:
    """The folder, made if it is not there; refused where nothing can be written to it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        reason = (error.strerror or "it cannot be written to").lower()
        raise ArgumentError("--out", str(folder), reason, "Name another folder") from error
    return folder


def solved(file: ProblemFile, folder: Path, stem: str) -> Solution:
    """The solution; an interruption leaves a checkpoint, from which the same command goes on."""
    import linnet
    from linnet.problemfile import solve_problem

    fingerprint = hashlib.sha256(repr((file.text, file.method.tolerance)).encode()).hexdigest()[:8]
    checkpoint = folder / f"{stem}-{fingerprint}.checkpoint"
    pattern = f"{glob.escape(checkpoint.name)}*"
    try:
        sol = solve_problem(file, linnet.show_progress("solving"), checkpoint)
    except KeyboardInterrupt:
        kept = sorted(folder.glob(pattern))
        if kept:
            text = f"what was done is kept in {kept[0]}. The same command goes on from there."
        else:
            text = "nothing was written, as nothing had been done yet."
        raise KeyboardInterrupt(text) from None
    for path in folder.glob(pattern):
        path.unlink()
    return sol


def show(sol: Solution, good: Quality) -> None:
    """What was done, and how good the answer is."""
    info, choices = sol.info, sol.info.choices
    made = [i for i, choice in enumerate(choices) if choice.startswith("chosen")]
    tried = made[0] if made else 0
    print(dataclasses.replace(info, choices=choices[tried:]))
    if tried:
        print(f"- {tried} candidates were tried before (--json and --report show them)")
    for line in good.lines():
        print(line)


def drawn(
    file: ProblemFile,
    sol: Solution,
    good: Quality,
    folder: Path,
    stem: str,
    report: bool,
    pictures: bool,
) -> list[Path]:
    """Pictures and the report, as far as they are wanted."""
    report = report or file.outputs.report
    pictures = pictures and file.outputs.pictures
    if not (report or pictures):
        return []
    from linnet.cli.results import pictures as make
    from linnet.cli.results import write_report
    from linnet.plotting import close, style

    shown, written = make(file, sol), []
    with style():
        if pictures:
            for name, (_, figure) in shown.items():
                written.append(folder / f"{stem}-{name}.png")
                figure.savefig(written[-1])
        if report:
            written.append(write_report(file, sol, good, shown, folder / f"{stem}.html"))
    close(*(figure for _, figure in shown.values()))
    return written


def as_json(file: ProblemFile, sol: Solution, good: Quality, written: list[Path]) -> dict[str, Any]:
    """What --json prints."""
    info = json.loads(sol.info.to_json())
    return {
        "title": file.title,
        "remarks": file.remarks,
        "activation": sol.network.activation.spec(),
        "info": info,
        **good.to_json(),
        "files": [str(path) for path in written],
    }
