/* referee/pages/live.h - writes pages of running games: `/live`, with one table
 * and a list of the others, and `/projector/LADDER`, for reading from afar.
 *
 * They show what the public may see now.  Without a script they are loaded
 * again every LIVE_REFRESH_S; static/live.js updates them by itself. */
#ifndef REFEREE_PAGES_LIVE_H
#define REFEREE_PAGES_LIVE_H

#include <stdbool.h>

#include "protocol/limits.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/frames/frame.h"
#include "referee/pages/ladder.h"

#define LIVE_REFRESH_S 10
#define LIVE_BOTS 8 /* bots of a ladder on a projector */

/* A running game. */
struct live_table {
	char id[ID_BYTES + 1];
	char ladder[NAME_BYTES + 1];
	struct frame frame; /* the present frame */
};

struct live_view {
	const struct live_table *table;
	unsigned tables;
	unsigned shown;	    /* the index of the large table */
	unsigned running;   /* tables in all */
	unsigned elsewhere; /* tables of other machines, which cannot be seen */
	/* True if a link asks for a game that is not shown; its ID, or "" if it
	 * cannot be one. */
	bool missing;
	const char *asked;
	/* The ladders whose records are public; of a projector its own. */
	const struct ladder_head *const *ladder;
	unsigned ladders;
};

/* Writes `/live`. */
void live_page(const struct site *site, const struct live_view *view,
	       struct text *to);
/* Writes `/projector/`, the list of the ladders that have a projector.  `root`
 * is the way up from there. */
void live_projectors(const struct site *site, const struct live_view *view,
		     const char *root, struct text *to);
/* Writes `/projector/NAME`. */
void live_projector(const struct site *site, const struct live_view *view,
		    const struct ladder_view_of *ladder, struct text *to);

#endif
