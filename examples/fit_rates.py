r"""The rate of ReLUᵏ networks

With hidden parameters spread evenly on the sphere, networks of $n$ ReLUᵏ neurons approximate a
smooth function in $L^2$ at the rate $n^{-1/2 - (2k+1)/(2d)}$; no training could do better. In one
dimension that is $n^{-(k+1)}$, the rate of splines of degree $k$. Here it is measured for
$k = 1, 2, 3$.
"""

import numpy as np

import linnet as ln
from linnet.plotting import fitted_slope, plot_convergence


def main(picture=None):
    box = ln.Box(-1, 1)
    u = lambda x: np.exp(x[:, 0]) * np.sin(3 * x[:, 0])

    curves = {}
    for k in (1, 2, 3):
        n, errors = [], []
        for points in (32, 64, 128, 256, 512):
            network = ln.Network(ln.ReLU(k), ln.neurons.circle(points)).on(box)
            fit = ln.fit(u, network, box.gauss(2 * points, order=k + 2))
            n.append(network.n)
            errors.append(fit.error(u, box.gauss(2 * points, order=k + 3)).l2)
        curves[f"k = {k}"] = (n, errors)

    if picture:
        theory = {f"$n^{{{-k - 1}}}$": -k - 1 for k in (1, 2, 3)}
        plot_convergence(curves, theory, ylabel="L² error").savefig(picture)
    return {f"fitted slope, {name}": fitted_slope(*curve) for name, curve in curves.items()}


if __name__ == "__main__":
    print(main("fit_rates.png"))
