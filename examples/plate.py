r"""A clamped plate

$\Delta^2 u = 1$ on the unit square, $u = \partial u/\partial n = 0$ on its boundary: the
deflection of a clamped plate under a uniform load. There is no formula for it; handbooks give the
deflection of the centre as 0.00126532. Four derivatives are no trouble for a network that is
smooth, while finite elements need special spaces for them.
"""

import numpy as np

import linnet as ln


def main(picture=None):
    box = ln.Box(0, 1, dim=2)
    u = ln.trial(box)
    problem = ln.StrongForm(
        ln.Equation(ln.laplacian(ln.laplacian(u)), 1, on=box),
        ln.Equation(u, 0, on=box.boundary),
        ln.Equation(ln.normal_derivative(u), 0, on=box.boundary),
    )
    network = ln.Network(ln.Tanh(), ln.neurons.fibonacci(800, radius=1.5))
    points = ln.Collocation(box.grid(50), box.boundary.grid(100), weights=(1, 1e8, 1e4))
    sol = ln.solve(problem, network, points)

    if picture:
        sol.plot().savefig(picture)
    return {"deflection of the centre": float(sol(np.array([[0.5, 0.5]]))[0])}


if __name__ == "__main__":
    print(main("plate.png"))
