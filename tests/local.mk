# Whatever is a test speaks TAP, in whatever language.  A script that hangs is
# ended by timeout(1); runner.c in tests/unit ends C tests itself.
# `make check CHECK_ALL=1`: those tests that have a long form run it.
TEST_EXTENSIONS = .sh .py
TAP_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) \
	$(top_srcdir)/build-aux/tap-driver.sh
# It is wide enough for a machine ten times slower.
TEST_TIMEOUT = timeout -k 10 $${TEST_SECONDS:-3600}
LOG_DRIVER = $(TAP_DRIVER)
SH_LOG_DRIVER = $(TAP_DRIVER)
PY_LOG_DRIVER = $(TAP_DRIVER)
SH_LOG_COMPILER = $(TEST_TIMEOUT) $(SHELL)
if HAVE_PYTHON
PY_LOG_COMPILER = $(TEST_TIMEOUT) $(PYTHON) -B -S
else
PY_LOG_COMPILER = $(SHELL) $(top_srcdir)/tests/no-python.sh
endif
# They need nothing of ours.
dist_pkgdata_SCRIPTS = tests/independent/check-record.py \
	tests/independent/follow.py
dist_pkgdata_DATA = $(CHECKER_RULES)
EXTRA_DIST += tests/check.sh tests/machines tests/mutants tests/new-game.sh tests/no-python.sh tests/independent tests/vectors
AM_TESTS_ENVIRONMENT = \
	PATH='$(PYTHON_FIRST)'$$PATH; export PATH; \
	NODE='$(NODE)'; export NODE; \
	JAVA='$(JAVA)'; export JAVA; \
	SOURCE_DIR='$(abs_top_srcdir)'; export SOURCE_DIR; \
	BUILD_DIR='$(abs_top_builddir)'; export BUILD_DIR; \
	CHECK_ALL='$(CHECK_ALL)'; export CHECK_ALL; \
	CHECK_SEED=$${CHECK_SEED:-1}; export CHECK_SEED; \
	PYTHONHASHSEED=$$CHECK_SEED; export PYTHONHASHSEED; \
	ASAN_OPTIONS=handle_sigill=1:$$ASAN_OPTIONS; export ASAN_OPTIONS; \
	test -z "$$CHECK_ALL" || TEST_SECONDS=7200;

# For all objects whose program has no flags of its own.
%reldir%/%.o: AM_CPPFLAGS += $(SODIUM_CFLAGS) $(SQLITE_CFLAGS) $(EVENT_CFLAGS) \
	$(JANSSON_CFLAGS) $(OPENSSL_CFLAGS) $(PQ_CFLAGS)
# Those that take long begin early, or a machine with several processors waits for
# the last one.  LONG_TESTS begin first, then all others in this order.
include tests/seeded/local.mk
include tests/hostile/local.mk
include tests/end-to-end/local.mk
include tests/kits/local.mk
include tests/soak/local.mk
include tests/unit/local.mk
include tests/world/local.mk
include tests/sandbox/local.mk
include tests/lint/local.mk
include tests/fuzz/local.mk
include tests/bench/local.mk

# These take longest, the first one most: none must be left alone at the end.
LONG_TESTS = \
	tests/end-to-end/test-web-author.py \
	tests/end-to-end/test-trials.py \
	tests/unit/test-strong \
	tests/unit/test-ladder \
	tests/independent/test-two-checkers.py \
	tests/unit/test-records \
	tests/end-to-end/test-organisers.py \
	tests/end-to-end/test-check-zoo.py \
	tests/end-to-end/test-final.py \
	tests/unit/test-games \
	tests/unit/test-disk \
	tests/end-to-end/test-local-bots.py \
	tests/end-to-end/test-tutorial.py \
	tests/end-to-end/test-web-replay.py \
	tests/kits/test_tables.py \
	tests/kits/test_remote.py \
	tests/end-to-end/test-strong.py
# These wait for most of their time: for what a bot must not outlast, for a database,
# for a browser.  They run beside the others, as many at a time as there are
# processors.
WAITING_TESTS = \
	tests/end-to-end/test-check.py \
	tests/end-to-end/test-queue.py \
	tests/end-to-end/test-builds.py \
	tests/end-to-end/test-sandbox.py \
	tests/end-to-end/test-queue-fences.py \
	tests/hostile/test-zoo.py \
	tests/end-to-end/test-queue-copies.py \
	tests/end-to-end/test-web-live.py \
	tests/end-to-end/test-events.py \
	tests/end-to-end/test-accounts.py \
	tests/end-to-end/test-crawl.py \
	tests/end-to-end/test-kill.py \
	tests/end-to-end/test-queue-worker.py \
	tests/end-to-end/test-serve-end.py \
	tests/end-to-end/test-queue-command.py \
	tests/end-to-end/test-remote-bots.py \
	tests/end-to-end/test-data-folder.py \
	tests/end-to-end/test-duplicate.py \
	tests/end-to-end/test-serve-workers.py \
	tests/kits/test_remote_lost.py

# What ./bootstrap check asks for: all tests, those that wait, those of `check
# --quick`; each in its order.
# The quick ones do without power cuts and without the deals of the strong bot.
QUICK_TESTS = $(filter-out %/test-disk %/test-strong,$(UNIT_TESTS)) $(LINTS) \
	tests/fuzz/test-corpus.sh \
	tests/soak/test-soak.sh \
	tests/end-to-end/test-golden.py \
	tests/end-to-end/test-seed.py \
	tests/end-to-end/test-verify.py \
	tests/independent/test-check-record.py \
	tests/independent/test-count.py
list-tests:
	@printf '%s\n' $(filter $(TESTS),$(LONG_TESTS)) \
		$(filter-out $(LONG_TESTS),$(TESTS))
list-waiting:
	@printf '%s\n' $(WAITING_TESTS)
list-quick:
	@printf '%s\n' $(QUICK_TESTS)
.PHONY: list-tests list-waiting list-quick
