/* referee/runner/worker-start.h - starts the process of a worker (worker.h) in
 * a session of its own, with the variables that bots get, and with no
 * descriptor of ours but the channel. */
#ifndef REFEREE_WORKER_START_H
#define REFEREE_WORKER_START_H

#include <sys/types.h>

#include "protocol/util.h"

/* Starts a worker that plays `jobs` games at a time and stays on `core` (-1: on
 * none).  Returns 0, our end of the channel, which the caller closes, and the
 * process, which the caller reaps; or an errno. */
int worker_start(unsigned jobs, int core, int *fd, pid_t *pid) MUST_CHECK;

#endif
