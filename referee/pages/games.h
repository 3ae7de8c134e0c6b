/* referee/pages/games.h - finds games of a ladder by filters and writes their
 * page. */
#ifndef REFEREE_PAGES_GAMES_H
#define REFEREE_PAGES_GAMES_H

#include <stdint.h>

#include "ladder/search.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/pages/ladder.h"

#define GAMES_PAGE 50	  /* games on a page */
#define GAMES_LOOKED 5000 /* latest games that are searched for another order */

enum games_order {
	GAMES_LATEST,
	GAMES_CLOSEST, /* the first two seats are nearest in points */
	GAMES_LONGEST, /* the most moves */
	GAMES_UPSET,   /* the winner's live Elo rose most */
	GAMES_ORDERS
};

/* The fields of the form; "": not given. */
struct games_form {
	char bot[NAME_BYTES + 1];
	char place[8], fault[16], moves[16]; /* `moves` is the least number */
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
	int64_t next; /* the `before` of the next page; 0: there are no more */
};

/* The names of `order`, by enum games_order. */
extern const char *const games_orders[GAMES_ORDERS];

/* Reads what a form asks for.  Returns NULL, or a sentence about what is wrong
 * with the form.  `*wanted` borrows from the form. */
const char *games_form_read(const struct games_form *form,
			    struct ladder_wanted *wanted,
			    enum games_order *order) MUST_CHECK;
/* Finds these games.  Returns 0, and the caller frees `found->row`; or an error
 * of ladder_search(). */
int games_find(struct ladder *ladder, struct ladder_wanted *wanted,
	       enum games_order order, struct games_found *found,
	       struct error *why) MUST_CHECK;
/* Finds the latest `count` of these games, like games_find(). */
int games_find_all(struct ladder *ladder, struct ladder_wanted *wanted,
		   unsigned count, struct games_found *found,
		   struct error *why) MUST_CHECK;

/* Writes `/ladders/NAME/games`.  `sentence` says what is wrong with the form,
 * or is NULL. */
void games_page(const struct site *site, const struct ladder_head *head,
		const struct ladder_season *season,
		const struct games_form *form, const struct games_found *found,
		const char *sentence, struct text *to);
/* Writes a table of games, also for other pages. */
void games_write_table(struct html *html, const struct ladder_head *head,
		       const struct games_found *found);

#endif
