"""``linnet init``: a problem file to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from linnet.errors import ArgumentError

EXAMPLE = """\
# A problem for `linnet solve`. Lines that begin with # are comments: remove the # to use them.
title = "A first problem"

# The equation. Known: laplacian(u), grad(u), div(...), dot(a, b), dx(u), dy(u), dxx(u), d(u, x, y);
# sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt erf abs sign step min max; pi, e; ^.
# It must be linear in u. Coordinates: x, y, z, or x1, x2, ... in any dimension.
equation = "-div(a * grad(u)) + y * dx(u) + u = f"

# The solution, where it is known: errors are reported, and right-hand sides that are missing or
# not defined below (here f) are derived from it.
exact = "sin(pi*x) * exp(y)"

[domain]
box = [[-1, 1], [-1, 1]]         # lower and upper bound of each coordinate; "2*pi" is a number too
# coordinates = ["x", "t"]       # other names for the coordinates

[functions]                      # names for parts of formulas
a = "1 + x^2"

[boundary]                       # left, right (x); bottom, top (y); back, front (z); x2-, x2+ ...
left = "u = 0"
right = "dn(u) + 2*u = g"        # dn(u): derivative along the outward normal; g from `exact`
others = "u = exact"             # all faces that are not named; several conditions: ["...", "..."]
# "left, right" = "periodic"
# top = "free"                   # no condition, as at the final time

# All that follows may be left out: linnet chooses.

# [network]
# neurons = 1000                 # alone: linnet chooses the rest
# activation = "tanh"            # tanh, sine, cosine, gaussian, sigmoid, softplus, relu
# power = 3                      # of relu
# scheme = "sphere"              # sphere, sobol, halton, random, box, half-ball, petrushev
# radius = 3                     # the scale of the hidden parameters

# [points]
# rule = "grid"                  # grid, gauss, sobol, random
# n = 100                        # per axis (grid, gauss), or in all (sobol, random)

# [solver]
# kind = "auto"                  # auto, qr, svd, cholesky, lu
# tolerance = 1e-8               # relative error to aim at

[output]
values = ["csv", "vtk"]          # csv, npz, vtk (2D and 3D, for ParaView)
grid = 101                       # points along each axis
# points = "points.csv"          # points of your own instead of the grid
# report = true                  # one HTML page with everything on it
"""


def init(
    path: Annotated[Path, typer.Argument(metavar="PROBLEM.toml", help="The file to write.")] = Path(
        "problem.toml"
    ),
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
) -> None:
    """Write a commented problem file to start from."""
    if path.exists() and not force:
        raise ArgumentError(
            "PROBLEM.toml", str(path), "it is there already", "Name another file, or give --force"
        )
    path.write_text(EXAMPLE, encoding="utf-8")
    print(f"Written: {path}. Solve it: linnet solve {path}")
