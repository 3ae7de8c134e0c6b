/* referee/spawner/spawner-pause.h - stops the bots while their referee is
 * stopped (Ctrl-Z, SIGSTOP).
 *
 * No process can catch SIGSTOP, and bots and workers have sessions of their
 * own.  But the spawner is not stopped with its owner.  As long as it has bots
 * it looks at its owner and, if that is a worker, at the worker's owner.  While
 * one of them is stopped, it keeps the bots and the worker stopped. */
#ifndef REFEREE_SPAWNER_PAUSE_H
#define REFEREE_SPAWNER_PAUSE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "protocol/util.h"
#include "referee/spawner/spawner-bots.h"

#define SPAWNER_PAUSE_MS 100 /* time between two looks */

/* All fields but the first two begin as zero: nothing is stopped. */
struct pause {
	pid_t owner; /* our parent */
	pid_t above; /* the owner's, if the owner is a worker; else 0 */
	bool on;
	bool owner_too;	   /* we have stopped it */
	uint64_t since_ms; /* time when the pause began */
	uint64_t look_ms;  /* time of the next look */
};

/* Looks if it is due: stops all bots, or continues those that it had stopped.
 * Returns true while they are stopped: then no bot may be ended for being late. */
bool spawner_pause(struct pause *pause, struct bots *bots) MUST_CHECK;
/* Returns the time of spawner_patience(), or the time to the next look if that
 * is shorter. */
int spawner_pause_patience(const struct pause *pause,
			   const struct bots *bots) MUST_CHECK;

#endif
