# The pages for people, as HTML: a part of libreferee.a.
referee_libreferee_a_SOURCES += \
	%reldir%/about.c \
	%reldir%/about.h \
	%reldir%/account.c \
	%reldir%/account.h \
	%reldir%/api.c \
	%reldir%/api.h \
	%reldir%/bot.c \
	%reldir%/bot.h \
	%reldir%/conduct.c \
	%reldir%/conduct.h \
	%reldir%/cross.c \
	%reldir%/cross.h \
	%reldir%/decision.c \
	%reldir%/decision.h \
	%reldir%/front.c \
	%reldir%/front.h \
	%reldir%/game.c \
	%reldir%/game.h \
	%reldir%/games.c \
	%reldir%/games.h \
	%reldir%/hands.c \
	%reldir%/hands.h \
	%reldir%/html.c \
	%reldir%/html.h \
	%reldir%/ladder.c \
	%reldir%/ladder.h \
	%reldir%/layout.c \
	%reldir%/layout.h \
	%reldir%/live.c \
	%reldir%/live.h \
	%reldir%/markdown.c \
	%reldir%/markdown.h \
	%reldir%/opinion.c \
	%reldir%/opinion.h \
	%reldir%/plot.c \
	%reldir%/plot.h \
	%reldir%/queue.c \
	%reldir%/queue.h \
	%reldir%/refusal.c \
	%reldir%/refusal.h \
	%reldir%/rules.c \
	%reldir%/rules.h \
	%reldir%/rules-text.h \
	%reldir%/standings.c \
	%reldir%/standings.h \
	%reldir%/tournament.c \
	%reldir%/tournament.h \
	%reldir%/tally.c \
	%reldir%/tally.h
nodist_referee_libreferee_a_SOURCES += %reldir%/rules-text.c

# The pages of the games, as they are.
EXTRA_DIST += %reldir%/make-rules.sh
CLEANFILES += %reldir%/rules-text.c
%reldir%/rules-text.c: $(dist_doc_DATA) %reldir%/make-rules.sh
	$(AM_V_GEN)$(MKDIR_P) %reldir% && \
	sh $(srcdir)/%reldir%/make-rules.sh $(srcdir)/referee/games/*.md \
	>$@.tmp && mv $@.tmp $@
