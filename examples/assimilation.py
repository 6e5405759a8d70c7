r"""Data assimilation: an equation and measurements, no boundary data

$-\Delta u = f$ is known to hold on $(0, 1)^2$, but nothing is known on the boundary. Instead
there are 200 scattered measurements of $u$. As an equation on `ln.Points(x)` they are rows like
all others, weighted by $1/\sigma^2$ where $\sigma$ is the size of their errors. With exact
measurements the solution is found to nine digits or so, although the equation alone has
infinitely many solutions; with noisy ones, to about the noise.
"""

import numpy as np

import linnet as ln


def exact(x):
    return np.exp(x[:, 0]) * np.cos(2 * x[:, 1]) + x[:, 0]


def main(picture=None):
    box = ln.Box(0, 1, dim=2)
    u = ln.trial(box)
    rng = np.random.default_rng(7)
    sensors = rng.random((200, 2))
    noise = rng.standard_normal(200)
    network = ln.Network(ln.Tanh(), ln.neurons.fibonacci(400, radius=1))

    errors = {}
    for sigma in (0.0, 1e-4, 1e-2):
        problem = ln.StrongForm(
            ln.Equation(-ln.laplacian(u), lambda x: 3 * (exact(x) - x[:, 0]), on=box),
            ln.Equation(u, exact(sensors) + sigma * noise, on=ln.Points(sensors)),
        )
        weight = 1 / max(sigma, 1e-8) ** 2
        sol = ln.solve(problem, network, ln.Collocation(box.grid(50), weights=(1, weight)))
        error = sol.error(exact, box.gauss(20, order=5))
        errors[f"relative L² error, noise {sigma:g}"] = error.relative_l2

    if picture:
        drawing = sol.plot()
        drawing.axes[0].plot(*sensors.T, "k.", ms=3)
        drawing.savefig(picture)
    return errors


if __name__ == "__main__":
    print(main("assimilation.png"))
