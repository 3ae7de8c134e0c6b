# One program for each folder under test, of a file for each module.  Their
# tests are written with Criterion's header and run by runner.c, which says why
# its library is not linked.  Each speaks TAP.  Those that take long come first.
#
# No program has flags of its own if it can do without: then an object that
# several of them stand on is compiled once.  These flags are for all in here
# that has none; configure says why tests may have less optimisation.
UNIT_CPPFLAGS = $(CRITERION_CFLAGS) -DSOURCE_DIR=\"$(abs_top_srcdir)\" \
	-include $(top_srcdir)/%reldir%/expect.h
%reldir%/%.o: AM_CPPFLAGS += $(UNIT_CPPFLAGS)
%reldir%/test-%.o: CFLAGS += $(TEST_CFLAGS)

# What several programs stand on.  Bots are fakes that keep what they are sent,
# and the clock stands still unless a test moves it.
UNIT_LIBRARY = %reldir%/libunit.a
%canon_reldir%_libunit_a_SOURCES = \
	%reldir%/desk.c %reldir%/desk.h \
	%reldir%/durnius-deals.h \
	%reldir%/expect-bug.h \
	%reldir%/expect.h \
	%reldir%/fake-bot.c %reldir%/fake-bot.h \
	%reldir%/frame-wrong.c %reldir%/frame-wrong.h \
	%reldir%/inn.c %reldir%/inn.h \
	%reldir%/ladder-kit.c %reldir%/ladder-kit.h \
	%reldir%/net-kit.c %reldir%/net-kit.h \
	%reldir%/one-ladder.c %reldir%/one-ladder.h \
	%reldir%/parley.c %reldir%/parley.h \
	%reldir%/play.c %reldir%/play.h \
	%reldir%/random-record.c %reldir%/random-record.h \
	%reldir%/record-vectors.c %reldir%/record-vectors.h \
	%reldir%/retell.c %reldir%/retell.h \
	%reldir%/rounds.h \
	%reldir%/runner.c \
	%reldir%/scene.c %reldir%/scene.h \
	%reldir%/secrets.c %reldir%/secrets.h \
	%reldir%/settings.c %reldir%/settings.h \
	%reldir%/vectors.h \
	%reldir%/walk.c %reldir%/walk.h \
	%reldir%/words.c %reldir%/words.h \
	tests/seeded/seeded.c tests/seeded/seeded.h

FOREIGN_LIBS = $(EVENT_LIBS) $(SODIUM_LIBS) $(SQLITE_LIBS) $(JANSSON_LIBS) \
	$(OPENSSL_LIBS) $(SECCOMP_LIBS) $(ZLIB_LIBS) $(PQ_LIBS) -lm -lpthread
PROTOCOL_LIBS = protocol/libprotocol.a $(FOREIGN_LIBS)
TABLE_LIBS = referee/libreferee.a referee/libframes.a ladder/libladder.a \
	referee/libgames.a $(PROTOCOL_LIBS)
UNIT_LIBS = $(UNIT_LIBRARY) $(TABLE_LIBS)

UNIT_TESTS =

UNIT_TESTS += %reldir%/test-games
%canon_reldir%_test_games_SOURCES = \
	%reldir%/test-chance.c \
	%reldir%/test-counts.c \
	%reldir%/test-daumen-drauf.c \
	%reldir%/test-daupun.c \
	%reldir%/test-deal.c \
	%reldir%/test-doubles-dread.c \
	%reldir%/test-durnius-defence.c \
	%reldir%/test-durnius-end.c \
	%reldir%/test-durnius.c \
	%reldir%/test-exhaustive.c \
	%reldir%/test-game.c \
	%reldir%/test-random-games.c \
	%reldir%/test-setups.c \
	%reldir%/test-statistics.c \
	%reldir%/test-toepen.c
%canon_reldir%_test_games_LDADD = $(UNIT_LIBS)

UNIT_TESTS += %reldir%/test-strong
%canon_reldir%_test_strong_SOURCES = \
	%reldir%/test-durnius-resample.c \
	%reldir%/test-follow.c \
	%reldir%/test-redeal.c \
	%reldir%/test-resample-fair.c \
	%reldir%/test-resample.c
%canon_reldir%_test_strong_LDADD = $(UNIT_LIBRARY) \
	sample-bots/strong/libthink.a $(TABLE_LIBS)

# Every change of a file can be made to fail.
UNIT_TESTS += %reldir%/test-records
%canon_reldir%_test_records_SOURCES = \
	%reldir%/disk.c %reldir%/disk.h \
	%reldir%/test-frames-views.c \
	%reldir%/test-ladder-log.c \
	%reldir%/test-opinion.c \
	%reldir%/test-packing.c \
	%reldir%/test-replay-wrote.c \
	%reldir%/test-tournament-file.c \
	%reldir%/test-verify.c \
	%reldir%/test-writer-elsewhere.c \
	%reldir%/test-writer-faults.c \
	%reldir%/test-writer.c
%canon_reldir%_test_records_LDADD = $(UNIT_LIBS)
EXTRA_%canon_reldir%_test_records_DEPENDENCIES = \
	sample-bots/strong/strong-opinions

UNIT_TESTS += %reldir%/test-table
%canon_reldir%_test_table_SOURCES = \
	%reldir%/test-bot.c \
	%reldir%/test-record-keys.c \
	%reldir%/test-seat.c \
	%reldir%/test-secrets.c \
	%reldir%/test-table-random.c \
	%reldir%/test-table-record.c \
	%reldir%/test-table.c
%canon_reldir%_test_table_LDADD = $(UNIT_LIBS)

UNIT_TESTS += %reldir%/test-ladder
%canon_reldir%_test_ladder_SOURCES = \
	%reldir%/test-elo.c \
	%reldir%/test-fit-fields.c \
	%reldir%/test-fit.c \
	%reldir%/test-fold.c \
	%reldir%/test-ladder-elsewhere.c \
	%reldir%/test-ladder-follow.c \
	%reldir%/test-pairing-long.c \
	%reldir%/test-pairing.c \
	%reldir%/test-record-pack.c \
	%reldir%/test-roster.c \
	%reldir%/test-roster-owner.c \
	%reldir%/test-store.c
%canon_reldir%_test_ladder_LDADD = $(UNIT_LIBRARY) ladder/libladder.a \
	$(PROTOCOL_LIBS)

# Every change of a file can be lost, too, or be the last.
UNIT_TESTS += %reldir%/test-disk
%canon_reldir%_test_disk_SOURCES = %reldir%/disk.c %reldir%/disk.h \
	%reldir%/test-disk-notes.c \
	%reldir%/test-freeze.c \
	%reldir%/test-power-cut.c \
	tests/world/folder-copy.c tests/world/folder-copy.h
%canon_reldir%_test_disk_LDADD = $(UNIT_LIBS)

# The invariants of tests/world are tested with data folders that are damaged.
UNIT_TESTS += %reldir%/test-world
%canon_reldir%_test_world_SOURCES = %reldir%/test-world-check.c $(WORLD_CHECKS)
%canon_reldir%_test_world_LDADD = $(UNIT_LIBS)

# Waits of the spawner can be made to fail.
UNIT_TESTS += %reldir%/test-spawner
%canon_reldir%_test_spawner_SOURCES = \
	%reldir%/test-complaints.c \
	%reldir%/test-error-line.c \
	%reldir%/test-near.c \
	%reldir%/test-process-memory.c \
	%reldir%/test-sandbox.c \
	%reldir%/test-spawner-box.c \
	%reldir%/test-spawner.c
%canon_reldir%_test_spawner_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=poll
%canon_reldir%_test_spawner_LDADD = $(UNIT_LIBS)

UNIT_TESTS += %reldir%/test-match
%canon_reldir%_test_match_SOURCES = \
	%reldir%/test-blocks.c \
	%reldir%/test-bots-folder.c \
	%reldir%/test-match-bots.c \
	%reldir%/test-match-faults.c \
	%reldir%/test-schedule.c \
	%reldir%/test-sprt.c \
	%reldir%/test-standings.c \
	%reldir%/test-swiss.c \
	%reldir%/test-tournament.c
%canon_reldir%_test_match_LDADD = $(UNIT_LIBS)

UNIT_TESTS += %reldir%/test-protocol
%canon_reldir%_test_protocol_SOURCES = \
	%reldir%/test-asks.c \
	%reldir%/test-card.c \
	%reldir%/test-error.c \
	%reldir%/test-event.c \
	%reldir%/test-hidden.c \
	%reldir%/test-limits.c \
	%reldir%/test-line.c \
	%reldir%/test-message.c \
	%reldir%/test-record.c \
	%reldir%/test-text.c
%canon_reldir%_test_protocol_LDADD = $(UNIT_LIBRARY) $(PROTOCOL_LIBS)

# What the bots that think draw from is counted.
UNIT_TESTS += %reldir%/test-thinking
%canon_reldir%_test_thinking_SOURCES = %reldir%/test-thinking.c \
	sample-bots/c/referee-bot.c sample-bots/c/referee-bot.h
%reldir%/test-thinking.o: AM_CPPFLAGS += -I$(top_srcdir)/sample-bots/c
%canon_reldir%_test_thinking_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=game_resample,--wrap=chance_card,--wrap=chance_two_decks
%canon_reldir%_test_thinking_LDADD = $(UNIT_LIBRARY) \
	sample-bots/strong/libthink.a referee/libgames.a $(PROTOCOL_LIBS)

UNIT_TESTS += %reldir%/test-remote
%canon_reldir%_test_remote_SOURCES = \
	%reldir%/test-door.c \
	%reldir%/test-link.c \
	%reldir%/test-remote-bot-lost.c \
	%reldir%/test-remote-bot.c \
	%reldir%/test-stream.c
%canon_reldir%_test_remote_LDADD = $(UNIT_LIBS)

UNIT_TESTS += %reldir%/test-queue
%canon_reldir%_test_queue_SOURCES = \
	%reldir%/test-bot-cache.c \
	%reldir%/test-pack.c \
	%reldir%/test-proof.c \
	%reldir%/test-seal.c \
	%reldir%/test-spec.c
%canon_reldir%_test_queue_LDADD = $(UNIT_LIBS)

UNIT_TESTS += %reldir%/test-scheduler
%canon_reldir%_test_scheduler_SOURCES = \
	%reldir%/test-prune.c \
	%reldir%/test-scheduler-bots.c \
	%reldir%/test-scheduler-game.c \
	%reldir%/test-share.c \
	%reldir%/test-term.c
%canon_reldir%_test_scheduler_LDADD = $(UNIT_LIBS)

UNIT_TESTS += %reldir%/test-http
%canon_reldir%_test_http_SOURCES = \
	%reldir%/http-inn.c %reldir%/http-inn.h \
	%reldir%/test-http-crowd.c \
	%reldir%/test-http-gzip.c \
	%reldir%/test-http.c
%canon_reldir%_test_http_LDADD = $(UNIT_LIBS)

# Frames link without the games: they know lines alone.
UNIT_TESTS += %reldir%/test-frames
%canon_reldir%_test_frames_SOURCES = %reldir%/test-frames.c
%canon_reldir%_test_frames_LDADD = $(UNIT_LIBRARY) referee/libframes.a \
	$(PROTOCOL_LIBS)

UNIT_TESTS += %reldir%/test-base
%canon_reldir%_test_base_SOURCES = \
	%reldir%/test-fair.c \
	%reldir%/test-json-line.c \
	%reldir%/test-log.c \
	%reldir%/test-loop.c \
	%reldir%/test-progress.c \
	%reldir%/test-subprocess.c \
	%reldir%/test-suggest.c \
	%reldir%/test-thread.c \
	%reldir%/test-timers.c
%canon_reldir%_test_base_LDADD = $(UNIT_LIBS)

UNIT_TESTS += %reldir%/test-runner
%canon_reldir%_test_runner_SOURCES = \
	%reldir%/test-idle.c \
	%reldir%/test-job.c \
	%reldir%/test-worker.c
%canon_reldir%_test_runner_LDADD = $(UNIT_LIBS)

UNIT_TESTS += %reldir%/test-check
%canon_reldir%_test_check_SOURCES = \
	%reldir%/test-check-aside.c \
	%reldir%/test-check-plan.c \
	%reldir%/test-check-watch.c
%canon_reldir%_test_check_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=tap_look,--wrap=bot_usage_of
%canon_reldir%_test_check_LDADD = $(UNIT_LIBS)

UNIT_TESTS += %reldir%/test-config
%canon_reldir%_test_config_SOURCES = \
	%reldir%/test-bot-folder.c \
	%reldir%/test-config.c
%canon_reldir%_test_config_LDADD = $(UNIT_LIBS)

# Waits for a build, and the end of one, can be made to fail.
UNIT_TESTS += %reldir%/test-import
%canon_reldir%_test_import_SOURCES = %reldir%/test-import-make.c
%canon_reldir%_test_import_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=poll,--wrap=spawner_kill,--wrap=spawner_start
%canon_reldir%_test_import_LDADD = $(UNIT_LIBS)

UNIT_TESTS += %reldir%/test-pages
%canon_reldir%_test_pages_SOURCES = \
	%reldir%/test-hands.c \
	%reldir%/test-html.c \
	%reldir%/test-ladder-page.c \
	%reldir%/test-plot.c \
	%reldir%/test-queue-page.c \
	%reldir%/test-report.c \
	%reldir%/test-tally.c
%canon_reldir%_test_pages_LDADD = $(UNIT_LIBS)

UNIT_TESTS += %reldir%/test-web
%canon_reldir%_test_web_SOURCES = \
	%reldir%/test-game-notes.c \
	%reldir%/test-api-standings.c \
	%reldir%/test-live-feed.c \
	%reldir%/test-opinion-queue.c \
	%reldir%/test-owner-games.c \
	%reldir%/http-inn.c \
	%reldir%/http-inn.h \
	%reldir%/test-page-ask.c \
	%reldir%/test-page-cache.c \
	%reldir%/test-page-html.c \
	%reldir%/test-record-view.c \
	%reldir%/test-trials.c \
	%reldir%/test-upload.c
%canon_reldir%_test_web_LDADD = $(UNIT_LIBS)

# The clock of the calendar is replaced.
UNIT_TESTS += %reldir%/test-serve
%canon_reldir%_test_serve_SOURCES = \
	%reldir%/test-control.c \
	%reldir%/test-health.c \
	%reldir%/test-notify.c \
	%reldir%/test-refusals.c \
	%reldir%/test-seals.c
%canon_reldir%_test_serve_LDADD = $(UNIT_LIBS)

UNIT_TESTS += %reldir%/test-cli
%canon_reldir%_test_cli_SOURCES = \
	%reldir%/test-command-ladder.c \
	%reldir%/test-command-usage.c
%canon_reldir%_test_cli_LDADD = $(UNIT_LIBS)

# For the scripts in tests/end-to-end: random records, tables as HTML and as
# JSON, jobs of a queue, a connection to its database, tournaments, counts, and tests
# that show what runner.c does.
UNIT_TOOLS = %reldir%/count-plies %reldir%/runner-sample
%canon_reldir%_count_plies_SOURCES = %reldir%/count-plies.c
%canon_reldir%_count_plies_LDADD = $(UNIT_LIBS)
%canon_reldir%_runner_sample_SOURCES = %reldir%/runner-sample.c
%canon_reldir%_runner_sample_LDADD = $(UNIT_LIBRARY) $(PROTOCOL_LIBS)
check_PROGRAMS += %reldir%/pg-talk
%canon_reldir%_pg_talk_SOURCES = %reldir%/pg-talk.c
%canon_reldir%_pg_talk_LDADD = $(TABLE_LIBS)
check_PROGRAMS += %reldir%/play-tournament
%canon_reldir%_play_tournament_SOURCES = %reldir%/play-tournament.c
%canon_reldir%_play_tournament_LDADD = $(TABLE_LIBS)
check_PROGRAMS += %reldir%/queue-job
%canon_reldir%_queue_job_SOURCES = %reldir%/queue-job.c
%canon_reldir%_queue_job_LDADD = $(TABLE_LIBS)
check_PROGRAMS += %reldir%/write-record
%canon_reldir%_write_record_SOURCES = %reldir%/write-record.c \
	%reldir%/random-record.c
%canon_reldir%_write_record_LDADD = $(TABLE_LIBS)

if HAVE_CRITERION
check_LIBRARIES = $(UNIT_LIBRARY)
check_PROGRAMS += $(UNIT_TESTS) $(UNIT_TOOLS)
TESTS += $(UNIT_TESTS)
else
check_DATA += criterion-is-missing
endif

criterion-is-missing:
	@echo "make check needs Criterion 2.3 or later (Debian:" \
		"libcriterion-dev); install it and run configure again" >&2
	@exit 1
