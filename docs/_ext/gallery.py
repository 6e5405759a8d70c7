"""A Sphinx extension: before a build it runs the examples, and writes a page for each.

An example is a file in ``examples/`` with a docstring in Markdown, whose first line is the title,
and a function ``main(picture)``, which draws a picture and returns numbers by name. What has been
run before is run again only where the example or linnet itself is newer.
"""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import io
import json
import warnings
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import pictures
from matplotlib import pyplot as plt
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.display import status_iterator

import linnet

GROUPS = {
    "Function approximation": ["fit_1d", "fit_rates", "fit_2d", "fit_dimensions"],
    "Boundary conditions": ["dirichlet", "neumann", "robin", "mixed", "periodic"],
    "Equations": ["variable", "convection_diffusion", "helmholtz", "plate"],
    "Space-time": ["heat", "wave"],
    "More dimensions": ["brick", "five_dimensions"],
    "Data": ["assimilation", "many_loads"],
    "What decides": ["scale", "conditioning", "corner"],
    "Extensions": ["extend_activation", "extend_neurons", "extend_domain", "extend_solver"],
}
APART = ["quickstart"]  # shown on a page of its own

log = logging.getLogger(__name__)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension."""
    app.connect("builder-inited", generate)
    app.connect("autodoc-process-docstring", escape_bars)
    return {"parallel_read_safe": True}


def escape_bars(app: Sphinx, what: str, name: str, obj: object, options: Any, lines: list[str]):
    """|α| is a modulus in linnet's docstrings, never a substitution of reStructuredText."""
    lines[:] = [line if "``" in line else line.replace("|", "\\|") for line in lines]


def generate(app: Sphinx) -> None:
    """Run what is not up to date, and write all generated pages."""
    docs = Path(app.srcdir)
    examples, out = docs.parent / "examples", docs / "_generated"
    (out / "gallery").mkdir(parents=True, exist_ok=True)
    package = Path(linnet.__file__).parent
    newest = max(path.stat().st_mtime for path in package.rglob("*.py"))
    names = [name for group in GROUPS.values() for name in group] + APART
    for name in status_iterator(names, "running the examples... ", length=len(names)):
        run(examples / f"{name}.py", out / "gallery", newest)
    pictures.draw_all(out, newest)
    for name in names:
        if name not in APART:
            write(out / "gallery" / f"{name}.md", page(examples / f"{name}.py", out / "gallery"))
    write(out / "gallery" / "index.md", index(examples))
    write(out / "experiments.md", experiments())
    write(out / "init.toml", problem_file())
    peers = docs / "peers.md"
    write(out / "peers.md", peers.read_text() if peers.exists() else "*Not measured yet.*\n")


def run(source: Path, out: Path, newest: float) -> None:
    """Run an example: its picture, its numbers and what it prints."""
    numbers = out / f"{source.stem}.json"
    if numbers.exists() and numbers.stat().st_mtime > max(newest, source.stat().st_mtime):
        return
    spec = importlib.util.spec_from_file_location(source.stem, source)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("error", linnet.LinnetWarning)
        result = module.main(out / f"{source.stem}.png")
    plt.close("all")
    write(out / f"{source.stem}.txt", printed.getvalue())
    numbers.write_text(json.dumps(result))


def title(source: Path) -> tuple[str, str, int]:
    """The first line of the docstring, the rest of it, and the line after it."""
    tree = ast.parse(source.read_text())
    first, _, rest = ast.get_docstring(tree).partition("\n")
    return first, rest.strip(), tree.body[0].end_lineno + 1


def page(source: Path, out: Path) -> str:
    """The page of an example: text, picture, numbers, code."""
    head, text, line = title(source)
    numbers = json.loads((out / f"{source.stem}.json").read_text())
    rows = "\n".join(f"| {name} | {show(value)} |" for name, value in numbers.items())
    return f"""\
# {head}

{text}

```{{image}} {source.stem}.png
:alt: {head}
:align: center
```

| result | |
|---|---:|
{rows}

```{{literalinclude}} ../../../examples/{source.name}
:lines: {line}-
```
"""


def show(value: float) -> str:
    """A number as a reader wants it."""
    if isinstance(value, int):
        return str(value)
    return f"{value:.3e}" if abs(value) < 1e-3 or abs(value) >= 1e5 else f"{value:.6g}"


def index(examples: Path) -> str:
    """The cards of all examples, and their table of contents."""
    parts = [
        "# Gallery",
        "Each of these is a file in `examples/` that is run when this site is built; its numbers "
        "are checked in the tests. The exact solution is used only to measure the error.",
    ]
    for group, names in GROUPS.items():
        cards = [
            f":::{{figure}} {name}.png\n:target: {name}.html\n"
            f":alt: {title(examples / f'{name}.py')[0]}\n\n"
            f"[{title(examples / f'{name}.py')[0]}]({name}.md)\n:::"
            for name in names
        ]
        parts += [f"## {group}", "::::{container} cards\n" + "\n".join(cards) + "\n::::"]
    toc = "\n".join(name for names in GROUPS.values() for name in names)
    parts.append(f"```{{toctree}}\n:hidden:\n\n{toc}\n```")
    return "\n\n".join(parts) + "\n"


def experiments() -> str:
    """The paper's experiments that linnet carries out, as a table."""
    from linnet.paper import EXPERIMENTS

    rows = [f"| `{e.id}` | {e.title} | {minutes(e.seconds)} |" for e in EXPERIMENTS.values()]
    return "| | | time on two cores |\n|---|---|---:|\n" + "\n".join(rows) + "\n"


def problem_file() -> str:
    """What ``linnet init`` writes."""
    from linnet.cli.init import EXAMPLE

    return EXAMPLE


def minutes(seconds: float) -> str:
    """A time, not too precisely."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def write(path: Path, text: str) -> None:
    """Write a file, unless it has this text: Sphinx reads again what is newer."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
