# Bots and strangers that misbehave, for the own tests of the referee.
check_PROGRAMS += %reldir%/bad-bot
%canon_reldir%_bad_bot_SOURCES = %reldir%/bad-bot.c
check_PROGRAMS += %reldir%/attacker
%canon_reldir%_attacker_SOURCES = %reldir%/attacker.c
