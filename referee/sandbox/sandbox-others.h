/* referee/sandbox/sandbox-others.h - refuses calls that change limits,
 * priorities and processors of other processes.
 *
 * The kernel allows them on all processes of the same user. Landlock does not
 * check them, and a filter sees only numbers: so the number of any other
 * process is refused with EPERM, and so are whole groups and users.
 * */
#ifndef REFEREE_SANDBOX_OTHERS_H
#define REFEREE_SANDBOX_OTHERS_H

#include <stdint.h>

#include "protocol/util.h"

/* Adds rules to a libseccomp filter (scmp_filter_ctx) that protect the first
 * process of a box, number 1 in it, by `action`.  All other numbers in a box
 * are the bot's own, and runtimes use those of their threads.  Returns 0, or a
 * negative errno. */
int sandbox_refuse_first(void *filter, uint32_t action) MUST_CHECK;

/* For a fork that can see other processes: from now on it and its children may
 * make these calls only on 0 (the caller) and on the caller's own number.
 * Numbers of its threads are refused, too, and so are calls of 32-bit programs
 * on others.  Needs PR_SET_NO_NEW_PRIVS. Returns 0, also if the kernel has no
 * filters; or -1 and errno. */
int sandbox_leave_others(void) MUST_CHECK;

#endif
