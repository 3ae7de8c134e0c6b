/* referee/pages/standings.h - reads a pool's standings, and what pages show
 * beside them, once for both JSON and HTML. */
#ifndef REFEREE_PAGES_STANDINGS_H
#define REFEREE_PAGES_STANDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/fit-kept.h"
#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/util.h"

struct standings_row {
	/* It is also provisional if its fit has few games. */
	struct ladder_standing standing;
	const struct fit_row *fit; /* borrowed from the standings' `fit`; NULL:
				    * not fitted */
	/* The fit of the version that this one continues, if this one is not fitted;
	 * borrowed, or NULL. */
	const struct fit_row *before;
};

struct standings {
	struct ladder_pool pool; /* number 0: no games and no rows */
	struct ladder_season season;
	int64_t k_milli, start_milli; /* the settings in force */
	struct standings_row *row;    /* owned; order of ladder_standings() */
	unsigned count;
	struct fit_kept *fit; /* owned, or NULL */
};

/* Reads the standings; `pool->number` is ignored.  With `fit` it makes a fit if
 * one is needed, else it only uses a fit that is kept.  Returns 0, and the
 * caller releases `*standings`; or -1 and an error, and there is nothing to
 * release. */
int standings_read(struct ladder *ladder, const struct ladder_pool *pool,
		   bool fit, struct standings *standings,
		   struct error *why) MUST_CHECK;
void standings_release(struct standings *standings);
/* Sorts the rows by the fit: first the bots that have a rank, and among both kinds
 * those that the fit has. */
void standings_sort(struct standings *standings);
/* Returns the row of this bot, or NULL. */
const struct standings_row *standings_find(const struct standings *standings,
					   const char *bot);

/* The Elo that pages show, and the ends of its 95 % interval, both from the
 * fit.  A bot that is not fitted has NAN as ends, and the Elo of the version that it
 * continues, else its live Elo. */
struct standings_elo {
	double elo;
	double from, to; /* -INFINITY or INFINITY: there is no such end, because
			  * the bot lost or won all its games; both equal to
			  * `elo`: fixed */
	/* "1450 to 1550", "won all 70 games: at least 1900", ... */
	char words[FIT_WORDS_BYTES];
};

struct standings_elo standings_elo(const struct standings_row *row);
/* Returns the number of games that its Elo comes from.  If the fit is behind,
 * they are fewer than on the ladder; before a fit the Elo comes from all games. */
int64_t standings_games(const struct standings *standings,
			const struct standings_row *row);
/* Returns the share of the other seats in these games that it beat; level ones
 * count half. */
double standings_score(const struct standings *standings,
		       const struct standings_row *row);
#define STANDINGS_MISSING_MAX 100000 /* games that are told as a number */

/* Returns about how many games after those of the fit would tell its first two bots
 * apart, so that the bar of their difference excludes 0, if their Elo and the shares of
 * all pairs stay as they are: the bar shrinks with the root of the games.  It has two
 * digits; above STANDINGS_MISSING_MAX it is one more than that.  Returns 0 if they are
 * apart, and -1 if nothing is known. */
int64_t standings_missing(const struct fit_kept *fit);
/* Returns the number of its faults of all kinds. */
uint64_t standings_faults(const struct standings_row *row);

#endif
