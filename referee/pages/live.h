/* referee/pages/live.h - pages of what runs now: `/live`, with one table
 * and a list of the others, and `/projector/LADDER`, to be read from afar.
 *
 * They show what the public may see now.  Without a script they are loaded again
 * every LIVE_REFRESH_S; static/live.js makes them go on by themselves. */
#ifndef REFEREE_PAGES_LIVE_H
#define REFEREE_PAGES_LIVE_H

#include <stdbool.h>

#include "protocol/limits.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/frames/frame.h"
#include "referee/pages/ladder.h"

#define LIVE_REFRESH_S 10
#define LIVE_BOTS 8 /* of a ladder, on a projector */

/* A running game. */
struct live_table {
	char id[ID_BYTES + 1];
	char ladder[NAME_BYTES + 1];
	struct frame frame; /* as it stands */
};

struct live_view {
	const struct live_table *table;
	unsigned tables;
	unsigned shown;	    /* the index of the large one */
	unsigned running;   /* tables in all */
	unsigned elsewhere; /* of them, of other machines: not to be seen */
	/* A game was asked for by a link, and is not shown; its ID, or "" if
	 * that can be none. */
	bool missing;
	const char *asked;
	/* What ladders there are. */
	const struct ladder_head *const *ladder;
	unsigned ladders;
};

/* `/live` */
void live_page(const struct site *site, const struct live_view *view,
	       struct text *to);
/* `/projector/`, `root` is the way up from there: the ladders that have one. */
void live_projectors(const struct site *site, const struct live_view *view,
		     const char *root, struct text *to);
/* `/projector/NAME` */
void live_projector(const struct site *site, const struct live_view *view,
		    const struct ladder_view_of *ladder, struct text *to);

#endif
