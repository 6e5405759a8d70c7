"""One HTML page that carries everything with it: no script, no link, pictures inside."""

from __future__ import annotations

import base64
import html
import io
import os
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import linnet

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  color: #1a1a1a; background: #fff; }
h1 { font-size: 1.6rem; margin-bottom: .2rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
p.small { color: #555; font-size: .85rem; margin-top: 0; }
table { border-collapse: collapse; margin: .8rem 0; }
th, td { padding: .25rem .9rem .25rem 0; text-align: left; border-bottom: 1px solid #ddd;
  vertical-align: top; }
td { font-variant-numeric: tabular-nums; }
pre { background: #f4f4f2; padding: .8rem 1rem; overflow-x: auto; font-size: .85rem; }
figure { margin: 1.2rem 0; } figure img { max-width: 100%; height: auto; }
figcaption { color: #444; font-size: .9rem; }
@media print { body { max-width: none; margin: 0; } figure, table { break-inside: avoid; } }
"""


class Picture(Protocol):
    """What can write itself as a PNG file: a matplotlib figure."""

    def savefig(self, fname: Any, *, format: str) -> Any:
        """Write the picture."""


class Page:
    """An HTML page, built from the top to the bottom. All text is escaped.

    Parameters
    ----------
    title : str
    """

    def __init__(self, title: str) -> None:
        self.title = title
        when = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
        self._parts = [
            f"<h1>{html.escape(title)}</h1>",
            f'<p class="small">linnet {html.escape(linnet.__version__)}, {when}</p>',
        ]

    def heading(self, text: str) -> None:
        """A heading of a section."""
        self._parts.append(f"<h2>{html.escape(text)}</h2>")

    def text(self, text: str) -> None:
        """A paragraph."""
        self._parts.append(f"<p>{html.escape(text)}</p>")

    def list(self, items: Iterable[str]) -> None:
        """A list of lines; nothing where there are none."""
        lines = "".join(f"<li>{html.escape(item)}</li>" for item in items)
        if lines:
            self._parts.append(f"<ul>{lines}</ul>")

    def code(self, text: str) -> None:
        """Text in a fixed-width font."""
        self._parts.append(f"<pre>{html.escape(text)}</pre>")

    def table(self, rows: Sequence[Sequence[object]], header: Sequence[str] = ()) -> None:
        """A table; `rows` and `header` in the order of the page."""
        head = "".join(f"<th>{html.escape(name)}</th>" for name in header)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(str(entry))}</td>" for entry in row) + "</tr>"
            for row in rows
        )
        top = f"<thead><tr>{head}</tr></thead>" if head else ""
        self._parts.append(f"<table>{top}<tbody>{body}</tbody></table>")

    def picture(self, picture: Picture, caption: str) -> None:
        """A matplotlib figure with a caption."""
        buffer = io.BytesIO()
        picture.savefig(buffer, format="png")
        data = base64.b64encode(buffer.getvalue()).decode("ascii")
        text = html.escape(caption)
        self._parts.append(
            f'<figure><img alt="{text}" src="data:image/png;base64,{data}">'
            f"<figcaption>{text}</figcaption></figure>"
        )

    def html(self) -> str:
        """The page."""
        title, body = html.escape(self.title), "\n".join(self._parts)
        return (
            f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<style>{_STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
        )

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file."""
        Path(path).write_text(self.html(), encoding="utf-8")
