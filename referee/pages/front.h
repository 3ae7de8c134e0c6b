/* referee/pages/front.h - the first page. */
#ifndef REFEREE_PAGES_FRONT_H
#define REFEREE_PAGES_FRONT_H

#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/pages/ladder.h"

#define FRONT_BOTS 3 /* of each ladder */

struct front_ladder {
	struct ladder_head head;
	/* The best ones; rating, and half of its 95 % interval or less than 0. */
	unsigned bots;
	struct front_bot {
		char name[NAME_BYTES + 1];
		double rating, bar;
	} bot[FRONT_BOTS];
	unsigned hour; /* games in the last hour */
	bool unread;   /* nothing but its head is known */
};

struct front {
	const struct front_ladder *ladder;
	unsigned ladders;
};

/* `/` */
void front_page(const struct site *site, const struct front *front,
		struct text *to);

#endif
