/* referee/queue/held.h - the jobs that a worker has claimed: each is played once
 * its bots are here, and reported, or given back.
 *
 * What comes next for each of them follows from its state alone: held_look()
 * does it, after everything that happens. */
#ifndef REFEREE_HELD_H
#define REFEREE_HELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/base/log.h"
#include "referee/base/loop.h"
#include "referee/queue/bot-cache.h"
#include "referee/queue/pg.h"
#include "referee/queue/seal.h"
#include "referee/sandbox/sandbox.h"

/* Games for each job whose bots wait for `over`; then the first gets `bye`. */
#define HELD_RECEIPTS 4

/* The setup that a worker is told (player.h). */
struct player_setup {
	const char *conninfo;
	const char *name, *class; /* class "": any job that asks for none */
	const char *data;
	const struct seal_key *key;
	unsigned jobs; /* that are played at a time: 1..PLAYER_JOBS_MAX */
	enum sandbox_want want;
	enum sandbox_tier minimum, tier;
	struct logger *logger;
};

/* A bit for each, so that some of them can be named. */
enum held_state {
	HELD_WAITS = 1, /* for its bots, or for room */
	HELD_PLAYS = 2,
	HELD_OVER = 4,	   /* its result is here, and not yet reported */
	HELD_REPORTED = 8, /* its bots wait for the hash of their record */
	HELD_RETURNS = 16, /* it goes back to the queue */
	HELD_DONE = 32,	   /* no more to do */
	HELD_ANY = 63,
};

/* By the loop, or out of what is called here. */
struct held_calls {
	/* held_look() is due, soon. */
	void (*changed)(void *arg);
	/* The database has answered: returns true if it has done `what` was
	 * asked.  What it refuses is told there. */
	bool (*is_done)(void *arg, const struct pg_answer *answer,
			const char *what);
	/* A seal did not open.  Returns true if the key may be another one than
	 * the queue's: then the worker ends, and no game is to blame. */
	bool (*doubts_key)(void *arg);
	/* A bot has no room here: another worker may have more. */
	void (*no_room)(void *arg);
	/* This machine can play no more. */
	void (*failed)(void *arg, enum error_kind kind, const char *fmt, ...)
		PRINTF_LIKE(3, 4);
};

struct held_jobs;

/* Starts the worker processes.  All is borrowed.  NULL and a sentence. */
struct held_jobs *held_new(struct loop *loop, const struct player_setup *setup,
			   struct bot_cache *cache,
			   const struct held_calls *calls, void *arg,
			   struct error *why) MUST_CHECK;
/* Ends all that still runs.  NULL is fine. */
void held_free(struct held_jobs *jobs);

/* Takes those of the rows of claim() that are not held already. */
void held_claimed(struct held_jobs *jobs, const struct pg_answer *answer);
/* Does what comes next for each: asks the database, unless `pg` is NULL.  If we are
 * `stopping`, what does not play yet is given back, and the worker processes end
 * when no job is held any more. */
void held_look(struct held_jobs *jobs, struct pg *pg, bool stopping);
/* Plays those that came first, as far as their bots are here. */
void held_begin(struct held_jobs *jobs);
/* This one is another's by now. */
void held_lost(struct held_jobs *jobs, int64_t job);
/* The record of this one has this hash. */
void held_told(struct held_jobs *jobs, int64_t job, const unsigned char *hash);

/* Returns how many are in these states. */
unsigned held_count(const struct held_jobs *jobs, unsigned states) MUST_CHECK;
/* The numbers of those in these states that are ours, and of their attempts, of
 * `max` at most. */
size_t held_ours(const struct held_jobs *jobs, unsigned states, int64_t job[],
		 int64_t attempt[], size_t max) MUST_CHECK;
/* Returns about how long a game takes; 0 if that is not known. */
uint64_t held_game_us(const struct held_jobs *jobs) MUST_CHECK;

/* Aborts all games. */
void held_abort(struct held_jobs *jobs);
/* Returns true if no worker process lives any more. */
bool held_is_finished(const struct held_jobs *jobs) MUST_CHECK;

/* Microseconds since the machine was started, whatever stood still. */
uint64_t held_boot_us(void);

#endif
