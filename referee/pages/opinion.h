/* referee/pages/opinion.h - why a seat lost, on the page of a game: what the
 * strong bot thinks of its decisions, and the way to the worst one. */
#ifndef REFEREE_PAGES_OPINION_H
#define REFEREE_PAGES_OPINION_H

#include <stdbool.h>

#include "protocol/limits.h"
#include "protocol/record.h"
#include "referee/pages/html.h"
#include "referee/records/opinion.h"

/* What is known of decisions. */
struct opinion_view {
	bool offered; /* there is a program that can be asked */
	bool known;   /* it has answered for the viewer */
	/* In a file that stands alone: of each seat, or NULL. */
	const struct opinions *of[SEATS_MAX];
};

/* Writes a section with the ID `opinions`: with `of` the worst decision of each
 * seat, and all of them, in words; else, if opinions are offered, a hidden one
 * that static/opinions.js fills and shows, whose `data-known` is the viewer if
 * opinions on it are known. */
void opinion_write(struct html *html, const struct opinion_view *view,
		   const struct record *record, int viewer);

#endif
