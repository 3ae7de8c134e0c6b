/* referee/spawner/spawner-end.h - how a bot's process ended, and the limits of a
 * request to start one. */
#ifndef REFEREE_SPAWNER_END_H
#define REFEREE_SPAWNER_END_H

#include <stdbool.h>
#include <stdint.h>

#include "referee/sandbox/box.h"

/* Of one request: folder, argv and environment with their NULs; likewise what
 * belongs to its box. */
#define SPAWNER_REQUEST_BYTES 65536

struct spawner_end {
	int status; /* as of waitpid(2) */
	bool lost;  /* the spawner died; status is that of a SIGKILL,
		     * the numbers are 0 */
	/* Processes of it that were killed: by then, when it ended, and before,
	 * when they had left both it and its session.  (Those may be another's,
	 * where several bots play.) */
	uint32_t left, strayed;
	uint64_t cpu_us; /* user and system, with the children it waited for */
	uint64_t peak_kib; /* resident; never less than a fork of the spawner
			    * takes before its exec */
	/* It was ended for its memory, of all its processes, or its files in
	 * /tmp; or (tier A) one of its processes was. */
	bool over;
	/* What it has tried: where its box is watched. */
	uint32_t notes;
	struct box_note note[BOX_NOTES];
};

#endif
