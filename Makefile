# Two commands a newcomer needs: `make run` and `make test`. Both set up what they need.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: run serve data docs test check format clean
.DEFAULT_GOAL := run

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable . --group dev
	@touch $@

run: $(READY)  ## solve a shipped puzzle with the embedded lexicon: no key, no network, the same on every machine
	GRIDWRIGHT_LEXICON=permissive $(BIN)/gridwright solve data/demo/plain-words.xd --offline

serve: $(READY)  ## solve in the browser
	$(BIN)/gridwright serve --open

data: $(READY)  ## fetch the puzzles we evaluate on and do not own, into data/fetched or GRIDWRIGHT_DATA
	$(BIN)/python data/fetch.py

$(VENV)/.docs: $(READY)
	$(BIN)/python -m pip install --quiet --group docs
	@touch $@

docs: $(VENV)/.docs  ## build the documentation site into build/site; a dead link ends it
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs build/site

test: $(READY) check  ## lint, types, layers, then every test, doctest, README example and notebook
	$(BIN)/python -m pytest -n auto
	$(BIN)/python -m pytest -n auto --nbmake notebooks

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) dist build .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
