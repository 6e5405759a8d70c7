"""The lines under [boundary]: which faces, and what holds there."""

from __future__ import annotations

from dataclasses import dataclass

from linnet.domains import Box
from linnet.domains.names import WORDS, all_faces, face_called, face_name
from linnet.errors import ArgumentError
from linnet.formulas import Formula
from linnet.problemfile.document import Document, nearest

FORMULAS, PERIODIC, FREE = "formulas", "periodic", "free"
GROUPS = ("all", "others")


@dataclass(frozen=True)
class Condition:
    """One line: its key, what kind it is, the faces' names, and the formulas that hold there."""

    key: str
    kind: str
    faces: tuple[str, ...]
    axes: tuple[int, ...]
    formulas: tuple[Formula, ...]


def conditions(document: Document, box: Box, needed: bool) -> list[Condition]:
    """The conditions; `needed`: every face must have one, though it be "free".

    Keys are faces such as ``left`` or ``"left, right"``, and ``all`` or ``others``.
    """
    table = document.get("boundary") or {}
    names = [face_name(face) for face in all_faces(box.dim)]
    claimed: dict[str, str] = {}
    for key in sorted(table, key=lambda key: key in GROUPS):
        faces = _faces(document, key, box, names)
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
    found = [_condition(document, key, box, _of(claimed, key)) for key in table]
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


def _faces(document: Document, key: str, box: Box, names: list[str]) -> list[str]:
    """The faces that a key means."""
    if key in GROUPS:
        return names
    found = []
    for name in key.replace(",", " ").split():
        try:
            found.append(face_name(face_called(name, box.dim)))
        except ArgumentError as error:
            every = [*GROUPS, *names]
            if box.dim < 3 and name in (word for pair in WORDS for word in pair):
                remedy = f"The faces of this domain are {', '.join(names)}"
            else:
                remedy = nearest(name, every)
            raise document.error(
                ("boundary", key), f"the domain has no face '{name}'", remedy, True
            ) from error
    return found


def _condition(document: Document, key: str, box: Box, faces: tuple[str, ...]) -> Condition:
    path = ("boundary", key)
    value = document.get(*path)
    if value == FREE:
        return Condition(key, FREE, faces, (), ())
    if value == PERIODIC:
        return Condition(key, PERIODIC, faces, _axes(document, key, box, faces), ())
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


def _axes(document: Document, key: str, box: Box, faces: tuple[str, ...]) -> tuple[int, ...]:
    """The axes along which pairs of opposite faces are periodic."""
    chosen = [face_called(name, box.dim) for name in faces]
    for axis, side in chosen:
        if (axis, -side) not in chosen:
            raise document.error(
                ("boundary", key),
                f"'{face_name((axis, side))}' is periodic and its opposite face is not here",
                f'Write "{face_name((axis, -1))}, {face_name((axis, 1))}" = "periodic"',
                True,
            )
    return tuple(sorted({axis for axis, _ in chosen}))
