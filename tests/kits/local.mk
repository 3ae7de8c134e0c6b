# The bot kits under every way in which lines may arrive.
check_PROGRAMS += %reldir%/hand-bot %reldir%/random-bot-tls
%canon_reldir%_hand_bot_SOURCES = \
	%reldir%/hand-bot.c \
	sample-bots/c/referee-bot.c \
	sample-bots/c/referee-bot.h
# The kit in C has TLS only if it is told so.
%canon_reldir%_random_bot_tls_SOURCES = \
	sample-bots/c/random-bot.c \
	sample-bots/c/referee-bot.c \
	sample-bots/c/referee-bot.h
%canon_reldir%_random_bot_tls_CPPFLAGS = $(AM_CPPFLAGS) -DREFEREE_BOT_TLS
%canon_reldir%_random_bot_tls_CFLAGS = $(AM_CFLAGS) $(OPENSSL_CFLAGS)
%canon_reldir%_random_bot_tls_LDADD = $(OPENSSL_LIBS)
KIT_TESTS = \
	%reldir%/test_kits.py \
	%reldir%/test_remote.py \
	%reldir%/test_remote_lost.py \
	%reldir%/test_remote_tls.py \
	%reldir%/test_tables.py
dist_check_SCRIPTS += $(KIT_TESTS)
TESTS += $(KIT_TESTS)
EXTRA_DIST += \
	%reldir%/fake_referee.py \
	%reldir%/hand-bot.js \
	%reldir%/hand_bot.pl \
	%reldir%/hand_bot.py \
	%reldir%/hands.txt \
	%reldir%/random.txt \
	%reldir%/remote.txt
