/* referee/web/html-make.h - makes the pages that wait for a disk, in a thread:
 * it touches only its arguments and files.
 *
 * record_view_may() alone decides who may see what of a record, as for JSON. */
#ifndef REFEREE_HTML_MAKE_H
#define REFEREE_HTML_MAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/pages/bot.h"
#include "referee/pages/front.h"
#include "referee/pages/games.h"
#include "referee/pages/ladder.h"
#include "referee/pages/live.h"
#include "referee/web/record-view.h"
#include "referee/web/tallies.h"

enum html_page {
	HTML_FRONT,
	HTML_LADDER,
	HTML_CROSS,
	HTML_GAMES,
	HTML_BOT,
	HTML_VERSUS,
	HTML_LIVE,
	HTML_PROJECTOR
};

/* A ladder with what the loop knows about it. */
struct html_ladder {
	struct ladder_head head;
	struct record_shelf shelf; /* where its file is, and who may read */
	uint64_t changes;	   /* count of rated games and of fits */
};

/* The bots of this machine, their earlier versions, and those that play no more, whose
 * author is not known any longer.  All who wait for pages share one list. */
struct html_locals {
	struct ladder_local *local; /* owned; sorted by name */
	unsigned count;
	unsigned users;	  /* only the loop counts them */
	uint64_t changes; /* pages->changes when it was made */
};

/* Lets go of the list; NULL is allowed. */
void html_locals_drop(struct html_locals *locals);

struct html_wish {
	enum html_page page;
	struct html_ladder *ladder; /* owned */
	unsigned ladders;
	unsigned which;		    /* index; for a bot `ladders` is any */
	struct html_locals *locals; /* shared; NULL: none are known */
	char bot[NAME_BYTES + 1], other[NAME_BYTES + 1];
	char called[NAME_BYTES + 1]; /* present name; "": `bot` */
	/* true if a bot of the roster has or had the name `bot`, or a remote
	 * bot has it, even if no ladder knows it. */
	bool known;
	enum ladder_sort sort;
	bool falling;
	unsigned from; /* first row of a ladder or a cross table, or 0 */
	struct games_form form;
	/* The games of a ladder's page, borrowed; NULL: those that `form` asks
	 * for. */
	const struct games_found *found;
	/* Running games as the public may see them; owned. */
	struct live_table *table;
	unsigned tables;
	unsigned elsewhere;	  /* games that other machines play now */
	struct queue_job *parked; /* for a bot's page; owned */
	unsigned parked_jobs;
	struct bot_notice *notice; /* for a bot's page; owned */
	unsigned notices;
	/* For /live: true if a game was asked for, and its ID if it can be one. */
	bool asks;
	char asked[ID_BYTES + 1];
	bool queue;			     /* other machines play here */
	bool uploads;			     /* bots may be sent in */
	bool sign_up;			     /* strangers can make an account */
	char tournaments[LADDER_PATH_BYTES]; /* the folder of their files, which
					      * may be missing */
	struct front_table *seen;	     /* for the first page; owned */
	unsigned seen_tables;
	bool fit;		 /* make a fit if none is kept */
	int64_t now;		 /* seconds since 1970 */
	struct tallies *tallies; /* used by the thread alone; borrowed */
};

void html_wish_release(struct html_wish *wish);

/* Writes the page.  Returns 200, or another code and a sentence without its
 * point in `why`.  The first page is written even if a ladder cannot be read;
 * `why` says so then. */
int html_make(const struct html_wish *wish, const struct site *site,
	      struct text *to, struct error *why) MUST_CHECK;

#endif
