/* referee/child/nursery-watch.h - memory of bots that are in no box.
 *
 * In tier C nobody but the nursery can look at the sum of a bot's processes.
 * They are all in its session, for the filter there lets none leave it. */
#ifndef REFEREE_NURSERY_WATCH_H
#define REFEREE_NURSERY_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "protocol/util.h"

struct boxed;

/* How often to look; and once more after what looks like too much: a process
 * that is about to become another one (vfork) shows the memory of its parent.
 */
#define NURSERY_WATCH_MS 200
#define NURSERY_AGAIN_MS 20

/* Whose they are, by the number of their session; NULL: nobody's that is
 * watched. */
typedef struct boxed *nursery_finder(void *arg, pid_t session);

/* Adds up in `seen_kib` what the processes have of all that `find` knows;
 * whether all could be looked at.  `fair` as in process-memory.h. */
bool nursery_look(nursery_finder *find, void *arg, bool fair) MUST_CHECK;

#endif
