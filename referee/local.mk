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
	%reldir%/bench/bench-bot.c \
	%reldir%/bench/bench-engine.c \
	%reldir%/bench/bench-ladder.c \
	%reldir%/bench/bench-pingpong.c \
	%reldir%/bench/bench-start.c \
	%reldir%/bench/bench-turns.c \
	%reldir%/bench/bench.h \
	%reldir%/table/bot-builtin.c \
	%reldir%/child/bot-child.c \
	%reldir%/config/bot-folder.c \
	%reldir%/config/bot-folder.h \
	%reldir%/net/bot-remote.c \
	%reldir%/child/bot-usage.c \
	%reldir%/child/bot-usage.h \
	%reldir%/table/bot.c \
	%reldir%/table/bot.h \
	%reldir%/command.h \
	%reldir%/command.c \
	%reldir%/command-bench.c \
	%reldir%/command-match.c \
	%reldir%/check/check-inside.h \
	%reldir%/check/check-judge.c \
	%reldir%/check/check-notes.c \
	%reldir%/check/check-plan.c \
	%reldir%/check/check-plan.h \
	%reldir%/check/check-proc.c \
	%reldir%/check/check-proc.h \
	%reldir%/check/check-report.c \
	%reldir%/check/check-report.h \
	%reldir%/check/check-tap.c \
	%reldir%/check/check-tap.h \
	%reldir%/check/check-watch.c \
	%reldir%/check/check-watch.h \
	%reldir%/check/check.c \
	%reldir%/check/check.h \
	%reldir%/command-check.c \
	%reldir%/complaints.c \
	%reldir%/complaints.h \
	%reldir%/log.c \
	%reldir%/log.h \
	%reldir%/serve/bots.c \
	%reldir%/serve/bots.h \
	%reldir%/serve/clerk.c \
	%reldir%/serve/clerk.h \
	%reldir%/command-bots.c \
	%reldir%/serve/control.c \
	%reldir%/serve/control.h \
	%reldir%/command-serve.c \
	%reldir%/serve/data-folder.c \
	%reldir%/serve/data-folder.h \
	%reldir%/serve/hall-game.c \
	%reldir%/serve/hall-inside.h \
	%reldir%/serve/games-view.c \
	%reldir%/serve/games-view.h \
	%reldir%/serve/hall-ladder.c \
	%reldir%/serve/hall-ladder.h \
	%reldir%/serve/hall-prune.c \
	%reldir%/serve/hall-prune.h \
	%reldir%/serve/hall-recall.c \
	%reldir%/serve/hall-recall.h \
	%reldir%/serve/hall-rebuild.c \
	%reldir%/serve/hall-running.c \
	%reldir%/serve/hall-running.h \
	%reldir%/serve/hall.c \
	%reldir%/serve/hall.h \
	%reldir%/serve/http-inside.h \
	%reldir%/serve/http-visit.c \
	%reldir%/serve/http.c \
	%reldir%/serve/http.h \
	%reldir%/serve/import-add.c \
	%reldir%/serve/import-add.h \
	%reldir%/serve/import-archive.c \
	%reldir%/serve/import-build.c \
	%reldir%/serve/import-files.c \
	%reldir%/serve/import-files.h \
	%reldir%/serve/import-hash.c \
	%reldir%/serve/import-intake.c \
	%reldir%/serve/import-intake.h \
	%reldir%/serve/import-make.c \
	%reldir%/serve/import-make.h \
	%reldir%/serve/import.c \
	%reldir%/serve/import.h \
	%reldir%/serve/ladder-view.c \
	%reldir%/serve/ladder-view.h \
	%reldir%/serve/metrics.c \
	%reldir%/serve/notify.c \
	%reldir%/serve/notify.h \
	%reldir%/serve/record-view.c \
	%reldir%/serve/record-view.h \
	%reldir%/serve/resident.c \
	%reldir%/serve/resident.h \
	%reldir%/serve/server-guests.c \
	%reldir%/serve/server-http.c \
	%reldir%/serve/server-inside.h \
	%reldir%/serve/server-listen.c \
	%reldir%/serve/server-records.c \
	%reldir%/serve/server-reload.c \
	%reldir%/serve/server-request.c \
	%reldir%/serve/server-residents.c \
	%reldir%/serve/server-uploads.c \
	%reldir%/serve/tree.c \
	%reldir%/serve/tree.h \
	%reldir%/serve/upload.c \
	%reldir%/serve/upload.h \
	%reldir%/net/sitter-guest.c \
	%reldir%/net/sitter.h \
	%reldir%/serve/server.c \
	%reldir%/serve/server.h \
	%reldir%/records/finished.c \
	%reldir%/records/finished.h \
	%reldir%/net/door.c \
	%reldir%/net/door.h \
	%reldir%/net/address.c \
	%reldir%/net/address.h \
	%reldir%/net/guest-inside.h \
	%reldir%/net/guest.c \
	%reldir%/net/guest.h \
	%reldir%/net/hello.c \
	%reldir%/net/link.c \
	%reldir%/net/link.h \
	%reldir%/table/loop.c \
	%reldir%/table/loop.h \
	%reldir%/match/match-bots.c \
	%reldir%/match/match-bots.h \
	%reldir%/match/match-faults.c \
	%reldir%/match/match-faults.h \
	%reldir%/match/idle.c \
	%reldir%/match/idle.h \
	%reldir%/match/match-keeping.c \
	%reldir%/match/match-keeping.h \
	%reldir%/match/match-report.c \
	%reldir%/match/match-report.h \
	%reldir%/match/match.c \
	%reldir%/match/match.h \
	%reldir%/serve/owner.c \
	%reldir%/serve/owner.h \
	%reldir%/serve/server-share.c \
	%reldir%/serve/share.c \
	%reldir%/serve/share.h \
	%reldir%/progress.c \
	%reldir%/progress.h \
	%reldir%/match/schedule.c \
	%reldir%/match/schedule.h \
	%reldir%/table/seat.c \
	%reldir%/table/seat.h \
	%reldir%/config/serve-limits.h \
	%reldir%/match/standings.c \
	%reldir%/match/standings.h \
	%reldir%/net/stream.c \
	%reldir%/net/stream.h \
	%reldir%/table/table-record.c \
	%reldir%/table/table-record.h \
	%reldir%/table/table.c \
	%reldir%/table/table.h \
	%reldir%/net/tls.c \
	%reldir%/net/tls.h \
	%reldir%/records/writer.c \
	%reldir%/records/writer.h \
	%reldir%/command-games.c \
	%reldir%/command-ladder.c \
	%reldir%/command-replay.c \
	%reldir%/command-verify.c \
	%reldir%/config/serve-config-inside.h \
	%reldir%/config/serve-config-keys.c \
	%reldir%/config/serve-config-parse.c \
	%reldir%/config/serve-config-print.c \
	%reldir%/config/serve-config-reading.h \
	%reldir%/config/serve-config-sections.c \
	%reldir%/config/serve-config-text.c \
	%reldir%/config/serve-config.c \
	%reldir%/config/serve-config.h \
	%reldir%/away/away-game.c \
	%reldir%/away/away-game.h \
	%reldir%/away/away-games.c \
	%reldir%/away/away-inside.h \
	%reldir%/away/away-link.c \
	%reldir%/away/away-link.h \
	%reldir%/away/away.c \
	%reldir%/away/away.h \
	%reldir%/command-connect.c \
	%reldir%/net/connect.c \
	%reldir%/net/connect.h \
	%reldir%/table/deal.c \
	%reldir%/table/deal.h \
	%reldir%/ladder-print.c \
	%reldir%/ladder-print.h \
	%reldir%/ladder-rebuild.c \
	%reldir%/ladder-rebuild.h \
	%reldir%/child/nursery.c \
	%reldir%/child/nursery.h \
	%reldir%/child/nursery-box.c \
	%reldir%/child/nursery-box.h \
	%reldir%/child/nursery-domain.c \
	%reldir%/child/nursery-domain.h \
	%reldir%/child/nursery-order.c \
	%reldir%/child/nursery-order.h \
	%reldir%/child/nursery-process.c \
	%reldir%/child/nursery-process.h \
	%reldir%/child/nursery-program.c \
	%reldir%/table/rate.h \
	%reldir%/child/box.h \
	%reldir%/child/sandbox-argv.c \
	%reldir%/child/sandbox-argv.h \
	%reldir%/child/sandbox-closed.c \
	%reldir%/child/sandbox-closed.h \
	%reldir%/child/sandbox-filter.c \
	%reldir%/child/sandbox-filter.h \
	%reldir%/child/sandbox-group.c \
	%reldir%/child/sandbox-group.h \
	%reldir%/child/sandbox-probe.c \
	%reldir%/child/sandbox-see.c \
	%reldir%/child/sandbox-start.c \
	%reldir%/child/sandbox-start.h \
	%reldir%/child/sandbox-watch.c \
	%reldir%/child/sandbox-walls.c \
	%reldir%/child/sandbox-walls.h \
	%reldir%/child/sandbox.c \
	%reldir%/child/sandbox.h \
	%reldir%/records/replay.c \
	%reldir%/records/replay.h \
	%reldir%/records/step.c \
	%reldir%/records/step.h \
	%reldir%/records/verify-ask.c \
	%reldir%/records/verify-header.c \
	%reldir%/records/verify-header.h \
	%reldir%/records/verify.c \
	%reldir%/records/verify.h
%canon_reldir%_libreferee_a_CPPFLAGS = $(AM_CPPFLAGS) $(SODIUM_CFLAGS) \
	$(SQLITE_CFLAGS) $(EVENT_CFLAGS) $(JANSSON_CFLAGS) $(CONFUSE_CFLAGS) $(ARCHIVE_CFLAGS) $(OPENSSL_CFLAGS) $(SECCOMP_CFLAGS) \
	-DPKGLIBEXECDIR='"$(pkglibexecdir)"'

bin_PROGRAMS += %reldir%/referee
%canon_reldir%_referee_SOURCES = %reldir%/main.c
%canon_reldir%_referee_LDADD = %reldir%/libreferee.a ladder/libladder.a \
	%reldir%/libgames.a protocol/libprotocol.a \
	$(EVENT_LIBS) $(SODIUM_LIBS) $(SQLITE_LIBS) $(JANSSON_LIBS) \
	$(CONFUSE_LIBS) $(ARCHIVE_LIBS) -lm $(OPENSSL_LIBS) $(SECCOMP_LIBS) -lpthread

# The first process of a box: static, for there is nothing of ours in there, and
# without sanitizers, which want much more than what it has.
pkglibexec_PROGRAMS += %reldir%/referee-box
%canon_reldir%_referee_box_SOURCES = \
	%reldir%/child/referee-box.c \
	%reldir%/child/box-files.c \
	%reldir%/child/box-fill.c \
	%reldir%/child/box-fill.h \
	%reldir%/child/box-hear.c \
	%reldir%/child/box-hear.h \
	%reldir%/child/box-watch.c \
	%reldir%/child/box-watch.h \
	%reldir%/child/box.h \
	%reldir%/child/nursery-domain.c \
	%reldir%/child/nursery-domain.h
%canon_reldir%_referee_box_CFLAGS = -std=gnu17 $(WARN_CFLAGS)
%canon_reldir%_referee_box_LDFLAGS = -static
