/* ladder/fit-ladder.h - adds the games of a ladder's pool to a fit. */
#ifndef LADDER_FIT_LADDER_H
#define LADDER_FIT_LADDER_H

#include "ladder/fit.h"
#include "ladder/store.h"

/* Adds the pool's games by serial, without the voided ones.  The games of a
 * block are one cluster.  If `since` is not NULL, adds only games that ended at
 * this date or later (ladder_date_ok()).  Bots without a rank in the standings
 * have none in the fit, and versions of a bot are tied.  Returns what
 * ladder_games() returns. */
int fit_add_pool(struct fit *fit, struct ladder *ladder, int64_t pool,
		 const char *since, struct error *why) MUST_CHECK;

/* Returns LADDER_FOUND if the ladder knows the bot, 0 if not, or -1. */
int ladder_knows_bot(struct ladder *ladder, const char *bot,
		     struct error *why) MUST_CHECK;

#endif
