"""The paper, reproduced: each of its tables and figures is a function.

>>> from linnet.paper import table_1
>>> result = table_1(neurons=(88, 165))  # doctest: +SKIP

``EXPERIMENTS`` holds them by name, in the order in which they stand in the paper.
"""

from linnet.paper.beyond import beyond_1, beyond_2, beyond_3
from linnet.paper.conditions import table_8, table_9
from linnet.paper.experiment import EXPERIMENTS, Experiment, Options, Result, Row, Series
from linnet.paper.experiment import arrange as _arrange
from linnet.paper.instability import figure_5, figure_6
from linnet.paper.mass_condition import figure_3, figure_4
from linnet.paper.regression import figure_1, figure_2, figure_19, figure_20
from linnet.paper.sampling import figure_7, figure_8
from linnet.paper.spectra import figure_21
from linnet.paper.tables import table_1, table_2, table_3, table_4, table_5, table_6, table_7
from linnet.paper.tanh_l2 import (
    figure_9,
    figure_10,
    figure_11,
    figure_12,
    figure_13,
    figure_14,
    figure_15,
    figure_16,
)
from linnet.paper.tanh_pde import figure_17, figure_18

__all__ = [
    "EXPERIMENTS",
    "Experiment",
    "Options",
    "Result",
    "Row",
    "Series",
    "beyond_1",
    "beyond_2",
    "beyond_3",
    "figure_1",
    "figure_2",
    "figure_3",
    "figure_4",
    "figure_5",
    "figure_6",
    "figure_7",
    "figure_8",
    "figure_9",
    "figure_10",
    "figure_11",
    "figure_12",
    "figure_13",
    "figure_14",
    "figure_15",
    "figure_16",
    "figure_17",
    "figure_18",
    "figure_19",
    "figure_20",
    "figure_21",
    "table_1",
    "table_2",
    "table_3",
    "table_4",
    "table_5",
    "table_6",
    "table_7",
    "table_8",
    "table_9",
]

_arrange(
    [
        *(f"figure-{i}" for i in range(1, 7)),
        *(f"table-{i}" for i in range(1, 8)),
        *(f"figure-{i}" for i in range(7, 13)),
        *(f"table-{i}" for i in range(8, 10)),
        *(f"figure-{i}" for i in range(13, 22)),
        *(f"beyond-{i}" for i in range(1, 4)),
    ]
)
