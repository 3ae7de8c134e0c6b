/* referee/scheduler/scheduler-bots.h - the bots of a ladder: who sits here and with
 * what rating, who meets whom next, who is suspended, and what each was charged
 * with.
 *
 * The pairing decides; this tells it who is here, how they stand, and how their
 * games ended.  No loop, no disk, no game. */
#ifndef REFEREE_SCHEDULER_BOTS_H
#define REFEREE_SCHEDULER_BOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/fit-kept.h"
#include "ladder/pairing.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/base/log.h"
#include "referee/config/serve-config.h"
#include "referee/runner/participant.h"
#include "referee/scheduler/scheduler-counts.h"
#include "referee/scheduler/scheduler-game.h"
#include "referee/scheduler/scheduler-ladder.h"
#include "referee/scheduler/scheduler-rebuild.h"
#include "referee/scheduler/scheduler-recall.h"

struct scheduler_bots;

/* All of it is borrowed until scheduler_bots_free(). */
struct scheduler_bots_setup {
	const struct config_ladder
		*setup; /* may change: scheduler_bots_set() */
	const struct scheduler_ladder *at;
	struct scheduler_counts *counts;
	struct logger *logger;
};

/* Takes over the pairing, which has all bots of the standings. */
struct scheduler_bots *
scheduler_bots_new(const struct scheduler_bots_setup *setup,
		   struct pairing *pairing,
		   const struct scheduler_standings *standings);
void scheduler_bots_free(struct scheduler_bots *bots); /* NULL is fine */
/* The configuration has changed, as scheduler_can_set() allows it. */
void scheduler_bots_set(struct scheduler_bots *bots);

/* ---- who sits here ---------------------------------------------------- */

/* As scheduler_sit(), scheduler_hold() and scheduler_pardon(). */
bool scheduler_bots_sit(struct scheduler_bots *bots,
			struct participant *participant);
void scheduler_bots_hold(struct scheduler_bots *bots,
			 const struct participant *participant);
/* False: it did not sit here. */
bool scheduler_bots_rise(struct scheduler_bots *bots,
			 const struct participant *participant);
bool scheduler_bots_pardon(struct scheduler_bots *bots, const char *name);
/* Of a ladder whose games go on. */
bool scheduler_bots_hopes(const struct scheduler_bots *bots,
			  const struct participant *participant);
/* When its last game here ended, by clock_us(); 0: it has had none. */
uint64_t scheduler_bots_played_us(const struct scheduler_bots *bots,
				  const struct participant *participant);
unsigned scheduler_bots_sitting(const struct scheduler_bots *bots);
/* How many of these get no game for a while, as they have failed. */
unsigned scheduler_bots_suspended(const struct scheduler_bots *bots);
/* False: no bot of that name has ever come here. */
bool scheduler_bots_tell(const struct scheduler_bots *bots, const char *name,
			 struct scheduler_bot *bot);
/* A line `NAME{ladder="…",bot="…",kind="…"} N` for each kind of faults of each
 * bot that sits here and has some. */
void scheduler_bots_write_faults(const struct scheduler_bots *bots,
				 const char *name, struct text *out);

/* ---- who meets whom --------------------------------------------------- */

/* Whether a bot that sits here can begin a game at all; `full`: those of this
 * machine cannot. */
bool scheduler_bots_may(struct scheduler_bots *bots, bool full) MUST_CHECK;
/* The next table, which begins now.  False: there is none before *again_us, or
 * (PAIRING_NEVER) before something changes. */
bool scheduler_bots_next(struct scheduler_bots *bots,
			 struct scheduler_game_seats *seats,
			 uint64_t *again_us) MUST_CHECK;
/* Why no bots can meet although enough are here: a sentence.  False: that is not
 * so. */
bool scheduler_bots_blocked(const struct scheduler_bots *bots, char *why,
			    size_t size) MUST_CHECK;

/* ---- what becomes of them --------------------------------------------- */

/* For struct scheduler_game_calls.  Rates its bots, counts what the ladder has
 * made of the game, and logs suspensions. */
void scheduler_bots_ended(struct scheduler_bots *bots,
			  const struct scheduler_game_end *end);
/* As if they had not been paired, but those of the seats in `blamed` could not
 * start, which the log tells.  The caller offers remote bots again. */
void scheduler_bots_called_off(struct scheduler_bots *bots, const char *id,
			       const struct pairing_table *paired,
			       struct participant *const participant[SEATS_MAX],
			       unsigned blamed);
/* Where they stand by another fit, or (NULL) by none: how many of them are in
 * it. */
unsigned scheduler_bots_fitted(struct scheduler_bots *bots,
			       const struct fit_kept *kept);
/* The ladder was made again, or was to be. */
void scheduler_bots_rebuilt(struct scheduler_bots *bots,
			    const struct scheduler_rebuild *rebuild);

#endif
