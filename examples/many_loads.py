r"""A hundred problems for the price of one

The matrix is factored once, however many right-hand sides there are: data may have one column for
each. Here a source moves along a circle in 100 steps, and each column of the solution is the
steady temperature $-\Delta u + u = f$ in an insulated square ($\partial u/\partial n = 0$) that
belongs to one position. No heat leaves, so $\int u = \int f$, which checks all hundred without
knowing any of them.
"""

import numpy as np

import linnet as ln

ANGLES = 2 * np.pi * np.arange(100) / 100
CENTRES = 0.5 * np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])


def sources(x):
    """(m, 100): a bump at each of 100 positions."""
    return np.exp(-8 * ((x[:, None, :] - CENTRES) ** 2).sum(axis=2))


def main(picture=None):
    box = ln.Box(-1, 1, dim=2)
    u = ln.trial(box)
    problem = ln.StrongForm(
        ln.Equation(-ln.laplacian(u) + u, sources, on=box),
        ln.Equation(ln.normal_derivative(u), 0, on=box.boundary),
    )
    network = ln.Network(ln.Sine(), ln.neurons.spiral(800, radius=18))
    points = ln.Collocation(box.grid(60), box.boundary.grid(80), weights=(1, 1e2))
    sol = ln.solve(problem, network, points)

    rule = box.gauss(20, order=4)
    heat, supply = rule.weights @ sol(rule.points), rule.weights @ sources(rule.points)
    if picture:
        sol.plot(component=12).savefig(picture)
    return {"heat lost, relative, in the worst case": float(np.abs(heat / supply - 1).max())}


if __name__ == "__main__":
    print(main("many_loads.png"))
