"""PyPIELM: ``CorePIELM``, its Physics-Informed ELM, as in its two examples.

In 1D what ``examples/poisson_1d.py`` takes: 300 neurons, 200 points, λ = 1e-10. In more dimensions
what ``examples/heat_2d.py`` takes: 500 neurons, 2000 points, 200 on each face, λ = 1e-8.
"""

from __future__ import annotations

import torch
from pypielm.core.solver import WeightedLinearSystem
from pypielm.data.dataset import PIELMDataset
from pypielm.models import CorePIELM
from pypielm.pde.collocation import BoxDomain, UniformSampler

from linnet.problem import Equation
from peers.statement import Answer, Array, CannotStateError, Statement, axes, data, rows, terms


def solve(statement: Statement) -> Answer:
    """``CorePIELM(...).fit(dataset, pde_operator, bcs)``."""
    line = statement.dim == 1
    neurons, inside, on_face, ridge = (300, 200, 1, 1e-10) if line else (500, 2000, 200, 1e-8)
    domain = BoxDomain(statement.box.lower.copy(), statement.box.upper.copy())
    dataset = PIELMDataset.from_arrays(UniformSampler(domain, inside).sample())
    conditions = []
    for axis, side, equation in statement.faces():
        x = UniformSampler(domain, on_face, seed=2 * axis + (side > 0)).sample()
        x[:, axis] = statement.bound(axis, side)
        conditions.append(Condition(equation, x, statement.normals(x, axis, side)))
    model = CorePIELM(hidden_dim=neurons, ridge_lambda=ridge)
    model.fit(
        dataset, pde_operator=lambda fm, x: block(fm, statement.inside, x, None), bcs=conditions
    )
    settings = f"CorePIELM, tanh, {inside} points inside and {on_face} on each face, λ = {ridge:g}"
    return Answer(lambda x: model.predict(x)[:, 0].numpy(), neurons, settings)


class Condition:
    """An equation on a face: what PyPIELM's DirichletBC and NeumannBC are, and Robin's too."""

    def __init__(self, equation: Equation, points: torch.Tensor, normals: Array) -> None:
        self.equation, self.points, self.normals = equation, points, normals

    def assemble(self, feature_map) -> WeightedLinearSystem:
        """Its rows of the system."""
        return block(feature_map, self.equation, self.points, self.normals)


def block(feature_map, equation: Equation, x: torch.Tensor, normals: Array | None):
    """The rows of an equation at points."""

    def derivative(alpha: tuple[int, ...]) -> torch.Tensor:
        along = axes(alpha)
        if not along:
            return feature_map(x)
        if len(along) > 2 or len(set(along)) > 1:
            raise CannotStateError(f"PyPIELM's feature maps have no derivative {alpha}")
        return (feature_map.d1, feature_map.d2)[len(along) - 1](x, along[0])

    points = x.numpy()
    found = {alpha: column(c) for alpha, c in terms(equation, points, normals).items()}
    return WeightedLinearSystem(rows(found, derivative), column(data(equation, points, normals)))


def column(values: Array) -> torch.Tensor:
    """(m,) as (m, 1)."""
    return torch.as_tensor(values).reshape(-1, 1)
