"""No tuning: what the user leaves open is chosen here, without the exact solution.

One number of a network matters most, the spacing of its hidden parameters, and the residual on
held-out points orders spacings, activations and weights as the true error does. Small systems are
searched first; `linnet.solving` solves each.
"""

from linnet.tuning.front import solve

__all__ = ["solve"]
