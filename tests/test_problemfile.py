"""Problem files: what they mean, and what is said where they mean nothing."""

import numpy as np

import linnet as ln
from linnet.problemfile import solve_problem

EQUATION = 'equation = "-laplacian(u) + u = 1"\n'
DOMAIN = "[domain]\nbox = [[-1, 1], [-1, 1]]\n"
ZERO = '[boundary]\nall = "u = 0"\n'
GOOD = EQUATION + DOMAIN + ZERO


# ------------------------------------------------------------------------- what files mean


def rows(problem):
    """The rows [A │ y] of a problem at fixed points, by equation."""
    box = problem.domain
    network = ln.Network(ln.Tanh(), ln.neurons.sphere(20, box.dim, 2.0))
    formulation = ln.Collocation(box.sobol(64), box.boundary.sobol(64))
    stream = formulation.rows(problem, network)
    from linnet.reduce import Workspace

    return np.vstack([stream.block(k, Workspace()).copy() for k in range(stream.blocks)])


def test_a_file_states_what_python_states(read):
    """Variable coefficients, convection, Dirichlet, Robin: the same rows to the last bits."""
    stated = read("""
        equation = "-div((1 + x^2) * grad(u)) + y * dx(u) = exp(x) * sin(pi*y)"
        [domain]
        box = [[0, 2], [-1, "2*pi"]]
        [boundary]
        left = "u = 0"
        right = "dn(u) + 2*u = 1"
        "top, bottom" = "u - x*y = 0"
    """).stated.problem
    box = ln.Box([0, -1], [2, 2 * np.pi])
    u = ln.trial(box)
    a = ln.Coefficient(
        lambda x: 1 + x[:, 0] ** 2, grad=lambda x: np.stack([2 * x[:, 0], 0 * x[:, 0]], axis=1)
    )
    y = ln.Coefficient(lambda x: x[:, 1])
    by_hand = ln.StrongForm(
        ln.Equation(
            -ln.div(a * ln.grad(u)) + y * ln.partial(u, 0),
            lambda x: np.exp(x[:, 0]) * np.sin(np.pi * x[:, 1]),
            on=box,
        ),
        ln.Equation(u, 0.0, on=box.face("left")),
        ln.Equation(ln.normal_derivative(u) + 2 * u, 1.0, on=box.face("right")),
        ln.Equation(u, lambda x: x[:, 0] * x[:, 1], on=box.face("top", "bottom")),
    )
    np.testing.assert_allclose(rows(stated), rows(by_hand), rtol=1e-13, atol=1e-13)


def test_missing_data_come_from_the_exact_solution(read):
    """f = -Δu + u, ∂u/∂n + 2u on the right, u below, for u = x²y: by hand."""
    file = read("""
        equation = "-laplacian(u) + u = f"
        exact = "x^2*y"
        [domain]
        box = [[0, 1], [0, 1]]
        [boundary]
        right = "dn(u) + 2*u"
        others = "u = g"
    """)
    x = np.array([[0.3, 0.5], [0.9, 0.1]])
    s, t = x.T
    inside, right, others = file.stated.problem.equations
    np.testing.assert_allclose(inside.data(x), -2 * t + s**2 * t, rtol=1e-15)
    normals = np.tile([1.0, 0.0], (2, 1))
    np.testing.assert_allclose(right.data(x, normals), 2 * s * t + 2 * s**2 * t, rtol=1e-15)
    np.testing.assert_allclose(others.data(x), s**2 * t, rtol=1e-15)
    assert others.on.names == ("left", "bottom", "top")
    assert [remark.split(" was")[0] for remark in file.remarks] == [
        "the right-hand side 'f'",
        "the data on right",
        "the data on left, bottom, top 'g'",
    ]


def test_an_exact_solution_that_does_not_fit_is_reported(read):
    text = GOOD.replace(EQUATION, 'equation = "-laplacian(u) = 3"\nexact = "x^2 + y^2"\n')
    remarks = read(text).remarks
    assert [r for r in remarks if "does not satisfy the equation" in r]
    assert [r for r in remarks if "does not satisfy condition 1 on the boundary" in r]


def test_an_exact_solution_that_fits_up_to_roundoff_is_not_reported(read):
    text = EQUATION.replace("= 1", "= f") + 'exact = "sin(pi*x)*sin(pi*y)"\n' + DOMAIN + ZERO
    assert read(text).remarks == ["the right-hand side 'f' was derived from the exact solution"]


def test_periodic_faces_and_free_faces(read):
    """The heat equation in space and time: order 2 along x, so u and u_x agree."""
    problem = read("""
        equation = "dt(u) - dxx(u) = 0"
        [domain]
        box = [[0, "2*pi"], [0, 1]]
        coordinates = ["x", "t"]
        [boundary]
        "left, right" = "periodic"
        bottom = "u = sin(x)"
        top = "free"
    """).stated.problem
    box = ln.Box([0, 0], [2 * np.pi, 1])
    u = ln.trial(box)
    by_hand = ln.StrongForm(
        ln.Equation(ln.partial(u, 1) - ln.partial(u, 0, 0), 0.0, on=box),
        *ln.periodic(u, 0),
        ln.Equation(u, lambda x: np.sin(x[:, 0]), on=box.face("bottom")),
    )
    np.testing.assert_allclose(rows(problem), rows(by_hand), rtol=1e-13, atol=1e-13)


def test_two_conditions_in_a_list(read):
    text = 'equation = "laplacian(laplacian(u)) = 1"\n' + DOMAIN
    problem = read(text + '[boundary]\nall = ["u = 0", "dn(u) = 0"]\n').stated.problem
    assert [e.operator.order for e in problem.equations] == [4, 0, 1]


def test_a_weak_form_gives_the_papers_digits(read):
    """Table 1, n = 165: 8.224e-05 and 1.905e-03."""
    file = read("""
        weak = "dot(grad(u), grad(v)) + u*v = (1 + pi^2/2)*exact*v"
        exact = "sin(pi*x/2)*sin(pi*y/2)"
        [domain]
        box = [-1, 1]
        dim = 2
        [network]
        activation = "relu"
        power = 3
        scheme = "sphere"
        neurons = 200
        [points]
        rule = "gauss"
        n = 100
    """)
    assert isinstance(file.method.formulation, ln.Galerkin)
    sol = solve_problem(file)
    assert sol.network.n == 165
    error = sol.error(file.stated.exact, file.stated.problem.domain.gauss(100, 3))
    assert f"{error.l2:.3e} {error.h1:.3e}" == "8.224e-05 1.905e-03"


def test_boundary_terms_of_a_weak_form(read):
    """Robin: ∫∇u·∇v + ∫_right 2uv = ∫_right v."""
    problem = read(
        'weak = "dot(grad(u), grad(v)) + u*v = 0"\n' + DOMAIN + '[boundary]\nright = "2*u*v = v"\n'
    ).stated.problem
    box = ln.Box(-1, 1, dim=2)
    u, v = ln.trial(box), ln.test(box)
    robin = ln.Integral(2 * u * v, v, on=box.face("right"))
    by_hand = ln.WeakForm(ln.dot(ln.grad(u), ln.grad(v)) + u * v, robin)
    network = ln.Network(ln.Tanh(), ln.neurons.sphere(10, 2, 2.0))
    galerkin = ln.Galerkin(box.gauss(5, 3), box.boundary.gauss(5, 3))
    given, expected = (ln.solve(p, network, galerkin) for p in (problem, by_hand))
    np.testing.assert_allclose(given.factor.A, expected.factor.A, rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(given.factor.b, expected.factor.b, rtol=1e-13, atol=1e-14)


def test_measurements_are_an_equation(read, tmp_path):
    (tmp_path / "data.csv").write_text("x,y,u\n0,0,1\n0.5,-0.5,2\n")
    equation = read(GOOD + '[measurements]\nfile = "data.csv"\n').stated.problem.equations[-1]
    np.testing.assert_array_equal(equation.data, [1, 2])
    np.testing.assert_array_equal(equation.on.points, [[0, 0], [0.5, -0.5]])


def test_network_points_and_solver(read):
    method = read(
        GOOD
        + """
        [network]
        activation = "tanh"
        neurons = [5, 4]
        scheme = "petrushev"
        radius = [2, "pi"]
        [points]
        rule = "sobol"
        n = 300
        boundary = 77
        [formulation]
        boundary_weight = 1e3
        [solver]
        kind = "qr"
        mu = 1e-12
        workers = 1
        """
    ).method
    theta = ln.neurons.petrushev(5, 4, 2, 2.0, np.pi)
    expected = ln.Network(ln.Tanh(), theta).on(ln.Box(-1, 1, dim=2))
    np.testing.assert_array_equal(method.network.theta, expected.theta)
    assert [rule.size for rule in method.formulation.rules] == [300, 77]
    assert method.formulation.weights == [1.0, 1e3]
    assert method.solver == ln.RegularizedQR(1e-12)
    assert method.workers == 1


def test_a_function_is_approximated_without_a_boundary(read):
    problem = read('equation = "u = exp(x)"\n[domain]\nbox = [0, 1]\n').stated.problem
    assert len(problem.equations) == 1
    assert problem.domain == ln.Box(0, 1)
