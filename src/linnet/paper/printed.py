"""The numbers that the paper prints, row by row, as they stand in its tables."""

from __future__ import annotations

from typing import NamedTuple


class Errors(NamedTuple):
    """A row of tables 1 to 7."""

    n: int
    l2: float
    h1: float


class Condition(NamedTuple):
    """A row of tables 8 and 9."""

    n: int
    condition: float


# Neumann problem, ReLU³, variational method. 2D: Fibonacci neurons; 3D to 6D: random ones.
TABLE_1 = (
    Errors(88, 5.542e-04, 8.075e-03),
    Errors(165, 8.224e-05, 1.905e-03),
    Errors(318, 2.070e-05, 6.226e-04),
    Errors(631, 4.214e-06, 1.839e-04),
    Errors(1256, 8.508e-07, 5.139e-05),
)
TABLE_2 = (
    Errors(95, 3.859e-02, 2.930e-01),
    Errors(192, 8.457e-03, 8.397e-02),
    Errors(383, 2.164e-03, 2.769e-02),
    Errors(751, 6.656e-04, 1.085e-02),
    Errors(1481, 1.876e-04, 3.961e-03),
)
TABLE_3 = (
    Errors(95, 3.122e-01, 1.500e00),
    Errors(199, 9.747e-02, 6.570e-01),
    Errors(393, 3.315e-02, 2.883e-01),
    Errors(791, 1.109e-02, 1.190e-01),
    Errors(1575, 4.142e-03, 5.322e-02),
)
TABLE_4 = (
    Errors(99, 9.353e-01, 3.356e00),
    Errors(199, 6.036e-01, 2.533e00),
    Errors(399, 2.408e-01, 1.367e00),
    Errors(798, 7.664e-02, 5.802e-01),
    Errors(1590, 3.730e-02, 3.400e-01),
    Errors(3182, 1.582e-02, 1.751e-01),
)
TABLE_5 = (
    Errors(100, 9.983e-01, 3.842e00),
    Errors(200, 9.878e-01, 3.811e00),
    Errors(399, 8.384e-01, 3.422e00),
    Errors(798, 4.036e-01, 2.108e00),
    Errors(1598, 1.688e-01, 1.146e00),
    Errors(3194, 7.788e-02, 6.421e-01),
)
# Neurons from Sobol points, in 3D and 5D.
TABLE_6 = (
    Errors(23, 4.217e-01, 1.550e00),
    Errors(47, 1.196e-01, 6.404e-01),
    Errors(96, 2.883e-02, 2.212e-01),
    Errors(191, 7.638e-03, 7.680e-02),
    Errors(385, 1.706e-03, 2.228e-02),
    Errors(750, 4.588e-04, 7.994e-03),
    Errors(1483, 1.526e-04, 3.332e-03),
)
TABLE_7 = (
    Errors(98, 9.074e-01, 3.288e00),
    Errors(197, 5.577e-01, 2.414e00),
    Errors(397, 2.025e-01, 1.218e00),
    Errors(794, 7.349e-02, 5.689e-01),
    Errors(1591, 3.304e-02, 3.038e-01),
    Errors(3185, 1.428e-02, 1.579e-01),
)
# Mass matrices with tanh, in 1D and 2D.
TABLE_8 = (
    Condition(4, 1.8e05),
    Condition(8, 5.5e13),
    Condition(16, 1.8e16),
    Condition(32, 2.4e17),
)
TABLE_9 = (
    Condition(4, 2.4e05),
    Condition(8, 5.1e07),
    Condition(16, 5.7e10),
    Condition(32, 1.6e16),
)
