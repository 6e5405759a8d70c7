"""Trees as functions of points, on NumPy arrays."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from linnet.formulas.derive import Derivatives, derivative
from linnet.formulas.functions import FUNCTIONS
from linnet.formulas.source import Formula
from linnet.formulas.tree import NAME, NUMBER, Node, postorder

Array = NDArray[np.float64]
MOST_STEPS = 20_000

Key = tuple[str, str, float, tuple[int, ...]]


class PointFunction:
    """A tree in the coordinates as a function from points (m, d) to values (m,).

    Parameters
    ----------
    tree : Node
        Its names are coordinates, its functions known.
    coordinates : sequence of str
        The names of the d coordinates.
    formula : Formula
        Where it was written, for messages about values that are not finite.
    """

    def __init__(self, tree: Node, coordinates: Sequence[str], formula: Formula) -> None:
        self.tree, self.coordinates, self.formula = tree, tuple(coordinates), formula
        self._steps = _program(tree)
        if len(self._steps) > MOST_STEPS:
            raise formula.error(
                (0, len(formula.text)), "this has too many parts to be computed", "Simplify it"
            )
        self._done = _last_uses(self._steps)

    def __call__(self, x: Array) -> Array:
        """Values (m,) at points (m, d)."""
        points = np.asarray(x, dtype=np.float64)
        values = np.broadcast_to(self._run(points), len(points))
        finite = np.isfinite(values)
        if not finite.all():
            row = int(np.argmin(finite))
            pairs = zip(self.coordinates, points[row], strict=True)
            where = ", ".join(f"{name} = {value:.6g}" for name, value in pairs)
            raise self.formula.error(
                (0, len(self.formula.text)),
                f"the value is {values[row]} at {where}",
                "Give a formula that is finite on the whole domain, or points that avoid the place",
            )
        return values

    def gradient(self, x: Array) -> Array:
        """The gradient (m, d) at points (m, d)."""
        return np.stack([slope(x) for slope in self._slopes], axis=1)

    @cached_property
    def _slopes(self) -> list[PointFunction]:
        return [self.partial(name) for name in self.coordinates]

    def derivative(self, alpha: Sequence[int]) -> PointFunction:
        """The derivative of a multi-index."""
        tree, derive = self.tree, Derivatives()
        for name, order in zip(self.coordinates, alpha, strict=True):
            for _ in range(order):
                tree = derive(tree, name)
        return PointFunction(tree, self.coordinates, self.formula)

    def partial(self, coordinate: str) -> PointFunction:
        """The derivative with respect to a coordinate."""
        return PointFunction(derivative(self.tree, coordinate), self.coordinates, self.formula)

    def _run(self, x: Array) -> Array:
        values: dict[int, Array] = {}
        result: Array = np.zeros(0)
        with np.errstate(all="ignore"):
            for i, (kind, name, value, args) in enumerate(self._steps):
                a = [values[j] for j in args]
                match kind:
                    case "number":
                        result = np.array(value)
                    case "name":
                        result = x[:, self.coordinates.index(name)]
                    case "+":
                        result = a[0] + a[1]
                    case "-":
                        result = a[0] - a[1]
                    case "*":
                        result = a[0] * a[1]
                    case "/":
                        result = a[0] / a[1]
                    case "^":
                        result = a[0] ** a[1]
                    case "negative":
                        result = -a[0]
                    case _:
                        result = FUNCTIONS[name].array(*a)
                values[i] = result
                for j in self._done[i]:
                    del values[j]
        return result


def _program(tree: Node) -> list[Key]:
    """The steps that compute a tree, each different one once, the tree's own as the last."""
    slots: dict[Key, int] = {}
    slot_of: dict[int, int] = {}
    for node in postorder(tree):
        args = tuple(slot_of[id(arg)] for arg in node.args)
        value = node.value if node.kind == NUMBER else 0.0
        name = node.name if node.kind in (NAME, "call") else ""
        slot_of[id(node)] = slots.setdefault((node.kind, name, value, args), len(slots))
    return list(slots)


def _last_uses(steps: list[Key]) -> list[list[int]]:
    """For each step, the earlier ones whose values are not needed any more after it."""
    last = {j: i for i, step in enumerate(steps) for j in step[3]}
    done: list[list[int]] = [[] for _ in steps]
    for j, i in last.items():
        done[i].append(j)
    return done
