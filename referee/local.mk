# The games and their table: pure, linked by thinking bots, too (with SODIUM_LIBS).
noinst_LIBRARIES += %reldir%/libgames.a
%canon_reldir%_libgames_a_SOURCES = \
	%reldir%/chance.c \
	%reldir%/chance.h \
	%reldir%/draws.c \
	%reldir%/draws.h \
	%reldir%/follow.c \
	%reldir%/follow.h \
	%reldir%/game.c \
	%reldir%/game.h \
	%reldir%/games/bag.h \
	%reldir%/games/daumen-drauf-redeal.c \
	%reldir%/games/daumen-drauf.c \
	%reldir%/games/daumen-drauf.h \
	%reldir%/games/daupun-battle.c \
	%reldir%/games/daupun-battle.h \
	%reldir%/games/daupun-redeal.c \
	%reldir%/games/daupun.c \
	%reldir%/games/daupun.h \
	%reldir%/games/doubles-dread.c \
	%reldir%/games/durnius-game.c \
	%reldir%/games/durnius-redeal.c \
	%reldir%/games/durnius-words.c \
	%reldir%/games/durnius.c \
	%reldir%/games/durnius.h \
	%reldir%/games/list.h \
	%reldir%/games/redeal.c \
	%reldir%/games/redeal.h \
	%reldir%/games/seats.h \
	%reldir%/games/toepen-redeal.c \
	%reldir%/games/toepen.c \
	%reldir%/games/toepen.h \
	%reldir%/sample-deal.c \
	%reldir%/sample-deal.h \
	%reldir%/sample-round.c \
	%reldir%/sample-round.h \
	%reldir%/sample-view.c \
	%reldir%/sample-view.h \
	%reldir%/sample.c \
	%reldir%/sample.h \
	%reldir%/told.c \
	%reldir%/told.h
%canon_reldir%_libgames_a_CPPFLAGS = $(AM_CPPFLAGS) $(SODIUM_CFLAGS)

# What a viewer can see of a game: on lines alone, without the games.
noinst_LIBRARIES += %reldir%/libframes.a
%canon_reldir%_libframes_a_SOURCES = \
	%reldir%/frames/any-game.c \
	%reldir%/frames/daumen-drauf.c \
	%reldir%/frames/daupun.c \
	%reldir%/frames/doubles-dread.c \
	%reldir%/frames/durnius.c \
	%reldir%/frames/frame-line.c \
	%reldir%/frames/frame-model.h \
	%reldir%/frames/frame-table.c \
	%reldir%/frames/frame-next.c \
	%reldir%/frames/frame.h \
	%reldir%/frames/list.h \
	%reldir%/frames/piece.c \
	%reldir%/frames/piece.h \
	%reldir%/frames/toepen.c

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
	%reldir%/child/bot-child.h \
	%reldir%/child/core.c \
	%reldir%/child/core.h \
	%reldir%/child/near.c \
	%reldir%/child/near.h \
	%reldir%/config/bot-folder.c \
	%reldir%/config/bot-folder.h \
	%reldir%/child/bot-usage.c \
	%reldir%/child/bot-usage.h \
	%reldir%/child/process-look.c \
	%reldir%/child/process-look.h \
	%reldir%/table/bot.c \
	%reldir%/table/bot.h \
	%reldir%/command.h \
	%reldir%/command.c \
	%reldir%/command-bench.c \
	%reldir%/command-match.c \
	%reldir%/command-tournament.c \
	%reldir%/match-run.c \
	%reldir%/match-run.h \
	%reldir%/match-arguments.c \
	%reldir%/match-arguments.h \
	%reldir%/match-setup.c \
	%reldir%/match-setup.h \
	%reldir%/play-options.c \
	%reldir%/play-options.h \
	%reldir%/check/check-inside.h \
	%reldir%/check/check-judge.c \
	%reldir%/check/check-listen.c \
	%reldir%/check/check-listen.h \
	%reldir%/check/check-notes.c \
	%reldir%/check/check-plan.c \
	%reldir%/check/check-plan.h \
	%reldir%/check/check-remote.c \
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
	%reldir%/import/archive.c \
	%reldir%/import/build.c \
	%reldir%/import/files.c \
	%reldir%/import/files.h \
	%reldir%/import/hash.c \
	%reldir%/import/incoming.c \
	%reldir%/import/incoming.h \
	%reldir%/import/intake.c \
	%reldir%/import/intake.h \
	%reldir%/import/listing.c \
	%reldir%/import/listing.h \
	%reldir%/import/make.c \
	%reldir%/import/make.h \
	%reldir%/import/pack.c \
	%reldir%/import/pack.h \
	%reldir%/import/tree.c \
	%reldir%/import/tree.h \
	%reldir%/serve/backup.c \
	%reldir%/serve/backup.h \
	%reldir%/serve/bots.c \
	%reldir%/serve/bots.h \
	%reldir%/worker-thread.c \
	%reldir%/worker-thread.h \
	%reldir%/command-backup.c \
	%reldir%/command-report.c \
	%reldir%/report-file.c \
	%reldir%/report-file.h \
	%reldir%/report-inside.h \
	%reldir%/report-part.c \
	%reldir%/report-part.h \
	%reldir%/report-records.c \
	%reldir%/report-records.h \
	%reldir%/report.c \
	%reldir%/report.h \
	%reldir%/command-bots.c \
	%reldir%/serve/control.c \
	%reldir%/serve/control.h \
	%reldir%/command-serve.c \
	%reldir%/serve/data-folder.c \
	%reldir%/serve/data-folder.h \
	%reldir%/serve/dispatch.c \
	%reldir%/serve/dispatch.h \
	%reldir%/serve/refit.c \
	%reldir%/serve/refit.h \
	%reldir%/serve/refusals.c \
	%reldir%/serve/refusals.h \
	%reldir%/serve/page-cache.c \
	%reldir%/serve/page-cache.h \
	%reldir%/serve/routes.c \
	%reldir%/serve/routes.h \
	%reldir%/serve/scheduler-age.c \
	%reldir%/serve/scheduler-age.h \
	%reldir%/serve/scheduler-bots.c \
	%reldir%/serve/scheduler-bots.h \
	%reldir%/serve/scheduler-counts.h \
	%reldir%/serve/scheduler-game.c \
	%reldir%/serve/scheduler-game.h \
	%reldir%/serve/scheduler-heirs.c \
	%reldir%/serve/scheduler-heirs.h \
	%reldir%/serve/fault-counts.c \
	%reldir%/serve/fault-counts.h \
	%reldir%/serve/game-notes.c \
	%reldir%/serve/game-notes.h \
	%reldir%/serve/games-view.c \
	%reldir%/serve/health.c \
	%reldir%/serve/html-make.c \
	%reldir%/serve/html-make.h \
	%reldir%/serve/html-pages.c \
	%reldir%/serve/html-pages.h \
	%reldir%/serve/health.h \
	%reldir%/serve/games-view.h \
	%reldir%/serve/scheduler-ladder.c \
	%reldir%/serve/scheduler-ladder.h \
	%reldir%/serve/scheduler-opening.c \
	%reldir%/serve/scheduler-opening.h \
	%reldir%/serve/scheduler-prune.c \
	%reldir%/serve/scheduler-prune.h \
	%reldir%/serve/scheduler-fit.c \
	%reldir%/serve/scheduler-fit.h \
	%reldir%/serve/scheduler-recall.c \
	%reldir%/serve/scheduler-recall.h \
	%reldir%/serve/scheduler-rebuild.c \
	%reldir%/serve/scheduler-rebuild.h \
	%reldir%/serve/scheduler-running.c \
	%reldir%/serve/scheduler-running.h \
	%reldir%/serve/scheduler.c \
	%reldir%/serve/scheduler.h \
	%reldir%/serve/http-connection.c \
	%reldir%/serve/gzip.c \
	%reldir%/serve/gzip.h \
	%reldir%/serve/http-forwarded.c \
	%reldir%/serve/http-forwarded.h \
	%reldir%/serve/http-gzip.c \
	%reldir%/serve/http-head.c \
	%reldir%/serve/http-head.h \
	%reldir%/serve/http-inside.h \
	%reldir%/serve/http-listen.c \
	%reldir%/serve/http-watch.c \
	%reldir%/serve/live-pages.c \
	%reldir%/serve/live-pages.h \
	%reldir%/serve/live-feed.c \
	%reldir%/serve/live-feed.h \
	%reldir%/serve/live.c \
	%reldir%/serve/live.h \
	%reldir%/serve/http.c \
	%reldir%/serve/http.h \
	%reldir%/serve/import-add.c \
	%reldir%/serve/import-add.h \
	%reldir%/serve/import.c \
	%reldir%/serve/import.h \
	%reldir%/serve/ladder-view.c \
	%reldir%/serve/ladder-view.h \
	%reldir%/serve/metric.c \
	%reldir%/serve/metric.h \
	%reldir%/serve/metrics.c \
	%reldir%/serve/metrics.h \
	%reldir%/serve/notify.c \
	%reldir%/serve/notify.h \
	%reldir%/serve/record-view.c \
	%reldir%/serve/record-view.h \
	%reldir%/serve/local-bot.c \
	%reldir%/serve/local-bot.h \
	%reldir%/serve/server-remote-bots.c \
	%reldir%/serve/pages.c \
	%reldir%/serve/pages.h \
	%reldir%/serve/page.c \
	%reldir%/serve/page.h \
	%reldir%/serve/server-inside.h \
	%reldir%/serve/server-descriptors.c \
	%reldir%/serve/record-others.c \
	%reldir%/serve/record-others.h \
	%reldir%/serve/opinion-queue.c \
	%reldir%/serve/opinion-queue.h \
	%reldir%/serve/listeners.c \
	%reldir%/serve/listeners.h \
	%reldir%/serve/queue-pages.c \
	%reldir%/serve/queue-pages.h \
	%reldir%/serve/record-pages.c \
	%reldir%/serve/record-pages.h \
	%reldir%/serve/server-house.c \
	%reldir%/serve/server-queue.c \
	%reldir%/serve/server-reload.c \
	%reldir%/serve/server-request.c \
	%reldir%/serve/server-local-bots.c \
	%reldir%/serve/bot-pages.c \
	%reldir%/serve/bot-pages.h \
	%reldir%/serve/who.c \
	%reldir%/serve/who.h \
	%reldir%/serve/ladders.c \
	%reldir%/serve/ladders.h \
	%reldir%/serve/tallies.c \
	%reldir%/serve/tallies.h \
	%reldir%/serve/standby.c \
	%reldir%/serve/standby.h \
	%reldir%/serve/static-files-inside.h \
	%reldir%/serve/static-files.c \
	%reldir%/serve/static-files.h \
	%reldir%/serve/upload.c \
	%reldir%/serve/upload.h \
	%reldir%/net/participant-remote-bot.c \
	%reldir%/participant.h \
	%reldir%/serve/server.c \
	%reldir%/serve/server.h \
	%reldir%/net/door.c \
	%reldir%/net/door.h \
	%reldir%/net/refusal.h \
	%reldir%/net/address.c \
	%reldir%/net/address.h \
	%reldir%/net/remote-bot-inside.h \
	%reldir%/net/remote-bot.c \
	%reldir%/net/remote-bot.h \
	%reldir%/net/remote-game.c \
	%reldir%/net/hello.c \
	%reldir%/net/link.c \
	%reldir%/net/link.h \
	%reldir%/net/first-ask.c \
	%reldir%/net/first-ask.h \
	%reldir%/table/loop.c \
	%reldir%/table/loop.h \
	%reldir%/match/gain.c \
	%reldir%/match/gain.h \
	%reldir%/match/in-order.c \
	%reldir%/match/in-order.h \
	%reldir%/match/ahead.c \
	%reldir%/match/ahead.h \
	%reldir%/match/anytime.c \
	%reldir%/match/anytime.h \
	%reldir%/match/contest-print.c \
	%reldir%/match/contest-print.h \
	%reldir%/match/contest.c \
	%reldir%/match/contest.h \
	%reldir%/match/match-bots.c \
	%reldir%/match/match-bots.h \
	%reldir%/match/match-done.c \
	%reldir%/match/match-done.h \
	%reldir%/match/match-faults.c \
	%reldir%/match/match-games.c \
	%reldir%/match/match-games.h \
	%reldir%/match/match-job.c \
	%reldir%/match/match-faults.h \
	%reldir%/match/match-job.h \
	%reldir%/runner/channel.c \
	%reldir%/runner/channel.h \
	%reldir%/runner/cores.c \
	%reldir%/runner/cores.h \
	%reldir%/runner/idle.c \
	%reldir%/runner/idle.h \
	%reldir%/runner/job.c \
	%reldir%/runner/job.h \
	%reldir%/runner/kept.c \
	%reldir%/runner/kept.h \
	%reldir%/runner/runner.c \
	%reldir%/runner/runner.h \
	%reldir%/runner/sitting.c \
	%reldir%/runner/sitting.h \
	%reldir%/runner/wire.c \
	%reldir%/runner/wire.h \
	%reldir%/runner/worker-start.c \
	%reldir%/runner/worker-start.h \
	%reldir%/runner/worker.c \
	%reldir%/runner/worker.h \
	%reldir%/runner/workers.c \
	%reldir%/runner/workers.h \
	%reldir%/match/match-keeping.c \
	%reldir%/match/match-keeping.h \
	%reldir%/match/match-plan.c \
	%reldir%/match/match-plan.h \
	%reldir%/match/match-publish.c \
	%reldir%/match/match-publish.h \
	%reldir%/match/match-report.c \
	%reldir%/match/match-report.h \
	%reldir%/match/match-resume.c \
	%reldir%/match/match-resume.h \
	%reldir%/match/match-source.h \
	%reldir%/match/match-seat.c \
	%reldir%/match/match-trouble.c \
	%reldir%/match/match-seat.h \
	%reldir%/match/match-terms.h \
	%reldir%/match/match-trouble.h \
	%reldir%/match/match.c \
	%reldir%/match/match.h \
	%reldir%/serve/owner.c \
	%reldir%/serve/owner.h \
	%reldir%/serve/server-share.c \
	%reldir%/serve/share.c \
	%reldir%/serve/share.h \
	%reldir%/progress.c \
	%reldir%/progress.h \
	%reldir%/queue-figures.c \
	%reldir%/queue-figures.h \
	%reldir%/match/schedule.c \
	%reldir%/match/schedule.h \
	%reldir%/table/seat.c \
	%reldir%/table/seat.h \
	%reldir%/config/serve-limits.h \
	%reldir%/match/sprt-estimate.c \
	%reldir%/match/sprt.c \
	%reldir%/match/sprt.h \
	%reldir%/match/standings.c \
	%reldir%/match/standings.h \
	%reldir%/match/tournament.c \
	%reldir%/match/tournament.h \
	%reldir%/net/stream.c \
	%reldir%/net/stream.h \
	%reldir%/table/table-record.c \
	%reldir%/table/table-record.h \
	%reldir%/table/table-setup.h \
	%reldir%/table/table.c \
	%reldir%/table/table.h \
	%reldir%/net/tls.c \
	%reldir%/net/tls.h \
	%reldir%/records/unfinished.c \
	%reldir%/records/unfinished.h \
	%reldir%/records/packing.c \
	%reldir%/records/packing.h \
	%reldir%/records/writer.c \
	%reldir%/records/writer.h \
	%reldir%/command-games.c \
	%reldir%/command-ladder.c \
	%reldir%/command-replay.c \
	%reldir%/command-verify.c \
	%reldir%/config/config-keys.c \
	%reldir%/config/config-keys.h \
	%reldir%/config/config-parse.c \
	%reldir%/config/config-parse.h \
	%reldir%/config/serve-config-options.c \
	%reldir%/config/serve-config-inside.h \
	%reldir%/config/serve-config-print.c \
	%reldir%/config/serve-config.c \
	%reldir%/config/serve-config.h \
	%reldir%/away/away-game.c \
	%reldir%/away/away-inside.h \
	%reldir%/away/away.c \
	%reldir%/away/away.h \
	%reldir%/command-connect.c \
	%reldir%/net/connect.c \
	%reldir%/net/connect.h \
	%reldir%/table/deal.c \
	%reldir%/table/deal.h \
	%reldir%/table/fault-note.c \
	%reldir%/table/fault-note.h \
	%reldir%/table/hash.h \
	%reldir%/ladder-change.c \
	%reldir%/ladder-change.h \
	%reldir%/fit-print.c \
	%reldir%/fit-print.h \
	%reldir%/fit-results.c \
	%reldir%/fit-results.h \
	%reldir%/ladder-fit.c \
	%reldir%/ladder-fit.h \
	%reldir%/ladder-options.h \
	%reldir%/ladder-print.c \
	%reldir%/table-print.c \
	%reldir%/table-print.h \
	%reldir%/ladder-print.h \
	%reldir%/ladder-show.c \
	%reldir%/ladder-show.h \
	%reldir%/ladder-versions.c \
	%reldir%/ladder-versions.h \
	%reldir%/json-line.c \
	%reldir%/json-line.h \
	%reldir%/opinion-run.c \
	%reldir%/opinion-run.h \
	%reldir%/networks.c \
	%reldir%/networks.h \
	%reldir%/ladder-rebuild.c \
	%reldir%/ladder-rebuild.h \
	%reldir%/record-keys.c \
	%reldir%/record-keys.h \
	%reldir%/arguments.c \
	%reldir%/complete.c \
	%reldir%/complete.h \
	%reldir%/suggest.c \
	%reldir%/game-help.c \
	%reldir%/game-help.h \
	%reldir%/suggest.h \
	%reldir%/child/spawner.c \
	%reldir%/child/spawner.h \
	%reldir%/child/spawner-bots.c \
	%reldir%/child/spawner-bots.h \
	%reldir%/child/spawner-box.c \
	%reldir%/child/spawner-box.h \
	%reldir%/child/spawner-domain.c \
	%reldir%/child/spawner-domain.h \
	%reldir%/child/spawner-end.h \
	%reldir%/child/spawner-message.h \
	%reldir%/child/spawner-order.c \
	%reldir%/child/spawner-order.h \
	%reldir%/child/spawner-process.c \
	%reldir%/child/spawner-process.h \
	%reldir%/child/spawner-program.c \
	%reldir%/child/spawner-watch.c \
	%reldir%/child/spawner-watch.h \
	%reldir%/child/process-memory.c \
	%reldir%/child/cpu-time.h \
	%reldir%/child/process-memory.h \
	%reldir%/child/program-exec.c \
	%reldir%/child/program-exec.h \
	%reldir%/table/rate-limit.h \
	%reldir%/box-note.h \
	%reldir%/child/box.h \
	%reldir%/child/sandbox-argv.c \
	%reldir%/child/sandbox-argv.h \
	%reldir%/child/sandbox-closed.c \
	%reldir%/child/sandbox-closed.h \
	%reldir%/child/sandbox-filter.c \
	%reldir%/child/sandbox-filter.h \
	%reldir%/child/sandbox-group.c \
	%reldir%/child/sandbox-group.h \
	%reldir%/child/sandbox-others.c \
	%reldir%/child/sandbox-others.h \
	%reldir%/child/sandbox-probe.c \
	%reldir%/child/sandbox-see.c \
	%reldir%/child/sandbox-slot.c \
	%reldir%/child/sandbox-slot.h \
	%reldir%/child/sandbox-start.c \
	%reldir%/child/sandbox-start.h \
	%reldir%/child/sandbox-watch.c \
	%reldir%/child/sandbox-walls.c \
	%reldir%/child/sandbox-walls.h \
	%reldir%/child/sandbox.c \
	%reldir%/child/sandbox.h \
	%reldir%/records/replay.c \
	%reldir%/records/replay.h \
	%reldir%/records/canvas.c \
	%reldir%/records/canvas.h \
	%reldir%/records/opinion.c \
	%reldir%/records/opinion.h \
	%reldir%/records/frame-json.c \
	%reldir%/records/frame-json.h \
	%reldir%/records/replay-asks.c \
	%reldir%/records/replay-asks.h \
	%reldir%/records/replay-frames.c \
	%reldir%/records/replay-frames.h \
	%reldir%/records/replay-notes.c \
	%reldir%/records/replay-notes.h \
	%reldir%/records/step-draw.c \
	%reldir%/records/step-draw.h \
	%reldir%/records/step-table.c \
	%reldir%/records/step-table.h \
	%reldir%/records/step.c \
	%reldir%/records/step.h \
	%reldir%/records/verdict.c \
	%reldir%/records/verdict.h \
	%reldir%/records/verify-ask.c \
	%reldir%/records/verify-header.c \
	%reldir%/records/verify-header.h \
	%reldir%/records/verify.c \
	%reldir%/records/verify.h \
	%reldir%/command-queue.c \
	%reldir%/queue-show.c \
	%reldir%/queue-show.h \
	%reldir%/command-worker.c \
	%reldir%/queue/again.c \
	%reldir%/queue/again.h \
	%reldir%/queue/bot-cache.c \
	%reldir%/queue/bot-cache.h \
	%reldir%/queue/bot-keep.c \
	%reldir%/queue/bot-keep.h \
	%reldir%/queue/coordinator-again.c \
	%reldir%/queue/coordinator-bots.c \
	%reldir%/queue/coordinator-classes.c \
	%reldir%/queue/coordinator-figures.c \
	%reldir%/queue/coordinator-inside.h \
	%reldir%/queue/coordinator-left.c \
	%reldir%/queue/coordinator-odd.c \
	%reldir%/queue/coordinator-orders.c \
	%reldir%/queue/coordinator-results.c \
	%reldir%/queue/coordinator.c \
	%reldir%/queue/coordinator.h \
	%reldir%/queue/figures.c \
	%reldir%/queue/figures.h \
	%reldir%/queue/house.c \
	%reldir%/queue/house.h \
	%reldir%/queue/pg-connect.c \
	%reldir%/queue/pg-inside.h \
	%reldir%/queue/pg-line.c \
	%reldir%/queue/pg-value.c \
	%reldir%/queue/pg.c \
	%reldir%/queue/pg.h \
	%reldir%/queue/player-ask.c \
	%reldir%/queue/player-held.c \
	%reldir%/queue/player-inside.h \
	%reldir%/queue/player.c \
	%reldir%/queue/player.h \
	%reldir%/queue/proof.c \
	%reldir%/queue/proof.h \
	%reldir%/queue/residuals.c \
	%reldir%/queue/residuals.h \
	%reldir%/queue/schema.h \
	%reldir%/queue/seal.c \
	%reldir%/queue/seal.h \
	%reldir%/queue/spec.c \
	%reldir%/queue/spec.h \
	%reldir%/queue/verdicts.c \
	%reldir%/queue/verdicts.h \
	%reldir%/queue/version.c \
	%reldir%/queue/version.h \
	%reldir%/queue/voids.c \
	%reldir%/queue/voids.h
nodist_%canon_reldir%_libreferee_a_SOURCES = %reldir%/serve/static-data.c \
	%reldir%/report-data.c %reldir%/queue/schema.c
%canon_reldir%_libreferee_a_CPPFLAGS = $(AM_CPPFLAGS) $(SODIUM_CFLAGS) \
	$(SQLITE_CFLAGS) $(EVENT_CFLAGS) $(JANSSON_CFLAGS) $(ARCHIVE_CFLAGS) $(OPENSSL_CFLAGS) $(SECCOMP_CFLAGS) $(ZLIB_CFLAGS) \
	$(PQ_CFLAGS) \
	-DPKGLIBEXECDIR='"$(pkglibexecdir)"'

# What pages load.
STATIC_FILES = \
	%reldir%/serve/static/author.js \
	%reldir%/serve/static/cards.svg \
	%reldir%/serve/static/elements.js \
	%reldir%/serve/static/events.js \
	%reldir%/serve/static/frames.js \
	%reldir%/serve/static/icon.svg \
	%reldir%/serve/static/ladder.js \
	%reldir%/serve/static/live.js \
	%reldir%/serve/static/motion.js \
	%reldir%/serve/static/opinions.js \
	%reldir%/serve/static/replay-copy.js \
	%reldir%/serve/static/replay-faults.js \
	%reldir%/serve/static/replay-files.js \
	%reldir%/serve/static/replay-focus.js \
	%reldir%/serve/static/replay-guess.js \
	%reldir%/serve/static/replay-keys.js \
	%reldir%/serve/static/replay-lines.js \
	%reldir%/serve/static/replay-links.js \
	%reldir%/serve/static/replay-panels.js \
	%reldir%/serve/static/replay-play.js \
	%reldir%/serve/static/replay-source.js \
	%reldir%/serve/static/replay-strip.js \
	%reldir%/serve/static/replay-table.js \
	%reldir%/serve/static/replay-text.js \
	%reldir%/serve/static/replay-tools.js \
	%reldir%/serve/static/replay-views.js \
	%reldir%/serve/static/replay.js \
	%reldir%/serve/static/running.js \
	%reldir%/serve/static/style.css \
	%reldir%/serve/static/table-options.js \
	%reldir%/serve/static/table.css \
	%reldir%/serve/static/table.js \
	%reldir%/serve/static/token.js
MAKE_STATIC = %reldir%/serve/make-static.sh
EXTRA_DIST += $(STATIC_FILES) $(MAKE_STATIC)
CLEANFILES += %reldir%/serve/static-data.c
%reldir%/serve/static-data.c: $(STATIC_FILES) $(MAKE_STATIC)
	$(AM_V_GEN)$(MKDIR_P) %reldir%/serve && ( \
	cd $(srcdir) && sh $(MAKE_STATIC) $(STATIC_FILES) ) >$@.tmp && \
	mv $@.tmp $@

# All that a report needs of them, as one script.
MAKE_REPORT = %reldir%/make-report-script.sh
EXTRA_DIST += $(MAKE_REPORT) %reldir%/report.js
CLEANFILES += %reldir%/report-data.c
%reldir%/report-data.c: $(STATIC_FILES) $(MAKE_REPORT) %reldir%/report.js
	$(AM_V_GEN)$(MKDIR_P) %reldir% && ( \
	cd $(srcdir) && sh $(MAKE_REPORT) %reldir%/serve/static \
		%reldir%/report.js ) >$@.tmp && mv $@.tmp $@

bin_PROGRAMS += %reldir%/referee
%canon_reldir%_referee_SOURCES = %reldir%/main.c
%canon_reldir%_referee_LDADD = %reldir%/libreferee.a ladder/libladder.a \
	%reldir%/libgames.a %reldir%/libframes.a protocol/libprotocol.a \
	$(EVENT_LIBS) $(SODIUM_LIBS) $(SQLITE_LIBS) $(JANSSON_LIBS) \
	-lm $(OPENSSL_LIBS) $(SECCOMP_LIBS) $(ZLIB_LIBS) $(PQ_LIBS) -lpthread

# The queue's tables and functions (SCHEMA_TO_C is in ladder/local.mk).
QUEUE_SCHEMA = \
	%reldir%/queue/schema-tables.sql \
	%reldir%/queue/schema-worker.sql \
	%reldir%/queue/schema-daemon.sql \
	%reldir%/queue/schema-machines.sql \
	%reldir%/queue/schema-figures.sql \
	%reldir%/queue/schema-house.sql \
	%reldir%/queue/schema-rights.sql
EXTRA_DIST += $(QUEUE_SCHEMA)
CLEANFILES += %reldir%/queue/schema.c
%reldir%/queue/schema.c: $(QUEUE_SCHEMA)
	$(AM_V_GEN)$(MKDIR_P) %reldir%/queue && { \
	echo '#include "referee/queue/schema.h"'; \
	echo 'const char queue_schema[] ='; \
	(cd $(srcdir) && $(SCHEMA_TO_C) $(QUEUE_SCHEMA)); \
	echo '	;'; } > $@.tmp && mv $@.tmp $@

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
	%reldir%/box-note.h \
	%reldir%/child/box.h \
	%reldir%/child/spawner-domain.c \
	%reldir%/child/spawner-domain.h \
	%reldir%/child/process-memory.c \
	%reldir%/child/cpu-time.h \
	%reldir%/child/process-memory.h \
	%reldir%/child/program-exec.c \
	%reldir%/child/program-exec.h
%canon_reldir%_referee_box_CFLAGS = -std=gnu17 $(SECTION_CFLAGS) $(WARN_CFLAGS)
%canon_reldir%_referee_box_LDFLAGS = -static
