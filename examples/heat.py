r"""The heat equation in space-time

$u_t = u_{xx}$ for $-1 < x < 1$ and $0 < t < 1/2$, cooled at both ends, with $u = e^{-\pi^2t}\sin
\pi x + \tfrac12 e^{-9\pi^2t/4}\cos\tfrac{3\pi x}{2}$. Time is one more coordinate of a box: there
are no time steps, the whole evolution is one least-squares problem. Nothing is stated at the
final time.
"""

import numpy as np

import linnet as ln


def exact(x):
    space, time = x.T
    return np.exp(-(np.pi**2) * time) * np.sin(np.pi * space) + 0.5 * np.exp(
        -9 * np.pi**2 * time / 4
    ) * np.cos(1.5 * np.pi * space)


def main(picture=None):
    box = ln.Box([-1, 0], [1, 0.5])  # x, t
    u = ln.trial(box)
    problem = ln.StrongForm(
        ln.Equation(ln.partial(u, 1) - ln.partial(u, 0, 0), 0, on=box),
        ln.Equation(u, 0, on=box.face("left", "right")),
        ln.Equation(u, exact, on=box.face("bottom")),
    )
    network = ln.Network(ln.Sine(), ln.neurons.spiral(800, radius=18))
    points = ln.Collocation(box.grid(60), box.boundary.grid(60), weights=(1, 1e3, 1e3))
    sol = ln.solve(problem, network, points)

    if picture:
        sol.plot(coordinates=("x", "t")).savefig(picture)
    return {"relative L² error": sol.error(exact, box.gauss(30, order=4)).relative_l2}


if __name__ == "__main__":
    print(main("heat.png"))
