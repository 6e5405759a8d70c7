"""Where the equations are collocated, and where the result is judged."""

from __future__ import annotations

import math

from linnet.domains import Boundary, Box
from linnet.problem import StrongForm
from linnet.rules import Rule

OVERSAMPLING = 10  # points in the interior for each neuron, of the solution that is returned
FITTED = 1  # seed of the points that networks are fitted to
TRIAL = 3  # and of a trial: the same accuracy within a factor of two on the whole catalogue


def collocation_points(problem: StrongForm, interior: int, seed: int) -> tuple[Rule, ...]:
    """Scrambled Sobol points of the box and of its boundary, where equations are stated.

    On the boundary they are twice as dense as inside, as the equation of a surface is met on
    fewer points; in high dimensions, where there would be more of them than points inside, half
    as many. (Points denser towards the boundary were measured too: for 4 points a neuron and
    more they gain nothing on any problem of the catalogue.)

    Parameters
    ----------
    problem : StrongForm
    interior : int
        Number of points in the box.
    seed : int
        Of the scramble; another seed gives points that are independent of these.
    """
    box, d = problem.domain, problem.domain.dim
    rules: list[Rule] = []
    if any(isinstance(equation.on, Box) for equation in problem.equations):
        rules.append(box.sobol(interior, scramble=True, rng=seed))
    if any(isinstance(equation.on, Boundary) for equation in problem.equations):
        count = min(4 * d * math.ceil(interior ** ((d - 1) / d)), max(interior // 2, 8 * d))
        rules.append(box.boundary.sobol(count, scramble=True, rng=seed))
    return tuple(rules)
