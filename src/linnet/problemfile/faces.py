"""The lines under [boundary]: which faces, and what holds there."""

from __future__ import annotations

from dataclasses import dataclass

from linnet.domains import Box
from linnet.domains.names import WORDS, Face, all_faces, face_name
from linnet.formulas import Formula, Scope
from linnet.problemfile.document import Document, nearest

FORMULAS, PERIODIC, FREE = "formulas", "periodic", "free"
GROUPS = ("all", "others")
_SIGNS = {-1: "-", 1: "+"}


@dataclass(frozen=True)
class Condition:
    """One line: its key, what kind it is, the faces' names, and the formulas that hold there."""

    key: str
    kind: str
    faces: tuple[str, ...]
    axes: tuple[int, ...]
    formulas: tuple[Formula, ...]


def conditions(document: Document, box: Box, scope: Scope, needed: bool) -> list[Condition]:
    """The conditions; `needed`: every face must have one, though it be "free".

    Keys are faces such as ``left`` or ``"left, right"``, and ``all`` or ``others``.
    """
    table = document.get("boundary") or {}
    names = [_shown(face, scope) for face in all_faces(box.dim)]
    claimed: dict[str, str] = {}
    for key in sorted(table, key=lambda key: key in GROUPS):
        faces = _faces(document, key, scope, names)
        if key in GROUPS and key == "all" and claimed:
            first = next(iter(claimed.values()))
            raise document.error(
                ("boundary", key),
                f"two conditions on one face: 'all' includes '{first}'",
                "Write 'others' for the remaining faces, and a list for several conditions on one",
                True,
            )
        for face in faces:
            if key in GROUPS and face in claimed:
                continue
            if face in claimed:
                raise document.error(
                    ("boundary", key),
                    f"two conditions on one face: '{face}' has one under '{claimed[face]}'",
                    'Write several conditions as a list, as in left = ["u = 0", "dn(u) = 0"]',
                    True,
                )
            claimed[face] = key
    found = [_condition(document, key, scope, _of(claimed, key)) for key in table]
    missing = [face for face in names if face not in claimed]
    if needed and missing:
        raise document.error(
            ("boundary",),
            f"there is no condition on {', '.join(missing)}",
            'Add one such as others = "u = 0", or others = "free" where none is meant',
        )
    for condition in found:
        if not condition.faces:
            raise document.error(
                ("boundary", condition.key),
                f"no face is left for '{condition.key}'",
                "Remove it",
                True,
            )
    return found


def _of(claimed: dict[str, str], key: str) -> tuple[str, ...]:
    return tuple(face for face, owner in claimed.items() if owner == key)


def _shown(face: Face, scope: Scope) -> str:
    """A face as a file calls it: 'left', or 'x4-' for the lower face of the coordinate x4."""
    axis, side = face
    return (
        WORDS[axis][side > 0] if axis < len(WORDS) else f"{scope.coordinates[axis]}{_SIGNS[side]}"
    )


def _known(scope: Scope) -> dict[str, Face]:
    """All names of the faces: words, and coordinates with a sign."""
    faces = all_faces(scope.dim)
    signed = {f"{n}{_SIGNS[side]}": (i, side) for n, i in scope.axes.items() for side in (-1, 1)}
    return {_shown(face, scope): face for face in faces} | signed


def _faces(document: Document, key: str, scope: Scope, names: list[str]) -> list[str]:
    """The faces that a key means."""
    if key in GROUPS:
        return names
    found, known = [], _known(scope)
    for name in key.replace(",", " ").split():
        if name not in known:
            if scope.dim < 3 and name in (word for pair in WORDS for word in pair):
                remedy = f"The faces of this domain are {', '.join(names)}"
            else:
                remedy = nearest(name, [*GROUPS, *known])
            raise document.error(
                ("boundary", key), f"the domain has no face '{name}'", remedy, True
            )
        found.append(_shown(known[name], scope))
    return found


def _condition(document: Document, key: str, scope: Scope, shown: tuple[str, ...]) -> Condition:
    path, known = ("boundary", key), _known(scope)
    chosen = [known[name] for name in shown]
    faces = tuple(face_name(face) for face in chosen)  # as the box calls them
    value = document.get(*path)
    if value == FREE:
        return Condition(key, FREE, faces, (), ())
    if value == PERIODIC:
        return Condition(key, PERIODIC, faces, _axes(document, key, scope, chosen), ())
    texts = value if isinstance(value, list) else [value]
    if not texts or not all(isinstance(text, str) for text in texts):
        raise document.error(
            path, "this must be a condition", 'Write one such as "u = 0", or a list of them'
        )
    for i, text in enumerate(texts):
        if text in (FREE, PERIODIC):
            formula = document.formula(*path, index=i)
            assert formula is not None
            raise formula.error((0, len(text)), f"'{text}' stands alone", "Write it without a list")
    formulas = tuple(document.formula(*path, index=i) for i in range(len(texts)))
    return Condition(key, FORMULAS, faces, (), formulas)  # type: ignore[arg-type]


def _axes(document: Document, key: str, scope: Scope, chosen: list[Face]) -> tuple[int, ...]:
    """The axes along which pairs of opposite faces are periodic."""
    for axis, side in chosen:
        if (axis, -side) not in chosen:
            both = f"{_shown((axis, -1), scope)}, {_shown((axis, 1), scope)}"
            raise document.error(
                ("boundary", key),
                f"'{_shown((axis, side), scope)}' is periodic and its opposite face is not here",
                f'Write "{both}" = "periodic"',
                True,
            )
    return tuple(sorted({axis for axis, _ in chosen}))
