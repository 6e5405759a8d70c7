"""Point sets that become the hidden parameters θ = (w, b) of a network, b last.

Every function returns a float64 array of shape (n, dim + 1), one neuron per row; `dim` is
the dimension of the domain, so that points on the unit sphere lie on S^dim.
"""

from linnet.neurons.frequencies import half_ball, spiral
from linnet.neurons.products import petrushev, random_box
from linnet.neurons.spherical import (
    circle,
    fibonacci,
    halton_sphere,
    random_sphere,
    sobol_sphere,
)
from linnet.neurons.voronoi import lloyd, sphere

__all__ = [
    "circle",
    "fibonacci",
    "half_ball",
    "halton_sphere",
    "lloyd",
    "petrushev",
    "random_box",
    "random_sphere",
    "sobol_sphere",
    "sphere",
    "spiral",
]
