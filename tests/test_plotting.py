"""Pictures: what they show is what was computed, and they can be read by everybody."""

import itertools

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")

import linnet as ln
from linnet import plotting
from linnet.plotting.neurons import _clipped
from linnet.plotting.style import COLOURS, LINES, MARKERS, VALUES


@pytest.fixture(autouse=True)
def closed():
    """Forget the figures of each test."""
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


def solution(dim, of=None):
    """A fit of a product of sines, which vanishes in the middle of the box."""
    box = ln.Box(-1, 1, dim=dim)
    network = ln.Network(ln.Tanh(), ln.neurons.sphere(60, dim, 2.0))
    return ln.fit(of or product, network, box.sobol(2000))


def product(x):
    return np.prod(np.sin(np.pi * x / 2), axis=1)


# ------------------------------------------------------------------------- solutions


def test_a_curve_is_the_solution():
    sol = solution(1)
    figure = plotting.plot(sol, exact=product, resolution=101)
    curve, circles = figure.axes[0].lines
    x, u = curve.get_data()
    np.testing.assert_array_equal(u, sol(x))
    s, exact = circles.get_data()
    np.testing.assert_array_equal(exact, product(s[:, None]))


def test_a_map_is_the_solution():
    sol = solution(2, lambda x: x[:, 0] + 0.1 * x[:, 1])
    axes = plotting.plot(sol, resolution=5).axes[0]
    shown = np.asarray(axes.collections[0].get_array()).reshape(5, 5)
    t = np.linspace(-1, 1, 5)
    x = np.stack(np.meshgrid(t, t), axis=-1).reshape(-1, 2)  # x runs along the rows of the picture
    np.testing.assert_allclose(shown.ravel(), sol(x), rtol=1e-13, atol=1e-15)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x", "y")


@pytest.mark.parametrize("dim", [3, 5])
def test_slices_pass_through_something_to_see(dim):
    """A product of sines vanishes on the middle planes; the slices shown do not."""
    sol = solution(dim)
    figure = plotting.plot(sol, resolution=21)
    largest = np.abs(sol(ln.Box(-1, 1, dim=dim).sobol(1000).points)).max()
    maps = [axes.collections[0] for axes in figure.axes if axes.get_xlabel() and axes.collections]
    assert len(maps) == (3 if dim == 3 else 2)
    for mesh in maps:
        assert np.abs(mesh.get_array()).max() >= largest * (1 - 1e-12)  # summed in another order


def test_slices_pass_through_the_given_point():
    sol = solution(3)
    axes = plotting.plot(sol, through=(0.1, 0.2, -0.3), resolution=11).axes[0]
    assert axes.get_title() == "z = -0.3"
    corner = np.asarray(axes.collections[0].get_array()).ravel()[0]
    assert corner == pytest.approx(sol([[-1, -1, -0.3]])[0], rel=1e-12)


def test_an_operator_of_the_solution_and_one_right_hand_side_of_several():
    sol = solution(1, lambda x: np.stack([np.sin(x[:, 0]), np.exp(x[:, 0])], axis=1))
    u = ln.trial(ln.Box(-1, 1))
    figure = plotting.plot(sol, ln.partial(u, 0), component=1, resolution=11)
    x, slope = figure.axes[0].lines[0].get_data()
    np.testing.assert_allclose(slope, np.exp(x), atol=1e-4)


def test_errors_are_on_a_logarithmic_scale():
    sol = solution(1)
    axes = plotting.plot_error(sol, product, resolution=51).axes[0]
    assert axes.get_yscale() == "log"
    x, error = axes.lines[0].get_data()
    np.testing.assert_allclose(error, np.abs(sol(x) - product(x[:, None])), rtol=1e-12)


def test_residuals_are_those_of_the_equation():
    box = ln.Box(-1, 1)
    u = ln.trial(box)
    problem = ln.StrongForm(
        ln.Equation(-ln.laplacian(u) + u, lambda x: x[:, 0], on=box),
        ln.Equation(u, 0.0, on=box.boundary),
    )
    network = ln.Network(ln.Tanh(), ln.neurons.sphere(12, 1, 3.0))
    sol = ln.solve(problem, network, ln.Collocation(box.grid(50), box.boundary.grid(50)))
    x, residual = plotting.plot_residual(sol, resolution=31).axes[0].lines[0].get_data()
    expected = np.abs(sol.apply(-ln.laplacian(u) + u, x) - x)
    np.testing.assert_allclose(residual, expected, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda sol: plotting.plot(sol, through=(0, 0, 3)), "no point of Box"),
        (lambda sol: plotting.plot(sol, through=(0, 0)), "Give 3 numbers"),
        (lambda sol: plotting.plot(sol, component=1), "the solution has 1"),
        (lambda sol: plotting.plot("u"), "it is no solution"),
        (lambda sol: plotting.plot_residual(sol), "residuals are those of equations"),
        (lambda sol: plotting.plot_kinks(sol.network), "one and two dimensions"),
        (lambda sol: plotting.plot_neurons(sol), "it is no network"),
        (lambda sol: plotting.plot_convergence({}), "nothing to draw"),
        (lambda sol: plotting.plot_convergence({"a": ([1, 2], [1, 0])}), "are positive"),
        (lambda sol: plotting.plot_convergence({"a": ([1, 2], [1])}), "the same length"),
        (lambda sol: plotting.plot_singular_values([1, -1]), "not negative"),
        (lambda sol: plotting.plot_singular_values([]), "list of finite numbers"),
    ],
)
def test_refusals(draw, message):
    with pytest.raises(ln.ArgumentError, match=message):
        draw(solution(3))


# ------------------------------------------------------------------------- neurons


def test_both_halves_of_the_sphere_show_every_neuron():
    theta = ln.neurons.fibonacci(100, radius=3.0)
    figure = plotting.plot_neurons(ln.Network(ln.Tanh(), theta))
    discs = [np.stack(axes.lines[1].get_data(), axis=1) for axes in figure.axes]
    assert sum(map(len, discs)) == 100
    # Lambert's projection keeps areas: inside radius r of the disc lie r² of a half's points
    for disc in discs:
        radius = np.linalg.norm(disc, axis=1)
        assert (radius <= 1 + 1e-12).all()
        assert np.mean(radius < 0.5) == pytest.approx(0.25, abs=0.03)


def test_the_circle_is_drawn_where_the_neurons_are_on_one():
    figure = plotting.plot_neurons(ln.Network(ln.ReLU(2), ln.neurons.circle(8)))
    circle, dots = figure.axes[0].lines
    assert len(circle.get_xdata()) > len(dots.get_xdata()) == 8


def test_frequencies_of_sine_networks_have_a_mark_for_each_phase():
    figure = plotting.plot_neurons(ln.Network(ln.Sine(), ln.neurons.spiral(40, 5.0)))
    assert [len(line.get_xdata()) for line in figure.axes[0].lines] == [20, 20]


def test_other_neurons_are_coloured_by_b():
    theta = ln.neurons.random_sphere(30, 4, rng=0)
    dots = plotting.plot_neurons(ln.Network(ln.Tanh(), theta)).axes[0].collections[0]
    np.testing.assert_array_equal(dots.get_array(), theta[:, -1])


def test_kinks_in_the_plane_lie_on_their_lines_and_end_on_the_square():
    theta = np.random.default_rng(0).standard_normal((200, 3))
    t = np.linspace(-1, 1, 401)
    square = np.stack(np.meshgrid(t, t), axis=-1).reshape(-1, 2)
    for row in theta:
        signs = np.sign(square @ row[:2] + row[2])
        piece = _clipped(row)
        if piece is None:  # the line misses the square: one sign
            assert len(set(signs)) == 1
            continue
        for end in piece:
            assert abs(end @ row[:2] + row[2]) < 1e-12 * np.abs(row).max()
            assert np.abs(end).max() == pytest.approx(1.0, abs=1e-12)


def test_kinks_follow_the_domain():
    """w = (1, 0), b = 1/2 bends at x̂ = −1/2, which is x = 1 on (0, 4)."""
    network = ln.Network(ln.ReLU(2), [[1.0, 0.0, 0.5]], ln.Box([0, -1], [4, 1]))
    (segment,) = plotting.plot_kinks(network).axes[0].collections[0].get_segments()
    np.testing.assert_allclose(sorted(segment.tolist()), [[1, -1], [1, 1]])
    interval = ln.Network(ln.ReLU(2), [[1.0, 0.5]], ln.Box(0, 4))
    (line,) = plotting.plot_kinks(interval).axes[0].collections[0].get_segments()
    np.testing.assert_allclose(line[:, 0], 1.0)


# ------------------------------------------------------------------------- curves


def test_fitted_slopes():
    n = np.array([10, 20, 40])
    assert plotting.fitted_slope(n, 3.0 * n**-2.25) == pytest.approx(-2.25, rel=1e-12)


def test_convergence_shows_the_points_the_slopes_and_the_paper():
    n = np.array([10.0, 100.0])
    curves = {"L²": (n, n**-2.0), "H¹": (n, n**-1.0)}
    figure = plotting.plot_convergence(curves, {"a": -2, "b": -1}, paper={"paper": (n, n**-2.0)})
    axes = figure.axes[0]
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["L² (slope -2.00)", "H¹ (slope -1.00)", "paper"]
    for line, slope in zip(axes.lines[3:], (-2, -1), strict=True):
        x, y = line.get_data()
        assert np.log(y[1] / y[0]) / np.log(x[1] / x[0]) == pytest.approx(slope, rel=1e-12)


def test_singular_values_are_relative_and_descend():
    axes = plotting.plot_singular_values({"rows": [2.0, 8.0, 4.0]}).axes[0]
    np.testing.assert_array_equal(axes.lines[0].get_ydata(), [1, 0.5, 0.25])


# ------------------------------------------------------------------------- for everybody


def test_curves_differ_without_their_colours():
    assert len(set(map(str, LINES))) == len(set(MARKERS)) == len(set(COLOURS)) == 7


def _lightness(colour):
    """CIE L* of an sRGB colour."""
    rgb = np.array(mpl.colors.to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    y = linear @ [0.2126, 0.7152, 0.0722]
    return 116 * np.cbrt(y) - 16 if y > 0.008856 else 903.3 * y


def _deuteranope(colour):
    """The colour as one without green cones sees it (Viénot, Brettel and Mollon 1999)."""
    r, g, b = np.array(mpl.colors.to_rgb(colour)) ** 2.2
    mixed = 0.2927 * r + 0.7073 * g
    return np.array([mixed, mixed, -0.0223 * r + 0.0223 * g + b])


def test_colours_are_told_apart_without_green_cones():
    for one, other in itertools.combinations(COLOURS[:4], 2):
        assert np.linalg.norm(_deuteranope(one) - _deuteranope(other)) > 0.1


def test_the_colour_map_prints_in_grey():
    """Lightness rises all the way."""
    levels = [_lightness(colour) for colour in mpl.colormaps[VALUES](np.linspace(0, 1, 64))[:, :3]]
    assert (np.diff(levels) > 0).all()
