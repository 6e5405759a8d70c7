"""Quadrature and collocation rules: streams of (points, weights, normals).

A rule is made on a part of a domain (`linnet.domains`), ``box.gauss(100, order=3)``,
``box.boundary.grid(100)``, and knows the part only as a list of patches.
"""

from linnet.rules.base import Nodes, PatchRule, Rule
from linnet.rules.gauss import GaussRule
from linnet.rules.grid import GridRule
from linnet.rules.parts import Part, Patch, PatchPart
from linnet.rules.points import Points
from linnet.rules.random import RandomRule
from linnet.rules.sobol import SobolRule

__all__ = [
    "GaussRule",
    "GridRule",
    "Nodes",
    "Part",
    "Patch",
    "PatchPart",
    "PatchRule",
    "Points",
    "RandomRule",
    "Rule",
    "SobolRule",
]
