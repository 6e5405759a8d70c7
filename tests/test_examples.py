"""The gallery: every example runs, and its numbers are what mathematics or its page promises.

The pages of the documentation are executed too: their Python blocks one after the other.
"""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from numpy.polynomial import legendre, polynomial

import linnet as ln

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
PAGES = sorted(path for path in (ROOT / "docs").glob("*.md") if "```python" in path.read_text())

# Upper bounds of the numbers that an example returns, in its order: two to five times what is
# measured, as far as roundoff may move it on another machine.
BOUNDS = {
    "assimilation": (4e-9, 1e-3, 3e-2),
    "brick": (2e-7,),
    "convection_diffusion": (4e-8,),
    "corner": (3e-4,),
    "dirichlet": (1e-12,),
    "extend_activation": (4e-11,),
    "extend_domain": (3e-12,),
    "extend_neurons": (2e-11, 1e-13),
    "fit_2d": (4e-7,),
    "fit_dimensions": (5e-15, 5e-15, 1e-8, 1e-4, 3e-3, 2e-2),
    "five_dimensions": (6e-5,),
    "heat": (1e-11,),
    "helmholtz": (5e-9,),
    "many_loads": (1e-7,),
    "mixed": (2e-12,),
    "periodic": (2e-10,),
    "quickstart": (1e-10,),
    "robin": (2e-12, 3e-8),
    "variable": (2e-13,),
    "wave": (1e-7,),
}


def example(name: str) -> ModuleType:
    """The module in examples/."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(name: str, folder: Path) -> dict[str, float]:
    """What main() returns; it has drawn its picture too."""
    picture = folder / f"{name}.png"
    numbers = example(name).main(picture)
    plt.close("all")
    assert picture.stat().st_size > 5000
    return numbers


@pytest.mark.parametrize("name", sorted(BOUNDS))
def test_errors_are_as_small_as_promised(name: str, tmp_path: Path) -> None:
    numbers = list(run(name, tmp_path).values())
    assert len(numbers) == len(BOUNDS[name])
    for number, bound in zip(numbers, BOUNDS[name], strict=True):
        assert 0 <= number < bound


def test_every_example_is_tested() -> None:
    tested = {*BOUNDS, "conditioning", "extend_solver", "fit_1d", "fit_rates"}
    tested |= {"neumann", "plate", "scale"}
    assert {path.stem for path in EXAMPLES.glob("*.py")} - {"demo"} == tested


def test_half_of_a_circle_of_tanh_neurons_is_redundant(tmp_path: Path) -> None:
    neurons, error = run("fit_1d", tmp_path).values()
    assert neurons == 200
    assert error < 100 * np.finfo(float).eps


def test_relu_networks_have_the_rate_of_splines(tmp_path: Path) -> None:
    for k, slope in enumerate(run("fit_rates", tmp_path).values(), 1):
        assert slope == pytest.approx(-(k + 1), abs=0.25)


def test_the_paper_s_digits(tmp_path: Path) -> None:
    """Table 1, second row."""
    neurons, l2, h1 = run("neumann", tmp_path).values()
    assert neurons == 165
    assert f"{l2:.3e}" == "8.224e-05"
    assert f"{h1:.3e}" == "1.905e-03"


def test_the_clamped_plate_bends_as_it_should(tmp_path: Path) -> None:
    (deflection,) = run("plate", tmp_path).values()
    assert deflection == pytest.approx(clamped_plate(14), rel=2e-6)
    assert f"{deflection:.8f}" == "0.00126532"  # Timoshenko and Woinowsky-Krieger, table 35


def clamped_plate(m: int) -> float:
    """The centre's deflection by the Ritz method: (1 − x²)²(1 − y²)² P_i(x) P_j(y), i, j even.

    On (−1, 1)² the load is 1 and the deflection 16 times that of the unit square.
    """
    bubble = polynomial.polypow([1.0, 0.0, -1.0], 2)
    basis = [polynomial.polymul(bubble, legendre.leg2poly(np.eye(2 * m)[2 * i])) for i in range(m)]
    t, w = legendre.leggauss(2 * m + 8)
    D = [
        np.array([polynomial.polyval(t, polynomial.polyder(p, q)) for p in basis]) for q in range(3)
    ]
    M, B, C = (np.einsum("ik,jk,k->ij", D[a], D[b], w) for a, b in ((0, 0), (2, 2), (0, 2)))
    matrix = np.kron(B, M) + np.kron(M, B) + np.kron(C, C.T) + np.kron(C.T, C)
    load = D[0] @ w
    a = np.linalg.solve(matrix, np.kron(load, load))
    centre = np.array([polynomial.polyval(0.0, p) for p in basis])
    return float(np.kron(centre, centre) @ a) / 16


def test_the_matrix_form_loses_the_rate_and_least_squares_keeps_it(tmp_path: Path) -> None:
    matrix_form, least_squares, slope = run("conditioning", tmp_path).values()
    assert slope == pytest.approx(-3, abs=0.15)
    assert matrix_form > 10 * least_squares


def test_the_residual_finds_the_scale(tmp_path: Path) -> None:
    spread, missed = run("scale", tmp_path).values()
    assert spread > 1e6
    assert missed < 10


def test_a_solver_of_one_s_own(tmp_path: Path) -> None:
    plain, morozov = run("extend_solver", tmp_path).values()
    assert morozov < plain / 2


def test_an_activation_of_one_s_own(tmp_path: Path) -> None:
    """Its derivatives are those of its values, and what it cannot do is refused."""
    activation = example("extend_activation").Arctan()
    z, h = np.linspace(-3, 3, 13), 1e-5
    for order in (0, 1):
        slope = (activation(z + h, order) - activation(z - h, order)) / (2 * h)
        np.testing.assert_allclose(activation(z, order + 1), slope, atol=1e-9)
    with pytest.raises(ln.SmoothnessError, match="highest derivative of Arctan"):
        activation(z, 3)
    theta = ln.neurons.circle(10, radius=2)
    assert ln.Network(activation, theta).on(ln.Box(-1, 1)).n == 5


def test_a_rule_of_one_s_own_begins_anywhere() -> None:
    rule = example("extend_domain").Disk().points(1000)
    np.testing.assert_array_equal(rule.take(300, 500).points, rule.points[300:500])
    assert rule.weights.sum() == pytest.approx(np.pi, rel=1e-14)
    second_moment = rule.weights @ rule.points[:, 0] ** 2
    assert second_moment == pytest.approx(np.pi / 4, rel=1e-3)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_the_python_blocks_of_a_page_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)
    scope: dict[str, object] = {"__name__": "page"}
    for block in blocks:
        tree = ast.parse(block, str(page))
        exec(compile(tree, str(page), "exec"), scope)
    plt.close("all")


def test_problem_files_of_the_documentation_are_valid(tmp_path: Path) -> None:
    from linnet.problemfile import read_problem

    pages = [page.read_text() for page in (ROOT / "docs").glob("*.md")]
    files = [b for text in pages for b in re.findall(r"^```toml\n(.*?)^```", text, re.S | re.M)]
    assert files
    for i, text in enumerate(files):
        path = tmp_path / f"{i}.toml"
        path.write_text(text)
        assert read_problem(path).stated.problem.domain.dim >= 1


if __name__ == "__main__":  # the numbers as they are
    for file in sorted(EXAMPLES.glob("*.py")):
        if file.stem in (sys.argv[1:] or BOUNDS):
            print(file.stem, example(file.stem).main())
