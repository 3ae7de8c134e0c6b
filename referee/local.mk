# The games and their table: pure, linked by thinking bots, too (with SODIUM_LIBS).
noinst_LIBRARIES += %reldir%/libgames.a
%canon_reldir%_libgames_a_SOURCES = \
	%reldir%/chance.c \
	%reldir%/chance.h \
	%reldir%/follow.c \
	%reldir%/follow.h \
	%reldir%/game.c \
	%reldir%/game.h \
	%reldir%/games/bag.h \
	%reldir%/games/daumen-drauf-follow.c \
	%reldir%/games/daumen-drauf-redeal.c \
	%reldir%/games/daumen-drauf.c \
	%reldir%/games/daumen-drauf.h \
	%reldir%/games/daupun-battle.c \
	%reldir%/games/daupun-battle.h \
	%reldir%/games/daupun-redeal.c \
	%reldir%/games/daupun.c \
	%reldir%/games/daupun.h \
	%reldir%/games/doubles-dread.c \
	%reldir%/games/durnius-follow.c \
	%reldir%/games/durnius-game.c \
	%reldir%/games/durnius-redeal.c \
	%reldir%/games/durnius-words.c \
	%reldir%/games/durnius.c \
	%reldir%/games/durnius.h \
	%reldir%/games/redeal.c \
	%reldir%/games/redeal.h \
	%reldir%/games/seats.h \
	%reldir%/games/told.c \
	%reldir%/games/told.h \
	%reldir%/games/toepen-redeal.c \
	%reldir%/games/toepen.c \
	%reldir%/games/toepen.h
%canon_reldir%_libgames_a_CPPFLAGS = $(AM_CPPFLAGS) $(SODIUM_CFLAGS)

# The rules, for people.
dist_doc_DATA += \
	%reldir%/games/daumen-drauf.md \
	%reldir%/games/daupun.md \
	%reldir%/games/doubles-dread.md \
	%reldir%/games/durnius.md \
	%reldir%/games/toepen.md

# Everything of the daemon but main().
noinst_LIBRARIES += %reldir%/libreferee.a
%canon_reldir%_libreferee_a_SOURCES = \
	%reldir%/bench-bot.c \
	%reldir%/bench-engine.c \
	%reldir%/bench-ladder.c \
	%reldir%/bench-pingpong.c \
	%reldir%/bench-start.c \
	%reldir%/bench-turns.c \
	%reldir%/bench.h \
	%reldir%/bot-builtin.c \
	%reldir%/bot-child.c \
	%reldir%/bot-folder.c \
	%reldir%/bot-folder.h \
	%reldir%/bot-remote.c \
	%reldir%/bot-usage.c \
	%reldir%/bot-usage.h \
	%reldir%/bot.c \
	%reldir%/bot.h \
	%reldir%/command.h \
	%reldir%/command.c \
	%reldir%/command-bench.c \
	%reldir%/command-match.c \
	%reldir%/check-inside.h \
	%reldir%/check-judge.c \
	%reldir%/check-plan.c \
	%reldir%/check-plan.h \
	%reldir%/check-proc.c \
	%reldir%/check-proc.h \
	%reldir%/check-report.c \
	%reldir%/check-report.h \
	%reldir%/check-tap.c \
	%reldir%/check-tap.h \
	%reldir%/check-watch.c \
	%reldir%/check-watch.h \
	%reldir%/check.c \
	%reldir%/check.h \
	%reldir%/command-check.c \
	%reldir%/complaints.c \
	%reldir%/complaints.h \
	%reldir%/log.c \
	%reldir%/log.h \
	%reldir%/bots.c \
	%reldir%/bots.h \
	%reldir%/clerk.c \
	%reldir%/clerk.h \
	%reldir%/command-bots.c \
	%reldir%/control.c \
	%reldir%/control.h \
	%reldir%/command-serve.c \
	%reldir%/data-folder.c \
	%reldir%/data-folder.h \
	%reldir%/hall-game.c \
	%reldir%/hall-inside.h \
	%reldir%/games-view.c \
	%reldir%/games-view.h \
	%reldir%/hall-ladder.c \
	%reldir%/hall-ladder.h \
	%reldir%/hall-prune.c \
	%reldir%/hall-prune.h \
	%reldir%/hall-recall.c \
	%reldir%/hall-recall.h \
	%reldir%/hall-rebuild.c \
	%reldir%/hall-running.c \
	%reldir%/hall-running.h \
	%reldir%/hall.c \
	%reldir%/hall.h \
	%reldir%/http-inside.h \
	%reldir%/http-visit.c \
	%reldir%/http.c \
	%reldir%/http.h \
	%reldir%/ladder-view.c \
	%reldir%/ladder-view.h \
	%reldir%/metrics.c \
	%reldir%/notify.c \
	%reldir%/notify.h \
	%reldir%/record-view.c \
	%reldir%/record-view.h \
	%reldir%/server-guests.c \
	%reldir%/server-share.c \
	%reldir%/share.c \
	%reldir%/share.h \
	%reldir%/server-http.c \
	%reldir%/server-inside.h \
	%reldir%/server-listen.c \
	%reldir%/server-records.c \
	%reldir%/server-reload.c \
	%reldir%/server-request.c \
	%reldir%/server.c \
	%reldir%/server.h \
	%reldir%/finished.c \
	%reldir%/finished.h \
	%reldir%/door.c \
	%reldir%/door.h \
	%reldir%/address.c \
	%reldir%/address.h \
	%reldir%/guest-inside.h \
	%reldir%/guest.c \
	%reldir%/guest.h \
	%reldir%/hello.c \
	%reldir%/link.c \
	%reldir%/link.h \
	%reldir%/loop.c \
	%reldir%/loop.h \
	%reldir%/match-bots.c \
	%reldir%/match-bots.h \
	%reldir%/match-faults.c \
	%reldir%/match-faults.h \
	%reldir%/match-keeping.c \
	%reldir%/match-keeping.h \
	%reldir%/match-report.c \
	%reldir%/match-report.h \
	%reldir%/match.c \
	%reldir%/match.h \
	%reldir%/owner.c \
	%reldir%/owner.h \
	%reldir%/progress.c \
	%reldir%/progress.h \
	%reldir%/schedule.c \
	%reldir%/schedule.h \
	%reldir%/seat.c \
	%reldir%/seat.h \
	%reldir%/serve-limits.h \
	%reldir%/standings.c \
	%reldir%/standings.h \
	%reldir%/stream.c \
	%reldir%/stream.h \
	%reldir%/table-record.c \
	%reldir%/table-record.h \
	%reldir%/table.c \
	%reldir%/table.h \
	%reldir%/tls.c \
	%reldir%/tls.h \
	%reldir%/writer.c \
	%reldir%/writer.h \
	%reldir%/command-games.c \
	%reldir%/command-ladder.c \
	%reldir%/command-replay.c \
	%reldir%/command-verify.c \
	%reldir%/serve-config-inside.h \
	%reldir%/serve-config-keys.c \
	%reldir%/serve-config-parse.c \
	%reldir%/serve-config-print.c \
	%reldir%/serve-config-reading.h \
	%reldir%/serve-config-sections.c \
	%reldir%/serve-config-text.c \
	%reldir%/serve-config.c \
	%reldir%/serve-config.h \
	%reldir%/away-game.c \
	%reldir%/away-game.h \
	%reldir%/away-games.c \
	%reldir%/away-inside.h \
	%reldir%/away-link.c \
	%reldir%/away-link.h \
	%reldir%/away.c \
	%reldir%/away.h \
	%reldir%/command-connect.c \
	%reldir%/connect.c \
	%reldir%/connect.h \
	%reldir%/deal.c \
	%reldir%/deal.h \
	%reldir%/ladder-print.c \
	%reldir%/ladder-print.h \
	%reldir%/ladder-rebuild.c \
	%reldir%/ladder-rebuild.h \
	%reldir%/nursery.c \
	%reldir%/nursery.h \
	%reldir%/nursery-box.c \
	%reldir%/nursery-box.h \
	%reldir%/nursery-domain.c \
	%reldir%/nursery-domain.h \
	%reldir%/nursery-process.c \
	%reldir%/nursery-process.h \
	%reldir%/nursery-program.c \
	%reldir%/rate.h \
	%reldir%/box.h \
	%reldir%/sandbox-argv.c \
	%reldir%/sandbox-argv.h \
	%reldir%/sandbox-filter.c \
	%reldir%/sandbox-filter.h \
	%reldir%/sandbox-group.c \
	%reldir%/sandbox-group.h \
	%reldir%/sandbox-probe.c \
	%reldir%/sandbox-see.c \
	%reldir%/sandbox-start.c \
	%reldir%/sandbox-start.h \
	%reldir%/sandbox-walls.c \
	%reldir%/sandbox-walls.h \
	%reldir%/sandbox.c \
	%reldir%/sandbox.h \
	%reldir%/replay.c \
	%reldir%/replay.h \
	%reldir%/step.c \
	%reldir%/step.h \
	%reldir%/verify-ask.c \
	%reldir%/verify-header.c \
	%reldir%/verify-header.h \
	%reldir%/verify.c \
	%reldir%/verify.h
%canon_reldir%_libreferee_a_CPPFLAGS = $(AM_CPPFLAGS) $(SODIUM_CFLAGS) \
	$(SQLITE_CFLAGS) $(EVENT_CFLAGS) $(JANSSON_CFLAGS) $(CONFUSE_CFLAGS) $(OPENSSL_CFLAGS) $(SECCOMP_CFLAGS) \
	-DPKGLIBEXECDIR='"$(pkglibexecdir)"'

bin_PROGRAMS += %reldir%/referee
%canon_reldir%_referee_SOURCES = %reldir%/main.c
%canon_reldir%_referee_LDADD = %reldir%/libreferee.a ladder/libladder.a \
	%reldir%/libgames.a protocol/libprotocol.a \
	$(EVENT_LIBS) $(SODIUM_LIBS) $(SQLITE_LIBS) $(JANSSON_LIBS) \
	$(CONFUSE_LIBS) -lm $(OPENSSL_LIBS) $(SECCOMP_LIBS) -lpthread

# The first process of a box: static, for there is nothing of ours in there, and
# without sanitizers, which want much more than what it has.
pkglibexec_PROGRAMS += %reldir%/referee-box
%canon_reldir%_referee_box_SOURCES = %reldir%/referee-box.c %reldir%/box.h
%canon_reldir%_referee_box_CFLAGS = -std=gnu17 $(WARN_CFLAGS)
%canon_reldir%_referee_box_LDFLAGS = -static
