/* referee/sandbox/sandbox-start.h - moves a forked process into a box. */
#ifndef REFEREE_SANDBOX_START_H
#define REFEREE_SANDBOX_START_H

#include <sys/types.h>

#include "protocol/util.h"
#include "referee/sandbox/sandbox.h"

/* Return the paths of the two programs that a box needs, or NULL. They are
 * looked up once, before the first thread. */
const char *sandbox_bwrap(void) MUST_CHECK;
const char *sandbox_shim(void) MUST_CHECK;

/* A bot that is about to start. */
struct sandbox_order {
	const struct sandbox_box *box;
	const char *folder; /* working directory, absolute; see sandbox_box */
	char *const *argv;  /* NULL: only look, the exit code is a BOX_LOOKED */
	char *const *envp;
	int fds[3];    /* its 0, 1 and 2; above 2 */
	int report;    /* for the first process; above 2 */
	unsigned slot; /* unique among living boxes */
};

/* Turns the calling process, a fork that leads its session, into the box.
 * Returns only on failure, with errno.  Root first becomes the slot's own user.
 * If that user cannot read the bot's files, they are shown to him; if that is
 * impossible, the bot is refused with a sentence to its standard error. */
void sandbox_enter(const struct sandbox_order *order);

/* Returns true if that user can read all that the bot's command names.  Only
 * root may call it; it gives up root's groups. */
bool sandbox_is_open_to(uid_t uid,
			const struct sandbox_order *order) MUST_CHECK;

/* Gives the pipes among `fds` to this user, because programs may open
 * /dev/stdin by its name. */
void sandbox_give_pipes(uid_t uid, const int fds[3]);

/* Returns the user of a slot; 0 if we are not root. */
uid_t sandbox_slot_uid(unsigned slot) MUST_CHECK;

#endif
