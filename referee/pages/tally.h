/* referee/pages/tally.h - what pages tell of a pool's games beside its standings:
 * who met whom, where live Elo went, when bots played last.
 *
 * It is counted once from all games and then only from those that have come
 * since, so that a page of a million games costs what is new.  It is used by
 * one thread at a time. */
#ifndef REFEREE_PAGES_TALLY_H
#define REFEREE_PAGES_TALLY_H

#include <stdint.h>

#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/limits.h"
#include "protocol/util.h"

#define TALLY_TREND 24	    /* live Elo after a bot's last games */
#define TALLY_CURVE 256	    /* points of its curve; then each second one goes */
#define TALLY_PAIRS 2000000 /* of bots that have met; later ones not counted */
#define TALLY_MINUTES 60

struct tally_point {
	uint32_t game; /* of the bot, from 1 */
	float live_elo;
};

struct tally_bot {
	int64_t number; /* in the ladder's tables */
	char name[NAME_BYTES + 1];
	uint32_t games; /* counted once for each seat that it filled */
	int64_t last;	/* serial of its last game */
	char ended[LADDER_DATE_BYTES]; /* when that was over, or "" */
	/* The oldest first, from trend[(games - trends) % TALLY_TREND] on;
	 * tally_trend() puts them in order. */
	float trend[TALLY_TREND];
	struct tally_point *point; /* owned */
	unsigned points, stride;   /* games from one point to the next */
};

/* From the side of the first of two bots, of the games where both sat: a duel of
 * each pair of seats. */
struct tally_meeting {
	uint32_t won, level, lost;
};

struct tally;

struct tally *tally_new(void) MUST_CHECK;
void tally_free(struct tally *tally); /* NULL is fine */

/* Counts what is new in the pool, or everything again if games were voided.  0,
 * or -1 and an error, and the next call counts everything again. */
int tally_update(struct tally *tally, struct ladder *ladder, int64_t pool,
		 struct error *why) MUST_CHECK;

/* NULL: it has no game in the pool. */
const struct tally_bot *tally_find(const struct tally *tally, const char *name);
/* The oldest first; how many. */
unsigned tally_trend(const struct tally_bot *bot, double trend[TALLY_TREND]);
struct tally_meeting tally_meet(const struct tally *tally,
				const struct tally_bot *a,
				const struct tally_bot *b);
/* Games that were over in the hour up to `now`, in seconds since 1970. */
unsigned tally_hour(const struct tally *tally, int64_t now);

/* ---- of a meeting ----------------------------------------------------- */

/* The share of the duels that the first one won, level ones as half, and half
 * of its 95 % interval.  `bar` less than 0: not known.  `better`: the likelihood
 * of superiority, P(the first one scores more than half); less than 0: not known.
 */
struct tally_score {
	double score, bar, better;
};

struct tally_score tally_score(const struct tally_meeting *meeting);

#endif
