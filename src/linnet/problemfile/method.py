"""Network, formulation, points and solver: what a file may say about how to solve."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linnet import neurons
from linnet.activations import (
    Activation,
    Cosine,
    Gaussian,
    ReLU,
    Sigmoid,
    Sine,
    Softplus,
    Tanh,
)
from linnet.auto import Auto
from linnet.domains import Boundary, Box
from linnet.network import Network
from linnet.problem import StrongForm
from linnet.problemfile.document import Document
from linnet.problemfile.statement import Statement
from linnet.rows import Collocation, Formulation, Galerkin, VariationalLeastSquares
from linnet.rules import Rule
from linnet.solvers import LU, Cholesky, RegularizedQR, Solver, TruncatedSVD

Array = NDArray[np.float64]

ACTIVATIONS: Mapping[str, type[Activation]] = {
    "relu": ReLU,
    "tanh": Tanh,
    "sine": Sine,
    "cosine": Cosine,
    "gaussian": Gaussian,
    "sigmoid": Sigmoid,
    "softplus": Softplus,
}
SCHEMES: Mapping[str, Callable[[int, int, float, int], Array]] = {
    "sphere": lambda n, dim, r, seed: neurons.sphere(n, dim, r),
    "sobol": lambda n, dim, r, seed: neurons.sobol_sphere(n, dim, r),
    "halton": lambda n, dim, r, seed: neurons.halton_sphere(n, dim, r),
    "random": lambda n, dim, r, seed: neurons.random_sphere(n, dim, r, seed),
    "box": lambda n, dim, r, seed: neurons.random_box(n, dim, r, seed),
    "half-ball": lambda n, dim, r, seed: neurons.half_ball(n, dim, r),
}
PETRUSHEV = "petrushev"
WEIGHT = 1e4  # λ of boundary rows where points are given and weights are not (DESIGN.md)
RULES = ("grid", "gauss", "sobol", "random")
FEWEST, MOST = 4, 50_000  # neurons: dense matrices have their square
STEEPEST = 20  # power of a ReLU


@dataclass(frozen=True)
class Method:
    """How to solve; None where linnet is to choose.

    Attributes
    ----------
    network : Network or None
    neurons : int or None
        The number of neurons where nothing else is said of the network.
    formulation : Collocation, Galerkin, VariationalLeastSquares or None
    solver : solver or None
    workers : int or None
    tolerance : float or None
    """

    network: Network | None
    neurons: int | None
    formulation: Formulation | None
    solver: Solver | Auto | None
    workers: int | None
    tolerance: float | None


def method(document: Document, stated: Statement) -> Method:
    """What a document says about how to solve."""
    network, width = _network(document, stated)
    workers, tolerance = document.whole("solver", "workers"), document.number("solver", "tolerance")
    if workers is not None and workers < 1:
        raise document.error(("solver", "workers"), "there must be at least one thread")
    if tolerance is not None and tolerance <= 0:
        raise document.error(("solver", "tolerance"), "this must be positive", "Write 1e-8, say")
    if tolerance is not None and document.has("network", "neurons"):
        raise document.error(
            ("solver", "tolerance"), "with a tolerance linnet chooses the number of neurons",
            "Remove one of them", True,
        )  # fmt: skip
    formulation = _formulation(document, stated)
    return Method(network, width, formulation, _solver(document), workers, tolerance)


def _network(document: Document, stated: Statement) -> tuple[Network | None, int | None]:
    table, domain = "network", stated.problem.domain
    n: Any = document.get(table, "neurons")
    if not document.has(table, "activation", "power", "scheme", "radius", "seed"):
        width = document.whole(table, "neurons")
        if width is not None and not FEWEST <= width <= MOST:
            remedy = f"Give {FEWEST} to {MOST} of them"
            raise document.error((table, "neurons"), _fewer_or_more(width), remedy)
        return None, width
    for key in ("activation", "neurons"):
        if document.get(table, key) is None:
            raise document.error(
                (table,),
                f"'{key}' is missing",
                "Give it, or give neurons alone, and linnet chooses the rest",
            )
    kind = document.choice(table, "activation", of=ACTIVATIONS)
    power = document.whole(table, "power")
    if power is not None and power > STEEPEST:
        raise document.error(
            (table, "power"), f"a power above {STEEPEST} overflows", "Give 1, 2, 3"
        )
    if power is not None and kind is not ReLU:
        raise document.error((table, "power"), "only relu has a power", "Remove it", True)
    with document.blaming(table, "power" if power is not None else "activation"):
        activation = ReLU(2 if power is None else power) if kind is ReLU else kind()
        activation.check_order(stated.problem.order)
    scheme = document.choice(table, "scheme", of={name: name for name in (*SCHEMES, PETRUSHEV)})
    if scheme is None:
        scheme = "half-ball" if kind in (Sine, Cosine) else "sphere"
    seed = document.whole(table, "seed", negative=False)
    radii = _radii(document, kind, 2 if scheme == PETRUSHEV else 1)
    with document.blaming(table, "neurons"):
        if scheme == PETRUSHEV:
            if not isinstance(n, list) or len(n) != 2:
                raise document.error(
                    (table, "neurons"), "Petrushev's scheme has two numbers", "Write [40, 25]"
                )
            theta = neurons.petrushev(n[0], n[1], domain.dim, radii[0], radii[1])
        else:
            count = document.whole(table, "neurons")
            assert count is not None
            if not 1 <= count <= MOST:
                remedy = f"Give 1 to {MOST} of them"
                raise document.error((table, "neurons"), _fewer_or_more(count), remedy)
            theta = SCHEMES[scheme](count, domain.dim, radii[0], 0 if seed is None else seed)
        return Network(activation, theta).on(domain), None


def _fewer_or_more(count: int) -> str:
    if count < 1:
        return "there must be at least one neuron"
    return "too few neurons to choose from" if count < FEWEST else "more neurons than fit in memory"


def _radii(document: Document, kind: type[Activation], count: int) -> list[float]:
    path = ("network", "radius")
    value = document.get(*path)
    if value is None:
        if kind is ReLU:
            return [1.0] * count
        raise document.error(
            ("network",),
            "'radius' is missing, the scale of the hidden parameters",
            "Give one such as 4, or give neurons alone, and linnet chooses the rest",
        )
    values = value if isinstance(value, list) else [value]
    if len(values) != count:
        raise document.error(path, f"this must be {count} numbers" if count > 1 else "one number")
    radii = [document.as_number(v, path) for v in values]
    if min(radii) <= 0:
        raise document.error(path, "a radius is positive", "Write 4, say")
    return radii


def _formulation(document: Document, stated: Statement) -> Formulation | None:
    table, problem = "formulation", stated.problem
    strong = isinstance(problem, StrongForm)
    kinds: dict[str, Any] = (
        {"collocation": Collocation}
        if strong
        else {"galerkin": Galerkin, "variational least squares": VariationalLeastSquares}
    )
    kind = document.choice(table, "kind", of=kinds)
    if kind is None and not document.has(table) and not document.has("points"):
        return None
    rules = _rules(document, problem, needs_boundary(stated))
    if not strong:
        for key in ("boundary_weight", "measurement_weight"):
            if document.get(table, key) is not None:
                raise document.error((table, key), "a weak form has no weights", "Remove it", True)
        made: Formulation = (kind or Galerkin)(*rules)
        return made
    weight = {"equation": 1.0}
    for key, name in (("boundary_weight", "boundary"), ("measurement_weight", "measurements")):
        value = document.number(table, key)
        if value is not None and value < 0:
            raise document.error((table, key), "a weight is not negative", "Write 1e4, say")
        weight[name] = WEIGHT if value is None else value
    with document.blaming(table):
        return Collocation(*rules, weights=[weight[name] for name in stated.kinds])


def needs_boundary(stated: Statement) -> bool:
    """Whether anything is stated on the boundary."""
    if isinstance(stated.problem, StrongForm):
        return any(isinstance(equation.on, Boundary) for equation in stated.problem.equations)
    return len(stated.problem.integrals) > 1


DEFAULT_RULE = {1: ("grid", 1000), 2: ("grid", 100), 3: ("grid", 30)}


def _rules(document: Document, problem: Any, boundary: bool) -> list[Rule]:
    """Points inside, and on the boundary where something is stated there."""
    box = problem.domain
    weak = not isinstance(problem, StrongForm)
    n: Any
    kind, n = DEFAULT_RULE.get(box.dim, ("sobol", 20_000 if not weak else 200_000))
    if weak and kind == "grid":
        kind = "gauss"
    kind = document.choice("points", "rule", of={name: name for name in RULES}) or kind
    tensor = kind in ("grid", "gauss")  # with a number for each axis, perhaps
    read = document.get if tensor else document.whole
    if document.get("points", "n") is not None:
        n = read("points", "n")
    edge = read("points", "boundary")
    if edge is None:
        edge = n if tensor else max(1, n // 5)
    with document.blaming("points", "n"):
        rules = [_rule(document, box, kind, n)]
    with document.blaming("points", "boundary"):
        return rules + ([_rule(document, box.boundary, kind, edge)] if boundary else [])


def _rule(document: Document, part: Box | Boundary, kind: str, n: Any) -> Rule:
    seed = document.whole("points", "seed", negative=False) or 0
    if kind == "grid":
        return part.grid(n)
    if kind == "gauss":
        order = document.whole("points", "order")
        with document.blaming("points", "order" if order is not None and order < 1 else "n"):
            return part.gauss(n, 3 if order is None else order)
    return part.sobol(n) if kind == "sobol" else part.random(n, seed)


def _solver(document: Document) -> Solver | Auto | None:
    mu, rcond = document.number("solver", "mu"), document.number("solver", "rcond")
    solvers: dict[str, Callable[[], Solver | Auto]] = {
        "auto": Auto,
        "cholesky": Cholesky,
        "lu": LU,
        "svd": lambda: TruncatedSVD(rcond),
        "qr": lambda: RegularizedQR(mu),
    }
    kind = document.choice("solver", "kind", of={name: name for name in solvers})
    for key, value, owner in (("mu", mu, "qr"), ("rcond", rcond, "svd")):
        if value is not None and kind != owner:
            raise document.error(
                ("solver", key), f"'{key}' belongs to the solver {owner}", f'Write kind = "{owner}"'
            )
    with document.blaming("solver"):
        return None if kind is None else solvers[kind]()
