# Two commands: `make` sets up Muster and builds everything into build/; `make test` proves it.
# A Python other than python3: `make PYTHON=python3.13`.

PYTHON ?= python3
JOBS ?= auto

VENV := .venv
BIN := $(VENV)/bin
# Each stamp stands for a step that need not be done again until what it read has changed.
PINS := $(VENV)/.pins
INSTALLED := $(VENV)/.installed

# Tests start hundreds of processes: their modules are compiled once.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := build
.DELETE_ON_ERROR:
.PHONY: build ready quick test coverage clean lock reference picture fonts help

build: ready  ## set up what is missing, then build every document into build/
	$(BIN)/muster build

ready: $(INSTALLED)  ## set up only: .venv, the system's libraries, the muster command
	@.ci/machine libraries $(BIN)/python
	$(if $(filter ready,$(MAKECMDGOALS)),@echo "muster: ready: $(BIN)/muster --help says what it does")

$(PINS): requirements.txt requirements-dev.txt
	@.ci/machine python "$(PYTHON)"
	@echo "muster: setting up $(VENV): 750 MB, one to three minutes, once"
	@.ci/machine python $(BIN)/python 2>/dev/null || "$(PYTHON)" -m venv --clear $(VENV)
	@.ci/machine packages $(BIN)/python
	@touch $@

$(INSTALLED): $(PINS) pyproject.toml
	@echo "muster: installing the muster command"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-index --no-deps \
		--no-build-isolation --editable .
	@touch $@

# The tests that render no document.
QUICK := $(addprefix tests/,values tables yamlfile systems armies editions documents content cases)

quick: ready  ## under a minute: lint, types, import contracts, the tests that render nothing
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/pytest --quiet --numprocesses=$(JOBS) -m "not slow" $(QUICK)

test: ready  ## ruff, mypy and pytest
	@.ci/machine browser || true
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	@# mypy keeps one core busy; the tests meanwhile have the others.
	$(BIN)/mypy & types=$$!; \
	$(BIN)/pytest --numprocesses=$(JOBS) --dist=loadgroup --no-loadscope-reorder; tests=$$?; \
	wait $$types || { echo "muster: mypy found what stands above the tests" >&2; exit 1; }; \
	exit $$tests

coverage: ready  ## all tests again, twice as slow, with the branches that they leave out
	$(BIN)/pytest --numprocesses=$(JOBS) --dist=loadgroup --no-loadscope-reorder --cov --cov-report=term --cov-fail-under=95

clean:  ## remove what was built and what tools left behind, and .venv
	rm -rf $(VENV) .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache dist
	find build -mindepth 1 ! -name .gitignore ! -name README.md -delete
	find generator tests .ci -name __pycache__ -type d -prune -exec rm -rf {} +

lock: ready  ## renew the pins in requirements*.txt from pyproject.toml
	.ci/lock

reference: ready  ## write content/REFERENCE.md anew, from the descriptions of keys
	$(BIN)/python .ci/write_reference.py

picture: ready  ## renew the README's pictures (needs pdftoppm, from poppler, and Chromium)
	$(BIN)/muster build --only builder
	$(BIN)/python .ci/picture_builder.py build/builder/index.html .readme/builder.png
	$(BIN)/muster build slaughterloo --only sheet --format pdf
	pdftoppm -png -r 92 -f 2 -l 2 -singlefile build/slaughterloo/quick-reference.pdf .readme/sheet
	$(BIN)/python -c "from PIL import Image; p = '.readme/sheet.png'; \
		Image.open(p).quantize(64).save(p, optimize=True)"

fonts: ready  ## cut the bundled fonts anew: make fonts SOURCES=folder (templates/fonts/README.md)
	$(BIN)/python .ci/cut_fonts.py "$(SOURCES)" templates/fonts
	$(BIN)/python .ci/add_letters.py "$(SOURCES)" templates/fonts

help:  ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' Makefile
