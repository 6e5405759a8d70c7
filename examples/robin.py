r"""Robin data: heat that leaves through the surface

$$-\Delta u + u = f, \qquad \frac{\partial u}{\partial n} + 2u = g \text{ on the boundary of } (0, 2)\times(0, 1).$$

In the weak form $\int \nabla u\cdot\nabla v + uv + \int_{\partial\Omega} 2uv = \int fv + \int_{\partial\Omega} gv$ the boundary
condition is an `Integral` on the boundary. The form is a sum of squares, so `VariationalLeastSquares`
can factor its rows instead of the matrix, and loses no digits to conditioning: the matrix form stops
at 1e-8. The data `g` depend on the outward normal, which is a vector of coefficients like any other.
"""

import numpy as np

import linnet as ln


def exact(x):
    return np.cos(2 * x[:, 0]) * np.exp(-x[:, 1])


def main(picture=None):
    box = ln.Box([0, 0], [2, 1])
    u, v = ln.trial(box), ln.test(box)
    slope = [
        ln.Coefficient(lambda x: -2 * np.sin(2 * x[:, 0]) * np.exp(-x[:, 1])),
        ln.Coefficient(lambda x: -exact(x)),
    ]
    data = ln.dot(ln.normal(box), slope) + 2 * ln.Coefficient(exact)
    problem = ln.WeakForm(
        ln.dot(ln.grad(u), ln.grad(v)) + u * v,
        ln.Integral(2 * u * v, load=data, on=box.boundary),
        load=lambda x: 4 * exact(x),  # −Δu = 3u
    )
    network = ln.Network(ln.Tanh(), ln.neurons.fibonacci(400, radius=1.5))
    rules = box.gauss(20, order=4), box.boundary.gauss(20, order=4)
    sol = ln.solve(problem, network, ln.VariationalLeastSquares(*rules))

    if picture:
        sol.plot().savefig(picture)
    return {"relative L² error": sol.error(exact, box.gauss(30, order=5)).relative_l2}


if __name__ == "__main__":
    print(main("robin.png"))
