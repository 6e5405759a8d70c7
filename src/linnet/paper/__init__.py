"""The paper, reproduced: each of its tables and figures is a function.

>>> from linnet.paper import table_1
>>> result = table_1(neurons=(88, 165))  # doctest: +SKIP

``EXPERIMENTS`` holds them by name, in the order in which they stand in the paper.
"""

from linnet.paper.conditions import table_8, table_9
from linnet.paper.experiment import EXPERIMENTS, Experiment, Options, Result, Row, Series
from linnet.paper.experiment import arrange as _arrange
from linnet.paper.tables import table_1, table_2, table_3, table_4, table_5, table_6, table_7

__all__ = [
    "EXPERIMENTS",
    "Experiment",
    "Options",
    "Result",
    "Row",
    "Series",
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
