/* tests/world/kernel.h - what the world's own files need of the simulated machine.
 *
 * A fiber is a thread of its own, but only one runs at any time: it runs until it
 * waits.  So all that happens has an order, which the seed decides. */
#ifndef TESTS_WORLD_KERNEL_H
#define TESTS_WORLD_KERNEL_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tests/world/world.h"

/* Makes the calling thread the first fiber of a life.  From now on time is simulated.
 * The clock begins at `now_us`, the calendar at so many milliseconds since 1970.  The
 * trace is written to `trace`. */
void kernel_begin(uint64_t seed, uint64_t now_us, int64_t calendar_ms,
		  FILE *trace);
/* Returns true after kernel_begin(), but not in a fork of a life, for which time stands
 * still and everything else is the real machine. */
bool kernel_runs(void);

/* Starts a fiber.  What it is called stands in the trace if all wait for ever. */
struct fiber;
struct fiber *fiber_new(void *(*run)(void *arg), void *arg, const char *name);
/* Waits until the fiber has returned, and frees it. */
void fiber_join(struct fiber *fiber);
/* Waits, if `ready` is not true yet, until it is, or until clock_us() is `until_us`.
 * Returns what `ready` says then.  `ready` is called by other fibers, too. */
bool fiber_wait(bool (*ready)(void *arg), void *arg, uint64_t until_us);

/* Returns true if the daemon's own loop runs now, not one of its threads. */
bool kernel_in_daemon(void);
/* Closes all descriptors that are watched: the daemon has ended. */
void kernel_close_watched(void);

/* Lets the machine's clock go on by so much while nothing runs.  Timers of the world
 * stand still, too, as those of a daemon do that sees it by its beat. */
void kernel_stand_still(uint64_t us);

/* Sends a signal to the daemon as soon as all wait. */
void kernel_signal(int number);

#endif
