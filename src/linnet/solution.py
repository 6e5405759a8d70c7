"""A solved network: a function with derivatives, errors, residuals, and a file of its own."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from types import EllipsisType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from linnet.activations import from_spec
from linnet.algebra import MultiIndex, Operator, Role
from linnet.arrays import real_array
from linnet.checkpoint import writable_path, write_atomically
from linnet.data import data_values
from linnet.domains import Box, PeriodicPair
from linnet.errors import ArgumentError, FileFormatError
from linnet.fold import map_blocks
from linnet.info import Info
from linnet.measure import Errors, GradientLike, measure
from linnet.network import Network
from linnet.problem import Problem, StrongForm, check_components
from linnet.rows.stream import BLOCK, check_rules, rule_for, terms_at
from linnet.rules import Nodes, Rule

Array = NDArray[np.float64]
PointFunction = Callable[[Array], NDArray[np.generic]]

_FORMAT, _VERSION = "linnet solution", 1


class Solution:
    """u(x) = Σ_j a_j σ(w_j·x + b_j).

    Attributes
    ----------
    network : Network
        The hidden layer.
    a : ndarray, shape (n,) or (n, s)
        Output weights, one column a right-hand side where there are several.
    info : Info
        Rank, condition, residual, time, memory, and what was chosen.
    problem : StrongForm or WeakForm or None
        What was solved; not kept by :meth:`save` and pickling.
    factor : System or Factor or None
        The assembled system or the R factor, for diagnostics; not kept either.
    """

    def __init__(
        self,
        network: Network,
        a: ArrayLike,
        info: Info,
        problem: Problem | None = None,
        factor: Any = None,
    ) -> None:
        self.network, self.a, self.info = network, np.asarray(a, dtype=np.float64), info
        self.problem, self.factor = problem, factor

    @property
    def dim(self) -> int:
        """Dimension of the points."""
        return self.network.dim

    # ------------------------------------------------------------------ values

    def __call__(self, x: ArrayLike) -> Array:
        """Values u(x).

        Parameters
        ----------
        x : array_like, shape (m, d)

        Returns
        -------
        ndarray, shape (m,), or (m, s) for s right-hand sides
        """
        return self.derivatives(x, [(0,) * self.dim])[0]

    def gradient(self, x: ArrayLike) -> Array:
        """The gradient.

        Parameters
        ----------
        x : array_like, shape (m, d)

        Returns
        -------
        ndarray, shape (m, d), or (m, d, s) for s right-hand sides
        """
        return np.stack(self.derivatives(x, self._units()), axis=1)

    def value_and_gradient(self, x: ArrayLike) -> tuple[Array, Array]:
        """Values and gradient in one pass over the neurons."""
        values, *slopes = self.derivatives(x, [(0,) * self.dim, *self._units()])
        return values, np.stack(slopes, axis=1)

    def _units(self) -> list[MultiIndex]:
        return [tuple(int(i == axis) for i in range(self.dim)) for axis in range(self.dim)]

    def apply(self, operator: Operator, x: ArrayLike, normals: ArrayLike | None = None) -> Array:
        """Values of (Lu)(x) for a linear operator.

        Parameters
        ----------
        operator : Operator
            On the trial function, such as ``-laplacian(u) + u``.
        x : array_like, shape (m, d)
        normals : array_like, shape (m, d), optional
            For operators with the outward normal.

        Returns
        -------
        ndarray, shape (m,), or (m, s)
        """
        if (
            not isinstance(operator, Operator)
            or operator.dim != self.dim
            or operator.role is not Role.TRIAL
        ):
            raise ArgumentError(
                "operator",
                operator,
                f"it is no operator on a trial function in dimension {self.dim}",
                "Write it with u = trial(box) on the solution's domain",
            )
        check_components(operator.terms)
        points = self._points(x)
        n = None if normals is None else real_array(normals, "normals", "Give a vector a row")
        if n is not None and n.shape != points.shape:
            raise ArgumentError(
                "normals", n.shape, f"for points of shape {points.shape}", "Give one for each point"
            )
        terms = terms_at(operator.scalar, Nodes(points, np.ones(len(points)), n))
        values = self.derivatives(points, list(terms))
        total = np.zeros((len(points), *self.a.shape[1:]))
        for c, value in zip(terms.values(), values, strict=True):
            total += value * (c if np.ndim(c) == 0 or self.a.ndim == 1 else np.asarray(c)[:, None])
        return total

    def derivatives(
        self, x: ArrayLike, alphas: Sequence[MultiIndex], workers: int | None = None
    ) -> list[Array]:
        """D^α u(x) for several multi-indices in one pass, block by block and threaded.

        Parameters
        ----------
        x : array_like, shape (m, d)
        alphas : sequence of multi-indices
        workers : int, optional
            Threads; all cores by default.

        Returns
        -------
        list of ndarray, each of shape (m,) or (m, s)
        """
        points = self._points(x)
        a = self.a.reshape(len(self.a), -1)
        out = [np.empty((len(points), a.shape[1])) for _ in alphas]
        unique = list(dict.fromkeys(alphas))
        if any(len(alpha) != self.dim or min(alpha) < 0 for alpha in unique):
            raise ArgumentError(
                "alphas", unique, "they are no multi-indices", f"Give tuples of {self.dim} orders"
            )

        def fill(k: int) -> None:
            rows = slice(k * BLOCK, (k + 1) * BLOCK)
            values = self.network.combine(points[rows], a, unique)
            for target, alpha in zip(out, alphas, strict=True):
                target[rows] = values[alpha]

        map_blocks(fill, -(-len(points) // BLOCK), workers)
        return [values.reshape(len(points), *self.a.shape[1:]) for values in out]

    def _points(self, x: ArrayLike) -> Array:
        points = real_array(x, "x", "Give points, one a row")
        if points.ndim == 1 and self.dim == 1:
            points = points[:, None]
        if points.ndim != 2 or points.shape[1] != self.dim:
            raise ArgumentError(
                "x",
                points.shape,
                f"points for this solution have the shape (m, {self.dim})",
                "Give one point a row",
            )
        return points

    # ------------------------------------------------------------------ how good it is

    def error(
        self,
        u: PointFunction | Solution,
        rule: Rule,
        gradient: GradientLike | EllipsisType | None = None,
    ) -> Errors:
        """L², H¹ and maximum errors against a known function or another solution.

        Parameters
        ----------
        u : callable or Solution
            From points (m, d) to values (m,).
        rule : Rule
            Quadrature rule for the norms; the maximum is over its points.
        gradient : callable, optional
            ∇u, from points (m, d) to values (m, d), for the H¹ seminorm; ``...`` takes it from `u`
            by differences (to about 1e-10 of u's size). Another solution brings its own.
        """
        return measure(self, u, rule, gradient)

    def residual(self, *rules: Rule) -> list[float]:
        """Root mean square of each equation's residual on fresh points.

        Parameters
        ----------
        *rules : Rule
            Points for each part; Sobol points, scrambled with a seed of their own, by default.

        Returns
        -------
        list of float
            One for each equation of the strong form, relative to the root mean square of its
            data where they are not zero (the largest, for several right-hand sides).
        """
        if not isinstance(self.problem, StrongForm):
            raise ArgumentError(
                "problem",
                type(self.problem).__name__,
                "residuals are those of equations; a weak form, a loaded or a pickled solution "
                "has none",
                "Use sol.apply(operator, x) with the operator in question",
            )
        box = self.problem.domain
        if rules:
            check_rules(rules)
        fresh = rules or tuple(
            part.sobol(4096, scramble=True, rng=20111) for part in (box, box.boundary)
        )
        result = []
        for i, equation in enumerate(self.problem.equations, 1):
            rule = rule_for(equation.on, fresh, f"equation {i}")
            nodes = rule.take(0, rule.size)
            left = self.apply(equation.operator, nodes.points, nodes.normals)
            if isinstance(equation.on, PeriodicPair):
                shifted = nodes.points + equation.on.shift
                left = left - self.apply(equation.operator, shifted, nodes.normals)
            data = data_values(equation.data, nodes, 0, "data")
            square = ((left.reshape(len(data), -1) - data) ** 2).mean(axis=0)
            size = (np.broadcast_to(data, left.reshape(len(data), -1).shape) ** 2).mean(axis=0)
            result.append(float(np.sqrt(square / np.where(size > 0, size, 1.0)).max()))
        return result

    def plot(self, of: Operator | None = None, **options: Any) -> Any:
        """A picture of u: a curve, a map, or slices through the box; see `linnet.plotting.plot`.

        Parameters
        ----------
        of : Operator, optional
            Draw (Lu)(x) instead of u.
        **options
            Those of :func:`linnet.plotting.plot`: ``exact``, ``through``, ``component``,
            ``resolution``.

        Returns
        -------
        matplotlib.figure.Figure
        """
        from linnet.plotting import plot  # matplotlib is heavy

        return plot(self, of, **options)

    # ------------------------------------------------------------------ files and processes

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "problem": None, "factor": None}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the solution to one ``.npz`` file, without pickle."""
        if self.network.domain is None:
            bounds = np.empty((2, 0))
        else:
            bounds = np.stack([self.network.domain.lower, self.network.domain.upper])
        header = {
            "format": _FORMAT,
            "version": _VERSION,
            "activation": self.network.activation.spec(),
            "info": json.loads(self.info.to_json()),
        }
        write_atomically(
            writable_path("path", path),
            {
                "header": np.array(json.dumps(header)),
                "theta": self.network.theta,
                "bounds": bounds,
                "a": self.a,
            },
        )

    def __repr__(self) -> str:
        where = self.network.domain
        return f"<Solution of {self.network.n} neurons {self.network.activation} on {where}>"


def load(path: str | os.PathLike[str]) -> Solution:
    """Read a solution that :meth:`Solution.save` wrote."""

    def refuse(reason: str, cause: Exception | None = None) -> FileFormatError:
        error = FileFormatError("path", str(path), reason, "Give a file that Solution.save wrote")
        error.__cause__ = cause
        return error

    if not isinstance(path, str | os.PathLike):
        raise refuse("it is no path")
    try:
        with open(path, "rb") as raw, np.load(raw, allow_pickle=False) as file:
            arrays = {name: file[name] for name in ("header", "theta", "bounds", "a")}
        header = json.loads(str(arrays["header"]))
    except FileNotFoundError as error:
        raise refuse("there is no such file", error) from error
    except Exception as error:  # zipfile and NumPy raise a dozen kinds at damaged bytes
        raise refuse("it is damaged or no linnet solution", error) from error
    if not isinstance(header, dict) or header.get("format") != _FORMAT:
        raise refuse("it is no linnet solution")
    if header.get("version") != _VERSION:
        raise refuse(
            f"it has the version {header.get('version')}, and this linnet reads {_VERSION}"
        )
    try:
        bounds = arrays["bounds"]
        domain = Box(bounds[0], bounds[1]) if bounds.size else None
        network = Network(from_spec(header["activation"]), arrays["theta"], domain)
        a = arrays["a"]
        if a.ndim not in (1, 2) or len(a) != network.n or not np.isfinite(a).all():
            raise refuse("its output weights do not fit its neurons")
        return Solution(network, a, Info.from_json(json.dumps(header["info"])))
    except FileFormatError:
        raise
    except (ArgumentError, KeyError, TypeError, IndexError, ValueError) as error:
        raise refuse("it is damaged", error) from error
