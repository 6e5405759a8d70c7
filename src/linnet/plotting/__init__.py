"""Pictures: solutions, errors, residuals, neurons, singular values, convergence.

Each function returns a matplotlib figure; ``figure.savefig("u.png")`` writes it. Colours are told
apart by the colour-blind and in print, where they also differ in lightness, marker and line.
"""

from linnet.plotting.curves import (
    draw_convergence,
    fitted_slope,
    plot_convergence,
    plot_singular_values,
)
from linnet.plotting.fields import Field, draw, draw_map
from linnet.plotting.neurons import plot_kinks, plot_neurons
from linnet.plotting.pictures import plot, plot_error, plot_residual
from linnet.plotting.style import close, figure, style

__all__ = [
    "Field",
    "close",
    "draw",
    "draw_convergence",
    "draw_map",
    "figure",
    "fitted_slope",
    "plot",
    "plot_convergence",
    "plot_error",
    "plot_kinks",
    "plot_neurons",
    "plot_residual",
    "plot_singular_values",
    "style",
]
