/* ladder/fit-ladder.h - the games of a ladder's pool, for a fit. */
#ifndef LADDER_FIT_LADDER_H
#define LADDER_FIT_LADDER_H

#include "ladder/fit.h"
#include "ladder/store.h"

/* Adds the pool's games, by serial and without the voided ones; those of a block are
 * one cluster.  `since`: only those that ended at this date or later
 * (ladder_date_ok()), or NULL.  Bots
 * without a rank in the standings have none in the fit, and
 * versions of a bot are tied.  Returns as ladder_games(). */
int fit_add_pool(struct fit *fit, struct ladder *ladder, int64_t pool,
		 const char *since, struct error *why) MUST_CHECK;

/* LADDER_FOUND if the ladder knows the bot, else 0, or -1. */
int ladder_knows_bot(struct ladder *ladder, const char *bot,
		     struct error *why) MUST_CHECK;

#endif
