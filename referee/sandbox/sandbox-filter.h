/* referee/sandbox/sandbox-filter.h - refuses system calls to programs in a box.
 *
 * Interpreters and compiled programs of all kinds run with the calls that
 * remain.  It refuses calls that look into other processes, change the view of
 * the system, open sockets (pairs are allowed), leave the process group by
 * which a bot is stopped, leave traces at files for others to find (locks,
 * watches), take memory that counts for no process, or have a history of holes. */
#ifndef REFEREE_SANDBOX_FILTER_H
#define REFEREE_SANDBOX_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/util.h"

/* Returns the filter as the kernel reads it. libseccomp makes it at the first
 * call, which must come before the first thread, and it is kept.  Without
 * `view` (read-only mounts of its own) a program may not change owners, modes
 * and times of files either.  With `strict` a call that no decent program has a
 * reason to try ends the program by SIGSYS. Returns NULL and errno on failure. */
const void *sandbox_filter(bool view, bool strict, size_t *bytes) MUST_CHECK;

/* Names of the calls that are refused with EPERM whatever their arguments are;
 * ends with NULL. */
extern const char *const sandbox_refused[];

#endif
