/* referee/pages/tally.h - counts what pages show about a pool's games beside
 * its standings: which bots met, how live Elo changed, when bots last played.
 *
 * It is counted once from all games and then only from new ones, so that a page
 * about a million games costs only the new ones.  One thread may use it at a
 * time. */
#ifndef REFEREE_PAGES_TALLY_H
#define REFEREE_PAGES_TALLY_H

#include <stdint.h>

#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/limits.h"
#include "protocol/util.h"

#define TALLY_TREND 24	    /* live Elo after a bot's last games */
#define TALLY_CURVE 256	    /* points of a curve; then every second one goes */
#define TALLY_PAIRS 2000000 /* pairs that met; more are not counted */
#define TALLY_MINUTES 60

struct tally_point {
	uint32_t game; /* number among the bot's games, from 1 */
	float live_elo;
};

struct tally_bot {
	int64_t number; /* its number in the ladder's tables */
	char name[NAME_BYTES + 1];
	uint32_t games; /* a game counts once for each seat that it filled */
	int64_t last;	/* serial of its last game */
	char ended[LADDER_DATE_BYTES]; /* when that game was over, or "" */
	/* Live Elo, the oldest first, from trend[(games - trends) %
	 * TALLY_TREND] on; tally_trend() puts it in order. */
	float trend[TALLY_TREND];
	struct tally_point *point; /* owned */
	unsigned points, stride;   /* games from one point to the next */
};

/* Results of the first of two bots in the games where both sat; each pair of
 * seats is a duel. */
struct tally_meeting {
	uint32_t won, level, lost;
};

struct tally;

struct tally *tally_new(void) MUST_CHECK;
void tally_free(struct tally *tally); /* NULL is allowed */

/* Counts the new games of the pool, or everything again if games were voided.
 * Returns 0; or -1 and an error, and then the next call counts everything
 * again. */
int tally_update(struct tally *tally, struct ladder *ladder, int64_t pool,
		 struct error *why) MUST_CHECK;

/* Returns the bot, or NULL if it has no game in the pool. */
const struct tally_bot *tally_find(const struct tally *tally, const char *name);
/* Copies the trend, the oldest first, and returns the number of values. */
unsigned tally_trend(const struct tally_bot *bot, double trend[TALLY_TREND]);
struct tally_meeting tally_meet(const struct tally *tally,
				const struct tally_bot *a,
				const struct tally_bot *b);
/* Returns how many games ended in the hour up to `now`, in seconds since 1970. */
unsigned tally_hour(const struct tally *tally, int64_t now);

/* ---- of a meeting ----------------------------------------------------- */

/* The share of the duels that the first bot won, with level ones as half, and
 * half of its 95 % interval.  `bar` below 0: not known.  `better` is the
 * likelihood of superiority, P(the first one scores more than half); below 0:
 * not known. */
struct tally_score {
	double score, bar, better;
};

struct tally_score tally_score(const struct tally_meeting *meeting);

#endif
