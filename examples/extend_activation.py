r"""An activation of your own

An activation is its *jet*: several derivatives at the same points, so that they can share the
expensive part. Derive a frozen dataclass from `Activation` and write `jet`; all else (operators,
conditioning, saving, loading) follows. `max_order` says which derivatives exist, and asking for
more is refused with a clear message. `reflection` tells `.on(box)` which neurons are mirror
images of others: here $\sigma(-z) = -\sigma(z)$.
"""

from dataclasses import dataclass

import numpy as np

import linnet as ln


@dataclass(frozen=True)
class Arctan(ln.Activation):
    """arctan z, with two derivatives."""

    max_order = 2
    reflection = (-1, -1)  # σ(−z) = −σ(z), and nothing else

    def jet(self, z, orders):
        below = 1 + z**2
        derivatives = {
            0: lambda: np.arctan(z),
            1: lambda: 1 / below,
            2: lambda: -2 * z / below**2,
        }
        return {m: derivatives[m]() for m in self._checked(orders)}


def main(picture=None):
    box = ln.Box(-1, 1, dim=2)
    u = ln.trial(box)
    exact = lambda x: np.exp(x[:, 0]) * np.sin(2 * x[:, 1])
    problem = ln.StrongForm(
        ln.Equation(-ln.laplacian(u), lambda x: 3 * exact(x), on=box),
        ln.Equation(u, exact, on=box.boundary),
    )
    network = ln.Network(Arctan(), ln.neurons.fibonacci(600, radius=1.5)).on(box)
    points = ln.Collocation(box.grid(60), box.boundary.grid(80), weights=(1, 1e4))
    sol = ln.solve(problem, network, points)

    if picture:
        sol.plot().savefig(picture)
    return {"relative L² error": sol.error(exact, box.gauss(30, order=4)).relative_l2}


if __name__ == "__main__":
    print(main("extend_activation.png"))
