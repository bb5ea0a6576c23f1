# Two commands do everything on a fresh Debian 12: `make demo` and `make test`. Debian 13: docs/howto/install.md says what has been run.
SHELL := /bin/bash
JOBS ?= $(shell nproc)
empty :=
space := $(empty) $(empty)
# For test-sanitizers: asan (addresses and undefined behaviour) or tsan (threads).
SANITIZER ?= asan

.PHONY: coverage demo gait tables test test-tables test-cluster test-pages test-reliability test-python test-sanitizers test-clang test-systems build build-robots python wheel docs deb test-packages packages packages-for-tests packages-for-python lint fuzz fuzz-campaign gallery clean

packages:
	@tools/install_packages.sh build web

packages-for-tests:
	@tools/install_packages.sh build web test python

packages-for-python:
	@tools/install_packages.sh build web python

build: packages
	@cmake --preset release -DGONOGO_TESTS=OFF
	@cmake --build --preset release -j $(JOBS) --target gonogo

# The same without training and the paper, which neither the demonstration nor an audit of a robot needs.
build-robots: packages
	@cmake --preset release -DGONOGO_TESTS=OFF -DGONOGO_TRAIN=OFF -DGONOGO_PAPER=OFF
	@cmake --build --preset release -j $(JOBS) --target gonogo

# The program for tables alone: no MuJoCo, no robots (build/tables/bin/gonogo).
tables:
	@cmake --preset tables -DGONOGO_TESTS=OFF
	@cmake --build --preset tables -j $(JOBS) --target gonogo

# Measures the domains under examples/ again, in a Python of their own beside the build, and audits them (docs/gallery.md).
gallery: tables
	@python3 -m venv build/gallery
	@build/gallery/bin/pip install --quiet --require-hashes -r examples/sat/requirements.txt -r examples/caches/requirements.txt
	build/gallery/bin/python tools/gallery.py build/tables/bin/gonogo --measure

test-tables: packages-for-tests
	cmake --preset tables -DGONOGO_TESTS=ON -DGONOGO_PYTHON=ON
	cmake --build --preset tables -j $(JOBS)
	ctest --preset tables -j $(JOBS)

demo: build-robots
	@echo; echo "1 of 3  The instrument: a synthetic domain where an adapter pays by construction. The answer must be GO."; echo
	@build/release/bin/gonogo validate learner --learner ridge
	@echo; echo "2 of 3  The robot: a Go2 under its shipped policy, whose velocity command an adapter may change. Seven actions are tried from 960 states."; echo
	@if build/release/bin/gonogo version | grep -q 'without robots'; then echo "Left out: this build has no robots, because it found no MuJoCo 3 (tools/install_mujoco.sh gets it)."; \
		else build/release/bin/gonogo study robots/go2 --protocol robots/go2/demo.toml; fi
	@echo; echo "3 of 3  The same robot, told how high and how often to step, on rough ground and slopes. Its outcomes are kept (make gait-slopes"
	@echo "        collects them again); the audit of them runs here."; echo
	@build/release/bin/gonogo audit robots/go2_gait/alternatives/slopes.h5

# An adapter of the gait on ground that changes: from the declaration to report, exported adapter, closed loop and an episode of it
# beside two fixed gaits (robots/go2_gait).
gait: build-robots
	build/release/bin/gonogo declare robots/go2_gait/audit.toml
	build/release/bin/gonogo check robots/go2_gait || true
	build/release/bin/gonogo collect robots/go2_gait --out runs/gait
	build/release/bin/gonogo audit runs/gait/table.h5 --out runs/gait/audit --map ground_ahead --export runs/gait/adapter --export-anyway
	build/release/bin/gonogo confirm runs/gait/adapter robots/go2_gait --hold 25 --trials 1 --out runs/gait/confirm
	build/release/bin/gonogo rollout robots/go2_gait --target 2.4,1.6 --terrain mixed@0.1 --seed 7054 --controller adapter:runs/gait/adapter \
		--set adapter.hold=25 --beside action:step_height=0.03,action:step_height=0.11 --out runs/gait/episode.h5

# One of the further audits that were declared with it, robots/go2_gait/alternatives/*.toml: `make gait-slopes`. The closed loop holds
# a choice for as many decisions as the audit did.
gait-%: HOLD = 25
gait-prefix: HOLD = 12
gait-%: build-robots
	build/release/bin/gonogo declare robots/go2_gait/alternatives/$*.toml
	build/release/bin/gonogo collect robots/go2_gait --protocol robots/go2_gait/alternatives/$*.toml --out runs/gait-$*
	build/release/bin/gonogo audit runs/gait-$*/table.h5 --out runs/gait-$*/audit --map ground_ahead --export runs/gait-$*/adapter --export-anyway
	build/release/bin/gonogo confirm runs/gait-$*/adapter robots/go2_gait --hold $(HOLD) --trials 1 --out runs/gait-$*/confirm

test: packages-for-tests
	cmake --preset release -DGONOGO_TESTS=ON -DGONOGO_PYTHON=ON -DGONOGO_BENCH=ON
	cmake --build --preset release -j $(JOBS)
	tools/check.sh --quick
	ctest --preset release -j $(JOBS)
	GONOGO_FUZZ_SEED=1 tools/fuzz.sh 20 csv_table_fuzz hdf5_table_fuzz protocol_fuzz

# Several processes: MPI over two hosts made by the test, a real Slurm on loopback.
test-cluster: packages-for-tests
	@tools/install_packages.sh cluster
	cmake --preset release -DGONOGO_TESTS=ON
	cmake --build --preset release -j $(JOBS) --target gonogo gonogo_mpi
	tests/cluster/run_cluster_tests.sh build/release/bin/gonogo

# Every kind of page in a browser: axe, keyboard, console, two widths, light and dark.
test-pages: packages-for-tests
	cmake --preset release
	cmake --build --preset release -j $(JOBS) --target gonogo
	node tests/pages/pages_test.mjs build/release/bin/gonogo build/release/web

# Nothing lost, nothing let in (docs/reliability.md). Each part is a target of its own, too: hours in all, minutes with less, as in
# `make test-kills KILLS=12` or `make test-disks TRIES=2`.
KILLS ?= 100
TRIES ?= 100
RUNS ?=
RELIABILITY_PARTS = test-hostile-files test-kills test-two-processes test-failing-world test-disks test-power-losses test-changing-files
.PHONY: $(RELIABILITY_PARTS) reliability-build test-sizes test-instruction-sets
test-reliability: $(RELIABILITY_PARTS)

reliability-build: packages-for-tests
	@tools/install_packages.sh reliability
	cmake --preset release
	cmake --build --preset release -j $(JOBS) --target gonogo gonogo_mpi

# Files made to do harm.
test-hostile-files: reliability-build
	tests/reliability/hostile_files.py build/release/bin/gonogo .
# Runs of every verb, on threads and ranks, ended at random moments: each has to end in the bytes of an undisturbed run.
test-kills: reliability-build
	tests/reliability/kills.py build/release/bin/gonogo . --kills $(KILLS) $(RUNS)
# A second process in the folder of a run.
test-two-processes: reliability-build
	tests/reliability/two_processes.py build/release/bin/gonogo . --tries $(TRIES) $(RUNS)
# A system whose calls fail.
test-failing-world: reliability-build
	tests/reliability/failing_world.py build/release/bin/gonogo . --tries $(TRIES) $(RUNS)
# Full disks, used-up quotas, folders that may not be written, files that may not grow, clocks that jump. Mounts small disks: root.
test-disks: reliability-build
	tests/reliability/disks_and_clocks.py build/release/bin/gonogo . --tries $(TRIES) $(RUNS)
# Disks as they are when the power goes: does a run go on from there, and is what had ended well still there? Mounts disks: root.
test-power-losses: reliability-build
	tests/reliability/power_losses.py build/release/bin/gonogo . --tries $(TRIES) $(RUNS)
# Tables and policies that are changed while they are read.
test-changing-files: reliability-build
	tests/reliability/changing_files.py build/release/bin/gonogo . --tries $(TRIES)

# Memory and time as tables grow, with exponents.
test-sizes: reliability-build
	tests/reliability/sizes.py build/release/bin/gonogo

# The program for x86-64-v2, v3 and v4 and the largest deviation of a bound between them: three builds.
test-instruction-sets: packages
	tests/reliability/instruction_sets.py . build/instruction-sets --jobs $(JOBS)

# The Python package, importable from build/release/python.
python: packages-for-python
	@cmake --preset python
	@cmake --build --preset python -j $(JOBS) --target gonogo_native gonogo

# Everything about the package: its tests, 10,000 generated tables and protocols, the notebooks, its types, the wheel.
test-python: python
	@cmake --preset python -DGONOGO_TESTS=ON >/dev/null
	GONOGO_HYPOTHESIS_CASES=2000 ctest --preset python
	mypy --python-version 3.11 --ignore-missing-imports --cache-dir build/mypy python/gonogo
	python/tests/wheel_test.sh

# Debian packages in PACKAGE_BUILD/packages, compiled with Debian's hardening flags: gonogo and python3-gonogo for tables; gonogo-sim and
# python3-gonogo-sim with robots, gonogo-mpi and libgonogo-dev from a second build.
PACKAGE_BUILD ?= build/package
deb: packages-for-python
	@tools/install_packages.sh package
	cmake --preset package -B $(PACKAGE_BUILD)-tables -DGONOGO_SIM=OFF
	cmake --build $(PACKAGE_BUILD)-tables -j $(JOBS) --target gonogo gonogo_native gonogo_help
	cmake --preset package -B $(PACKAGE_BUILD)
	cmake --build $(PACKAGE_BUILD) -j $(JOBS) --target gonogo gonogo_mpi gonogo_native gonogo_train gonogo_paper gonogo_help
	tests/install/hardening_test.py --packaged $(PACKAGE_BUILD)-tables/bin/gonogo $(PACKAGE_BUILD)/bin/gonogo
	rm -rf $(PACKAGE_BUILD)/packages
	cd $(PACKAGE_BUILD)-tables && cpack -G DEB -D 'CPACK_COMPONENTS_ALL=runtime;data;python' -B $(abspath $(PACKAGE_BUILD))/packages >/dev/null
	cd $(PACKAGE_BUILD) && cpack -G DEB >/dev/null && ls -1 packages/*.deb

# Installs them into a bare tree of the Debian they were made on and uses them there.
test-packages: deb
	tests/install/packages_test.sh $(PACKAGE_BUILD)/packages

# The documentation as a site in build/docs.
docs: python
	@tools/install_packages.sh docs
	tools/make_docs.py build/release/bin/gonogo build/release/python

# build/wheels: gonogo for tables, and gonogo-sim, the same with robots, for Python 3.11 and later. Nobody who installs them needs a compiler.
wheel: packages-for-python
	@tools/make_wheel.sh
	@tools/make_wheel.sh sim

test-sanitizers: packages-for-tests
	cmake --preset $(SANITIZER)
	cmake --build --preset $(SANITIZER) -j $(JOBS)
	ctest --preset $(SANITIZER) -j $(JOBS)

# Every module and its tests compiled by clang.
test-clang: packages-for-tests
	cmake --preset clang -DGONOGO_TESTS=ON
	cmake --build --preset clang -j $(JOBS) --target gonogo_module_tests
	ctest --preset clang -j $(JOBS)

# `make demo` and `make test` in bare trees of Debian 12 and Debian 13: root, about 40 minutes on two cores. SYSTEMS and TARGETS choose
# (tests/systems/run.sh).
test-systems:
	@tools/install_packages.sh package
	tests/systems/run.sh

# Which lines and branches the tests run, by module, and the files with the largest holes. A build and a run of all tests; MODULES="audit
# stats" builds and runs the tests of these alone.
MODULES ?=
coverage: packages-for-tests
	@tools/install_packages.sh coverage
	cmake --preset coverage
	find build/coverage -name '*.gcda' -delete
	cmake --build --preset coverage -j $(JOBS) $(if $(MODULES),--target $(MODULES:%=%_tests))
	status=0; ctest --preset coverage -j $(JOBS) $(if $(MODULES),-L '^($(subst $(space),|,$(strip $(MODULES))))$$') || status=$$?; \
	tools/coverage.py build/coverage $(MODULES) && exit $$status

fuzz: packages-for-tests
	tools/fuzz.sh 60

# A million inputs for every reader (100,000 where each is a file), then our readers beside those of others. Takes hours; the same
# command goes on where it was ended.
fuzz-campaign: packages-for-tests
	tools/fuzz_campaign.py --jobs $(JOBS)
	cmake --preset python -DGONOGO_TESTS=ON
	cmake --build --preset python -j $(JOBS) --target gonogo_native onnx_probe
	PYTHONPATH=build/release/python tests/reliability/second_tables.py
	tests/reliability/second_onnx.py build/release/bin/onnx_probe

lint: packages-for-tests
	tools/check.sh

clean:
	rm -rf build
