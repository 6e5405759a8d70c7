"""Network and formulation for a problem that says nothing of them: a look at a few scales.

The residual on points that were not used orders scales and activations as the true error does
(DESIGN.md), so that no exact solution is needed to choose.
"""

from __future__ import annotations

from collections.abc import Callable

from linnet import neurons
from linnet.activations import ReLU, Sine, Tanh
from linnet.domains import Boundary
from linnet.network import Network
from linnet.problem import Problem, StrongForm
from linnet.rows import Collocation, Formulation, Galerkin
from linnet.solving import solve

WIDTH = {1: 120, 2: 1000}  # neurons
TRIAL = {1: 60, 2: 400}  # neurons while scales are compared
WIDEST, WIDEST_TRIAL = 1500, 400
SINES = {1: (10.0, 25.0), 2: (10.0, 22.0)}
TANHS = (1.5, 3.0, 6.0)
POINTS_PER_NEURON = 10


def choose(
    problem: Problem, width: int | None, network: Network | None
) -> tuple[Network, Formulation]:
    """A network of `width` neurons, where none is given, and points for it."""
    d, box = problem.domain.dim, problem.domain
    n = width or WIDTH.get(d, WIDEST)
    if not isinstance(problem, StrongForm):
        placed = network or Network(ReLU(3), neurons.sphere(n, d)).on(box)
        rule = box.gauss(max(2, round(20_000 ** (1 / d))), 3) if d <= 3 else box.sobol(200_000)
        faces = [] if len(problem.integrals) == 1 else [box.boundary.sobol(20_000)]
        return placed, Galerkin(rule, *faces)
    if network is not None:
        return network, _points(problem, network.n)
    small = min(n, TRIAL.get(d, WIDEST_TRIAL))
    makers = [_sines(d, R) for R in SINES.get(d, ())] + [_tanhs(d, r) for r in TANHS]

    def residual(make: Callable[[int], Network]) -> float:
        sol = solve(problem, make(small), _points(problem, small))
        return max(sol.residual())

    best = min(makers, key=residual)
    return best(n).on(box), _points(problem, n)


def _sines(d: int, radius: float) -> Callable[[int], Network]:
    return lambda n: Network(Sine(), neurons.half_ball(n + n % 2, d, radius))


def _tanhs(d: int, radius: float) -> Callable[[int], Network]:
    return lambda n: Network(Tanh(), neurons.sphere(n, d, radius))


def _points(problem: StrongForm, n: int) -> Collocation:
    box = problem.domain
    total = POINTS_PER_NEURON * n
    if box.dim <= 2:
        m = round(total ** (1 / box.dim))
        inside, edge = box.grid(m), box.boundary.grid(max(2, m))
    else:
        inside, edge = box.sobol(total), box.boundary.sobol(total // 3)  # type: ignore[assignment]
    boundary = any(isinstance(e.on, Boundary) for e in problem.equations)
    weights = [1.0 if e.on is box or e.on == box else 1e4 for e in problem.equations]
    return Collocation(*([inside, edge] if boundary else [inside]), weights=weights)
