"""Weak forms without settings: the equations that they stand for choose the network."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from pathlib import Path

from linnet.activations import Sine
from linnet.auto import Auto
from linnet.checkpoint import Checkpoint
from linnet.domains import Box, Part
from linnet.errors import ArgumentError, LinnetWarning
from linnet.fold import Progress
from linnet.network import Network
from linnet.problem import WeakForm
from linnet.reduce import Workspace
from linnet.rows import Galerkin, VariationalLeastSquares
from linnet.rules import GaussRule, RandomRule, Rule, SobolRule
from linnet.solution import Solution
from linnet.solvers import RegularizedQR, Solver
from linnet.solving import solve
from linnet.tuning.equivalent import equivalent
from linnet.tuning.estimate import distance, error_estimate
from linnet.tuning.families import Family
from linnet.tuning.strong import Tuner

Variational = Galerkin | VariationalLeastSquares

# The residual of these least squares is no small number, so that roundoff enters the solution as
# ε/μ, and the regularisation as μ: on ill-conditioned bases the error is 1e-9 … 1e-8 for this μ and
# 1e-3 for the one that suits collocation.
MU = 1e-8
_BARRIER = 3e-8  # an effect of the quadrature that deserves a warning

WEAK_WIDTHS = {1: 120, 2: 500, 3: 800}
WEAK_WIDTH = 1000
_TENSOR = 3  # up to this dimension tensor Gauss rules are affordable
_DENSE = 8  # points per neuron at least: with fewer the discrete form is not positive
_KINKED = 64  # and for ReLUᵏ
_POINTS = 40  # points per neuron at most in 3D, and of the Sobol rules beyond
_ORDER = 64  # of one Gauss rule; more points make more cells


class WeakTuner(Tuner):
    """Solves one weak form on networks that its equivalent strong form chooses.

    Parameters
    ----------
    weak : WeakForm
    formulation : Galerkin or VariationalLeastSquares, optional
        Where it is given; else the least-squares form for symmetric positive forms.
    solver, workers, progress, checkpoint
        As in :func:`linnet.solve`.
    """

    plateau = 1e-6, "a weak form in double precision; a StrongForm goes further"
    regularisation = MU  # so that trials have no advantage of bases that are too bad for weak forms

    def __init__(
        self,
        weak: WeakForm,
        formulation: Variational | None = None,
        solver: Solver | Auto | None = None,
        workers: int | None = None,
        progress: Progress | None = None,
        checkpoint: str | Path | Checkpoint | None = None,
    ) -> None:
        strong = equivalent(weak)
        if strong is None:
            raise ArgumentError(
                "problem",
                weak.form,
                "its equations cannot be derived from it (a coefficient without a gradient, or "
                "derivatives of v on the boundary or of the second order), so no network can be "
                "chosen for it",
                "Give a network and a formulation, or coefficients with grad=..., or a StrongForm",
            )
        super().__init__(strong, None, solver, workers, progress, checkpoint)
        self.weak, self.variational = weak, formulation

    def _finished(self, family: Family, n: int, spacing: float) -> tuple[Solution, float]:
        """The solution, its error estimate, and what a second rule says of the first."""
        search = self.search
        network = family.network(n, search.dim, spacing)
        formulation = self.variational or chosen_formulation(self.weak, network)
        solver = self.solver
        if solver is None and isinstance(formulation, VariationalLeastSquares):
            solver = RegularizedQR(mu=MU)
        solution = solve(
            self.weak,
            network,
            formulation,
            solver,
            workers=self.workers,
            progress=self._reduced,
            checkpoint=self._kept(n),
        )
        trial = search.of(solution, family, n, spacing)
        estimate = error_estimate(trial, search.trials)
        choices = self._report(trial, network, repr(formulation))
        second = refined(formulation)
        if second is not None:
            finer = solve(self.weak, network, second, solver, workers=self.workers)
            effect = distance(search.of(finer, family, n, spacing), trial)
            choices.append(f"effect of the quadrature, by {second.rules[0]}: {effect:.1e}")
            if effect > max(_BARRIER, estimate / 3):
                warnings.warn(
                    f"quadrature is the barrier: a finer rule changes the solution by "
                    f"{effect:.1e}. Take more points than {formulation.rules[0]} has",
                    LinnetWarning,
                    stacklevel=4,
                )
            estimate = max(estimate, effect)
        return self._recorded(solution, trial, estimate, choices), estimate


def chosen_formulation(problem: WeakForm, network: Network) -> Variational:
    """The least-squares form where the weak form is symmetric and positive, Galerkin elsewhere."""
    rules = _rules(problem, network)
    try:
        rows = VariationalLeastSquares(*rules).rows(problem, network)
        for segment in range(len(rules)):
            rows.squares[segment].eigen(rules[segment].take(0, 1))
        rows.block(0, Workspace())
    except ArgumentError:
        return Galerkin(*rules)
    return VariationalLeastSquares(*rules)


def _rules(problem: WeakForm, network: Network) -> tuple[Rule, ...]:
    """Gauss rules that resolve products of two neurons; Sobol points from dimension 4 on."""
    box = problem.domain
    parts: list[Part] = [box]
    if any(not isinstance(integral.on, Box) for integral in problem.integrals):
        parts.append(box.boundary)
    if box.dim > _TENSOR:
        return tuple(part.sobol(_POINTS * network.n) for part in (box, box.boundary)[: len(parts)])
    least = math.ceil((_DENSE * network.n) ** (1 / box.dim))
    if network.activation.degree is not None:  # piecewise polynomials, with kinks anywhere
        cells = math.ceil((_KINKED * network.n) ** (1 / box.dim) / 3)
        return tuple(part.gauss(cells, order=3) for part in (box, box.boundary)[: len(parts)])
    slope = float(abs(network.theta[:, :-1]).max())
    points = math.ceil((1.0 if isinstance(network.activation, Sine) else 6.0) * slope) + 16
    points = max(points, least)
    if box.dim == _TENSOR:
        points = min(points, math.ceil((_POINTS * network.n) ** (1 / box.dim)))
    cells = math.ceil(points / _ORDER)
    order = math.ceil(points / cells)
    return tuple(part.gauss(cells, order=order) for part in (box, box.boundary)[: len(parts)])


def refined(formulation: Variational) -> Variational | None:
    """The formulation with finer rules; None where a rule has no finer one."""
    rules: list[Rule] = []
    for rule in formulation.rules:
        if isinstance(rule, GaussRule):
            rules.append(replace(rule, order=rule.order + max(1, rule.order // 8)))
        elif isinstance(rule, SobolRule | RandomRule):
            rules.append(replace(rule, n=2 * rule.n))
        else:
            return None
    return type(formulation)(*rules)
