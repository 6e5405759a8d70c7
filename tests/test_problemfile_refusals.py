"""What is refused in a problem file, and where the message points."""

import numpy as np
import pytest

from linnet.errors import LinnetError
from linnet.problemfile import read_problem, read_table
from linnet.problemfile.places import places
from test_problemfile import DOMAIN, EQUATION, GOOD, ZERO

# ------------------------------------------------------------------------- what is refused

WRONG = {
    "empty file": ("", 1, 1, "the file is empty"),
    "no TOML": ('equation = "x\n', 1, 14, "this is not TOML: illegal character"),
    "a key twice": (GOOD + 'all = "u = 1"\n', 6, 1, "this key is given twice"),
    "unknown key": (GOOD + "[netwrk]\nneurons = 3\n", 6, 1, "Did you mean 'network'"),
    "unknown key in a table": (EQUATION + "[domain]\nboxx = 1\n", 3, 1, "Did you mean 'box'"),
    "key at a wrong place": (DOMAIN + ZERO + EQUATION, 5, 1, "Put it above the first table"),
    "unknown function": (
        'equation = "-laplacian(u) + sn(x) = 1"\n' + DOMAIN + ZERO, 1, 29, "Did you mean 'sin'",
    ),
    "unknown name": ('equation = "-laplacian(u) = f"\n' + DOMAIN + ZERO, 1, 29, "unknown name 'f'"),
    "parenthesis": (
        'equation = "-laplacian(u + u = 1"\n' + DOMAIN + ZERO, 1, 23, "this '\\(' is never closed",
    ),
    "nonlinear": ('equation = "u + u*u = 1"\n' + DOMAIN + ZERO, 1, 17, "is not linear"),
    "no unknown": ('equation = "x = 1"\n' + DOMAIN + ZERO, 1, 13, "'u' does not occur"),
    "unknown cancels": ('equation = "u - u = 1"\n' + DOMAIN + ZERO, 1, 13, "'u' does not occur"),
    "no equation": (DOMAIN + ZERO, 1, 1, "there is no equation"),
    "two equations": ('weak = "u*v = v"\n' + GOOD, 1, 1, "an equation or a weak form, not both"),
    "no right-hand side": ('equation = "u"\n' + DOMAIN + ZERO, 1, 14, "no right-hand side"),
    "a vector": ('equation = "grad(u) = 1"\n' + DOMAIN + ZERO, 1, 13, "this is a vector"),
    "normal inside": ('equation = "dn(u) = 1"\n' + DOMAIN + ZERO, 1, 13, "on the boundary only"),
    "unknown face": (EQUATION + DOMAIN + '[boundary]\nlefft = "u = 0"\n', 5, 1, "mean 'left'"),
    "face of 3D": (EQUATION + DOMAIN + '[boundary]\nback = "u = 0"\n', 5, 1, "no face 'back'"),
    "face twice": (
        EQUATION + DOMAIN + '[boundary]\nleft = "u = 0"\n"right, left" = "u = 1"\n', 6, 1,
        "two conditions on one face: 'left'",
    ),
    "all and a face": (
        EQUATION + DOMAIN + '[boundary]\nleft = "u = 0"\nall = "u = 1"\n', 6, 1,
        "two conditions on one face",
    ),
    "a face without condition": (
        EQUATION + DOMAIN + '[boundary]\nleft = "u = 0"\n', 4, 1,
        "no condition on right, bottom, top",
    ),
    "no boundary": (EQUATION + DOMAIN, 1, 1, "no condition on left, right, bottom, top"),
    "half a periodic pair": (
        EQUATION + DOMAIN + '[boundary]\nleft = "periodic"\nothers = "u = 0"\n', 5, 1,
        "its opposite face is not here",
    ),
    "dimension": (
        EQUATION + "[domain]\ndim = 3\nbox = [[0, 1], [0, 1]]\n", 4, 7, "2 sides, and dim",
    ),
    "a coordinate too many": ('equation = "u = z"\n' + DOMAIN, 1, 17, "unknown name 'z'"),
    "vector of another length": (
        'equation = "dot([1, 2, 3], grad(u)) = 1"\n' + DOMAIN + ZERO, 1, 13, "3 entries",
    ),
    "reversed bounds": (EQUATION + "[domain]\nbox = [[0, 1], [2, -2]]\n", 3, 7, "are reversed"),
    "infinite bounds": (EQUATION + "[domain]\nbox = [0, inf]\n", 3, 7, "must be a finite number"),
    "a coefficient that is infinite": (
        'equation = "-laplacian(u) + u/x = 1"\n' + DOMAIN + ZERO, 1, 13,
        "the value is inf at x = 0",
    ),
    "data that are NaN": (
        'equation = "u = log(x)"\n' + DOMAIN, 1, 13, "the value is nan at x = -1",
    ),
    "zero neurons": (GOOD + "[network]\nneurons = 0\n", 7, 11, "at least one neuron"),
    "zero neurons of a kind": (
        GOOD + '[network]\nactivation = "tanh"\nradius = 1\nneurons = 0\n', 9, 11,
        "at least one neuron",
    ),
    "a derivative that is not there": (
        'equation = "d(u, x, x, x) = 1"\n' + DOMAIN + ZERO
        + '[network]\nactivation = "relu"\nneurons = 9\npower = 2\n', 9, 9, "is of order 2",
    ),
    "unknown activation": (
        GOOD + '[network]\nactivation = "tahn"\nneurons = 9\n', 7, 14, "Did you mean 'tanh'",
    ),
    "no radius": (
        GOOD + '[network]\nactivation = "tanh"\nneurons = 9\n', 6, 1, "'radius' is missing",
    ),
    "unknown rule": (GOOD + '[points]\nrule = "gaus"\n', 7, 8, "Did you mean 'gauss'"),
    "no points": (GOOD + "[points]\nn = 0\n", 7, 5, "less than 2"),
    "galerkin of an equation": (GOOD + '[formulation]\nkind = "galerkin"\n', 7, 8, "collocation"),
    "mu of another solver": (
        GOOD + '[solver]\nkind = "lu"\nmu = 1\n', 8, 6, "belongs to the solver qr",
    ),
    "a large grid": (GOOD + "[output]\ngrid = 10000\n", 7, 8, "too large"),
    "unknown format": (GOOD + '[output]\nvalues = ["cvs"]\n', 7, 10, "Did you mean 'csv'"),
    "no measurements": (GOOD + '[measurements]\nfile = "no.csv"\n', 7, 8, "no such file"),
    "a taken name": (GOOD + '[functions]\nsin = "x"\n', 7, 1, "the name 'sin' is taken"),
    "a coordinate as unknown": ('unknown = "x"\n' + GOOD, 1, 11, "'x' is taken"),
    "an unused function that is wrong": (
        GOOD + '[functions]\nf = "1 +"\n', 7, 9, "expected a number",
    ),
    "a line of many": (
        'equation = """\n  -laplacian(u)\n  + sn(x) = 1"""\n' + DOMAIN + ZERO, 3, 5, "mean 'sin'",
    ),
    "too many neurons": (GOOD + "[network]\nneurons = 100000000\n", 7, 11, "fit in memory"),
    "a steep ReLU": (
        GOOD + '[network]\nactivation = "relu"\nneurons = 9\npower = 100000\n', 9, 9, "above 20",
    ),
    "a radius of 0": (
        GOOD + '[network]\nactivation = "tanh"\nneurons = 9\nradius = 0\n', 9, 10, "is positive",
    ),
    "points as a text": (GOOD + '[points]\nrule = "sobol"\nn = "100"\n', 8, 5, "whole number"),
    "points per axis of a Sobol rule": (
        GOOD + '[points]\nrule = "sobol"\nn = [10, 10]\n', 8, 5, "whole number",
    ),
    "an order of 0": (
        GOOD + '[points]\nrule = "gauss"\nn = 10\norder = 0\n', 9, 9, "less than 1",
    ),
    "a list of equations": (
        'equation = ["u = 1", "u = 2"]\n' + DOMAIN, 1, 12, "must be a formula",
    ),
    "measurements of a weak form": (
        'weak = "u*v = v"\n' + DOMAIN + '[measurements]\nfile = "m.csv"\n', 4, 1,
        "has no measurements",
    ),
    "no threads": (GOOD + "[solver]\nworkers = 0\n", 7, 11, "at least one thread"),
    "a negative tolerance": (GOOD + "[solver]\ntolerance = -1\n", 7, 13, "must be positive"),
    "a tolerance and a width": (
        GOOD + "[network]\nneurons = 99\n[solver]\ntolerance = 1e-6\n", 9, 1,
        "chooses the number of neurons",
    ),
    "a negative weight": (
        GOOD + "[formulation]\nboundary_weight = -1\n", 7, 19, "not negative",
    ),
    "a number beyond all": (
        EQUATION.replace("= 1", "= f") + DOMAIN + ZERO + "[functions]\nf = 1e999\n", 7, 5,
        "finite number",
    ),
    "VTK in 1D": (
        'equation = "u = x"\n[domain]\nbox = [0, 1]\n[output]\nvalues = ["vtk"]\n', 5, 10,
        "2D and 3D",
    ),
    "values in 5D nowhere": (
        'equation = "u = x1"\n[domain]\nbox = [0, 1]\ndim = 5\n[output]\nvalues = ["csv"]\n',
        6, 10, "it must be said where",
    ),
    "points that are not there": (
        GOOD + '[output]\npoints = "nowhere.csv"\n', 7, 10, "no such file",
    ),
    "a coordinate pi": (
        'equation = "u = 1"\n[domain]\nbox = [0, 1]\ncoordinates = ["pi"]\n', 4, 15,
        "cannot be a coordinate",
    ),
    "a coordinate n": (
        'equation = "u = 1"\n[domain]\nbox = [[0, 1], [0, 1]]\ncoordinates = ["n", "m"]\n',
        4, 15, "cannot be a coordinate",
    ),
    "coordinates x and xx": (
        'equation = "u = 1"\n[domain]\nbox = [[0, 1], [0, 1]]\ncoordinates = ["x", "xx"]\n',
        4, 15, "cannot be a coordinate",
    ),
    "a face of no coordinate": (
        'equation = "-laplacian(u) = 1"\n[domain]\nbox = [0, 1]\ndim = 4\n'
        '[boundary]\n"x0-" = "u = 0"\n', 6, 1, "no face 'x0-'",
    ),
    "a long chain": (".".join("a" * 30_000) + " = 1\n", 1, 1, "a key of more than ten parts"),
    "deep TOML": ("a = " + "[" * 90_000, 1, 1, "nested too deeply"),
    "a test function missing": ('weak = "u*v = 1"\n' + DOMAIN, 1, 9, "lacks the test function"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_refusals_point_into_the_file(read, case):
    text, line, column, message = WRONG[case]
    with pytest.raises(LinnetError, match=message) as caught:
        read(text)
    assert isinstance(caught.value, ValueError)
    assert (caught.value.line, caught.value.column) == (line, column)
    place, source, carets = str(caught.value).split("\n")
    assert f"problem.toml:{line}:{column}: " in place
    assert source.strip() == text.split("\n")[line - 1].strip()[: len(source.strip())]
    assert set(carets.strip()) == {"^"}


@pytest.mark.parametrize(
    ("name", "message"),
    [("nothing.toml", "no such file"), ("", "is a directory"), ("bytes.toml", "no text in UTF-8")],
)
def test_files_that_cannot_be_read(tmp_path, name, message):
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(LinnetError, match=message):
        read_problem(tmp_path / name)


def test_windows_line_ends(read):
    assert read(GOOD.replace("\n", "\r\n")).stated.problem.order == 2


# ------------------------------------------------------------------------- places and tables


def test_places_of_keys_and_strings():
    text = """# comment = "no"
title = 'a # b'   # c
a.b = [1, [2, "x"],  # [
  "y", \"\"\"
z\"\"\"]
[t."u v"]
k = "1\\"2"
"""
    found = places(text)
    assert set(found) == {("title",), ("a", "b"), ("t", "u v"), ("t", "u v", "k")}
    strings = {path: [text[s] for s in (slice(*p) for p in place.strings)]
               for path, place in found.items()}  # fmt: skip
    assert strings["title",] == ["a # b"]
    assert strings["a", "b"] == ["x", "y", "z"]
    assert strings["t", "u v", "k"] == ['1\\"2']
    assert text[slice(*found["a", "b"].value)].endswith('"""]')


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x,y\n1,2\n3\n", "line 3 has 1 numbers, not 2"),
        ("1,2\n3,four\n", "line 2 has something else"),
        ("x,y\n", "no numbers"),
        ("", "no numbers"),
        ("1,nan\n", "line 1 has a NaN"),
        ("1,2\x00\n", "something else|CSV|no numbers"),
    ],
)
def test_tables_that_are_none(tmp_path, text, message):
    path = tmp_path / "t.csv"
    path.write_text(text)
    with pytest.raises(LinnetError, match=message):
        read_table(path, 2)


def test_tables_with_and_without_names(tmp_path):
    path = tmp_path / "t.csv"
    for text in ("1, 2\n\n3,4\n", "x,y\n1,2\n3,4e0\n", "\ufeffx,y\r\n1,2\r\n3,4\r\n"):
        path.write_bytes(text.encode())
        np.testing.assert_array_equal(read_table(path, 2), [[1, 2], [3, 4]])


def test_a_number_of_too_many_digits(read):
    with pytest.raises(LinnetError, match="this is not TOML: exceeds the limit"):
        read("f = " + "9" * 5000 + "\n")


def test_faces_are_called_by_the_coordinates(read):
    """In four dimensions 'x1-' is the lower face of x1, and 'x4+' the upper one of x4."""
    four = 'equation = "-laplacian(u) = 1"\n[domain]\nbox = [0, 1]\ndim = 4\n[boundary]\n'
    stated = read(four + '"x1-" = "u = 0"\n"x4+" = "u = 1"\nothers = "free"\n').stated
    faces = [face for equation in stated.problem.equations[1:] for face in equation.on.faces]
    assert faces == [(0, -1), (3, 1)]
    plane = (
        'equation = "d(u, t) = 1"\n[domain]\nbox = [[0, 1], [0, 2]]\n'
        'coordinates = ["y", "t"]\n[boundary]\n"t-" = "u = 0"\nothers = "free"\n'
    )
    (face,) = read(plane).stated.problem.equations[1].on.faces
    assert face == (1, -1)


def test_kinks_that_derivatives_leave_out_are_said(read):
    file = read(
        'equation = "-dxx(u) = f"\nexact = "abs(x)"\n[domain]\nbox = [-1, 1]\n'
        '[boundary]\nall = "u = 1"\n'
    )
    assert any("kink or a jump (abs)" in remark for remark in file.remarks)


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path):
    path = tmp_path / "bom.toml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.encode())
    assert read_problem(path).stated.problem.equations


def test_a_line_of_numbers_with_a_slip_is_no_header(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("0.1,0.2m\n1,2\n")
    with pytest.raises(LinnetError, match="line 1 has something else than numbers"):
        read_table(path, 2)
    path.write_text("x,y\n1,2\n")
    assert read_table(path, 2).tolist() == [[1.0, 2.0]]


def test_measurements_outside_of_the_domain_are_refused(tmp_path):
    (tmp_path / "m.csv").write_text("0,0,1\n5,5,1\n")
    (tmp_path / "p.toml").write_text(GOOD + '[measurements]\nfile = "m.csv"\n')
    with pytest.raises(LinnetError, match="1 of its points lie outside"):
        read_problem(tmp_path / "p.toml")
