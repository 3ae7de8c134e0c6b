# Random games in any number, each proved from its secret and by the rules.
check_PROGRAMS += %reldir%/soak
%canon_reldir%_soak_SOURCES = %reldir%/soak.c \
	tests/unit/random-record.c tests/unit/random-record.h
%canon_reldir%_soak_LDADD = referee/libreferee.a referee/libgames.a \
	protocol/libprotocol.a $(SODIUM_LIBS)
dist_check_SCRIPTS += %reldir%/test-soak.sh
TESTS += %reldir%/test-soak.sh

# Matches in any number: how often the bars of their standings cover.
check_PROGRAMS += %reldir%/bars
%canon_reldir%_bars_SOURCES = %reldir%/bars.c
%canon_reldir%_bars_LDADD = referee/libreferee.a referee/libgames.a \
	ladder/libladder.a protocol/libprotocol.a $(SODIUM_LIBS) -lm
dist_check_SCRIPTS += %reldir%/test-bars.sh
TESTS += %reldir%/test-bars.sh

# For a release: `make soak SOAK_GAMES=100000`.  The figures of a game stand
# in soak-GAME.log; a finding fails the target.
SOAK_GAMES = 10000
soak: %reldir%/soak
	sed -n 's/^GAME(\(.*\))$$/\1/p' $(top_srcdir)/referee/games/list.h | \
		tr _ - | xargs -P `nproc` -I @ $(SHELL) -c \
		'%reldir%/soak $(SOAK_GAMES) @ >soak-@.log; \
		status=$$?; cat soak-@.log; exit $$status'
.PHONY: soak
CLEANFILES += soak-*.log
