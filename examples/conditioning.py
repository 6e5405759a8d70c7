r"""Two ways to write the same problem

The $L^2$ projection of a smooth function on ReLU² networks in 1D. The matrix form solves $Ma = b$
with the mass matrix $M = B^{\mathsf T}B$, the least-squares form factors $B$ itself. In exact
arithmetic the two are the same. In double precision the condition number of $M$, the square of
that of $B$, grows like $n^{2(2k+1)/d + 2}$ or so and soon passes $10^{16}$: the matrix form loses
the rate near $n = 500$, and more neurons make it worse. The least-squares form keeps the rate
$n^{-3}$.
"""

import warnings

import numpy as np

import linnet as ln
from linnet.plotting import fitted_slope, plot_convergence


def main(picture=None):
    box = ln.Box(-1, 1)
    g = lambda x: np.sin(np.pi * x[:, 0])
    u, v = ln.trial(box), ln.test(box)
    problem = ln.WeakForm(u * v, load=g)

    curves = {"matrix form": ([], []), "least squares": ([], [])}
    for points in (64, 128, 256, 512, 1024, 2048):
        network = ln.Network(ln.ReLU(2), ln.neurons.circle(points)).on(box)
        rule = box.gauss(2 * points, order=3)
        for label, formulation in zip(
            curves, (ln.Galerkin(rule), ln.VariationalLeastSquares(rule)), strict=True
        ):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ln.LinnetWarning)  # of the rank, which is the point
                sol = ln.solve(problem, network, formulation)
            n, errors = curves[label]
            n.append(network.n)
            errors.append(sol.error(g, box.gauss(2 * points, order=4)).l2)

    if picture:
        plot_convergence(curves, {"$n^{-3}$": -3.0}, ylabel="L² error").savefig(picture)
    return {
        "matrix form at the largest n": curves["matrix form"][1][-1],
        "least squares at the largest n": curves["least squares"][1][-1],
        "slope of least squares": fitted_slope(*curves["least squares"]),
    }


if __name__ == "__main__":
    print(main("conditioning.png"))
