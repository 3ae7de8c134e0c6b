/* referee/runner/workers.h - plays jobs in processes of their own, one for each
 * processor.
 *
 * The owner decides who plays, draws the secrets, writes the records and rates.
 * A worker (worker.h) knows only the jobs that it plays.  A job whose worker is
 * lost is played once more, with the same secret and the entropy that its bots
 * had given, so the cards are the same.  If that worker is lost, too, the job
 * is parked. */
#ifndef REFEREE_WORKERS_H
#define REFEREE_WORKERS_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/base/loop.h"
#include "referee/runner/job.h"

#define WORKERS_MAX 256
#define WORKER_LOSSES 2 /* lost workers after which a job is parked */

struct workers;

struct workers_setup {
	unsigned count; /* processes */
	unsigned jobs;	/* games at a time, of all together */
	bool pin; /* each stays on one processor with its quick programs */
};

/* The loop calls these. */
struct workers_calls {
	/* All seats of a job have given their entropy.  The owner keeps it and
	 * then calls workers_deal().  Called again if the worker is lost before
	 * that.  NULL: the cards are dealt at once. */
	void (*sealed)(void *arg, uint64_t number,
		       const struct entropy *entropy);
	/* A game is over.  The owner takes the result and releases it by
	 * job_result_release().  Call workers_receipt() next. */
	void (*over)(void *arg, struct job_result *result);
	/* See runner.h.  If the worker was lost meanwhile, `end` is unknown.
	 * May be NULL if no job has all_ends. */
	void (*ended)(void *arg, uint64_t number, unsigned seat, uint32_t bot,
		      const struct job_end *end);
	/* Answers workers_look(): `n` borrowed bytes of lines, and the byte up
	 * to which the body was read.  May be NULL. */
	void (*looked)(void *arg, uint64_t number, size_t until,
		       const char *lines, size_t n);
	/* The worker of this job was lost, and it is played once more.  May be
	 * NULL. */
	void (*again)(void *arg, uint64_t number);
	/* Workers were lost with this job, or one was lost after
	 * workers_abort().  The job is not played again and has no result. */
	void (*parked)(void *arg, uint64_t number);
	/* A worker was lost; `sentence` says how.  Another one replaces it as
	 * soon as there is a job. */
	void (*lost)(void *arg, const char *sentence);
	/* No worker can be started any more; `why` is a sentence.  Called once.
	 * Unfinished jobs will never end. */
	void (*failed)(void *arg, const char *why);
	/* The last worker has ended, after workers_finish(). */
	void (*finished)(void *arg);
};

/* Returns one worker for each processor that this process may use, at most
 * WORKERS_MAX. */
unsigned workers_count(void) MUST_CHECK;

/* Makes the workers.  Returns NULL and a sentence on failure. */
struct workers *workers_new(struct loop *loop,
			    const struct workers_setup *setup,
			    const struct workers_calls *calls, void *arg,
			    struct error *why) MUST_CHECK;
/* Ends all that still runs, and frees the workers. */
void workers_free(struct workers *workers);

/* Sets the number of games at a time from now on, at most setup.jobs.  Each
 * worker gets its share of them, and as many sets of processes that are used
 * again. */
void workers_share(struct workers *workers, unsigned jobs);
/* Gives a copy of the job to the worker that has the least to do. */
void workers_play(struct workers *workers, const struct job *job);
/* Lets the cards of a game be dealt.  Does nothing if its worker was lost
 * meanwhile or the game is over. */
void workers_deal(struct workers *workers, uint64_t number);
/* See runner_receipt(). */
void workers_receipt(struct workers *workers, uint64_t number,
		     const unsigned char *hash);
void workers_leave(struct workers *workers, uint64_t number);
void workers_abort(struct workers *workers, enum abort_word why);
/* Aborts one game unless it is over. */
void workers_abort_one(struct workers *workers, uint64_t number,
		       enum abort_word why);
/* Asks what the public may read of a game, see table_public().  No answer comes
 * if the game is over by then, or its worker is lost. */
void workers_look(struct workers *workers, uint64_t number, size_t from,
		  uint64_t delay_us);
/* Tells that no more jobs come: each worker ends when it has nothing left to
 * do. */
void workers_finish(struct workers *workers);

#endif
