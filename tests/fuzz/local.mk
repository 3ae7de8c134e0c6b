# tests/fuzz/local.mk - a file for each target.  replay-NAME runs it on the
# corpus in `make check`; fuzz-NAME (configure --enable-fuzzing) looks for more.
FUZZ_NAMES = job line message redact record game frame remote-bot config \
	manifest html head asks opinions
FUZZ_COMMON = %reldir%/fuzz.c %reldir%/fuzz.h
FUZZ_LIBS = referee/libreferee.a referee/libgames.a referee/libframes.a \
	protocol/libprotocol.a $(SODIUM_LIBS)

FUZZ_LINE_SOURCES = %reldir%/fuzz-line.c $(FUZZ_COMMON)
FUZZ_MESSAGE_SOURCES = %reldir%/fuzz-message.c $(FUZZ_COMMON)
FUZZ_REDACT_SOURCES = %reldir%/fuzz-redact.c %reldir%/views.c \
	%reldir%/views.h $(FUZZ_COMMON)
FUZZ_RECORD_SOURCES = %reldir%/fuzz-record.c %reldir%/views.c \
	%reldir%/views.h $(FUZZ_COMMON)
FUZZ_GAME_SOURCES = %reldir%/fuzz-game.c %reldir%/views.c \
	%reldir%/views.h $(FUZZ_COMMON)
FUZZ_FRAME_SOURCES = %reldir%/fuzz-frame.c tests/unit/frame-wrong.c \
	tests/unit/frame-wrong.h $(FUZZ_COMMON)

# What the daemon stands on.
FUZZ_SERVE_LIBS = $(TABLE_LIBS)
FUZZ_REMOTE_BOT_SOURCES = %reldir%/fuzz-remote-bot.c $(FUZZ_COMMON)
FUZZ_JOB_SOURCES = %reldir%/fuzz-job.c $(FUZZ_COMMON)
FUZZ_CONFIG_SOURCES = %reldir%/fuzz-config.c $(FUZZ_COMMON)
FUZZ_MANIFEST_SOURCES = %reldir%/fuzz-manifest.c $(FUZZ_COMMON)
FUZZ_HTML_SOURCES = %reldir%/fuzz-html.c $(FUZZ_COMMON)
FUZZ_HEAD_SOURCES = %reldir%/fuzz-head.c $(FUZZ_COMMON)
FUZZ_ASKS_SOURCES = %reldir%/fuzz-asks.c $(FUZZ_COMMON)
FUZZ_OPINIONS_SOURCES = %reldir%/fuzz-opinions.c $(FUZZ_COMMON)

check_PROGRAMS += \
	%reldir%/replay-remote-bot \
	%reldir%/replay-asks \
	%reldir%/replay-opinions \
	%reldir%/replay-config \
	%reldir%/replay-head \
	%reldir%/replay-html \
	%reldir%/replay-job \
	%reldir%/replay-manifest \
	%reldir%/replay-line \
	%reldir%/replay-message \
	%reldir%/replay-redact \
	%reldir%/replay-record \
	%reldir%/replay-game \
	%reldir%/replay-frame
%canon_reldir%_replay_line_SOURCES = $(FUZZ_LINE_SOURCES) %reldir%/replay.c
%canon_reldir%_replay_line_LDADD = $(FUZZ_LIBS)
%canon_reldir%_replay_message_SOURCES = $(FUZZ_MESSAGE_SOURCES) \
	%reldir%/replay.c
%canon_reldir%_replay_message_LDADD = $(FUZZ_LIBS)
%canon_reldir%_replay_redact_SOURCES = $(FUZZ_REDACT_SOURCES) %reldir%/replay.c
%canon_reldir%_replay_redact_LDADD = $(FUZZ_LIBS)
%canon_reldir%_replay_record_SOURCES = $(FUZZ_RECORD_SOURCES) %reldir%/replay.c
%canon_reldir%_replay_record_LDADD = $(FUZZ_LIBS)
%canon_reldir%_replay_game_SOURCES = $(FUZZ_GAME_SOURCES) %reldir%/replay.c
%canon_reldir%_replay_game_LDADD = $(FUZZ_LIBS)
%canon_reldir%_replay_frame_SOURCES = $(FUZZ_FRAME_SOURCES) %reldir%/replay.c
%canon_reldir%_replay_frame_LDADD = $(FUZZ_LIBS)
%canon_reldir%_replay_remote_bot_SOURCES = $(FUZZ_REMOTE_BOT_SOURCES) %reldir%/replay.c
%canon_reldir%_replay_remote_bot_LDADD = $(FUZZ_SERVE_LIBS)
%canon_reldir%_replay_job_SOURCES = $(FUZZ_JOB_SOURCES) %reldir%/replay.c
%canon_reldir%_replay_job_LDADD = $(FUZZ_SERVE_LIBS)
%canon_reldir%_replay_config_SOURCES = $(FUZZ_CONFIG_SOURCES) %reldir%/replay.c
%canon_reldir%_replay_config_LDADD = $(FUZZ_SERVE_LIBS)
%canon_reldir%_replay_head_SOURCES = $(FUZZ_HEAD_SOURCES) %reldir%/replay.c
%canon_reldir%_replay_head_LDADD = $(FUZZ_SERVE_LIBS)
%canon_reldir%_replay_asks_SOURCES = $(FUZZ_ASKS_SOURCES) %reldir%/replay.c
%canon_reldir%_replay_asks_LDADD = $(FUZZ_LIBS)
%canon_reldir%_replay_opinions_SOURCES = $(FUZZ_OPINIONS_SOURCES) %reldir%/replay.c
%canon_reldir%_replay_opinions_LDADD = $(FUZZ_SERVE_LIBS)
%canon_reldir%_replay_html_SOURCES = $(FUZZ_HTML_SOURCES) %reldir%/replay.c
%canon_reldir%_replay_html_LDADD = $(FUZZ_SERVE_LIBS)
%canon_reldir%_replay_manifest_SOURCES = $(FUZZ_MANIFEST_SOURCES) \
	%reldir%/replay.c
%canon_reldir%_replay_manifest_LDADD = $(FUZZ_SERVE_LIBS)

dist_check_SCRIPTS += %reldir%/test-corpus.sh
TESTS += %reldir%/test-corpus.sh
EXTRA_DIST += \
	%reldir%/corpus \
	%reldir%/asks.dict \
	%reldir%/config.dict \
	%reldir%/head.dict \
	%reldir%/html.dict \
	%reldir%/job.dict \
	%reldir%/remote-bot.dict \
	%reldir%/line.dict \
	%reldir%/make-corpus.py \
	%reldir%/manifest.dict \
	%reldir%/message.dict \
	%reldir%/record.dict \
	%reldir%/opinions.dict \
	%reldir%/redact.dict \
	%reldir%/run-fuzz.sh

if FUZZING
noinst_PROGRAMS += \
	%reldir%/fuzz-remote-bot \
	%reldir%/fuzz-asks \
	%reldir%/fuzz-opinions \
	%reldir%/fuzz-config \
	%reldir%/fuzz-head \
	%reldir%/fuzz-html \
	%reldir%/fuzz-job \
	%reldir%/fuzz-manifest \
	%reldir%/fuzz-line \
	%reldir%/fuzz-message \
	%reldir%/fuzz-redact \
	%reldir%/fuzz-record \
	%reldir%/fuzz-game \
	%reldir%/fuzz-frame
endif
LIBFUZZER_FLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
%canon_reldir%_fuzz_line_SOURCES = $(FUZZ_LINE_SOURCES)
%canon_reldir%_fuzz_line_LDFLAGS = $(LIBFUZZER_FLAGS)
%canon_reldir%_fuzz_line_LDADD = $(FUZZ_LIBS)
%canon_reldir%_fuzz_message_SOURCES = $(FUZZ_MESSAGE_SOURCES)
%canon_reldir%_fuzz_message_LDFLAGS = $(LIBFUZZER_FLAGS)
%canon_reldir%_fuzz_message_LDADD = $(FUZZ_LIBS)
%canon_reldir%_fuzz_redact_SOURCES = $(FUZZ_REDACT_SOURCES)
%canon_reldir%_fuzz_redact_LDFLAGS = $(LIBFUZZER_FLAGS)
%canon_reldir%_fuzz_redact_LDADD = $(FUZZ_LIBS)
%canon_reldir%_fuzz_record_SOURCES = $(FUZZ_RECORD_SOURCES) \
	%reldir%/mutate-lines.c
%canon_reldir%_fuzz_record_LDFLAGS = $(LIBFUZZER_FLAGS)
%canon_reldir%_fuzz_record_LDADD = $(FUZZ_LIBS)
%canon_reldir%_fuzz_game_SOURCES = $(FUZZ_GAME_SOURCES) \
	%reldir%/mutate-lines.c
%canon_reldir%_fuzz_game_LDFLAGS = $(LIBFUZZER_FLAGS)
%canon_reldir%_fuzz_game_LDADD = $(FUZZ_LIBS)
%canon_reldir%_fuzz_frame_SOURCES = $(FUZZ_FRAME_SOURCES)
%canon_reldir%_fuzz_frame_LDFLAGS = $(LIBFUZZER_FLAGS)
%canon_reldir%_fuzz_frame_LDADD = $(FUZZ_LIBS)
%canon_reldir%_fuzz_remote_bot_SOURCES = $(FUZZ_REMOTE_BOT_SOURCES)
%canon_reldir%_fuzz_remote_bot_LDFLAGS = $(LIBFUZZER_FLAGS)
%canon_reldir%_fuzz_remote_bot_LDADD = $(FUZZ_SERVE_LIBS)
%canon_reldir%_fuzz_job_SOURCES = $(FUZZ_JOB_SOURCES)
%canon_reldir%_fuzz_job_LDFLAGS = $(LIBFUZZER_FLAGS)
%canon_reldir%_fuzz_job_LDADD = $(FUZZ_SERVE_LIBS)
%canon_reldir%_fuzz_config_SOURCES = $(FUZZ_CONFIG_SOURCES)
%canon_reldir%_fuzz_config_LDFLAGS = $(LIBFUZZER_FLAGS)
%canon_reldir%_fuzz_config_LDADD = $(FUZZ_SERVE_LIBS)
%canon_reldir%_fuzz_head_SOURCES = $(FUZZ_HEAD_SOURCES)
%canon_reldir%_fuzz_head_LDFLAGS = $(LIBFUZZER_FLAGS)
%canon_reldir%_fuzz_head_LDADD = $(FUZZ_SERVE_LIBS)
%canon_reldir%_fuzz_asks_SOURCES = $(FUZZ_ASKS_SOURCES)
%canon_reldir%_fuzz_asks_LDFLAGS = $(LIBFUZZER_FLAGS)
%canon_reldir%_fuzz_asks_LDADD = $(FUZZ_LIBS)
%canon_reldir%_fuzz_opinions_SOURCES = $(FUZZ_OPINIONS_SOURCES)
%canon_reldir%_fuzz_opinions_LDFLAGS = $(LIBFUZZER_FLAGS)
%canon_reldir%_fuzz_opinions_LDADD = $(FUZZ_SERVE_LIBS)
%canon_reldir%_fuzz_html_SOURCES = $(FUZZ_HTML_SOURCES)
%canon_reldir%_fuzz_html_LDFLAGS = $(LIBFUZZER_FLAGS)
%canon_reldir%_fuzz_html_LDADD = $(FUZZ_SERVE_LIBS)
%canon_reldir%_fuzz_manifest_SOURCES = $(FUZZ_MANIFEST_SOURCES)
%canon_reldir%_fuzz_manifest_LDFLAGS = $(LIBFUZZER_FLAGS)
%canon_reldir%_fuzz_manifest_LDADD = $(FUZZ_SERVE_LIBS)

# What is found stays in the build: inputs of new coverage in fuzz-found/NAME,
# one that fails in fuzz-failed/.
FUZZ_SECONDS = 60
fuzz: $(BUILT_SOURCES) $(noinst_PROGRAMS)
	$(SHELL) $(top_srcdir)/%reldir%/run-fuzz.sh $(FUZZ_SECONDS) $(FUZZ_NAMES)
.PHONY: fuzz
