"""``linnet reproduce``: the list, the files, JSON, options, refusals, resuming, the page."""

import csv
import dataclasses
import json
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from typer.testing import CliRunner

from linnet.cli import app
from linnet.errors import ArgumentError, FileFormatError
from linnet.paper import EXPERIMENTS, Options, Result, Row, Series
from linnet.paper.batch import Batch, as_csv, write
from linnet.paper.draw import draw
from linnet.paper.experiment import Work, fitted_slope, with_orders
from linnet.paper.page import page
from linnet.paper.store import stored
from linnet.paper.text import as_text

SMALL = ["--neurons", "23", "--points", "1000"]


def run(*arguments):
    return CliRunner().invoke(app, ["reproduce", *arguments])


@pytest.fixture
def figure():
    """Errors 3 n^-2 and n^-1 in two panels."""
    n = [10, 20, 40, 80]
    rows = with_orders([Row(k, l2=3.0 * k**-2, h1=1.0 / k) for k in n])
    series = [
        Series(name, rows, slopes={"l2": -2.0}, reference={"l2": -2.0, "h1": -1.0}, panel=panel)
        for panel in ("d = 1", "d = 2")
        for name in ("one", "two")
    ]
    return Result("figure-99", "A <figure>", "errors", series, {"n": n}, 1.5, ["A note & more."])


# ------------------------------------------------------------------ what a user sees


def test_list_has_every_table_in_the_papers_order():
    output = run("--list").output
    found = re.findall(r"^(table-\d)", output, flags=re.MULTILINE)
    assert found == [f"table-{i}" for i in range(1, 10)]
    assert re.search(r"^all .*(s|min) ", output, flags=re.MULTILINE)


def test_list_as_json():
    entries = json.loads(run("--list", "--json").stdout)
    assert [e["id"] for e in entries] == list(EXPERIMENTS)
    assert all(e["seconds"] > 0 and e["title"] for e in entries)


def test_json_is_one_object_and_files_are_written(tmp_path):
    result = run("table-6", *SMALL, "--json", "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    body = json.loads(result.stdout)
    assert body["id"] == "table-6"
    (row,) = body["rows"]
    assert row["n"] == 23
    assert row["paper"] == {"n": 23, "l2": 4.217e-01, "h1": 1.550}
    assert row["order_l2"] is None
    assert body["settings"]["rules"] == ["Box(-1, 1, dim=3).gauss(3, order=3)"]
    assert body["seconds"] > 0
    assert json.loads((tmp_path / "table-6.json").read_text()) == body
    (line,) = csv.DictReader((tmp_path / "table-6.csv").read_text().splitlines())
    assert float(line["l2"]) == row["l2"]
    assert float(line["paper_h1"]) == 1.550
    assert sorted(p.name for p in tmp_path.iterdir()) == ["table-6.csv", "table-6.json"]


def test_table_stands_beside_the_papers(tmp_path):
    output = run("table-6", *SMALL, "--out", str(tmp_path)).output
    assert "4.217e-01" in output
    assert "order n^-1.67" in output


def test_options_reach_the_experiment(tmp_path):
    result = run(
        "table-2", "--neurons", "30", "--points", "1000", "--seeds", "3", "--seed", "7",
        "--activation", "relu2", "--solver", "svd", "--formulation", "least-squares",
        "--workers", "1", "--json", "--out", str(tmp_path),
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    body = json.loads(result.stdout)
    (row,) = body["rows"]
    assert row["n"] == 30
    assert row["paper"] is None
    assert row["extra"]["seeds"] == 3
    assert row["spread"]["l2"][0] < row["l2"] < row["spread"]["l2"][1]
    settings = body["settings"]
    assert settings["first seed"] == 7
    assert settings["activation"] == "ReLU(k=2)"
    assert settings["formulation"] == "least-squares"
    assert settings["solver"].startswith("TruncatedSVD")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["table-10"], "table-10.*no such experiment.*--list"),
        ([], "no experiment is named"),
        (["table-1", "--neurons", "88;165"], "88;165.*no list of whole numbers"),
        (["table-1", "--neurons", "0"], "neurons = 0: it is not positive"),
        (["table-1", "--points", "-3"], "points = -3: it is not positive"),
        (["table-1", "--seed", "-1"], "seed = -1: it is negative"),
        (["table-1", "--scheme", "circle"], "circle.*no scheme in 2D.*fibonacci"),
        (["table-1", "--activation", "swish"], "swish.*no activation.*tanh"),
        (["table-1", "--solver", "magic"], "magic.*no solver.*cholesky"),
        (["table-1", "--formulation", "ritz"], "ritz.*galerkin, least-squares or collocation"),
        (["table-8", "--scheme", "sobol"], "scheme = 'sobol': table-8 has nothing to set there"),
        (["all", "--neurons", "3"], "to one experiment at a time"),
        (["table-1", "--points", "many"], "points"),
    ],
)
def test_bad_input_is_a_sentence_and_exit_code_2(arguments, message, tmp_path):
    result = run(*arguments, "--out", str(tmp_path))
    assert result.exit_code == 2
    assert re.search(message, result.output, flags=re.DOTALL)
    assert "Traceback" not in result.output


def test_out_must_be_a_folder(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    result = run("table-6", *SMALL, "--out", str(file))
    assert result.exit_code == 2
    assert "it is a file" in result.output


def test_interruption_leaves_a_message_and_the_finished_rows(tmp_path, monkeypatch):
    arguments = [
        "table-6",
        "--neurons",
        "23,47",
        "--points",
        "1000",
        "--json",
        "--out",
        str(tmp_path),
    ]
    solved = []

    def interrupted(network, *args, **kwargs):
        if network.n == 47:
            raise KeyboardInterrupt
        return original(network, *args, **kwargs)

    def counted(network, *args, **kwargs):
        solved.append(network.n)
        return original(network, *args, **kwargs)

    from linnet.paper import neumann

    original = neumann.solve_errors
    monkeypatch.setattr(neumann, "solve_errors", interrupted)
    result = run(*arguments)
    assert result.exit_code == 130
    assert "goes on from there" in result.output
    assert "Traceback" not in result.output

    monkeypatch.setattr(neumann, "solve_errors", counted)
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    assert [row["n"] for row in json.loads(result.stdout)["rows"]] == [23, 47]
    assert solved == [47]
    assert not (tmp_path / ".unfinished").exists()


def test_other_options_do_not_take_over_rows(tmp_path):
    batch = Batch(tmp_path, Options(points=1000))
    other = Batch(tmp_path, Options(points=2000))
    assert batch.folder != other.folder


# ------------------------------------------------------------------ the pieces


def test_stored_computes_once_and_removes_checkpoints(tmp_path):
    calls = []

    def compute(checkpoint):
        calls.append(checkpoint)
        checkpoint.with_name(checkpoint.name + ".gram").write_text("state")
        return {"l2": 0.1}

    assert stored(tmp_path, "a", compute) == {"l2": 0.1}
    assert stored(tmp_path, "a", compute) == {"l2": 0.1}
    assert len(calls) == 1
    assert [p.name for p in tmp_path.iterdir()] == ["rows.json"]
    stored(tmp_path, "b", compute)
    assert len(calls) == 2


def test_stored_refuses_a_damaged_file(tmp_path):
    (tmp_path / "rows.json").write_text("{")
    with pytest.raises(FileFormatError, match=r"damaged\. Delete it"):
        stored(tmp_path, "a", lambda checkpoint: {})


def test_work_adds_up_to_all():
    shown = []
    work = Work(Options(progress=lambda done, total: shown.append(done / total)), 10.0)
    work.part(4.0)(1, 2)
    work.done(4.0)
    work.part(6.0)(1, 3)
    work.done(6.0)
    assert np.allclose(shown, [0.2, 0.4, 0.6, 1.0])


def test_orders_and_slopes_of_a_power():
    rows = with_orders([Row(n, l2=5.0 * n**-1.5) for n in (10, 30, 70)])
    assert rows[0].order_l2 is None
    assert np.allclose([row.order_l2 for row in rows[1:]], 1.5)
    assert np.isclose(fitted_slope(rows, "l2"), -1.5)
    assert rows[1].order_h1 is None
    assert fitted_slope(rows, "h1") is None


def test_slope_leaves_the_first_rows_out():
    rows = [Row(5, l2=1.0), *(Row(n, l2=n**-2.0) for n in (10, 20, 40))]
    assert np.isclose(fitted_slope(rows, "l2", skip=1), -2.0)
    assert fitted_slope(rows, "l2", skip=0) < -2.5


def test_result_survives_json(figure):
    again = Result.from_json(json.loads(json.dumps(figure.to_json())))
    assert again == figure
    table = dataclasses.replace(figure, id="table-99", series=figure.series[:1])
    body = json.loads(json.dumps(table.to_json()))
    assert "series" not in body
    assert Result.from_json(body).series[0].rows == figure.series[0].rows


def test_json_has_no_infinity():
    table = Result("table-99", "", "condition", [Series("", [Row(1, condition=np.inf)])], {}, 0.0)
    assert json.loads(json.dumps(table.to_json(), allow_nan=False))["rows"][0]["condition"] is None


def test_only_refuses_options_without_use():
    Options(neurons=(3,)).only("figure-99", "neurons")
    with pytest.raises(ArgumentError, match=r"points = 4: figure-99 has nothing to set there"):
        Options(points=4).only("figure-99", "neurons")


def test_an_experiment_takes_options_or_their_attributes():
    entry = EXPERIMENTS["table-6"]
    one = entry(Options(neurons=(23,), points=1000))
    two = entry(neurons=(23,), points=1000)
    assert one.series[0].rows[0].l2 == two.series[0].rows[0].l2


def test_figure_files(figure, tmp_path):
    write(figure, tmp_path)
    assert (tmp_path / "figure-99.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert ET.parse(tmp_path / "figure-99.svg").getroot().tag.endswith("svg")
    lines = list(csv.reader((tmp_path / "figure-99.csv").read_text().splitlines()))
    assert lines[0] == ["panel", "label", "n", "l2", "h1", "order_l2", "order_h1"]
    assert len(lines) == 1 + 4 * 4


def test_figure_has_a_panel_for_each_and_its_slopes(figure):
    axes = [ax for ax in draw(figure).axes if ax.axison]
    assert [ax.get_title() for ax in axes] == ["d = 1", "d = 2"]
    legend = [t.get_text() for t in axes[0].get_legend().get_texts()]
    assert "one, $L^2$ (slope -2.00)" in legend
    assert "theory, $n^{-2.00}$" in legend
    assert axes[0].get_xscale() == axes[0].get_yscale() == "log"
    by_label = {line.get_label(): line for line in axes[0].get_lines()}
    x, y = by_label["theory, $n^{-2.00}$"].get_data()
    assert np.allclose(np.diff(np.log(y)) / np.diff(np.log(x)), -2.0)


def test_page_stands_alone(figure):
    table = dataclasses.replace(figure, id="table-99", series=figure.series[:1])
    html = page([figure, table])
    assert "A &lt;figure&gt;" in html
    assert "A note &amp; more." in html
    assert html.count("data:image/svg+xml;base64,") == 1
    assert not re.search(r'(src|href)="(?!data:|#)', html)
    for row in figure.series[0].rows:
        assert f"<td>{row.l2:.3e}</td>" in html


def test_csv_has_ranges_and_the_papers_numbers():
    row = Row(9, l2=0.2, spread={"l2": [0.1, 0.4]}, paper={"n": 10, "l2": 0.3})
    result = Result("table-99", "", "errors", [Series("s", [row])], {}, 0.0)
    header, line = as_csv(result).splitlines()
    assert header == "panel,label,n,l2,l2_least,l2_largest,paper_n,paper_l2"
    assert line == ",s,9,0.2,0.1,0.4,10,0.3"


def test_text_of_a_figure_names_every_curve(figure):
    text = as_text(figure)
    assert text.count("d = 1") == 4  # two curves, two norms
    assert "- A note & more." in text
