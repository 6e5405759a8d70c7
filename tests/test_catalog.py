"""Every entry of the catalogue: its equations hold for its solution, by finite differences."""

import itertools
import math

import numpy as np
import pytest

import linnet as ln
from linnet import catalog
from linnet.data import data_values
from linnet.domains import Box, PeriodicPair
from linnet.rows.stream import terms_at


def weights(order, half=4):
    """Central finite-difference weights on −4, …, 4, exact for polynomials of degree 8."""
    nodes = np.arange(-half, half + 1.0)
    right = np.zeros(len(nodes))
    right[order] = math.factorial(order)
    return nodes, np.linalg.solve(np.vander(nodes, increasing=True).T, right)


def difference(u, x, alpha, h):
    """D^α u at the points x, from values of u alone."""
    stencils = [weights(m) if m else (np.zeros(1), np.ones(1)) for m in alpha]
    total = np.zeros(len(x))
    for steps in itertools.product(*[range(len(s[0])) for s in stencils]):
        shift = h * np.array([s[0][i] for s, i in zip(stencils, steps, strict=True)])
        factor = math.prod(s[1][i] for s, i in zip(stencils, steps, strict=True))
        total += factor * u(x + shift)
    return total / h ** sum(alpha)


def mismatch(equation, u, nodes):
    """The largest |Lu − f|, relative to the size of the terms of Lu."""
    h = 0.03 if equation.operator.order > 2 else 0.005
    left, size = np.zeros(len(nodes.points)), np.full(len(nodes.points), 1e-3)
    for alpha, c in terms_at(equation.operator.scalar, nodes).items():
        value = c * difference(u, nodes.points, alpha, h)
        if isinstance(equation.on, PeriodicPair):
            value = value - c * difference(u, nodes.points + equation.on.shift, alpha, h)
        left, size = left + value, size + np.abs(value)
    return float((np.abs(left - data_values(equation.data, nodes, 0, "data")[:, 0]) / size).max())


def nodes_of(part, jump):
    """Some points of a part; inside, away from the boundary and from a jump at x = 0."""
    nodes = part.sobol(64, scramble=True, rng=3).take(0, min(64, part.sobol(64).size))
    if not isinstance(part, Box):
        return nodes
    points = part.center + 0.8 * (nodes.points - part.center)
    if jump:
        points[:, 0] += 0.05 * np.sign(points[:, 0])
    return nodes._replace(points=points)


@pytest.mark.parametrize("name", catalog.names())
def test_the_equations_hold_for_the_solution(name):
    entry = catalog.get(name)
    problem = entry.problem()
    assert problem.exact is entry.exact
    for equation in problem.equations:
        nodes = nodes_of(equation.on, "jump" in entry.tags)
        assert mismatch(equation, entry.exact, nodes) < 1e-6, equation.operator


@pytest.mark.parametrize("name", catalog.names())
def test_the_gradient_is_that_of_the_solution(name):
    entry = catalog.get(name)
    x = nodes_of(entry.box, "jump" in entry.tags).points
    units = [tuple(int(i == axis) for i in range(entry.dim)) for axis in range(entry.dim)]
    expected = np.stack([difference(entry.exact, x, alpha, 0.005) for alpha in units], axis=1)
    size = np.abs(expected).max()
    np.testing.assert_allclose(entry.exact.gradient(x), expected, atol=1e-7 * size)


def test_a_wrong_equation_does_not_pass_that_test():
    entry = catalog.get("runge-2d")
    u = ln.trial(entry.box)
    right = entry.problem().equations[0]
    wrong = ln.Equation(-ln.laplacian(u) + 1e-4 * u, right.data, on=entry.box)
    assert mismatch(wrong, entry.exact, nodes_of(entry.box, False)) > 1e-6


def test_it_has_what_it_should():
    assert len(catalog.names()) >= 25
    assert {catalog.get(name).dim for name in catalog.names()} >= {1, 2, 3, 5, 6}
    for tag in ("smooth", "oscillatory", "layered", "singular", "jump", "corner", "helmholtz"):
        assert catalog.select(tags=tag), tag
    for entry in catalog.select():
        assert entry.name.endswith(f"-{entry.dim}d")
        assert entry.tags & {"smooth", "layered", "singular"}, entry


def test_selection_by_dimension_and_tags():
    assert [e.name for e in catalog.select(dim=2, tags="corner")] == ["corner-2d"]
    both = catalog.select(tags="smooth helmholtz")
    assert both == catalog.select(tags=["helmholtz", "smooth"])
    assert all({"smooth", "helmholtz"} <= e.tags for e in both)
    assert catalog.select(dim=7) == []


def test_refusals():
    with pytest.raises(ln.ArgumentError, match=r"no problem of this name.*Did you mean runge-2d"):
        catalog.get("runge2d")
    with pytest.raises(ln.ArgumentError, match="no problem of the catalogue has such a tag"):
        catalog.select(tags="smoth")


def test_it_is_a_submodule_of_linnet():
    assert ln.catalog is catalog
