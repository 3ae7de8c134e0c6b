# The arithmetic, the file, and the fold over records.
EXTRA_DIST += %reldir%/ladder-kit.h
LADDER_LIBS = ladder/libladder.a protocol/libprotocol.a $(UNIT_LIBS)

UNIT_TESTS += %reldir%/test-elo
%canon_reldir%_test_elo_SOURCES = %reldir%/test-elo.c \
	%reldir%/ladder-kit.c
%canon_reldir%_test_elo_LDADD = $(LADDER_LIBS)
UNIT_TESTS += %reldir%/test-fit
%canon_reldir%_test_fit_SOURCES = %reldir%/test-fit.c
%canon_reldir%_test_fit_LDADD = $(LADDER_LIBS)
UNIT_TESTS += %reldir%/test-store
%canon_reldir%_test_store_SOURCES = %reldir%/test-store.c \
	%reldir%/ladder-kit.c
%canon_reldir%_test_store_LDADD = $(LADDER_LIBS)
UNIT_TESTS += %reldir%/test-fold
%canon_reldir%_test_fold_SOURCES = %reldir%/test-fold.c \
	%reldir%/ladder-kit.c
%canon_reldir%_test_fold_LDADD = $(LADDER_LIBS)
UNIT_TESTS += %reldir%/test-command-ladder
%canon_reldir%_test_command_ladder_SOURCES = \
	%reldir%/test-command-ladder.c %reldir%/ladder-kit.c
%canon_reldir%_test_command_ladder_LDADD = referee/libreferee.a \
	referee/libgames.a $(LADDER_LIBS)
UNIT_TESTS += %reldir%/test-roster
%canon_reldir%_test_roster_SOURCES = %reldir%/test-roster.c \
	%reldir%/ladder-kit.c
%canon_reldir%_test_roster_LDADD = $(LADDER_LIBS)
UNIT_TESTS += %reldir%/test-pairing
%canon_reldir%_test_pairing_SOURCES = %reldir%/test-pairing.c
%canon_reldir%_test_pairing_LDADD = $(LADDER_LIBS)
UNIT_TESTS += %reldir%/test-pairing-long
%canon_reldir%_test_pairing_long_SOURCES = %reldir%/test-pairing-long.c
%canon_reldir%_test_pairing_long_LDADD = $(LADDER_LIBS)
UNIT_TESTS += %reldir%/test-record-pack
%canon_reldir%_test_record_pack_SOURCES = %reldir%/test-record-pack.c \
	%reldir%/ladder-kit.c
%canon_reldir%_test_record_pack_LDADD = $(LADDER_LIBS)
