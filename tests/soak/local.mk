# Random games in any number, each proved from its secret and by the rules.
check_PROGRAMS += %reldir%/soak
%canon_reldir%_soak_SOURCES = %reldir%/soak.c \
	tests/unit/random-record.c tests/unit/random-record.h
%canon_reldir%_soak_CPPFLAGS = $(AM_CPPFLAGS) $(SODIUM_CFLAGS)
%canon_reldir%_soak_LDADD = referee/libreferee.a referee/libgames.a \
	protocol/libprotocol.a $(SODIUM_LIBS)
dist_check_SCRIPTS += %reldir%/test-soak.sh
TESTS += %reldir%/test-soak.sh

# For a release: `make -j2 soak SOAK_GAMES=100000`.  The figures of a game stand
# in soak-GAME.log; a finding fails the target.
SOAK_GAMES = 10000
SOAKS = soak-daumen-drauf soak-daupun soak-doubles-dread soak-durnius \
	soak-toepen
$(SOAKS): %reldir%/soak
	%reldir%/soak $(SOAK_GAMES) $(@:soak-%=%) >$@.log; \
		status=$$?; cat $@.log; exit $$status
soak: $(SOAKS)
.PHONY: soak $(SOAKS)
CLEANFILES += soak-*.log
