"""``linnet check``: a problem file, read and not solved."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def check(
    problem: Annotated[Path, typer.Argument(metavar="PROBLEM.toml", help="The problem file.")],
) -> None:
    """Check a problem file without solving it, and say what was understood."""
    from linnet.problem import StrongForm  # NumPy and SciPy take their time
    from linnet.problemfile import read_problem

    file = read_problem(problem)
    stated, method = file.stated, file.method
    print(f"{problem}: a problem on {stated.problem.domain}, in {', '.join(stated.coordinates)}")
    if isinstance(stated.problem, StrongForm):
        for equation in stated.problem.equations:
            order = equation.operator.order
            print(f"  on {equation.on}: an operator of order {order}")
    else:
        kind = "symmetric" if stated.problem.symmetric else "not symmetric"
        print(f"  a weak form, {kind}, of {len(stated.problem.integrals)} integral(s)")
    for remark in file.remarks:
        print(f"  {remark}")
    doubt = stated.problem.undetermined if isinstance(stated.problem, StrongForm) else None
    if doubt is not None:
        print(f"  its solution is not unique: {doubt}")
    network = "chosen when solving" if method.network is None else f"{method.network.n} neurons"
    points = "chosen when solving" if method.formulation is None else str(method.formulation)
    print(f"  network: {network}")
    print(f"  points: {points}")
    print("It can be solved." if doubt is not None else "Nothing is wrong with it.")
