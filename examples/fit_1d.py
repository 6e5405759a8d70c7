r"""A curve, to the last digit

Runge's function $u(x) = 1/(1 + 25x^2)$ on $[-1, 1]$ is the one that interpolation at equidistant
points cannot reproduce. A tanh network whose hidden parameters $(w, b)$ stand evenly on a circle
of radius 8 has no such difficulty: its output weights are a linear least-squares problem, and the
error is that of double precision. Half of the 400 points are mirror images of the others
($\tanh(-z) = -\tanh z$), which `.on(box)` finds: 200 neurons remain.
"""

import linnet as ln


def main(picture=None):
    box = ln.Box(-1, 1)
    u = lambda x: 1 / (1 + 25 * x[:, 0] ** 2)

    network = ln.Network(ln.Tanh(), ln.neurons.circle(400, radius=8)).on(box)
    fit = ln.fit(u, network, box.gauss(400, order=3))
    error = fit.error(u, box.gauss(1000, order=3))

    if picture:
        fit.plot(exact=u).savefig(picture)
    return {"neurons": network.n, "relative maximum error": error.relative_max}


if __name__ == "__main__":
    print(main("fit_1d.png"))
