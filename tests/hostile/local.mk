# Bots and strangers that misbehave, for the referee's own tests; and those of
# sample-bots/hostile, which are tested here.  All without sanitizers, like these:
# they are small, start at once, and do what no sanitizer would let them.
check_PROGRAMS += %reldir%/attacker %reldir%/bad-bot %reldir%/honest-bot
%canon_reldir%_attacker_SOURCES = %reldir%/attacker.c
%canon_reldir%_attacker_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_attacker_LDFLAGS =
%canon_reldir%_bad_bot_SOURCES = %reldir%/bad-bot.c
%canon_reldir%_bad_bot_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_bad_bot_LDFLAGS =
%canon_reldir%_honest_bot_CFLAGS = $(HOSTILE_CFLAGS)
%canon_reldir%_honest_bot_LDFLAGS =
ZOO_TESTS = \
	%reldir%/test-zoo.py \
	%reldir%/test-bite.py
TESTS += $(ZOO_TESTS)
EXTRA_DIST += $(ZOO_TESTS) %reldir%/zoo.py
