# One Criterion program a module; each speaks TAP.  The lists stand in one
# fragment for each folder under test.
#
# No program has flags of its own if it can do without: then an object that
# several of them stand on is compiled once.  These flags are for all in here
# that has none; configure says why tests may have less optimisation.
UNIT_CPPFLAGS = $(CRITERION_CFLAGS) -DSOURCE_DIR=\"$(abs_top_srcdir)\"
%reldir%/%.o: AM_CPPFLAGS += $(UNIT_CPPFLAGS)
%reldir%/test-%.o: CFLAGS += $(TEST_CFLAGS)
UNIT_LIBS = $(CRITERION_LIBS) $(EVENT_LIBS) $(SODIUM_LIBS) $(SQLITE_LIBS) \
	$(JANSSON_LIBS) $(OPENSSL_LIBS) $(SECCOMP_LIBS) $(ZLIB_LIBS) $(PQ_LIBS) -lm \
	-lpthread
UNIT_TESTS =
include tests/unit/protocol.mk
include tests/unit/games.mk
include tests/unit/verify.mk
include tests/unit/ladder.mk
include tests/unit/spawner.mk
include tests/unit/table.mk
include tests/unit/serve.mk
include tests/unit/net.mk
if HAVE_CRITERION
check_PROGRAMS += $(UNIT_TESTS)
TESTS += $(UNIT_TESTS)
else
check_DATA += criterion-is-missing
endif

criterion-is-missing:
	@echo "make check needs Criterion 2.3 or later (Debian:" \
		"libcriterion-dev); install it and run configure again" >&2
	@exit 1
