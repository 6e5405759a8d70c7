"""One self-contained HTML page: every table beside the paper's, every figure, settings, times."""

from __future__ import annotations

import base64
import datetime
import io
import os
import platform
from collections.abc import Sequence
from html import escape
from pathlib import Path

import numpy as np
import scipy

import linnet as ln
from linnet.paper.draw import draw
from linnet.paper.experiment import Result
from linnet.paper.store import replace_text
from linnet.paper.text import Cells, cells, summary

STYLE = """
:root { --ink: #1c1e21; --soft: #5c636b; --line: #d9dde2; --back: #ffffff; --band: #f5f7f9; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e8ea; --soft: #a3abb3; --line: #3a4047; --back: #16191c; --band: #1f2429; }
  figure img { background: #fff; padding: .5rem; border-radius: 4px; }
}
* { box-sizing: border-box; }
body { font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--back);
  max-width: 76rem; margin: 0 auto; padding: 2rem 1.25rem 5rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.3rem; margin: 0 0 .25rem; }
section { border-top: 1px solid var(--line); margin-top: 2.5rem; padding-top: 1.5rem; }
.soft, caption, figcaption { color: var(--soft); font-size: .875rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums;
  font-size: .875rem; }
th, td { padding: .3rem .6rem; text-align: right; white-space: nowrap; }
th { border-bottom: 2px solid var(--line); font-weight: 600; }
tbody tr:nth-child(even) { background: var(--band); }
td.text, th.text { text-align: left; }
.contents td.text { white-space: normal; }
.contents td:nth-child(1), .contents td:nth-child(2) { min-width: 5.5rem; }
.contents td:nth-child(2) { min-width: 15rem; }
figure { margin: 1.25rem 0; }
figure img { max-width: 100%; height: auto; display: block; }
li { margin: .3rem 0; }
details { margin-top: .75rem; }
summary { cursor: pointer; color: var(--soft); font-size: .875rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; font-size: .875rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
a { color: #0072B2; } @media (prefers-color-scheme: dark) { a { color: #6db3e8; } }
@media print { section { break-inside: avoid-page; } details[open] { display: block; } }
"""


def write_page(results: Sequence[Result], path: Path) -> Path:
    """Write the page of some results; it needs no other file and no network."""
    replace_text(path, page(results))
    return path


def page(results: Sequence[Result]) -> str:
    """The page as HTML."""
    total = sum(result.seconds for result in results)
    machine = (
        f"linnet {ln.__version__}, Python {platform.python_version()}, NumPy {np.__version__}, "
        f"SciPy {scipy.__version__}, {os.cpu_count()} cores, {platform.system()} "
        f"{platform.machine()}"
    )
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return "\n".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>The paper, reproduced</title><style>{STYLE}</style></head><body>",
            "<h1>The paper, reproduced</h1>",
            f"<p>{len(results)} experiments on linearized neural networks, carried out by "
            "<code>linnet reproduce all</code> and set beside the numbers that the paper prints. "
            "Each section says what was computed, with which settings, in which time, and how it "
            "compares. Random neurons are shown as distributions: median and range over seeds.</p>",
            f'<p class="soft">{escape(machine)}. {today}. {_clock(total)} in all.</p>',
            _contents(results),
            *(_section(result) for result in results),
            "</body></html>\n",
        ]
    )


def _contents(results: Sequence[Result]) -> str:
    """Every experiment in a line: what, how it compares, how long."""
    lines = [["", "experiment", "comparison", "time"]]
    for result in results:
        first = result.notes[0] if result.notes else ""
        link = f'<a href="#{result.id}">{_name(result.id)}</a>'
        lines.append([link, escape(result.title), escape(first), _clock(result.seconds)])
    return f'<div class="scroll">{_table(lines, "contents", text=(0, 1, 2), html=True)}</div>'


def _section(result: Result) -> str:
    parts = [f'<section id="{result.id}"><h2>{_name(result.id)}. {escape(result.title)}</h2>']
    parts.append(f'<p class="soft">{_clock(result.seconds)}</p>')
    if result.id.startswith("table"):
        parts += _tables(result)
    else:
        parts.append(_figure(result))
        rows = _table(summary(result), "", text=(0, 1, 2))
        parts.append(_folded("The curves in numbers", f'<div class="scroll">{rows}</div>'))
    if result.notes:
        parts.append("<ul>" + "".join(f"<li>{escape(n)}</li>" for n in result.notes) + "</ul>")
    parts.append(_folded("Settings", _settings(result)))
    return "\n".join([*parts, "</section>"])


def _tables(result: Result) -> list[str]:
    made = []
    for series in result.series:
        caption = f"<caption>{escape(series.label)}</caption>" if len(result.series) > 1 else ""
        table = _table(cells(series, result.kind), "", caption=caption)
        made.append(f'<div class="scroll">{table}</div>')
    return made


def _figure(result: Result) -> str:
    svg = io.StringIO()
    draw(result).savefig(svg, format="svg")
    data = base64.b64encode(svg.getvalue().encode()).decode()
    alt = escape(f"{_name(result.id)}: {result.title}")
    return f'<figure><img alt="{alt}" src="data:image/svg+xml;base64,{data}"></figure>'


def _settings(result: Result) -> str:
    items = "".join(
        f"<dt>{escape(str(key))}</dt><dd>{escape(_value(value))}</dd>"
        for key, value in result.settings.items()
    )
    return f"<dl>{items}</dl>"


def _value(value: object) -> str:
    if isinstance(value, list | tuple):
        return "; ".join(_value(v) for v in value)
    if isinstance(value, dict):
        return "; ".join(f"{k}: {_value(v)}" for k, v in value.items())
    return str(value)


def _folded(title: str, html: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{html}</details>"


def _table(
    lines: Cells, css: str, text: tuple[int, ...] = (), caption: str = "", html: bool = False
) -> str:
    """Cells as an HTML table; columns in `text` are flush left."""

    def line(tag: str, values: list[str]) -> str:
        made = []
        for i, value in enumerate(values):
            css_cell = ' class="text"' if i in text else ""
            made.append(f"<{tag}{css_cell}>{value if html else escape(value)}</{tag}>")
        return f"<tr>{''.join(made)}</tr>"

    body = "".join(line("td", values) for values in lines[1:])
    head = line("th", lines[0])
    return f'<table class="{css}">{caption}<thead>{head}</thead><tbody>{body}</tbody></table>'


def _name(id: str) -> str:
    return id.replace("-", " ").capitalize()


def _clock(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.1f} min"
