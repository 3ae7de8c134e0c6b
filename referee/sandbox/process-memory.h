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

/* Adds what process `pid`, as /proc calls it, has; nothing if it is gone.
 * `fair`: a page that two have counts for each by half, and all memory that a
 * process shares with its parent (between vfork and exec) for the parent alone, which
 * takes the kernel a while; of a process that does not let itself be looked at, or may
 * not be walked, not so.
 * False: no process can look.  Without allocation. */
bool process_memory(const char *pid, bool fair, uint64_t *kib) MUST_CHECK;

/* Files that a process may have mapped to be walked.  The kernel walks about 70 MiB of
 * them in a millisecond: without a limit a bot could make a look take long. */
#define PROCESS_WALK_KIB (1U << 20)
/* Returns true if the process with this /proc/PID/status may be walked. */
bool process_can_be_walked(const char *status) MUST_CHECK;
/* Returns the fair part of a process that has `all_kib` and this smaps_rollup.  What
 * the walk did not meet counts in full: it was moved meanwhile. */
uint64_t process_fair_kib(uint64_t all_kib, const char *rollup);

/* The kB behind `word` in a file of /proc; 0: it is not there. */
uint64_t process_kib_of(const char *text, const char *word);

#endif
