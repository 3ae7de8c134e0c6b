/* referee/runner/runner.h - plays jobs on the loop of this process: seats their
 * bots, starts, times, limits, aborts and ends them, and collects their
 * results.
 *
 * A job begins at once unless too many programs of earlier games have not left
 * yet; then it waits. over() ends it.  Its programs hear the end when the owner
 * has called runner_receipt(): by then its record is safe, or never will be. */
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

/* Limits for each game at a time: programs that were let go and have not left,
 * and programs that wait for their next game. */
#define STRAGGLERS_A_JOB 16
#define IDLE_A_JOB 16

/* The loop calls these. */
struct runner_calls {
	/* Returns the bot of an own seat (job.h).  The owner sets its `failed`,
	 * `complained` and `ended`.  Returns NULL and errno if the machine
	 * cannot make it.  May be NULL if no job has such a seat. */
	struct bot *(*seat)(void *arg, const struct job *job, unsigned seat);
	/* All seats of a job that asks for entropy have given it. runner_deal()
	 * must then deal the cards.  NULL: the entropy is not kept, and the
	 * cards are dealt at once. */
	void (*sealed)(void *arg, uint64_t number,
		       const struct entropy *entropy);
	/* A game is over.  The runner owns the result until runner_receipt(),
	 * which may be called from here; job_result_move() takes it.  If a bot
	 * cannot be seated, runner_play() itself makes this call. */
	void (*over)(void *arg, struct job_result *result);
	/* Gives back the bot of an own seat that is used again and has made no
	 * fault.  It has heard the end of its game. runner_receipt() calls
	 * this.  May be NULL if no job has such a seat. */
	void (*kept)(void *arg, uint64_t number, unsigned seat,
		     struct bot *bot);
	/* A program has ended after its game's result, in a way that its author
	 * should hear of, or (job.all_ends) in any way.  `end` is borrowed.
	 * May be NULL. */
	void (*ended)(void *arg, uint64_t number, unsigned seat, uint32_t bot,
		      const struct job_end *end);
	/* The spawner is gone.  NULL: all games are aborted, and each result
	 * says that the machine has failed. */
	void (*orphaned)(void *arg);
	/* The last program has gone, and no game runs.  May be NULL. */
	void (*quiet)(void *arg);
};

/* Makes a runner.  `spawner` is borrowed; NULL: all bots are built in.  `most`:
 * games at a time, for the limits above.  `core`: the processor for quick bots,
 * see bot_child_keep(); -1: none. */
struct runner *runner_new(struct loop *loop, struct spawner *spawner,
			  unsigned most, int core,
			  const struct runner_calls *calls,
			  void *arg) MUST_CHECK;
/* Frees a runner.  No game may run and no program may live. */
void runner_free(struct runner *runner);

/* Plays a job and takes it over.  It comes from job_read() or job_copy(). */
void runner_play(struct runner *runner, struct job *job);
/* Lets the cards of a game be dealt. */
void runner_deal(struct runner *runner, uint64_t number);
/* Tells the bots of a finished game the hash of its record; NULL: there is
 * none.  Frees the result. */
void runner_receipt(struct runner *runner, uint64_t number,
		    const unsigned char *hash);
/* Lets the bots of a finished game go without a hash, because it is not known
 * in time.  Frees the result. */
void runner_leave(struct runner *runner, uint64_t number);
/* Aborts all running and waiting games. */
void runner_abort(struct runner *runner, enum abort_word why);
/* Aborts one game unless it is over. */
void runner_abort_one(struct runner *runner, uint64_t number,
		      enum abort_word why);
/* Returns the table of a running game, to look at; else NULL. */
struct table *runner_table(const struct runner *runner, uint64_t number);
/* For measurements: adds up the bytes to and from all programs that sit at
 * tables or wait for a game, since their starts. */
void runner_traffic(const struct runner *runner, uint64_t *out, uint64_t *in);
/* Tells that no more jobs come: programs that wait for one may leave. */
void runner_finish(struct runner *runner);
/* Returns true if no game runs and no program lives. */
bool runner_is_quiet(const struct runner *runner);

#endif
