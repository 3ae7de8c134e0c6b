# The sample bots.  Strangers copy the kits out of here, so nothing in this
# folder includes anything of ours.
noinst_PROGRAMS += %reldir%/c/random-bot
%canon_reldir%_c_random_bot_SOURCES = \
	%reldir%/c/random-bot.c \
	%reldir%/c/referee-bot.c \
	%reldir%/c/referee-bot.h

# This one thinks ahead with the engines themselves: see README.md.
noinst_PROGRAMS += %reldir%/strong/strong-bot
%canon_reldir%_strong_strong_bot_SOURCES = \
	%reldir%/c/referee-bot.c \
	%reldir%/c/referee-bot.h \
	%reldir%/strong/policy-daumen-drauf.c \
	%reldir%/strong/policy-daupun.c \
	%reldir%/strong/policy-doubles-dread.c \
	%reldir%/strong/policy-durnius.c \
	%reldir%/strong/policy-toepen.c \
	%reldir%/strong/policy.c \
	%reldir%/strong/policy.h \
	%reldir%/strong/search.c \
	%reldir%/strong/search.h \
	%reldir%/strong/strong-bot.c \
	%reldir%/strong/value.c \
	%reldir%/strong/value.h
%canon_reldir%_strong_strong_bot_CPPFLAGS = $(AM_CPPFLAGS) $(SODIUM_CFLAGS) \
	-I$(top_srcdir)/sample-bots/c
%canon_reldir%_strong_strong_bot_LDADD = referee/libgames.a \
	protocol/libprotocol.a $(SODIUM_LIBS) -lm
# The example of README.md.
noinst_PROGRAMS += %reldir%/strong/thinker
%canon_reldir%_strong_thinker_SOURCES = \
	%reldir%/c/referee-bot.c \
	%reldir%/c/referee-bot.h \
	%reldir%/strong/thinker.c
%canon_reldir%_strong_thinker_CPPFLAGS = \
	$(%canon_reldir%_strong_strong_bot_CPPFLAGS)
%canon_reldir%_strong_thinker_LDADD = $(%canon_reldir%_strong_strong_bot_LDADD)
EXTRA_DIST += \
	%reldir%/README.md \
	%reldir%/javascript/random-bot.js \
	%reldir%/javascript/referee-bot.js \
	%reldir%/python/daumen_drauf_bot.py \
	%reldir%/python/random_bot.py \
	%reldir%/python/referee_bot.py \
	%reldir%/python/toepen_bot.py \
	%reldir%/shell/first.sh
