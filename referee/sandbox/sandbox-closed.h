/* referee/sandbox/sandbox-closed.h - files in folders that are closed to others,
 * for a box whose user is not root. */
#ifndef REFEREE_SANDBOX_CLOSED_H
#define REFEREE_SANDBOX_CLOSED_H

#include <sys/types.h>

#include "protocol/util.h"
#include "referee/sandbox/sandbox.h"

/* Where a box finds what it shows: box.see, in its order, and box.folder. */
struct sandbox_sources {
	const char *see[SANDBOX_SEE_MAX + 1];
	const char *folder;
};

/* They are where they are. */
void sandbox_sources_set(struct sandbox_sources *sources,
			 const struct sandbox_box *box);

/* Moves the calling process, which is root and about to become `uid`, into a
 * view of its own in which all that the box shows can be reached by that user,
 * and belongs to him where it belongs to the owner of its top; sets `sources`.
 * No other process sees any of this. 0; or -1 and errno: then the process must
 * end. */
int sandbox_open_up(struct sandbox_sources *sources,
		    const struct sandbox_box *box, uid_t uid) MUST_CHECK;

#endif
