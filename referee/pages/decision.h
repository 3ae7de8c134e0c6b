/* referee/pages/decision.h - writes the decision at a moment of a game, for
 * readers who may know it: the possible answers, the answer, how long it took,
 * and what the bot said and wrote meanwhile. */
#ifndef REFEREE_PAGES_DECISION_H
#define REFEREE_PAGES_DECISION_H

#include "protocol/asks.h"
#include "protocol/record.h"
#include "referee/pages/html.h"
#include "referee/records/replay-wrote.h"

#define DECISION_WROTE_BYTES 4096 /* last bytes of standard error of one ask */

struct decision_view {
	/* Asks that replay_asks_read() has read; NULL: not known. */
	const struct asks *asks;
	/* An entry for each seat, for its author alone; or NULL. */
	const struct replay_wrote *wrote;
};

/* Writes a section with the ID `decision` for the line that this viewer counts
 * as `at`.  A move, a fault, and their consequences belong to the decision
 * before; if a move comes next, the section shows that move's decision.  Asks
 * that the viewer does not see are left out.  The last decision of a game also has what
 * bots wrote after their last answers.  For VIEW_PUBLIC the section is
 * empty and hidden, so that a script can put in the section of another view. */
void decision_write(struct html *html, const struct decision_view *view,
		    const struct record *record, int viewer, unsigned at);

#endif
