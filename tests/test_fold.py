"""The fold: every block once, in one order, with the same bits for any number of workers."""

import threading
import time
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import threadpool_info

import linnet as ln
from linnet import fold as fold_module
from linnet.errors import ArgumentError
from linnet.fold import available_workers, check_workers, fold, lane_count, map_blocks
from linnet.reduce import Gram, Triangle

BOX = ln.Box(-1, 1, dim=2)
U, V = ln.trial(BOX), ln.test(BOX)
NETWORK = ln.Network(ln.Tanh(), ln.neurons.fibonacci(40, radius=2))


class Numbers:
    """A stream of nothing but block numbers."""

    def __init__(self, blocks, columns=1, rows=1):
        self.blocks, self.columns, self.rows = blocks, columns, rows

    @property
    def size(self):
        return self.blocks * self.rows

    def rows_of(self, k):
        return self.rows

    def fingerprint(self):
        return f"numbers {self.blocks}"


class Word:
    """The free monoid: the blocks in the order in which they were taken in."""

    def __init__(self, stream, during=lambda k: None):
        self.letters, self.length, self.during = np.zeros(stream.blocks), np.zeros(1), during

    def absorb(self, k):
        self.during(k)
        self._append([k])

    def combine(self, other):
        self._append(other.letters[: int(other.length[0])])

    def _append(self, letters):
        start = int(self.length[0])
        self.letters[start : start + len(letters)] = letters
        self.length += len(letters)

    def arrays(self):
        return {"letters": self.letters, "length": self.length}


def spelled(stream):
    """What the word must be: lane after lane, each in order."""
    lanes = lane_count(stream.blocks, stream.size, stream.columns)
    return [k for lane in range(lanes) for k in range(lane, stream.blocks, lanes)]


class TestOrder:
    @pytest.mark.parametrize("blocks", [1, 2, 3, 7, 16, 61])
    @pytest.mark.parametrize("workers", [1, 2, 3, 20])
    def test_every_block_once_lane_after_lane(self, blocks, workers, monkeypatch):
        monkeypatch.setattr(fold_module, "_STEP_SECONDS", 0.0)  # a step is one block
        stream = Numbers(blocks, rows=100)
        word = fold(stream, lambda: Word(stream), workers=workers)
        assert word.letters.tolist() == spelled(stream)

    def test_slow_lanes_do_not_change_the_order(self, monkeypatch):
        monkeypatch.setattr(fold_module, "_STEP_SECONDS", 0.0)
        stream = Numbers(24, rows=100)

        def during(k):
            time.sleep(0.02 * (k % 3 == 0))

        word = fold(stream, lambda: Word(stream, during), workers=3)
        assert word.letters.tolist() == spelled(stream)

    @given(st.integers(1, 10**5), st.integers(1, 10**9), st.integers(1, 10**4))
    def test_lanes_are_a_power_of_two_with_blocks_for_each(self, blocks, rows, columns):
        lanes = lane_count(blocks, rows, columns)
        assert lanes in {1, 2, 4, 8, 16}
        assert lanes <= blocks
        if rows < 2 * columns:
            assert lanes == 1  # a second triangle would cost more than it saves
        assert lanes <= lane_count(blocks, 4 * rows, columns)

    def test_no_blocks_is_the_neutral_element(self):
        stream = Numbers(0)
        assert fold(stream, lambda: Word(stream)).length[0] == 0


def collocation():
    f = lambda x: np.exp(x[:, 0]) * x[:, 1]
    problem = ln.StrongForm(
        ln.Equation(-ln.laplacian(U) + U, f, on=BOX), ln.Equation(U, f, on=BOX.boundary)
    )
    form = ln.Collocation(BOX.grid(130), BOX.boundary.grid(130), weights=(1, 1e3))
    return problem, form


def elliptic(form=ln.Galerkin):
    b = ln.Coefficient(lambda x: x[:, 1] - 0.3)
    skew = b * ln.partial(U, 0) * V if form is ln.Galerkin else 0 * U * V
    problem = ln.WeakForm(
        ln.dot(ln.grad(U), ln.grad(V)) + U * V + skew,
        ln.Integral(2 * U * V, load=1.0, on=BOX.face("left")),
        load=lambda x: np.cos(x[:, 0]),
    )
    return problem, form(BOX.gauss(40, order=3), BOX.boundary.gauss(40, order=3))


CASES = {
    "Triangle, collocation": (Triangle, collocation()),
    "Triangle, variational": (Triangle, elliptic(ln.VariationalLeastSquares)),
    "Gram, collocation": (Gram, collocation()),
    "Gram, variational": (Gram, elliptic(ln.VariationalLeastSquares)),
    "Gram, Galerkin": (Gram, elliptic()),
}


class TestBits:
    @pytest.mark.parametrize(("state", "case"), CASES.values(), ids=CASES)
    def test_same_bits_for_any_number_of_workers(self, state, case, monkeypatch):
        problem, form = case
        rows = form.rows(problem, NETWORK)
        assert lane_count(rows.blocks, rows.size, rows.columns) >= 4
        one = fold(rows, lambda: state(rows), workers=1).arrays()
        monkeypatch.setattr(fold_module, "_STEP_SECONDS", 0.0)
        for workers in (2, 3):
            again = fold(rows, lambda: state(rows), workers=workers).arrays()
            assert again.keys() == one.keys()
            for name in one:
                np.testing.assert_array_equal(again[name], one[name])

    @pytest.mark.parametrize("solver", [ln.Auto(), ln.Cholesky(), ln.RegularizedQR()], ids=repr)
    def test_same_solution_for_any_number_of_workers(self, solver):
        problem, form = collocation()
        one, two, three = (
            ln.solve(problem, NETWORK, form, solver, workers=workers).a for workers in (1, 2, 3)
        )
        np.testing.assert_array_equal(one, two)
        np.testing.assert_array_equal(one, three)


class TestWorkers:
    def test_lanes_run_at_the_same_time(self):
        meet = threading.Barrier(2, timeout=20)  # passes only if two lanes are in it at once
        stream = Numbers(2, rows=100)
        fold(stream, lambda: Word(stream, lambda k: meet.wait()), workers=2)

    def test_blas_has_one_thread_in_a_lane(self):
        seen = []

        def during(k):
            seen.extend(p["num_threads"] for p in threadpool_info() if p["user_api"] == "blas")

        stream = Numbers(1)
        fold(stream, lambda: Word(stream, during))
        assert seen
        assert set(seen) == {1}

    @pytest.mark.parametrize("workers", [0, -1, 1.5, "two", True])
    def test_refuses_what_is_no_number_of_threads(self, workers):
        with pytest.raises(ArgumentError, match=r"workers = .* no number of threads"):
            check_workers(workers)
        problem, form = collocation()
        with pytest.raises(ArgumentError, match="workers = "):
            ln.solve(problem, NETWORK, form, workers=workers)

    def test_all_cores_by_default(self):
        assert check_workers(None) == available_workers() >= 1

    def test_memory_is_that_of_the_lanes_not_of_the_rows(self):
        rows = ln.Collocation(BOX.grid(450)).rows(
            ln.StrongForm(ln.Equation(U, 1.0, on=BOX)), NETWORK
        )
        tracemalloc.start()
        try:
            fold(rows, lambda: Triangle(rows), workers=2)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert rows.size * rows.columns * 8 > 60e6
        assert peak < 6e6


class TestProgress:
    def test_counts_all_rows_and_never_falls(self, monkeypatch):
        monkeypatch.setattr(fold_module, "_STEP_SECONDS", 0.0)
        stream, calls = Numbers(32, rows=7), []
        fold(stream, lambda: Word(stream), progress=lambda *call: calls.append(call), workers=2)
        done, total = zip(*calls, strict=True)
        assert set(total) == {7 * 32}
        assert list(done) == sorted(done)
        assert 0 < done[0] < done[-1] == 7 * 32

    def test_solve_reports_every_row(self):
        problem, form = collocation()
        calls = []
        ln.solve(
            problem, NETWORK, form, ln.RegularizedQR(), progress=lambda *call: calls.append(call)
        )
        rows = 130**2 + 4 * 129
        assert calls[-1] == (rows, rows)


class TestErrors:
    """What goes wrong in a worker reaches the caller as it is."""

    @pytest.mark.parametrize("workers", [1, 2])
    @pytest.mark.parametrize("form", [ln.Galerkin, ln.VariationalLeastSquares])
    def test_exception_in_user_data_keeps_its_message(self, workers, form):
        def load(x):
            if (x[:, 0] > 0.9).any() and len(x) > 1:
                raise RuntimeError("sensor 17 is off line")
            return x[:, 0]

        problem = ln.WeakForm(U * V, load=load)
        with pytest.raises(RuntimeError, match="sensor 17 is off line"):
            ln.solve(problem, NETWORK, form(BOX.gauss(40, order=3)), workers=workers)

    def test_data_that_are_not_finite_name_the_point(self):
        load = lambda x: np.where(x[:, 0] > 0.9, np.nan, 1.0)
        with pytest.raises(ArgumentError, match=r"load = \[nan\]: it is not finite at the point"):
            ln.solve(ln.WeakForm(U * V, load=load), NETWORK, ln.Galerkin(BOX.gauss(40, order=3)))

    def test_others_are_stopped(self, monkeypatch):
        monkeypatch.setattr(fold_module, "_STEP_SECONDS", 60.0)
        stream, taken = Numbers(4000, rows=100), []

        def during(k):
            taken.append(k)
            if k == 1:
                raise RuntimeError("one lane breaks")
            time.sleep(0.001)

        with pytest.raises(RuntimeError, match="one lane breaks"):
            fold(stream, lambda: Word(stream, during), workers=2)
        assert len(taken) < 1000

    def test_map_blocks_keeps_order_and_raises(self):
        assert map_blocks(lambda k: k * k, 50, workers=3) == [k * k for k in range(50)]
        assert map_blocks(str, 0) == []
        with pytest.raises(ZeroDivisionError):
            map_blocks(lambda k: 1 // (k - 3), 9, workers=2)


class TestInterruption:
    @pytest.mark.parametrize("workers", [1, 2])
    def test_keyboard_interrupt_saves_and_the_next_run_goes_on(
        self, tmp_path, monkeypatch, workers
    ):
        monkeypatch.setattr(fold_module, "_STEP_SECONDS", 0.0)
        stream, first, second = Numbers(64, rows=100), [], []

        def interrupt(done, total):
            if done >= total // 2:
                raise KeyboardInterrupt

        path = tmp_path / "half"
        with pytest.raises(KeyboardInterrupt):
            fold(
                stream,
                lambda: Word(stream, first.append),
                workers=workers,
                progress=interrupt,
                checkpoint=ln.Checkpoint(path),
            )
        assert path.exists()
        assert 32 <= len(first) < 64
        word = fold(stream, lambda: Word(stream, second.append), checkpoint=ln.Checkpoint(path))
        assert sorted(first + second) == list(range(64))  # nothing twice, nothing left out
        assert word.letters.tolist() == spelled(stream)

    @pytest.mark.parametrize(("state", "case"), CASES.values(), ids=CASES)
    def test_resumed_reductions_have_the_same_bits(self, tmp_path, monkeypatch, state, case):
        monkeypatch.setattr(fold_module, "_STEP_SECONDS", 0.0)
        problem, form = case
        rows = form.rows(problem, NETWORK)
        undisturbed = fold(rows, lambda: state(rows)).arrays()
        path, stops = tmp_path / "state", iter([0.1, 0.5, 0.9])

        def interrupt(limit):
            def progress(done, total):
                if done > limit * total:
                    raise KeyboardInterrupt

            return progress

        for limit in stops:
            with pytest.raises(KeyboardInterrupt):
                fold(
                    rows,
                    lambda: state(rows),
                    progress=interrupt(limit),
                    checkpoint=ln.Checkpoint(path),
                )
        resumed = fold(rows, lambda: state(rows), checkpoint=ln.Checkpoint(path)).arrays()
        for name in undisturbed:
            np.testing.assert_array_equal(resumed[name], undisturbed[name])

    def test_saving_all_the_time_changes_nothing(self, tmp_path, monkeypatch):
        monkeypatch.setattr(fold_module, "_STEP_SECONDS", 0.0)
        stream, saves = Numbers(20, rows=100), []
        checkpoint = ln.Checkpoint(tmp_path / "often", seconds=0.0)
        save = checkpoint.save
        monkeypatch.setattr(checkpoint, "save", lambda arrays: (saves.append(1), save(arrays)))
        word = fold(stream, lambda: Word(stream), workers=2, checkpoint=checkpoint)
        assert word.letters.tolist() == spelled(stream)
        assert len(saves) >= 10

    def test_a_finished_run_is_kept(self, tmp_path):
        stream, taken = Numbers(20, rows=100), []
        checkpoint = ln.Checkpoint(tmp_path / "whole")
        fold(stream, lambda: Word(stream), checkpoint=checkpoint)
        word = fold(stream, lambda: Word(stream, taken.append), checkpoint=checkpoint)
        assert word.letters.tolist() == spelled(stream)
        assert taken == []

    def test_half_a_block_is_not_saved(self, tmp_path):
        """The products of a block are added one after the other; a stop may fall between them."""
        blocks, armed = [], [0]

        def load(x):
            blocks.append(len(x))
            if armed[0] and len(blocks) > armed[0]:
                raise KeyboardInterrupt
            return x[:, 0]

        problem = ln.WeakForm(U * V, load=load)
        rows = ln.Galerkin(BOX.gauss(40, order=3)).rows(problem, NETWORK)
        path = tmp_path / "half"
        armed[0] = len(blocks) + rows.blocks + 9  # the fingerprint looks at all data first
        with pytest.raises(KeyboardInterrupt):
            fold(rows, lambda: Gram(rows), workers=1, checkpoint=ln.Checkpoint(path))
        assert path.exists()
        armed[0] = 0
        resumed = fold(rows, lambda: Gram(rows), checkpoint=ln.Checkpoint(path)).arrays()
        undisturbed = fold(rows, lambda: Gram(rows)).arrays()
        for name in undisturbed:
            np.testing.assert_array_equal(resumed[name], undisturbed[name])
