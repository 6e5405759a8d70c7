"""Solutions in files and in other processes."""

import io
import json
import pickle
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

import linnet as ln
from linnet.errors import ArgumentError, FileFormatError
from linnet.info import Info
from test_solution import INFO, each_activation, each_box, each_count, some_solution

# ------------------------------------------------------------------ files and processes


@pytest.fixture
def saved(tmp_path):
    solution = some_solution(ln.Box([0, -2], [3, 5]), ln.ReLU(3), n=4, columns=2)
    path = tmp_path / "u.npz"
    solution.save(path)
    return solution, path


def rewrite(path, **changes):
    """The file with other arrays or other entries of its header."""
    with np.load(path) as file:
        arrays = dict(file)
    header = json.loads(str(arrays["header"]))
    for name, value in changes.items():
        if name in arrays:
            arrays[name] = value
        else:
            header[name] = value
    arrays["header"] = np.array(json.dumps(header))
    np.savez(path, **{name: a for name, a in arrays.items() if a is not None})


class TestFile:
    @each_box
    @each_activation
    @each_count
    def test_load_gives_the_same_bits(self, box, activation, columns, tmp_path):
        solution = some_solution(box, activation, columns=columns)
        solution.save(tmp_path / "u.npz")
        again = ln.load(tmp_path / "u.npz")
        x = box.random(30, rng=0).points
        np.testing.assert_array_equal(again(x), solution(x))
        np.testing.assert_array_equal(again.gradient(x), solution.gradient(x))
        assert again.network.domain == box
        assert again.network.activation == activation
        assert again.info == solution.info
        assert [p.name for p in tmp_path.iterdir()] == ["u.npz"]

    def test_info_comes_back_whole(self, tmp_path):
        box = ln.Box(-1, 1)
        solution = ln.fit(lambda x: x[:, 0], ln.Network(ln.Tanh(), np.eye(2)), box.grid(30))
        solution.info.condition = float("inf")
        solution.save(str(tmp_path / "u"))  # a text, and no suffix is added
        again = ln.load(str(tmp_path / "u"))
        assert again.info == solution.info
        assert str(again.info) == str(solution.info)

    def test_a_network_that_is_not_placed(self, tmp_path):
        solution = ln.Solution(ln.Network(ln.Tanh(), np.eye(3)), np.ones(3), INFO)
        solution.save(tmp_path / "u")
        assert ln.load(tmp_path / "u").network.domain is None

    def test_no_pickle_in_the_file(self, saved):
        _, path = saved
        with zipfile.ZipFile(path) as archive:
            assert archive.testzip() is None
            for name in archive.namelist():
                major = np.lib.format.read_magic(file := io.BytesIO(archive.read(name)))
                assert major == (1, 0)
                dtype = np.lib.format.read_array_header_1_0(file)[2]
                assert dtype.kind in "fU"

    def test_saving_replaces_the_old_file(self, saved):
        solution, path = saved
        other = some_solution(ln.Box(-1, 1))
        other.save(path)
        assert ln.load(path).dim == 1
        with pytest.raises(ArgumentError, match=r"there is no folder .*nowhere. Make it first"):
            solution.save(path.parent / "nowhere" / "u.npz")

    def test_any_flipped_bit_is_refused_or_harmless(self, saved, tmp_path):
        """Never another error, never another function."""
        solution, path = saved
        data = path.read_bytes()
        assert len(data) < 4000
        x = solution.network.domain.random(5, rng=0).points
        expected, refused = solution(x), 0
        target = tmp_path / "damaged"
        for position in range(0, len(data), 2):
            flipped = data[position] ^ (1 << position // 2 % 8)
            target.write_bytes(data[:position] + bytes([flipped]) + data[position + 1 :])
            try:
                found = ln.load(target)
            except FileFormatError:
                refused += 1
            else:
                np.testing.assert_array_equal(found(x), expected)
        assert refused > len(data) / 6

    @pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999])
    def test_truncated(self, saved, share):
        _, path = saved
        data = path.read_bytes()
        path.write_bytes(data[: int(share * len(data))])
        with pytest.raises(FileFormatError, match=r"path = .*damaged or no linnet solution"):
            ln.load(path)

    def test_foreign_files(self, tmp_path):
        path = tmp_path / "u.npz"
        path.write_text("x,y\n1,2\n")
        with pytest.raises(FileFormatError, match="damaged or no linnet solution"):
            ln.load(path)
        with open(path, "wb") as file:
            pickle.dump({"a": 1}, file)
        with pytest.raises(FileFormatError, match="damaged or no linnet solution"):
            ln.load(path)
        with open(path, "wb") as file:
            np.save(file, np.eye(3))
        with pytest.raises(FileFormatError, match="damaged or no linnet solution"):
            ln.load(path)
        np.savez(path, header=np.array("{}"), theta=0, bounds=0, a=0)
        with pytest.raises(FileFormatError, match="no linnet solution"):
            ln.load(path)
        np.savez(path, header=np.array([{}], dtype=object), theta=0, bounds=0, a=0)
        with pytest.raises(FileFormatError, match="damaged or no linnet solution"):
            ln.load(path)
        with pytest.raises(FileFormatError, match=r"nothing\.npz.*there is no such file"):
            ln.load(tmp_path / "nothing.npz")
        with pytest.raises(FileFormatError, match="damaged or no linnet solution"):
            ln.load(tmp_path)

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"version": 2}, "it has the version 2, and this linnet reads 1"),
            ({"version": None}, "it has the version None"),
            ({"format": "another"}, "it is no linnet solution"),
            ({"activation": {"name": "Swish"}}, "name = 'Swish': no activation of this name"),
            ({"activation": {"name": "ReLU", "k": 0}}, "ReLU does not take these fields"),
            ({"activation": "ReLU"}, "it is damaged"),
            ({"info": {"rank": 1}}, "it is damaged"),
            ({"a": np.ones(3)}, "its output weights do not fit its neurons"),
            ({"a": np.full(4, np.nan)}, "its output weights do not fit its neurons"),
            ({"a": np.ones((4, 2, 2))}, "its output weights do not fit its neurons"),
            ({"a": np.array(1.0)}, "damaged|do not fit"),
            ({"a": None}, "it is damaged or no linnet solution"),
            ({"theta": np.full((4, 3), np.inf)}, "it is damaged"),
            ({"theta": np.ones((4, 2))}, "it is damaged"),
            ({"bounds": np.zeros((2, 2))}, "it is damaged"),
            ({"bounds": np.ones((1, 2))}, "it is damaged"),
        ],
        ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
    )
    def test_other_contents(self, saved, changes, message):
        _, path = saved
        rewrite(path, **changes)
        with pytest.raises(FileFormatError, match=message):
            ln.load(path)


class TestProcesses:
    def test_pickled_without_the_problem(self):
        box = ln.Box(-1, 1)
        f = lambda x: x[:, 0]  # a lambda, which cannot be pickled
        solution = ln.fit(f, ln.Network(ln.Tanh(), ln.neurons.circle(9)), box.grid(30))
        again = pickle.loads(pickle.dumps(solution))
        x = box.grid(7).points
        np.testing.assert_array_equal(again(x), solution(x))
        assert again.problem is None
        assert again.factor is None
        assert solution.problem is not None
        assert again.info == solution.info

    def test_in_another_process(self, tmp_path):
        solution = some_solution(ln.Box([0, -2], [3, 5]), ln.Gaussian(), columns=2)
        (tmp_path / "u.pickle").write_bytes(pickle.dumps(solution))
        solution.save(tmp_path / "u.npz")
        x = solution.network.domain.random(50, rng=0).points
        np.save(tmp_path / "x.npy", x)
        program = (
            "import pickle, numpy as np, linnet as ln\n"
            "x = np.load('x.npy')\n"
            "np.save('a', pickle.load(open('u.pickle', 'rb'))(x))\n"
            "np.save('b', ln.load('u.npz')(x))\n"
        )
        environment = {"PYTHONPATH": str(Path(ln.__file__).parents[1])}
        subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=environment, check=True)
        np.testing.assert_array_equal(np.load(tmp_path / "a.npy"), solution(x))
        np.testing.assert_array_equal(np.load(tmp_path / "b.npy"), solution(x))

    @pytest.mark.parametrize("condition", [1.0, 1 / 3, 1e300, float("inf")])
    def test_info_as_json(self, condition):
        info = Info("Galerkin", "LU()", 3, 4, 2, condition, 1e-3, 0.5, 10, ["µ: 1", "a\nb"])
        assert Info.from_json(info.to_json()) == info
        assert "µ: 1" in str(info)
