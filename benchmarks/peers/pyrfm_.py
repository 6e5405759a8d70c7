"""pyRFM: the random feature method with a partition of unity, sized as in its examples.

1D  ``Classic/Helmholtz.py``: 16 subdomains of 50 features, 800 points, singular values if need be
2D  ``Classic/Poisson.py``: 2 × 2 subdomains of 300 features, 1600 points
    ``poisson.py`` (fine): 4 × 4 subdomains of 400 features, 22500 points
3D  ``elasticity3d.py``: one domain of 1000 features, 1000 points
5D  ``poisson_hd.py``: one domain of 1000 features with Xavier's weights, 3000 points
"""

from __future__ import annotations

from collections.abc import Iterator

import pyrfm
import torch

from linnet.problem import Equation
from peers.statement import Answer, CannotStateError, Statement, axes, data, rows, terms

# dimension: features, subdomains along each axis, points inside, points on the boundary
SIZES = {1: (50, 16, 800, 2), 2: (300, 2, 1600, 320), 3: (1000, 1, 1000, 2000)}
FINE = {2: (400, 4, 22500, 2000)}
FACES = {  # in the order of the package's samples
    2: [(1, -1), (0, 1), (1, 1), (0, -1)],
    3: [(0, 1), (0, -1), (1, 1), (1, -1), (2, 1), (2, -1)],
}


class Xavier(pyrfm.RFTanH):
    """The features of ``poisson_hd.py``."""

    def __init__(self, dim, center, radius, n_hidden, gen=None, dtype=None, device=None) -> None:
        super().__init__(dim, center, radius, n_hidden, gen, dtype, device)
        gain = torch.nn.init.calculate_gain("tanh")
        torch.nn.init.xavier_normal_(self.weights, gain=gain)
        torch.nn.init.normal_(self.biases, mean=0.0, std=1 / n_hidden)


def solve(statement: Statement, fine: bool = False) -> Answer:
    """Points, blocks of the matrix, QR, as in each of the examples."""
    dim = statement.dim
    if fine and dim not in FINE:
        raise CannotStateError(f"its examples have no second size in {dim}D")
    high = dim > 3
    features, parts, inside, on = (
        (1000, 1, 3000, 800 * dim) if high else (FINE if fine else SIZES)[dim]
    )
    torch.manual_seed(2025)
    options = {"rf": Xavier, "seed": 2025} if high else {"pou": pyrfm.PsiB}
    box = geometry(statement)
    model = pyrfm.RFMBase(dim=dim, n_hidden=features, domain=box, n_subdomains=parts, **options)
    blocks = [block(model, statement.inside, box.in_sample(inside, with_boundary=False), None)]
    sampled = {(axis, side): x for axis, side, x in boundary(box, on, dim)}
    for axis, side, equation in statement.faces():
        x = sampled[axis, side]
        blocks.append(block(model, equation, x, statement.normals(x, axis, side)))
    matrix = pyrfm.concat_blocks([[rows_] for rows_, _ in blocks])
    right = pyrfm.concat_blocks([[values] for _, values in blocks])
    model.compute(matrix).solve(right, check_condition=dim == 1)
    settings = f"{parts}^{dim} subdomains of {features} features, {matrix.shape[0]} points"
    return Answer(
        lambda x: model(torch.as_tensor(x))[:, 0].numpy(), features * parts**dim, settings
    )


def geometry(statement: Statement) -> pyrfm.GeometryBase:
    """The package's own box."""
    box = statement.box
    if statement.dim == 1:
        return pyrfm.Line1D(float(box.lower[0]), float(box.upper[0]))
    center, half = box.center.tolist(), box.halfwidth.tolist()
    if statement.dim > 3:
        return pyrfm.HyperCube(statement.dim, center, half)
    return (pyrfm.Square2D if statement.dim == 2 else pyrfm.Cube3D)(center=center, half=half)


def boundary(box, n: int, dim: int) -> Iterator[tuple[int, int, torch.Tensor]]:
    """The package's boundary points, face by face."""
    faces = FACES.get(dim, [(axis, side) for axis in range(dim) for side in (-1, 1)])
    samples = box.on_sample(n).split(1) if dim == 1 else box.on_sample(n, separate=True)
    for (axis, side), x in zip(faces, samples, strict=True):
        yield axis, side, x


def block(model, equation: Equation, x: torch.Tensor, normals) -> tuple[torch.Tensor, torch.Tensor]:
    """The rows of an equation at points, and its data."""

    def derivative(alpha: tuple[int, ...]) -> torch.Tensor:
        along = axes(alpha)
        if not along:
            return model.features(x).cat(dim=1)
        if len(along) == 1:
            return model.features_derivative(x, axis=along[0]).cat(dim=1)
        if len(along) == 2:
            first, second = along
            return model.features_second_derivative(x, axis1=first, axis2=second).cat(dim=1)
        return model.features_high_order_derivative(x, order=list(alpha)).cat(dim=1)

    points = x.numpy()
    found = {a: torch.as_tensor(c)[:, None] for a, c in terms(equation, points, normals).items()}
    return rows(found, derivative), torch.as_tensor(data(equation, points, normals))[:, None]
