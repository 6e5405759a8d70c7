r"""A hundred problems for the price of one

The matrix is factored once, however many right-hand sides there are: data may have one column for each.
Here a source of unit strength moves along a circle in 100 steps; each column of the solution is the
steady heat $-\Delta u + u = f$ that belongs to one position. The hundred solutions are checked
against a rule that no output weights can fake: the total heat $\int u$ equals $\int f$ where no heat
leaves ($\partial u/\partial n = 0$).
"""

import numpy as np

import linnet as ln

ANGLES = 2 * np.pi * np.arange(100) / 100


def sources(x):
    """(m, 100): a bump at each of 100 positions."""
    centres = 0.5 * np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])
    square = ((x[:, None, :] - centres) ** 2).sum(axis=2)
    return np.exp(-8 * square)


def main(picture=None):
    box = ln.Box(-1, 1, dim=2)
    u, v = ln.trial(box), ln.test(box)
    problem = ln.WeakForm(ln.dot(ln.grad(u), ln.grad(v)) + u * v, load=sources)
    network = ln.Network(ln.Tanh(), ln.neurons.fibonacci(600, radius=3))
    rule = box.gauss(25, order=3)
    sol = ln.solve(problem, network, ln.VariationalLeastSquares(rule))

    x, w = rule.points, rule.weights
    heat, supply = w @ sol(x), w @ sources(x)
    if picture:
        sol.plot(component=12).savefig(picture)
    return {"heat lost, relative, in the worst case": float(np.abs(heat / supply - 1).max())}


if __name__ == "__main__":
    print(main("many_loads.png"))
