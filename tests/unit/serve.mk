# What the daemon stands on.
SERVE_LIBS = $(TABLE_LIBS)

UNIT_TESTS += %reldir%/test-log
%canon_reldir%_test_log_SOURCES = %reldir%/test-log.c
%canon_reldir%_test_log_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-config
%canon_reldir%_test_config_SOURCES = %reldir%/test-config.c
%canon_reldir%_test_config_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-prune
%canon_reldir%_test_prune_SOURCES = %reldir%/test-prune.c \
	%reldir%/ladder-kit.c
%canon_reldir%_test_prune_LDADD = referee/libreferee.a ladder/libladder.a \
	referee/libgames.a protocol/libprotocol.a $(UNIT_LIBS) -lm
UNIT_TESTS += %reldir%/test-http
%canon_reldir%_test_http_SOURCES = %reldir%/test-http.c %reldir%/http-inn.c \
	%reldir%/http-inn.h $(NET_KIT)
%canon_reldir%_test_http_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-http-gzip
%canon_reldir%_test_http_gzip_SOURCES = %reldir%/test-http-gzip.c \
	%reldir%/http-inn.c %reldir%/http-inn.h $(NET_KIT)
%canon_reldir%_test_http_gzip_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-page-cache
%canon_reldir%_test_page_cache_SOURCES = %reldir%/test-page-cache.c
%canon_reldir%_test_page_cache_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-http-crowd
%canon_reldir%_test_http_crowd_SOURCES = %reldir%/test-http-crowd.c \
	%reldir%/http-inn.c %reldir%/http-inn.h $(NET_KIT)
%canon_reldir%_test_http_crowd_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-control
%canon_reldir%_test_control_SOURCES = %reldir%/test-control.c $(NET_KIT)
%canon_reldir%_test_control_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-health
%canon_reldir%_test_health_SOURCES = %reldir%/test-health.c $(NET_KIT)
%canon_reldir%_test_health_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-refusals
%canon_reldir%_test_refusals_SOURCES = %reldir%/test-refusals.c $(NET_KIT)
%canon_reldir%_test_refusals_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-seal
%canon_reldir%_test_seal_SOURCES = %reldir%/test-seal.c
%canon_reldir%_test_seal_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-notify
%canon_reldir%_test_notify_SOURCES = %reldir%/test-notify.c $(NET_KIT)
%canon_reldir%_test_notify_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-game-notes
%canon_reldir%_test_game_notes_SOURCES = %reldir%/test-game-notes.c
%canon_reldir%_test_game_notes_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-worker-thread
%canon_reldir%_test_worker_thread_SOURCES = %reldir%/test-worker-thread.c $(NET_KIT)
%canon_reldir%_test_worker_thread_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-ladder-view
%canon_reldir%_test_ladder_view_SOURCES = %reldir%/test-ladder-view.c \
	%reldir%/ladder-kit.c %reldir%/fake-bot.c
%canon_reldir%_test_ladder_view_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-record-view
%canon_reldir%_test_record_view_SOURCES = %reldir%/test-record-view.c \
	%reldir%/ladder-kit.c
%canon_reldir%_test_record_view_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-scheduler-bots
%canon_reldir%_test_scheduler_bots_SOURCES = %reldir%/test-scheduler-bots.c
%canon_reldir%_test_scheduler_bots_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-scheduler-game
%canon_reldir%_test_scheduler_game_SOURCES = %reldir%/test-scheduler-game.c \
	%reldir%/ladder-kit.c %reldir%/fake-bot.c
%canon_reldir%_test_scheduler_game_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-scheduler-running
%canon_reldir%_test_scheduler_running_SOURCES = \
	%reldir%/test-scheduler-running.c %reldir%/ladder-kit.c
%canon_reldir%_test_scheduler_running_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-share
%canon_reldir%_test_share_SOURCES = %reldir%/test-share.c
%canon_reldir%_test_share_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-import-make
%canon_reldir%_test_import_make_SOURCES = %reldir%/test-import-make.c
%canon_reldir%_test_import_make_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=poll,--wrap=spawner_kill
%canon_reldir%_test_import_make_LDADD = $(SERVE_LIBS)
# Jobs of a queue, for test-queue-worker.py.
check_PROGRAMS += %reldir%/queue-job
%canon_reldir%_queue_job_SOURCES = %reldir%/queue-job.c
%canon_reldir%_queue_job_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-again
%canon_reldir%_test_again_SOURCES = %reldir%/test-again.c
%canon_reldir%_test_again_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-residuals
%canon_reldir%_test_residuals_SOURCES = %reldir%/test-residuals.c
%canon_reldir%_test_residuals_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-spec
%canon_reldir%_test_spec_SOURCES = %reldir%/test-spec.c
%canon_reldir%_test_spec_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-proof
%canon_reldir%_test_proof_SOURCES = %reldir%/test-proof.c
%canon_reldir%_test_proof_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-bot-cache
%canon_reldir%_test_bot_cache_SOURCES = %reldir%/test-bot-cache.c
%canon_reldir%_test_bot_cache_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-pack
%canon_reldir%_test_pack_SOURCES = %reldir%/test-pack.c
%canon_reldir%_test_pack_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-report
%canon_reldir%_test_report_SOURCES = %reldir%/test-report.c
%canon_reldir%_test_report_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-html
%canon_reldir%_test_html_SOURCES = %reldir%/test-html.c
%canon_reldir%_test_html_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-queue-page
%canon_reldir%_test_queue_page_SOURCES = %reldir%/test-queue-page.c
%canon_reldir%_test_queue_page_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-drawn-table
%canon_reldir%_test_drawn_table_SOURCES = %reldir%/test-drawn-table.c
%canon_reldir%_test_drawn_table_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-plot
%canon_reldir%_test_plot_SOURCES = %reldir%/test-plot.c
%canon_reldir%_test_plot_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-tally
%canon_reldir%_test_tally_SOURCES = %reldir%/test-tally.c \
	%reldir%/ladder-kit.c
%canon_reldir%_test_tally_LDADD = $(SERVE_LIBS)
UNIT_TESTS += %reldir%/test-live-feed
%canon_reldir%_test_live_feed_SOURCES = %reldir%/test-live-feed.c \
	$(RECORD_SOURCES)
%canon_reldir%_test_live_feed_LDADD = $(SERVE_LIBS)
