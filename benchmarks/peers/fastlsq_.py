"""FastLSQ: 1500 random sines, stated as in its README, section "Adding your own PDE".

The README gives ``scale=5.0`` wherever it solves a linear problem. Without it, ``solve_linear``
searches nine scales with five seeds each for the least error against the problem's ``exact``: that
looks at the solution which is sought, and is a row of its own.
"""

from __future__ import annotations

import numpy as np
import torch
from fastlsq import solve_linear
from fastlsq.basis import DiffOperator
from fastlsq.geometry import sample_boundary_box, sample_box

from linnet.problem import Equation
from peers.statement import Answer, Array, Statement, data


def solve(statement: Statement, scale: float | None) -> Answer:
    """One call of ``solve_linear``; without its report, which compares with the solution."""
    problem = Problem(statement)
    result = solve_linear(
        problem, scale=scale, return_solver=True, return_metrics=False, verbose=False
    )
    settings = f"3 blocks of 500 sines, scale {result['scale']:g}"
    if scale is None:
        settings += ", searched with the exact solution"
    return Answer(
        lambda x: result["u_fn"](torch.as_tensor(x))[:, 0].numpy(),
        result["solver"].n_features,
        settings,
    )


class Problem:
    """A problem in the form that FastLSQ asks for."""

    def __init__(self, statement: Statement) -> None:
        self.statement, self.name, self.dim = statement, statement.entry.name, statement.dim
        self.pde_op = operator(statement.inside)

    def exact(self, x: torch.Tensor) -> torch.Tensor:
        """The solution, for the search of a scale."""
        return column(self.statement.exact(x.numpy()))

    def exact_grad(self, x: torch.Tensor) -> torch.Tensor:
        """Its gradient, which the search evaluates too."""
        return torch.as_tensor(self.statement.exact.gradient(x.numpy()))

    def get_test_points(self, n: int = 5000) -> torch.Tensor:
        """Random points of the box."""
        return torch.as_tensor(self.statement.scaled(sample_box(n, self.dim).numpy()))

    def get_train_data(self, n_pde: int = 5000, n_bc: int = 1000) -> tuple:
        """Random points inside, with f; and face by face, with the operator and the data there."""
        x = self.get_test_points(n_pde)
        f = column(data(self.statement.inside, x.numpy()))
        unit = sample_boundary_box(n_bc, self.dim).numpy()
        conditions = []
        for axis, side, equation in self.statement.faces():
            points = self.statement.scaled(unit[unit[:, axis] == (side > 0)])
            normals = self.statement.normals(points, axis, side)
            values = column(data(equation, points, normals))
            condition = operator(equation, normals[:1])
            conditions.append((torch.as_tensor(points), values, condition))
        return x, conditions, f

    def build(self, solver, x_pde, bcs, f_pde) -> tuple[torch.Tensor, torch.Tensor]:
        """The rows, those of the boundary times 100 as everywhere in FastLSQ's problems."""
        basis = solver.basis
        blocks = [self.pde_op.apply(basis, x_pde)]
        blocks += [100.0 * condition.apply(basis, points) for points, _, condition in bcs]
        values = [f_pde] + [100.0 * values for _, values, _ in bcs]
        return torch.cat(blocks), torch.cat(values)


def operator(equation: Equation, normal: Array | None = None) -> DiffOperator:
    """FastLSQ's operator, with numbers where the coefficients are constant."""
    found = []
    for alpha, c in equation.operator.scalar.items():

        def values(x: torch.Tensor, c=c) -> torch.Tensor:
            points = x.numpy()
            normals = None if normal is None else np.repeat(normal, len(points), axis=0)
            return torch.as_tensor(c(points, normals))

        if c.constant is not None:
            found.append((float(c.constant), alpha))
        elif normal is None or np.any(values(torch.zeros(1, len(alpha))).numpy()):
            found.append((values, alpha))
    return DiffOperator(found)


def column(values: Array) -> torch.Tensor:
    """(m,) as (m, 1)."""
    return torch.as_tensor(values).reshape(-1, 1)
