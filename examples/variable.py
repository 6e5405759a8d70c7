r"""A tensor that varies

$$-\nabla\cdot(aM\nabla u) = f, \quad a = 2 + \sin(3x + 2y), \quad M = \begin{pmatrix} 2 & 1 \\ 1
& 3 \end{pmatrix},$$

on $(0, 1)^2$ with Dirichlet data and $u = \cos(x - 2y)$. A `Coefficient` brings its gradient, and
so the product rule in `div` is carried out once, on the operator, not at points: the collocation
rows are exact.
"""

import numpy as np

import linnet as ln


def main(picture=None):
    box = ln.Box(0, 1, dim=2)
    u = ln.trial(box)

    k, g, M = np.array([3.0, 2.0]), np.array([1.0, -2.0]), np.array([[2.0, 1.0], [1.0, 3.0]])
    a = ln.Coefficient(
        lambda x: 2 + np.sin(x @ k), grad=lambda x: np.cos(x @ k)[:, None] * k, name="a"
    )
    exact = lambda x: np.cos(x @ g)
    # ∇u = −sin(g·x) g, so −∇·(aM∇u) = a (gᵀMg) cos(g·x) + (∇a·Mg) sin(g·x)
    f = lambda x: (
        (2 + np.sin(x @ k)) * (g @ M @ g) * np.cos(x @ g)
        + np.cos(x @ k) * (k @ M @ g) * np.sin(x @ g)
    )

    problem = ln.StrongForm(
        ln.Equation(-ln.div(a * (M.tolist() @ ln.grad(u))), f, on=box),
        ln.Equation(u, exact, on=box.boundary),
    )
    network = ln.Network(ln.Tanh(), ln.neurons.fibonacci(400, radius=1))
    sol = ln.solve(
        problem, network, ln.Collocation(box.grid(50), box.boundary.grid(60), weights=(1, 1e4))
    )

    if picture:
        sol.plot().savefig(picture)
    return {"relative L² error": sol.error(exact, box.gauss(20, order=5)).relative_l2}


if __name__ == "__main__":
    print(main("variable.png"))
