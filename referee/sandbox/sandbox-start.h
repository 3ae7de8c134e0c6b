/* referee/sandbox/sandbox-start.h - from a forked process into a box. */
#ifndef REFEREE_SANDBOX_START_H
#define REFEREE_SANDBOX_START_H

#include <sys/types.h>

#include "protocol/util.h"
#include "referee/sandbox/sandbox.h"

/* The two programs that a box needs; NULL: not found.  Found once, before the
 * first thread. */
const char *sandbox_bwrap(void) MUST_CHECK;
const char *sandbox_shim(void) MUST_CHECK;

/* A bot to be. */
struct sandbox_order {
	const struct sandbox_box *box;
	const char *folder; /* working directory, absolute; see sandbox_box */
	char *const *argv;  /* NULL: only look, the exit code is a BOX_LOOKED */
	char *const *envp;
	int fds[3];    /* its 0, 1 and 2; above 2 */
	int report;    /* for the first process; above 2 */
	unsigned slot; /* no two boxes that live have the same */
};

/* Makes the calling process, a fork that leads its session, into the box.  Does
 * not return but when that fails: with errno.  Root first becomes a user of
 * this slot's own, who is shown the bot's files if others cannot read them;
 * where that cannot be done it is refused, in a sentence to its standard
 * error. */
void sandbox_enter(const struct sandbox_order *order);

/* Whether that user can read all that the bot names; asked as root, whose
 * groups are given up by it. */
bool sandbox_is_open_to(uid_t uid,
			const struct sandbox_order *order) MUST_CHECK;

/* Makes those that are pipes this user's: programs open /dev/stdin again, by
 * its name. */
void sandbox_give_pipes(uid_t uid, const int fds[3]);

/* The user of a slot; 0: there is none, for we are not root. */
uid_t sandbox_slot_uid(unsigned slot) MUST_CHECK;

#endif
