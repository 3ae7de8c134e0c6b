/* referee/runner/workers.h - jobs played by processes of their own, one for
 * each processor.
 *
 * The owner decides who plays, draws the secrets, writes the records and rates;
 * a worker (worker.h) knows only the jobs that it plays.  A job whose worker is
 * lost is played once more: with the same secret, and with the entropy that its
 * bots had given, so it is dealt the same cards.  If that worker is lost, too,
 * the job is parked. */
#ifndef REFEREE_WORKERS_H
#define REFEREE_WORKERS_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/base/loop.h"
#include "referee/runner/job.h"

#define WORKERS_MAX 256
#define WORKER_LOSSES 2 /* of one job, then it is parked */

struct workers;

struct workers_setup {
	unsigned count; /* processes */
	unsigned jobs;	/* at a time, of all together */
	bool pin;	/* each stays on a processor with its quick programs */
};

/* All from the loop. */
struct workers_calls {
	/* The seats of a job have given their entropy: its cards are dealt by
	 * workers_deal(), once the owner has kept it.  Called again if its
	 * worker is lost before that.  NULL: they are dealt at once. */
	void (*sealed)(void *arg, uint64_t number,
		       const struct entropy *entropy);
	/* A game is over.  The result is the owner's from now on, and released
	 * by job_result_release(); workers_receipt() is due. */
	void (*over)(void *arg, struct job_result *result);
	/* As of runner.h.  If its worker was lost meanwhile, `end` knows
	 * nothing.  May be NULL if no job has all_ends. */
	void (*ended)(void *arg, uint64_t number, unsigned seat, uint32_t bot,
		      const struct job_end *end);
	/* The answer to workers_look(): `n` bytes of lines, borrowed, and up to
	 * which byte the body was read.  May be NULL. */
	void (*looked)(void *arg, uint64_t number, size_t until,
		       const char *lines, size_t n);
	/* Workers have been lost with this job, or one after workers_abort():
	 * it is not played again, and has no result. */
	void (*parked)(void *arg, uint64_t number);
	/* A worker was lost; there is another in its place as soon as there is
	 * a job for it: a sentence. */
	void (*lost)(void *arg, const char *sentence);
	/* No worker can be had any more: a sentence, once.  No job that is not
	 * over will be. */
	void (*failed)(void *arg, const char *why);
	/* After workers_finish(): the last worker has ended. */
	void (*finished)(void *arg);
};

/* One for each processor that this process may use, WORKERS_MAX at most. */
unsigned workers_count(void) MUST_CHECK;

/* NULL and a sentence. */
struct workers *workers_new(struct loop *loop,
			    const struct workers_setup *setup,
			    const struct workers_calls *calls, void *arg,
			    struct error *why) MUST_CHECK;
/* Ends all that still runs. */
void workers_free(struct workers *workers);

/* So many games at a time come from now on, not more than setup.jobs: each
 * worker has its share of them, and no more sets of processes that are used
 * again. */
void workers_share(struct workers *workers, unsigned jobs);
/* Gives it to the worker that has least to do.  The job is copied. */
void workers_play(struct workers *workers, const struct job *job);
/* Its cards may be dealt.  Nothing happens if its worker was lost meanwhile, or
 * the game is over. */
void workers_deal(struct workers *workers, uint64_t number);
/* As of runner.h. */
void workers_receipt(struct workers *workers, uint64_t number,
		     const unsigned char *hash);
void workers_leave(struct workers *workers, uint64_t number);
void workers_abort(struct workers *workers, enum abort_word why);
/* Likewise of one, unless it is over. */
void workers_abort_one(struct workers *workers, uint64_t number,
		       enum abort_word why);
/* Asks what the public may read of a game, as of table_public().  No answer
 * comes if it is over by then, or its worker is lost. */
void workers_look(struct workers *workers, uint64_t number, size_t from,
		  uint64_t delay_us);
/* No job comes any more: each worker ends when it has nothing left to do. */
void workers_finish(struct workers *workers);

#endif
