"""Finished rows on disk, so that an experiment that was killed goes on where it was."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from linnet.errors import FileFormatError

Values = dict[str, Any]  # JSON-able

_FILE = "rows.json"


def stored(folder: Path, key: str, compute: Callable[[Path | None], Values]) -> Values:
    """What `compute` returns, computed at most once for a key as long as the folder lives.

    Parameters
    ----------
    folder : Path
    key : str
    compute : callable
        Called with the path for the checkpoint of a reduction, which is removed afterwards.
    """
    rows = load_rows(folder)
    if key not in rows:
        folder.mkdir(parents=True, exist_ok=True)
        name = hashlib.sha256(key.encode()).hexdigest()[:16]
        values = compute(folder / name)
        rows[key] = values
        replace_text(folder / _FILE, json.dumps(rows, indent=1))
        for file in folder.glob(f"{name}*"):
            file.unlink()
    return rows[key]


def load_rows(folder: Path) -> dict[str, Values]:
    """The rows that are there."""
    try:
        rows = json.loads((folder / _FILE).read_text())
    except FileNotFoundError:
        return {}
    except json.JSONDecodeError as error:
        raise FileFormatError(
            "checkpoints", str(folder / _FILE), "it is damaged", "Delete it to start anew"
        ) from error
    assert isinstance(rows, dict)
    return rows


def replace_text(path: Path, text: str) -> None:
    """Write a file so that a kill at any moment leaves the old one or the new one."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        temporary.write_text(text, encoding="utf-8")
        os.replace(temporary, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            temporary.unlink()
