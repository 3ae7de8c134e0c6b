/* tests/world/subprocess-luck.h - how the daemon's own processes fare.
 *
 * subprocess.c stands in place of the product's.  A process is a fork of the world that
 * runs its command as a whole at the moment at which it ends; until then it does nothing.
 * For it the clocks stand still, and the machine is the real one.  It knows `referee
 * ladder` and `referee bots`; the check of an upload is drawn, not played. */
#ifndef TESTS_WORLD_SUBPROCESS_LUCK_H
#define TESTS_WORLD_SUBPROCESS_LUCK_H

#include <stdint.h>

struct subprocess_luck {
	/* How often in 1000 a process, after its work or before it, is killed; runs until
	 * its time is over or it is stopped, at most for an hour; writes nonsense and ends
	 * with a status that is not 0. */
	unsigned crashes, hangs, garbles;
	/* How often in 1000 the check of an upload finds something wrong. */
	unsigned refuses;
	uint64_t usual_us; /* until it ends */
};
extern struct subprocess_luck subprocess_luck;

struct subprocesses_counts {
	uint64_t starts, ended, killed, crashed, garbled;
};
extern struct subprocesses_counts subprocesses_counts;

#endif
