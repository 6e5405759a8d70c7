r"""What it is not good at: a corner singularity

$\Delta u = 0$ on $(0, 1)^2$ with the boundary values of $u = r^{2/3}\sin\tfrac{2\theta}{3}$,
whose gradient is infinite at the origin. Neurons are global and smooth, and nothing pulls them to
the corner: 800 of them give three to four digits, and more do not help much. Finite elements that
are refined towards the corner are the better tool here.
"""

import numpy as np

import linnet as ln
from linnet.plotting import plot_error


def exact(x):
    r, theta = np.hypot(x[:, 0], x[:, 1]), np.arctan2(x[:, 1], x[:, 0])
    return r ** (2 / 3) * np.sin(2 * theta / 3)


def main(picture=None):
    box = ln.Box(0, 1, dim=2)
    u = ln.trial(box)
    problem = ln.StrongForm(
        ln.Equation(ln.laplacian(u), 0, on=box),
        ln.Equation(u, exact, on=box.boundary),
    )
    network = ln.Network(ln.Tanh(), ln.neurons.fibonacci(800, radius=2))
    points = ln.Collocation(box.grid(60), box.boundary.grid(100), weights=(1, 1e2))
    sol = ln.solve(problem, network, points)

    if picture:
        plot_error(sol, exact).savefig(picture)
    return {"relative L² error": sol.error(exact, box.gauss(60, order=4)).relative_l2}


if __name__ == "__main__":
    print(main("corner.png"))
