# make test, make demo: all that a fresh machine needs is Python 3.11 or newer, make and git.
#
#   make test ARGS="-k gauss"         arguments for pytest (or for the demo, the benchmark)
#   make test PYTHON=python3.12       the interpreter from which .venv is made

PYTHON ?= python3
VENV   ?= .venv
ARGS   ?=

BIN        := $(VENV)/bin
STAMP      := $(VENV)/.installed-dev
DOCS_STAMP := $(VENV)/.installed-docs

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint format bench docs clean distclean

help:
	@echo "make demo       solve a problem and print its errors"
	@echo "make test       run the tests"
	@echo "make lint       ruff, mypy, import-linter"
	@echo "make format     let ruff repair what it can"
	@echo "make bench      measure the engine"
	@echo "make docs       build the documentation"
	@echo "make clean      remove caches and builds (distclean: the environment too)"

setup: $(STAMP)

demo: $(STAMP)
	$(BIN)/linnet demo $(ARGS)

test: $(STAMP)
	$(BIN)/python -m pytest $(ARGS)

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(STAMP)
	$(BIN)/python benchmarks/engine.py --json $(ARGS)

ifneq ($(wildcard docs/conf.py),)
docs: $(DOCS_STAMP)
	$(BIN)/python -m sphinx -W --keep-going -b html docs docs/_build/html $(ARGS)
else
docs:
	@echo "There is no docs/conf.py yet." >&2; exit 1
endif

# The environment is made once, and again only where pyproject.toml has changed.
$(STAMP): pyproject.toml
	@command -v $(PYTHON) >/dev/null || { \
	  echo "linnet needs Python 3.11 or newer, and there is no '$(PYTHON)' here." >&2; \
	  echo "Name one: make PYTHON=/path/to/python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "linnet needs Python 3.11 or newer; '$(PYTHON)' is `$(PYTHON) -V 2>&1`." >&2; \
	  echo "Name another: make PYTHON=/path/to/python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV) || { \
	  echo "'$(PYTHON) -m venv' failed (Debian and Ubuntu need the package python3-venv)." >&2; \
	  exit 1; }
	@echo "Installing linnet and its tools into $(VENV) (once; a minute or two) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

$(DOCS_STAMP): $(STAMP)
	@echo "Installing the documentation's tools into $(VENV) (once) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	@touch $@

clean:
	rm -rf build dist out docs/_build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	rm -rf .import_linter_cache .coverage htmlcov
	find src tests examples benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

distclean: clean
	rm -rf $(VENV)
