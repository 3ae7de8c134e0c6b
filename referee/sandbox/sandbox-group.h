/* referee/sandbox/sandbox-group.h - control groups: bounds for all of a box
 * together.
 *
 * Version 2 is used where our own group was delegated to us, or as root;
 * version 1 as root.  Below a folder of ours, referee-PID, each box gets a
 * group with its number; a service that is alone in its group moves itself into
 * one below it, for a group hands down nothing while a process is in it.  One
 * process makes and removes them all.  The next referee removes what a killed
 * one left behind. */
#ifndef REFEREE_SANDBOX_GROUP_H
#define REFEREE_SANDBOX_GROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "protocol/util.h"
#include "referee/sandbox/sandbox.h"

struct sandbox_groups;

/* NULL: there are none for us, and `why` says it in a few words. */
struct sandbox_groups *sandbox_groups_open(char why[128]) MUST_CHECK;
/* Removes everything that is empty; NULL is fine. */
void sandbox_groups_close(struct sandbox_groups *groups);
/* Returns true if they can bound processor time; memory and processes they do. */
bool sandbox_groups_bound_cpu(const struct sandbox_groups *groups);

/* A group for one box; 0, or -1 and errno. */
int sandbox_group_make(struct sandbox_groups *groups, unsigned number,
		       const struct sandbox_limits *limits) MUST_CHECK;
/* Moves the calling process into it: 0, or -1 and errno. */
int sandbox_group_join(const struct sandbox_groups *groups,
		       unsigned number) MUST_CHECK;
/* The file by which the box of this process is told (`1`) to take only the
 * processor time that no other group wants, or (`0`) not so; for any process of
 * ours: a descriptor, or -1 (no box, no group, Linux before 5.15). */
int sandbox_group_open_idle(pid_t pid) MUST_CHECK;
/* The most memory that it had, its files in /tmp included; 0: not known. */
uint64_t sandbox_group_peak_kib(const struct sandbox_groups *groups,
				unsigned number);
/* Whether the kernel has killed one of its processes for the memory of all. */
bool sandbox_group_was_over(const struct sandbox_groups *groups,
			    unsigned number);
/* Whether it is gone; not as long as there is a process in it. */
bool sandbox_group_remove(const struct sandbox_groups *groups, unsigned number);

#endif
