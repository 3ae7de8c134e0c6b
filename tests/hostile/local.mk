# Bots that misbehave, for the referee's own tests.
check_PROGRAMS += %reldir%/bad-bot
%canon_reldir%_bad_bot_SOURCES = %reldir%/bad-bot.c
