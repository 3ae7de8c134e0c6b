/* referee/sandbox/spawner-domain.h - walls between bots: a Landlock domain for
 * each.
 *
 * All bots are processes of the same user, and the kernel lets such processes
 * open each other's pipes, read each other's memory and kill each other.  A
 * process in a domain can do so only to what is in there, too: itself and what
 * it starts.  Domains do not restrict a process outside of all of them.
 *
 * Source: landlock(7), and the kernel's userspace-api/landlock. */
#ifndef REFEREE_SPAWNER_DOMAIN_H
#define REFEREE_SPAWNER_DOMAIN_H

#include <stdbool.h>

#include "protocol/util.h"

/* From this version on signals and abstract sockets stop at the wall. */
#define DOMAIN_ABI_SCOPES 6

/* The version of the kernel's Landlock, from 1; 0: it has none, or none that is
 * switched on. */
int domain_abi(void) MUST_CHECK;
/* Returns the ruleset of domains of version `abi` (at most domain_abi()) as a
 * descriptor that is closed on exec, or -1 and errno. */
int domain_open(int abi) MUST_CHECK;
/* Returns such a ruleset in which only allowed files can be opened, and which
 * stops signals if the kernel can do that. */
int domain_open_files(int abi) MUST_CHECK;
/* Allows a ruleset to read and execute what is at or below `path`, or also to
 * change it.  Returns 0, or -1 and errno. */
int domain_allow(int fd, const char *path, bool change) MUST_CHECK;
/* Puts the calling thread into a new domain, for good, for itself and for all
 * that it starts; it must have PR_SET_NO_NEW_PRIVS.  0; -1 and errno. */
int domain_enter(int fd) MUST_CHECK;
/* Lets the calling thread, and all that it starts, make no domain any more
 * (ENOSYS): the kernel takes rules without number, and no limit of a process
 * counts them.  Needs PR_SET_NO_NEW_PRIVS.  0, also where the kernel has no
 * filters; -1 and errno. */
int domain_close(void) MUST_CHECK;

#endif
