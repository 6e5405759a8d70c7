"""A look at a problem's data at a few points, before anything is solved."""

from __future__ import annotations

import numpy as np

from linnet.data import data_values
from linnet.domains import Points
from linnet.formulas import PointFunction
from linnet.problem import Problem, StrongForm
from linnet.problemfile.statement import Statement
from linnet.rows.stream import rule_for, terms_at

SAMPLE = 256
FITS = 1e-6  # relative residual up to which an exact solution is one


def probe(stated: Statement) -> list[str]:
    """Evaluate coefficients and data at some points; what is worth saying about them."""
    problem = stated.problem
    remarks = [f"{what} was derived from the exact solution" for what in stated.derived]
    remarks += stated.doubts
    box = problem.domain
    if stated.exact is not None:
        stated.exact(box.sobol(SAMPLE).points)
    if not isinstance(problem, StrongForm):
        _probe_weak(problem)
        return remarks
    rules = (box.sobol(SAMPLE), box.boundary.sobol(SAMPLE))
    for equation in problem.equations:
        rule = rule_for(equation.on, rules, "an equation")
        nodes = rule.take(0, rule.size)
        terms_at(equation.operator.scalar, nodes)
        data_values(equation.data, nodes, 0, "data")
    if stated.exact is not None:
        remarks += _misfit(stated, problem)
    return remarks


def _probe_weak(problem: Problem) -> None:
    for integral in problem.integrals:  # type: ignore[union-attr]
        rule = integral.on.sobol(SAMPLE)  # type: ignore[union-attr]
        nodes = rule.take(0, rule.size)
        for load in integral.loads().values():
            data_values(load, nodes, 0, "load")
        for c in () if integral.form is None else integral.form.terms.values():
            data_values(c, nodes, 0, "coefficient")


def _misfit(stated: Statement, problem: StrongForm) -> list[str]:
    """Equations that the exact solution does not satisfy."""
    exact, box = stated.exact, problem.domain
    assert isinstance(exact, PointFunction)
    found = []
    # a condition whose terms all vanish, up to roundoff, is measured by the solution
    whole = max(float(np.abs(exact(box.sobol(SAMPLE).points)).max()), np.finfo(float).tiny)
    rules = (box.sobol(SAMPLE), box.boundary.sobol(SAMPLE))
    for i, (equation, kind) in enumerate(zip(problem.equations, stated.kinds, strict=True), 1):
        if isinstance(equation.on, Points):
            continue
        rule = rule_for(equation.on, rules, "an equation")
        nodes = rule.take(0, rule.size)
        left = np.zeros(rule.size)
        size = np.zeros(rule.size)
        pairs = [(nodes, 1.0)]
        if hasattr(equation.on, "shift"):
            pairs.append((nodes._replace(points=nodes.points + equation.on.shift), -1.0))
        for place, sign in pairs:
            for alpha, c in terms_at(equation.operator.scalar, place).items():
                term = c * exact.derivative(alpha)(place.points)
                left, size = left + sign * term, size + np.abs(term)
        data = data_values(equation.data, nodes, 0, "data")[:, 0]
        size = size + np.abs(data)
        miss = np.abs(left - data).max() / max(size.max(), whole)
        if miss > FITS:
            what = "the equation" if kind == "equation" else f"condition {i - 1} on the boundary"
            found.append(f"the exact solution does not satisfy {what} (relative misfit {miss:.1e})")
    return found
