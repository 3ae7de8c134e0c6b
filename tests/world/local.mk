# The invariants, which test-world tries with data folders that are damaged.
WORLD_CHECKS = \
	%reldir%/check-allowed.c \
	%reldir%/check-dump.c \
	%reldir%/check-inside.h \
	%reldir%/check-ladder.c \
	%reldir%/check-places.c \
	%reldir%/check-read.c \
	%reldir%/check-record.c \
	%reldir%/check-rules.c \
	%reldir%/check-seats.c \
	%reldir%/check-standings.c \
	%reldir%/check-terms.c \
	%reldir%/check.c %reldir%/check.h \
	%reldir%/folder-copy.c %reldir%/folder-copy.h \
	%reldir%/moves.c %reldir%/moves.h \
	%reldir%/promises.c %reldir%/promises.h \
	%reldir%/rare.h

# The daemon on a simulated machine: world.h.  Its objects come before the libraries,
# so that the linker takes them in place of the product's.
check_PROGRAMS += %reldir%/world
TESTS += %reldir%/world
%canon_reldir%_world_SOURCES = $(WORLD_CHECKS) \
	%reldir%/arrivals.c %reldir%/arrivals.h \
	%reldir%/author.c %reldir%/author.h \
	%reldir%/bots.h \
	%reldir%/build.c %reldir%/build.h \
	%reldir%/crowd.c %reldir%/crowd.h \
	%reldir%/html-check.c %reldir%/html-check.h \
	%reldir%/kernel.c %reldir%/kernel.h \
	%reldir%/life.c %reldir%/life.h \
	%reldir%/local.c \
	%reldir%/net.c \
	%reldir%/organiser.c %reldir%/organiser.h \
	%reldir%/owner.c %reldir%/owner.h \
	%reldir%/pidfd.c \
	%reldir%/player.c %reldir%/player.h \
	%reldir%/remote.c \
	%reldir%/scenario.c %reldir%/scenario.h \
	%reldir%/proxied.c %reldir%/proxied.h \
	%reldir%/rare.c \
	%reldir%/spawner-luck.h \
	%reldir%/spawner.c \
	%reldir%/stall.c %reldir%/stall.h \
	%reldir%/subprocess-luck.h \
	%reldir%/subprocess.c \
	%reldir%/talk.c %reldir%/talk.h \
	%reldir%/thread.c \
	%reldir%/variants.c %reldir%/variants.h \
	%reldir%/watcher.c %reldir%/watcher.h \
	%reldir%/worker-start.c \
	%reldir%/world-disk.c %reldir%/world-disk.h \
	%reldir%/world-main.c \
	%reldir%/world.h \
	tests/unit/disk.c tests/unit/disk.h \
	tests/unit/secrets.c tests/unit/secrets.h \
	tests/unit/words.c tests/unit/words.h \
	tests/seeded/seeded.c tests/seeded/seeded.h
%canon_reldir%_world_LDADD = $(TABLE_LIBS) -ldl
%canon_reldir%_world_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=timer_every,--wrap=clock_beat,--wrap=syscall
