"""What the formulations share: rules for parts, blocks of points, operators at points."""

from __future__ import annotations

import bisect
import hashlib
import itertools
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from linnet.algebra import MultiIndex
from linnet.coefficients import Coefficient
from linnet.data import Data, data_values
from linnet.domains import Part, Points
from linnet.errors import ArgumentError
from linnet.network import Network
from linnet.problem import StrongForm, WeakForm
from linnet.reduce import Product, Workspace
from linnet.rules import Nodes, Rule

Array = NDArray[np.float64]

BLOCK = 1024  # points in a block: enough for BLAS, few enough for the third-level cache
LARGEST = 4096  # of blocks that grow with n, as factorisations of wide rows like them to


class PointStream:
    """Blocks of points of several rules, one after the other.

    Parameters
    ----------
    network : Network
    rules : sequence of Rule
        One for each segment of the stream.
    rows_per_point : sequence of int
        How many rows a point of each segment makes.
    largest : int
        The most points in a block; a rule's points are divided evenly.
    """

    def __init__(
        self,
        network: Network,
        rules: Sequence[Rule],
        rows_per_point: Sequence[int],
        largest: int = BLOCK,
    ) -> None:
        self.network, self.rules, self.rows_per_point = network, tuple(rules), rows_per_point
        counts = [-(-rule.size // largest) for rule in rules]
        self._steps = [-(-rule.size // max(c, 1)) for rule, c in zip(rules, counts, strict=True)]
        self._first = list(itertools.accumulate(counts, initial=0))

    @property
    def columns(self) -> int:
        """Number n of unknowns."""
        return self.network.n

    @property
    def blocks(self) -> int:
        """Number of blocks."""
        return self._first[-1]

    @cached_property
    def size(self) -> int:
        """Number of rows in all."""
        return sum(
            rule.size * rows for rule, rows in zip(self.rules, self.rows_per_point, strict=True)
        )

    def where(self, k: int) -> tuple[int, int, int]:
        """Segment, first and last-plus-one point of block k."""
        segment = bisect.bisect_right(self._first, k) - 1
        step, size = self._steps[segment], self.rules[segment].size
        start = min((k - self._first[segment]) * step, size)
        return segment, start, min(start + step, size)

    def fingerprint(self) -> str:
        """The rules, the network, and a digest of all points, coefficients and data."""
        digest = hashlib.sha256(b"".join(map(self._digest, range(self.blocks))))
        rules = [rule.describe() for rule in self.rules]
        theta = hashlib.sha256(self.network.theta.tobytes()).hexdigest()
        name, sigma = type(self).__name__, self.network.activation.spec()
        return repr((name, self._steps, rules, sigma, theta, digest.hexdigest()))

    def _digest(self, k: int) -> bytes:
        digest = hashlib.sha256()
        for array in self.given(k):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.digest()

    def given(self, k: int) -> Iterator[Array]:
        """All that block k is made of but the neurons: points, coefficients, data."""
        raise NotImplementedError

    def rows_of(self, k: int) -> int:
        """Number of rows of block k."""
        segment, start, stop = self.where(k)
        return (stop - start) * self.rows_per_point[segment]

    def nodes(self, k: int) -> tuple[int, int, Nodes]:
        """Segment, number of the first point, and the points of block k."""
        segment, start, stop = self.where(k)
        return segment, start, self.rules[segment].take(start, stop)


class LeastSquaresRows(PointStream):
    """A stream of rows [A │ y]; what is common to collocation and variational least squares."""

    right_hand_sides: int
    has_load = False
    reachable = True  # without an ℓ, y is meant to be met: ‖Aa − y‖ says how good a is

    def __init__(
        self, network: Network, rules: Sequence[Rule], rows_per_point: Sequence[int]
    ) -> None:
        most = max(rows_per_point, default=1) or 1
        wide = min(network.n, LARGEST) // most
        super().__init__(network, rules, rows_per_point, max(BLOCK, wide))

    def block(self, k: int, workspace: Workspace) -> Array:
        """Rows [A │ y] of block k, (m, n + s) in Fortran order."""
        raise NotImplementedError

    def load(self, k: int) -> Array:
        """What block k adds to the part of the right-hand side that is no row, (n, s)."""
        return np.zeros((self.columns, self.right_hand_sides))

    def keys(self) -> dict[Hashable, tuple[int, int]]:
        """One matrix, [A │ y]ᵀ[A │ y]."""
        width = self.columns + self.right_hand_sides
        shapes: dict[Hashable, tuple[int, int]] = {"rows": (width, width)}
        if self.has_load:
            shapes["load"] = (self.columns, self.right_hand_sides)
        return shapes

    def products(self, k: int, workspace: Workspace) -> Iterator[Product]:
        """The normal equations' share of block k."""
        yield Product("rows", self.block(k, workspace), None, 1.0)
        if self.has_load:
            one = np.eye(self.right_hand_sides, order="F")
            yield Product("load", np.asfortranarray(self.load(k).T), one, 1.0)


def rule_for(part: Part, rules: Sequence[Rule], what: str) -> Rule:
    """The rule on a part: the first of those given whose own part contains it."""
    if isinstance(part, Points):
        return part
    found = _found(part, rules)
    if found is not None:
        return found if found.part == part else found.on(part)
    raise ArgumentError(
        "rules",
        tuple(rules),
        f"none of them has points on {part}, where {what} is stated",
        "Add a rule for it, such as box.boundary.grid(100)",
    )


def _found(part: Part, rules: Sequence[Rule]) -> Rule | None:
    """The rule for a part: one on this very part, else the first whose part contains it."""
    same = (rule for rule in rules if rule.part == part)
    return next(same, next((rule for rule in rules if rule.part.contains(part)), None))


@dataclass(frozen=True, eq=False)
class Quadrature:
    """A formulation that integrates a weak form.

    Parameters
    ----------
    *rules : Rule
        Quadrature rules for the domain and for every part with a boundary integral.
    """

    rules: tuple[Rule, ...]

    def __init__(self, *rules: Rule) -> None:
        object.__setattr__(self, "rules", check_rules(rules))


def check_used(rules: Sequence[Rule], parts: Sequence[Part], what: str) -> None:
    """Refuse a rule on whose part nothing is stated, or another rule has been found before."""
    for rule in rules:
        if any(_found(part, rules) is rule for part in parts):
            continue
        reason = f"no {what} is stated on {rule.part}"
        if any(rule.part.contains(part) for part in parts):
            reason = f"another rule has the points on {rule.part}"
        raise ArgumentError(
            "rules", rule, reason, f"Leave the rule out, or state an {what} with on=... for it"
        )


def check_rules(rules: Sequence[object]) -> tuple[Rule, ...]:
    """The rules of a formulation, at least one."""
    for rule in rules:
        if not isinstance(rule, Rule):
            raise ArgumentError(
                "rules",
                rule,
                "it is no rule",
                "Give rules such as box.grid(100) or box.gauss(100, order=3)",
            )
    if not rules:
        raise ArgumentError("rules", (), "there are no points", "Give at least one rule")
    return tuple(rules)  # type: ignore[arg-type]


def placed(network: Network, problem: StrongForm | WeakForm, order: int) -> Network:
    """The network in the coordinates of the problem's domain, with the derivatives it needs."""
    if not isinstance(network, Network):
        raise ArgumentError(
            "network", network, "it is no network", "Give Network(activation, neurons)"
        )
    domain = problem.domain
    if network.dim != domain.dim:
        raise ArgumentError(
            "network",
            f"neurons for dimension {network.dim}",
            f"the problem's domain has dimension {domain.dim}",
            f"Make the neurons for dim={domain.dim}",
        )
    if network.domain is not None and network.domain != domain:
        raise ArgumentError(
            "network",
            network.domain,
            f"it has been placed on another domain than the problem's, {domain}",
            "Use .on(box) with the problem's domain",
        )
    network.check_order(order)
    return network.placed_on(domain)


def columns_of(data: Sequence[Data], rules: Sequence[Rule]) -> int:
    """The number s of right-hand sides, found by looking at one point of each rule."""
    counts = {
        data_values(d, rule.take(0, 1), 0, "data").shape[1]
        for d, rule in zip(data, rules, strict=True)
    } - {1}
    if len(counts) > 1:
        raise ArgumentError(
            "data",
            f"{sorted(counts)} right-hand sides",
            "all data have one column, or as many as there are right-hand sides",
            "Give functions from points (m, d) to values (m,) or (m, s), with one s",
        )
    return max(counts, default=1)


def terms_at(
    coefficients: Mapping[MultiIndex, Coefficient], nodes: Nodes
) -> dict[MultiIndex, float | Array]:
    """Values of an operator's coefficients at the points, numbers where they are constant."""
    return {alpha: coefficient_at(c, nodes) for alpha, c in coefficients.items()}


def coefficient_at(c: Coefficient, nodes: Nodes) -> float | Array:
    """A number where the coefficient is constant, its values (m,) where it is not."""
    values = c.constant if c.constant is not None else c(nodes.points, nodes.normals)
    if np.iscomplexobj(values):
        raise ArgumentError(
            "coefficient", c, "complex problems are not solved yet", "State it with real numbers"
        )
    return values  # type: ignore[return-value]
