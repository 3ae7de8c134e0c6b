/* referee/pages/about.h - what this referee is and holds to. */
#ifndef REFEREE_PAGES_ABOUT_H
#define REFEREE_PAGES_ABOUT_H

#include "protocol/text.h"
#include "referee/pages/layout.h"

struct about_limit {
	const char *what, *value;
};

struct about_ladder {
	const char *name;
	/* Who may read its records, and when. */
	const char *readers;
};

struct about {
	const char *tier; /* of the sandbox: its name, and what holds in it */
	const char *sandbox;
	const struct about_limit *limit;
	unsigned limits;
	const struct about_ladder *ladder;
	unsigned ladders;
};

/* `/about` */
void about_page(const struct site *site, const struct about *about,
		struct text *to);

#endif
