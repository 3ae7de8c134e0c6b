# The bot kits under every way in which lines may arrive.
check_PROGRAMS += %reldir%/hand-bot
%canon_reldir%_hand_bot_SOURCES = \
	%reldir%/hand-bot.c \
	sample-bots/c/referee-bot.c \
	sample-bots/c/referee-bot.h
dist_check_SCRIPTS += %reldir%/test_kits.py
TESTS += %reldir%/test_kits.py
EXTRA_DIST += \
	%reldir%/hand-bot.js \
	%reldir%/hand_bot.py \
	%reldir%/hands.txt \
	%reldir%/random.txt
