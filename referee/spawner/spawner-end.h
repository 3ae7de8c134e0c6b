/* referee/spawner/spawner-end.h - tells how a bot's process ended; limits of a
 * request to start one. */
#ifndef REFEREE_SPAWNER_END_H
#define REFEREE_SPAWNER_END_H

#include <stdbool.h>
#include <stdint.h>

#include "referee/sandbox/box.h"

/* Bytes of one request: folder, argv and environment with their NULs, and the
 * strings of its box. */
#define SPAWNER_REQUEST_BYTES 65536

struct spawner_end {
	int status; /* as of waitpid(2) */
	bool lost; /* the spawner died; status says SIGKILL, the numbers are 0 */
	/* Processes of the bot that were killed: `left` when it ended;
	 * `strayed` before, because they had left both it and its session.
	 * (With several bots the latter may be another's.) */
	uint32_t left, strayed;
	uint64_t cpu_us;   /* user and system time, with the children it waited
			  * for */
	uint64_t peak_kib; /* resident; never less than a fork of the spawner
			    * takes before its exec */
	/* It, or in tier A one of its processes, was ended because all its
	 * processes had too much memory or it had too many files in /tmp. */
	bool over;
	/* Notes of what it has tried, if its box is watched. */
	uint32_t notes;
	struct box_note note[BOX_NOTES];
};

#endif
