/* strangers.h - whom a hostile bot finds on the machine: every process that is
 * neither itself nor its own child.
 *
 * Pids are tried by number, for /proc may hide what can still be reached. */
#ifndef STRANGERS_H
#define STRANGERS_H

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>

#include "hostile.h"

#define PIDS 33000 /* PIDs to try, as on most machines */

/* Opens a file of a process in /proc, for reading: its descriptor or -1. */
static inline int
stranger_open(pid_t pid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* Returns how many of them `try` says yes to. */
static inline long
strangers_count(bool (*try)(pid_t pid))
{
	long count = 0;

	for (pid_t pid = 1; pid < PIDS; pid++)
		if (pid != getpid())
			count += try(pid);
	return count;
}

/* `WHAT: got it, N times`, or refused. */
static inline void
strangers_tell(const char *what, bool (*try)(pid_t pid))
{
	long count = strangers_count(try);

	if (count > 0)
		hostile_say("%s: got it, %ld times", what, count);
	else
		hostile_tried(what, false, 0);
}

#endif
