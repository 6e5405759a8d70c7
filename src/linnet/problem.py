"""What is to be solved: equations that hold on parts of a domain, or a weak form."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from linnet.algebra import Form, MultiIndex, Operator, Role
from linnet.coefficients import Coefficient, NormalComponent
from linnet.data import Data, check_data
from linnet.domains import Boundary, Box, Part, PeriodicPair, Points
from linnet.errors import AlgebraError, ArgumentError, SmoothnessError
from linnet.operators import partial

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Equation:
    """``operator = data`` on a part of the domain.

    Parameters
    ----------
    operator : Operator
        A linear operator on the trial function, such as ``-laplacian(u) + u``.
    data : number, callable, Coefficient or array
        The right-hand side: a function from points (m, d) to values (m,) or, for s right-hand
        sides at once, (m, s); a Coefficient where it depends on the normal; on ``Points(x)`` also
        an array of measured values.
    on : Part
        Where it holds: the box, its boundary or faces of it, a periodic pair, or ``Points(x)``.
        On a periodic pair it says that the operator's value at the partner point is smaller by
        `data`, which is 0 almost always.
    """

    operator: Operator
    data: Data = 0.0
    on: Part = field(kw_only=True)

    def __post_init__(self) -> None:
        if not isinstance(self.operator, Operator):
            raise AlgebraError(
                "operator",
                self.operator,
                "an equation's left-hand side is a linear operator on the trial function",
                "Write it with u = trial(box), as in -laplacian(u) + u",
            )
        if self.operator.role is not Role.TRIAL:
            raise AlgebraError(
                "operator", self.operator, "it acts on a test function", "Use u = trial(box)"
            )
        check_components(self.operator.terms)
        _check_not_zero(self.operator, "operator")
        _check_real(self.operator.scalar.values())
        _check_part(self.operator, self.on, _has_normal(self.operator.scalar.values()))
        if isinstance(self.data, list | tuple) and isinstance(self.on, Points):
            object.__setattr__(self, "data", np.asarray(self.data))
        if isinstance(self.data, np.ndarray) and self.data.ndim:
            if not isinstance(self.on, Points) or len(self.data) != self.on.size:
                raise ArgumentError(
                    "data",
                    self.data.shape,
                    "an array of values goes with an equation on as many given points",
                    "Give a function of the points, or on=Points(x) with one value a point",
                )
        else:
            check_data(self.data, "data")

    @property
    def domain(self) -> Box:
        """The box that the unknown lives on."""
        return _box(self.operator)


@dataclass(frozen=True, eq=False)
class StrongForm:
    """Equations, to be held at points: the collocation method's problem.

    Parameters
    ----------
    *equations : Equation
    exact : callable, optional
        The solution, where it is known, from points (m, d) to values (m,).
    """

    equations: tuple[Equation, ...]
    exact: Callable[[Array], NDArray[np.generic]] | None

    def __init__(
        self,
        *equations: Equation,
        exact: Callable[[Array], NDArray[np.generic]] | None = None,
    ) -> None:
        for equation in equations:
            if not isinstance(equation, Equation):
                raise ArgumentError(
                    "equations",
                    equation,
                    "a strong form is made of equations",
                    "Write StrongForm(Equation(operator, data, on=part), ...)",
                )
        _check_one_domain([equation.operator for equation in equations], "equations")
        object.__setattr__(self, "equations", equations)
        object.__setattr__(self, "exact", exact)

    @property
    def domain(self) -> Box:
        """The box that the unknown lives on."""
        return self.equations[0].domain

    @property
    def order(self) -> int:
        """The highest derivative in any equation."""
        return max(equation.operator.order for equation in self.equations)

    @property
    def undetermined(self) -> str | None:
        """Why its solution cannot be unique, where that is plain to see; else None."""
        zero = (0,) * self.domain.dim
        pairs = [e for e in self.equations if not isinstance(e.on, PeriodicPair)]
        if self.order > 0 and len(self.equations) == 1:
            return "there is a differential equation and no condition"
        if not any(zero in e.operator.scalar for e in pairs):
            return "with u every u + constant is a solution: no equation has a term in u itself"
        return None


@dataclass(frozen=True, eq=False)
class Integral:
    """One integral's share in a weak form: ∫ form(u, v) = ∫ load(v) on a part.

    Parameters
    ----------
    form : Form, optional
        The bilinear integrand, such as ``alpha * u * v``.
    load : number, callable, Coefficient or Operator
        g for ∫ g v, or a linear integrand in v, such as ``g * (gamma * v - normal_derivative(v))``.
    on : Part
        The box, its boundary or faces of it.
    """

    form: Form | None = None
    load: Data | Operator = 0.0
    on: Part = field(kw_only=True)

    def __post_init__(self) -> None:
        if self.form is not None:
            _check_form(self.form)
        if isinstance(self.on, PeriodicPair | Points):
            raise ArgumentError(
                "on",
                self.on,
                "an integral lives on the box or on faces of it",
                "State periodicity and point data as equations of a StrongForm",
            )
        if isinstance(self.load, Operator) and self.load.role is not Role.TEST:
            raise AlgebraError(
                "load", self.load, "a load is linear in the test function", "Use v = test(box)"
            )
        if not isinstance(self.load, Operator):
            check_data(self.load, "load")
        for expression in (self.form, self.load):
            if isinstance(expression, Form):
                check_components(i for key in expression.terms for i in (key[0], key[2]))
                coefficients = list(expression.terms.values())
            elif isinstance(expression, Operator):
                check_components(expression.terms)
                coefficients = list(expression.scalar.values())
            else:
                continue
            _check_real(coefficients)
            _check_part(expression, self.on, _has_normal(coefficients))

    def loads(self) -> Mapping[MultiIndex, Data]:
        """The load as ``{β: data}``: ∫ Σ_β data_β D^β v."""
        if isinstance(self.load, Operator):
            return dict(self.load.scalar)
        if isinstance(self.load, numbers.Number) and self.load == 0:
            return {}
        return {(0,) * self.on.dim: self.load}


@dataclass(frozen=True, eq=False)
class WeakForm:
    """Find u such that a(u, v) = ℓ(v) for all v: the Galerkin method's problem.

    Parameters
    ----------
    form : Form
        The integrand over the domain, such as ``dot(grad(u), grad(v)) + u * v``.
    *boundary : Integral
        Integrals over faces: Robin terms, Neumann data, Nitsche's or penalty terms.
    load : number, callable, Coefficient or Operator
        f for ∫ f v, or a linear integrand in v.
    exact : callable, optional
        The solution, where it is known.
    """

    integrals: tuple[Integral, ...]
    exact: Callable[[Array], NDArray[np.generic]] | None

    def __init__(
        self,
        form: Form,
        *boundary: Integral,
        load: Data | Operator = 0.0,
        exact: Callable[[Array], NDArray[np.generic]] | None = None,
    ) -> None:
        _check_form(form)
        for integral in boundary:
            if not isinstance(integral, Integral):
                raise ArgumentError(
                    "boundary",
                    integral,
                    "boundary terms are integrals",
                    "Write Integral(form, load, on=box.boundary)",
                )
        inside = Integral(form, load, on=_box(form))
        expressions = [e for i in (inside, *boundary) for e in (i.form, i.load)]
        _check_one_domain([e for e in expressions if isinstance(e, Form | Operator)], "boundary")
        for integral in boundary:  # one with a load alone has not been compared with the domain
            _check_part(form, integral.on, normal=False)
        object.__setattr__(self, "integrals", (inside, *boundary))
        object.__setattr__(self, "exact", exact)

    @property
    def form(self) -> Form:
        """The integrand over the domain."""
        form = self.integrals[0].form
        assert form is not None
        return form

    @property
    def domain(self) -> Box:
        """The box that the unknown lives on."""
        return _box(self.form)

    @property
    def order(self) -> int:
        """The highest derivative of either function."""
        forms = [i.form.order for i in self.integrals if i.form is not None]
        return max(forms + [sum(beta) for i in self.integrals for beta in i.loads()])

    @property
    def symmetric(self) -> bool:
        """Whether exchanging u and v leaves every integral as it is."""
        return all(i.form is None or i.form.symmetric for i in self.integrals)


Problem = StrongForm | WeakForm


def periodic(u: Operator, axis: int, order: int = 2) -> tuple[Equation, ...]:
    """The equations of periodicity along an axis, for ``StrongForm(..., *periodic(u, 0))``.

    Parameters
    ----------
    u : Operator
        The trial function.
    axis : int
    order : int
        The order of the differential equation along the axis: derivatives of u of the orders
        0, …, order − 1 agree on the two faces.
    """
    if not isinstance(u, Operator):
        raise AlgebraError("u", u, "it is no trial function", "Write u = trial(box)")
    if isinstance(order, bool) or not isinstance(order, int) or order < 1:
        raise ArgumentError("order", order, "it is no order of an equation", "Give 1, 2, …")
    part = _box(u).periodic(axis)
    return tuple(Equation(partial(u, *[axis] * m), 0.0, on=part) for m in range(order))


def _check_form(form: object) -> None:
    """Refuse what is no bilinear form."""
    if not isinstance(form, Form):
        raise AlgebraError(
            "form",
            form,
            "a weak form is bilinear: a trial times a test function",
            "Write it with u = trial(box) and v = test(box), as in dot(grad(u), grad(v))",
        )
    _check_not_zero(form, "form")


def _check_not_zero(expression: Operator | Form, name: str) -> None:
    """Refuse what has lost all its terms, as 0 * u."""
    if not expression.terms:
        raise AlgebraError(name, expression, "it is zero for every u", "Check its coefficients")


def _check_real(coefficients: Iterable[Coefficient]) -> None:
    """Refuse complex problems, for which the data have room and nothing more yet."""
    for c in coefficients:
        if any(isinstance(s, complex) for s in c.terms.values()):
            raise ArgumentError(
                "coefficient",
                c,
                "complex problems are not solved yet",
                "State it with real numbers",
            )


def check_components(components: Iterable[int]) -> None:
    """Refuse unknowns of several components, for which the data have room and nothing more yet."""
    if any(components):
        raise ArgumentError(
            "component",
            1,
            "unknowns of several components are not solved for yet",
            "State a scalar problem, with trial(box)",
        )


def _box(expression: Operator | Form) -> Box:
    if not isinstance(expression.domain, Box):
        raise ArgumentError(
            "domain", expression.domain, "problems are solved on boxes", "Use trial(Box(...))"
        )
    return expression.domain


def _check_part(expression: Operator | Form, on: Part, normal: bool) -> None:
    domain = _box(expression)
    if not isinstance(on, Part):
        raise ArgumentError(
            "on", on, "it is no part of a domain", "Give box, box.boundary, box.face('left'), ..."
        )
    if on.dim != domain.dim:
        raise ArgumentError(
            "on",
            on,
            f"it has dimension {on.dim}, and the operator dimension {domain.dim}",
            "Make trial and test functions from the domain that the part belongs to",
        )
    if isinstance(on, Box | Boundary) and domain != (on if isinstance(on, Box) else on.box):
        raise ArgumentError(
            "on",
            on,
            f"it belongs to another domain than the unknown, which lives on {domain}",
            "Make trial and test functions from the domain that the part belongs to",
        )
    if normal and isinstance(on, Box):
        raise SmoothnessError(
            "on", on, "the outward normal exists on the boundary only", "Give on=box.boundary"
        )


def _has_normal(coefficients: Iterable[Coefficient]) -> bool:
    return any(
        isinstance(atom, NormalComponent)
        for c in coefficients
        for atoms in c.terms
        for atom in atoms
    )


def _check_one_domain(expressions: list[Operator] | list[Form | Operator], name: str) -> None:
    if not expressions:
        raise ArgumentError(name, (), "there is nothing to solve", "Give at least one equation")
    for e in expressions:
        if e.domain != expressions[0].domain:
            raise ArgumentError(
                name,
                e.domain,
                f"the first expression lives on {expressions[0].domain}",
                "Make all trial and test functions from one domain",
            )
