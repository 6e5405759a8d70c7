"""What every solve reports: what was chosen and why, and how far it can be trusted."""

from __future__ import annotations

import json
import math
import resource
import sys
from dataclasses import asdict, dataclass, field


@dataclass
class Info:
    """The report of a solve.

    Attributes
    ----------
    formulation, solver : str
        What was used.
    n, rows : int
        Neurons, and rows of the least-squares problem or points of the quadrature.
    rank : int
        Numerical rank of the system.
    condition : float
        Condition number of the system that was solved, as the solver measured it.
    residual : float
        Relative residual, ‖Aa − y‖/‖y‖ over all rows or ‖Aa − b‖/‖b‖ of a square system; the
        largest of several right-hand sides.
    seconds : float
        Wall-clock time.
    peak_memory : int
        Bytes by which the process's peak memory stood above its memory at the start.
    choices : list of str
        What was measured and chosen, in order.
    error_estimate : float or None
        An estimate of the relative L² error, where linnet chose something by itself.
    """

    formulation: str
    solver: str
    n: int
    rows: int
    rank: int
    condition: float
    residual: float
    seconds: float
    peak_memory: int
    choices: list[str] = field(default_factory=list)
    error_estimate: float | None = None

    def to_json(self) -> str:
        """The report as JSON text."""
        finite = {k: None if v == math.inf else v for k, v in asdict(self).items()}
        return json.dumps(finite, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Info:
        """A report from its JSON text."""
        values = json.loads(text)
        condition = math.inf if values["condition"] is None else values["condition"]
        return cls(**{**values, "condition": condition})

    def __str__(self) -> str:
        lines = [
            f"{self.formulation}, {self.solver}: {self.n} neurons, {self.rows} rows",
            f"rank {self.rank}, condition {self.condition:.1e}, residual {self.residual:.1e}",
            f"{self.seconds:.2f} s, {self.peak_memory / 1e6:.0f} MB",
        ]
        return "\n".join(lines + [f"- {choice}" for choice in self.choices])


def memory_now() -> int:
    """Bytes of memory that the process holds; its peak where the system does not tell."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except OSError:
        return memory_peak()


def memory_peak() -> int:
    """The most bytes of memory that the process has held."""
    try:
        with open("/proc/self/status") as file:
            (line,) = (line for line in file if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024
    except (OSError, ValueError):  # getrusage counts what the parent held before it started us
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
