"""swimnetworks: sampled networks, whose weights are pairs of data points.

The package fits functions and solves no differential equations, so that it takes part there alone:
its README's network, 512 neurons with tanh, and least squares cut off at 1e-10.
"""

from __future__ import annotations

from sklearn.pipeline import Pipeline
from swimnetworks import Dense, Linear

from peers.statement import Answer, Statement


def approximate(statement: Statement, neurons: int, points: int) -> Answer:
    """``Pipeline.fit(x, y)``."""
    steps = [
        (
            "dense",
            Dense(layer_width=neurons, activation="tanh", parameter_sampler="tanh", random_seed=42),
        ),
        ("linear", Linear(regularization_scale=1e-10)),
    ]
    model = Pipeline(steps)
    x = statement.box.random(points, rng=1).points
    model.fit(x, statement.exact(x))
    settings = f"Dense(tanh), Linear(1e-10), {points} random points"
    return Answer(lambda x: model.transform(x)[:, 0], neurons + 1, settings)
