r"""Dirichlet data

$$-\Delta u + u = f \text{ in } (-1, 1)^2, \qquad u = 0 \text{ on the boundary},$$

with $u = \sum_{m \in \{1, 2, 4\}} \sin(m\pi x)\sin(m\pi y)$. Collocation: the equations hold at
points, in the sense of least squares. The weight $10^4$ on the squared boundary residual balances
two derivatives against none. The neurons are 500 frequencies on a spiral, each with a sine and a
cosine.
"""

import numpy as np

import linnet as ln


def exact(x):
    return sum(np.prod(np.sin(m * np.pi * x), axis=1) for m in (1, 2, 4))


def source(x):
    return sum(
        (1 + 2 * (m * np.pi) ** 2) * np.prod(np.sin(m * np.pi * x), axis=1) for m in (1, 2, 4)
    )


def main(picture=None):
    box = ln.Box(-1, 1, dim=2)
    u = ln.trial(box)
    problem = ln.StrongForm(
        ln.Equation(-ln.laplacian(u) + u, source, on=box),
        ln.Equation(u, 0, on=box.boundary),
    )
    network = ln.Network(ln.Sine(), ln.neurons.spiral(1000, radius=22))
    points = ln.Collocation(box.grid(70), box.boundary.grid(100), weights=(1, 1e4))
    sol = ln.solve(problem, network, points)

    if picture:
        sol.plot().savefig(picture)
    return {"relative L² error": sol.error(exact, box.gauss(50, order=4)).relative_l2}


if __name__ == "__main__":
    print(main("dirichlet.png"))
