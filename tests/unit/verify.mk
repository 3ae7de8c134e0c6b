# tests/unit/verify.mk
VERIFY_LIBS = referee/libreferee.a referee/libframes.a referee/libgames.a \
	ladder/libladder.a protocol/libprotocol.a \
	$(UNIT_LIBS)
RECORD_SOURCES = \
	%reldir%/leaks.h \
	%reldir%/record-vectors.c \
	%reldir%/record-vectors.h

UNIT_TESTS += %reldir%/test-verify
%canon_reldir%_test_verify_SOURCES = %reldir%/test-verify.c \
	%reldir%/random-record.c %reldir%/random-record.h \
	%reldir%/rounds.h %reldir%/settings.c %reldir%/settings.h \
	$(RECORD_SOURCES)
%canon_reldir%_test_verify_LDADD = $(VERIFY_LIBS)

UNIT_TESTS += %reldir%/test-opinion
%canon_reldir%_test_opinion_SOURCES = %reldir%/test-opinion.c \
	%reldir%/leaks.h %reldir%/retell.c %reldir%/retell.h \
	%reldir%/rounds.h %reldir%/settings.c %reldir%/settings.h \
	$(PLAY_SOURCES)
%canon_reldir%_test_opinion_LDADD = referee/libreferee.a \
	referee/libframes.a $(GAME_LIBS)
%canon_reldir%_test_opinion_DEPENDENCIES = referee/libreferee.a \
	referee/libframes.a sample-bots/strong/strong-opinions

UNIT_TESTS += %reldir%/test-frames-views
%canon_reldir%_test_frames_views_SOURCES = %reldir%/test-frames-views.c \
	%reldir%/frame-wrong.c %reldir%/frame-wrong.h \
	%reldir%/random-record.c %reldir%/random-record.h \
	%reldir%/retell.c %reldir%/retell.h %reldir%/settings.c \
	%reldir%/settings.h $(PLAY_SOURCES) $(RECORD_SOURCES)
%canon_reldir%_test_frames_views_LDADD = referee/libreferee.a \
	referee/libframes.a $(GAME_LIBS)

UNIT_TESTS += %reldir%/test-record-keys
%canon_reldir%_test_record_keys_SOURCES = %reldir%/test-record-keys.c \
	$(RECORD_SOURCES)
%canon_reldir%_test_record_keys_LDADD = $(VERIFY_LIBS)

UNIT_TESTS += %reldir%/test-mutation
%canon_reldir%_test_mutation_SOURCES = %reldir%/test-mutation.c \
	%reldir%/durnius-model.c %reldir%/durnius-model.h \
	%reldir%/mutation-durnius.c \
	%reldir%/mutation.c %reldir%/mutation.h $(RECORD_SOURCES)
%canon_reldir%_test_mutation_LDADD = $(VERIFY_LIBS)

# Random records for the scripts in tests/end-to-end.
check_PROGRAMS += %reldir%/pg-talk
%canon_reldir%_pg_talk_SOURCES = %reldir%/pg-talk.c
%canon_reldir%_pg_talk_LDADD = $(TABLE_LIBS)
check_PROGRAMS += %reldir%/write-record
%canon_reldir%_write_record_SOURCES = %reldir%/write-record.c \
	%reldir%/random-record.c %reldir%/random-record.h
%canon_reldir%_write_record_LDADD = referee/libreferee.a referee/libgames.a \
	protocol/libprotocol.a $(SODIUM_LIBS)

# Tables as HTML and as JSON, for test-web-tables.py.
check_PROGRAMS += %reldir%/write-tables
%canon_reldir%_write_tables_SOURCES = %reldir%/write-tables.c
%canon_reldir%_write_tables_LDADD = $(VERIFY_LIBS)
