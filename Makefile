# Needs python3 (3.11 or newer) and make; everything else is set up in .venv, in this checkout.

VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Each worker and each command that a test starts would compile all of the program anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help play serve bundle site extension test test-all long slowest check types lint bench bench-check tables fuzz fuzz-editor mutants format package clean piecemeal

help: ## Lists what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

play: $(VENV)/plays ## Plays Outspeed: you against three bots
	@$(BIN)/rulelang play outspeed --players 4
	@echo
	@echo "To type rulelang yourself in this shell:  . $(BIN)/activate"

serve: $(VENV)/serves ## Opens the games in a browser
	@$(BIN)/rulelang serve

test: $(VENV)/tests ## Runs all tests but the long ones, in some four minutes
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not long"

long: $(VENV)/tests ## Runs the long tests: whole games, many seeds, long logs; in some fifteen minutes
	$(BIN)/python -m pytest -n auto --dist worksteal -m long

test-all: test long ## Runs all tests

slowest: $(VENV)/tests ## Runs all tests and writes the fifty slowest to tests/slowest.md
	$(BIN)/python -m pytest -n auto --dist worksteal --junitxml build/tests.xml
	$(BIN)/python -m tests.slowest build/tests.xml > tests/slowest.md

check: $(VENV)/tests ## Everything that must hold before a change is committed
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory --jobs 2 types test

types: $(VENV)/tests ## Checks the types
	$(BIN)/mypy rulelang cli grammar tests

lint: $(VENV)/tests ## Checks the style, what imports what, and the format of the rules
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/rulelang fmt --check games tests/classics tests/perft

bench: $(VENV)/tests ## Measures speed, as ratios within one run
	$(BIN)/rulelang bench

bench-check: $(VENV)/tests ## Fails where a ratio fell by more than a fifth of the one in benchmarks/ratios.json (KEEP=1 writes them)
	$(BIN)/rulelang bench --seconds 0.15 --rounds 3 $(if $(KEEP),--keep,--against) benchmarks/ratios.json

tables: $(VENV)/tests ## Works out the parser's tables anew, after a change of grammar/rules.lark
	$(BIN)/python grammar/__main__.py

fuzz: $(VENV)/tests ## Attacks with seeded inputs for an hour (SECONDS=…, ATTACKS="texts logs cache twins deals executors mutants bounds functions", SEED=…)
	$(BIN)/python -m tests.fuzz --seconds $(or $(SECONDS),3600) $(if $(SEED),--seed $(SEED)) $(ATTACKS)

fuzz-editor: $(VENV)/tests ## Edits all games at random over the language server's streams (EDITS=10000, SEED=1)
	$(BIN)/python -m tests.language_service.conformance $(or $(EDITS),10000) $(or $(SEED),1)

mutants: $(VENV)/tests ## Changes a room's functions one by one, and prints the changes that no test notices (ROOM=rulelang/variants, TESTS=tests/variants, COUNT=60)
	$(BIN)/python -m tests.mutants $(or $(ROOM),rulelang/variants) --tests $(or $(TESTS),tests/variants) --count $(or $(COUNT),60)

format: $(VENV)/tests ## Puts code and rules into the one style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/rulelang fmt games tests/classics tests/perft

package: $(VENV)/tests ## Builds the sdist and the wheel into dist/ and checks both
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/twine check --strict dist/*
	$(BIN)/check-wheel-contents dist/*.whl

clean: ## Removes what was set up
	rm -rf $(VENV) build dist *.egg-info

$(VENV)/plays: pyproject.toml
	@echo "Setting up in $(VENV) (once) ..."
	@python3 -m venv $(VENV)
	@$(INSTALL) --editable .
	@$(BIN)/python -c "from rulelang.api.loading import write_checked; write_checked()"
	@touch $@

$(VENV)/serves: $(VENV)/plays
	@$(INSTALL) --editable '.[web]'
	@touch $@

bundle: ## Bundles the pages' script anew, after a change of web/src (needs Node)
	cd web && npm ci --ignore-scripts --no-audit --no-fund && node build.mjs

extension: ## Packs the extension of VS Code into editors/vscode/*.vsix (needs Node)
	cd editors/vscode && npm ci --ignore-scripts --no-audit --no-fund && npm run --silent package

site: $(VENV)/tests ## Builds the site in build/site: the docs, a gallery of games, the playground (needs Node)
	cd web && npm ci --ignore-scripts --no-audit --no-fund
	@$(BIN)/python -m website build/site

$(VENV)/tests: $(VENV)/plays
	@$(INSTALL) --only-binary :all: --editable '.[dev,web,lsp,openspiel,native,pettingzoo,tables,zstd,lab,site]' 2> /dev/null \
		|| $(MAKE) --no-print-directory piecemeal
	@touch $@

# Where something has no build for this machine, all that has one.
piecemeal:
	@$(INSTALL) --editable '.[dev,web,lsp]'
	@$(INSTALL) --only-binary :all: --editable '.[openspiel]' \
		|| echo "OpenSpiel has no build for this machine: its tests are skipped"
	@$(INSTALL) --only-binary :all: --editable '.[native]' \
		|| echo "llvmlite has no build for this machine: tests of the native executor are skipped"
	@$(INSTALL) --only-binary :all: --editable '.[pettingzoo]' \
		|| echo "PettingZoo has no build for this machine: its tests are skipped"
	@$(INSTALL) --only-binary :all: --editable '.[tables,zstd,lab]' \
		|| echo "DuckDB, PyArrow, zstd or NumPy has no build for this machine: tests of tables, studies and compressed logs are skipped"
	@$(INSTALL) --only-binary :all: --editable '.[site]' \
		|| echo "Zensical has no build for this machine: tests of the site are skipped"
