"""Experiments carried out into a folder: files for each, and going on after an interruption."""

from __future__ import annotations

import csv
import dataclasses
import hashlib
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path

from linnet.errors import ArgumentError
from linnet.fold import Progress
from linnet.paper.draw import draw
from linnet.paper.experiment import EXPERIMENTS, Options, Result
from linnet.paper.store import replace_text


class Batch:
    """A run of some experiments with the same options.

    Parameters
    ----------
    out : Path
        The folder; made where it is not there.
    options : Options

    Notes
    -----
    Finished rows and experiments are kept in ``out/.unfinished/<options>`` until
    :meth:`finish`, so that the same command goes on after an interruption or a kill.
    """

    def __init__(self, out: Path, options: Options) -> None:
        if out.exists() and not out.is_dir():
            raise ArgumentError("--out", str(out), "it is a file", "Name a folder")
        self.out, self.options = out, options
        name = hashlib.sha256(repr(dataclasses.replace(options, workers=None)).encode()).hexdigest()
        self.folder = out / ".unfinished" / name[:12]
        self.folder.mkdir(parents=True, exist_ok=True)

    def run(
        self, id: str, progress: Progress | None = None, report: Callable[[str], None] | None = None
    ) -> Result:
        """Carry out an experiment, unless it is finished already, and write its files."""
        done = self.folder / f"{id}.json"
        if done.exists():
            return Result.from_json(json.loads(done.read_text(encoding="utf-8")))
        options = dataclasses.replace(
            self.options, checkpoints=self.folder / id, progress=progress, report=report
        )
        result = EXPERIMENTS[id](options)
        write(result, self.out)
        replace_text(done, json.dumps(result.to_json()))
        shutil.rmtree(self.folder / id, ignore_errors=True)
        return result

    def files(self, result: Result) -> list[Path]:
        """The files of a result."""
        return [self.out / f"{result.id}.{end}" for end in endings(result)]

    def finish(self) -> None:
        """Forget what was kept for an interruption."""
        shutil.rmtree(self.folder, ignore_errors=True)
        if not any(self.folder.parent.iterdir()):
            self.folder.parent.rmdir()


def endings(result: Result) -> tuple[str, ...]:
    """The kinds of files that a result is written to."""
    return ("json", "csv") if result.id.startswith("table") else ("json", "csv", "png", "svg")


def write(result: Result, out: Path) -> None:
    """Write a result's files into a folder."""
    replace_text(out / f"{result.id}.json", json.dumps(result.to_json(), indent=1) + "\n")
    replace_text(out / f"{result.id}.csv", as_csv(result))
    if "png" in endings(result):
        figure = draw(result)
        for end in ("png", "svg"):
            figure.savefig(out / f"{result.id}.{end}", dpi=200)


COLUMNS = ("n", "l2", "h1", "order_l2", "order_h1", "condition", "true_condition")


def as_csv(result: Result) -> str:
    """A line a row: panel, label, the numbers that there are, their ranges, the paper's."""
    rows = [row for series in result.series for row in series.rows]
    columns = [c for c in COLUMNS if any(getattr(row, c) is not None for row in rows)]
    ranges = [c for c in columns if any(c in (row.spread or {}) for row in rows)]
    papers = [c for c in columns if any(c in (row.paper or {}) for row in rows)]
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    header = ["panel", "label", *columns]
    header += [f"{c}_{end}" for c in ranges for end in ("least", "largest")]
    table.writerow([*header, *(f"paper_{c}" for c in papers)])
    for series in result.series:
        for row in series.rows:
            line = [series.panel, series.label, *(getattr(row, c) for c in columns)]
            line += [v for c in ranges for v in (row.spread or {}).get(c, ["", ""])]
            table.writerow([*line, *((row.paper or {}).get(c, "") for c in papers)])
    return text.getvalue()
