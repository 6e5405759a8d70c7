"""How the numbers that came out compare with those that the paper prints, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from linnet.paper.experiment import Row

NAMES = {"l2": "L²", "h1": "H¹"}
CLOSE = 1.05  # rows of deterministic tables are expected within this factor of the paper's


def ratio(row: Row, quantity: str) -> float | None:
    """Ours over the paper's, where there are both."""
    value = getattr(row, quantity)
    if row.paper is None or value is None or not row.paper.get(quantity):
        return None
    return float(value / row.paper[quantity])


def same_digits(row: Row, quantity: str, digits: int = 4) -> bool:
    """Whether a value rounds to the digits that the paper prints."""
    value = getattr(row, quantity)
    if row.paper is None or value is None:
        return False
    return bool(f"{value:.{digits - 1}e}" == f"{row.paper[quantity]:.{digits - 1}e}")


def differences(rows: Sequence[Row]) -> list[str]:
    """Sentences on a table of errors: equal digits, largest deviation, seeds, counts."""
    printed = [row for row in rows if row.paper is not None]
    if not printed:
        return []
    several = any(row.extra.get("seeds", 1) > 1 for row in printed)
    return _random(printed) if several else [*_deterministic(printed), *_counts(printed)]


def _deterministic(rows: Sequence[Row]) -> list[str]:
    equal = [str(row.n) for row in rows if same_digits(row, "l2") and same_digits(row, "h1")]
    notes = []
    if equal:
        notes.append(f"n = {', '.join(equal)}: all digits that the paper prints, in both norms.")
    worst, q, row = max((r, q, row) for row in rows for q in NAMES if (r := ratio(row, q)))
    side = "at most" if worst > 1 else "always below:"
    notes.append(f"Our errors are {side} {worst:.4f} times the paper's (n = {row.n}, {NAMES[q]}).")
    better = [
        f"{NAMES[q]} at n = {row.n}: {r:.3f}"
        for row in rows
        for q in NAMES
        if (r := ratio(row, q)) and r < 0.98
    ]
    if better:
        notes.append(f"Smaller than the paper's by more than 2 %: {'; '.join(better)} times.")
    return notes


def _counts(rows: Sequence[Row]) -> list[str]:
    other = [
        f"{row.n} ({row.paper['n']:.0f} in the paper)"
        for row in rows
        if row.paper is not None and row.n != row.paper["n"]
    ]
    return [f"Other numbers of neurons: {', '.join(other)}."] if other else []


def _random(rows: Sequence[Row]) -> list[str]:
    """Random neurons: the paper's single draw against the distribution over the seeds."""
    notes = []
    ratios = [(r, q, row) for row in rows for q in NAMES if (r := ratio(row, q)) is not None]
    low, high = min(ratios, key=_first), max(ratios, key=_first)
    notes.append(
        "The paper shows one draw of the random neurons and gives no seed. The medians over our "
        f"seeds are between {low[0]:.2f} (n = {low[2].n}, {NAMES[low[1]]}) and {high[0]:.2f} "
        f"(n = {high[2].n}, {NAMES[high[1]]}) times its numbers."
    )
    inside = outside = 0
    for row in rows:
        for q in NAMES:
            if row.spread is not None and row.paper is not None:
                within = row.spread[q][0] <= row.paper[q] <= row.spread[q][1]
                inside, outside = inside + within, outside + (not within)
    notes.append(
        f"{inside} of the paper's {inside + outside} numbers lie in the range over our seeds; of "
        "K draws of one distribution, a further one falls outside their range with probability "
        "2/(K + 1), a third for K = 5."
    )
    return notes


def _first(item: tuple[float, str, Row]) -> float:
    return item[0]
