r"""A surface

Franke's function (two hills, a dip and a slope on the unit square) is the usual test for
interpolation from scattered points. A tanh network with hidden parameters on a sphere of radius 4
is fitted to 10 000 random samples.
"""

import numpy as np

import linnet as ln


def franke(x):
    s, t = 9 * x[:, 0], 9 * x[:, 1]
    return (
        0.75 * np.exp(-((s - 2) ** 2 + (t - 2) ** 2) / 4)
        + 0.75 * np.exp(-((s + 1) ** 2) / 49 - (t + 1) / 10)
        + 0.5 * np.exp(-((s - 7) ** 2 + (t - 3) ** 2) / 4)
        - 0.2 * np.exp(-((s - 4) ** 2) - (t - 7) ** 2)
    )


def main(picture=None):
    box = ln.Box(0, 1, dim=2)
    network = ln.Network(ln.Tanh(), ln.neurons.fibonacci(800, radius=4)).on(box)
    fit = ln.fit(franke, network, box.random(10_000, rng=1))

    if picture:
        fit.plot().savefig(picture)
    return {"relative L² error": fit.error(franke, box.gauss(40, order=4)).relative_l2}


if __name__ == "__main__":
    print(main("fit_2d.png"))
