"""The equations that a weak form stands for, by integration by parts.

∫ Σ c D^α u D^β v + ∮ … = ∫ f v + ∮ g v for all v means Σ (−1)^|β| D^β(c D^α u) = f inside and, for
|β| ≤ 1, Σ nᵢ c D^α u + … = g on the boundary. They order networks for the weak form as residuals
do for a strong one.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from linnet.algebra import MultiIndex, Operator, Role
from linnet.coefficients import Coefficient, normal_component
from linnet.data import Data
from linnet.domains import Boundary, Part
from linnet.errors import SmoothnessError
from linnet.operators import partial
from linnet.problem import Equation, Integral, StrongForm, WeakForm

Array = NDArray[np.float64]


def equivalent(problem: WeakForm) -> StrongForm | None:
    """The strong form of a weak form; None where it cannot be written down.

    That is where a coefficient has no gradient, where the form differentiates v twice, or where
    a boundary integral differentiates v (Nitsche's method).
    """
    inside, *others = problem.integrals
    assert inside.form is not None
    if any(max(beta) > 0 for i in others for beta in _betas(i)) or any(
        sum(beta) > 1 for beta in _betas(inside)
    ):
        return None
    try:
        box = problem.domain
        equations = [Equation(_interior(inside), _interior_data(inside), on=box)]
        for part, integrals in _parts(problem, others):
            operator = _flux(inside)
            for integral in integrals:
                operator = operator + _tested(integral, (0,) * box.dim)
            if operator.terms:
                equations.append(Equation(operator, _boundary_data(inside, integrals), on=part))
    except (SmoothnessError, NotImplementedError):
        return None
    return StrongForm(*equations, exact=problem.exact)


def _betas(integral: Integral) -> list[MultiIndex]:
    forms = {} if integral.form is None else integral.form.terms
    return [*(beta for _, _, _, beta in forms), *integral.loads()]


def _tested(integral: Integral, beta: MultiIndex) -> Operator:
    """The operator on u that is multiplied by D^β v."""
    terms: dict[MultiIndex, Coefficient] = {}
    for (_, alpha, _, tested), c in ({} if integral.form is None else integral.form.terms).items():
        if tested == beta:
            terms[alpha] = terms[alpha] + c if alpha in terms else c
    return Operator(Role.TRIAL, _domain(integral), {0: terms})


def _domain(integral: Integral) -> Part:
    return integral.on.box if isinstance(integral.on, Boundary) else integral.on


def _units(d: int) -> list[MultiIndex]:
    return [tuple(int(i == j) for i in range(d)) for j in range(d)]


def _interior(inside: Integral) -> Operator:
    d = inside.on.dim
    operator = _tested(inside, (0,) * d)
    for axis, unit in enumerate(_units(d)):
        operator = operator - partial(_tested(inside, unit), axis)
    return operator


def _flux(inside: Integral) -> Operator:
    d = inside.on.dim
    operator = Operator(Role.TRIAL, inside.on, {})
    for axis, unit in enumerate(_units(d)):
        operator = operator + normal_component(axis) * _tested(inside, unit)
    return operator


def _interior_data(inside: Integral) -> Data:
    loads = dict(inside.loads())
    data = loads.pop((0,) * inside.on.dim, 0.0)
    if not loads:
        return data
    total = _coefficient(data)
    for axis, unit in enumerate(_units(inside.on.dim)):
        if unit in loads:
            total = total - _coefficient(loads[unit]).derivative(axis)
    return total


def _boundary_data(inside: Integral, integrals: list[Integral]) -> Data:
    flux: Mapping[MultiIndex, Data] = inside.loads()
    parts: list[Data] = [
        normal_component(axis) * _coefficient(flux[unit])
        for axis, unit in enumerate(_units(inside.on.dim))
        if unit in flux
    ]
    parts += [load for integral in integrals for load in integral.loads().values()]
    if not parts:
        return 0.0
    if len(parts) == 1:
        return parts[0]
    total = _coefficient(parts[0])
    for part in parts[1:]:
        total = total + _coefficient(part)
    return total


def _coefficient(data: Data) -> Coefficient:
    if isinstance(data, np.ndarray):
        raise NotImplementedError("arrays of data are no functions")
    return data if isinstance(data, Coefficient) else Coefficient(data)


def _parts(problem: WeakForm, others: list[Integral]) -> list[tuple[Boundary, list[Integral]]]:
    """The boundary, cut into parts on which the same integrals live."""
    box = problem.domain
    groups: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    for face in box.boundary.faces:
        here = Boundary(box, [face])
        key = tuple(i for i, integral in enumerate(others) if integral.on.contains(here))
        groups.setdefault(key, []).append(face)
    return [(Boundary(box, faces), [others[i] for i in key]) for key, faces in groups.items()]
