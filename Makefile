# `make run` shows the whole path on this machine, `make test` checks it. Both need Python 3.11,
# make, g++ and perl, and install everything else in .venv on their first run.

PYTHON ?= python3
JOBS ?= 2
SHARE ?= full
BIN := .venv/bin

.PHONY: help setup run test test-full test-slow verify prove mutants measure power search soc picture docs wheel lock clean

help:
	@echo "make setup    install the pinned tools into .venv"
	@echo "make run      build a core, encrypt a file with it, check, synthesize and place it"
	@echo "make test     lint, and run the everyday tests"
	@echo "make test-full  all tests, slow ones too; SHARE=2 runs half of the slow ones"
	@echo "make test-slow  the slow tests alone; SHARE=4 runs a quarter of them"
	@echo "make verify   every configuration of every preset, 10,000 random blocks in each check,"
	@echo "              and 10^8 cycles of a core of each engine"
	@echo "make prove    prove every configuration and write the table in docs/tables"
	@echo "make mutants  break a core of each engine in many ways and count the faults caught"
	@echo "make measure  measure the points of results/space.toml and write them into the docs"
	@echo "make power    estimate the energy per block of every preset, and the power of fan (hours)"
	@echo "make search   search tower fields for S-boxes again, and write the smallest as RTL"
	@echo "make soc      run the driver on a RISC-V processor and print clocks per byte"
	@echo "make docs     build the documentation site into build/site"
	@echo "make wheel    build a wheel in build/wheel, which works without this tree"
	@echo "make picture  take the picture of the report that the README shows"
	@echo "make lock     pin the newest versions of all dependencies"

setup: .venv/stamp

# Hashes are checked, and nothing is fetched when the lock has not changed. A package without a wheel
# (wavedrom) is built as PEP 517 has it, so that pip, and not setuptools, installs what its build needs.
.venv/stamp: requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11 setup")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --use-pep517 --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

run: setup
	$(BIN)/python examples/end_to_end.py build/run

test: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n $(JOBS)

test-full: setup
	AESFORGE_TESTS=$(SHARE) $(BIN)/python -m pytest -n $(JOBS)

test-slow: setup
	AESFORGE_TESTS=$(SHARE) $(BIN)/python -m pytest -n $(JOBS) -m 'slow and not full' --durations=20

# The 10^8 cycles of each engine: half a minute (serial) to five minutes (interleaved) of a processor,
# and more for the unrolled engine.
verify: setup
	AESFORGE_TESTS=full $(BIN)/python -m pytest -n $(JOBS) -m full

prove: setup
	-$(BIN)/aesforge proofs
	$(BIN)/aesforge tables

mutants: setup
	-$(BIN)/aesforge mutants
	$(BIN)/aesforge tables

# May be interrupted; it continues where it stopped. A failed point becomes a row with the reason.
measure: setup
	-$(BIN)/aesforge sweep results/space.toml --store results/measured.jsonl --jobs $(JOBS)
	$(BIN)/aesforge tables

# Needs Debian's opensta and qflow-tech-osu018.
power: setup
	for cells in osu018 osu018_gated; do \
	  $(BIN)/aesforge power fan sbox=shallow --target $$cells --delay 1500 --mhz 182 --store results/power.jsonl || exit; \
	done
	for preset in $$($(BIN)/python -c 'from aesforge.space.presets import presets; \
	  print(*(name for name, one in presets().items() if one.config.protection == "none"))'); do \
	  $(BIN)/aesforge power $$preset --target osu018 --store results/power.jsonl || exit; \
	done
	$(BIN)/aesforge tables

# Needs Debian's opensta and qflow-tech-osu018.
search: setup
	$(BIN)/aesforge search --target osu018 --store results/sboxes.jsonl --write rtl/sbox
	$(BIN)/aesforge search gates --store results/gates.jsonl
	$(BIN)/aesforge search shallow --target osu018 --delay 6400 --store results/sboxes_shallow.jsonl --write rtl/field
	$(BIN)/aesforge tables

# Needs Debian's gcc-riscv64-unknown-elf.
soc: setup
	$(BIN)/python examples/soc/soc.py build/soc

wheel: setup
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir build/wheel .

# Diagrams and waveforms are drawn once and kept in build/diagrams.
docs: setup
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# Needs Debian's chromium and chromium-driver.
picture: setup
	mkdir -p build
	$(BIN)/aesforge report -o build/report.html --store results/measured.jsonl
	$(BIN)/python docs/picture.py build/report.html docs/report.png

lock:
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --extra dev -o requirements.lock pyproject.toml

clean:
	rm -rf build .venv
