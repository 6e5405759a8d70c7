"""Domains: boxes, their boundaries, faces and periodic pairs, and given points.

A part of a domain makes the rules on it: ``Box(-1, 1, dim=2).boundary.grid(100)``.
"""

from linnet.domains.box import Boundary, Box, PeriodicPair
from linnet.rules import Part, Points

__all__ = ["Boundary", "Box", "Part", "PeriodicPair", "Points"]
