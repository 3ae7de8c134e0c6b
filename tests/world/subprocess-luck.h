/* tests/world/subprocess-luck.h - how the daemon's own processes fare.
 *
 * subprocess.c stands in place of the product's.  A process is a fork of the world
 * that does nothing until its time has come, and then runs its command as a whole.
 * For it the clocks stand still, and the machine is the real one.  It knows `referee
 * ladder` and `referee bots`; the check of an upload and the games of a trial are
 * drawn, not played. */
#ifndef TESTS_WORLD_SUBPROCESS_LUCK_H
#define TESTS_WORLD_SUBPROCESS_LUCK_H

#include <stdint.h>

struct subprocess_luck {
	/* So many of 1000 processes are killed, before their work or after it; run
	 * until their time is over or they are stopped, at most for an hour; write
	 * nonsense in place of their work. */
	unsigned crashes, hangs, garbles;
	/* So many of 1000 checks of an upload find something wrong. */
	unsigned refuses;
	uint64_t usual_us; /* until it ends */
};
extern struct subprocess_luck subprocess_luck;

struct subprocesses_counts {
	uint64_t starts, ended, killed, crashed, garbled;
};
extern struct subprocesses_counts subprocesses_counts;

#endif
