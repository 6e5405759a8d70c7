r"""A solver of your own

A solver is an object with `solve`, which turns the assembled problem into output weights, and
`on_system`, which says what it wants: the square system $Aa = b$ (a `System`), or the triangle
$R$ of the rows (a `Factor`), with $\|Aa - y\|^2 = \|Ra - c\|^2 + \varrho^2$. The rows themselves,
of which there may be millions, are gone by then.

This one is for noisy data. It regularises as strongly as it may while the residual stays at the
size of the noise (Morozov's discrepancy principle). From 1000 measurements with an error of one
per cent the *derivative* comes out several times more accurately than by plain least squares.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.optimize import brentq

import linnet as ln
from linnet.solvers import Factor, Outcome


@dataclass(frozen=True)
class Morozov:
    """Tikhonov's μ, the largest with ‖Aa − y‖ ≤ noise, for one right-hand side."""

    on_system: ClassVar[bool] = False
    noise: float

    def solve(self, problem: Factor) -> Outcome:
        U, s, Vt = np.linalg.svd(problem.R)
        c, below = U.T @ problem.c[:, 0], problem.unreachable[0]

        def excess(log_mu):
            filtered = np.exp(2 * log_mu) / (s**2 + np.exp(2 * log_mu))
            return np.hypot(np.linalg.norm(filtered * c), below) - self.noise

        low, high = np.log(s[0] * 1e-14), np.log(s[0])
        mu = np.exp(brentq(excess, low, high)) if excess(low) < 0 < excess(high) else np.exp(low)
        a = Vt.T @ (s / (s**2 + mu**2) * c)
        return Outcome(a[:, None], int((s > mu).sum()), float(s[0] / mu))


def main(picture=None):
    box = ln.Box(-1, 1)
    u = lambda x: np.exp(np.sin(4 * x[:, 0]))
    slope = lambda x: (4 * np.cos(4 * x[:, 0]) * u(x))[:, None]

    rng = np.random.default_rng(0)
    x, sigma = np.sort(rng.uniform(-1, 1, 1000))[:, None], 0.01
    y = u(x) + sigma * rng.standard_normal(1000)

    network = ln.Network(ln.Tanh(), ln.neurons.circle(200, radius=10)).on(box)
    rule, errors = box.gauss(200, order=3), {}
    for label, solver in (("plain", None), ("Morozov", Morozov(sigma * np.sqrt(1000)))):
        sol = ln.fit(y, network, ln.Points(x), solver)
        error = sol.error(u, rule, gradient=slope)
        errors[f"relative error of u′, {label}"] = error.relative_h1

    if picture:
        sol.plot(ln.partial(ln.trial(box), 0), exact=lambda x: slope(x)[:, 0], label="u′").savefig(
            picture
        )
    return errors


if __name__ == "__main__":
    print(main("extend_solver.png"))
