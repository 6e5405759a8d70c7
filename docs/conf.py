"""The documentation: pages in MyST, a gallery that is executed, the API from docstrings."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

import linnet

project = "linnet"
author = "the linnet authors"
copyright = "the linnet authors, MIT licence"
version = release = linnet.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.mathjax",
    "sphinx.ext.viewcode",
    "gallery",  # _ext/gallery.py: runs examples/
]
exclude_patterns = ["_build", "peers.md", "_generated/peers.md", "_generated/experiments.md"]
nitpicky = False

myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath", "smartquotes"]
myst_heading_anchors = 3
suppress_warnings = ["myst.strikethrough"]

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings say the types, and the shapes
autodoc_class_signature = "mixed"
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False

html_theme = "furo"
html_title = "linnet"
html_static_path = ["_static"]
html_css_files = ["linnet.css"]
html_show_sphinx = False
html_copy_source = False
