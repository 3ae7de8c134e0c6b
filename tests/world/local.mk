# The daemon on a simulated machine: world.h.  Its objects come before the libraries,
# so that the linker takes them in place of the product's.
check_PROGRAMS += %reldir%/world
%canon_reldir%_world_SOURCES = \
	%reldir%/kernel.c %reldir%/kernel.h \
	%reldir%/life.c %reldir%/life.h \
	%reldir%/net.c \
	%reldir%/organiser.c %reldir%/organiser.h \
	%reldir%/scenario.c %reldir%/scenario.h \
	%reldir%/thread.c \
	%reldir%/worker-start.c \
	%reldir%/world-main.c %reldir%/world.h \
	tests/seeded/seeded.c tests/seeded/seeded.h
%canon_reldir%_world_LDADD = $(TABLE_LIBS) -ldl
%canon_reldir%_world_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=timer_every,--wrap=clock_beat
