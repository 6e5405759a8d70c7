"""linnet: linear PDEs and function approximation with linearized neural networks.

The names below are imported when they are first used, so that ``import linnet`` costs nothing.
"""

from __future__ import annotations

import importlib
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linnet import catalog as catalog
    from linnet import neurons as neurons
    from linnet.activations import Activation as Activation
    from linnet.activations import Cosine as Cosine
    from linnet.activations import Gaussian as Gaussian
    from linnet.activations import ReLU as ReLU
    from linnet.activations import Sigmoid as Sigmoid
    from linnet.activations import Sine as Sine
    from linnet.activations import Softplus as Softplus
    from linnet.activations import Tanh as Tanh
    from linnet.auto import Auto as Auto
    from linnet.checkpoint import Checkpoint as Checkpoint
    from linnet.coefficients import Coefficient as Coefficient
    from linnet.diagnostics import condition_number as condition_number
    from linnet.diagnostics import mass_matrix as mass_matrix
    from linnet.diagnostics import matrix as matrix
    from linnet.diagnostics import singular_values as singular_values
    from linnet.diagnostics import stiffness_matrix as stiffness_matrix
    from linnet.domains import Box as Box
    from linnet.domains import Points as Points
    from linnet.errors import AlgebraError as AlgebraError
    from linnet.errors import ArgumentError as ArgumentError
    from linnet.errors import FileFormatError as FileFormatError
    from linnet.errors import LinnetError as LinnetError
    from linnet.errors import LinnetWarning as LinnetWarning
    from linnet.errors import SmoothnessError as SmoothnessError
    from linnet.errors import UnresolvedError as UnresolvedError
    from linnet.network import Network as Network
    from linnet.operators import div as div
    from linnet.operators import dot as dot
    from linnet.operators import grad as grad
    from linnet.operators import laplacian as laplacian
    from linnet.operators import normal as normal
    from linnet.operators import normal_derivative as normal_derivative
    from linnet.operators import partial as partial
    from linnet.operators import test as test
    from linnet.operators import trial as trial
    from linnet.problem import Equation as Equation
    from linnet.problem import Integral as Integral
    from linnet.problem import StrongForm as StrongForm
    from linnet.problem import WeakForm as WeakForm
    from linnet.problem import periodic as periodic
    from linnet.progress import show_progress as show_progress
    from linnet.rows import Collocation as Collocation
    from linnet.rows import Galerkin as Galerkin
    from linnet.rows import VariationalLeastSquares as VariationalLeastSquares
    from linnet.solution import Solution as Solution
    from linnet.solution import load as load
    from linnet.solvers import LU as LU
    from linnet.solvers import Cholesky as Cholesky
    from linnet.solvers import RegularizedQR as RegularizedQR
    from linnet.solvers import TruncatedSVD as TruncatedSVD
    from linnet.solving import fit as fit
    from linnet.tuning import solve as solve

_HOMES = {
    "activations": "Activation Cosine Gaussian ReLU Sigmoid Sine Softplus Tanh",
    "auto": "Auto",
    "checkpoint": "Checkpoint",
    "coefficients": "Coefficient",
    "diagnostics": "condition_number mass_matrix matrix singular_values stiffness_matrix",
    "domains": "Box Points",
    "errors": "AlgebraError ArgumentError FileFormatError LinnetError LinnetWarning "
    "SmoothnessError UnresolvedError",
    "network": "Network",
    "operators": "div dot grad laplacian normal normal_derivative partial test trial",
    "problem": "Equation Integral StrongForm WeakForm periodic",
    "progress": "show_progress",
    "rows": "Collocation Galerkin VariationalLeastSquares",
    "solution": "Solution load",
    "solving": "fit",
    "solvers": "Cholesky LU RegularizedQR TruncatedSVD",
    "tuning": "solve",
}
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}

_SUBMODULES = ("catalog", "neurons")

__all__ = [*sorted(_HOME), *_SUBMODULES]

try:
    __version__ = version("linnet")
except PackageNotFoundError:  # run from a source tree that is not installed
    __version__ = "0+unknown"


def __getattr__(name: str) -> object:
    if name in _HOME:
        value = getattr(importlib.import_module(f"linnet.{_HOME[name]}"), name)
    elif name in _SUBMODULES:
        value = importlib.import_module(f"linnet.{name}")
    else:
        raise AttributeError(f"module 'linnet' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
