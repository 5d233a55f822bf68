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
SEED ?=
BUDGET ?=
FILTER ?=
JOBS ?=
TARGET ?=
SECONDS ?= 60

.PHONY: help
help: ## list the targets (the default)
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: deps
deps: ## check for the tools of each JOB and install what is missing; JOB="test docs" names the targets
	@make/deps.sh $(JOB)

.PHONY: run
run: ## build the tool without RTL, run the example scenario, write its waveform
	@make/deps.sh run
	@make/run.sh

.PHONY: view
view: ## open the trace written last in GTKWave
	@make/deps.sh view
	@make/view.sh

.PHONY: cosim
cosim: ## model and RTL in lock-step on seeded words; SEED= BUDGET= FILTER= JOBS=
	@make/deps.sh cosim
	@make/rtl.sh cosim $(if $(SEED),--seed $(SEED)) $(if $(BUDGET),--budget $(BUDGET)) \
	  $(if $(FILTER),--filter $(FILTER)) $(if $(JOBS),--jobs $(JOBS))

.PHONY: mutants
mutants: ## check that the co-simulation finds every deliberate fault; FILTER= for the RTL's
	@make/deps.sh mutants
	@make/rtl.sh mutants $(if $(FILTER),--filter $(FILTER))
	@$(if $(FILTER),,python3 make/model_mutants.py)

.PHONY: test
test: ## everything that guards a merge; PART="..." runs only the parts named
	@make/deps.sh test
	@make/test.sh $(PART)

.PHONY: test-long
test-long: ## what test leaves out: long runs, the current Verilator, faults of the model
	@make/deps.sh test-long
	@make/test_long.sh $(PART)

.PHONY: lint
lint: ## formatting, clippy, HDL lint, dependencies, documents
	@make/deps.sh lint
	@make/test.sh documents floors format hdl-lint dependencies clippy rustdoc

.PHONY: prove
prove: ## prove the laws of the decoder for all words, with Yosys
	@make/deps.sh prove
	@make/prove.sh

.PHONY: fuzz
fuzz: ## fuzz each target in turn, or TARGET=..., for SECONDS=60
	@make/deps.sh fuzz
	@SB2SB_FUZZ_STATS=1 TARGET=$(TARGET) SECONDS=$(SECONDS) fuzz/run.sh

.PHONY: bench
bench: ## run the benchmarks and rewrite the tables of docs/benchmarks.md
	@make/deps.sh bench
	@make/bench.sh

.PHONY: coverage
coverage: ## coverage of the Rust code, as a page in target/coverage/html
	@make/deps.sh coverage
	@make/coverage.sh

.PHONY: docs
docs: ## the API documentation (target/rtl/doc) and the guide (docs/book)
	@make/deps.sh docs
	@cargo doc --locked --target-dir target/rtl --workspace --no-deps --all-features
	@mdbook build docs

.PHONY: pictures
pictures: ## take the documents' pictures with GTKWave
	@make/deps.sh pictures
	@make/pictures.sh

.PHONY: clean
clean: ## delete what was built, but not the tools in target/tools
	@find target -mindepth 1 -maxdepth 1 ! -name tools -exec rm -rf {} + 2>/dev/null || true
	@rm -rf traces/out docs/book fuzz/corpus fuzz/artifacts fuzz/coverage
