"""``linnet init``, ``check``, ``solve``, ``evaluate``: files, messages and exit codes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import linnet as ln
from linnet.cli import app

SMALL = """
title = "Small <&> problem"
equation = "-laplacian(u) + u = f"
exact = "cos(x)*sin(y + 1)"
[domain]
box = [[0, 1], [-1, 1]]
[boundary]
left = "dn(u)"
others = "u = exact"
[network]
activation = "tanh"
neurons = 300
radius = 2
[points]
rule = "grid"
n = 30
[output]
values = ["csv", "npz", "vtk"]
grid = [5, 9]
"""
WEAK = """
weak = "dot(grad(u), grad(v)) + u*v = v"
[domain]
box = [0, 1]
[network]
activation = "relu"
neurons = 30
[points]
rule = "gauss"
n = 50
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run a command in a folder of its own, with a problem file in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.toml").write_text(SMALL)
    (tmp_path / "weak.toml").write_text(WEAK)
    return lambda *args: CliRunner().invoke(app, [str(arg) for arg in args])


def test_init_check_solve(run, tmp_path):
    """What init writes is understood, and says what it is."""
    assert run("init", "mine.toml").exit_code == 0
    checked = run("check", "mine.toml")
    assert checked.exit_code == 0
    assert "an operator of order 2" in checked.stdout
    assert "does not satisfy" not in checked.stdout
    again = run("init", "mine.toml")
    assert again.exit_code == 2
    assert "it is there already" in again.stderr
    assert run("init", "mine.toml", "--force").exit_code == 0


def test_solve_writes_what_it_says(run, tmp_path):
    result = run("solve", "small.toml", "--report")
    assert result.exit_code == 0, result.output
    names = {path.name for path in (tmp_path / "small").iterdir()}
    assert names == {
        "small.npz", "small-values.csv", "small-values.npz", "small-values.vti", "small-u.png",
        "small-error.png", "small-residual.png", "small-neurons.png", "small.html",
    }  # fmt: skip
    listed = result.stdout.splitlines()[-1].removeprefix("Written: ").split(", ")
    assert {Path(name).name for name in listed} == names
    assert "\r" not in result.output  # no progress bar in a pipe
    page = (tmp_path / "small/small.html").read_text()
    assert "Small &lt;&amp;&gt; problem" in page
    table = np.loadtxt(tmp_path / "small/small-values.csv", delimiter=",", skiprows=1)
    x, u, exact = table[:, :2], table[:, 2], table[:, 3]
    assert len(table) == 45
    np.testing.assert_allclose(exact, np.cos(x[:, 0]) * np.sin(x[:, 1] + 1), rtol=1e-15)
    np.testing.assert_allclose(u, exact, atol=1e-5)


def test_solve_in_json_tells_the_truth(run, tmp_path):
    result = run("solve", "small.toml", "--json", "--no-pictures", "--out", "here")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert [r["equation"] for r in told["residuals"]] == ["equation", "boundary 1", "boundary 2"]
    assert told["info"]["n"] == told["info"]["rank"] == 300
    sol = ln.load("here/small.npz")
    box = ln.Box([0, -1], [1, 1])
    error = sol.error(lambda x: np.cos(x[:, 0]) * np.sin(x[:, 1] + 1), box.gauss(60, 5)).l2
    assert told["errors"]["l2"] == pytest.approx(error, rel=1e-6)
    assert error < 1e-6
    assert all(Path(name).exists() for name in told["files"])
    assert not [name for name in told["files"] if name.endswith(".png")]


def test_solve_a_weak_form(run):
    """−u″ + u = 1 with zero Neumann data: u = 1."""
    result = run("solve", "weak.toml", "--no-pictures", "--json")
    assert result.exit_code == 0, result.output
    sol = ln.load("weak/weak.npz")
    np.testing.assert_allclose(sol(np.linspace(0, 1, 11)), 1.0, atol=1e-9)


def test_solve_at_points_of_ones_own(run, tmp_path):
    (tmp_path / "p.csv").write_text("x,y\n0.5,0\n1,-1\n")
    (tmp_path / "own.toml").write_text(
        SMALL.replace('values = ["csv", "npz", "vtk"]\ngrid = [5, 9]', 'points = "p.csv"')
    )
    assert run("solve", "own.toml", "--no-pictures").exit_code == 0
    table = np.loadtxt(tmp_path / "own/own-values.csv", delimiter=",", skiprows=1)
    np.testing.assert_array_equal(table[:, :2], [[0.5, 0], [1, -1]])


def test_evaluate(run, tmp_path):
    network = ln.Network(ln.Tanh(), ln.neurons.sphere(10, 2, 2.0), ln.Box(-1, 1, dim=2))
    sol = ln.fit(lambda x: x[:, 0], network, ln.Box(-1, 1, dim=2).grid(10))
    sol.save(tmp_path / "u.npz")
    x = np.random.default_rng(0).uniform(-1, 1, (7, 2))
    np.savetxt(tmp_path / "x.csv", x, fmt="%.17g", delimiter=",")
    shown = run("evaluate", "u.npz", "x.csv", "--gradient")
    assert shown.exit_code == 0, shown.output
    lines = shown.stdout.splitlines()
    assert lines[0] == "x,y,u,du/dx,du/dy"
    table = np.loadtxt(lines[1:], delimiter=",")
    np.testing.assert_array_equal(table, np.column_stack([x, sol(x), sol.gradient(x)]))
    assert run("evaluate", "u.npz", "x.csv", "-o", "v.csv").exit_code == 0
    assert run("evaluate", "u.npz", "x.csv", "-o", "v.npz").exit_code == 0
    table = np.loadtxt(tmp_path / "v.csv", delimiter=",", skiprows=1)
    np.testing.assert_array_equal(table[:, 2], sol(x))
    with np.load(tmp_path / "v.npz") as arrays:
        np.testing.assert_array_equal(arrays["u"], sol(x))


def test_interruption_leaves_a_checkpoint_and_goes_on(run, tmp_path, monkeypatch):
    """Ctrl-C: a message that names the file, exit code 130, and the same answer afterwards."""

    def interrupting(label):
        def progress(done, total):
            raise KeyboardInterrupt

        return progress

    assert run("solve", "small.toml", "--no-pictures", "--out", "whole").exit_code == 0
    with monkeypatch.context() as patched:
        patched.setattr(ln, "show_progress", interrupting)
        stopped = run("solve", "small.toml", "--no-pictures")
    assert stopped.exit_code == 130
    assert "The same command goes on from there" in stopped.stderr
    (kept,) = (tmp_path / "small").iterdir()
    assert kept.name in stopped.stderr
    assert run("solve", "small.toml", "--no-pictures").exit_code == 0
    assert not kept.exists()
    np.testing.assert_array_equal(ln.load("small/small.npz").a, ln.load("whole/small.npz").a)


# ------------------------------------------------------------------------- bad input

CHANGES = {
    "an unknown function": (("cos(x)*", "cso(x)*"), "small.toml:4:10: unknown function 'cso'"),
    "a parenthesis": (("laplacian(u)", "laplacian(u"), "is never closed"),
    "a nonlinear term": (("+ u = f", "+ u*u = f"), "is not linear"),
    "no unknown": (("-laplacian(u) + u = f", "x = 1"), "the unknown 'u' does not occur"),
    "a face that does not exist": (("left =", "front ="), "the domain has no face 'front'"),
    "two conditions on a face": (("left =", '"left, top" = "u = 0"\nleft ='), "two conditions on"),
    "no condition on a face": (("others =", "right ="), "there is no condition on bottom, top"),
    "another dimension": (("[domain]", "[domain]\ndim = 3"), "the box has 2 sides, and dim = 3"),
    "reversed bounds": (("[0, 1]", "[1, 0]"), "the bounds of coordinate 1 are reversed"),
    "NaN": (("= f", "= log(x - 2)"), "the value is nan at x = 0"),
    "infinity": (("+ u =", "+ u/x =",), "the value is inf at x = 0"),
    "zero neurons": (("300", "0"), "at least one neuron"),
    "a third derivative of ReLU²": (
        ('-laplacian(u) + u = f"', 'd(u,x,x,x) = f"\n'), "the highest derivative of ReLU",
    ),
    "TOML": (("[domain]", "[domain"), "this is not TOML"),
    "an unknown key": (("[domain]", "[domain]\nboxes = 3"), "Did you mean 'box'"),
    "a tower": (("= f", "= 9^9^9^9"), "too large for double precision"),
    "nesting": (("= f", "= " + "(" * 1000 + "x" + ")" * 1000), "nested more than 50 deep"),
}  # fmt: skip


@pytest.mark.parametrize("command", ["check", "solve"])
@pytest.mark.parametrize("case", CHANGES)
def test_bad_problems_end_with_exit_code_2(run, tmp_path, case, command):
    (old, new), message = CHANGES[case]
    assert old in SMALL
    text = SMALL.replace(old, new, 1)
    if "ReLU" in case:
        text = text.replace('"tanh"', '"relu"')
    (tmp_path / "small.toml").write_text(text)
    refused(run(command, "small.toml"), message)
    assert not (tmp_path / "small").exists()


def refused(result, message):
    """Exit code 2, the message on the standard error, no traceback."""
    assert result.exit_code == 2, result.output
    assert message in " ".join(result.stderr.split())
    assert result.stdout == ""
    assert "Traceback" not in result.output
    assert isinstance(result.exception, SystemExit)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["solve", "nothing.toml"], "nothing.toml: no such file"),
        (["solve", "empty.toml"], "the file is empty"),
        (["solve", "."], "is a directory"),
        (["solve"], "exactly one problem is solved"),
        (["solve", "small.toml", "--catalog", "layer-2d"], "exactly one problem is solved"),
        (["solve", "--catalog", "nothing"], "nothing"),
        (["solve", "small.toml", "--out", "small.toml/x"], "small.toml/x"),
        (["solve", "small.toml", "--out", "small.toml"], "file exists"),
        (["solve", "small.toml", "--workers", "0"], "it is not positive"),
        (["evaluate", "nothing.npz", "p.csv"], "no such file"),
        (["evaluate", "damaged.npz", "p.csv"], "damaged or no linnet solution"),
        (["evaluate", "u.npz", "p.csv"], "line 1 has 3 numbers, not 2"),
        (["evaluate", "u.npz", "nothing.csv"], "no such file"),
        (["evaluate", "u.npz", "q.csv", "-o", "v.txt"], "neither .csv nor .npz"),
        (["evaluate", "u.npz", "q.csv", "-o", "no/v.csv"], "no/v.csv"),
        (["evaluate", "u.npz", "q.csv", "-o", "no/v.npz"], "no/v.npz"),
    ],
)
def test_bad_files_end_with_exit_code_2(run, tmp_path, args, message):
    (tmp_path / "empty.toml").write_text("")
    (tmp_path / "p.csv").write_text("1,2,3\n")
    (tmp_path / "q.csv").write_text("1,2\n")
    network = ln.Network(ln.Tanh(), ln.neurons.sphere(10, 2, 2.0))
    ln.fit(lambda x: x[:, 0], network, ln.Box(-1, 1, dim=2).grid(10)).save(tmp_path / "u.npz")
    (tmp_path / "damaged.npz").write_bytes((tmp_path / "u.npz").read_bytes()[:-200])
    result = run(*args)
    assert result.exit_code == 2, result.output
    assert message in " ".join(result.stderr.split())
    assert "Traceback" not in result.output
    assert isinstance(result.exception, SystemExit)


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["solve", "nothing.toml"], 2, "no such file"),
        (["check", "bad.toml"], 2, "bad.toml:1:13: the unknown"),
        (["nonsense"], 2, "nonsense"),
    ],
)
def test_in_a_process_of_its_own(tmp_path, args, code, message):
    (tmp_path / "bad.toml").write_text('equation = "x = 1"\n[domain]\nbox = [0, 1]\n')
    program = "from linnet.cli import app; app()"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run(
        [sys.executable, "-c", program, *args],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_help_and_the_library_load_nothing_heavy():
    program = "import sys, linnet, linnet.cli; print(*sys.modules)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert {"matplotlib", "sympy"}.isdisjoint(done.stdout.split())
