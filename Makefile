# Everything a person types. `make` alone lists the targets.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
DEMO_PORT ?= 8080
CORES := $(shell getconf _NPROCESSORS_ONLN)
# One more than there are cores, because tests wait for disks, servers and processes.
TEST_PROCESSES ?= $(shell echo $$(( $(CORES) + 1 )))
PYTEST = $(BIN)/pytest --dist loadfile --no-loadscope-reorder

MINUTES ?= 1
# Where the tests of a single source are.
SOURCE_TESTS := tests/sources tests/sandbox/test_sources_read_the_world.py tests/sandbox/test_world.py

.DEFAULT_GOAL := help
.PHONY: help demo dev test test-all coverage source test-source fuzz check format lint messages types contracts docs clients lock clean

help: ## List the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-11s %s\n", $$1, $$2}'

demo: $(VENV)/.sandbox ## Set up everything and run the service on a made-up Canada
	@$(BIN)/bonafide demo --port $(DEMO_PORT)

dev: $(VENV)/.sandbox ## Run the demo and start it again after each change in src/
	@$(BIN)/watchfiles --sigint-timeout 30 "$(BIN)/bonafide demo --port $(DEMO_PORT)" src

# Bytecode is kept, whatever the environment says: the tests start the service's interpreter dozens of times, and reading its sources
# is half of a start.
test test-all coverage: export PYTHONDONTWRITEBYTECODE =
# Threads of database connections come and go by the thousand, and each malloc arena keeps what was once allocated in it.
test test-all coverage: export MALLOC_ARENA_MAX = 2
test: $(VENV)/.dev ## Set up everything and run the quick tests, or all tests of a path: make test T=tests/store
ifdef T
	@$(PYTEST) -n $(TEST_PROCESSES) $(T)
else
	@$(PYTEST) -n $(TEST_PROCESSES) --tier quick
endif

test-all: $(VENV)/.dev ## Run the other tests: PostgreSQL, browser, fleet, fuzzing, real files, whole samples
	@$(PYTEST) -n $(TEST_PROCESSES) --tier full

coverage: $(VENV)/.dev ## Measure which lines and branches the quick tests run, or those of a path: make coverage T=tests/store
	@$(BIN)/coverage erase
	@$(BIN)/coverage run -m pytest $(if $(T),$(T),--tier quick)
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage report

source: $(VENV)/.dev ## Create the files of a new source: make source KIND=regulator KEY=osfi
	@$(BIN)/python -m bonafide_sandbox.new_source --kind "$(KIND)" --key "$(KEY)"

test-source: $(VENV)/.dev ## Run the tests of one source: make test-source KEY=osfi
	@$(BIN)/pytest -q --source "$(KEY)" $(SOURCE_TESTS)

fuzz: $(VENV)/.dev ## Feed every parser with damaged inputs: make fuzz MINUTES=10
	@$(BIN)/python -m tests.support.fuzzing.runner --minutes $(MINUTES)

check: $(VENV)/.dev ## Format, lint, types, import contracts, quick tests
	@$(BIN)/ruff format --check .
	@$(MAKE) --no-print-directory lint types contracts test

format: $(VENV)/.dev ## Format the code
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

lint: $(VENV)/.dev ## All ruff rules, and every message translated
	@$(BIN)/ruff check .
	@$(BIN)/python -m bonafide.i18n check

messages: $(VENV)/.dev ## Update the French catalogue from the code; then translate its empty entries
	@$(BIN)/python -m bonafide.i18n update

types: $(VENV)/.dev ## mypy, strict, for src and tests
	@$(BIN)/mypy

contracts: $(VENV)/.dev ## Imports point down only
	@$(BIN)/lint-imports

docs: $(VENV)/.dev ## Write the generated pages and docs/openapi.json anew
	@$(BIN)/python -m bonafide.api.openapi > docs/openapi.json
	@$(BIN)/python -m bonafide.sources.framework.reference_page > docs/reference/sources.md
	@$(BIN)/python -m bonafide.matching.scoring_reference > docs/reference/scoring.md
	@$(BIN)/python -m bonafide.docs_site.event_type_page > docs/reference/events.md
	@$(BIN)/python -m bonafide.docs_site.dependency_page > docs/reference/dependencies.md
	@$(BIN)/python -m bonafide.docs_site.module_map > docs/modules.md

clients: $(VENV)/.dev $(VENV)/.generators ## Generate the client libraries from docs/openapi.json (needs npm)
	@$(BIN)/python -m clients.generator

lock: $(VENV)/.dev ## Resolve the lock files anew (needs uv)
	@uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		pyproject.toml --group build -o requirements.lock
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["sandbox"], sep="\n")' \
		| uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate \
		-c requirements.lock - -o requirements-sandbox.lock
	@uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		pyproject.toml --extra bench --group build --group dev -c requirements.lock -o requirements-dev.lock
# Without what the tests have anyway. followthemoney permits an older networkx only, and does not need it here.
	@echo networkx | uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate \
		--group validators -c requirements-dev.lock --override /dev/stdin \
		$$(sed -n 's/^\([a-z0-9._-]*\)==.*/--no-emit-package \1/p' requirements-dev.lock | sort -u) -o requirements-validators.lock
# openapi-python-client permits an older typer only, and does not need it here.
	@echo typer | uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate \
		--group generators -c requirements-dev.lock --override /dev/stdin \
		$$(sed -n 's/^\([a-z0-9._-]*\)==.*/--no-emit-package \1/p' requirements-dev.lock | sort -u) -o requirements-generators.lock

clean: ## Remove the environment and the demo's data
	@rm -rf $(VENV) bonafide-data

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "bonafide needs Python 3.11 or newer: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "Python's venv module is missing; on Debian: apt-get install python3-venv"; exit 1; }

# The locks carry hashes, so that what is installed is what was tested; the project itself needs no index.
$(VENV)/.runtime: requirements.lock pyproject.toml | $(VENV)/bin/python
	@echo "Installing what the service needs ..."
	@$(PIP) install --require-hashes --no-deps -r requirements.lock
	@BONAFIDE_BUILD_EXTENSIONS=never $(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

# The C extensions; without a compiler this says that the slower Python implementation is used.
$(VENV)/.extensions: hatch_build.py $(wildcard native/*/*.[ch]) $(VENV)/.runtime
	@$(BIN)/python hatch_build.py
	@touch $@

$(VENV)/.sandbox: requirements-sandbox.lock $(VENV)/.extensions
	@echo "Installing what the made-up Canada needs ..."
	@$(PIP) install --require-hashes --no-deps -r requirements-sandbox.lock
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.validators $(VENV)/.extensions
	@echo "Installing what the tests need ..."
	@$(PIP) install --require-hashes --no-deps -r requirements-dev.lock
	@touch $@

# In a folder that only processes of the tests have on their path (tests/support/validators.py).
$(VENV)/.validators: requirements-validators.lock | $(VENV)/bin/python
	@echo "Installing the validators of file formats ..."
	@rm -rf $(VENV)/validators
	@$(PIP) install --require-hashes --no-deps --target $(VENV)/validators -r requirements-validators.lock
	@touch $@

# In folders that only processes of the generator have on their path (clients/generator).
$(VENV)/.generators: requirements-generators.lock clients/generator/package-lock.json | $(VENV)/bin/python
	@echo "Installing the generators of the client libraries ..."
	@rm -rf $(VENV)/generators
	@$(PIP) install --require-hashes --no-deps --target $(VENV)/generators -r requirements-generators.lock
	@cd clients/generator && npm ci --ignore-scripts --no-audit --no-fund --silent
	@touch $@
