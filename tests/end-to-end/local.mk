# Scripts that run the program as people do.  tap.py finds it by REFEREE, or in
# BUILD_DIR.
END_TO_END_TESTS = \
	%reldir%/test-attack.py \
	%reldir%/test-bot-folder.py \
	%reldir%/test-bots.py \
	%reldir%/test-builds.py \
	%reldir%/test-check.py \
	%reldir%/test-check-zoo.py \
	%reldir%/test-combinations.py \
	%reldir%/test-connect.py \
	%reldir%/test-games.py \
	%reldir%/test-golden.py \
	%reldir%/test-hostile.py \
	%reldir%/test-import.py \
	%reldir%/test-keep.py \
	%reldir%/test-kill.py \
	%reldir%/test-ladder.py \
	%reldir%/test-manual.py \
	%reldir%/test-match.py \
	%reldir%/test-pages.py \
	%reldir%/test-ponder.py \
	%reldir%/test-readme.py \
	%reldir%/test-records.py \
	%reldir%/test-remote-bots.py \
	%reldir%/test-replay-bytes.py \
	%reldir%/test-replay.py \
	%reldir%/test-reuse.py \
	%reldir%/test-sample-bots.py \
	%reldir%/test-sandbox.py \
	%reldir%/test-residents.py \
	%reldir%/test-serve-end.py \
	%reldir%/test-serve.py \
	%reldir%/test-serve-beside.py \
	%reldir%/test-serve-share.py \
	%reldir%/test-serve-http.py \
	%reldir%/test-serve-rebuild.py \
	%reldir%/test-serve-reload.py \
	%reldir%/test-siege.py \
	%reldir%/test-step.py \
	%reldir%/test-stopped.py \
	%reldir%/test-strong.py \
	%reldir%/test-tutorial.py \
	%reldir%/test-usage.py \
	%reldir%/test-verify.py \
	tests/independent/test-check-record.py \
	tests/independent/test-count.py
TESTS += $(END_TO_END_TESTS)
EXTRA_DIST += $(END_TO_END_TESTS) \
	%reldir%/arena.py \
	%reldir%/daemon.py \
	%reldir%/elsewhere.py \
	%reldir%/forms.py \
	%reldir%/logging-bot.py \
	%reldir%/pages.py \
	%reldir%/residents.py \
	%reldir%/rounds \
	%reldir%/tap.py \
	%reldir%/walk.py \
	tests/bench/remote-bots.py
