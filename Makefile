# Two commands do everything on a fresh Debian 12: `make demo` and `make test`.
SHELL := /bin/bash
JOBS ?= $(shell nproc)
# For test-sanitizers: asan (addresses and undefined behaviour) or tsan (threads).
SANITIZER ?= asan

.PHONY: demo test test-cluster test-sanitizers build packages test-packages lint fuzz clean

packages:
	@tools/install_packages.sh build web

test-packages:
	@tools/install_packages.sh build web test

build: packages
	@cmake --preset release -DGONOGO_TESTS=OFF
	@cmake --build --preset release -j $(JOBS) --target gonogo

demo: build
	@echo; echo "1 of 2  The instrument: a synthetic domain where an adapter pays by construction. The answer must be GO."; echo
	@build/release/bin/gonogo control learner --learner ridge
	@echo; echo "2 of 2  The robot: a Go2 under its shipped policy, audited with the same learner."; echo
	@build/release/bin/gonogo study robots/go2 --protocol robots/go2/demo.toml

test: test-packages
	cmake --preset release -DGONOGO_TESTS=ON
	cmake --build --preset release -j $(JOBS)
	tools/check.sh --quick
	ctest --preset release -j $(JOBS)
	GONOGO_FUZZ_SEED=1 tools/fuzz.sh 60 csv_table_fuzz hdf5_table_fuzz protocol_fuzz

test-cluster: test-packages
	@tools/install_packages.sh cluster
	cmake --preset release -DGONOGO_TESTS=ON
	cmake --build --preset release -j $(JOBS) --target gonogo gonogo_mpi
	tests/cluster/run_cluster_tests.sh build/release/bin/gonogo

test-sanitizers: test-packages
	cmake --preset $(SANITIZER)
	cmake --build --preset $(SANITIZER) -j $(JOBS)
	ctest --preset $(SANITIZER) -j $(JOBS)

fuzz: test-packages
	tools/fuzz.sh 60

lint: test-packages
	tools/check.sh

clean:
	rm -rf build
