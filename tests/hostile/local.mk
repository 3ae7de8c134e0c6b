# Bots and strangers that misbehave, for the referee's own tests; and those of
# sample-bots/hostile, which are tested here.
check_PROGRAMS += %reldir%/bad-bot %reldir%/honest-bot
%canon_reldir%_bad_bot_SOURCES = %reldir%/bad-bot.c
# Both as small as the bots that they play against, and without sanitizers like
# them; besides, bad-bot starts thousands of times.
%canon_reldir%_bad_bot_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_bad_bot_LDFLAGS =
%canon_reldir%_honest_bot_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_honest_bot_LDFLAGS =
ZOO_TESTS = \
	%reldir%/test-bite.py \
	%reldir%/test-zoo.py
TESTS += $(ZOO_TESTS)
EXTRA_DIST += $(ZOO_TESTS) %reldir%/zoo.py
check_PROGRAMS += %reldir%/attacker
%canon_reldir%_attacker_SOURCES = %reldir%/attacker.c
