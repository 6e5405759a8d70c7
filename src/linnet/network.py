"""A linearized network's hidden layer: φ_j(x) = σ(w_j·x + b_j), and the one formula for it.

With a linear operator L = Σ_α c_α(x) D^α,

    (Lφ_j)(x) = Σ_m σ⁽ᵐ⁾(z_j) p_m(x, w_j),  p_m(x, w) = Σ_{|α|=m} c_α(x) w^α,  z_j = w_j·x + b_j,

so that an operator costs one pass per order of differentiation, not one per derivative.
Everything works on pieces of a few neurons times all points of a block, small enough for a core's
own cache; the arrays are (neurons, points) in C order, which is (points, neurons) in Fortran order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from linnet.activations import Activation
from linnet.algebra import MultiIndex
from linnet.arrays import real_array
from linnet.domains import Box
from linnet.errors import ArgumentError
from linnet.redundancy import independent_neurons

Array = NDArray[np.float64]
Terms = Mapping[MultiIndex, float | Array]  # {α: c_α}, a number or its values at the points (m,)

_PIECE = 32768  # numbers in a piece: 256 kB, so that a few of them fit in the second-level cache


@dataclass(frozen=True, eq=False)
class Network:
    """Neurons σ(w·x̂ + b) on fixed hidden parameters.

    Parameters
    ----------
    activation : Activation
        σ, such as ``ReLU(3)`` or ``Tanh()``.
    theta : array_like, shape (n, d + 1)
        Hidden parameters θ_j = (w_j, b_j), b last, as ``linnet.neurons`` makes them. They live in
        reference coordinates x̂ ∈ [−1, 1]^d, whatever the domain is.
    domain : Box, optional
        The domain that the network has been placed on: x̂ = (x − center) / halfwidth. Set by
        :meth:`on` and :meth:`placed_on`; a network that is not placed takes x̂ = x.
    """

    activation: Activation
    theta: Array
    domain: Box | None = None
    frequencies: Array = field(init=False, repr=False)

    def __init__(self, activation: Activation, theta: ArrayLike, domain: Box | None = None) -> None:
        if not isinstance(activation, Activation):
            raise ArgumentError(
                "activation",
                activation,
                "it is no activation",
                "Give an object such as ReLU(2) or Tanh()",
            )
        remedy = "Take a point set from linnet.neurons"
        parameters = np.array(real_array(theta, "theta", remedy), order="C")
        if parameters.ndim != 2 or parameters.shape[1] < 2:
            raise ArgumentError(
                "theta",
                parameters.shape,
                "hidden parameters form an array of shape (n, d + 1), one row (w, b) a neuron",
                "Take a point set from linnet.neurons",
            )
        if len(parameters) == 0:
            raise ArgumentError(
                "theta", parameters.shape, "there are no neurons", "Give at least one"
            )
        if not np.isfinite(parameters).all():
            raise ArgumentError("theta", parameters, "it has NaN or infinity in it", "Remove them")
        if domain is not None and domain.dim != parameters.shape[1] - 1:
            raise ArgumentError(
                "theta",
                parameters.shape,
                f"on a domain of dimension {domain.dim} a neuron has {domain.dim + 1} numbers",
                f"Make the neurons for dim={domain.dim}",
            )
        parameters.setflags(write=False)
        scale = np.ones(parameters.shape[1] - 1) if domain is None else domain.halfwidth
        frequencies = parameters[:, :-1] / scale
        frequencies.setflags(write=False)
        for name, value in (
            ("activation", activation),
            ("theta", parameters),
            ("domain", domain),
            ("frequencies", frequencies),
        ):
            object.__setattr__(self, name, value)

    @property
    def n(self) -> int:
        """Number of neurons."""
        return int(self.theta.shape[0])

    @property
    def dim(self) -> int:
        """Dimension d of the points."""
        return int(self.theta.shape[1]) - 1

    def __len__(self) -> int:
        return self.n

    def placed_on(self, domain: Box) -> Network:
        """The same neurons in the reference coordinates of `domain`; nothing is removed."""
        if not isinstance(domain, Box):
            raise ArgumentError(
                "domain", domain, "a network is placed on a box", "Give a Box, such as Box(-1, 1)"
            )
        if self.domain == domain:
            return self
        if self.domain is not None:
            raise ArgumentError(
                "domain",
                domain,
                f"the network has been placed on {self.domain} already",
                "Make a new Network from the hidden parameters for each domain",
            )
        return Network(self.activation, self.theta, domain)

    def on(self, domain: Box) -> Network:
        """The network on a domain, without the neurons that are inactive or redundant there.

        Removed are neurons that vanish on the whole domain, and neurons that are combinations of
        others: copies, mirror images (σ(−z) is σ(z) up to sign and a polynomial), and those
        active on the whole domain, polynomials of degree k of which C(d + k, k) at most are
        independent.
        """
        placed = self.placed_on(domain)
        kept = independent_neurons(self.activation, self.theta)
        if len(kept) == 0:
            raise ArgumentError(
                "theta", self.theta, f"every neuron vanishes on {domain}", "Take other neurons"
            )
        return replace_theta(placed, self.theta[kept])

    # ------------------------------------------------------------------ the one formula

    def pieces(self, x: Array, orders: Sequence[int]) -> Iterator[tuple[slice, dict[int, Array]]]:
        """σ⁽ᵐ⁾(z) for the given orders, a few neurons at a time.

        Parameters
        ----------
        x : ndarray, shape (m, d)
        orders : sequence of int

        Yields
        ------
        rows : slice
            The neurons of this piece.
        jet : dict
            ``{order: ndarray (neurons of the piece, m)}``, the caller's to overwrite.
        """
        augmented = self.augmented(x)
        step = max(1, _PIECE // max(len(x), 1))
        for start in range(0, self.n, step):
            rows = slice(start, min(start + step, self.n))
            yield rows, self.activation.jet(self.theta[rows] @ augmented, orders)

    def augmented(self, x: Array) -> Array:
        """The points (x̂, 1) as columns, (d + 1, m): z = θ·(x̂, 1)."""
        augmented = np.empty((self.dim + 1, len(x)))
        augmented[:-1] = self.reference(x).T
        augmented[-1] = 1.0
        return augmented

    def reference(self, x: Array) -> Array:
        """The reference coordinates x̂ (m, d) of points x (m, d)."""
        if x.ndim != 2 or x.shape[1] != self.dim:
            raise ArgumentError(
                "x",
                x.shape,
                f"points for this network have the shape (m, {self.dim})",
                "Give one point a row",
            )
        return x if self.domain is None else (x - self.domain.center) / self.domain.halfwidth

    def powers(self, alpha: MultiIndex, rows: slice = slice(None)) -> Array:
        """w^α of each neuron, in the units of the domain, (n,)."""
        result = np.ones(self.n)[rows]
        for axis, exponent in enumerate(alpha):
            if exponent:
                result = result * self.frequencies[rows, axis] ** exponent
        return result

    def features(self, x: ArrayLike, terms: Terms | None = None) -> Array:
        """The matrix of (Lφ_j)(x_i), L = Σ_α c_α D^α.

        Parameters
        ----------
        x : array_like, shape (m, d)
        terms : mapping, optional
            ``{α: c_α}``, each c_α a number or an array (m,) of its values at the points; the
            identity where it is not given.

        Returns
        -------
        ndarray, shape (m, n), in Fortran order
        """
        points = real_array(x, "x", "Give points, one a row")
        if terms is not None and not isinstance(terms, Mapping):
            remedy = "Give {alpha: coefficient}, or use matrix(...) with a problem"
            raise ArgumentError("terms", terms, "they are no derivatives with coefficients", remedy)
        out = np.empty((self.n, len(points)))
        self.fill(out, points, {(0,) * self.dim: 1.0} if terms is None else terms)
        return out.T

    def fill(self, out: Array, x: Array, terms: Terms, scale: Array | None = None) -> None:
        """Write the transposed feature matrix, times `scale` (m,), into `out` (n, m)."""
        by_order: dict[int, dict[MultiIndex, float | Array]] = {}
        for alpha, c in terms.items():
            by_order.setdefault(sum(alpha), {})[alpha] = c
        if not by_order:
            out[:] = 0.0
            return
        self.check_order(max(by_order))
        for rows, jet in self.pieces(x, sorted(by_order)):
            target = out[rows]
            for i, (order, group) in enumerate(by_order.items()):
                value = jet[order]
                self._times_symbol(value, group, rows)
                if i:
                    target += value
                elif scale is None or len(by_order) > 1:
                    target[:] = value
                else:
                    np.multiply(value, scale, out=target)
            if scale is not None and len(by_order) > 1:
                target *= scale

    def _times_symbol(self, value: Array, group: Terms, rows: slice) -> None:
        """value ← value·p_m(x, w), with p_m = Σ_α c_α(x) w^α over one order m."""
        fixed = np.zeros(len(value))
        varying: list[tuple[Array, Array]] = []
        for alpha, c in group.items():
            power = self.powers(alpha, rows)
            if isinstance(c, np.ndarray):
                varying.append((power, c))
            else:
                fixed += c * power
        if not varying:
            if not (fixed == 1.0).all():
                value *= fixed[:, None]
            return
        if fixed.any():
            varying.append((fixed, np.ones(value.shape[1])))
        value *= np.stack([p for p, _ in varying], axis=1) @ np.stack([c for _, c in varying])

    def combine(self, x: Array, a: Array, alphas: Sequence[MultiIndex]) -> dict[MultiIndex, Array]:
        """Derivatives of the network with output weights `a`.

        Parameters
        ----------
        x : ndarray, shape (m, d)
        a : ndarray, shape (n, s)
            Output weights, one column a right-hand side.
        alphas : sequence of multi-indices

        Returns
        -------
        dict
            ``{α: ndarray (m, s)}`` with Σ_j a_j D^α φ_j(x).
        """
        orders = sorted({sum(alpha) for alpha in alphas})
        self.check_order(max(orders, default=0))
        groups = {m: [alpha for alpha in alphas if sum(alpha) == m] for m in orders}
        s = a.shape[1]
        weights = {
            m: np.concatenate([(a * self.powers(alpha)[:, None]).T for alpha in group])
            for m, group in groups.items()
        }
        total = {m: np.zeros((len(group) * s, len(x))) for m, group in groups.items()}
        for rows, jet in self.pieces(x, orders):
            for m in orders:
                total[m] += weights[m][:, rows] @ jet[m]
        return {
            alpha: total[m][i * s : (i + 1) * s].T
            for m, group in groups.items()
            for i, alpha in enumerate(group)
        }

    def check_order(self, order: int) -> None:
        """Refuse a derivative that the activation does not have."""
        self.activation.check_order(order)


def replace_theta(network: Network, theta: Array) -> Network:
    """The network with other hidden parameters, on the same domain."""
    return Network(network.activation, theta, network.domain)
