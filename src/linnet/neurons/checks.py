"""What the point sets demand of their arguments."""

from __future__ import annotations

import numbers
from typing import TypeAlias

import numpy as np

from linnet.errors import ArgumentError

Seed: TypeAlias = int | np.random.Generator | None


def count(name: str, value: int, least: int = 1) -> int:
    """`value` as an int, at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ArgumentError(name, value, "a count is an integer", f"Pass an int ≥ {least}")
    if value < least:
        raise ArgumentError(name, value, f"it is below {least}", f"Pass an int ≥ {least}")
    return int(value)


def positive(name: str, value: float) -> float:
    """`value` as a float, positive and finite."""
    if (
        isinstance(value, bool)
        or not isinstance(value, numbers.Real)
        or not 0.0 < float(value) < float("inf")
    ):
        raise ArgumentError(
            name, value, "a length is a positive, finite number", "Pass a float such as 1.0"
        )
    return float(value)


def generator(rng: Seed) -> np.random.Generator:
    """The generator that `rng` means."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError) as error:
        raise ArgumentError(
            "rng", rng, "it makes no random generator", "Pass None, an int ≥ 0 or a Generator"
        ) from error
