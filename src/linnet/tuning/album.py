"""Trials that have been made, also in a run before this one that was interrupted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from linnet.checkpoint import Checkpoint
from linnet.problem import StrongForm
from linnet.rows import Collocation
from linnet.tuning.families import Family, families
from linnet.tuning.points import FITTED, collocation_points
from linnet.tuning.trial import Trial

_LOOK = 20_000  # points at which a problem is known again

Key = tuple[str, int, float]


class Album:
    """Trials by family, width and spacing.

    Parameters
    ----------
    problem : StrongForm
        What they solve.
    mu : float or None
        Their regularisation.
    checkpoint : Checkpoint, optional
        The file in which they are kept.
    """

    def __init__(
        self, problem: StrongForm, mu: float | None, checkpoint: Checkpoint | None
    ) -> None:
        self._checkpoint, self._families = checkpoint, families(problem.domain.dim)
        self._trials: dict[Key, Trial] = {}
        if checkpoint is not None:
            points = collocation_points(problem, _LOOK, FITTED)
            some = self._families[0].network(2, problem.domain.dim, 1.0)
            rows = Collocation(*points).rows(problem, some)
            saved = checkpoint.load(rows.fingerprint() + repr(mu))
            if saved:
                for (i, n, spacing, residual), values in zip(
                    saved["numbers"], saved["values"], strict=True
                ):
                    family = self._families[int(i)]
                    self.add([Trial(family, int(n), float(spacing), float(residual), values)])

    def find(self, family: Family, n: int, spacing: float) -> Trial | None:
        """The trial, if it has been made."""
        return self._trials.get((family.name, n, spacing))

    def add(self, trials: Sequence[Trial]) -> None:
        """Remember trials."""
        self._trials |= {(t.family.name, t.n, t.spacing): t for t in trials}

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Save what there is when it is time, and when what is done here is interrupted."""
        try:
            yield
        except KeyboardInterrupt:
            self._save()
            raise
        if self._checkpoint is not None and self._checkpoint.due():
            self._save()

    def _save(self) -> None:
        trials = [t for t in self._trials.values() if t.family in self._families]
        if self._checkpoint is None or not trials:
            return
        numbers = [[self._families.index(t.family), t.n, t.spacing, t.residual] for t in trials]
        values = np.stack(np.broadcast_arrays(*(t.values for t in trials)))
        self._checkpoint.save({"numbers": np.array(numbers), "values": values})
