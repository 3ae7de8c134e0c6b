# The program that tests run: the product, and chance that CHECK_SEED fixes.
check_PROGRAMS += %reldir%/referee
%canon_reldir%_referee_SOURCES = %reldir%/referee-seeded.c \
	%reldir%/seeded.c %reldir%/seeded.h referee/cli/main.c
%canon_reldir%_referee_LDADD = $(referee_referee_LDADD)
