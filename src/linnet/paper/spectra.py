"""Figure 21: singular values of the tanh regression, Petrushev's scheme, n = 128 (appendix B)."""

from __future__ import annotations

import time

import numpy as np
import scipy.linalg

import linnet as ln
from linnet import neurons
from linnet.paper.curves import Array, result
from linnet.paper.experiment import Options, Result, Row, Series, experiment
from linnet.rules import Rule


def spectrum(label: str, panel: str, values: Array) -> Series:
    """A curve of singular values over the largest, as (index, value)."""
    rows = [Row(i, l2=float(v / values[0])) for i, v in enumerate(values, 1)]
    return Series(label, rows, panel=panel)


def spectra(panel: str, theta: Array, rule: Rule, options: Options) -> list[Series]:
    """Singular values of the rows φ_j(x_i), and what the normal equations leave of them.

    All neurons are kept, mirror images too: the spectrum is to show what they do.
    """
    rows = ln.Network(options.activation or ln.Tanh(), theta).features(rule.points)
    values = scipy.linalg.svdvals(rows)
    normal = np.sqrt(np.abs(np.linalg.eigvalsh(rows.T @ rows)))
    return [
        spectrum("least-squares matrix", panel, values),
        spectrum("square roots of the normal equations' eigenvalues", panel, np.sort(normal)[::-1]),
    ]


@experiment("figure-21", "Singular values, tanh, Petrushev's scheme, n = 128", seconds=2)
def figure_21(options: Options) -> Result:
    """Figure 21: 1024 points in 1D, 50 × 50 in 2D."""
    options.only("figure-21", "neurons", "activation", "points")
    started = time.perf_counter()
    (n,) = (options.neurons or (128,))[:1]
    line, square = ln.Box(-1, 1), ln.Box(-1, 1, dim=2)
    size = options.points
    rules = [
        line.grid(max(2, size or 1024)),
        square.grid(50 if size is None else max(2, round(size**0.5))),
    ]
    n1, n2 = max(2, round(n / 2)), max(2, round(n / 16))
    one = neurons.petrushev(2, n1, 1, 5, 8)
    two = neurons.petrushev(16, n2, 2, 2, 5)
    series = [
        *spectra(f"1D, 2 × {n1} neurons", one, rules[0], options),
        *spectra(f"2D, 16 × {n2} neurons", two, rules[1], options),
    ]
    settings = {
        "activation": repr(options.activation or ln.Tanh()),
        "parameters": {"1D": "r₁ = 5, r₂ = 8", "2D": "r₁ = 2, r₂ = 5"},
        "rules": [rule.describe() for rule in rules],
    }
    above = [sum((row.l2 or 0.0) > 1e-14 for row in curve.rows) for curve in series[::2]]
    notes = [
        f"Above 1e-14 of the largest there are {above[0]} of the singular values in 1D and "
        f"{above[1]} in 2D. Opposite directions times symmetric biases make each neuron the mirror "
        "image of another, tanh(−z) = −tanh(z), so that half of the values are roundoff at best.",
        "Forming the normal equations replaces all singular values below about 1e-8 by roundoff.",
        "The paper does not say whether its figure is in one or in two dimensions; here are both.",
    ]
    return result("figure-21", "singular values", series, settings, options, started, notes)
