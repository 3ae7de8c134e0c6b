/* referee/sandbox/sandbox-others.h - calls by which a program changes what other
 * processes may have: limits, priorities, processors.
 *
 * The kernel allows them on all processes of the same user. Landlock does not
 * check them, and a filter sees only numbers: so the number of any other
 * process is refused with EPERM, and so are whole groups and users.
 */
#ifndef REFEREE_SANDBOX_OTHERS_H
#define REFEREE_SANDBOX_OTHERS_H

#include <stdint.h>

#include "protocol/util.h"

/* Adds to a filter of libseccomp (scmp_filter_ctx) what keeps the programs of a
 * box from its first process, which is number 1 in there: all other numbers are
 * their own, and runtimes use those of their threads.  `action` is for number
 * 1.  0, or a negative errno. */
int sandbox_refuse_first(void *filter, uint32_t action) MUST_CHECK;

/* Where others are in view, in the fork: from now on this process, and what it
 * starts, may make these calls on 0 (the caller) and on the caller's number
 * alone; the numbers of its threads are strangers', too.  A program of another
 * kind (32 bits) is held likewise.  Needs PR_SET_NO_NEW_PRIVS.  0, also where
 * the kernel has no filters; or -1 and errno. */
int sandbox_leave_others(void) MUST_CHECK;

#endif
