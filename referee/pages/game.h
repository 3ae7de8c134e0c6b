/* referee/pages/game.h - writes the page of a game: a sentence for each line,
 * and the table at a moment in words. */
#ifndef REFEREE_PAGES_GAME_H
#define REFEREE_PAGES_GAME_H

#include <stdbool.h>

#include "protocol/limits.h"
#include "protocol/record.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/pages/decision.h"
#include "referee/pages/layout.h"
#include "referee/pages/opinion.h"

struct game_view {
	const struct record *record;
	const char *ladder; /* the ladder where it was played */
	int viewer;	    /* a seat or VIEW_… */
	/* The moment: the number of a line, from 1.  A number that is too large
	 * means the last line.  0 means the first line, or the last one of a
	 * running game. */
	unsigned at;
	/* The seats whose views may be asked for, too; `all`: all cards. */
	bool seat[SEATS_MAX], all;
	/* Why the view that was asked for, `wanted`, is not shown, or NULL.
	 * `viewer` is the view that is shown instead. */
	const char *refused;
	int wanted;
	bool running; /* the record is of a running game so far */
	bool trial;   /* it counts nowhere, and its names are of no bots here */
	struct opinion_view opinion; /* opinions on the viewer's decisions */
	struct decision_view decision;
};

/* Writes `/games/ID`; a part has nothing to download.  Returns -1 if the marks
 * of a line of the record are not in order. */
int game_page(const struct site *site, const struct game_view *view,
	      struct text *to) MUST_CHECK;

#endif
