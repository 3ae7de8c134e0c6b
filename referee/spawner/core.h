/* referee/spawner/core.h - on which processor we run, and on which our bots.
 *
 * A turn of a bot that answers at once is two wake-ups, and waking a process on
 * another processor takes longer than all else in it.  So a process that plays
 * games stays on one processor and keeps its quick bots there.
 *
 * Linux: sched_setaffinity(2), /proc. */
#ifndef REFEREE_CORE_H
#define REFEREE_CORE_H

#include <sys/types.h>

/* This process stays on processor `core`; those that it has started before, and
 * their children, do not.  Where the kernel refuses it nothing changes. */
void core_stay(int core);

/* A process, its descendants and all their threads: on `core`, or (-1) on all
 * that this process had before core_stay(). */
void core_set(pid_t pid, int core);

#endif
