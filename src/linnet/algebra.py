"""Operators, bilinear forms and vectors of them, as data with arithmetic.

Every expression is reduced at once to its normal form. An operator is
``{component: {multi-index α: coefficient c_α}}`` and means Σ_α c_α(x) D^α u; a form is
``{(component, α, component, β): coefficient}`` and means Σ c(x) D^α u D^β v.
"""

from __future__ import annotations

import enum
import numbers
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol, overload

from linnet.coefficients import Coefficient, as_coefficient, check_number
from linnet.errors import AlgebraError

MultiIndex = tuple[int, ...]
FormKey = tuple[int, MultiIndex, int, MultiIndex]


class Domain(Protocol):
    """What operators ask of a domain: its dimension."""

    @property
    def dim(self) -> int:
        """The dimension d."""


class Role(enum.Enum):
    """Which of the two functions of a form an operator acts on."""

    TRIAL = "u"
    TEST = "v"


class Operator:
    """Σ_α c_α(x) D^α of a trial or of a test function.

    Attributes
    ----------
    role : Role
        Whether it acts on the trial or on the test function.
    domain : Domain
        Where that function lives.
    terms : mapping
        ``{component: {multi-index: Coefficient}}``, without zeros.
    """

    __slots__ = ("domain", "role", "terms")
    __array_ufunc__ = None

    def __init__(
        self,
        role: Role,
        domain: Domain,
        terms: Mapping[int, Mapping[MultiIndex, Coefficient]],
    ) -> None:
        self.role, self.domain = role, domain
        cleaned = {i: {a: c for a, c in part.items() if c.terms} for i, part in terms.items()}
        kept = {i: part for i, part in cleaned.items() if part}
        self.terms: Mapping[int, Mapping[MultiIndex, Coefficient]] = kept

    @property
    def dim(self) -> int:
        """Dimension of the domain."""
        return self.domain.dim

    @property
    def order(self) -> int:
        """The highest derivative that it takes."""
        return max((sum(a) for part in self.terms.values() for a in part), default=0)

    @property
    def scalar(self) -> Mapping[MultiIndex, Coefficient]:
        """The terms of an operator on a function of one component."""
        return self.terms.get(0, {})

    def __add__(self, other: object) -> Operator:
        if not isinstance(other, Operator):
            raise AlgebraError(
                "sum",
                other,
                "only a linear operator can be added to a linear operator",
                "Multiply a number or a function by the unknown, or move it to the right-hand side",
            )
        if other.role is not self.role:
            raise AlgebraError(
                "sum",
                other,
                "the trial and the test function cannot be added",
                "Multiply them to get a bilinear form",
            )
        _same_domain(self.domain, other.domain)
        total = {i: dict(part) for i, part in self.terms.items()}
        for i, part in other.terms.items():
            mine = total.setdefault(i, {})
            for alpha, c in part.items():
                mine[alpha] = mine[alpha] + c if alpha in mine else c
        return Operator(self.role, self.domain, total)

    def __radd__(self, other: object) -> Operator:
        return self if isinstance(other, int) and other == 0 else self + other  # sum() begins at 0

    def __neg__(self) -> Operator:
        return self * -1.0

    def __sub__(self, other: object) -> Operator:
        return self + (-other if isinstance(other, Operator) else other)

    def __rsub__(self, other: object) -> Operator:
        return -self + other

    @overload
    def __mul__(self, other: Operator) -> Form: ...
    @overload
    def __mul__(self, other: Coefficient | complex) -> Operator: ...
    def __mul__(self, other: Operator | Coefficient | complex) -> Operator | Form:
        if isinstance(other, Operator):
            return _product(self, other)
        if isinstance(other, Vector):
            return NotImplemented  # the vector knows how
        factor = as_coefficient(other)
        if factor is None:
            raise AlgebraError(
                "product",
                other,
                "an operator is multiplied by numbers, coefficients and, in forms, operators",
                "Wrap a function as Coefficient(f)",
            )
        return Operator(
            self.role,
            self.domain,
            {i: {a: factor * c for a, c in part.items()} for i, part in self.terms.items()},
        )

    def __rmul__(self, other: Coefficient | complex) -> Operator:  # type: ignore[misc]
        return self * other

    def __truediv__(self, other: complex) -> Operator:
        if not isinstance(other, numbers.Number):
            reason = "an operator is divided by numbers only"
            raise AlgebraError("division", other, reason, "Use a Coefficient")
        return self * (1.0 / check_number(other, "divisor", nonzero=True))

    def __pow__(self, exponent: int) -> Operator:
        name, power = self.role.value, f"({self}) ** {exponent}"
        raise AlgebraError("product", power, f"it is not linear in {name}", "Linearise it first")

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Operator)
            and (self.role, self.domain) == (other.role, other.domain)
            and self.terms == other.terms
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        parts = [
            _term_text(c, [_derivative_text(self.role, i, a)])
            for i, part in self.terms.items()
            for a, c in part.items()
        ]
        return " + ".join(parts) or "0"


class Form:
    """A bilinear form's integrand, Σ c(x) D^α u D^β v.

    Attributes
    ----------
    domain : Domain
    terms : mapping
        ``{(component of u, α, component of v, β): Coefficient}``, without zeros.
    """

    __slots__ = ("domain", "terms")
    __array_ufunc__ = None

    def __init__(self, domain: Domain, terms: Mapping[FormKey, Coefficient]) -> None:
        self.domain = domain
        self.terms: Mapping[FormKey, Coefficient] = {k: c for k, c in terms.items() if c.terms}

    @property
    def dim(self) -> int:
        """Dimension of the domain."""
        return self.domain.dim

    @property
    def order(self) -> int:
        """The highest derivative that it takes of either function."""
        return max((max(sum(a), sum(b)) for _, a, _, b in self.terms), default=0)

    @property
    def symmetric(self) -> bool:
        """Whether exchanging u and v leaves it as it is, up to roundoff in its numbers."""
        mirrored = {(j, b, i, a): c for (i, a, j, b), c in self.terms.items()}
        return all(c.near(mirrored.get(key, Coefficient(0.0))) for key, c in self.terms.items())

    def __add__(self, other: object) -> Form:
        if not isinstance(other, Form):
            raise AlgebraError(
                "sum",
                other,
                "only a bilinear form can be added to a bilinear form",
                "Give loads as load=..., not as part of the form",
            )
        _same_domain(self.domain, other.domain)
        total = dict(self.terms)
        for key, c in other.terms.items():
            total[key] = total[key] + c if key in total else c
        return Form(self.domain, total)

    def __radd__(self, other: object) -> Form:
        return self if isinstance(other, int) and other == 0 else self + other  # sum() begins at 0

    def __neg__(self) -> Form:
        return self * -1.0

    def __sub__(self, other: object) -> Form:
        return self + (-other if isinstance(other, Form) else other)

    def __rsub__(self, other: object) -> Form:
        return -self + other

    def __mul__(self, other: Coefficient | complex) -> Form:
        factor = as_coefficient(other)
        if factor is None:
            raise AlgebraError(
                "product",
                other,
                "a bilinear form is multiplied by numbers and coefficients only",
                "A product of three unknowns is not bilinear; wrap functions as Coefficient(f)",
            )
        return Form(self.domain, {key: factor * c for key, c in self.terms.items()})

    def __rmul__(self, other: Coefficient | complex) -> Form:  # type: ignore[misc]
        return self * other

    def __truediv__(self, other: complex) -> Form:
        if not isinstance(other, numbers.Number):
            reason = "a form is divided by numbers only"
            raise AlgebraError("division", other, reason, "Use a Coefficient")
        return self * (1.0 / check_number(other, "divisor", nonzero=True))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Form) and self.domain == other.domain and self.terms == other.terms

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        parts = [
            _term_text(c, [_derivative_text(Role.TRIAL, i, a), _derivative_text(Role.TEST, j, b)])
            for (i, a, j, b), c in self.terms.items()
        ]
        return " + ".join(parts) or "0"


class Vector(Sequence[Operator | Coefficient]):
    """A vector of operators or coefficients: what ``grad`` returns and ``div`` takes."""

    __array_ufunc__ = None

    def __init__(self, entries: Sequence[Operator | Coefficient | complex]) -> None:
        self.entries = tuple(_entry(e) for e in entries)

    @overload
    def __getitem__(self, i: int) -> Operator | Coefficient: ...
    @overload
    def __getitem__(self, i: slice) -> Vector: ...
    def __getitem__(self, i: int | slice) -> Operator | Coefficient | Vector:
        return Vector(self.entries[i]) if isinstance(i, slice) else self.entries[i]

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Operator | Coefficient]:
        return iter(self.entries)

    def __add__(self, other: Sequence[Operator | Coefficient | complex]) -> Vector:
        right = as_vector(other, len(self))
        return Vector([a + b for a, b in zip(self, right, strict=True)])

    __radd__ = __add__

    def __neg__(self) -> Vector:
        return Vector([-e for e in self])

    def __sub__(self, other: Sequence[Operator | Coefficient | complex]) -> Vector:
        return self + (-as_vector(other, len(self)))

    def __rsub__(self, other: Sequence[Operator | Coefficient | complex]) -> Vector:
        return -self + other

    def __mul__(self, factor: Operator | Coefficient | complex) -> Vector:
        return Vector([e * factor for e in self])  # type: ignore[misc]

    __rmul__ = __mul__

    def __truediv__(self, factor: complex) -> Vector:
        return Vector([e / factor for e in self])

    def __rmatmul__(self, matrix: Sequence[Sequence[Coefficient | complex]]) -> Vector:
        """``K @ grad(u)`` for a matrix of numbers or coefficients, given by its rows."""
        entries = [inner(as_vector(row, len(self)), self) for row in matrix]
        return Vector(entries)  # type: ignore[arg-type]  # no form: the rows are coefficients

    def __repr__(self) -> str:
        return f"({', '.join(map(repr, self.entries))})"


def inner(a: Vector, b: Vector) -> Operator | Coefficient | Form:
    """Σ aᵢbᵢ, whatever the products are."""
    return total([x * y for x, y in zip(a, b, strict=True)])


def total(
    parts: Sequence[Operator | Coefficient | Form],
) -> Operator | Coefficient | Form:
    """The sum of the parts, in which 0 is neutral whatever it is of."""
    result = parts[0]
    for part in parts[1:]:
        if isinstance(part, Coefficient) and not part.terms:
            continue
        if isinstance(result, Coefficient) and not result.terms:
            result = part
            continue
        result = result + part
    return result


def _product(a: Operator, b: Operator) -> Form:
    if a.role is b.role:
        name = a.role.value
        raise AlgebraError(
            "product",
            f"({a}) * ({b})",
            f"a product of {name} with {name} is not linear in {name}",
            "A bilinear form multiplies a trial by a test function: u * v",
        )
    _same_domain(a.domain, b.domain)
    u, v = (a, b) if a.role is Role.TRIAL else (b, a)
    return Form(
        u.domain,
        {
            (i, alpha, j, beta): c * e
            for i, upart in u.terms.items()
            for alpha, c in upart.items()
            for j, vpart in v.terms.items()
            for beta, e in vpart.items()
        },
    )


def _same_domain(a: Domain, b: Domain) -> None:
    if a != b:
        raise AlgebraError(
            "domain",
            f"{a} and {b}",
            "the two operators live on different domains",
            "Make trial and test functions from one and the same domain",
        )


def _entry(value: object) -> Operator | Coefficient:
    entry = value if isinstance(value, Operator) else as_coefficient(value)
    if entry is None:
        raise AlgebraError(
            "vector",
            value,
            "its entries are operators, coefficients and numbers",
            "Wrap a function as Coefficient(f)",
        )
    return entry


def as_vector(value: Sequence[Operator | Coefficient | complex], size: int | None = None) -> Vector:
    """A vector, with `size` entries where that is given; another length is refused."""
    if not isinstance(value, Iterable):
        remedy = "Give grad(u) or a list such as [1, 0]"
        raise AlgebraError("vector", value, "it is no vector", remedy)
    vector = value if isinstance(value, Vector) else Vector(list(value))
    if size is not None and len(vector) != size:
        reason = f"it has {len(vector)} entries, not {size}"
        raise AlgebraError("vector", value, reason, "Match the dimension")
    return vector


def _derivative_text(role: Role, component: int, alpha: MultiIndex) -> str:
    name = role.value + (f"{component}" if component else "")
    axes = "".join(str(i) * a for i, a in enumerate(alpha))
    return f"∂{axes}{name}" if axes else name


def _term_text(c: Coefficient, factors: list[str]) -> str:
    product = "·".join(factors)
    if c.constant == 1 or c.constant == -1:
        return product if c.constant == 1 else f"-{product}"
    return f"({c})·{product}" if c.constant is None else f"{c}·{product}"
