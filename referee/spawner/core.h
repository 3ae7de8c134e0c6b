/* referee/spawner/core.h - chooses the processors that we and our bots run on.
 *
 * A turn of a bot that answers at once is two wake-ups, and waking a process on
 * another processor takes longer than all else in it.  So a process that plays
 * games stays on one processor and keeps its quick bots there.
 *
 * Linux: sched_setaffinity(2), /proc. */
#ifndef REFEREE_CORE_H
#define REFEREE_CORE_H

#include <sys/types.h>

/* Keeps this process on processor `core`, but not the processes that it has
 * started before, nor their children.  Does nothing if the kernel refuses. */
void core_stay(int core);

/* Moves a process, its descendants and all their threads to `core`, or (-1) to
 * all processors that this process had before core_stay(). */
void core_set(pid_t pid, int core);

#endif
