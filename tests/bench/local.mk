# Load for a daemon; no test, but built with them so that it cannot rot.
check_PROGRAMS += %reldir%/load-bots
%canon_reldir%_load_bots_SOURCES = %reldir%/load-bots.c
EXTRA_DIST += %reldir%/cores.py %reldir%/scale.py %reldir%/strong.py
