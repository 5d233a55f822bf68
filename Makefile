# SPDX-License-Identifier: Apache-2.0 OR MIT
# Every target checks and installs what its own job needs first (`deps`), may be run twice, and keeps to this
# checkout: everything it writes is under target/, traces/out/ or docs/book/.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory --no-builtin-rules
# The tools called here bring their own job control; a jobserver that they cannot reach only earns warnings.
unexport MAKEFLAGS MFLAGS
.DEFAULT_GOAL := help

# Tools that `deps` builds with cargo land in its bin directory, which need not be on the path yet.
export PATH := $(PATH):$(or $(CARGO_HOME),$(HOME)/.cargo)/bin

# What a command line may set.
JOB ?= test docs
PART ?=
TARGET ?=
SECONDS ?= 60

.PHONY: help
help: ## list the targets (the default)
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: deps
deps: ## check for the tools of each JOB and install what is missing; JOB="test docs" names the targets
	@make/deps.sh $(JOB)

.PHONY: test
test: ## everything that guards a merge; PART="..." runs only the parts named
	@make/deps.sh test
	@make/test.sh $(PART)

.PHONY: lint
lint: ## formatting, clippy, HDL lint, dependencies, documents
	@make/deps.sh lint
	@make/test.sh documents format hdl-lint dependencies clippy rustdoc

.PHONY: prove
prove: ## prove the laws of the decoder for all words, with Yosys
	@make/deps.sh prove
	@make/prove.sh

.PHONY: fuzz
fuzz: ## fuzz each target in turn, or TARGET=..., for SECONDS=60
	@make/deps.sh fuzz
	@TARGET=$(TARGET) SECONDS=$(SECONDS) fuzz/run.sh

.PHONY: bench
bench: ## run the benchmarks and rewrite the tables of docs/benchmarks.md
	@make/deps.sh bench
	@make/bench.sh

.PHONY: coverage
coverage: ## coverage of the Rust code, as a page in target/coverage/html
	@make/deps.sh coverage
	@make/coverage.sh

.PHONY: docs
docs: ## the API documentation (target/doc) and the guide (docs/book)
	@make/deps.sh docs
	@cargo doc --locked --workspace --no-deps
	@mdbook build docs

.PHONY: clean
clean: ## delete what was built, but not the tools in target/tools
	@find target -mindepth 1 -maxdepth 1 ! -name tools -exec rm -rf {} + 2>/dev/null || true
	@rm -rf traces/out docs/book fuzz/corpus fuzz/artifacts fuzz/coverage
