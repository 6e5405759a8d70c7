r"""A point set of your own

Hidden parameters are an array of shape $(n, d+1)$, one row $(w, b)$ for each neuron. Any array
will do, and sometimes the equation says which: $\sin(w\cdot x + b)$ solves Helmholtz's equation
$\Delta u + k^2u = 0$ if $|w| = k$. So put the frequencies on a half circle of radius $k$, with
the phases 0 and $\pi/2$: 120 plane waves solve the problem of the [Helmholtz](helmholtz.md)
example from its boundary data alone, with three more digits than 1000 neurons that fill the disk.

Parameters are taken in the coordinates in which the domain is $[-1, 1]^d$. Here it is that
already; on another box multiply $w$ by its `halfwidth`.
"""

import numpy as np
from scipy.special import y0

import linnet as ln
from linnet.plotting import plot_neurons

K = 20.0


def plane_waves(n, k):
    """n/2 directions on half a circle of radius k, each as a sine and a cosine, (n, 3)."""
    angle = np.pi * (np.arange(n // 2) + 0.5) / (n // 2)
    w = k * np.column_stack([np.cos(angle), np.sin(angle)])
    phases = np.tile([0.0, np.pi / 2], n // 2)
    return np.column_stack([np.repeat(w, 2, axis=0), phases])


def exact(x):
    return y0(K * np.linalg.norm(x - [-2.0, 0.5], axis=1))


def main(picture=None):
    box = ln.Box(-1, 1, dim=2)
    u = ln.trial(box)
    problem = ln.StrongForm(ln.Equation(u, exact, on=box.boundary))
    network = ln.Network(ln.Sine(), plane_waves(120, K))
    sol = ln.solve(problem, network, ln.Collocation(box.boundary.grid(100)))

    x = box.random(1000, rng=1).points
    waves = sol.apply(ln.laplacian(u) + K**2 * u, x) / K**2
    if picture:
        plot_neurons(sol.network).savefig(picture)
    return {
        "relative L² error": sol.error(exact, box.gauss(60, order=4)).relative_l2,
        "residual of the equation, over k²": float(np.abs(waves).max()),
    }


if __name__ == "__main__":
    print(main("extend_neurons.png"))
