/* referee/pages/standings.h - a pool's standings with what pages tell beside
 * them: read once, for JSON and HTML alike. */
#ifndef REFEREE_PAGES_STANDINGS_H
#define REFEREE_PAGES_STANDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/fit-kept.h"
#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/util.h"

struct standings_row {
	struct ladder_standing standing;
	const struct fit_row *fit; /* borrowed from `fit`; NULL: not fitted */
};

struct standings {
	struct ladder_pool pool; /* number 0: it has no games, and no rows */
	struct ladder_season season;
	int64_t k_milli, start_milli; /* in force */
	struct standings_row *row; /* owned, as ladder_standings() tells them */
	unsigned count;
	struct fit_kept *fit; /* owned, or NULL */
};

/* `pool->number` does not count.  `fit`: it is fitted if need be, else only what
 * is kept of a fit is told.  0, and the caller releases `*standings`; or -1 and an
 * error, and it need not be. */
int standings_read(struct ladder *ladder, const struct ladder_pool *pool,
		   bool fit, struct standings *standings,
		   struct error *why) MUST_CHECK;
void standings_release(struct standings *standings);
/* The row of this bot, or NULL. */
const struct standings_row *standings_find(const struct standings *standings,
					   const char *bot);

/* The Elo that pages show, and the ends of its 95 % interval, which are those of
 * the fit.  Before there is one: the live Elo, NAN and NAN. */
struct standings_elo {
	double elo;
	double from, to; /* -INFINITY, INFINITY: the bot lost all its games, or
			  * won all, so that there is no such end; both the
			  * Elo: it is fixed */
	/* "1450 to 1550", "won all 70 games: at least 1900", ... */
	char words[FIT_WORDS_BYTES];
};

struct standings_elo standings_elo(const struct standings_row *row);
/* The games that its Elo comes from.  Of a fit that is behind they are fewer than
 * the ladder has; the Elo before a fit is that of all games. */
int64_t standings_games(const struct standings *standings,
			const struct standings_row *row);
/* The share of the seats beside it in these games that it beat, level ones as
 * half. */
double standings_score(const struct standings *standings,
		       const struct standings_row *row);
/* Faults of all kinds. */
uint64_t standings_faults(const struct standings_row *row);

#endif
