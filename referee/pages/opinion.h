/* referee/pages/opinion.h - why a seat lost, on the page of a game: what the
 * strong bot thinks of its decisions, and the way to the worst one. */
#ifndef REFEREE_PAGES_OPINION_H
#define REFEREE_PAGES_OPINION_H

#include <stdbool.h>

#include "protocol/limits.h"
#include "protocol/record.h"
#include "protocol/util.h"
#include "referee/pages/html.h"
#include "referee/records/opinion.h"

/* What is known of the viewer's decisions. */
struct opinion_view {
	bool offered; /* there is a program that can be asked */
	bool coming;  /* it was asked, and has not answered */
	bool failed;  /* it could not answer */
	const struct opinions *opinions; /* NULL: not known */
	/* In a file that stands alone: of each seat, or NULL. */
	const struct opinions *of[SEATS_MAX];
};

/* A section with the ID `opinions`: a link to the worst decision of each seat in
 * `seat`, and what is thought of the decision at this moment, if the viewer is
 * such a seat.  Nothing if none is offered; hidden if there is no such seat.  With
 * `of` instead the worst decision of each, and all of them, in words. */
void opinion_write(struct html *html, const struct opinion_view *view,
		   const struct record *record, const bool seat[SEATS_MAX],
		   int viewer, unsigned at);

#endif
