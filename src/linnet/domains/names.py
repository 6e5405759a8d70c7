"""Names of the faces of a box: 'left' or 'x0-' for the face (axis 0, side -1)."""

from __future__ import annotations

import difflib

from linnet.errors import ArgumentError

Face = tuple[int, int]  # axis, side (-1 or +1)

WORDS = (("left", "right"), ("bottom", "top"), ("back", "front"))


def all_faces(dim: int) -> list[Face]:
    """The 2·dim faces of a box in canonical order."""
    return [(axis, side) for axis in range(dim) for side in (-1, 1)]


def plain_name(face: Face) -> str:
    """The name that exists in any dimension: 'x0-', 'x0+', 'x1-', …."""
    return f"x{face[0]}{'+' if face[1] > 0 else '-'}"


def face_name(face: Face) -> str:
    """The word for a face of axis 0, 1 or 2, else its plain name."""
    axis, side = face
    return WORDS[axis][side > 0] if axis < len(WORDS) else plain_name(face)


def face_called(name: str, dim: int) -> Face:
    """The face of a box in `dim` dimensions that `name` means."""
    known = {face_name(face): face for face in all_faces(dim)}
    known |= {plain_name(face): face for face in all_faces(dim)}
    if isinstance(name, str) and name in known:
        return known[name]
    near = difflib.get_close_matches(str(name), known, n=1)
    remedy = f"Did you mean {near[0]!r}" if near else f"Known names: {', '.join(known)}"
    raise ArgumentError("name", name, f"no face of a box in {dim}D has this name", remedy)
