"""linnet, with nothing given but the problem or the function."""

from __future__ import annotations

import linnet as ln
from peers.statement import Answer, Statement


def solve(statement: Statement) -> Answer:
    """``ln.solve(problem)``."""
    return _answer(ln.solve(statement.problem))


def approximate(statement: Statement, neurons: int) -> Answer:
    """The same for a function: ``u = exact`` in the whole box, with a width."""
    u = ln.trial(statement.box)
    equation = ln.Equation(u, statement.exact, on=statement.box)
    return _answer(ln.solve(ln.StrongForm(equation), neurons=neurons))


def fit(statement: Statement, neurons: int, points: int) -> Answer:
    """``ln.fit`` with the network of the example ``fit_2d``: tanh on a sphere of radius 4."""
    layer = ln.neurons.sphere(neurons, statement.dim, radius=4)
    network = ln.Network(ln.Tanh(), layer).on(statement.box)
    solution = ln.fit(statement.exact, network, statement.box.random(points, rng=1))
    settings = f"ln.fit, tanh, sphere of radius 4, {points} random points"
    return Answer(solution, solution.network.n, settings)


def _answer(solution: ln.Solution) -> Answer:
    chosen = [text for text in solution.info.choices if text.startswith("chosen")]
    estimate = f"its own estimate of the error {solution.info.error_estimate:.1e}"
    return Answer(solution, solution.network.n, "; ".join([*chosen, estimate]))
