"""What linnet does, in half a minute: the paper's 5D Neumann problem and a 2D Dirichlet problem."""

import time

import numpy as np

import linnet as ln

PAPER = {98: (9.074e-01, 3.288e00), 197: (5.577e-01, 2.414e00), 397: (2.025e-01, 1.218e00)}


def u(x: np.ndarray) -> np.ndarray:
    """∏ sin(πxᵢ/2), the paper's solution in every dimension."""
    return np.prod(np.sin(np.pi * x / 2), axis=1)


def neumann_5d() -> None:
    """Print the first rows of table 7: Sobol neurons, Galerkin's matrix form."""
    box = ln.Box(-1, 1, dim=5)
    w, v = ln.trial(box), ln.test(box)
    load = 1 + 5 * np.pi**2 / 4
    weak = ln.WeakForm(ln.dot(ln.grad(w), ln.grad(v)) + w * v, load=lambda x: load * u(x))
    rule = box.sobol(2**17)
    print("−Δu + u = f on (−1, 1)⁵, zero Neumann data, ReLU³, Sobol neurons (table 7)")
    print("     n      L²   paper      H¹   paper   seconds")
    for points in (100, 200, 400):
        start = time.perf_counter()
        network = ln.Network(ln.ReLU(3), ln.neurons.sobol_sphere(points, 5)).on(box)
        sol = ln.solve(weak, network, ln.Galerkin(rule), progress=ln.show_progress())
        error = sol.error(u, rule, gradient=...)
        l2, h1 = PAPER[network.n]
        seconds = time.perf_counter() - start
        print(f"{network.n:6d}  {error.l2:.4f}  {l2:.4f}  {error.h1:.4f}  {h1:.4f}  {seconds:8.1f}")


def dirichlet_2d() -> None:
    """Solve a 2D Dirichlet problem to eleven digits with a sine network."""
    box = ln.Box(-1, 1, dim=2)
    w, modes = ln.trial(box), (1, 2, 4)

    def exact(x: np.ndarray) -> np.ndarray:
        return sum(np.prod(np.sin(m * np.pi * x), axis=1) for m in modes)

    def f(x: np.ndarray) -> np.ndarray:
        return sum(
            (1 + 2 * m**2 * np.pi**2) * np.prod(np.sin(m * np.pi * x), axis=1) for m in modes
        )

    strong = ln.StrongForm(
        ln.Equation(-ln.laplacian(w) + w, f, on=box), ln.Equation(w, 0.0, on=box.boundary)
    )
    network = ln.Network(ln.Sine(), ln.neurons.spiral(1000, radius=22))
    points = ln.Collocation(box.grid(100), box.boundary.grid(100), weights=(1, 1e4))
    sol = ln.solve(strong, network, points)
    print("\n−Δu + u = f on (−1, 1)², u = 0 on the boundary, sines on a spiral (collocation)")
    print(sol.info)
    print(f"error in L²: {sol.error(exact, box.gauss(50, order=5)).l2:.1e}")


if __name__ == "__main__":
    neumann_5d()
    dirichlet_2d()
