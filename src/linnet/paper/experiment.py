"""What an experiment of the paper is: a function from options to a result, in a register."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from linnet.activations import Activation
from linnet.errors import ArgumentError
from linnet.fold import Progress
from linnet.paper.store import Values, stored
from linnet.solvers import Solver


@dataclass(frozen=True)
class Options:
    """What a researcher may change of an experiment; None leaves the experiment's own value.

    Attributes
    ----------
    neurons : tuple of int
        Numbers of neurons; a number that the paper prints asks for the row of the paper.
    points : int
        Number of quadrature or collocation points (in tensor rules: the nearest such rule).
    seed, seeds : int
        First seed, and number of seeds, of random neurons.
    formulation : str
        'galerkin', 'least-squares' or 'collocation'.
    scheme : str
        Where the hidden parameters come from, such as 'sobol', 'random', 'lloyd', 'petrushev'.
    activation : Activation
    solver : Cholesky, LU, TruncatedSVD, RegularizedQR
    workers : int
        Threads.
    paper_size : bool
        The paper's own numbers of integration points, whatever the time.
    checkpoints : Path
        A folder in which finished rows and long reductions are kept and resumed.
    progress : callable
        Called with (work done, work in all) of the whole experiment.
    report : callable
        Called with a line of text when a row is done.
    """

    neurons: tuple[int, ...] | None = None
    points: int | None = None
    seed: int = 0
    seeds: int | None = None
    formulation: str | None = None
    scheme: str | None = None
    activation: Activation | None = None
    solver: Solver | None = None
    workers: int | None = None
    paper_size: bool = False
    checkpoints: Path | None = None
    progress: Progress | None = None
    report: Callable[[str], None] | None = None

    def __post_init__(self) -> None:
        at_least = {"points": self.points, "seeds": self.seeds, "workers": self.workers}
        at_least |= {"neurons": min(self.neurons, default=0)} if self.neurons is not None else {}
        for name, value in at_least.items():
            if value is not None and value < 1:
                raise ArgumentError(name, value, "it is not positive", "Give 1, 2, …")
        if self.seed < 0:
            raise ArgumentError("seed", self.seed, "it is negative", "Give 0, 1, 2, …")

    def kept(self, key: str, compute: Callable[[Path | None], Values]) -> Values:
        """What `compute` returns, from the folder of checkpoints where it is there already.

        Parameters
        ----------
        key : str
            Everything that the values depend on.
        compute : callable
            Called with a path for ``linnet.solve(checkpoint=...)``, or None without a folder;
            returns numbers by name.
        """
        return compute(None) if self.checkpoints is None else stored(self.checkpoints, key, compute)

    def say(self, line: str) -> None:
        """Report a line, where somebody listens."""
        if self.report is not None:
            self.report(line)

    def only(self, id: str, *names: str) -> None:
        """Refuse options that an experiment has no use for.

        Parameters
        ----------
        id : str
            The experiment's.
        *names : str
            Those of the attributes 'formulation', 'scheme', 'activation', 'solver', 'points',
            'seeds', 'neurons' that it takes.
        """
        optional = {"formulation", "scheme", "activation", "solver", "points", "seeds", "neurons"}
        for name in sorted(optional - set(names)):
            value = getattr(self, name)
            if value is not None:
                raise ArgumentError(
                    name, value, f"{id} has nothing to set there", f"It takes {', '.join(names)}"
                )


class Work:
    """The progress of a whole experiment, from that of its solves.

    Parameters
    ----------
    options : Options
    total : float
        Work of all solves, in any unit, such as points times neurons squared.
    """

    def __init__(self, options: Options, total: float) -> None:
        self._progress, self._total, self._done = options.progress, max(total, 1e-300), 0.0

    def part(self, units: float) -> Progress | None:
        """The progress callback of one solve of so many units."""
        progress = self._progress
        if progress is None:
            return None

        def show(done: int, total: int) -> None:
            self._show(self._done + units * done / max(total, 1))

        return show

    def done(self, units: float) -> None:
        """A solve of so many units is finished, or was finished before."""
        self._done += units
        self._show(self._done)

    def _show(self, units: float) -> None:
        if self._progress is not None:
            self._progress(min(10_000, round(10_000 * units / self._total)), 10_000)


@dataclass(frozen=True)
class Row:
    """One number of neurons: what came out, and what the paper prints for it.

    Attributes
    ----------
    n : int
        Neurons after removal of the inactive and redundant ones; the median over the seeds.
    l2, h1 : float or None
        ‖u − u_n‖ and |u − u_n|_{H¹}; the median where there are several seeds.
    order_l2, order_h1 : float or None
        Observed order between the row before and this one.
    condition : float or None
        Condition number of the assembled matrix, as double precision gives it.
    true_condition : float or None
        The same from the singular values of B, squared.
    spread : dict or None
        ``{"l2": [least, largest], …}`` over the seeds.
    paper : dict or None
        The paper's numbers in this row.
    extra : dict
        Whatever else is worth keeping, JSON-able: "points", "seconds", "rank", "seeds".
    """

    n: int
    l2: float | None = None
    h1: float | None = None
    order_l2: float | None = None
    order_h1: float | None = None
    condition: float | None = None
    true_condition: float | None = None
    spread: dict[str, list[float]] | None = None
    paper: dict[str, float] | None = None
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Series:
    """A curve of a figure, or the rows of a table."""

    label: str
    rows: list[Row]
    slopes: dict[str, float] = field(default_factory=dict)  # fitted, by quantity, ≈ -2.25
    reference: dict[str, float] = field(default_factory=dict)  # the theory's, by quantity
    panel: str = ""  # which sub-picture of a figure it belongs to


@dataclass(frozen=True)
class Result:
    """What an experiment found.

    Attributes
    ----------
    id, title : str
    kind : str
        'errors', 'condition' or 'singular values'.
    series : list of Series
        One for a table, one per curve for a figure.
    settings : dict
        Everything that was used, JSON-able.
    seconds : float
    notes : list of str
        How it compares, and why it differs where it does.
    """

    id: str
    title: str
    kind: str
    series: list[Series]
    settings: dict[str, Any]
    seconds: float
    notes: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """The object that ``--json`` prints: rows for a table, series for a figure."""
        body: dict[str, Any] = {"id": self.id, "title": self.title, "kind": self.kind}
        series = [_plain(dataclasses.asdict(s)) for s in self.series]
        if self.id.startswith("table"):
            body |= {k: v for k, v in series[0].items() if k != "panel"}
        if len(series) > 1 or "rows" not in body:
            body["series"] = series
        return body | {"seconds": self.seconds, "settings": self.settings, "notes": self.notes}

    @classmethod
    def from_json(cls, body: dict[str, Any]) -> Result:
        """The result that :meth:`to_json` was made from."""
        names = {f.name for f in dataclasses.fields(Series)}
        given = body.get("series", [body])
        fields = [{k: v for k, v in s.items() if k in names} for s in given]
        series = [Series(**f | {"rows": [Row(**row) for row in f["rows"]]}) for f in fields]
        keys = ("id", "title", "kind", "settings", "seconds", "notes")
        return cls(series=series, **{key: body[key] for key in keys})


@dataclass(frozen=True)
class Experiment:
    """An entry of the register, to be called with options or with some of their attributes.

    Attributes
    ----------
    id, title : str
    seconds : float
        Time that the default size takes on two cores.
    run : callable
        From :class:`Options` to :class:`Result`.
    """

    id: str
    title: str
    seconds: float
    run: Callable[[Options], Result]

    def __call__(self, options: Options | None = None, /, **changes: Any) -> Result:
        """Carry it out: ``table_1()``, ``table_1(neurons=(165,))`` or ``table_1(options)``."""
        return self.run(dataclasses.replace(options or Options(), **changes))


EXPERIMENTS: dict[str, Experiment] = {}


def experiment(
    id: str, title: str, seconds: float
) -> Callable[[Callable[[Options], Result]], Experiment]:
    """Enter a function in the register under an id such as 'table-1'."""

    def enter(run: Callable[[Options], Result]) -> Experiment:
        entry = EXPERIMENTS[id] = Experiment(id, title, seconds, run)
        return entry

    return enter


def arrange(order: list[str]) -> None:
    """Sort the register by a list of ids; those that are not in it come last."""
    place = {id: i for i, id in enumerate(order)}
    entries = sorted(EXPERIMENTS.items(), key=lambda item: place.get(item[0], len(place)))
    EXPERIMENTS.clear()
    EXPERIMENTS.update(entries)


def with_orders(rows: list[Row]) -> list[Row]:
    """The rows with the observed orders log(e₁/e₂)/log(n₂/n₁) between neighbours."""
    done = rows[:1]
    for before, row in itertools.pairwise(rows):
        l2 = _order(before.l2, row.l2, before.n, row.n)
        h1 = _order(before.h1, row.h1, before.n, row.n)
        done.append(dataclasses.replace(row, order_l2=l2, order_h1=h1))
    return done


def fitted_slope(rows: list[Row], quantity: str, skip: int = 1) -> float | None:
    """The slope of log(quantity) against log n by least squares, without the first rows.

    Parameters
    ----------
    rows : list of Row
    quantity : str
        'l2', 'h1', 'condition' or 'true_condition'.
    skip : int
        Rows left out at the beginning; none where fewer than two would be left.
    """
    pairs = [(row.n, getattr(row, quantity)) for row in rows if getattr(row, quantity)]
    pairs = pairs[skip:] if len(pairs) >= skip + 2 else pairs
    if len({n for n, _ in pairs}) < 2:
        return None
    logs = np.log(np.array(pairs, dtype=float))
    return float(np.polyfit(logs[:, 0], logs[:, 1], 1)[0])


def _order(first: float | None, second: float | None, n1: int, n2: int) -> float | None:
    if not first or not second or n1 == n2:
        return None
    return math.log(first / second) / math.log(n2 / n1)


def _plain(value: Any) -> Any:
    """JSON knows no infinity and no NaN."""
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
