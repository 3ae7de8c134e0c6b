/* referee/sandbox/sandbox-closed.h - shows files in closed folders to a box
 * whose user is not root. */
#ifndef REFEREE_SANDBOX_CLOSED_H
#define REFEREE_SANDBOX_CLOSED_H

#include <sys/types.h>

#include "protocol/util.h"
#include "referee/sandbox/sandbox.h"

/* The paths from which a box takes box.see, in its order, and box.folder. */
struct sandbox_sources {
	const char *see[SANDBOX_SEE_MAX + 1];
	const char *folder;
};

/* Sets the sources to the paths of the box itself. */
void sandbox_sources_set(struct sandbox_sources *sources,
			 const struct sandbox_box *box);

/* Moves the calling process, which is root and about to become `uid`, into a
 * mount namespace of its own.  There this user can reach all that the box
 * shows, and files of a top folder's owner belong to him.  Sets `sources`.  No
 * other process sees any of this.  Returns 0; or -1 and errno: then the process
 * must end. */
int sandbox_open_up(struct sandbox_sources *sources,
		    const struct sandbox_box *box, uid_t uid) MUST_CHECK;

#endif
