/* referee/pages/game.h - a game as a page: what was told, a sentence a line, and what
 * lies on the table at a moment, in words. */
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
	const char *ladder; /* where it was played */
	int viewer;	    /* a seat or VIEW_… */
	/* The moment: the line with this number, the first is 1; beyond: the
	 * last one; 0: the first one, of a game that runs the last one. */
	unsigned at;
	/* Whose views may be asked for, too. */
	bool seat[SEATS_MAX], all;
	/* The view that was asked for and is not shown: why, or NULL; `viewer`
	 * has another one. */
	const char *refused;
	int wanted;
	bool running;		     /* the record is that of a game so far */
	struct opinion_view opinion; /* on the viewer's decisions */
	struct decision_view decision;
};

/* `/games/ID`; a part has nothing to download.  -1: a line of the record has its
 * marks out of order. */
int game_page(const struct site *site, const struct game_view *view,
	      struct text *to) MUST_CHECK;

#endif
