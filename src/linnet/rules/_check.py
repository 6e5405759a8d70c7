"""Arguments made sound once, at the door: whole numbers, one number per axis, floats, seeds."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import SupportsIndex, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from linnet.errors import ArgumentError


def whole(name: str, value: SupportsIndex, least: int, most: int | None = None) -> int:
    """`value` as an int in [`least`, `most`]; everything else is refused."""
    kind = f"a whole number of at least {least}"
    if isinstance(value, (bool, np.bool_)):
        raise ArgumentError(name, value, "a truth value is no number", f"Give {kind}")
    try:
        number = operator.index(value)
    except TypeError:
        raise ArgumentError(name, value, "not a whole number", f"Give {kind}") from None
    if number < least:
        raise ArgumentError(name, value, f"less than {least}", f"Give {kind}")
    if most is not None and number > most:
        raise ArgumentError(name, value, f"more than {most}", f"Give {kind}, at most {most}")
    return number


def per_axis(
    name: str, value: SupportsIndex | Sequence[SupportsIndex], dim: int, least: int
) -> tuple[int, ...]:
    """One whole number per axis: `value` itself, or `value` repeated `dim` times."""
    if np.ndim(cast(ArrayLike, value)) == 0:
        return (whole(name, cast(SupportsIndex, value), least),) * dim
    numbers = tuple(whole(name, v, least) for v in cast(Sequence[SupportsIndex], value))
    if len(numbers) != dim:
        reason = f"{len(numbers)} numbers for {dim} axes"
        raise ArgumentError(name, value, reason, f"Give one number, or {dim} of them")
    return numbers


def floats(name: str, value: ArrayLike) -> NDArray[np.float64]:
    """A fresh float array with the entries of `value`, all of them finite."""
    array: NDArray[np.float64] | None = None
    try:
        raw = np.asarray(value)
        if raw.dtype.kind in "iufO":
            array = np.array(raw, dtype=np.float64)
    except (TypeError, ValueError):
        pass
    if array is None:
        raise ArgumentError(name, value, "not an array of real numbers", "Give real numbers")
    if not np.isfinite(array).all():
        raise ArgumentError(name, value, "has an entry that is NaN or infinite", "Give finite ones")
    return array


def seed_from(rng: np.random.Generator | SupportsIndex | None) -> int:
    """The integer that decides everything random later.

    A generator gives one draw, an integer is the seed itself, None takes fresh entropy.
    """
    if rng is None:
        rng = np.random.default_rng()
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**63 - 1))
    try:
        return whole("rng", rng, 0)
    except ArgumentError as error:
        remedy = "Give numpy.random.default_rng(seed), a seed >= 0, or None"
        raise ArgumentError("rng", rng, error.reason, remedy) from None


def short(numbers: tuple[int, ...]) -> str:
    """``100`` for (100, 100), ``(100, 50)`` for (100, 50)."""
    return str(numbers[0]) if len(set(numbers)) == 1 else str(numbers)
