"""The fold: a stream of blocks of rows becomes a small matrix, in bounded memory.

Blocks belong to a fixed number of *lanes* (block k to lane k mod L), each lane folds its own blocks
in order, and the lanes are combined in a fixed binary tree. L depends on the problem alone and
BLAS runs with one thread inside a lane, so one worker, many workers and a run that was killed and
resumed give the same bits. Memory is that of the lanes in progress, never that of the rows.
"""

from __future__ import annotations

import functools
import math
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from linnet.checkpoint import Checkpoint
from linnet.errors import ArgumentError

Array = NDArray[np.float64]
Progress = Callable[[int, int], None]  # called with the rows done and the rows in all

_SMALL = 500  # order of a matrix below which a second BLAS thread costs more than it gives
_STEP_SECONDS = 0.25  # a lane is folded for about so long before its state can be looked at


class State(Protocol):
    """A monoid's element: absorbs a block, combines with another, is arrays on disk."""

    def absorb(self, k: int) -> None:
        """Take block k of the stream in."""

    def combine(self, other: Self) -> None:
        """Take in another element, made of other blocks."""

    def arrays(self) -> dict[str, Array]:
        """What it consists of; changing these arrays changes it."""


S = TypeVar("S", bound=State)


class Stream(Protocol):
    """What the fold asks of a stream of blocks of rows."""

    @property
    def columns(self) -> int:
        """Number n of unknowns."""

    @property
    def blocks(self) -> int:
        """Number of blocks."""

    @property
    def size(self) -> int:
        """Number N of rows in all."""

    def rows_of(self, k: int) -> int:
        """Number of rows of block k."""

    def fingerprint(self) -> str:
        """A text that another stream does not share."""


def available_workers() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_workers(workers: int | None) -> int:
    """The number of threads asked for, or as many as there are cores."""
    if workers is None:
        return available_workers()
    if not isinstance(workers, int | np.integer) or isinstance(workers, bool) or workers < 1:
        raise ArgumentError(
            "workers", workers, "it is no number of threads", "Give 1, 2, … or None for all cores"
        )
    return int(workers)


def lane_count(blocks: int, rows: int, columns: int) -> int:
    """The number of lanes, a power of two: more for taller streams, by the problem alone.

    A lane costs n² memory and, for a triangle, 2n³/3 flops to combine, so that two are worth
    having from N = 2n on and eight only for N beyond 64 n.
    """
    ratio = rows / max(columns, 1)
    lanes = 1 if ratio < 2 else 1 << max(1, round(math.log2(ratio) / 2))
    return max(1, min(lanes, 16, 1 << int(math.log2(max(blocks, 1)))))


@dataclass
class _Lane(Generic[S]):
    state: S
    next_block: int


@dataclass
class _Fold(Generic[S]):
    """A fold in progress: lanes under way, and the subtrees that are complete."""

    stream: Stream
    zero: Callable[[], S]
    lanes: int
    active: dict[int, _Lane[S]] = field(default_factory=dict)
    done: dict[tuple[int, int], S] = field(default_factory=dict)  # (level, index): subtree

    def rows_done(self) -> int:
        pending = sum(
            self.stream.rows_of(k)
            for lane in range(self.lanes)
            if not self._finished(lane)
            for k in range(self._position(lane), self.stream.blocks, self.lanes)
        )
        return self.stream.size - pending

    def _position(self, lane: int) -> int:
        return self.active[lane].next_block if lane in self.active else lane

    def _finished(self, lane: int) -> bool:
        return any((level, lane >> level) in self.done for level in range(self.lanes.bit_length()))

    def waiting(self) -> list[int]:
        """Lanes that still have blocks, in order."""
        return [lane for lane in range(self.lanes) if not self._finished(lane)]

    def open(self, lane: int) -> None:
        if lane not in self.active:
            self.active[lane] = _Lane(self.zero(), lane)

    def step(self, lane: int, stop: threading.Event) -> tuple[int, int]:
        """Fold blocks of a lane for a while; returns the lane and the rows folded."""
        work, rows = self.active[lane], 0
        end = time.monotonic() + _STEP_SECONDS
        while work.next_block < self.stream.blocks:
            try:
                work.state.absorb(work.next_block)
            except BaseException:
                del self.active[lane]  # with half a block in it, it must not be saved
                raise
            rows += self.stream.rows_of(work.next_block)
            work.next_block += self.lanes
            if time.monotonic() > end or stop.is_set():
                break
        return lane, rows

    def close_if_finished(self, lane: int) -> None:
        """Move a finished lane into the tree, and combine what has become whole below the top."""
        if self.active[lane].next_block < self.stream.blocks:
            return
        level, index, state = 0, lane, self.active.pop(lane).state
        while level + 1 < self.top and (level, index ^ 1) in self.done:
            sibling = self.done.pop((level, index ^ 1))
            left, right = (state, sibling) if index % 2 == 0 else (sibling, state)
            left.combine(right)
            level, index, state = level + 1, index // 2, left
        self.done[level, index] = state

    @property
    def top(self) -> int:
        """The level of the whole, that of the lanes being 0."""
        return self.lanes.bit_length() - 1

    def whole(self) -> S:
        """The combination of all lanes: of the two halves, when nothing else runs any more."""
        if (self.top, 0) not in self.done:
            left, right = (self.done.pop((self.top - 1, half)) for half in (0, 1))
            left.combine(right)
            self.done[self.top, 0] = left
        return self.done[self.top, 0]

    def pack(self) -> dict[str, Array]:
        packed = {
            f"lane/{lane}/{work.next_block}/{name}": array
            for lane, work in self.active.items()
            for name, array in work.state.arrays().items()
        }
        for (level, index), state in self.done.items():
            packed |= {f"done/{level}/{index}/{name}": a for name, a in state.arrays().items()}
        return packed

    def unpack(self, packed: dict[str, Array]) -> None:
        for key, array in packed.items():
            kind, first, second, name = key.split("/")
            a, b = int(first), int(second)
            if kind == "lane":
                self.open(a)
                self.active[a].next_block = b
                target = self.active[a].state
            else:
                target = self.done.setdefault((a, b), self.zero())
            target.arrays()[name][...] = array


def fold(
    stream: Stream,
    zero: Callable[[], S],
    *,
    workers: int | None = None,
    progress: Progress | None = None,
    checkpoint: Checkpoint | None = None,
) -> S:
    """Fold all blocks of a stream.

    Parameters
    ----------
    stream : Stream
        Where the blocks come from.
    zero : callable
        Makes the neutral element, which knows how to absorb the stream's blocks.
    workers : int, optional
        Threads; all cores by default. The result has the same bits whatever their number.
    progress : callable, optional
        Called with (rows done, rows in all), a few times a second.
    checkpoint : Checkpoint, optional
        Where the state is saved from time to time and, if it is there, resumed from.

    Returns
    -------
    State
        The combination of all blocks.
    """
    work = _Fold(stream, zero, lane_count(stream.blocks, stream.size, stream.columns))
    if stream.blocks == 0:
        return zero()
    if checkpoint is not None:
        work.unpack(checkpoint.load(stream.fingerprint() + type(zero()).__name__))
    with single_threaded_blas():
        _run(work, check_workers(workers), progress, checkpoint)
    with blas_threads_for(stream.columns):
        result = work.whole()
    if checkpoint is not None:
        checkpoint.save(work.pack())
    return result


def _run(
    work: _Fold[S], workers: int, progress: Progress | None, checkpoint: Checkpoint | None
) -> None:
    stop = threading.Event()
    running: set[Future[tuple[int, int]]] = set()
    busy: set[int] = set()
    rows = saved = work.rows_done()
    with ThreadPoolExecutor(workers, thread_name_prefix="linnet") as pool:
        try:
            while running or work.waiting():
                if checkpoint is None or not checkpoint.due() or rows == saved:
                    for lane in work.waiting():
                        if len(running) < workers and lane not in busy:
                            work.open(lane)
                            busy.add(lane)
                            running.add(pool.submit(work.step, lane, stop))
                elif not running:
                    checkpoint.save(work.pack())
                    saved = rows
                    continue
                finished, running = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    lane, count = future.result()
                    busy.discard(lane)
                    rows += count
                    work.close_if_finished(lane)
                if progress is not None:
                    progress(rows, work.stream.size)
        except BaseException as interruption:
            stop.set()
            pool.shutdown(cancel_futures=True)
            if checkpoint is not None and isinstance(interruption, KeyboardInterrupt):
                for lane in tuple(work.active):
                    work.close_if_finished(lane)
                checkpoint.save(work.pack())
            raise


def blas_threads_for(n: int) -> AbstractContextManager[None]:
    """A context in which BLAS keeps to one thread where order n is too small for two."""
    return single_threaded_blas() if n < _SMALL else nullcontext()


@functools.cache
def _controller() -> ThreadpoolController:
    """The BLAS libraries of this process, looked for once."""
    return ThreadpoolController()


_limit: Any = None  # while BLAS is held at one thread: what sets it free again
_holders = 0  # how many want it so; the setting is the whole process's
_turn = threading.Lock()


@contextmanager
def single_threaded_blas() -> Iterator[None]:
    """BLAS with one thread, until the last of all who want it so is done."""
    global _limit, _holders
    with _turn:
        if _holders == 0:
            _limit = _controller().limit(limits=1, user_api="blas")
        _holders += 1
    try:
        yield
    finally:
        with _turn:
            _holders -= 1
            if _holders == 0:
                _limit.restore_original_limits()


T = TypeVar("T")


def map_blocks(fn: Callable[[int], T], blocks: int, workers: int | None = None) -> list[T]:
    """``[fn(0), fn(1), …]`` by several threads, each with a BLAS of one thread.

    Parameters
    ----------
    fn : callable
        From the number of a block to its result.
    blocks : int
    workers : int, optional
        Threads; all cores by default. The results do not depend on it.
    """
    if blocks <= 1:  # small, or inside a block of somebody else's
        return [fn(k) for k in range(blocks)]
    threads = check_workers(workers)
    with single_threaded_blas():
        if threads == 1:
            return [fn(k) for k in range(blocks)]
        with ThreadPoolExecutor(threads, thread_name_prefix="linnet") as pool:
            return list(pool.map(fn, range(blocks)))
