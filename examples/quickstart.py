r"""Five minutes

A boundary value problem, stated as on paper, and solved without any settings.
"""

# [problem]
import numpy as np

import linnet as ln

box = ln.Box(-1, 1, dim=2)
u = ln.trial(box)
f = lambda x: 2 * np.pi**2 * np.sin(np.pi * x[:, 0]) * np.sin(np.pi * x[:, 1])
problem = ln.StrongForm(
    ln.Equation(-ln.laplacian(u), f, on=box),
    ln.Equation(u, 0, on=box.boundary),
)


# [main]
def main(picture=None):
    sol = ln.solve(problem)

    exact = lambda x: np.sin(np.pi * x[:, 0]) * np.sin(np.pi * x[:, 1])
    error = sol.error(exact, box.gauss(50, order=3))
    if picture:
        print(sol.info)
        sol.plot().savefig(picture)
    return {"relative L² error": error.relative_l2}


# [end]
if __name__ == "__main__":
    print(main("quickstart.png"))
