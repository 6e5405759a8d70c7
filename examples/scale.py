r"""The scale of the hidden parameters, chosen without the solution

The radius of the sphere decides more than anything else: here it moves the error by six orders of
magnitude. The residual on points that the solve has not seen moves with it. So the radius can be
chosen by the residual, which needs no exact solution; `ln.solve(problem)` does just that.
"""

import numpy as np

import linnet as ln
from linnet.plotting import plot_convergence

RADII = (0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 9)


def exact(x):
    return np.exp(x[:, 0]) * np.sin(3 * x[:, 1])


def main(picture=None):
    box = ln.Box(-1, 1, dim=2)
    u = ln.trial(box)
    problem = ln.StrongForm(
        ln.Equation(-ln.laplacian(u), lambda x: 8 * exact(x), on=box),
        ln.Equation(u, exact, on=box.boundary),
    )
    points = ln.Collocation(box.grid(35), box.boundary.grid(40), weights=(1, 1e3))
    errors, residuals = [], []
    for radius in RADII:
        sol = ln.solve(problem, ln.Network(ln.Tanh(), ln.neurons.fibonacci(300, radius)), points)
        errors.append(sol.error(exact, box.gauss(20, order=4)).relative_l2)
        residuals.append(sol.residual()[0])

    if picture:
        curves = {"true error": (RADII, errors), "residual on fresh points": (RADII, residuals)}
        drawing = plot_convergence(curves, xlabel="radius of the sphere", ylabel="")
        for line, label in zip(drawing.axes[0].get_legend().get_texts(), curves, strict=True):
            line.set_text(label)  # a slope would mean nothing here
        drawing.savefig(picture)
    return {
        "largest over smallest error": max(errors) / min(errors),
        "error at the radius of the smallest residual, over the smallest error": errors[
            int(np.argmin(residuals))
        ]
        / min(errors),
    }


if __name__ == "__main__":
    print(main("scale.png"))
