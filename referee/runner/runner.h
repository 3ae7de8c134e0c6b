/* referee/runner/runner.h - plays jobs on the loop of this process: seats their
 * bots, starts, times, limits, aborts and ends them, and collects their
 * results.
 *
 * A job begins at once unless too many programs of games before it have not
 * left yet; then it waits.  It is over in over(), and its programs hear the end
 * of it when the owner has called runner_receipt(): by then its record is safe,
 * or never will be. */
#ifndef REFEREE_RUNNER_H
#define REFEREE_RUNNER_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/util.h"
#include "referee/base/loop.h"
#include "referee/runner/job.h"

struct event;
struct spawner;
struct runner;

/* For each game at a time: programs that have been let go and not left, and
 * that wait for their next game. */
#define STRAGGLERS_A_JOB 16
#define IDLE_A_JOB 16

/* All from the loop. */
struct runner_calls {
	/* The bot of a seat that is the owner's own (job.h).  Its `failed`,
	 * `complained` and `ended` are the owner's to set.  NULL and errno: the
	 * machine cannot.  May be NULL if no job has such a seat. */
	struct bot *(*seat)(void *arg, const struct job *job, unsigned seat);
	/* The seats of a job that asks for entropy have given it: its cards are
	 * dealt by runner_deal().  NULL: the entropy is not kept, and they are
	 * dealt at once. */
	void (*sealed)(void *arg, uint64_t number,
		       const struct entropy *entropy);
	/* A game is over.  The result is the runner's, and stays until
	 * runner_receipt(), which may be called from here; job_result_move()
	 * takes it.  May be called out of runner_play() if a bot cannot be
	 * seated. */
	void (*over)(void *arg, struct job_result *result);
	/* The bot of an own seat that is used again has made no fault: it is
	 * the owner's again, and has heard the end of its game.  From
	 * runner_receipt().  May be NULL if no job has such a seat. */
	void (*kept)(void *arg, uint64_t number, unsigned seat,
		     struct bot *bot);
	/* A program whose game's result was told before has ended in a way that
	 * its author should hear of, or (job.all_ends) in any.  Borrowed.
	 * May be NULL. */
	void (*ended)(void *arg, uint64_t number, unsigned seat, uint32_t bot,
		      const struct job_end *end);
	/* The spawner is gone.  NULL: the games are aborted, and each result
	 * says that the machine has failed. */
	void (*orphaned)(void *arg);
	/* The last program has gone, and no game runs.  May be NULL. */
	void (*quiet)(void *arg);
};

/* `spawner` is borrowed; NULL: all bots are built in.  `most`: games at a time,
 * for the limits above.  `core`: the processor that quick bots are kept on, as
 * of bot_child_keep(); -1: none. */
struct runner *runner_new(struct loop *loop, struct spawner *spawner,
			  unsigned most, int core,
			  const struct runner_calls *calls,
			  void *arg) MUST_CHECK;
/* No game may run, no program live. */
void runner_free(struct runner *runner);

/* Takes the job over; it is of job_read() or job_copy(). */
void runner_play(struct runner *runner, struct job *job);
/* Its cards may be dealt. */
void runner_deal(struct runner *runner, uint64_t number);
/* The record of a game that is over has this hash; NULL: there is none.  Its
 * bots are told, and its result is gone. */
void runner_receipt(struct runner *runner, uint64_t number,
		    const unsigned char *hash);
/* Likewise where that is not known in time: its bots are let go, and told
 * nothing of it. */
void runner_leave(struct runner *runner, uint64_t number);
/* Ends all games that run, and those that wait: `why` is one word and stays
 * where it is. */
void runner_abort(struct runner *runner, enum abort_word why);
/* Likewise of this one, unless it is over. */
void runner_abort_one(struct runner *runner, uint64_t number,
		      enum abort_word why);
/* The game, while it runs, for who has to look at it; else NULL. */
struct table *runner_table(const struct runner *runner, uint64_t number);
/* Bytes to and from the programs that sit at tables or wait for a game, since
 * each was started: for measurements. */
void runner_traffic(const struct runner *runner, uint64_t *out, uint64_t *in);
/* No job comes any more: programs that wait for one may leave. */
void runner_finish(struct runner *runner);
/* Whether no game runs and no program lives. */
bool runner_is_quiet(const struct runner *runner);

#endif
