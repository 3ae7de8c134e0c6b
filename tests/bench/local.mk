# Load for a daemon, measurements; no tests, but built with them so that they
# cannot rot.
check_PROGRAMS += %reldir%/load-bots
%canon_reldir%_load_bots_SOURCES = %reldir%/load-bots.c
EXTRA_DIST += %reldir%/beside-xboard.py %reldir%/cores.py %reldir%/first-paint.mjs %reldir%/packs.py \
	%reldir%/pages.py %reldir%/queue-games.py %reldir%/scale.py %reldir%/strengths.py %reldir%/strong.py \
	%reldir%/verify.py %reldir%/watchers.py
check_PROGRAMS += %reldir%/instant-engine
%canon_reldir%_instant_engine_SOURCES = %reldir%/instant-engine.c
check_PROGRAMS += %reldir%/fit-many
%canon_reldir%_fit_many_SOURCES = %reldir%/fit-many.c
%canon_reldir%_fit_many_LDADD = ladder/libladder.a protocol/libprotocol.a $(SODIUM_LIBS) -lm
# Who plays whom, and what it is worth; its short form is a test.
check_PROGRAMS += %reldir%/ladder-sim
%canon_reldir%_ladder_sim_SOURCES = %reldir%/ladder-sim.c
%canon_reldir%_ladder_sim_LDADD = ladder/libladder.a protocol/libprotocol.a $(SODIUM_LIBS) -lm
TESTS += %reldir%/ladder-sim
