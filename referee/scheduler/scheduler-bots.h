/* referee/scheduler/scheduler-bots.h - the bots of a ladder: which bots sit
 * here and with what rating, which of them meet next, which are suspended, and
 * the faults of each.
 *
 * The pairing decides.  This module tells it which bots are here, their
 * ratings, and how their games ended.  It uses no loop, no disk and no game. */
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

/* All fields are borrowed until scheduler_bots_free(). */
struct scheduler_bots_setup {
	const struct config_ladder
		*setup; /* may change: scheduler_bots_set() */
	const struct scheduler_ladder *at;
	struct scheduler_counts *counts;
	struct logger *logger;
};

/* Makes the bots of a ladder.  It takes over the pairing, which has all bots of
 * the standings. */
struct scheduler_bots *
scheduler_bots_new(const struct scheduler_bots_setup *setup,
		   struct pairing *pairing,
		   const struct scheduler_standings *standings);
void scheduler_bots_free(struct scheduler_bots *bots); /* NULL is allowed */
/* Call it after the configuration has changed in a way that scheduler_can_set()
 * allows. */
void scheduler_bots_set(struct scheduler_bots *bots);

/* ---- who sits here ---------------------------------------------------- */

/* These do the part of scheduler_sit(), scheduler_hold() and scheduler_pardon()
 * that concerns the bots. */
bool scheduler_bots_sit(struct scheduler_bots *bots,
			struct participant *participant);
void scheduler_bots_hold(struct scheduler_bots *bots,
			 const struct participant *participant);
/* Lets the participant leave.  Returns false if it did not sit here. */
bool scheduler_bots_rise(struct scheduler_bots *bots,
			 const struct participant *participant);
bool scheduler_bots_pardon(struct scheduler_bots *bots, const char *name);
/* Does the work of scheduler_may_pair_soon() for a ladder whose games go on. */
bool scheduler_bots_may_pair_soon(const struct scheduler_bots *bots,
				  const struct participant *participant);
/* Returns when its last game here ended, by clock_us(); 0 if it has had none. */
uint64_t scheduler_bots_played_us(const struct scheduler_bots *bots,
				  const struct participant *participant);
unsigned scheduler_bots_sitting(const struct scheduler_bots *bots);
/* Returns how many bots that sit here are suspended. */
unsigned scheduler_bots_suspended(const struct scheduler_bots *bots);
/* Stores what the bot of that name is told of itself.  Returns false if no bot
 * of that name has ever come here. */
bool scheduler_bots_tell(const struct scheduler_bots *bots, const char *name,
			 struct scheduler_bot *bot);
/* Appends a line `NAME{ladder="…",bot="…",kind="…"} N` for each kind of fault
 * that each bot sitting here has. */
void scheduler_bots_write_faults(const struct scheduler_bots *bots,
				 const char *name, struct text *out);

/* ---- who meets whom --------------------------------------------------- */

/* Returns true if a bot that sits here can begin a game at all.  If `full` is
 * true, the bots of this machine cannot. */
bool scheduler_bots_may(struct scheduler_bots *bots, bool full) MUST_CHECK;
/* Stores the next table, which begins now.  Returns false if there is none
 * before `*again_us`, or, if that is PAIRING_NEVER, before something changes. */
bool scheduler_bots_next(struct scheduler_bots *bots,
			 struct scheduler_game_seats *seats,
			 uint64_t *again_us) MUST_CHECK;
/* Returns true, and a sentence that says why, if no bots can meet although
 * enough are here. */
bool scheduler_bots_blocked(const struct scheduler_bots *bots, char *why,
			    size_t size) MUST_CHECK;

/* ---- what becomes of them --------------------------------------------- */

/* Rates the bots of a game that has ended, counts the game by what the ladder
 * has done with it, and logs suspensions.  It is for struct
 * scheduler_game_calls. */
void scheduler_bots_ended(struct scheduler_bots *bots,
			  const struct scheduler_game_end *end);
/* Undoes a pairing whose game was called off.  The bots of the seats in
 * `blamed` count as not started, and the log says so if that suspends them.
 * The caller offers remote bots again. */
void scheduler_bots_called_off(struct scheduler_bots *bots, const char *id,
			       const struct pairing_table *paired,
			       struct participant *const participant[SEATS_MAX],
			       unsigned blamed);
/* Tells the pairing where the bots stand by another fit; NULL tells it nothing.
 * Returns how many of them are in the fit. */
unsigned scheduler_bots_fitted(struct scheduler_bots *bots,
			       const struct fit_kept *kept);
/* Takes the result of a rebuild of the ladder, which may have failed. */
void scheduler_bots_rebuilt(struct scheduler_bots *bots,
			    const struct scheduler_rebuild *rebuild);

#endif
