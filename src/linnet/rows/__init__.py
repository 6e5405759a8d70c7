"""Formulations: a problem, a network and rules become a stream of blocks of rows."""

from linnet.rows.collocation import Collocation
from linnet.rows.galerkin import Galerkin
from linnet.rows.variational import VariationalLeastSquares

Formulation = Collocation | Galerkin | VariationalLeastSquares

__all__ = ["Collocation", "Formulation", "Galerkin", "VariationalLeastSquares"]
