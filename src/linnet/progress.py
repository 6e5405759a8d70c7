"""A progress bar for long reductions, on a terminal only."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO

Progress = Callable[[int, int], None]


def show_progress(label: str = "", stream: TextIO | None = None, after: float = 1.0) -> Progress:
    """A progress callback that draws a bar with the time left.

    Parameters
    ----------
    label : str
        What stands before the bar.
    stream : file, optional
        Where to draw; the standard error by default. Nothing is drawn unless it is a terminal.
    after : float
        Seconds before anything is drawn: what is done sooner needs no bar.

    Returns
    -------
    callable
        To be given as ``progress=`` to :func:`linnet.solve`.
    """
    out = sys.stderr if stream is None else stream
    started = time.monotonic()
    first: list[tuple[float, int]] = []  # when the work began, and what had been done before

    def draw(done: int, total: int) -> None:
        now = time.monotonic()
        if not first or done < first[0][1]:  # a further piece of work begins anew
            first[:] = [(now, done)]
        if not out.isatty() or now - started < after or total == 0:
            return
        begin, before = first[0]
        filled = round(30 * done / total)
        left = (now - begin) * (total - done) / (done - before) if done > before else float("inf")
        bar = "█" * filled + "░" * (30 - filled)
        text = f"\r{label} {bar} {100 * done / total:3.0f} %, {_clock(left)} left "
        out.write("\r" + " " * len(text) + "\r" if done == total else text)
        out.flush()

    return draw


def _clock(seconds: float) -> str:
    if seconds == float("inf"):
        return "?"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
