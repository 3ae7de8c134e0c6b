/* referee/pages/strip.h - the asks of a game as a picture: a mark for each, in
 * order, as high as its bot thought long.  A dot above it is a fault, a tick below
 * it the beginning of a round, a needle the moment.
 *
 * drawStrip() of static/replay-strip.js makes the same elements; who changes one of
 * the two changes the other.  test-web-replay.py compares them. */
#ifndef REFEREE_STRIP_H
#define REFEREE_STRIP_H

#include <stdint.h>

#include "protocol/asks.h"
#include "referee/frames/frame.h"
#include "referee/pages/html.h"

/* A line that the viewer sees. */
struct strip_line {
	uint32_t line; /* of the record */
	uint32_t round, marks;
	int8_t seat; /* as those of its frame */
};

/* Zeroed it has none. */
struct strip {
	struct strip_line *line; /* owned */
	unsigned lines, size;
};

/* The next line; `frame` is the one after it. */
void strip_add(struct strip *strip, uint32_t line, const struct frame *frame);
void strip_release(struct strip *strip);

/* Draws the asks that this viewer sees; if there are none, or `asks` is NULL, the
 * moves and faults of the lines.  `at`: the moment, one of the lines from 1; 0: there
 * are no lines.  The seats' names are those of the table. */
void strip_write(struct html *html, const struct strip *strip,
		 const struct asks *asks, const struct frame_table *table,
		 int viewer, unsigned at);

#endif
