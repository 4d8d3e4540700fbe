# The README's two commands are `make demo` and `make test`; `make check` is what CI runs.

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python3.14; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV ?= .venv
BIN := $(VENV)/bin
RUN := $(BIN)/python -m langchain_contextmode
# For `make test-all`: interpreters to try; those that are missing are named and skipped.
PYTHONS ?= python3.11 python3.12 python3.13

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help demo test lint check test-all bench clean

help: ## List the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

# The environment is built once, and again when pyproject.toml changes.
$(VENV)/.core: pyproject.toml
	@test -n '$(PYTHON)' || { echo 'Python 3.11 or newer is needed; name it with PYTHON=...' >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo 'Installing langchain-contextmode into $(VENV) ...'
	@$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	@$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.core
	@echo 'Installing what the tests need into $(VENV) ...'
	@$(BIN)/python -m pip install --quiet --editable '.[all]' --group dev
	@touch $@

demo: $(VENV)/.core ## Show what context mode makes of a bundled conversation (no API key)
	@$(RUN) demo

test: $(VENV)/.dev ## Run the tests
	@$(BIN)/python -m pytest --numprocesses=auto --dist=worksteal

lint: $(VENV)/.dev ## Check style and types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

check: lint test ## All of it, as CI does

test-all: ## Run the tests on every Python of PYTHONS that is installed
	@set -e; for p in $(PYTHONS); do \
		if $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			echo "== $$p"; $(MAKE) --no-print-directory test PYTHON=$$p VENV=.venv-$$p; \
		else echo "== $$p is not installed"; fi; \
	done

# Evaluation data is not part of this repository: DATA names a folder with locomo/, tau_bench_airline/, coding_agent_traces/, ...
DATA ?=
MINILM ?=
bench: $(VENV)/.dev ## Print the README's measurements: make bench DATA=folder [MINILM=folder of all-MiniLM-L6-v2 as ONNX]
	@test -n '$(DATA)' || { echo 'Name the folder of the evaluation data: make bench DATA=...' >&2; exit 2; }
	@$(BIN)/python tests/benchmarks/locomo.py '$(DATA)/locomo' $(if $(MINILM),--minilm '$(MINILM)')
	@$(BIN)/python tests/benchmarks/tool_values.py '$(DATA)'
	@$(BIN)/python tests/benchmarks/token_estimate.py '$(DATA)'
	@$(BIN)/python tests/benchmarks/preferences.py '$(DATA)'
	@$(BIN)/python tests/benchmarks/pins.py '$(DATA)'
	@$(BIN)/python tests/benchmarks/spans.py '$(DATA)'
	@$(BIN)/python tests/benchmarks/query_rewriting.py '$(DATA)'
	@$(BIN)/python tests/benchmarks/memory_recall.py '$(DATA)' $(if $(MINILM),--minilm '$(MINILM)')
	@$(BIN)/python tests/benchmarks/recall_gate.py '$(DATA)' --sample 400
	@$(BIN)/python tests/benchmarks/task_values.py '$(DATA)' --others
	@$(BIN)/python tests/benchmarks/survival.py
	@$(BIN)/python tests/benchmarks/drop_and_ask.py
	@$(BIN)/python tests/benchmarks/long_trip.py
	@$(BIN)/python tests/benchmarks/overhead.py

clean: ## Remove the environments and caches
	rm -rf .venv .venv-* .pytest_cache .mypy_cache .ruff_cache .hypothesis .langgraph_api build dist
