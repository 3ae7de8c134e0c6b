/* referee/sandbox/process-memory.h - how much memory without a file behind it a
 * process has.
 *
 * The tables of its pages are counted, too: one byte read in each 2 MiB of
 * whatever is mapped costs a page of them. */
#ifndef REFEREE_PROCESS_MEMORY_H
#define REFEREE_PROCESS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/util.h"

/* The kernel may walk over so much in one look at the processes of a bot.  It takes
 * a millisecond for about 70 MiB: without a limit a bot could make a look take long. */
#define MEMORY_WALK_KIB (4U << 20)

/* The sums of one look at the processes of a bot; 0 at first. */
struct memory_sum {
	uint64_t kib;	     /* memory without a file behind it */
	uint64_t mapped_kib; /* files that a fair look has met */
};

/* Adds what process `pid`, as /proc calls it, has; nothing if it is gone.
 * `fair`: a page that two have counts for each by half, and all memory that a
 * process shares with its parent (between vfork and exec) for the parent alone, which
 * takes the kernel a while; not so for a process that does not let itself be looked
 * at, nor once MEMORY_WALK_KIB are mapped.
 * False: no process can look.  Without allocation. */
bool process_memory(const char *pid, bool fair,
		    struct memory_sum *sum) MUST_CHECK;

/* Returns the fair part of the process with these /proc/PID/status and smaps_rollup.
 * What the walk did not meet counts in full: it was moved meanwhile. */
uint64_t memory_fair_kib(const char *status, const char *rollup);

/* The kB behind `word` in a file of /proc; 0: it is not there. */
uint64_t process_kib_of(const char *text, const char *word);

#endif
