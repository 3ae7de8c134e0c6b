# The games and their table: pure, linked by thinking bots, too (with SODIUM_LIBS).
noinst_LIBRARIES += %reldir%/libgames.a
%canon_reldir%_libgames_a_SOURCES = \
	%reldir%/games/chance.c \
	%reldir%/games/chance.h \
	%reldir%/games/draws.c \
	%reldir%/games/draws.h \
	%reldir%/games/game.c \
	%reldir%/games/game.h \
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
	%reldir%/games/toepen.h
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
	%reldir%/spawner/bot-child.c \
	%reldir%/spawner/bot-child.h \
	%reldir%/spawner/core.c \
	%reldir%/spawner/core.h \
	%reldir%/spawner/near.c \
	%reldir%/spawner/near.h \
	%reldir%/config/bot-folder.c \
	%reldir%/config/bot-folder.h \
	%reldir%/spawner/bot-usage.c \
	%reldir%/spawner/bot-usage.h \
	%reldir%/sandbox/process-look.c \
	%reldir%/sandbox/process-look.h \
	%reldir%/sandbox/process-threads.c \
	%reldir%/sandbox/process-threads.h \
	%reldir%/table/bot.c \
	%reldir%/table/bot.h \
	%reldir%/base/command.h \
	%reldir%/cli/commands.h \
	%reldir%/base/command.c \
	%reldir%/cli/command-bench.c \
	%reldir%/cli/command-match.c \
	%reldir%/cli/command-tournament.c \
	%reldir%/cli/match-run.c \
	%reldir%/cli/match-run.h \
	%reldir%/cli/bots-folder.c \
	%reldir%/cli/bots-folder.h \
	%reldir%/cli/data-bot.c \
	%reldir%/cli/data-bot.h \
	%reldir%/cli/match-arguments.c \
	%reldir%/cli/match-arguments.h \
	%reldir%/cli/match-setup.c \
	%reldir%/cli/match-setup.h \
	%reldir%/cli/play-options.c \
	%reldir%/cli/play-options.h \
	%reldir%/check/check-inside.h \
	%reldir%/check/check-judge.c \
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
	%reldir%/cli/command-check.c \
	%reldir%/runner/complaints.c \
	%reldir%/runner/complaints.h \
	%reldir%/base/log.c \
	%reldir%/base/log.h \
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
	%reldir%/serve/checker.h \
	%reldir%/base/subprocess.c \
	%reldir%/base/subprocess.h \
	%reldir%/base/thread.c \
	%reldir%/base/timers.c \
	%reldir%/base/timers.h \
	%reldir%/base/thread.h \
	%reldir%/cli/command-backup.c \
	%reldir%/cli/command-report.c \
	%reldir%/web/report-file.c \
	%reldir%/web/report-file.h \
	%reldir%/web/report-records.c \
	%reldir%/web/report-records.h \
	%reldir%/web/report.c \
	%reldir%/web/report.h \
	%reldir%/cli/command-bots.c \
	%reldir%/data/control.c \
	%reldir%/data/control.h \
	%reldir%/cli/command-serve.c \
	%reldir%/data/data-folder.c \
	%reldir%/data/data-folder.h \
	%reldir%/scheduler/refit.c \
	%reldir%/scheduler/refit.h \
	%reldir%/base/refusals.c \
	%reldir%/base/refusals.h \
	%reldir%/web/page-cache.c \
	%reldir%/web/page-cache.h \
	%reldir%/web/routes.c \
	%reldir%/web/routes.h \
	%reldir%/scheduler/scheduler-bots.c \
	%reldir%/scheduler/scheduler-bots.h \
	%reldir%/scheduler/scheduler-counts.h \
	%reldir%/scheduler/scheduler-game.c \
	%reldir%/scheduler/scheduler-game.h \
	%reldir%/web/game-notes.c \
	%reldir%/web/game-notes.h \
	%reldir%/web/api-games.c \
	%reldir%/serve/health.c \
	%reldir%/web/html-make.c \
	%reldir%/web/html-make.h \
	%reldir%/web/page-html.c \
	%reldir%/web/page-html.h \
	%reldir%/serve/health.h \
	%reldir%/web/api-games.h \
	%reldir%/web/api-standings.h \
	%reldir%/scheduler/scheduler-ladder.c \
	%reldir%/scheduler/scheduler-ladder.h \
	%reldir%/scheduler/scheduler-prune.c \
	%reldir%/scheduler/scheduler-prune.h \
	%reldir%/scheduler/scheduler-fit.c \
	%reldir%/scheduler/scheduler-fit.h \
	%reldir%/scheduler/scheduler-recall.c \
	%reldir%/scheduler/scheduler-recall.h \
	%reldir%/scheduler/scheduler-freeze.c \
	%reldir%/scheduler/scheduler-freeze.h \
	%reldir%/scheduler/scheduler-rebuild.c \
	%reldir%/scheduler/scheduler-rebuild.h \
	%reldir%/scheduler/scheduler-term.c \
	%reldir%/scheduler/scheduler-term.h \
	%reldir%/scheduler/scheduler.c \
	%reldir%/scheduler/scheduler.h \
	%reldir%/http/gzip.c \
	%reldir%/http/gzip.h \
	%reldir%/http/http-connection.c \
	%reldir%/http/http-forwarded.c \
	%reldir%/http/http-forwarded.h \
	%reldir%/http/http-head.c \
	%reldir%/http/http-head.h \
	%reldir%/http/http-inside.h \
	%reldir%/web/page-live.c \
	%reldir%/web/live-feed.c \
	%reldir%/web/live-feed.h \
	%reldir%/web/live.c \
	%reldir%/web/live.h \
	%reldir%/http/http.c \
	%reldir%/http/http.h \
	%reldir%/import/import-add.c \
	%reldir%/import/import-add.h \
	%reldir%/import/import.c \
	%reldir%/import/import.h \
	%reldir%/web/api-standings.c \
	%reldir%/serve/metric.c \
	%reldir%/serve/metric.h \
	%reldir%/serve/metrics.c \
	%reldir%/serve/metrics.h \
	%reldir%/serve/notify.c \
	%reldir%/serve/notify.h \
	%reldir%/web/record-view.c \
	%reldir%/web/record-view.h \
	%reldir%/scheduler/local-bot.c \
	%reldir%/scheduler/local-bot.h \
	%reldir%/serve/rehearsal.c \
	%reldir%/serve/rehearsal.h \
	%reldir%/serve/seals.c \
	%reldir%/serve/seals.h \
	%reldir%/serve/server-remote-bots.c \
	%reldir%/web/api.c \
	%reldir%/web/api.h \
	%reldir%/web/page-ask.c \
	%reldir%/web/page-ask.h \
	%reldir%/web/page.c \
	%reldir%/web/page.h \
	%reldir%/serve/server-inside.h \
	%reldir%/serve/server-descriptors.c \
	%reldir%/web/opinion-queue.c \
	%reldir%/web/opinion-queue.h \
	%reldir%/serve/listeners.c \
	%reldir%/serve/listeners.h \
	%reldir%/web/api-owners.c \
	%reldir%/web/api-owners.h \
	%reldir%/web/owner-games.c \
	%reldir%/web/owner-games.h \
	%reldir%/web/owner-view.c \
	%reldir%/web/trials.c \
	%reldir%/web/trials.h \
	%reldir%/web/api-queue.c \
	%reldir%/web/api-records.c \
	%reldir%/serve/server-registry.c \
	%reldir%/serve/server-registry.h \
	%reldir%/serve/server-queue.c \
	%reldir%/serve/server-reload.c \
	%reldir%/serve/server-request.c \
	%reldir%/serve/server-local-bots.c \
	%reldir%/web/api-bots.c \
	%reldir%/web/api-bots.h \
	%reldir%/scheduler/who.c \
	%reldir%/scheduler/who.h \
	%reldir%/scheduler/ladders.c \
	%reldir%/scheduler/ladders.h \
	%reldir%/web/tallies.c \
	%reldir%/web/tallies.h \
	%reldir%/web/page-tournaments.c \
	%reldir%/serve/standby.c \
	%reldir%/serve/standby.h \
	%reldir%/web/static-files.c \
	%reldir%/web/static-files.h \
	%reldir%/import/upload.c \
	%reldir%/import/upload.h \
	%reldir%/remote/participant-remote-bot.c \
	%reldir%/runner/participant.h \
	%reldir%/serve/server.c \
	%reldir%/serve/server.h \
	%reldir%/remote/door.c \
	%reldir%/remote/door.h \
	%reldir%/base/refusal.h \
	%reldir%/base/address.c \
	%reldir%/base/address.h \
	%reldir%/remote/remote-bot-inside.h \
	%reldir%/remote/remote-bot.c \
	%reldir%/remote/remote-bot.h \
	%reldir%/remote/remote-game.c \
	%reldir%/remote/hello.c \
	%reldir%/remote/link.c \
	%reldir%/remote/link.h \
	%reldir%/remote/first-ask.c \
	%reldir%/remote/first-ask.h \
	%reldir%/base/listener.c \
	%reldir%/base/listener.h \
	%reldir%/base/loop.c \
	%reldir%/base/loop.h \
	%reldir%/match/gain.c \
	%reldir%/match/gain.h \
	%reldir%/match/in-order.c \
	%reldir%/match/in-order.h \
	%reldir%/match/ahead.c \
	%reldir%/match/ahead.h \
	%reldir%/match/anytime.c \
	%reldir%/match/anytime.h \
	%reldir%/match/blossom.c \
	%reldir%/match/blossom.h \
	%reldir%/match/contest-print.c \
	%reldir%/match/contest-print.h \
	%reldir%/match/contest.c \
	%reldir%/match/contest.h \
	%reldir%/match/match-bots.c \
	%reldir%/match/match-bots.h \
	%reldir%/match/match-done.c \
	%reldir%/match/match-done.h \
	%reldir%/match/match-faults.c \
	%reldir%/match/match-job.c \
	%reldir%/match/match-faults.h \
	%reldir%/match/match-job.h \
	%reldir%/runner/channel.c \
	%reldir%/runner/channel.h \
	%reldir%/runner/cores.c \
	%reldir%/runner/cores.h \
	%reldir%/runner/dispatch.c \
	%reldir%/runner/dispatch.h \
	%reldir%/runner/idle.c \
	%reldir%/runner/idle.h \
	%reldir%/runner/job.c \
	%reldir%/runner/job.h \
	%reldir%/runner/kept.c \
	%reldir%/runner/kept.h \
	%reldir%/runner/runner.c \
	%reldir%/runner/runner.h \
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
	%reldir%/match/match-report.c \
	%reldir%/match/match-report.h \
	%reldir%/match/match-resume.c \
	%reldir%/match/match-resume.h \
	%reldir%/match/match-source.h \
	%reldir%/match/match-trouble.c \
	%reldir%/match/match-terms.h \
	%reldir%/match/match-trouble.h \
	%reldir%/match/match.c \
	%reldir%/match/match.h \
	%reldir%/data/owner.c \
	%reldir%/data/owner.h \
	%reldir%/serve/seating.c \
	%reldir%/serve/seating.h \
	%reldir%/scheduler/share.c \
	%reldir%/scheduler/share.h \
	%reldir%/base/progress.c \
	%reldir%/base/progress.h \
	%reldir%/queue/queue-figures.c \
	%reldir%/queue/queue-figures.h \
	%reldir%/match/schedule.c \
	%reldir%/match/schedule.h \
	%reldir%/table/seat.c \
	%reldir%/table/seat.h %reldir%/table/starved.h \
	%reldir%/base/serve-limits.h \
	%reldir%/match/sprt-estimate.c \
	%reldir%/match/sprt.c \
	%reldir%/match/sprt.h \
	%reldir%/match/standings.c \
	%reldir%/match/standings.h \
	%reldir%/match/swiss.c \
	%reldir%/match/swiss.h \
	%reldir%/match/tournament-keep.c \
	%reldir%/match/tournament-keep.h \
	%reldir%/match/tournament.c \
	%reldir%/match/tournament.h \
	%reldir%/remote/stream.c \
	%reldir%/remote/stream.h \
	%reldir%/table/table-record.c \
	%reldir%/table/table-record.h \
	%reldir%/table/table-setup.h \
	%reldir%/table/table.c \
	%reldir%/table/table.h \
	%reldir%/remote/tls.c \
	%reldir%/remote/tls.h \
	%reldir%/records/tournament-file.c \
	%reldir%/records/tournament-file.h \
	%reldir%/records/tournament-told.h \
	%reldir%/records/log-packs.c \
	%reldir%/records/log-packs.h \
	%reldir%/records/writer.c \
	%reldir%/records/writer.h \
	%reldir%/cli/command-games.c \
	%reldir%/cli/command-ladder.c \
	%reldir%/cli/command-replay.c \
	%reldir%/cli/command-verify.c \
	%reldir%/config/config-keys.c \
	%reldir%/config/config-keys.h \
	%reldir%/config/config-parse.c \
	%reldir%/config/config-parse.h \
	%reldir%/config/serve-config-options.c \
	%reldir%/config/serve-config-inside.h \
	%reldir%/config/serve-config-print.c \
	%reldir%/config/serve-config.c \
	%reldir%/config/serve-config.h \
	%reldir%/remote/away-game.c \
	%reldir%/remote/away-inside.h \
	%reldir%/remote/away.c \
	%reldir%/remote/away.h \
	%reldir%/cli/command-connect.c \
	%reldir%/remote/connect.c \
	%reldir%/remote/connect.h \
	%reldir%/table/deal.c \
	%reldir%/table/deal.h \
	%reldir%/table/fault-note.c \
	%reldir%/table/fault-note.h \
	%reldir%/base/hash.h \
	%reldir%/cli/ladder-change.c \
	%reldir%/cli/ladder-change.h \
	%reldir%/cli/final-bots.c \
	%reldir%/cli/final-bots.h \
	%reldir%/cli/fit-print.c \
	%reldir%/cli/fit-print.h \
	%reldir%/cli/fit-results.c \
	%reldir%/cli/fit-results.h \
	%reldir%/cli/ladder-fit.c \
	%reldir%/cli/ladder-fit.h \
	%reldir%/cli/ladder-options.c \
	%reldir%/cli/ladder-options.h \
	%reldir%/data/ladder-json.c \
	%reldir%/data/ladder-json.h \
	%reldir%/cli/ladder-print.c \
	%reldir%/base/table-print.c \
	%reldir%/base/table-print.h \
	%reldir%/cli/ladder-print.h \
	%reldir%/cli/ladder-show.c \
	%reldir%/cli/ladder-show.h \
	%reldir%/cli/ladder-versions.c \
	%reldir%/base/error-line.c \
	%reldir%/base/error-line.h \
	%reldir%/base/fair.c \
	%reldir%/base/fair.h \
	%reldir%/base/json-line.c \
	%reldir%/base/json-line.h \
	%reldir%/records/opinion-run.c \
	%reldir%/records/opinion-run.h \
	%reldir%/base/networks.c \
	%reldir%/base/networks.h \
	%reldir%/records/ladder-rebuild.c \
	%reldir%/records/ladder-rebuild.h \
	%reldir%/table/record-keys.c \
	%reldir%/table/record-keys.h \
	%reldir%/cli/arguments.c \
	%reldir%/cli/arguments.h \
	%reldir%/cli/complete.c \
	%reldir%/cli/complete.h \
	%reldir%/base/suggest.c \
	%reldir%/table/game-help.c \
	%reldir%/table/game-help.h \
	%reldir%/base/suggest.h \
	%reldir%/spawner/spawner.c \
	%reldir%/spawner/spawner.h \
	%reldir%/spawner/spawner-bots.c \
	%reldir%/spawner/spawner-bots.h \
	%reldir%/spawner/spawner-box.c \
	%reldir%/spawner/spawner-box.h \
	%reldir%/sandbox/spawner-domain.c \
	%reldir%/sandbox/spawner-domain.h \
	%reldir%/spawner/spawner-end.h \
	%reldir%/spawner/spawner-message.h \
	%reldir%/spawner/spawner-order.c \
	%reldir%/spawner/spawner-order.h \
	%reldir%/spawner/spawner-process.c \
	%reldir%/spawner/spawner-process.h \
	%reldir%/spawner/spawner-program.c \
	%reldir%/spawner/spawner-pause.c \
	%reldir%/spawner/spawner-pause.h \
	%reldir%/spawner/spawner-watch.c \
	%reldir%/spawner/spawner-watch.h \
	%reldir%/sandbox/process-memory.c \
	%reldir%/sandbox/cpu-time.h \
	%reldir%/sandbox/process-memory.h \
	%reldir%/sandbox/program-exec.c \
	%reldir%/sandbox/program-exec.h \
	%reldir%/base/rate-limit.h \
	%reldir%/table/box-note.h \
	%reldir%/sandbox/box.h \
	%reldir%/sandbox/sandbox-argv.c \
	%reldir%/sandbox/sandbox-argv.h \
	%reldir%/sandbox/sandbox-closed.c \
	%reldir%/sandbox/sandbox-closed.h \
	%reldir%/sandbox/sandbox-filter.c \
	%reldir%/sandbox/sandbox-filter.h \
	%reldir%/sandbox/sandbox-group.c \
	%reldir%/sandbox/sandbox-group.h \
	%reldir%/sandbox/sandbox-others.c \
	%reldir%/sandbox/sandbox-others.h \
	%reldir%/sandbox/sandbox-probe.c \
	%reldir%/sandbox/sandbox-see.c \
	%reldir%/sandbox/sandbox-slot.c \
	%reldir%/sandbox/sandbox-slot.h \
	%reldir%/sandbox/sandbox-start.c \
	%reldir%/sandbox/sandbox-start.h \
	%reldir%/sandbox/sandbox-watch.c \
	%reldir%/sandbox/sandbox-walls.c \
	%reldir%/sandbox/sandbox-walls.h \
	%reldir%/sandbox/sandbox.c \
	%reldir%/sandbox/sandbox.h \
	%reldir%/records/record-walk.c \
	%reldir%/records/record-walk.h \
	%reldir%/records/replay.c \
	%reldir%/records/replay.h \
	%reldir%/records/bracket.c \
	%reldir%/records/bracket.h \
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
	%reldir%/records/replay-wrote.c \
	%reldir%/records/replay-wrote.h \
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
	%reldir%/cli/command-owners.c \
	%reldir%/cli/command-queue.c \
	%reldir%/cli/queue-show.c \
	%reldir%/cli/queue-show.h \
	%reldir%/cli/command-worker.c \
	%reldir%/queue/bot-cache.c \
	%reldir%/queue/bot-cache.h \
	%reldir%/queue/bot-keep.c \
	%reldir%/queue/bot-keep.h \
	%reldir%/queue/coordinator.c \
	%reldir%/queue/coordinator.h \
	%reldir%/queue/figures.c \
	%reldir%/queue/figures.h \
	%reldir%/queue/held.c \
	%reldir%/queue/held.h \
	%reldir%/queue/registry.c \
	%reldir%/queue/registry.h \
	%reldir%/queue/limits.h \
	%reldir%/queue/orders.c \
	%reldir%/queue/orders.h \
	%reldir%/queue/pg-connect.c \
	%reldir%/queue/pg-inside.h \
	%reldir%/queue/pg-line.c \
	%reldir%/queue/pg-value.c \
	%reldir%/queue/pg.c \
	%reldir%/queue/pg.h \
	%reldir%/queue/machine.c \
	%reldir%/queue/machine.h \
	%reldir%/queue/proof.c \
	%reldir%/queue/proof.h \
	%reldir%/queue/schema.h \
	%reldir%/queue/seal.c \
	%reldir%/queue/seal.h \
	%reldir%/queue/spec.c \
	%reldir%/queue/spec.h \
	%reldir%/queue/tenure.c \
	%reldir%/queue/tenure.h \
	%reldir%/queue/verdicts.c \
	%reldir%/queue/verdicts.h \
	%reldir%/queue/version.c \
	%reldir%/queue/version.h
nodist_%canon_reldir%_libreferee_a_SOURCES = %reldir%/web/static-data.c \
	%reldir%/web/report-data.c %reldir%/queue/schema.c \
	%reldir%/serve/checker.c
%canon_reldir%_libreferee_a_CPPFLAGS = $(AM_CPPFLAGS) $(SODIUM_CFLAGS) \
	$(SQLITE_CFLAGS) $(EVENT_CFLAGS) $(JANSSON_CFLAGS) $(ARCHIVE_CFLAGS) $(OPENSSL_CFLAGS) $(SECCOMP_CFLAGS) $(ZLIB_CFLAGS) \
	$(PQ_CFLAGS) \
	-DPKGLIBEXECDIR='"$(pkglibexecdir)"'

# What pages load.
STATIC_FILES = \
	%reldir%/web/static/account.js \
	%reldir%/web/static/author.js \
	%reldir%/web/static/bot.js \
	%reldir%/web/static/cards.svg \
	%reldir%/web/static/elements.js \
	%reldir%/web/static/elo.js \
	%reldir%/web/static/events.js \
	%reldir%/web/static/frames.js \
	%reldir%/web/static/head.js \
	%reldir%/web/static/icon.svg \
	%reldir%/web/static/ladder.js \
	%reldir%/web/static/live.js \
	%reldir%/web/static/motion.js \
	%reldir%/web/static/opinions.js \
	%reldir%/web/static/owner.js \
	%reldir%/web/static/owner-games.js \
	%reldir%/web/static/replay-copy.js \
	%reldir%/web/static/replay-faults.js \
	%reldir%/web/static/replay-files.js \
	%reldir%/web/static/replay-focus.js \
	%reldir%/web/static/replay-guess.js \
	%reldir%/web/static/replay-keys.js \
	%reldir%/web/static/replay-lines.js \
	%reldir%/web/static/replay-links.js \
	%reldir%/web/static/replay-panels.js \
	%reldir%/web/static/replay-play.js \
	%reldir%/web/static/replay-source.js \
	%reldir%/web/static/replay-steps.js \
	%reldir%/web/static/replay-strip.js \
	%reldir%/web/static/replay-table.js \
	%reldir%/web/static/replay-text.js \
	%reldir%/web/static/replay-tools.js \
	%reldir%/web/static/replay-views.js \
	%reldir%/web/static/replay.js \
	%reldir%/web/static/running.js \
	%reldir%/web/static/sign-up.js \
	%reldir%/web/static/style.css \
	%reldir%/web/static/table-options.js \
	%reldir%/web/static/table.css \
	%reldir%/web/static/table.js \
	%reldir%/web/static/term.js \
	%reldir%/web/static/token.js \
	%reldir%/web/static/upload.js
MAKE_STATIC = %reldir%/web/make-static.sh
EXTRA_DIST += $(STATIC_FILES) $(MAKE_STATIC)
CLEANFILES += %reldir%/web/static-data.c
%reldir%/web/static-data.c: $(STATIC_FILES) $(MAKE_STATIC)
	$(AM_V_GEN)$(MKDIR_P) %reldir%/web && ( \
	cd $(srcdir) && sh $(MAKE_STATIC) $(STATIC_FILES) ) >$@.tmp && \
	mv $@.tmp $@

# All that a report needs of them, as one script.
MAKE_REPORT = %reldir%/web/make-report-script.sh
EXTRA_DIST += $(MAKE_REPORT) %reldir%/web/report.js
CLEANFILES += %reldir%/web/report-data.c
%reldir%/web/report-data.c: $(STATIC_FILES) $(MAKE_REPORT) %reldir%/web/report.js
	$(AM_V_GEN)$(MKDIR_P) %reldir%/web && ( \
	cd $(srcdir) && sh $(MAKE_REPORT) %reldir%/web/static \
		%reldir%/web/report.js ) >$@.tmp && mv $@.tmp $@

# What proves records without us: it is installed, and in each backup.
CHECKER_RULES = tests/independent/rules.py \
	tests/independent/rules_daumen_drauf.py \
	tests/independent/rules_daupun.py \
	tests/independent/rules_doubles_dread.py \
	tests/independent/rules_durnius.py \
	tests/independent/rules_list.py \
	tests/independent/rules_toepen.py
CHECKER_FILES = tests/independent/check-record.py $(CHECKER_RULES)
MAKE_CHECKER = %reldir%/serve/make-checker.sh
EXTRA_DIST += $(MAKE_CHECKER)
CLEANFILES += %reldir%/serve/checker.c
%reldir%/serve/checker.c: $(CHECKER_FILES) $(MAKE_CHECKER)
	$(AM_V_GEN)$(MKDIR_P) %reldir%/serve && ( \
	cd $(srcdir) && sh $(MAKE_CHECKER) $(CHECKER_FILES) ) >$@.tmp && \
	mv $@.tmp $@

bin_PROGRAMS += %reldir%/referee
%canon_reldir%_referee_SOURCES = %reldir%/cli/main.c
%canon_reldir%_referee_LDADD = %reldir%/libreferee.a ladder/libladder.a \
	%reldir%/libgames.a %reldir%/libframes.a protocol/libprotocol.a \
	$(EVENT_LIBS) $(SODIUM_LIBS) $(SQLITE_LIBS) $(JANSSON_LIBS) \
	-lm $(OPENSSL_LIBS) $(SECCOMP_LIBS) $(ZLIB_LIBS) $(PQ_LIBS) -lpthread

# The queue's tables and functions (SCHEMA_TO_C is in ladder/local.mk), with the
# numbers of limits.h in the place of their names.
QUEUE_LIMITS = s/^.define \(QUEUE_[A-Z_]*\) \([0-9]*\).*/s,\\<\1\\>,\2,g/p
QUEUE_SCHEMA = \
	%reldir%/queue/schema-tables.sql \
	%reldir%/queue/schema-worker.sql \
	%reldir%/queue/schema-daemon.sql \
	%reldir%/queue/schema-figures.sql \
	%reldir%/queue/schema-registry.sql \
	%reldir%/queue/schema-rights.sql
EXTRA_DIST += $(QUEUE_SCHEMA)
CLEANFILES += %reldir%/queue/schema.c
%reldir%/queue/schema.c: $(QUEUE_SCHEMA) %reldir%/queue/limits.h
	$(AM_V_GEN)$(MKDIR_P) %reldir%/queue && \
	sed -n '$(QUEUE_LIMITS)' $(srcdir)/%reldir%/queue/limits.h >$@.sed && { \
	echo '#include "referee/queue/schema.h"'; \
	echo 'const char queue_schema[] ='; \
	(cd $(srcdir) && $(SCHEMA_TO_C) $(QUEUE_SCHEMA)) | sed -f $@.sed; \
	echo '	;'; } > $@.tmp && rm $@.sed && mv $@.tmp $@

# The first process of a box: static, for there is nothing of ours in there, and
# without sanitizers, which want much more than what it has.
pkglibexec_PROGRAMS += %reldir%/referee-box
%canon_reldir%_referee_box_SOURCES = \
	%reldir%/sandbox/referee-box.c \
	%reldir%/sandbox/box-files.c \
	%reldir%/sandbox/box-fill.c \
	%reldir%/sandbox/box-fill.h \
	%reldir%/sandbox/box-hear.c \
	%reldir%/sandbox/box-hear.h \
	%reldir%/sandbox/box-watch.c \
	%reldir%/sandbox/box-watch.h \
	%reldir%/table/box-note.h \
	%reldir%/sandbox/box.h \
	%reldir%/sandbox/spawner-domain.c \
	%reldir%/sandbox/spawner-domain.h \
	%reldir%/sandbox/process-memory.c \
	%reldir%/sandbox/cpu-time.h \
	%reldir%/sandbox/process-memory.h \
	%reldir%/sandbox/program-exec.c \
	%reldir%/sandbox/program-exec.h
%canon_reldir%_referee_box_CFLAGS = -std=gnu17 $(SECTION_CFLAGS) $(WARN_CFLAGS)
%canon_reldir%_referee_box_LDFLAGS = -static
