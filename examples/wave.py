r"""The wave equation in space-time

$u_{tt} = u_{xx}$ for $-1 < x < 1$ and $0 < t < 2$, both ends held. A bump at rest parts into two,
which run to the ends, come back upside down and meet again at $t = 2$. d'Alembert's formula, with
images behind the ends, gives the solution. Collocation treats it as it treats any other equation.
"""

import numpy as np

import linnet as ln


def bump(s):
    return sum((-1) ** m * np.exp(-12 * (s - 2 * m) ** 2) for m in range(-3, 4))


def exact(x):
    return (bump(x[:, 0] - x[:, 1]) + bump(x[:, 0] + x[:, 1])) / 2


def main(picture=None):
    box = ln.Box([-1, 0], [1, 2])  # x, t
    u = ln.trial(box)
    problem = ln.StrongForm(
        ln.Equation(ln.partial(u, 1, 1) - ln.partial(u, 0, 0), 0, on=box),
        ln.Equation(u, 0, on=box.face("left", "right")),
        ln.Equation(u, exact, on=box.face("bottom")),
        ln.Equation(ln.partial(u, 1), 0, on=box.face("bottom")),
    )
    network = ln.Network(ln.Sine(), ln.neurons.spiral(1200, radius=36))
    points = ln.Collocation(box.grid(60), box.boundary.grid(100), weights=(1, 1e4, 1e4, 1e2))
    sol = ln.solve(problem, network, points)

    if picture:
        sol.plot(coordinates=("x", "t")).savefig(picture)
    return {"relative L² error": sol.error(exact, box.gauss(50, order=4)).relative_l2}


if __name__ == "__main__":
    print(main("wave.png"))
