r"""Five dimensions

$-\Delta u + u = f$ on $(-1, 1)^5$ with Dirichlet data on its ten faces and $u = e^{-|x|^2/5}$;
1000 sine and cosine neurons with frequencies in half a ball, 8000 Sobol points inside and 8000 on
the faces. A tensor grid with that many points has six to an axis.
"""

import numpy as np

import linnet as ln

D = 5


def exact(x):
    return np.exp(-np.sum(x**2, axis=1) / D)


def source(x):
    return (3 - 4 / D**2 * np.sum(x**2, axis=1)) * exact(x)  # −Δu = (2 − 4|x|²/d²) u


def main(picture=None):
    box = ln.Box(-1, 1, dim=D)
    u = ln.trial(box)
    problem = ln.StrongForm(
        ln.Equation(-ln.laplacian(u) + u, source, on=box),
        ln.Equation(u, exact, on=box.boundary),
    )
    network = ln.Network(ln.Sine(), ln.neurons.half_ball(1000, D, radius=2.5))
    points = ln.Collocation(box.sobol(8000), box.boundary.sobol(8000), weights=(1, 1e2))
    sol = ln.solve(problem, network, points)
    unseen = box.sobol(20_000, scramble=True, rng=1)

    if picture:
        sol.plot(exact=exact, resolution=81).savefig(picture)
    return {"relative L² error": sol.error(exact, unseen).relative_l2}


if __name__ == "__main__":
    print(main("five_dimensions.png"))
