# run · test · check · bench · format. The first `make run` and `make test` install what they need.
PYTHON := .build-python/bin/python
PROGRAM := Server/.build/debug/ostiary
# CI saves time with `-debug-info-format none`. The index must stay: SwiftPM finds the tests of XCTest in it.
BUILD_OPTIONS :=
# Up to version 6.3, SwiftPM passes a package's traits to the compiler in the order of a set, which differs from run to run, and each other
# order compiles all modules again: https://github.com/swiftlang/swift-package-manager/issues/10525
BUILD := SWIFT_DETERMINISTIC_HASHING=1 swift build $(BUILD_OPTIONS)
export OSTIARY_TEST_PYTHON := $(CURDIR)/$(PYTHON)
# Makes warnings errors, in this project's own builds alone.
export OSTIARY_TEST_STRICT := 1
# What the SDK has beyond its least, see Documentation/decisions/020-traits.md.
TRAITS := --traits NIO,Metrics
# How many tests run at once. Unlimited, hundreds share the cores, and one that watches a socket is not served in time.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH := 4

.PHONY: upgrade-fixture release try-release run build-sdk test test-sdk test-apple test-server test-blackbox fuzz drills check lint readers imports examples model documentation deploy docs cases uncompiled declarations workflows mistakes tsan bench bench-check bench-client format

# Benchmarks write to the disk, as servers do.
test-sdk test-apple test-server test-blackbox examples documentation: export TMPDIR = $(shell Scripts/temporary-directory.sh)

run: ## Serves all five apps on http://127.0.0.1:3001
	Scripts/install-libraries.sh server
	cd Server && $(BUILD) --product ostiary
	$(PROGRAM) serve

test: test-sdk test-apple test-server test-blackbox ## Runs every test of both packages, and the program from outside

build-sdk:
	Scripts/install-libraries.sh sdk
	$(BUILD) --build-tests $(TRAITS)

test-sdk: build-sdk $(PYTHON)
	Scripts/run-tests.sh swift test --disable-xctest --skip-build $(TRAITS)

test-apple: ## What is for Apple's platforms, against stand-ins for their frameworks, as iOS and as macOS
ifeq ($(shell uname),Darwin)
	@echo "skipped: Apple/ and Apple/Darwin, which stand in for Apple's frameworks on Linux"
else
	touch Apple/Package.swift # else SwiftPM sees no new files behind the links
	cd Apple && $(BUILD) --build-tests && ../Scripts/run-tests.sh swift test --disable-xctest --skip-build
	cd Apple && export APPLE_SHIM_OS=macOS && $(BUILD) --build-tests --scratch-path .build-macos && \
		../Scripts/run-tests.sh swift test --disable-xctest --skip-build --scratch-path .build-macos
	cd Apple/Darwin && swift run DarwinChecks
endif

test-server: $(PYTHON)
	Scripts/install-libraries.sh server tests
	Scripts/check-bcrypt.sh
	cd Server && $(BUILD) --build-tests && ../Scripts/run-tests.sh swift test --disable-xctest --skip-build

test-blackbox: $(PYTHON)
	Scripts/install-libraries.sh server tests
	cd Server && $(BUILD) --product ostiary
	$(PYTHON) Server/Tests/BlackBox/run.py --program $(CURDIR)/$(PROGRAM)

FUZZ_SECONDS := 60
fuzz: ## Fuzzes the readers of passkeys and App Attest from the recorded inputs; FUZZ_SECONDS=1800 for half an hour
	Scripts/fuzz/fuzz.sh build
	Scripts/fuzz/fuzz.sh run $(FUZZ_SECONDS)

drills: $(PYTHON) ## Failovers, restarts and races on PostgreSQL in full; PREVIOUS=PROGRAM replaces nodes of another version. Some hours; `make test` does a few rounds of each
	Scripts/install-libraries.sh server tests
	cd Server && $(BUILD) --product ostiary
	$(PYTHON) Server/Tests/BlackBox/run.py --program $(CURDIR)/$(PROGRAM) --drills
	cd Server && SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=2 RACE_ROUNDS=1000 swift test --disable-xctest --filter "PostgresSingleUseTests|SecondFactorRaceTests"
	$(if $(PREVIOUS),$(PYTHON) Server/Tests/BlackBox/upgrades.py --program $(CURDIR)/$(PROGRAM) --previous $(PREVIOUS) --seconds 60)
	Scripts/check-api.py --diagnose
	Scripts/check-bcrypt.sh 10000
	Scripts/check-consumers.py --each
	Scripts/check-new-operation.py
	swift build --build-tests $(TRAITS) --explicit-target-dependency-import-check error
	cd Server && swift build --build-tests --explicit-target-dependency-import-check error
	$(MAKE) readers READER_SIZES="8192 16384 32768 65536"

upgrade-fixture: $(PYTHON) ## Keeps a store of this version for later ones; VERSION=0.1.0
	$(PYTHON) Server/Tests/BlackBox/upgrade_fixture.py --program $(CURDIR)/$(PROGRAM) --to Server/Tests/Upgrades/$(VERSION)

# The longest first. Most use one core, and none compares durations.
CHECKS := examples documentation bench-check readers lint imports model deploy cases uncompiled declarations workflows
check: test ## Everything that must hold before a change is handed in
	$(MAKE) --jobs=2 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) $(CHECKS)

lint:
	swift format lint --strict --recursive Package.swift Sources Tests Server/Package.swift Server/Sources Server/Tests Server/Benchmarks Examples Apple
	python3 Scripts/check-links.py --self-test
	python3 Scripts/check-imports.py --self-test
	python3 Scripts/check-names.py --self-test
	python3 Scripts/check-text.py --self-test
	python3 Scripts/check-text.py
	python3 Scripts/check-contract-branches.py --self-test
	python3 Scripts/check-contract-branches.py
	python3 Scripts/check-mistakes.py --list > /dev/null
	python3 Scripts/make-reference.py --self-test
	python3 Scripts/check-api.py --self-test
	python3 Scripts/check-deploy.py --self-test
	python3 Scripts/make-blowfish-tables.py --check
	python3 Scripts/operation-files.py --self-test
	python3 Scripts/trim-icu-data.py --self-test
	python3 Scripts/operation-files.py --at-most 12 confirmRegistration

READER_SIZES := 2048 4096 8192
readers: ## Counts what readers of untrusted text cost as their input grows. Some minute; `make drills` goes to 64 KiB
	Scripts/install-libraries.sh server tests
	cd Server && $(BUILD) --product reader-cost
	Scripts/check-reader-cost.py --program Server/.build/debug/reader-cost --sizes $(READER_SIZES)

bench-check: $(PYTHON) ## Counts the instructions of the main operations, and compares them with Benchmarks/instructions-debug.json
	Scripts/install-libraries.sh server tests
	cd Server && $(BUILD) --product ostiary
	$(PYTHON) Benchmarks/instructions.py --program $(PROGRAM) --baseline Benchmarks/instructions-debug.json

imports: ## The modules that each target imports against those that it declares
	python3 Scripts/check-imports.py

examples: $(PYTHON)
	Scripts/check-examples.sh

model:
	python3 Documentation/models/rotation.py

documentation: $(PYTHON) examples ## The guides and the reference against the program, and against the package as `examples` built it
	cd Server && $(BUILD) --product ostiary
	Scripts/check-documentation.sh $(PROGRAM)

docs: $(PYTHON) ## Builds the site of guides, symbols and OpenAPI descriptions in .build-docs; BASE=path if it is served below one
	Scripts/install-libraries.sh sdk server
	$(BUILD) $(TRAITS)
	touch Apple/Package.swift && cd Apple && $(BUILD)
	cd Server && $(BUILD) --product ostiary
	$(PYTHON) Scripts/build-docs.py --program $(PROGRAM) --built .build/debug $(if $(BASE),--base $(BASE))

deploy: ## The dashboard and the alerts of Deploy/ against the server's metrics, with Prometheus' promtool
	python3 Scripts/check-deploy.py

cases: ## The table of attack cases against the tests that name them
	python3 Scripts/check-cases.py

uncompiled: ## Counts the SDK's lines that no build here compiles
	python3 Scripts/count-uncompiled.py --self-test
	python3 Scripts/count-uncompiled.py

declarations: ## The stand-ins for Apple's frameworks against what Apple documents. After test-apple, which builds them
	python3 Scripts/check-declarations.py

workflows: $(PYTHON) ## The workflow for a Mac and the file for Compose against their schemas
	$(PYTHON) -m check_jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(PYTHON) -m check_jsonschema --builtin-schema vendor.compose-spec Deploy/docker/compose.yaml

tsan: $(PYTHON) ## Runs the tests of the SDK and of the driver for PostgreSQL under the thread sanitizer
	Scripts/install-libraries.sh sdk server tests
	Scripts/check-races.sh

mistakes: ## Makes deliberate mistakes in the engine and in what is for Apple's platforms, and prints what notices each. Some 15 seconds for each
	python3 Scripts/check-mistakes.py

RELEASE := artifacts
release: ## Makes an archive, a Debian package, an OCI image, a bill of materials and checksums in artifacts/. Needs root
	Scripts/install-libraries.sh server release packages
	Scripts/build-release.sh ostiary
	Scripts/release.py --program Server/.build-bench/release/ostiary --output $(RELEASE) --image

try-release: release ## Installs the package in a fresh Debian root: start, sign-in, upgrade, removal. Needs root
	Scripts/release.py --program Server/.build-bench/release/ostiary --output $(RELEASE)/newer --version 999.0.0
	Scripts/try-package.py --package $(RELEASE)/ostiary_*.deb --newer $(RELEASE)/newer/ostiary_*.deb \
		--image $(RELEASE)/ostiary-*-oci.tar

ifeq ($(ONLY),attacks)
bench: $(PYTHON)
	swift build -c release --package-path Benchmarks/Attacks --scratch-path .build-bench-attacks
	$(PYTHON) Benchmarks/attacks.py .build-bench-attacks/release/bench-attacks
else ifeq ($(ONLY),build)
bench: $(PYTHON)
	Scripts/install-libraries.sh server
	$(PYTHON) Benchmarks/size.py --build
else ifeq ($(ONLY),client)
bench: bench-client
else ifneq ($(filter $(ONLY),protection memory soak growth upkeep size),)
bench: $(PYTHON)
	Scripts/install-libraries.sh server release bench
	Scripts/build-release.sh ostiary
	$(PYTHON) Benchmarks/$(ONLY).py Server/.build-bench/release/ostiary
else
bench: $(PYTHON) ## Measures, in one run, beside bare peers. AGAINST=PROGRAM compares with another build; ONLY is a part: sqlite, postgres, protection, attacks, memory, size, growth, upkeep, client, soak or build
	Scripts/install-libraries.sh server release bench
	Scripts/build-release.sh ostiary
	Scripts/build-release.sh bench-peers
	$(PYTHON) Benchmarks/$(if $(AGAINST),compare.py $(AGAINST),bench.py) $(if $(ONLY),--only $(ONLY))
	$(if $(AGAINST)$(ONLY),,$(PYTHON) Benchmarks/memory.py Server/.build-bench/release/ostiary)
	$(if $(AGAINST)$(ONLY),,$(PYTHON) Benchmarks/size.py Server/.build-bench/release/ostiary)
endif

bench-client: $(PYTHON) ## Measures what the client SDK costs, against a server in development
	Scripts/install-libraries.sh server release
	Scripts/build-release.sh ostiary
	swift build -c release --package-path Benchmarks/Client --scratch-path .build-bench-client
	$(PYTHON) Benchmarks/client.py .build-bench-client/release/bench-client

format:
	swift format --in-place --recursive Package.swift Sources Tests Server/Package.swift Server/Sources Server/Tests Server/Benchmarks Examples Apple

$(PYTHON): Scripts/requirements.txt
	Scripts/install-libraries.sh python
	python3 -m venv .build-python
	$(PYTHON) -m pip install --quiet --requirement Scripts/requirements.txt
	touch $(PYTHON)
