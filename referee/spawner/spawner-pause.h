/* referee/spawner/spawner-pause.h - who is stopped (Ctrl-Z, SIGSTOP) stops all that
 * runs for it.
 *
 * No process can catch SIGSTOP, and bots and workers have sessions of their own.
 * But the spawner is never stopped with them: as long as it has bots it looks at
 * its owner, and at the owner's own one, if the owner is a worker.  While one of
 * them is stopped, so are the bots, and the worker. */
#ifndef REFEREE_SPAWNER_PAUSE_H
#define REFEREE_SPAWNER_PAUSE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "protocol/util.h"
#include "referee/spawner/spawner-bots.h"

#define SPAWNER_PAUSE_MS 100 /* how often it looks */

/* Zeroed but for the first two: nothing is stopped. */
struct pause {
	pid_t owner; /* our parent */
	pid_t above; /* the owner's, if the owner is a worker; else 0 */
	bool on;
	bool owner_too;	   /* we have stopped it */
	uint64_t since_ms; /* when it began */
	uint64_t look_ms;  /* when we look next */
};

/* Looks, if it is due: stops all, or lets all go on that it had stopped.  Returns
 * true while they are stopped: then no bot may be ended for being late. */
bool spawner_pause(struct pause *pause, struct bots *bots) MUST_CHECK;
/* Returns what spawner_patience() does, or the time to the next look if that is
 * shorter. */
int spawner_pause_patience(const struct pause *pause,
			   const struct bots *bots) MUST_CHECK;

#endif
