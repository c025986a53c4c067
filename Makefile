# Two commands a newcomer needs: `make run` and `make test`. Both set up what they need.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
# The versions that development and CI use; `make LOCK= test` takes the newest that pyproject.toml allows.
LOCK   ?= constraints.txt
LOCKED := $(if $(LOCK),--constraint $(LOCK) --build-constraint $(LOCK))
# More options for pytest, such as PYTEST="-k crossword".
PYTEST ?=
SPREAD := -n auto --dist loadfile --no-loadscope-reorder
TESTS  := $(BIN)/python -m pytest $(SPREAD)
# For `make soak`: how many runs, and how many processes that keep the processor busy meanwhile.
N      ?= 20
LOAD   ?= 2

.PHONY: run serve data docs links test tests check format lowest coverage soak mutants lock clean
.DEFAULT_GOAL := run

$(READY): pyproject.toml $(LOCK)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.3"
	$(BIN)/python -m pip install --quiet $(LOCKED) --editable . --group dev
	@touch $@

run: $(READY)  ## solve a shipped puzzle with the embedded lexicon: no key, no network, the same on every machine
	GRIDWRIGHT_LEXICON=permissive $(BIN)/gridwright solve data/demo/plain-words.xd --offline

serve: $(READY)  ## solve in the browser
	$(BIN)/gridwright serve --open

data: $(READY)  ## fetch the puzzles we evaluate on and do not own, into data/fetched or GRIDWRIGHT_DATA
	$(BIN)/python data/fetch.py

$(VENV)/.docs: $(READY)
	$(BIN)/python -m pip install --quiet $(LOCKED) --group docs
	@touch $@

docs: $(VENV)/.docs  ## build the documentation site into build/site; a dead link ends it
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs build/site

links: $(VENV)/.docs  ## ask other sites whether what we link to is there; needs a network
	$(BIN)/python -m sphinx -q -W --keep-going -b linkcheck docs build/links

test: check tests  ## lint, types, layers, then every test, doctest, README example and notebook

tests: $(READY)
	$(TESTS) $(PYTEST)

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lowest:  ## run the tests with the lowest versions that pyproject.toml allows; old packages may use what is deprecated
	$(PYTHON) -m venv --clear build/uv
	build/uv/bin/python -m pip install --quiet uv
	build/uv/bin/uv pip compile --quiet --all-extras --resolution lowest-direct --output-file build/lowest.txt pyproject.toml
	$(MAKE) tests VENV=build/lowest LOCK=build/lowest.txt PYTEST="-W default::DeprecationWarning $(PYTEST)"

coverage: $(READY)  ## the share of lines and branches that the tests run, file by file
	$(TESTS) --cov=agent --cov=lexicon $(PYTEST)

soak: $(READY)  ## run the tests N times on a busy machine, and list what failed
	$(BIN)/python tests/soak.py --runs $(N) --load $(LOAD) $(SPREAD) $(PYTEST)

mutants: $(READY)  ## change one thing at a time in a ROOM of the code, and list the changes that no test notices
	$(BIN)/python -m pip install --quiet $(LOCKED) --group mutants
	$(BIN)/python tests/mutants.py $(ROOM)

lock:  ## write the newest versions into constraints.txt; with the oldest Python, whose packages serve the others too
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11) and "make lock needs PYTHON=python3.11")'
	$(PYTHON) -m venv --clear build/lock
	build/lock/bin/python -m pip install --quiet --upgrade "pip>=25.3"
	build/lock/bin/python -m pip install --quiet --editable . --group dev --group docs --group mutants
	echo "# Written by make lock: the versions that development and CI use. Users get the ranges of pyproject.toml." > constraints.txt
	build/lock/bin/python -m pip freeze --exclude-editable >> constraints.txt
	rm -rf build/lock

clean:
	rm -rf $(VENV) dist build .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
