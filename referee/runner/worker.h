/* referee/runner/worker.h - a process that plays the jobs it is given.
 *
 * It is this program, executed again by workers.h, with the channel as its
 * descriptor WORKER_FD: so it can be started at any time, holds nothing of its
 * parent's memory, and knows only the secrets of the games that it plays.  When
 * the channel ends, however that happens, it ends its programs and itself. */
#ifndef REFEREE_WORKER_H
#define REFEREE_WORKER_H

#include "protocol/util.h"

#define WORKER_FD 3
/* The arguments that make this program a worker: `referee WORKER_COMMAND JOBS
 * CORE`.  JOBS is the number of games at a time, CORE the processor for it and
 * its quick programs; -1: none. */
#define WORKER_COMMAND "play-jobs"

/* Signals that a worker ignores, and that are blocked while it starts.  They
 * end all processes of a service, but the parent decides what becomes of the
 * games. */
#define WORKER_DEAF 3
extern const int worker_deaf[WORKER_DEAF];

/* Plays until the channel ends, a socket which it takes over.  Returns the exit
 * code. */
int worker_play(int channel, unsigned jobs, int core) MUST_CHECK;

#endif
