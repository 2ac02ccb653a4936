# Two commands do everything in a fresh clone on Debian or Ubuntu with a Swift toolchain:
#
#     make import FEED=feed.zip OUT=out.sqlite
#     make test
#
# Both install missing packages with apt-get. A machine that has them all needs neither apt-get nor root.

SWIFT ?= swift
FEED ?= pipelines/sample-feed
OUT ?= sample.sqlite

# Recipes read FEED and OUT from the environment, so that paths may have spaces, '#' and quotes.
export FEED OUT

PROGRAM = .build/release/import-gtfs
SOURCES = Sources Tests Package.swift

.PHONY: help import test torture build setup setup-tests docs format lint clean
.PHONY: sanitize sanitize-thread sanitize-address sanitize-undefined
.PHONY: bench bench-import bench-agencies bench-side bench-fetch bench-growth bench-counts bench-check build-bench
.PHONY: check-client check-optimized check-values
.PHONY: fuzz install uninstall dist deb test-package test-pipelines test-outside
.NOTPARALLEL:

help: ## List the targets (the default)
	@echo 'usage: make TARGET [FEED=feed.zip] [OUT=out.sqlite]'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' Makefile

import: build ## Install what is missing, build, import FEED into OUT
	"$(PROGRAM)" "$$FEED" "$$OUT"

test: setup-tests ## Install what is missing, build and run every test
	$(SWIFT) build --build-tests
	@SWIFT="$(SWIFT)" .ci/tests

# Swift's own libraries go into the programs; SQLite, ICU and zlib stay the system's, which keeps them patched.
build: setup ## Build .build/release/import-gtfs and .build/release/fetch-gtfs
	$(SWIFT) build -c release --static-swift-stdlib

# Asks for what is needed, not for package names, so that libraries from elsewhere count too.
setup: ## Install the C libraries that building needs, and sqlite3 to look at stores, if missing
	@command -v $(SWIFT) >/dev/null || { echo 'make: no Swift toolchain found: see https://www.swift.org/install' >&2; exit 1; }
	@missing=; \
	command -v pkg-config >/dev/null || missing="$$missing pkg-config"; \
	pkg-config --exists sqlite3 2>/dev/null || missing="$$missing libsqlite3-dev"; \
	pkg-config --exists icu-i18n 2>/dev/null || missing="$$missing libicu-dev"; \
	pkg-config --exists zlib 2>/dev/null || missing="$$missing zlib1g-dev"; \
	command -v sqlite3 >/dev/null || missing="$$missing sqlite3"; \
	$(INSTALL_MISSING)

setup-tests: setup ## Install the tools that tests use as well, if missing
	@missing=; \
	for tool in python3 unzip curl jq; do command -v $$tool >/dev/null || missing="$$missing $$tool"; done; \
	command -v cc >/dev/null || missing="$$missing gcc libc6-dev"; \
	test -e /usr/share/zoneinfo/Europe/Berlin || missing="$$missing tzdata"; \
	test -e /usr/share/zoneinfo/US/Pacific || ! apt-cache show tzdata-legacy >/dev/null 2>&1 || missing="$$missing tzdata-legacy"; \
	command -v chromium >/dev/null || missing="$$missing chromium fonts-dejavu-core"; \
	$(INSTALL_MISSING)

torture: setup-tests build ## Kill, cut the power, fail every system call: the long round; writes Tests/Torture/results.json
	$(SWIFT) build --product import-gtfs
	$(SWIFT) build --product fetch-gtfs
	python3 Tests/Torture/torture.py all .build/release .build/debug

docs: setup ## Render the documentation with all public symbols into .build/documentation
	$(SWIFT) build
	.ci/documentation

sanitize: sanitize-thread sanitize-address sanitize-undefined ## Run the tests under three sanitizers; TESTS names some

# Each builds into a folder of its own; .ci/sanitizers/README.md says what each finds, and what it cannot see.
SANITIZE_thread = --sanitize=thread
SANITIZE_address = --sanitize=address
SANITIZE_undefined = -Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined
sanitize-thread: export TSAN_OPTIONS = suppressions=$(CURDIR)/.ci/sanitizers/thread.txt
sanitize-address: export ASAN_OPTIONS = detect_leaks=0
sanitize-thread sanitize-address sanitize-undefined: sanitize-%: setup-tests
	$(SWIFT) build --build-tests $(SANITIZE_$*) --scratch-path .build/sanitize-$*
	$(SWIFT) test --skip-build $(SANITIZE_$*) --scratch-path .build/sanitize-$* $(if $(TESTS),--filter '$(TESTS)')

bench: build-bench ## Race imports and fetches against others, write the result into README.md
	python3 Tests/Benchmarks/Harness/bench.py all

bench-import: build-bench ## Race imports only; BENCH_SIZES="3 10 30" names millions of stop times
	python3 Tests/Benchmarks/Harness/bench.py import

bench-agencies: build-bench ## Race imports of the feeds in the folder GTFS_FEEDS only
	python3 Tests/Benchmarks/Harness/bench.py agencies

bench-side: build-bench ## Race imports of small feeds with one long side table only
	python3 Tests/Benchmarks/Harness/bench.py side

bench-fetch: build-bench ## Race fetches only
	python3 Tests/Benchmarks/Harness/bench.py fetch

bench-growth: build-bench ## Measure how the times of fetches and imports grow only
	python3 Tests/Benchmarks/Harness/bench.py growth

bench-counts: build-bench ## Compare instructions, allocations and bytes with the committed ones
	@missing=; \
	for tool in valgrind binutils:strip; do command -v $${tool#*:} >/dev/null || missing="$$missing $${tool%:*}"; done; \
	$(INSTALL_MISSING)
	python3 Tests/Benchmarks/Harness/bench.py counts

bench-check: build-bench ## Run every race of the benchmarks once at tiny sizes
	python3 Tests/Benchmarks/Harness/bench.py check

check-client: build-bench ## Use both libraries from another package, optimized, in Swift 6 and Swift 5
	for client in outside-client outside-client-swift5; do \
	    Tests/Benchmarks/.build/release/$$client pipelines/sample-feed || exit 1; done

check-optimized: build-bench ## Compare what the programs do with optimization and without
	$(SWIFT) build --product import-gtfs
	$(SWIFT) build --product fetch-gtfs
	python3 Tests/Optimized/compare.py .build/debug Tests/Benchmarks/.build/release

check-values: build ## Run the optimized import of faulty feeds under valgrind: does it read values that were never written?
	@missing=; \
	for tool in python3 valgrind binutils:strip; do command -v $${tool#*:} >/dev/null || missing="$$missing $${tool%:*}"; done; \
	$(INSTALL_MISSING)
	python3 Tests/Optimized/values.py .build/release $(MUTANTS)

# Builds both programs as well: what the benchmarks race is what make build makes, and the libraries are optimized once.
build-bench: setup-tests
	@missing=; command -v $(CC) >/dev/null || missing=gcc; $(INSTALL_MISSING)
	@touch Tests/Benchmarks/Package.swift # otherwise new files of the package above would not be seen
	$(SWIFT) build --package-path Tests/Benchmarks -c release --static-swift-stdlib

PREFIX ?= /usr/local
DESTDIR ?=
PROGRAMS = .build/release
PACKAGE = pipelines/packaging/package

install: ## Copy what make build has built below PREFIX, with manual pages and completions
	@missing=; for tool in python3 binutils:strip; do command -v $${tool#*:} >/dev/null || missing="$$missing $${tool%:*}"; done; \
	$(INSTALL_MISSING)
	$(PACKAGE) install $(PROGRAMS) "$(PREFIX)" "$(DESTDIR)"

uninstall: ## Remove what make install has copied
	$(PACKAGE) uninstall "$(PREFIX)" "$(DESTDIR)"

dist: build ## Make a tarball that runs without Swift, in .build/dist
	rm -f .build/dist/*.tar.gz
	$(PACKAGE) dist $(PROGRAMS) .build/dist

deb: build ## Make a Debian package, in .build/dist
	rm -f .build/dist/*.deb
	$(PACKAGE) deb $(PROGRAMS) .build/dist

test-package: dist deb ## Install, run and remove the package and the tarball in a fresh Debian; needs root
	@missing=; for tool in debootstrap lintian; do command -v $$tool >/dev/null || missing="$$missing $$tool"; done; $(INSTALL_MISSING)
	Tests/PipelineTests/Support/try_packages .build/dist

AIRFLOW = .build/airflow
# Airflow's executor imports names that later versions of Celery do not have.
AIRFLOW_PACKAGES = 'apache-airflow[celery]==3.1.3' 'celery<5.6' 'pyjwt<2.11' redis

test-pipelines: build setup-tests ## Run the Airflow DAG for real, with Celery and a worker that is killed; takes minutes
	@missing=; command -v redis-server >/dev/null || missing="$$missing redis-server"; \
	python3 -c 'import ensurepip' 2>/dev/null || missing="$$missing python3-venv"; $(INSTALL_MISSING)
	test -e $(AIRFLOW)/installed || { python3 -m venv $(AIRFLOW) && \
	    $(AIRFLOW)/bin/pip install -q $(AIRFLOW_PACKAGES) && touch $(AIRFLOW)/installed; }
	$(AIRFLOW)/bin/python Tests/Airflow/night.py .build/release .build/airflow-night

OUTSIDE = .build/outside

test-outside: build setup-tests ## Compare the timetables of the feeds in GTFS_FEEDS with what others' libraries say; takes minutes
	@missing=; python3 -c 'import ensurepip' 2>/dev/null || missing=python3-venv; $(INSTALL_MISSING)
	test -e $(OUTSIDE)/installed || { python3 -m venv $(OUTSIDE) && \
	    $(OUTSIDE)/bin/pip install -q gtfs-kit==13.0.1 partridge==1.1.2 && touch $(OUTSIDE)/installed; }
	$(OUTSIDE)/bin/python Tests/Outside/libraries.py .build/release "$${GTFS_FEEDS-../shared/feeds}"

FUZZ_SECONDS ?= 60
FUZZ_TARGETS ?=

fuzz: setup ## Feed random bytes to every parser, FUZZ_SECONDS each; FUZZ_TARGETS="zip csv" chooses
	@missing=; command -v c++ >/dev/null || missing=g++; $(INSTALL_MISSING)
	SWIFT="$(SWIFT)" Tests/Fuzzing/fuzz $(FUZZ_SECONDS) $(FUZZ_TARGETS)

format: ## Format the Swift sources in place
	$(SWIFT) format -i -r -p $(SOURCES)

lint: ## Check the format of the Swift sources
	$(SWIFT) format lint -r -s $(SOURCES)

clean: ## Remove what building and the default import left here
	rm -rf .build Tests/Benchmarks/.build Tests/Fuzzing/.build sample.sqlite

# Ends a recipe that has collected package names in $missing.
INSTALL_MISSING = \
	test -n "$$missing" || exit 0; \
	command -v apt-get >/dev/null || { echo "make: please install:$$missing" >&2; exit 1; }; \
	sudo=; test "$$(id -u)" = 0 || sudo=sudo; \
	echo "make: installing$$missing"; \
	$$sudo apt-get update -q && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $$missing
