# The middle of the referee: loop, seats, tables, matches.  Bots are fakes that
# keep what they are sent, and the clock stands still unless a test moves it.
EXTRA_DIST += %reldir%/fake-bot.h %reldir%/parley.h %reldir%/scene.h
TABLE_LIBS = referee/libreferee.a referee/libframes.a ladder/libladder.a \
	referee/libgames.a \
	protocol/libprotocol.a $(UNIT_LIBS) -lm

UNIT_TESTS += %reldir%/test-loop
%canon_reldir%_test_loop_SOURCES = %reldir%/test-loop.c
%canon_reldir%_test_loop_LDADD = $(TABLE_LIBS)
UNIT_TESTS += %reldir%/test-seat
%canon_reldir%_test_seat_SOURCES = %reldir%/test-seat.c %reldir%/fake-bot.c
%canon_reldir%_test_seat_LDADD = $(TABLE_LIBS)
UNIT_TESTS += %reldir%/test-table
%canon_reldir%_test_table_SOURCES = %reldir%/test-table.c \
	%reldir%/fake-bot.c %reldir%/parley.c %reldir%/scene.c
%canon_reldir%_test_table_LDADD = $(TABLE_LIBS)
UNIT_TESTS += %reldir%/test-table-record
%canon_reldir%_test_table_record_SOURCES = %reldir%/test-table-record.c
%canon_reldir%_test_table_record_LDADD = $(TABLE_LIBS)
UNIT_TESTS += %reldir%/test-table-random
%canon_reldir%_test_table_random_SOURCES = %reldir%/test-table-random.c \
	%reldir%/fake-bot.c %reldir%/parley.c %reldir%/play.c \
	%reldir%/play.h %reldir%/scene.c
%canon_reldir%_test_table_random_LDADD = $(TABLE_LIBS)
UNIT_TESTS += %reldir%/test-schedule
%canon_reldir%_test_schedule_SOURCES = %reldir%/test-schedule.c
%canon_reldir%_test_schedule_LDADD = $(TABLE_LIBS)
UNIT_TESTS += %reldir%/test-sprt
%canon_reldir%_test_sprt_SOURCES = %reldir%/test-sprt.c
%canon_reldir%_test_sprt_LDADD = $(TABLE_LIBS)
UNIT_TESTS += %reldir%/test-tournament
%canon_reldir%_test_tournament_SOURCES = %reldir%/test-tournament.c
%canon_reldir%_test_tournament_LDADD = $(TABLE_LIBS)
check_PROGRAMS += %reldir%/play-tournament
%canon_reldir%_play_tournament_SOURCES = %reldir%/play-tournament.c
%canon_reldir%_play_tournament_LDADD = referee/libreferee.a referee/libgames.a ladder/libladder.a \
	protocol/libprotocol.a $(SODIUM_LIBS) -lm
UNIT_TESTS += %reldir%/test-blocks
%canon_reldir%_test_blocks_SOURCES = %reldir%/test-blocks.c \
	%reldir%/random-record.c %reldir%/random-record.h
%canon_reldir%_test_blocks_LDADD = $(TABLE_LIBS)
UNIT_TESTS += %reldir%/test-standings
%canon_reldir%_test_standings_SOURCES = %reldir%/test-standings.c \
	%reldir%/play.c %reldir%/play.h
%canon_reldir%_test_standings_LDADD = $(TABLE_LIBS)
UNIT_TESTS += %reldir%/test-bot-folder
%canon_reldir%_test_bot_folder_SOURCES = %reldir%/test-bot-folder.c
%canon_reldir%_test_bot_folder_LDADD = $(TABLE_LIBS)
UNIT_TESTS += %reldir%/test-check-plan
%canon_reldir%_test_check_plan_SOURCES = %reldir%/test-check-plan.c
%canon_reldir%_test_check_plan_LDADD = $(TABLE_LIBS)
UNIT_TESTS += %reldir%/test-check-watch
%canon_reldir%_test_check_watch_SOURCES = %reldir%/test-check-watch.c
%canon_reldir%_test_check_watch_LDADD = $(TABLE_LIBS)
UNIT_TESTS += %reldir%/test-match-bots
%canon_reldir%_test_match_bots_SOURCES = %reldir%/test-match-bots.c \
	%reldir%/ladder-kit.c
%canon_reldir%_test_match_bots_LDADD = $(TABLE_LIBS)
UNIT_TESTS += %reldir%/test-job
%canon_reldir%_test_job_SOURCES = %reldir%/test-job.c
%canon_reldir%_test_job_LDADD = $(TABLE_LIBS)

UNIT_TESTS += %reldir%/test-worker
%canon_reldir%_test_worker_SOURCES = %reldir%/test-worker.c
%canon_reldir%_test_worker_LDADD = $(TABLE_LIBS)
UNIT_TESTS += %reldir%/test-idle
%canon_reldir%_test_idle_SOURCES = %reldir%/test-idle.c %reldir%/fake-bot.c
%canon_reldir%_test_idle_LDADD = $(TABLE_LIBS)
UNIT_TESTS += %reldir%/test-match-faults
%canon_reldir%_test_match_faults_SOURCES = %reldir%/test-match-faults.c
%canon_reldir%_test_match_faults_LDADD = $(TABLE_LIBS)
UNIT_TESTS += %reldir%/test-progress
%canon_reldir%_test_progress_SOURCES = %reldir%/test-progress.c
%canon_reldir%_test_progress_LDADD = $(TABLE_LIBS)
UNIT_TESTS += %reldir%/test-packing
%canon_reldir%_test_packing_SOURCES = %reldir%/test-packing.c \
	%reldir%/ladder-kit.c
%canon_reldir%_test_packing_LDADD = $(TABLE_LIBS)
UNIT_TESTS += %reldir%/test-writer
%canon_reldir%_test_writer_SOURCES = %reldir%/test-writer.c \
	%reldir%/ladder-kit.c
%canon_reldir%_test_writer_LDADD = $(TABLE_LIBS)
UNIT_TESTS += %reldir%/test-bot
%canon_reldir%_test_bot_SOURCES = %reldir%/test-bot.c %reldir%/fake-bot.c
%canon_reldir%_test_bot_LDADD = $(TABLE_LIBS)
UNIT_TESTS += %reldir%/test-complaints
%canon_reldir%_test_complaints_SOURCES = %reldir%/test-complaints.c
%canon_reldir%_test_complaints_LDADD = $(TABLE_LIBS)
UNIT_TESTS += %reldir%/test-secrets
%canon_reldir%_test_secrets_SOURCES = %reldir%/test-secrets.c \
	%reldir%/fake-bot.c %reldir%/parley.c %reldir%/play.c \
	%reldir%/play.h %reldir%/scene.c %reldir%/secrets.c %reldir%/secrets.h
%canon_reldir%_test_secrets_LDADD = $(TABLE_LIBS)

UNIT_TESTS += %reldir%/test-near
%canon_reldir%_test_near_SOURCES = %reldir%/test-near.c
%canon_reldir%_test_near_LDADD = $(TABLE_LIBS)
