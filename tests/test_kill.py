"""A killed reduction resumes where it was saved and ends with the same bits."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import linnet as ln
from linnet.errors import FileFormatError
from linnet.fold import lane_count

PROGRAM = '''
import sys, threading, time
import numpy as np
import linnet as ln

def problem(kind, seconds, log):
    """A solve whose data take `seconds` a block, each block of the fold noted in `log`."""
    box = ln.Box(-1, 1, dim=2)
    u, v = ln.trial(box), ln.test(box)

    def f(x):
        if threading.current_thread().name.startswith("linnet"):
            time.sleep(seconds)
            if log is not None:
                print(len(x), file=log, flush=True)
        return np.exp(x[:, 0]) * x[:, 1]

    if kind == "triangle":
        weak = ln.WeakForm(ln.dot(ln.grad(u), ln.grad(v)) + u * v, load=f)
        return weak, ln.VariationalLeastSquares(box.gauss(60, order=3)), ln.RegularizedQR()
    skew = ln.WeakForm(ln.dot(ln.grad(u), ln.grad(v)) + u * v + ln.partial(u, 0) * v, load=f)
    return skew, ln.Galerkin(box.gauss(60, order=3)), ln.LU()

def run(kind, seconds=0.0, log=None, checkpoint=None):
    weak, formulation, solver = problem(kind, seconds, log)
    network = ln.Network(ln.ReLU(3), ln.neurons.fibonacci(40)).on(weak.domain)
    return ln.solve(weak, network, formulation, solver, workers=2, checkpoint=checkpoint)

if __name__ == "__main__":
    kind, checkpoint, log, result = sys.argv[1:]
    with open(log, "a") as file:
        solution = run(kind, 0.1, file, ln.Checkpoint(checkpoint, seconds=0.05))
    np.save(result, solution.a)
'''
BLOCKS = 32  # 180² points in blocks of at most 1024
LANES = 16


def blocks_done(kind, i, j):
    """How many a checkpoint's entry stands for: lane i up to block j, or a whole subtree."""
    return len(range(i, j, LANES)) if kind == "lane" else 2**i * BLOCKS // LANES


@pytest.mark.parametrize("kind", ["triangle", "gram"])
def test_killed_and_resumed(tmp_path, kind):
    program, checkpoint = tmp_path / "program.py", tmp_path / "saved"
    program.write_text(PROGRAM)
    state = tmp_path / f"saved.{kind}"

    def start(log):
        command = [sys.executable, program, kind, checkpoint, tmp_path / log, tmp_path / "a.npy"]
        environment = os.environ | {"PYTHONPATH": str(Path(ln.__file__).parents[1])}
        return subprocess.Popen(list(map(str, command)), env=environment)

    def lines(log):
        return len((tmp_path / log).read_text().split())

    victim = start("first")
    for _ in range(3000):
        if state.exists() and lines("first") >= 6:
            break
        assert victim.poll() is None, "it ended before it could be killed"
        time.sleep(0.02)
    victim.send_signal(signal.SIGKILL)
    assert victim.wait() == -signal.SIGKILL
    before = lines("first")
    assert lane_count(BLOCKS, 180**2, 33) == LANES
    assert before < BLOCKS
    assert not (tmp_path / "a.npy").exists()
    with np.load(state) as file:
        keys = {tuple(key.split("/")[:3]) for key in file.files if "/" in key}
    saved = sum(blocks_done(kind, int(i), int(j)) for kind, i, j in keys)
    assert 0 < saved <= before

    assert start("second").wait() == 0
    assert lines("second") == BLOCKS - saved  # not one block of those that were saved again
    namespace = {"__name__": "program"}
    exec(compile(PROGRAM, "program", "exec"), namespace)
    np.testing.assert_array_equal(np.load(tmp_path / "a.npy"), namespace["run"](kind).a)


class TestRefusals:
    """A file that is damaged, foreign or of another problem is never resumed from."""

    box = ln.Box(-1, 1, dim=2)
    u, v = ln.trial(box), ln.test(box)
    network = ln.Network(ln.Tanh(), ln.neurons.fibonacci(20, radius=2))

    def solved(self, checkpoint, f=1.0, g=2.0, h=3.0, weights=1.0, points=40, network=None):
        left, rest = self.box.face("left"), self.box.face("right", "top", "bottom")
        problem = ln.StrongForm(
            ln.Equation(-ln.laplacian(self.u), f, on=self.box),
            ln.Equation(self.u, g, on=left),
            ln.Equation(self.u, h, on=rest),
        )
        form = ln.Collocation(self.box.grid(points), self.box.boundary.grid(40), weights=weights)
        network = self.network if network is None else network
        return ln.solve(problem, network, form, ln.RegularizedQR(), checkpoint=checkpoint)

    def integrated(
        self, form, checkpoint, a=1.0, f=1.0, load=1.0, on=("left",), solver=None, rule=None
    ):
        problem = ln.WeakForm(
            ln.dot(ln.grad(self.u), ln.grad(self.v)) + ln.Coefficient(a) * self.u * self.v,
            ln.Integral(load=load, on=self.box.face(*on)),
            load=f,
        )
        form = form(self.box.gauss(8, 2) if rule is None else rule, self.box.boundary.gauss(8, 2))
        return ln.solve(problem, self.network, form, solver, checkpoint=checkpoint)

    def test_the_same_problem_is_taken(self, tmp_path):
        path = tmp_path / "c"
        first = self.solved(path)
        np.testing.assert_array_equal(self.solved(path).a, first.a)

    @pytest.mark.parametrize(
        "change",
        [
            {"f": 1.5},
            {"f": lambda x: x[:, 0]},
            {"g": 2.5},
            {"h": -3.0},
            {"weights": (1, 2, 1)},
            {"points": 41},
            {"network": ln.Network(ln.Tanh(), ln.neurons.fibonacci(20, radius=3))},
            {"network": ln.Network(ln.Sine(), ln.neurons.fibonacci(20, radius=2))},
        ],
        ids=lambda change: next(iter(change)),
    )
    def test_another_strong_form(self, tmp_path, change):
        path = tmp_path / "c"
        self.solved(path)
        with pytest.raises(FileFormatError, match="belongs to another problem, network or rule"):
            self.solved(path, **change)

    @pytest.mark.parametrize(
        "change",
        [
            {"a": 2.0},
            {"a": lambda x: 1 + x[:, 0] ** 2},
            {"f": -1.0},
            {"load": 2.0},
            {"on": ("right",)},
            {"rule": box.gauss(4, 4)},
        ],
        ids=lambda change: next(iter(change)),
    )
    @pytest.mark.parametrize("form", [ln.Galerkin, ln.VariationalLeastSquares])
    @pytest.mark.parametrize("solver", [ln.Cholesky(), ln.RegularizedQR()], ids=repr)
    def test_another_weak_form(self, tmp_path, form, change, solver):
        path = tmp_path / "c"
        self.integrated(form, path, solver=solver)
        with pytest.raises(FileFormatError, match="belongs to another problem, network or rule"):
            self.integrated(form, path, solver=solver, **change)

    def test_the_sign_of_a_coefficient(self, tmp_path):
        """The factors of the products do not show it: √|c| and a sign."""
        path = tmp_path / "c"
        self.integrated(ln.Galerkin, path, a=lambda x: 1 + x[:, 0], solver=ln.LU())
        with pytest.raises(FileFormatError, match="belongs to another problem"):
            self.integrated(ln.Galerkin, path, a=lambda x: -1 - x[:, 0], solver=ln.LU())

    @pytest.mark.parametrize(
        "damage",
        [
            lambda data: b"",
            lambda data: data[: len(data) // 2],
            lambda data: data[:-1],
            lambda data: data[:2000] + bytes([data[2000] ^ 1]) + data[2001:],
            lambda data: b"# notes of mine\n" * 40,
        ],
        ids=["empty", "half", "without its end", "one bit", "a text"],
    )
    def test_damaged(self, tmp_path, damage):
        path = tmp_path / "c"
        self.solved(path)
        file = tmp_path / "c.triangle"
        file.write_bytes(damage(file.read_bytes()))
        with pytest.raises(FileFormatError, match="it is damaged or no checkpoint") as caught:
            self.solved(path)
        assert str(file) in str(caught.value)
        assert "Delete it to start anew" in str(caught.value)

    def test_foreign(self, tmp_path):
        np.savez(tmp_path / "c.triangle.npz", A=np.eye(3))
        (tmp_path / "c.triangle.npz").rename(tmp_path / "c.triangle")
        with pytest.raises(FileFormatError, match="it is damaged or no checkpoint"):
            self.solved(tmp_path / "c")

    def test_a_failed_save_leaves_the_old_state(self, tmp_path, monkeypatch):
        path = tmp_path / "c"
        checkpoint = ln.Checkpoint(path)
        checkpoint.load("me")
        checkpoint.save({"x": np.ones(3)})

        def no_space(descriptor):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", no_space)
        with pytest.raises(OSError, match="No space left"):
            checkpoint.save({"x": np.zeros(3)})
        monkeypatch.undo()
        assert ln.Checkpoint(path).load("me")["x"].tolist() == [1, 1, 1]
        assert [p.name for p in tmp_path.iterdir()] == ["c"]
