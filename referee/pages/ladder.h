/* referee/pages/ladder.h - writes a ladder's standings as a page. */
#ifndef REFEREE_PAGES_LADDER_H
#define REFEREE_PAGES_LADDER_H

#include <stdbool.h>

#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/pages/layout.h"
#include "referee/pages/standings.h"
#include "referee/pages/tally.h"

#define LADDER_ROWS 100 /* rows of a page of the standings */

#define LADDER_WHY_BYTES 512

/* A bot of this machine: its name on the ladder, and its author as it says
 * itself; or "". */
struct ladder_local {
	char bot[NAME_BYTES + 1];
	char author[AUTHOR_BYTES + 1];
};

/* Facts that the daemon knows about a ladder beside its file. */
struct ladder_head {
	char name[NAME_BYTES + 1];
	struct ladder_pool pool;
	unsigned sitting, running; /* bots; tables */
	uint64_t starved; /* time-outs for which the machine had no processor */
	bool closing;
	bool records; /* may be read as spectators saw the games */
	char why[LADDER_WHY_BYTES]; /* why no bots are paired now: a sentence,
				     * or "" */
	bool paced;		    /* it only waits, by `games-a-day` */
	bool by_term;		    /* `why` is a date that the term has, too */
	/* The dates of its term in seconds since 1970, 0: there is none; and the
	 * moment of the page. */
	int64_t begins, freezes, ends, now;
	bool frozen; /* the standings are those of `freezes` */
};

enum ladder_sort {
	LADDER_BY_RANK,
	LADDER_BY_BOT,
	LADDER_BY_AUTHOR,
	LADDER_BY_ELO,
	LADDER_BY_FROM,
	LADDER_BY_TO,
	LADDER_BY_GAMES,
	LADDER_BY_SCORE,
	LADDER_BY_FAULTS,
	LADDER_BY_LAST,
	LADDER_BY_HOME,
	LADDER_SORTS
};

struct ladder_view_of {
	const struct ladder_head *head;
	const struct standings *standings;
	const struct tally *tally;
	const struct ladder_local *local; /* sorted by name */
	unsigned locals;
	enum ladder_sort sort;
	bool falling;  /* largest first */
	unsigned from; /* the first row of the page, from 1; 0 counts as 1 */
};

/* Reads the value of `sort=`: a column's name, after a `-` if it falls.
 * Returns false for any other text. */
bool ladder_sort_read(const char *value, enum ladder_sort *sort,
		      bool *falling) MUST_CHECK;
/* Returns all rows of the standings by rank; the caller frees the array. */
const struct standings_row **
ladder_ranked(const struct ladder_view_of *view) MUST_CHECK;
/* Returns how many rows the ladder's page has in all.  Superseded versions are
 * folded into the row of the version that stands for the bot. */
unsigned ladder_page_rows(const struct standings *standings) MUST_CHECK;
/* Writes `/ladders/NAME`. */
void ladder_page(const struct site *site, const struct ladder_view_of *view,
		 struct text *to);

/* Sorts bots of this machine by name, as ladder_local_find() needs them. */
void ladder_locals_sort(struct ladder_local local[], unsigned locals);
/* Returns the bot of this name, or NULL if it is none of these. */
const struct ladder_local *ladder_local_find(const struct ladder_local local[],
					     unsigned locals, const char *bot);

/* ---- for the other pages of a ladder ---------------------------------- */

/* Writes the game, the number of seats and the options, and links to the pages
 * of the ladder.  `here` is the present page: "", "/cross" or "/games". */
void ladder_write_head(struct html *html, const struct ladder_head *head,
		       const struct ladder_season *season, const char *here);
/* Writes the dates of the ladder's term, or nothing if it has none.  term.js adds how
 * long it is until those that are to come. */
void ladder_write_term(struct html *html, const struct ladder_head *head);
/* Writes links to the rows before `first` and from `end` on of `count`, `rows`
 * to a page; nothing if the page has all.  `path` ends in `from=`. */
void ladder_write_more(struct html *html, const char *path, unsigned first,
		       unsigned end, unsigned count, unsigned rows);
/* A range of ranks.  Bots that cannot be told apart share a range; 0: no rank. */
struct ladder_rank {
	unsigned best, worst;
};

/* Returns the ranks of a row.  If `fitted` is true, they come from a fit, in
 * which a new bot may be missing. */
struct ladder_rank ladder_rank_of(const struct standings_row *row, bool fitted);
/* Writes "3", "1-24", or a dash, and returns `text`. */
const char *ladder_rank_text(struct ladder_rank rank,
			     char text[HTML_NUMBER_BYTES]);
/* A row of a short list. */
struct ladder_short {
	char name[NAME_BYTES + 1];
	struct standings_elo elo;
	struct ladder_rank rank;
	bool provisional; /* its Elo comes from few games */
};

/* Fills in the first `most` rows by rank for a short list, and returns how many
 * there are.  Bots that are superseded, disabled, removed or inactive are left
 * out. */
unsigned ladder_best(const struct ladder_view_of *view, unsigned most,
		     struct ladder_short best[]) MUST_CHECK;
/* Writes a short list as a table, with links to the bots' pages if `links`. */
void ladder_write_best(struct html *html, const struct ladder_short best[],
		       unsigned count, bool links);
/* Writes the three cells of a bot's Elo and the ends of its interval. */
void ladder_write_elo(struct html *html, const struct standings_elo *elo);
/* Writes sentences that say after how many games `what`, a result of this fit,
 * was computed, and how many games have come since. */
void ladder_write_moment(struct html *html, const struct fit_kept *fit,
			 const char *what);
/* Writes a date of a record to the minute; a dash for "". */
void ladder_write_date(struct html *html, const char *date);

#endif
