# The games, their table, and where their cards come from.  play.[ch] is shared
# with other tests that play along a record's lines.
PLAY_SOURCES = %reldir%/play.c %reldir%/play.h %reldir%/rounds.h
GAME_LIBS = referee/libgames.a protocol/libprotocol.a $(UNIT_LIBS)

UNIT_TESTS += %reldir%/test-chance
%canon_reldir%_test_chance_SOURCES = %reldir%/test-chance.c
%canon_reldir%_test_chance_LDADD = $(GAME_LIBS)
UNIT_TESTS += %reldir%/test-deal
%canon_reldir%_test_deal_SOURCES = %reldir%/test-deal.c $(PLAY_SOURCES)
%canon_reldir%_test_deal_LDADD = referee/libreferee.a $(GAME_LIBS)
UNIT_TESTS += %reldir%/test-game
%canon_reldir%_test_game_SOURCES = %reldir%/test-game.c $(PLAY_SOURCES)
%canon_reldir%_test_game_LDADD = $(GAME_LIBS)
# Frames link without the games: they know lines alone.
UNIT_TESTS += %reldir%/test-frames
%canon_reldir%_test_frames_SOURCES = %reldir%/test-frames.c
%canon_reldir%_test_frames_LDADD = referee/libframes.a protocol/libprotocol.a \
	$(UNIT_LIBS)
UNIT_TESTS += %reldir%/test-toepen
%canon_reldir%_test_toepen_SOURCES = %reldir%/test-toepen.c $(PLAY_SOURCES)
%canon_reldir%_test_toepen_LDADD = $(GAME_LIBS)
UNIT_TESTS += %reldir%/test-daumen-drauf
%canon_reldir%_test_daumen_drauf_SOURCES = %reldir%/test-daumen-drauf.c \
	$(PLAY_SOURCES)
%canon_reldir%_test_daumen_drauf_LDADD = $(GAME_LIBS)
UNIT_TESTS += %reldir%/test-doubles-dread
%canon_reldir%_test_doubles_dread_SOURCES = %reldir%/test-doubles-dread.c \
	$(PLAY_SOURCES)
%canon_reldir%_test_doubles_dread_LDADD = $(GAME_LIBS)
UNIT_TESTS += %reldir%/test-redeal
%canon_reldir%_test_redeal_SOURCES = %reldir%/test-redeal.c
%canon_reldir%_test_redeal_LDADD = $(GAME_LIBS)
UNIT_TESTS += %reldir%/test-follow
%canon_reldir%_test_follow_SOURCES = %reldir%/test-follow.c \
	%reldir%/retell.c %reldir%/retell.h %reldir%/settings.c \
	%reldir%/settings.h $(PLAY_SOURCES)
%canon_reldir%_test_follow_LDADD = $(GAME_LIBS)
UNIT_TESTS += %reldir%/test-resample
%canon_reldir%_test_resample_SOURCES = %reldir%/test-resample.c \
	%reldir%/retell.c %reldir%/retell.h $(PLAY_SOURCES)
%canon_reldir%_test_resample_LDADD = $(GAME_LIBS)
UNIT_TESTS += %reldir%/test-resample-fair
%canon_reldir%_test_resample_fair_SOURCES = %reldir%/test-resample-fair.c \
	%reldir%/retell.c %reldir%/retell.h $(PLAY_SOURCES)
%canon_reldir%_test_resample_fair_LDADD = $(GAME_LIBS) -lm
UNIT_TESTS += %reldir%/test-thinking
%canon_reldir%_test_thinking_SOURCES = %reldir%/test-thinking.c \
	sample-bots/c/referee-bot.c sample-bots/c/referee-bot.h $(PLAY_SOURCES)
%canon_reldir%_test_thinking_CPPFLAGS = $(AM_CPPFLAGS) \
	-I$(top_srcdir)/sample-bots/c
%canon_reldir%_test_thinking_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=game_resample,--wrap=chance_card,--wrap=chance_two_decks
%canon_reldir%_test_thinking_LDADD = sample-bots/strong/libthink.a \
	$(GAME_LIBS) -lm
UNIT_TESTS += %reldir%/test-random-games
%canon_reldir%_test_random_games_SOURCES = %reldir%/test-random-games.c \
	%reldir%/settings.c %reldir%/settings.h $(PLAY_SOURCES)
%canon_reldir%_test_random_games_LDADD = $(GAME_LIBS)
UNIT_TESTS += %reldir%/test-daupun
%canon_reldir%_test_daupun_SOURCES = %reldir%/test-daupun.c $(PLAY_SOURCES)
%canon_reldir%_test_daupun_LDADD = $(GAME_LIBS)
DURNIUS_SOURCES = %reldir%/durnius-deals.h $(PLAY_SOURCES)
UNIT_TESTS += %reldir%/test-durnius
%canon_reldir%_test_durnius_SOURCES = %reldir%/test-durnius.c \
	$(DURNIUS_SOURCES)
%canon_reldir%_test_durnius_LDADD = $(GAME_LIBS)
UNIT_TESTS += %reldir%/test-durnius-defence
%canon_reldir%_test_durnius_defence_SOURCES = \
	%reldir%/test-durnius-defence.c $(DURNIUS_SOURCES)
%canon_reldir%_test_durnius_defence_LDADD = $(GAME_LIBS)
UNIT_TESTS += %reldir%/test-durnius-end
%canon_reldir%_test_durnius_end_SOURCES = %reldir%/test-durnius-end.c \
	$(DURNIUS_SOURCES)
%canon_reldir%_test_durnius_end_LDADD = $(GAME_LIBS)
UNIT_TESTS += %reldir%/test-durnius-random
%canon_reldir%_test_durnius_random_SOURCES = \
	%reldir%/test-durnius-random.c %reldir%/durnius-model.c \
	%reldir%/durnius-model.h $(PLAY_SOURCES)
%canon_reldir%_test_durnius_random_LDADD = $(GAME_LIBS)
UNIT_TESTS += %reldir%/test-durnius-resample
%canon_reldir%_test_durnius_resample_SOURCES = \
	%reldir%/test-durnius-resample.c %reldir%/retell.c \
	%reldir%/retell.h $(PLAY_SOURCES)
%canon_reldir%_test_durnius_resample_LDADD = $(GAME_LIBS)
# All that can happen from fixed deals, counted and looked at.
WALK_SOURCES = %reldir%/walk.c %reldir%/walk.h $(PLAY_SOURCES)
check_PROGRAMS += %reldir%/count-plies
%canon_reldir%_count_plies_SOURCES = %reldir%/count-plies.c $(WALK_SOURCES)
%canon_reldir%_count_plies_LDADD = $(GAME_LIBS)
UNIT_TESTS += %reldir%/test-counts
%canon_reldir%_test_counts_SOURCES = %reldir%/test-counts.c $(WALK_SOURCES)
%canon_reldir%_test_counts_LDADD = $(GAME_LIBS)
UNIT_TESTS += %reldir%/test-exhaustive
%canon_reldir%_test_exhaustive_SOURCES = %reldir%/test-exhaustive.c \
	$(WALK_SOURCES)
%canon_reldir%_test_exhaustive_LDADD = $(GAME_LIBS)
UNIT_TESTS += %reldir%/test-setups
%canon_reldir%_test_setups_SOURCES = %reldir%/test-setups.c $(PLAY_SOURCES)
%canon_reldir%_test_setups_LDADD = $(GAME_LIBS)
UNIT_TESTS += %reldir%/test-statistics
%canon_reldir%_test_statistics_SOURCES = %reldir%/test-statistics.c \
	$(PLAY_SOURCES)
%canon_reldir%_test_statistics_LDADD = $(GAME_LIBS)
UNIT_TESTS += %reldir%/test-suggest
%canon_reldir%_test_suggest_SOURCES = %reldir%/test-suggest.c
%canon_reldir%_test_suggest_LDADD = referee/libreferee.a $(GAME_LIBS)
