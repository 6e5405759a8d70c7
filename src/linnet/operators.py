"""The words in which a user states a problem: trial, test, grad, div, dot, laplacian, partial.

``-div(a * grad(u)) + dot(b, grad(u)) + c * u`` is an :class:`~linnet.algebra.Operator`,
``dot(grad(u), grad(v)) + u * v`` a :class:`~linnet.algebra.Form`.
"""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import overload

from linnet.algebra import Domain, Form, Operator, Role, Vector, as_vector, inner, total
from linnet.coefficients import Coefficient, normal_component
from linnet.errors import AlgebraError, ArgumentError


def trial(domain: Domain, component: int = 0) -> Operator:
    """The unknown u on a domain, as the operator that leaves it as it is."""
    return _identity(Role.TRIAL, domain, component)


def test(domain: Domain, component: int = 0) -> Operator:
    """The test function v on a domain."""
    return _identity(Role.TEST, domain, component)


test.__test__ = False  # type: ignore[attr-defined]  # it is no test, whatever pytest thinks


@overload
def partial(expression: Operator, *axes: int) -> Operator: ...
@overload
def partial(expression: Coefficient, *axes: int) -> Coefficient: ...
def partial(expression: Operator | Coefficient, *axes: int) -> Operator | Coefficient:
    """The derivative along the axes, one after the other: ``partial(u, 0, 1)`` is ∂₁∂₀u."""
    for axis in axes:
        expression = _partial(expression, axis)
    return expression


def grad(u: Operator) -> Vector:
    """The gradient, a vector of d operators."""
    return Vector([partial(u, i) for i in range(_operator(u, "grad").dim)])


def div(v: Sequence[Operator | Coefficient]) -> Operator:
    """The divergence of a vector of operators."""
    entries = as_vector(v)
    dim = next((e.dim for e in entries if isinstance(e, Operator)), None)
    if dim is None:
        raise AlgebraError("div", v, "it needs a vector with the unknown", "Write div(a * grad(u))")
    result = total([_partial(e, i) for i, e in enumerate(as_vector(entries, dim))])
    if isinstance(result, Operator):
        return result
    raise AlgebraError("div", v, "its divergence is a function, not an operator", "Check it")


def laplacian(u: Operator) -> Operator:
    """Δu = Σ ∂ᵢ∂ᵢu."""
    return div(grad(u))


@overload
def dot(a: Vector, b: Vector) -> Form: ...
@overload
def dot(
    a: Sequence[Operator | Coefficient | complex], b: Sequence[Operator | Coefficient | complex]
) -> Operator | Form | Coefficient: ...
def dot(
    a: Sequence[Operator | Coefficient | complex], b: Sequence[Operator | Coefficient | complex]
) -> Operator | Form | Coefficient:
    """Σ aᵢbᵢ: of two gradients a form, of a direction and a gradient an operator."""
    left = as_vector(a)
    return inner(left, as_vector(b, len(left)))


def normal(domain: Domain) -> Vector:
    """The outward normal of the domain's boundary, a vector of coefficients."""
    return Vector([normal_component(i) for i in range(domain.dim)])


def normal_derivative(u: Operator) -> Operator:
    """∂u/∂n = n·∇u, for equations and integrals on a boundary."""
    return dot(normal(_operator(u, "normal_derivative").domain), grad(u))  # type: ignore[return-value]


def _identity(role: Role, domain: Domain, component: int) -> Operator:
    if not isinstance(getattr(domain, "dim", None), int):
        raise ArgumentError("domain", domain, "it is no domain", "Give a domain such as Box(-1, 1)")
    if isinstance(component, bool) or not isinstance(component, int) or component < 0:
        raise ArgumentError("component", component, "it is no number of one", "Give 0, 1, …")
    return Operator(role, domain, {component: {(0,) * domain.dim: Coefficient(1.0)}})


def _operator(u: object, where: str) -> Operator:
    if isinstance(u, Operator):
        return u
    raise AlgebraError(where, u, "it takes a scalar operator", f"Write {where}(u), u = trial(box)")


def _partial(expression: Operator | Coefficient, axis: int) -> Operator | Coefficient:
    dim = None if isinstance(expression, Coefficient) else _operator(expression, "partial").dim
    if not isinstance(axis, numbers.Integral) or axis < 0 or (dim is not None and axis >= dim):
        raise ArgumentError(
            "axis",
            axis,
            "an axis is a whole number ≥ 0" + (f" and < {dim} here" if dim is not None else ""),
            "Count axes from 0: partial(u, 0) is ∂u/∂x",
        )
    axis = int(axis)
    if isinstance(expression, Coefficient):
        return expression.derivative(axis)
    result = Operator(expression.role, expression.domain, {})
    for i, part in expression.terms.items():
        for alpha, c in part.items():
            raised = (*alpha[:axis], alpha[axis] + 1, *alpha[axis + 1 :])
            slope = c.derivative(axis) if c.constant is None else Coefficient(0.0)
            result = result + Operator(expression.role, expression.domain, {i: {raised: c}})
            result = result + Operator(expression.role, expression.domain, {i: {alpha: slope}})
    return result
