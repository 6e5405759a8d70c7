"""Assembled matrices, singular values and condition numbers, one call each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from linnet.errors import ArgumentError
from linnet.fold import fold
from linnet.network import Network
from linnet.operators import dot, grad, test, trial
from linnet.problem import Problem, WeakForm
from linnet.reduce import Workspace
from linnet.rows import Formulation, Galerkin, VariationalLeastSquares
from linnet.rows.stream import LeastSquaresRows
from linnet.rules import Rule
from linnet.solving import assemble, l2_problem
from linnet.solvers import EPS, Factor, System

Array = NDArray[np.float64]
