/* referee/sandbox/sandbox-filter.h - the system calls that a program in a box may
 * not make.
 *
 * Interpreters and compiled programs of all kinds run with the calls that
 * remain. Refused are calls that look into other processes, change the view of
 * the system, open sockets (pairs are left), leave the process group by which a
 * bot is stopped, leave something at files for others to find (locks, watches),
 * take memory that counts for no process, or have a history of holes. */
#ifndef REFEREE_SANDBOX_FILTER_H
#define REFEREE_SANDBOX_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/util.h"

/* The filter as the kernel reads it: made once, by libseccomp, and kept.
 * Before the first thread.  Without a `view` of its own, in which nothing can
 * be written to, a program cannot change owners, modes and times of files
 * either.  `strict`: where a decent program has no reason to try, the call ends
 * it by SIGSYS.  NULL and errno. */
const void *sandbox_filter(bool view, bool strict, size_t *bytes) MUST_CHECK;

/* Names of the calls that are refused with EPERM whatever their arguments; NULL
 * ends. */
extern const char *const sandbox_refused[];

#endif
