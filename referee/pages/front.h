/* referee/pages/front.h - the first page. */
#ifndef REFEREE_PAGES_FRONT_H
#define REFEREE_PAGES_FRONT_H

#include "protocol/text.h"
#include "referee/pages/ladder.h"

#define FRONT_BOTS 3 /* of each ladder */

#define FRONT_TABLES 4 /* of each ladder: running games that are linked to */

/* A running game that everybody may watch. */
struct front_table {
	unsigned ladder; /* which of them */
	char id[ID_BYTES + 1];
	char name[SEATS_MAX][NAME_BYTES + 1];
	unsigned seats;
};

struct front_ladder {
	struct ladder_head head;
	unsigned bots; /* the best ones */
	struct ladder_short bot[FRONT_BOTS];
	unsigned hour;			 /* games in the last hour */
	const struct front_table *table; /* some that run */
	unsigned tables;
	bool unread; /* nothing but its head is known */
};

struct front {
	const struct front_ladder *ladder;
	unsigned ladders;
	bool queue; /* other machines play here, too */
	bool tournaments;
	bool uploads; /* bots may be sent in */
};

/* `/` */
void front_page(const struct site *site, const struct front *front,
		struct text *to);

#endif
