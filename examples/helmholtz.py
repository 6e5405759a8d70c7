r"""Helmholtz's equation: a wave from a source outside

$\Delta u + k^2u = 0$ on $(-1, 1)^2$ with $k = 20$, more than six wavelengths across, and the
values on the boundary of the wave $Y_0(k|x - s|)$ that a source at $s = (-2, 0.5)$ sends out.
Sine neurons with frequencies up to $1.4\,k$ are no plane waves of the equation (see [a point set
of your own](extend_neurons.md) for those), yet the right ones among them combine.
"""

import numpy as np
from scipy.special import y0

import linnet as ln

K = 20.0


def exact(x):
    return y0(K * np.linalg.norm(x - [-2.0, 0.5], axis=1))


def main(picture=None):
    box = ln.Box(-1, 1, dim=2)
    u = ln.trial(box)
    problem = ln.StrongForm(
        ln.Equation(ln.laplacian(u) + K**2 * u, 0, on=box),
        ln.Equation(u, exact, on=box.boundary),
    )
    network = ln.Network(ln.Sine(), ln.neurons.spiral(1000, radius=28))
    points = ln.Collocation(box.grid(60), box.boundary.grid(100), weights=(1, 1e4))
    sol = ln.solve(problem, network, points)

    if picture:
        sol.plot().savefig(picture)
    return {"relative L² error": sol.error(exact, box.gauss(60, order=4)).relative_l2}


if __name__ == "__main__":
    print(main("helmholtz.png"))
