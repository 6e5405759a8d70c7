r"""A different condition on every face

$\Delta u = 0$ on $(0, 2)\times(0, 1)$ with $u$ given on the left and on the right, $\partial
u/\partial n = 0$ at the bottom (a line of symmetry) and $\partial u/\partial n + u = g$ at the
top. The solution is $u = e^x\cos y$. Each condition is an equation on its own part of the
boundary.
"""

import numpy as np

import linnet as ln


def exact(x):
    return np.exp(x[:, 0]) * np.cos(x[:, 1])


def main(picture=None):
    box = ln.Box([0, 0], [2, 1])
    u = ln.trial(box)
    g = lambda x: exact(x) - np.exp(x[:, 0]) * np.sin(x[:, 1])
    problem = ln.StrongForm(
        ln.Equation(ln.laplacian(u), 0, on=box),
        ln.Equation(u, exact, on=box.face("left", "right")),
        ln.Equation(ln.normal_derivative(u), 0, on=box.face("bottom")),
        ln.Equation(ln.normal_derivative(u) + u, g, on=box.face("top")),
    )
    network = ln.Network(ln.Tanh(), ln.neurons.fibonacci(400, radius=1))
    rules = box.grid(50), box.boundary.grid(60)
    sol = ln.solve(problem, network, ln.Collocation(*rules, weights=(1, 1e4, 1e2, 1e2)))

    if picture:
        sol.plot().savefig(picture)
    return {"relative L² error": sol.error(exact, box.gauss(20, order=5)).relative_l2}


if __name__ == "__main__":
    print(main("mixed.png"))
