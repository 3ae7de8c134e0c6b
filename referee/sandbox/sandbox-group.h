/* referee/sandbox/sandbox-group.h - control groups: limits for a whole box.
 *
 * Version 2 is used where our own group was delegated to us, or as root;
 * version 1 as root.  Each box gets a group with its number below our folder,
 * referee-PID. A service that is alone in its group moves itself into a group
 * below, because a group gives no controllers to its children while a process
 * is in it.  One process makes and removes all groups.  The next referee
 * removes what a killed one left behind. */
#ifndef REFEREE_SANDBOX_GROUP_H
#define REFEREE_SANDBOX_GROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "protocol/util.h"
#include "referee/sandbox/sandbox.h"

struct sandbox_groups;

/* Returns NULL and a few words in `why` if we can have no control groups. */
struct sandbox_groups *sandbox_groups_open(char why[128]) MUST_CHECK;
/* Removes all empty groups; `groups` may be NULL. */
void sandbox_groups_close(struct sandbox_groups *groups);
/* Returns true if they can bound processor time; memory and processes they do. */
bool sandbox_groups_bound_cpu(const struct sandbox_groups *groups);

/* Makes the group of one box.  Returns 0, or -1 and errno. */
int sandbox_group_make(struct sandbox_groups *groups, unsigned number,
		       const struct sandbox_limits *limits) MUST_CHECK;
/* Moves the calling process into the group.  Returns 0, or -1 and errno. */
int sandbox_group_join(const struct sandbox_groups *groups,
		       unsigned number) MUST_CHECK;
/* Opens the file that makes the box of process `pid` idle: after writing `1`
 * the box takes only processor time that no other group wants, after `0` its
 * normal share.  Any process of ours may use it.  Returns a descriptor, or -1
 * (no box, no group, or Linux before 5.15). */
int sandbox_group_open_idle(pid_t pid) MUST_CHECK;
/* Returns the peak of its memory, including its files in /tmp; 0 if unknown. */
uint64_t sandbox_group_peak_kib(const struct sandbox_groups *groups,
				unsigned number);
/* Returns true if the kernel has killed one of its processes because the group
 * had too much memory. */
bool sandbox_group_was_over(const struct sandbox_groups *groups,
			    unsigned number);
/* Removes the group.  Returns false while a process is in it. */
bool sandbox_group_remove(const struct sandbox_groups *groups, unsigned number);

#endif
