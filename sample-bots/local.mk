# The sample bots.  Strangers copy the kits out of here, so nothing in this
# folder includes anything of ours.
noinst_PROGRAMS += %reldir%/c/random-bot
%canon_reldir%_c_random_bot_SOURCES = \
	%reldir%/c/random-bot.c \
	%reldir%/c/referee-bot.c \
	%reldir%/c/referee-bot.h
EXTRA_DIST += \
	%reldir%/README.md \
	%reldir%/javascript/random-bot.js \
	%reldir%/javascript/referee-bot.js \
	%reldir%/perl/RefereeBot.pm \
	%reldir%/perl/random_bot.pl \
	%reldir%/python/daumen_drauf_bot.py \
	%reldir%/python/random_bot.py \
	%reldir%/python/referee_bot.py \
	%reldir%/python/toepen_bot.py \
	%reldir%/shell/first.sh

include sample-bots/hostile/local.mk
