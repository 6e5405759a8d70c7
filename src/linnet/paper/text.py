"""A result in plain text: our numbers beside the paper's."""

from __future__ import annotations

import textwrap

from linnet.paper.compare import ratio
from linnet.paper.experiment import Result, Row, Series

Cells = list[list[str]]


def as_text(result: Result) -> str:
    """The tables of a result and its notes, for a terminal."""
    if result.id.startswith("table"):
        body = [laid_out(cells(result.series[0], result.kind))]
    else:
        body = [laid_out(summary(result))]
    notes = [
        textwrap.fill(note, 100, initial_indent="- ", subsequent_indent="  ")
        for note in result.notes
    ]
    return "\n".join([f"{result.id}: {result.title}", "", *body, "", *notes])


def cells(series: Series, kind: str) -> Cells:
    """The rows of a table as text, the header first."""
    return _error_cells(series) if kind == "errors" else _condition_cells(series)


def _error_cells(series: Series) -> Cells:
    theory = {q: f"n^{slope:.2f}" for q, slope in series.reference.items()}
    spread = any(row.spread for row in series.rows)
    paper = any(row.paper for row in series.rows)
    header = ["n", "L²", f"order {theory.get('l2', '')}", "H¹", f"order {theory.get('h1', '')}"]
    header += ["range L²", "range H¹", "seeds"] if spread else []
    header += ["paper n", "paper L²", "paper H¹", "ratio L²", "ratio H¹"] if paper else []
    lines = [header]
    for row in series.rows:
        line = [str(row.n), number(row.l2), _order(row.order_l2)]
        line += [number(row.h1), _order(row.order_h1)]
        line += [_range(row, "l2"), _range(row, "h1"), str(row.extra["seeds"])] if spread else []
        if paper:
            given = row.paper or {}
            line += [f"{given['n']:.0f}" if given else "", number(given.get("l2"))]
            line += [number(given.get("h1")), _ratio(row, "l2"), _ratio(row, "h1")]
        lines.append(line)
    return lines


def _condition_cells(series: Series) -> Cells:
    lines = [["n", "condition", "range over seeds", "true condition", "its range", "paper"]]
    for row in series.rows:
        line = [str(row.n), number(row.condition, 1), _range(row, "condition", 1)]
        line += [number(row.true_condition, 1), _range(row, "true_condition", 1)]
        lines.append([*line, number((row.paper or {}).get("condition"), 1)])
    return lines


QUANTITIES = {"l2": "L²", "h1": "H¹", "condition": "condition", "true_condition": "true condition"}


def summary(result: Result) -> Cells:
    """The curves of a figure: where each begins and ends, and its slope."""
    lines = [["panel", "curve", "quantity", "n", "first", "last", "least", "slope", "theory"]]
    for series in result.series:
        for q, name in QUANTITIES.items():
            pairs = [(row.n, v) for row in series.rows if (v := getattr(row, q)) is not None]
            if not pairs:
                continue
            (n0, first), (n1, last) = pairs[0], pairs[-1]
            line = [series.panel, series.label, name, f"{n0} … {n1}", number(first), number(last)]
            line += [number(min(v for _, v in pairs)), _order(series.slopes.get(q))]
            lines.append([*line, _order(series.reference.get(q))])
    return lines


def laid_out(lines: Cells) -> str:
    """Cells in columns, flush right, a rule below the header."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    text = ["  ".join(c.rjust(w) for c, w in zip(line, widths, strict=True)) for line in lines]
    return "\n".join([text[0], "─" * len(text[0]), *text[1:]])


def number(value: float | None, digits: int = 3) -> str:
    """A number in the paper's notation, nothing for None."""
    return "" if value is None else f"{value:.{digits}e}"


def _order(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _ratio(row: Row, quantity: str) -> str:
    value = ratio(row, quantity)
    return "" if value is None else f"{value:.3f}"


def _range(row: Row, quantity: str, digits: int = 2) -> str:
    if row.spread is None or quantity not in row.spread:
        return ""
    low, high = row.spread[quantity]
    return f"{number(low, digits)} … {number(high, digits)}"
