"""The README's Python runs as written, and gives the digits that it promises."""

import re
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"


def test_the_code_of_the_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    for block in re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL):
        exec(compile(block, str(README), "exec"), names)
    assert f"{names['err'].l2:.3e}" == "8.224e-05"  # table 1, n = 165
    assert f"{names['err'].h1:.3e}" == "1.905e-03"
    error = names["sol"].error(names["g"], names["box"].gauss(50, order=5))
    assert error.l2 < 1e-10
    loaded = names["ln"].load("u.npz")
    assert (loaded(names["x"]) == names["sol"](names["x"])).all()
