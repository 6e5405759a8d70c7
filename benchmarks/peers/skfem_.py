"""scikit-fem: quadratic elements on a uniform mesh, its direct solver.

The weak form is the strong one by parts: ∫ c ∂ᵢ∂ⱼu v = −∫ c ∂ᵢu ∂ⱼv − ∫ ∂ⱼc ∂ᵢu v + ∮ c nⱼ ∂ᵢu v,
where on faces with ∂u/∂n + γu = g the last is ∮ c (g − γu) v.
"""

from __future__ import annotations

import numpy as np
import skfem

from linnet.coefficients import Coefficient
from linnet.problem import Equation
from peers.statement import Answer, Array, CannotStateError, Statement, axes, data, terms

KINDS = {
    1: (skfem.MeshLine, skfem.ElementLineP2()),
    2: (skfem.MeshTri, skfem.ElementTriP2()),
    3: (skfem.MeshTet, skfem.ElementTetP2()),
}
CELLS = {1: 512, 2: 16, 3: 6}  # along each axis: some 1000 unknowns, 2000 in 3D
FINE = {1: 2048, 2: 256, 3: 16}  # some seconds, as linnet takes; in 1D what rounding errors allow


def solve(statement: Statement, fine: bool = False) -> Answer:
    """Mesh, basis, forms, ``solve(*condense(...))``."""
    if statement.dim not in KINDS:
        raise CannotStateError(f"scikit-fem has no meshes in {statement.dim}D")
    if statement.inside.operator.order != 2:
        raise CannotStateError("only equations of the second order are put into weak form here")
    mesh_class, element = KINDS[statement.dim]
    cells = (FINE if fine else CELLS)[statement.dim]
    box = statement.box
    ticks = [np.linspace(a, b, cells + 1) for a, b in zip(box.lower, box.upper, strict=True)]
    mesh = mesh_class(ticks[0]) if statement.dim == 1 else mesh_class.init_tensor(*ticks)
    basis = skfem.Basis(mesh, element)
    u = system(statement, mesh, basis)
    settings = f"{type(element).__name__}, {cells} cells along each axis"
    return Answer(lambda x: basis.probes(x.T) @ u, basis.N, settings)


def system(statement: Statement, mesh, basis) -> Array:
    """Assembled and solved: the coefficients of the solution."""
    matrix = skfem.BilinearForm(lambda u, v, w: integrand(statement.inside, u, v, w)).assemble(
        basis
    )
    load = skfem.LinearForm(lambda v, w: at(w, lambda x: data(statement.inside, x)) * v)
    right = load.assemble(basis)
    known, fixed = basis.zeros(), []
    for axis, side, equation in statement.faces():
        bound = statement.bound(axis, side)
        facets = mesh.facets_satisfying(
            lambda x, axis=axis, bound=bound: np.isclose(x[axis], bound), boundaries_only=True
        )
        if equation.operator.order == 0:
            dofs = basis.get_dofs(facets).flatten()
            x = basis.doflocs[:, dofs].T
            known[dofs] = data(equation, x, statement.normals(x, axis, side))
            fixed.append(dofs)
        else:
            face = skfem.FacetBasis(mesh, basis.elem, facets=facets)
            bilinear, linear = flux(statement, axis, side, equation)
            matrix = matrix + skfem.BilinearForm(bilinear).assemble(face)
            right = right + skfem.LinearForm(linear).assemble(face)
    if not fixed:
        return skfem.solve(matrix, right)
    return skfem.solve(*skfem.condense(matrix, right, x=known, D=np.unique(np.concatenate(fixed))))


def integrand(equation: Equation, u, v, w) -> Array:
    """The bilinear form inside, at quadrature points."""
    total = 0.0
    for alpha, c in equation.operator.scalar.items():
        along, value = axes(alpha), at(w, c)
        if len(along) == 2:
            i, j = along
            total = total - value * u.grad[i] * v.grad[j]
            slope = c.derivative(j) if c.constant is None else Coefficient(0.0)
            total = total - at(w, slope) * u.grad[i] * v
        else:
            total = total + value * (u.grad[along[0]] if along else u) * v
    return total


def flux(statement: Statement, axis: int, side: int, equation: Equation):
    """−∮ cγ u v and −∮ c g v, the share of a face with ∂u/∂n + γu = g, c that of ∂ₐₓᵢₛ²u."""
    second = tuple(2 * np.eye(statement.dim, dtype=int)[axis])
    c = statement.inside.operator.scalar[second]
    zero = (0,) * statement.dim

    def on_face(values):
        return lambda x: values(x, statement.normals(x, axis, side))

    def gamma(x: Array, normals: Array) -> Array:
        return terms(equation, x, normals).get(zero, np.zeros(len(x)))

    def g(x: Array, normals: Array) -> Array:
        return data(equation, x, normals)

    def bilinear(u, v, w):
        return at(w, c) * at(w, on_face(gamma)) * u * v

    def linear(v, w):
        return at(w, c) * at(w, on_face(g)) * v

    return lambda u, v, w: -bilinear(u, v, w), lambda v, w: -linear(v, w)


def at(w, values) -> Array:
    """Values of a function of points (m, d) at the quadrature points."""
    x = np.asarray(w.x)
    found = values(x.reshape(len(x), -1).T) if callable(values) else values
    return np.broadcast_to(found, x[0].size).reshape(x.shape[1:])
