/* referee/pages/front.h - writes the first page. */
#ifndef REFEREE_PAGES_FRONT_H
#define REFEREE_PAGES_FRONT_H

#include "protocol/text.h"
#include "referee/pages/ladder.h"

#define FRONT_BOTS 3 /* bots of each ladder */

#define FRONT_TABLES 4 /* running games of each ladder that get a link */

/* A running game that everybody may watch. */
struct front_table {
	unsigned ladder; /* index of its ladder */
	char id[ID_BYTES + 1];
	char name[SEATS_MAX][NAME_BYTES + 1];
	unsigned seats;
};

struct front_ladder {
	struct ladder_head head;
	unsigned bots; /* entries of `bot`, the best ones */
	struct ladder_short bot[FRONT_BOTS];
	unsigned hour;			 /* games in the last hour */
	const struct front_table *table; /* some running games */
	unsigned tables;
	bool unread; /* only its head is known */
};

struct front {
	const struct front_ladder *ladder;
	unsigned ladders;
	bool queue; /* other machines play here, too */
	bool tournaments;
	bool uploads; /* bots may be sent in */
	bool sign_up; /* strangers can make an account */
};

/* Writes `/`. */
void front_page(const struct site *site, const struct front *front,
		struct text *to);

#endif
