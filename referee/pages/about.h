/* referee/pages/about.h - writes the page about this referee and its limits. */
#ifndef REFEREE_PAGES_ABOUT_H
#define REFEREE_PAGES_ABOUT_H

#include "protocol/text.h"
#include "referee/pages/layout.h"

struct about_limit {
	const char *what, *value;
};

struct about_ladder {
	const char *name;
	/* Says who may read its records, and when. */
	const char *readers;
};

struct about {
	const char *tier; /* the sandbox: its name, and its rules */
	const char *sandbox;
	const struct about_limit *limit;
	unsigned limits;
	const struct about_ladder *ladder;
	unsigned ladders;
	bool sign_up; /* strangers can make an account */
};

/* Writes `/about`. */
void about_page(const struct site *site, const struct about *about,
		struct text *to);

#endif
