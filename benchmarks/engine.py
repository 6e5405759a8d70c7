"""The engine's speed, as ratios within one run: ``python benchmarks/engine.py [--json] [--quick]``.

gram_efficiency   flops of a Galerkin assembly per second over the machine's own dgemm rate
tall_speedup      Auto against features + scipy.linalg.lstsq, 200 000 × 1000
square_speedup    regularised QR against gelsd, 10 396 × 3200
evaluate          values and gradients against the plain NumPy expressions

Every time is the best of a few; both sides of a ratio are measured in turn.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.linalg

import linnet as ln
from linnet.fold import fold
from linnet.reduce import Gram


def main() -> None:
    """Run the benchmarks that were asked for and print them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help="a tenth of the size, to try it out")
    parser.add_argument("names", nargs="*", choices=[[], *BENCHMARKS], help="which ones")
    arguments = parser.parse_args()
    results = {}
    for name in arguments.names or BENCHMARKS:
        results[name] = BENCHMARKS[name](10 if arguments.quick else 1)
        if not arguments.json:
            print(name, *(f"{k} = {v:.4g}" for k, v in results[name].items()), sep="\n  ")
    if arguments.json:
        print(json.dumps(results, indent=2))


def u(x: np.ndarray) -> np.ndarray:
    """The paper's target, ∏ sin(πxᵢ/2)."""
    return np.prod(np.sin(np.pi * x / 2), axis=1)


def best(run: Callable[[], Any], times: int = 2) -> tuple[float, Any]:
    """The shortest time of a few runs, and the last result."""
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        result = run()
        seconds.append(time.perf_counter() - start)
    return min(seconds), result


def dgemm_rate(n: int = 4000) -> float:
    """Flops per second of a square matrix product, all threads."""
    A = np.random.default_rng(0).standard_normal((n, n))
    return 2 * n**3 / best(lambda: A @ A, 3)[0]


def gram_efficiency(shrink: int) -> dict[str, float]:
    """2·N·n² flops for the Neumann form, features included, over the dgemm rate."""
    N, n = 400_000 // shrink, 1600
    box = ln.Box(-1, 1, dim=3)
    w, v = ln.trial(box), ln.test(box)
    weak = ln.WeakForm(
        ln.dot(ln.grad(w), ln.grad(v)) + w * v, load=lambda x: (1 + 3 * np.pi**2 / 4) * u(x)
    )
    network = ln.Network(ln.ReLU(3), ln.neurons.sobol_sphere(n, 3))
    rows = ln.Galerkin(box.sobol(N)).rows(weak, network)
    before = dgemm_rate()
    seconds, _ = best(lambda: fold(rows, lambda: Gram(rows)))
    rate, dgemm = 2 * N * n**2 / seconds, max(before, dgemm_rate())
    return {
        "ratio": rate / dgemm,
        "seconds": seconds,
        "gigaflops": rate / 1e9,
        "dgemm": dgemm / 1e9,
    }


def tall_network(deficient: bool) -> ln.Network:
    """1000 ReLU² neurons in 3D: of moderate condition, or with dead and redundant ones left in."""
    if deficient:
        return ln.Network(ln.ReLU(2), ln.neurons.sobol_sphere(1000, 3))
    theta = ln.neurons.sobol_sphere(2000, 3)
    crossing = np.abs(theta[:, 3]) < 0.8 * np.abs(theta[:, :3]).sum(axis=1)  # the box [−0.8, 0.8]³
    return ln.Network(ln.ReLU(2), theta[crossing][:1000])


def tall_speedup(shrink: int) -> dict[str, float]:
    """Auto, features included, against features and gelsd; peak memory in a process of its own."""
    out = {}
    rule = ln.Box(-1, 1, dim=3).sobol(200_000 // shrink)
    for label, network in (("", tall_network(False)), ("deficient_", tall_network(True))):
        seconds, sol = best(lambda network=network: ln.fit(u, network, rule))

        def reference(theta: np.ndarray = network.theta) -> tuple[np.ndarray, np.ndarray]:
            x = rule.points
            Phi = np.maximum(x @ theta[:, :3].T + theta[:, 3], 0.0) ** 2
            return Phi, scipy.linalg.lstsq(Phi, u(x))[0]

        slow, (Phi, a) = best(reference, 1)
        mine, theirs = (np.linalg.norm(Phi @ c - u(rule.points)) for c in (sol.a, a))
        del Phi
        out |= {
            f"{label}ratio": slow / seconds,
            f"{label}seconds": seconds,
            f"{label}lstsq_seconds": slow,
            f"{label}residual_over_lstsq_minus_1": mine / theirs - 1,
            f"{label}condition": sol.info.condition,
            f"{label}memory_over_matrix": _memory(label, shrink) / (8 * rule.size * network.n),
        }
    return out


def _memory(label: str, shrink: int) -> float:
    """Peak memory of the fit alone, beyond the interpreter's own, in a fresh process."""
    code = (
        "import sys; sys.path.insert(0, 'benchmarks'); import engine, linnet as ln; "
        f"r = ln.Box(-1, 1, dim=3).sobol({200_000 // shrink}); "
        f"n = engine.tall_network({bool(label)}); ln.fit(engine.u, n, r.part.sobol(2000)); "
        "print(ln.fit(engine.u, n, r).info.peak_memory)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    return float(done.stdout)


def square_speedup(shrink: int) -> dict[str, float]:
    """Regularised QR against gelsd on the 2D Dirichlet problem with tanh, r = 4."""
    n = 3200 // min(shrink, 4)
    box = ln.Box(-1, 1, dim=2)
    w, modes = ln.trial(box), (1, 2, 4)

    def exact(x: np.ndarray) -> np.ndarray:
        return sum(np.prod(np.sin(m * np.pi * x), axis=1) for m in modes)

    def f(x: np.ndarray) -> np.ndarray:
        return sum(
            (1 + 2 * m**2 * np.pi**2) * np.prod(np.sin(m * np.pi * x), axis=1) for m in modes
        )

    strong = ln.StrongForm(
        ln.Equation(-ln.laplacian(w) + w, f, on=box), ln.Equation(w, exact, on=box.boundary)
    )
    network = ln.Network(ln.Tanh(), ln.neurons.fibonacci(n, radius=4))
    points = ln.Collocation(box.grid(100), box.boundary.grid(100), weights=(1, 1e4))
    seconds, sol = best(lambda: ln.solve(strong, network, points, ln.RegularizedQR()))

    def reference() -> np.ndarray:
        A = ln.matrix(strong, network, points)
        y = np.concatenate([f(box.grid(100).points), 100 * exact(box.boundary.grid(100).points)])
        return scipy.linalg.lstsq(A, y)[0]

    slow, a = best(reference, 1)
    rule = box.gauss(50, order=5)
    return {
        "ratio": slow / seconds,
        "seconds": seconds,
        "gelsd_seconds": slow,
        "error": sol.error(exact, rule).l2,
        "gelsd_error": ln.Solution(sol.network, a, sol.info).error(exact, rule).l2,
    }


def evaluate(shrink: int) -> dict[str, float]:
    """Nanoseconds per point and neuron for values and gradients, against plain NumPy."""
    n, N, rng = 1000, 100_000 // shrink, np.random.default_rng(0)
    box = ln.Box(-1, 1, dim=3)
    x, a = box.sobol(N).points, rng.standard_normal(n)
    out = {}
    for activation, sigma, slope in (
        (ln.Tanh(), np.tanh, lambda z: 1 - np.tanh(z) ** 2),
        (ln.ReLU(3), lambda z: np.maximum(z, 0) ** 3, lambda z: 3 * np.maximum(z, 0) ** 2),
    ):
        network = ln.Network(activation, ln.neurons.sobol_sphere(n, 3, radius=2))
        W, b = network.theta[:, :3], network.theta[:, 3]
        info = ln.fit(u, ln.Network(ln.Tanh(), ln.neurons.circle(4)), ln.Box(-1, 1).grid(9)).info
        sol = ln.Solution(network, a, info)
        for what, mine, plain in (
            ("values", lambda s=sol: s(x), lambda f=sigma, W=W, b=b: f(x @ W.T + b) @ a),
            (
                "gradient",
                lambda s=sol: s.gradient(x),
                lambda f=slope, W=W, b=b: (f(x @ W.T + b) * a) @ W,
            ),
        ):
            (fast, first), (slow, second) = best(mine, 3), best(plain, 3)
            assert np.allclose(first, second, rtol=1e-9, atol=1e-9)
            name = f"{type(activation).__name__.lower()}_{what}"
            out |= {f"{name}_ns": fast / n / N * 1e9, f"{name}_ratio": slow / fast}
    return out | {"ratio": min(v for k, v in out.items() if k.endswith("_ratio"))}


BENCHMARKS = {
    "gram_efficiency": gram_efficiency,
    "tall_speedup": tall_speedup,
    "square_speedup": square_speedup,
    "evaluate": evaluate,
}

if __name__ == "__main__":
    main()
