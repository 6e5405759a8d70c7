r"""Robin data: heat that leaves through the surface

$$-\Delta u + u = f, \qquad \frac{\partial u}{\partial n} + 2u = g \text{ on the boundary of } (0,
2)\times(0, 1).$$

Two ways. By collocation the boundary condition is an `Equation` on the boundary. In the weak form
$\int \nabla u\cdot\nabla v + uv + \int_{\partial\Omega} 2uv = \int fv + \int_{\partial\Omega} gv$
it is an `Integral` there. The data $g$ depend on the outward normal, which is a vector of
coefficients like any other.

The energy of the weak form cannot be brought to zero, and the place of a minimum is found only to
the square root of double precision where the neurons are as nearly dependent as these: half of
the digits. Collocation, whose residual does go to zero, has no such limit.
"""

import numpy as np

import linnet as ln


def exact(x):
    return np.cos(2 * x[:, 0]) * np.exp(-x[:, 1])


def main(picture=None):
    box = ln.Box([0, 0], [2, 1])
    u, v = ln.trial(box), ln.test(box)
    f = lambda x: 4 * exact(x)  # −Δu = 3u
    slope = [
        ln.Coefficient(lambda x: -2 * np.sin(2 * x[:, 0]) * np.exp(-x[:, 1])),
        ln.Coefficient(lambda x: -exact(x)),
    ]
    g = ln.dot(ln.normal(box), slope) + 2 * ln.Coefficient(exact)

    strong = ln.StrongForm(
        ln.Equation(-ln.laplacian(u) + u, f, on=box),
        ln.Equation(ln.normal_derivative(u) + 2 * u, g, on=box.boundary),
    )
    network = ln.Network(ln.Tanh(), ln.neurons.fibonacci(400, radius=1))
    points = ln.Collocation(box.grid(50), box.boundary.grid(60), weights=(1, 1e2))
    collocation = ln.solve(strong, network, points)

    weak = ln.WeakForm(
        ln.dot(ln.grad(u), ln.grad(v)) + u * v,
        ln.Integral(2 * u * v, load=g, on=box.boundary),
        load=f,
    )
    network = ln.Network(ln.Tanh(), ln.neurons.fibonacci(400, radius=1.5))
    squares = ln.VariationalLeastSquares(box.gauss(20, order=4), box.boundary.gauss(20, order=4))
    variational = ln.solve(weak, network, squares)

    if picture:
        collocation.plot().savefig(picture)
    rule = box.gauss(20, order=5)
    return {
        "relative L² error, collocation": collocation.error(exact, rule).relative_l2,
        "relative L² error, weak form": variational.error(exact, rule).relative_l2,
    }


if __name__ == "__main__":
    print(main("robin.png"))
