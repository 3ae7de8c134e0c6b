/* referee/pages/games.h - games of a ladder, found by filters, as a page. */
#ifndef REFEREE_PAGES_GAMES_H
#define REFEREE_PAGES_GAMES_H

#include <stdint.h>

#include "ladder/search.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/pages/ladder.h"

#define GAMES_PAGE 50	  /* games on a page */
#define GAMES_LOOKED 5000 /* of the latest, for the first by something */

enum games_order {
	GAMES_LATEST,
	GAMES_CLOSEST, /* the first two are nearest in points */
	GAMES_LONGEST, /* most moves */
	GAMES_UPSET,   /* the winner's live Elo rose most */
	GAMES_ORDERS
};

/* What is asked for, each "" if it is not. */
struct games_form {
	char bot[NAME_BYTES + 1];
	char place[8], fault[16], moves[16]; /* `moves`: at least */
	char since[24], until[24];
	char order[16];
	char before[24];
};

struct games_page_row {
	struct ladder_game game;
	struct ladder_course course;
};

struct games_found {
	struct games_page_row *row; /* owned */
	unsigned count;
	int64_t next; /* the `before` to go on with; 0: there are no more */
};

/* The names of `order`, by enum games_order. */
extern const char *const games_orders[GAMES_ORDERS];

/* What a form asks for; NULL, or a sentence: what is wrong with it.  `*wanted`
 * borrows from it. */
const char *games_form_read(const struct games_form *form,
			    struct ladder_wanted *wanted,
			    enum games_order *order) MUST_CHECK;
/* Looks for them.  0, and `found->row` is to be freed; or as ladder_search(). */
int games_find(struct ladder *ladder, struct ladder_wanted *wanted,
	       enum games_order order, struct games_found *found,
	       struct error *why) MUST_CHECK;
/* Likewise the latest `count` of them. */
int games_find_all(struct ladder *ladder, struct ladder_wanted *wanted,
		   unsigned count, struct games_found *found,
		   struct error *why) MUST_CHECK;

/* `/ladders/NAME/games`; `sentence`: what is wrong with the form, or NULL. */
void games_page(const struct site *site, const struct ladder_head *head,
		const struct ladder_season *season,
		const struct games_form *form, const struct games_found *found,
		const char *sentence, struct text *to);
/* A table of games, also on other pages. */
void games_write_table(struct html *html, const struct ladder_head *head,
		       const struct games_found *found);

#endif
