/* tests/world/promises.h - what bots have read, in a file that outlives each life.
 *
 * A life appends to it.  Between two lives, and at the end, it is read and
 * compared with the data folder (check.h).  It lies outside of that folder, so no
 * power cut takes it.  Lines:
 *
 *	over ID HASH		a bot has read `over ID HASH`
 *	read ID SEAT N LINE	the bot on this seat has read LINE, its line number N of
 *				this game; if it comes back to the game and is told
 *				lines again, they have the numbers that they had */
#ifndef TESTS_WORLD_PROMISES_H
#define TESTS_WORLD_PROMISES_H

#include <stddef.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/limits.h"
#include "protocol/util.h"

/* ---- in a life -------------------------------------------------------- */

/* Opens the file for appending. */
void promises_begin(const char *path);
/* Without promises_begin() these do nothing.  Before a life ends by _exit(2), it calls
 * fflush(NULL). */
void promise_over(const char *id, const char *hash);
void promise_read(const char *id, unsigned seat, uint64_t number,
		  const char *line);

/* ---- between two lives ------------------------------------------------ */

struct promised_over {
	const char *id, *hash;
};

struct promised_line {
	const char *id;
	unsigned seat;
	uint64_t number;
	const char *line;
	size_t order; /* in the file */
};

struct promises {
	char *bytes;		    /* owned; the strings point into it */
	struct promised_over *over; /* owned; by ID, each promise once */
	size_t overs;
	struct promised_line
		*line; /* owned; by ID, seat, and as they were read */
	size_t lines;
};

/* Reads the file; one that is not there has no promises.  Returns 0, or -1 and an error
 * if a line has another form.  Half a line at the end is ignored. */
int promises_read(const char *path, struct promises *promises,
		  struct error *why) MUST_CHECK;
void promises_release(struct promises *promises);

/* Finds the lines of a seat of a game.  Returns the first, and their number. */
const struct promised_line *promises_lines(const struct promises *promises,
					   const char *id, unsigned seat,
					   size_t *count);

#endif
