/* referee/queue/held.h - the jobs that a machine has claimed.  Each is played
 * once its bots are here, and then reported or given back.
 *
 * The next step of a job follows from its state alone. held_look() takes it
 * after each event. */
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

/* The bots of so many games for each job may wait for `over`; with one more,
 * the first game gets `bye`. */
#define HELD_RECEIPTS 4

/* The setup of the machine's side (machine.h). */
struct machine_setup {
	const char *conninfo;
	const char *name, *class; /* class "": none */
	const char *data;
	const struct seal_key *key;
	unsigned jobs; /* games at a time: 1..MACHINE_JOBS_MAX */
	enum sandbox_want want;
	enum sandbox_tier minimum, tier;
	struct logger *logger;
};

/* Each state is a bit, so that several can be named at once. */
enum held_state {
	HELD_WAITS = 1, /* waits for its bots or for a free place */
	HELD_PLAYS = 2,
	HELD_OVER = 4,	   /* has a result that is not reported yet */
	HELD_REPORTED = 8, /* reported; its bots wait for the hash of their
			    * record */
	HELD_RETURNS = 16, /* to be given back to the queue */
	HELD_DONE = 32,	   /* nothing is left to do */
	HELD_ANY = 63,
};

/* The loop or a function of this header makes these calls. */
struct held_calls {
	/* Call held_look() soon. */
	void (*changed)(void *arg);
	/* The database has answered.  Returns true if it has done what was
	 * asked, which `what` names.  The call reports a refusal. */
	bool (*is_done)(void *arg, const struct pg_answer *answer,
			const char *what);
	/* A seal did not open.  Returns true if our key may be another one than
	 * the queue's: then the machine's side ends, and no game is to blame. */
	bool (*doubts_key)(void *arg);
	/* A bot has no room here.  Another machine may have more. */
	void (*no_room)(void *arg);
	/* This machine can play no more games. */
	void (*failed)(void *arg, enum error_kind kind, const char *fmt, ...)
		PRINTF_LIKE(3, 4);
};

struct held_jobs;

/* Starts the worker processes.  All arguments are borrowed.  Returns NULL and
 * an error if that fails. */
struct held_jobs *held_new(struct loop *loop, const struct machine_setup *setup,
			   struct bot_cache *cache,
			   const struct held_calls *calls, void *arg,
			   struct error *why) MUST_CHECK;
/* Ends all that still runs and frees the jobs.  NULL is allowed. */
void held_free(struct held_jobs *jobs);

/* Takes the jobs of claim()'s rows that are not held already. */
void held_claimed(struct held_jobs *jobs, const struct pg_answer *answer);
/* Takes the next step of each job.  It asks the database, unless `pg` is NULL.
 * If we are `stopping`, jobs that do not play yet are given back, and the
 * worker processes end once no job is held. */
void held_look(struct held_jobs *jobs, struct pg *pg, bool stopping);
/* Starts waiting jobs whose bots are here, the oldest first. */
void held_begin(struct held_jobs *jobs);
/* Notes that another machine has this job by now. */
void held_lost(struct held_jobs *jobs, int64_t job);
/* Notes the hash of this job's record. */
void held_told(struct held_jobs *jobs, int64_t job, const unsigned char *hash);

/* Returns the number of jobs in these states. */
unsigned held_count(const struct held_jobs *jobs, unsigned states) MUST_CHECK;
/* Stores the numbers and attempts of at most `max` jobs that are in these
 * states and still ours.  Returns their number. */
size_t held_ours(const struct held_jobs *jobs, unsigned states, int64_t job[],
		 int64_t attempt[], size_t max) MUST_CHECK;
/* Returns about how many microseconds a game takes; 0 if that is not known. */
uint64_t held_game_us(const struct held_jobs *jobs) MUST_CHECK;

/* Aborts all games. */
void held_abort(struct held_jobs *jobs);
/* Returns true if no worker process lives any more. */
bool held_is_finished(const struct held_jobs *jobs) MUST_CHECK;

#endif
