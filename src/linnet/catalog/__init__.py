"""Problems with exact solutions, for tests, benchmarks, documentation and ``linnet solve``.

>>> from linnet import catalog
>>> catalog.get("multi-frequency-2d").problem().domain
Box(-1, 1, dim=2)
>>> [entry.name for entry in catalog.select(dim=2, tags="corner")]
['corner-2d']
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from linnet.catalog import elliptic, evolution, high, ordinary, oscillatory, rough, spatial
from linnet.catalog.entry import Entry
from linnet.catalog.known import Known
from linnet.errors import ArgumentError

__all__ = ["Entry", "Known", "get", "names", "select", "similar"]

_FAMILIES = (ordinary, elliptic, oscillatory, rough, evolution, spatial, high)
_ENTRIES: dict[str, Entry] = {e.name: e for family in _FAMILIES for e in family.ENTRIES}


def names() -> list[str]:
    """The names of all entries."""
    return list(_ENTRIES)


def similar(name: str) -> list[str]:
    """The names that are most like one that is none."""
    return difflib.get_close_matches(str(name), _ENTRIES, n=3)


def get(name: str) -> Entry:
    """The entry of a name.

    Parameters
    ----------
    name : str
        One of :func:`names`.
    """
    if name not in _ENTRIES:
        near = similar(name)
        remedy = f"Did you mean {' or '.join(near)}" if near else "catalog.names() lists them"
        raise ArgumentError("name", name, "the catalogue has no problem of this name", remedy)
    return _ENTRIES[name]


def select(dim: int | None = None, tags: str | Iterable[str] = ()) -> list[Entry]:
    """The entries of a dimension that carry all of some tags.

    Parameters
    ----------
    dim : int, optional
    tags : str or iterable of str
        Words such as "smooth"; one string may hold several.

    Returns
    -------
    list of Entry
    """
    wanted = frozenset(tags.split() if isinstance(tags, str) else tags)
    known = frozenset().union(*(entry.tags for entry in _ENTRIES.values()))
    if not wanted <= known:
        raise ArgumentError(
            "tags",
            sorted(wanted - known),
            "no problem of the catalogue has such a tag",
            f"Use some of {', '.join(sorted(known))}",
        )
    return [e for e in _ENTRIES.values() if wanted <= e.tags and dim in (None, e.dim)]
