r"""Convection and diffusion

$$-\varepsilon\Delta u + \partial_x u = f \text{ in } (0, 1)^2, \qquad u = 0 \text{ on the
boundary}, \qquad \varepsilon = 0.05.$$

The wind carries everything to the right, where a layer of width $\varepsilon$ brings $u$ down to
zero: $u = \bigl(x - \frac{e^{(x-1)/\varepsilon} - e^{-1/\varepsilon}}{1 -
e^{-1/\varepsilon}}\bigr)\sin \pi y$. Least squares needs no upwinding, and nothing oscillates.
(For $\varepsilon = 0.001$ such a global network would be the wrong tool: see the
[corner](corner.md) for what to expect of solutions that are not smooth.)
"""

import numpy as np

import linnet as ln

EPS = 0.05


def profile(t):
    return t - (np.exp((t - 1) / EPS) - np.exp(-1 / EPS)) / (1 - np.exp(-1 / EPS))


def exact(x):
    return profile(x[:, 0]) * np.sin(np.pi * x[:, 1])


def source(x):
    return np.sin(np.pi * x[:, 1]) * (1 + EPS * np.pi**2 * profile(x[:, 0]))


def main(picture=None):
    box = ln.Box(0, 1, dim=2)
    u = ln.trial(box)
    problem = ln.StrongForm(
        ln.Equation(-EPS * ln.laplacian(u) + ln.partial(u, 0), source, on=box),
        ln.Equation(u, 0, on=box.boundary),
    )
    network = ln.Network(ln.Tanh(), ln.neurons.fibonacci(800, radius=3))
    points = ln.Collocation(box.grid(60), box.boundary.grid(80), weights=(1, 1e2))
    sol = ln.solve(problem, network, points)

    if picture:
        sol.plot().savefig(picture)
    return {"relative L² error": sol.error(exact, box.gauss(50, order=4)).relative_l2}


if __name__ == "__main__":
    print(main("convection_diffusion.png"))
