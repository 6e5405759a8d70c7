"""Reports and files of values: they carry everything with them, and read back as they were."""

import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")

import linnet as ln
from linnet import plotting
from linnet.report import Page
from linnet.writers import write_csv, write_npz, write_vtk


class Reader(HTMLParser):
    """Tags that are open, links that lead away, and the text."""

    def __init__(self, text):
        super().__init__()
        self.open, self.sources, self.tags, self.text = [], [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.sources += [value for name, value in attributes if name in ("src", "href")]
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_a_page_is_complete_in_itself_and_escapes_everything():
    evil = '<script>alert("1")</script> & "quotes" \''
    page = Page(evil)
    page.heading(evil)
    page.text(evil)
    page.code(evil)
    page.list([evil])
    page.table([(evil, 1.5)], header=[evil, "value"])
    figure = plotting.plot_singular_values([1.0, 0.1])
    page.picture(figure, evil)
    plotting.close(figure)
    read = Reader(page.html())
    assert not read.open
    assert "script" not in read.tags
    assert read.text.count(evil) == 9  # title and heading, and once for each call
    assert len(read.sources) == 1
    assert read.sources[0].startswith("data:image/png;base64,iVBOR")  # a PNG's first bytes
    assert not re.search(r"https?:|url\(|@import", page.html())


def test_an_empty_list_leaves_nothing():
    page = Page("title")
    page.list([])
    assert "<ul>" not in page.html()


def test_csv_reads_back_to_the_last_bit(tmp_path):
    x = np.random.default_rng(0).standard_normal((20, 2)) * 10.0 ** np.arange(-10, 10)[:, None]
    write_csv(tmp_path / "u.csv", x, {"u": x[:, 0] / 3}, ("x", "t"))
    assert (tmp_path / "u.csv").read_text().startswith("x,t,u\n")
    table = np.loadtxt(tmp_path / "u.csv", delimiter=",", skiprows=1)
    np.testing.assert_array_equal(table, np.column_stack([x, x[:, 0] / 3]))


def test_npz_has_the_shape_of_the_grid(tmp_path):
    x = ln.Box(0, 1, dim=2).grid((3, 4)).points
    write_npz(tmp_path / "u.npz", x, {"u": x[:, 0] + 10 * x[:, 1]}, (3, 4))
    with np.load(tmp_path / "u.npz") as file:
        assert file["points"].shape == (3, 4, 2)
        np.testing.assert_array_equal(file["u"], file["points"] @ [1, 10])


@pytest.mark.parametrize("shape", [(3, 4), (2, 3, 4)])
def test_vtk_image_data_put_every_value_where_it_belongs(tmp_path, shape):
    """Points run x fastest in VTK: x = origin + spacing·index gives the field back."""
    d = len(shape)
    box = ln.Box([0.0, -1.0, 5.0][:d], [1.0, 2.0, 6.0][:d])
    points = box.grid(shape).points
    weights = np.array([1.0, 10.0, 100.0])[:d]
    write_vtk(tmp_path / "u.vti", box, shape, {"u": points @ weights, "v": points[:, 0] / 3})
    image = ET.parse(tmp_path / "u.vti").getroot().find("ImageData")
    extent = np.array(image.get("WholeExtent").split(), dtype=int).reshape(3, 2)
    origin, spacing = (np.array(image.get(k).split(), dtype=float) for k in ("Origin", "Spacing"))
    counts = extent[:, 1] - extent[:, 0] + 1
    np.testing.assert_array_equal(counts, (*shape, 1)[:3])
    k, j, i = np.unravel_index(np.arange(counts.prod()), counts[::-1])
    place = origin + spacing * np.stack([i, j, k], axis=1)
    arrays = {a.get("Name"): np.array(a.text.split(), dtype=float) for a in image.iter("DataArray")}
    np.testing.assert_allclose(arrays["u"], place[:, :d] @ weights, rtol=1e-14, atol=1e-14)
    np.testing.assert_allclose(arrays["v"], place[:, 0] / 3, rtol=1e-14)


def test_vtk_has_two_or_three_dimensions(tmp_path):
    with pytest.raises(ln.ArgumentError, match="two or three dimensions"):
        write_vtk(tmp_path / "u.vti", ln.Box(0, 1), (3,), {"u": np.zeros(3)})
