"""Tables 1 to 9: the digits that the paper prints, and what they stand on."""

import numpy as np
import pytest

import linnet as ln
from linnet import neurons
from linnet.errors import ArgumentError
from linnet.paper import printed, table_1, table_2, table_6, table_7, table_8, table_9
from linnet.paper.compare import differences, ratio, same_digits
from linnet.paper.conditions import condition_numbers
from linnet.paper.experiment import Options, Row
from linnet.paper.hidden import hidden, paper_network, points_for
from linnet.paper.neumann import exact, gradient, load, solve_errors
from linnet.paper.tables import theory


def box(dim):
    return ln.Box(-1, 1, dim=dim)


@pytest.mark.parametrize(
    ("rows", "scheme", "dim", "first"),
    [
        (printed.TABLE_1, "fibonacci", 2, 100),
        (printed.TABLE_6, "sobol", 3, 25),
        (printed.TABLE_7, "sobol", 5, 100),
    ],
)
def test_the_papers_numbers_of_neurons(rows, scheme, dim, first):
    counts = [
        paper_network(ln.ReLU(3), hidden(scheme, first * 2**i, dim), box(dim)).n
        for i in range(len(rows))
    ]
    assert counts == [row.n for row in rows]


@pytest.mark.parametrize("n", [40, 123, 300])
def test_points_for_a_number_of_neurons(n):
    points = points_for(n, "sobol", ln.ReLU(3), box(3))
    assert paper_network(ln.ReLU(3), hidden("sobol", points, 3), box(3)).n == n


def test_polynomial_neurons_are_as_many_as_are_independent():
    theta = np.column_stack([0.01 * np.random.default_rng(0).normal(size=(50, 2)), np.ones(50)])
    assert paper_network(ln.ReLU(3), theta, box(2)).n == 10  # C(2 + 3, 3)


@pytest.mark.parametrize("dim", [1, 2, 3, 5])
def test_the_exact_solution(dim):
    x = np.random.default_rng(dim).uniform(-1, 1, (5, dim))
    h, laplacian = 1e-4, 0.0
    for i in range(dim):
        e = h * np.eye(dim)[i]
        slope = (exact(x + e) - exact(x - e)) / (2 * h)
        assert np.allclose(gradient(x)[:, i], slope, atol=1e-7)
        laplacian = laplacian + (exact(x + e) - 2 * exact(x) + exact(x - e)) / h**2
    assert np.allclose(-laplacian + exact(x), load(x), atol=1e-6)
    faces = x.copy()
    faces[:, 0] = 1.0
    assert np.allclose(gradient(faces)[:, 0], 0.0, atol=1e-14)


def test_theory():
    assert theory(2, 3) == {"l2": -2.25, "h1": -1.75}
    assert np.isclose(theory(6, 3)["l2"], -1.08, atol=5e-3)


# ------------------------------------------------------------------ the digits


def test_table_1_digits():
    rows = table_1(neurons=(88, 165)).series[0].rows
    assert [row.n for row in rows] == [88, 165]
    assert f"{rows[0].l2:.3e}" == "5.542e-04"
    assert f"{rows[1].l2:.3e}" == "8.224e-05"
    assert f"{rows[1].h1:.3e}" == "1.905e-03"
    assert f"{rows[1].order_l2:.2f}" == "3.04"
    assert ratio(rows[0], "h1") < 1.0005


def test_table_6_digits():
    rows = table_6(neurons=(23, 47, 96), points=216_000).series[0].rows  # 20³ cells do
    assert all(same_digits(row, q) for row in rows for q in ("l2", "h1"))


@pytest.mark.slow
def test_table_6_digits_of_the_default_size():
    rows = table_6(neurons=(23, 47, 96, 191, 385)).series[0].rows
    assert all(same_digits(row, q) for row in rows for q in ("l2", "h1"))


def test_table_7_digits():
    rows = table_7(neurons=(98, 197), points=200_000).series[0].rows
    for row in rows:
        assert abs(ratio(row, "l2") - 1) < 2e-3
        assert abs(ratio(row, "h1") - 1) < 1e-3


def test_table_2_is_within_30_percent():
    (row,) = table_2(neurons=(95,), points=27_000).series[0].rows
    assert row.extra["seeds"] == 5
    assert 0.7 < ratio(row, "l2") < 1.3
    assert 0.7 < ratio(row, "h1") < 1.3


def test_the_rule_does_not_matter_for_the_digits_of_few_neurons():
    network = paper_network(ln.ReLU(3), hidden("sobol", 50, 3), box(3))
    coarse = solve_errors(network, box(3).gauss(12, order=3), Options())
    fine = solve_errors(network, box(3).gauss(16, order=4), Options())
    assert np.isclose(coarse["l2"], fine["l2"], rtol=1e-3)


@pytest.mark.parametrize("formulation", ["galerkin", "least-squares", "collocation"])
def test_every_formulation_solves(formulation):
    (row,) = table_1(neurons=(165,), points=40_000, formulation=formulation).series[0].rows
    assert row.l2 < (1e-2 if formulation == "collocation" else 1.02 * row.paper["l2"])


def test_formulation_that_is_none():
    with pytest.raises(ArgumentError, match="galerkin, least-squares or collocation"):
        table_1(neurons=(88,), formulation="ritz")


def test_scheme_of_another_dimension():
    with pytest.raises(ArgumentError, match="no scheme in 3D"):
        table_6(neurons=(23,), scheme="fibonacci")


def test_seeds_change_random_neurons_only():
    def value(**options):
        return table_2(neurons=(50,), points=1000, seeds=1, **options).series[0].rows[0].l2

    assert value(seed=0) == value(seed=0) != value(seed=1)
    assert value(seed=0, scheme="sobol") == value(seed=1, scheme="sobol")


# ------------------------------------------------------------------ condition numbers


def test_condition_of_two_neurons_in_closed_form():
    """With w = ±1 and b = 0, tanh(x) and tanh(-x) are dependent; with cos and sin, orthogonal."""
    theta = np.array([[np.pi, 0.0], [np.pi, np.pi / 2]])  # sin(πx), cos(πx) on (-1, 1)
    network = ln.Network(ln.Sine(), theta).placed_on(box(1))
    values = condition_numbers(network, box(1).gauss(20, order=5), Options())
    assert np.isclose(values["condition"], 1.0)
    assert np.isclose(values["true_condition"], 1.0)


def test_true_condition_sees_beyond_the_matrix():
    theta = neurons.random_box(16, 1, 1.0, rng=0)
    network = ln.Network(ln.Tanh(), theta).placed_on(box(1))
    values = condition_numbers(network, box(1).gauss(64, order=5), Options())
    assert 1e16 < values["condition"] < 1e21
    assert values["true_condition"] > 1e24


def test_table_8_lies_in_the_range():
    rows = table_8(neurons=(4, 8), seeds=20).series[0].rows
    for row in rows:
        assert row.spread["condition"][0] < row.paper["condition"] < row.spread["condition"][1]
        assert np.isclose(np.log10(row.condition), np.log10(row.true_condition), atol=0.2)


def test_table_9_says_where_the_paper_lies():
    result = table_9(neurons=(4, 8, 16), seeds=30)
    assert any("lies in the range over our seeds for n = " in note for note in result.notes)
    assert [s.label for s in result.series] == ["R = 0.35", "R = 1", "R = 2"]
    assert result.series[1].rows[0].paper is None


# ------------------------------------------------------------------ sentences


def test_sentences_on_equal_and_different_digits():
    paper = {"n": 10, "l2": 1e-3, "h1": 2e-2}
    rows = [
        Row(10, l2=1.0004e-3, h1=2.0004e-2, paper=paper),
        Row(11, l2=1.04e-3, h1=1.9e-2, paper=paper),
    ]
    text = " ".join(differences(rows))
    assert "n = 10: all digits" in text
    assert "at most 1.0400 times" in text
    assert "H¹ at n = 11: 0.950" in text
    assert "11 (10 in the paper)" in text


def test_sentences_on_random_neurons():
    rows = [
        Row(
            10,
            l2=1.2e-3,
            h1=1.9e-2,
            spread={"l2": [0.9e-3, 1.5e-3], "h1": [1.8e-2, 1.95e-2]},
            paper={"n": 10, "l2": 1e-3, "h1": 2e-2},
            extra={"seeds": 3},
        )
    ]
    text = " ".join(differences(rows))
    assert "between 0.95" in text
    assert "and 1.20" in text
    assert "1 of the paper's 2 numbers lie in the range" in text
