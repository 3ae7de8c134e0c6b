/* referee/pages/opinion.h - writes on the page of a game why a seat lost: the
 * strong bot's opinions on its decisions, and a way to the worst one. */
#ifndef REFEREE_PAGES_OPINION_H
#define REFEREE_PAGES_OPINION_H

#include <stdbool.h>

#include "protocol/limits.h"
#include "protocol/record.h"
#include "referee/pages/html.h"
#include "referee/records/opinion.h"

/* The opinions that are known. */
struct opinion_view {
	bool offered; /* there is a program that can be asked */
	bool known;   /* the program has answered for the viewer */
	/* For a file that stands alone: the opinions on each seat, or NULL. */
	const struct opinions *of[SEATS_MAX];
};

/* Writes a section with the ID `opinions`.  With `of` it has the worst decision
 * and all decisions of each seat in words.  Else, if opinions are offered, it
 * is hidden; static/opinions.js fills and shows it.  `data-known` is the viewer
 * if opinions on the viewer are known. */
void opinion_write(struct html *html, const struct opinion_view *view,
		   const struct record *record, int viewer);

#endif
