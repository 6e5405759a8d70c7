r"""A brick that is no cube

$-\Delta u = f$ on $(0, 3)\times(-2, 5)\times(0, 1)$ with Dirichlet data. Hidden parameters live
in coordinates in which every box is $[-1, 1]^d$, so the same sphere of radius 1 serves a brick of
any size. From three dimensions on there is no spiral grid on the sphere; `ln.neurons.sphere`
moves Sobol points to the centres of their Voronoi cells (Lloyd's algorithm).
"""

import numpy as np

import linnet as ln


def exact(x):
    return np.sin(x[:, 0] + x[:, 1] / 2) * np.exp(-(x[:, 2] ** 2) / 2)


def main(picture=None):
    box = ln.Box([0, -2, 0], [3, 5, 1])
    u = ln.trial(box)
    problem = ln.StrongForm(
        ln.Equation(-ln.laplacian(u), lambda x: (2.25 - x[:, 2] ** 2) * exact(x), on=box),
        ln.Equation(u, exact, on=box.boundary),
    )
    network = ln.Network(ln.Tanh(), ln.neurons.sphere(1000, dim=3, radius=1))
    points = ln.Collocation(box.sobol(6000), box.boundary.sobol(6000), weights=(1, 1e3))
    sol = ln.solve(problem, network, points)
    unseen = box.sobol(20_000, scramble=True, rng=1)

    if picture:
        sol.plot(through=[1.5, 0.14, 0.0]).savefig(picture)
    return {"relative L² error": sol.error(exact, unseen).relative_l2}


if __name__ == "__main__":
    print(main("brick.png"))
