"""``linnet demo``: a problem in five dimensions and one with something to see, in half a minute."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linnet.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from linnet.solution import Solution

    Array = NDArray[np.float64]

# table 7: the 5D Neumann problem with Sobol neurons, {n: (L², H¹)}
PAPER = {
    98: (9.074e-01, 3.288e00),
    197: (5.577e-01, 2.414e00),
    397: (2.025e-01, 1.218e00),
    794: (7.349e-02, 5.689e-01),
}
POINTS_5D = 2**18  # Sobol points; the paper's 6·10⁶ differ by 0.1 % at most (n = 794)
MODES = (1, 2, 4)
SUFFIXES = (".png", ".svg", ".pdf")

Row = tuple[int, float, float]


def demo(
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="The picture to write.")
    ] = Path("linnet-demo.png"),
) -> None:
    """Solve a 5D and a 2D problem, show the errors beside the paper's, and draw a picture."""
    from linnet.cli.solve import writable

    if out.suffix not in SUFFIXES:
        raise ArgumentError("--out", str(out), "it is no picture", f"Use {', '.join(SUFFIXES)}")
    writable(out.parent)
    started = time.perf_counter()
    rows = neumann_5d()
    sol, exact, error = dirichlet_2d()
    picture(rows, sol, exact, error, out)
    print(f"\nPicture: {out}. {time.perf_counter() - started:.0f} s in all.")


def neumann_5d() -> list[Row]:
    """The first rows of the paper's table 7, by Galerkin's method."""
    import numpy as np

    import linnet as ln

    class Product:
        """∏ sin(πxᵢ/2), and its gradient."""

        def __call__(self, x: Array) -> Array:
            values: Array = np.prod(np.sin(np.pi * x / 2), axis=1)
            return values

        def gradient(self, x: Array) -> Array:
            s, c = np.sin(np.pi * x / 2), np.pi / 2 * np.cos(np.pi * x / 2)
            others = [np.prod(np.delete(s, i, axis=1), axis=1) for i in range(x.shape[1])]
            slopes: Array = c * np.stack(others, axis=1)
            return slopes

    box = ln.Box(-1, 1, dim=5)
    u, v, exact = ln.trial(box), ln.test(box), Product()
    weak = ln.WeakForm(
        ln.dot(ln.grad(u), ln.grad(v)) + u * v, load=lambda x: (1 + 5 * np.pi**2 / 4) * exact(x)
    )
    rule = box.sobol(POINTS_5D)
    print("−Δu + u = f on (−1, 1)⁵, zero Neumann data: ReLU³, Sobol neurons, Galerkin")
    print("    n          L²      paper          H¹      paper   seconds")
    rows = []
    for size, (n, (l2, h1)) in zip((100, 200, 400, 800), PAPER.items(), strict=True):
        started = time.perf_counter()
        network = ln.Network(ln.ReLU(3), ln.neurons.sobol_sphere(size, 5)).on(box)
        sol = ln.solve(weak, network, ln.Galerkin(rule), progress=ln.show_progress(f"n = {n}"))
        e = sol.error(exact, rule)
        seconds = time.perf_counter() - started
        print(f"{network.n:5d}   {e.l2:.3e}  {l2:.3e}   {e.h1:.3e}  {h1:.3e}   {seconds:7.1f}")
        rows.append((network.n, e.l2, e.h1 or 0.0))
    return rows


def dirichlet_2d() -> tuple[Solution, Callable[[Array], Array], float]:
    """The problem of the paper's figure 18, by collocation with sines: L² error 1e-12."""
    import numpy as np

    import linnet as ln

    def waves(x: Array, factor: Callable[[int], float]) -> Array:
        modes = [factor(m) * np.prod(np.sin(m * np.pi * x), axis=1) for m in MODES]
        return np.sum(modes, axis=0)  # type: ignore[no-any-return]

    def exact(x: Array) -> Array:
        return waves(x, lambda m: 1.0)

    box = ln.Box(-1, 1, dim=2)
    u = ln.trial(box)
    strong = ln.StrongForm(
        ln.Equation(
            -ln.laplacian(u) + u, lambda x: waves(x, lambda m: 1 + 2 * (m * np.pi) ** 2), on=box
        ),
        ln.Equation(u, 0.0, on=box.boundary),
    )
    network = ln.Network(ln.Sine(), ln.neurons.spiral(1000, radius=22))
    points = ln.Collocation(box.grid(100), box.boundary.grid(100), weights=(1, 1e4))
    print("\n−Δu + u = f on (−1, 1)², u = 0 on the boundary: sines on a spiral, collocation")
    sol = ln.solve(strong, network, points, progress=ln.show_progress("n = 1000"))
    error = sol.error(exact, box.gauss(50, order=5)).l2
    print(f"    n = 1000: L² error {error:.1e} in {sol.info.seconds:.1f} s (paper, tanh: 1e-09)")
    return sol, exact, error


def picture(
    rows: list[Row], sol: Solution, exact: Callable[[Array], Array], error: float, out: Path
) -> None:
    """Solution and error in 2D, and the errors in 5D beside the paper's."""
    os.environ.setdefault("MPLBACKEND", "Agg")  # no window, wherever this runs
    from linnet import plotting

    box = sol.network.domain
    assert box is not None
    with plotting.style():
        figure = plotting.figure(13.0, 4.0)
        first, second, third = figure.subplots(1, 3, width_ratios=[1, 1, 1.1])
        title = f"−Δu + u = f in the square\n1000 sines, {sol.info.seconds:.1f} s"
        plotting.draw_map(first, plotting.Field(sol, box, title, resolution=301))
        title = f"|u − uₙ|\n{error:.1e} in L²"
        miss = plotting.Field(lambda x: sol(x) - exact(x), box, title, log=True, resolution=301)
        plotting.draw_map(second, miss)
        n = [row[0] for row in rows]
        curves = {"L²": (n, [row[1] for row in rows]), "H¹": (n, [row[2] for row in rows])}
        paper = {"the paper": (n * 2, [PAPER[k][i] for i in range(2) for k in n])}
        plotting.draw_convergence(third, curves, paper=paper)
        third.set(xlabel="number of neurons n", ylabel="error")
        third.set_title("the same equation in five dimensions\nReLU³, Sobol neurons, Galerkin")
        figure.savefig(out)
    plotting.close(figure)
