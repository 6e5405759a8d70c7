"""A file in which a long computation is kept, so that a killed run can be resumed."""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from linnet.errors import ArgumentError, FileFormatError

Array = NDArray[np.float64]

_KEY = "fingerprint"


class Checkpoint:
    """Arrays in one ``.npz`` file, replaced as a whole or not at all.

    Parameters
    ----------
    path : path-like
        The file. It is written beside itself, flushed to disk and renamed, so that a kill at any
        moment leaves the old state or the new one.
    seconds : float
        Time between two saves.
    """

    def __init__(self, path: str | os.PathLike[str], seconds: float = 60.0) -> None:
        self.path, self.seconds = writable_path("checkpoint", path), seconds
        self._last = time.monotonic()
        self._fingerprint = ""

    def stage(self, name: str) -> Checkpoint:
        """The checkpoint of one stage of a computation, in a file of its own beside this one."""
        return Checkpoint(f"{self.path}.{name}", self.seconds)

    def due(self) -> bool:
        """Whether it is time to save."""
        return time.monotonic() - self._last >= self.seconds

    def load(self, fingerprint: str) -> dict[str, Array]:
        """The arrays that were saved for this very computation; none where there is no file."""
        self._fingerprint = hashlib.sha256(fingerprint.encode()).hexdigest()
        if not self.path.exists():
            return {}
        try:
            # opened here, as NumPy leaves a damaged file open
            with open(self.path, "rb") as raw, np.load(raw, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            saved = str(arrays.pop(_KEY))
        except Exception as error:  # zipfile and NumPy raise a dozen kinds at damaged bytes
            raise FileFormatError(
                "checkpoint",
                str(self.path),
                f"it is damaged or no checkpoint ({error})",
                "Delete it to start anew, or name another file",
            ) from error
        if saved != self._fingerprint:
            raise FileFormatError(
                "checkpoint",
                str(self.path),
                "it belongs to another problem, network or rule",
                "Delete it to start anew, or name another file",
            )
        return arrays

    def save(self, arrays: dict[str, Array]) -> None:
        """Replace the file by one with these arrays."""
        write_atomically(self.path, {**arrays, _KEY: np.array(self._fingerprint)})
        self._last = time.monotonic()


def writable_path(name: str, path: object) -> Path:
    """The path of a file that is to be written; its folder must be there."""
    if not isinstance(path, str | os.PathLike):
        raise ArgumentError(name, path, "it is no path", "Give the name of a file")
    found = Path(path)
    if not found.parent.is_dir():
        raise ArgumentError(name, str(path), f"there is no folder {found.parent}", "Make it first")
    return found


def write_atomically(path: Path, arrays: dict[str, NDArray[np.generic]]) -> None:
    """Write an ``.npz`` file so that a kill at any moment leaves the old file or the new one."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with open(temporary, "wb") as file:
            # no allow_pickle=False: before NumPy 2.2 it would be taken for one more array
            np.savez(file, **arrays)  # type: ignore[arg-type]
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
