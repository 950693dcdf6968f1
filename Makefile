# The two commands: `make demo` and `make test`. Each installs what is missing, builds and runs.

PACKAGES := libsqlite3-dev libxml2-dev libcurl4-openssl-dev libmicrohttpd-dev libedit2 pkg-config
MODULES := sqlite3 libxml-2.0 libcurl libmicrohttpd

# Tests at the same time: each has stores open, and all at once would open more files than a process may.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 16

.PHONY: demo test test-clients test-page screenshots test-slurm test-application test-encryption cipher build format lint docs check soak benchmark benchmark-encryption fuzz dependencies

# A command is a short process: with Swift's own libraries linked in, at a fixed address (73,000 places need not be written at each
# start), and without libxml2, which most commands do not need and which is opened by those that do, it starts in a third of the time.
RELEASE := -c release $(if $(filter Linux,$(shell uname -s)),\
    --static-swift-stdlib --pkg-config-path $(CURDIR)/.ci/headers-only -Xlinker -no-pie)

demo: build
	.build/release/offline-odata demo

test: dependencies
	.ci/test --disable-xctest --parallel

# Clients that others wrote, from PyPI, in a virtual environment below the build folder, read what this engine answers.
CLIENTS := .build/clients
test-clients: dependencies
	swift build --product offline-odata
	@test -x $(CLIENTS)/bin/python || python3 -m venv $(CLIENTS)
	$(CLIENTS)/bin/python -m pip install --quiet --disable-pip-version-check -r Tests/Clients/requirements.txt
	$(CLIENTS)/bin/python Tests/Clients/clients.py .build/debug/offline-odata

# The page of `serve`, clicked through in a headless Chromium. Linux with apt-get only.
BROWSER := chromium chromium-driver
test-page: browser
	swift build --product offline-odata
	Tests/Page/run .build/debug/offline-odata

# Pictures of the page and of the terminal from a real run, below .build/screenshots.
screenshots: browser
	swift build --product offline-odata
	Tests/Page/screenshots .build/debug/offline-odata .build/screenshots

.PHONY: browser
browser: dependencies
	@command -v chromedriver > /dev/null || DEBIAN_FRONTEND=noninteractive $$(test "$$(id -u)" = 0 || echo sudo) \
	    apt-get install -y -qq --no-install-recommends $(BROWSER)

# A job of 200 stores as an array of 8 tasks on a Slurm of its own, with one task killed. Linux with apt-get only.
test-slurm: dependencies
	@command -v sbatch > /dev/null || DEBIAN_FRONTEND=noninteractive $$(test "$$(id -u)" = 0 || echo sudo) \
	    apt-get install -y -qq --no-install-recommends slurm-wlm munge python3
	swift build --product offline-odata
	Tests/Jobs/slurm .build/debug/offline-odata metadata/v1.xml

# The tests with a SQLite that can encrypt, from PyPI, in the place of the system's; then many of them once more with all their stores
# encrypted. Linux only: elsewhere the place of a library is taken by linking another one.
ENCRYPTION := .build/encryption
test-encryption: dependencies cipher
	swift build --build-tests
	Tests/Encryption/run $(ENCRYPTION)

cipher:
	@test -x $(ENCRYPTION)/bin/python || python3 -m venv $(ENCRYPTION)
	$(ENCRYPTION)/bin/python -m pip install --quiet --disable-pip-version-check -r Tests/Encryption/requirements.txt

# Applications in a package of their own, which see what is public and nothing else.
test-application: dependencies
	swift test --package-path Tests/ApplicationPackage --disable-xctest --parallel

build: dependencies
	swift build $(RELEASE) --product offline-odata

# The issues' full numbers, in release.
soak: dependencies
	OFFLINE_ODATA_TEST_SCALE=soak swift test -c release -Xswiftc -enable-testing --disable-xctest --parallel

# What passes before an issue counts as resolved. Under a sanitizer tests run one by one: in parallel those that wait for a
# network would wait for the processor instead. The thread sanitizer runs what has threads. Leaks are looked for by the
# fuzzers: here Foundation's own would be told. Freed memory is held back in small amounts only, since some tests measure it.
check: lint docs test test-application
	swift build -c release
	ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=4:thread_local_quarantine_size_kb=64 swift test --disable-xctest --no-parallel --sanitize=address --scratch-path .build/address
	swift test --disable-xctest --no-parallel --sanitize=thread --scratch-path .build/thread \
	    --filter 'LargeDocumentTests|OfflineODataTests|ODataHTTPServerTests|OfflineStoreTests|CommandLineTests' \
	    --skip 'OfflineODataTests.(Workshop)?ModelTests|UpgradePairTests|LargeUpgradeTests|SharedDocumentTests'

format:
	swift format format --in-place --parallel --recursive Package.swift Sources Tests metadata samples Benchmarks/Sources Fuzz/Sources

lint:
	.ci/platform-imports-test
	.ci/platform-imports
	.ci/locks
	swift format lint --strict --parallel --recursive Package.swift Sources Tests metadata samples Benchmarks/Sources Fuzz/Sources

# The documentation, offline, with the toolchain's own tools; a warning is an error.
docs: dependencies
	swift build
	.ci/documentation .build/debug .build/documentation

# Linked as `build` links the command.
benchmark: dependencies
	swift run $(RELEASE) --package-path Benchmarks

# Encrypted stores beside plain ones, in one run, with the same SQLite as `test-encryption`.
benchmark-encryption: dependencies cipher
	swift build $(RELEASE) --package-path Benchmarks
	LD_PRELOAD="$$(find "$$PWD/$(ENCRYPTION)" -name libsqlite3_tool.so)" Benchmarks/.build/release/benchmarks encryption

# Asks pkg-config first, so that a second run costs nothing and no other platform needs apt-get.
dependencies:
	@if command -v apt-get >/dev/null 2>&1 && ! pkg-config --exists $(MODULES) 2>/dev/null; then \
	    if [ "$$(id -u)" = 0 ]; then run=""; \
	    elif sudo -n true 2>/dev/null; then run="sudo -n"; \
	    else echo "Some libraries are missing. Run: sudo apt-get install $(PACKAGES)" >&2; exit 1; fi; \
	    $$run apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$run apt-get install -y -qq $(PACKAGES); \
	fi

# Each reader is given broken input for FUZZ_SECONDS; what it finds belongs into a test.
FUZZ_SECONDS ?= 60
FUZZERS := metadata url payload batch

fuzz: dependencies
	swift build -c release --package-path Fuzz -Xswiftc -sanitize=fuzzer,address
	@for name in $(FUZZERS); do \
	    mkdir -p Fuzz/.build/corpus-$$name; \
	    echo "fuzz-$$name: $(FUZZ_SECONDS) s"; \
	    SWIFT_BACKTRACE=enable=no Fuzz/.build/release/fuzz-$$name -max_total_time=$(FUZZ_SECONDS) -rss_limit_mb=2048 \
	        -artifact_prefix=Fuzz/.build/ -print_final_stats=1 Fuzz/.build/corpus-$$name Fuzz/Seeds/$$name || exit 1; \
	done
