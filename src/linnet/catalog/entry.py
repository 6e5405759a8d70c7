"""An entry of the catalogue: a problem, its exact solution, and what is special about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linnet.algebra import Operator
from linnet.catalog.known import Known
from linnet.coefficients import Coefficient
from linnet.domains import Box, Part
from linnet.operators import trial
from linnet.problem import Equation, StrongForm

Array = NDArray[np.float64]
Statement = Callable[[Operator, Known], Sequence[Equation]]


@dataclass(frozen=True)
class Entry:
    """A problem whose solution is known.

    Attributes
    ----------
    name : str
        Lower case, with the dimension at its end.
    title : str
        The equation, its data and the solution, in one line.
    tags : frozenset of str
        What is special about it: "smooth" (analytic, without a layer that is thin beside the
        domain), "oscillatory", "layered", "singular"; the equation's type; the kind of the
        boundary conditions.
    box : Box
    exact : Known
        The solution: a function of points (m, d) with ``gradient`` and ``derivative``.
    statement : callable
        From the trial function and the solution to the equations.
    """

    name: str
    title: str
    tags: frozenset[str]
    box: Box
    exact: Known
    statement: Statement

    @property
    def dim(self) -> int:
        """Dimension of the domain."""
        return self.box.dim

    def problem(self) -> StrongForm:
        """The problem, with its exact solution."""
        return StrongForm(*self.statement(trial(self.box), self.exact), exact=self.exact)

    def __repr__(self) -> str:
        return f"<{self.name}: {self.title}>"


def entry(name: str, title: str, tags: str, box: Box, exact: Known, statement: Statement) -> Entry:
    """An entry, its tags written as words."""
    return Entry(name, title, frozenset(tags.split()), box, exact, statement)


def manufactured(operator: Operator, exact: Known, on: Part) -> Equation:
    """``operator(u) = operator(exact)`` on a part of the domain."""
    data = Coefficient(0.0)
    for alpha, c in operator.scalar.items():
        derivative = Coefficient(lambda x, alpha=alpha: exact.derivative(x, alpha), name="D^α u")  # type: ignore[misc]
        data = data + c * derivative
    return Equation(operator, data, on=on)


def dirichlet(u: Operator, exact: Known) -> Equation:
    """The solution's own values on the whole boundary."""
    box = u.domain
    assert isinstance(box, Box)
    return manufactured(u, exact, box.boundary)
