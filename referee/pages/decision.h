/* referee/pages/decision.h - the decision at a moment of a game, for those who
 * may know it: what could be answered, what was, how long it took, and what the
 * bot said and wrote meanwhile. */
#ifndef REFEREE_PAGES_DECISION_H
#define REFEREE_PAGES_DECISION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/asks.h"
#include "protocol/record.h"
#include "referee/pages/html.h"

#define DECISION_WROTE_BYTES 4096 /* of standard error, of one ask: the last */

/* What a bot wrote to standard error in the game. */
struct decision_wrote {
	char *bytes; /* NULL: not known, or not for this reader */
	size_t n;
	uint64_t from; /* the place of the first in all that it wrote */
	bool gone;     /* it is for this reader, and no longer kept */
};

struct decision_view {
	/* As of replay_asks_read(); NULL: not known. */
	const struct asks *asks;
	/* Of each seat, for its author alone; or NULL. */
	const struct decision_wrote *wrote;
};

/* A section with the ID `decision`, on the line that this viewer counts as `at`:
 * a move, a fault, and what came of them belong to the decision before; where a
 * move comes next, it is that one.  Asks that the viewer does not see are left
 * out; of VIEW_PUBLIC the section is empty and hidden: it is there so that a
 * script can put in that of another view. */
void decision_write(struct html *html, const struct decision_view *view,
		    const struct record *record, int viewer, unsigned at);

#endif
