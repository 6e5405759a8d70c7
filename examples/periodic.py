r"""Periodic data

$-\Delta u + u = f$ on the torus $[0, 2\pi)^2$, with $u = e^{\sin x + \cos y}$. Periodicity is a
pair of equations along each axis: $u$ and its normal derivative agree at partner points of
opposite faces. `ln.periodic(u, axis)` writes them. The neurons know nothing of the period.
"""

import numpy as np

import linnet as ln


def exact(x):
    return np.exp(np.sin(x[:, 0]) + np.cos(x[:, 1]))


def source(x):
    (s, t), (c, d) = np.sin(x).T, np.cos(x).T
    return (1 + s - c**2 + d - t**2) * exact(x)


def main(picture=None):
    box = ln.Box(0, 2 * np.pi, dim=2)
    u = ln.trial(box)
    problem = ln.StrongForm(
        ln.Equation(-ln.laplacian(u) + u, source, on=box),
        *ln.periodic(u, axis=0),
        *ln.periodic(u, axis=1),
    )
    network = ln.Network(ln.Sine(), ln.neurons.spiral(1000, radius=30))
    points = ln.Collocation(box.grid(60), box.boundary.grid(80), weights=(1, 1e4, 1e2, 1e4, 1e2))
    sol = ln.solve(problem, network, points)

    if picture:
        sol.plot().savefig(picture)
    return {"relative L² error": sol.error(exact, box.gauss(40, order=4)).relative_l2}


if __name__ == "__main__":
    print(main("periodic.png"))
