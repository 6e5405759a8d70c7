"""Settings and a fixture shared by tests."""

import os

import pytest
from hypothesis import settings

from linnet.problemfile import read_problem

# No deadline: on a shared machine it measures the neighbours, not the code.
# In CI the same examples every time: what is new is found, and mended, elsewhere.
settings.register_profile("linnet", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("linnet")


@pytest.fixture
def read(tmp_path):
    """From a text to the problem that it states."""

    def read_text(text):
        path = tmp_path / "problem.toml"
        path.write_bytes(text.encode())
        return read_problem(path)

    return read_text
