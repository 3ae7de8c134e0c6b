/* referee/scheduler/dispatch.h - plays the daemon's games: those of local bots
 * alone in worker processes, or by other machines, if there is a queue; those
 * with a remote bot on the daemon's own loop, where the connections are.
 *
 * All look the same from here.  The workers are started with their first
 * game. */
#ifndef REFEREE_DISPATCH_H
#define REFEREE_DISPATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/base/loop.h"
#include "referee/queue/coordinator.h"
#include "referee/runner/job.h"

struct dispatch;
struct dispatched;
struct spawner;

/* By the loop. */
struct dispatch_calls {
	/* The program of a seat has ended: once for each seat of each game that
	 * began, whatever bot sits there; by the time of over() or parked(), or
	 * after it.  NULL: how is not known. */
	void (*ended)(void *arg, uint64_t number, unsigned seat,
		      const struct job_end *end);
	/* The answer to dispatch_look(): `n` bytes of lines, borrowed, and up
	 * to which byte of the body they are. */
	void (*looked)(void *arg, uint64_t number, size_t until,
		       const char *lines, size_t n);
	/* A worker was lost: a sentence. */
	void (*lost)(void *arg, const char *sentence);
	/* No program of this machine can be started any more: a sentence.
	 * Games of local bots alone are parked. */
	void (*failed)(void *arg, const char *why);
	/* ---- with a queue: */
	/* A game of this ladder is over that nothing here has begun, or that
	 * was parked.  A game of the owner's, with its calls; its number and
	 * result come afterwards, then over() is called.  NULL: there is no
	 * such ladder. */
	struct dispatched *(*adopted)(void *arg, const char *ladder,
				      const struct job *job);
	/* As of coordinator.h. */
	void (*refused)(void *arg, const char *worker, const char *game,
			const char *why);
	void (*queue_up)(void *arg);
	void (*queue_down)(void *arg, const char *why);
	void (*queue_taken)(void *arg, const char *why);
};

/* By the loop, or out of dispatch_play(). */
struct dispatched_calls {
	/* The bot of a seat that is the owner's own. */
	struct bot *(*seat)(struct dispatched *game, unsigned seat);
	/* It is over: game->result.  dispatch_receipt() is due. */
	void (*over)(struct dispatched *game);
	/* It is not played, and has no result: a sentence; NULL: the queue
	 * plays it without this daemon.  It is the owner's again. */
	void (*parked)(struct dispatched *game, const char *why);
};

/* A game; a part of its owner's. */
struct dispatched {
	/* The owner's to set. */
	const struct dispatched_calls *calls;
	const char *ladder; /* for the queue; borrowed until it is over */
	/* To read, and to write the record from. */
	uint64_t number;
	struct job_result result;
	struct coordinator_result which; /* by the queue; or zeroed */
	unsigned
		blamed; /* if it is parked: a bit for each seat whose bot is why */
	/* The rest is dispatch.c's. */
	struct dispatched *next, **prev;
	bool here;   /* on this loop */
	bool queued; /* by other machines */
};

/* `spawner` is borrowed; NULL: no program can be started here. */
struct dispatch *dispatch_new(struct loop *loop, struct spawner *spawner,
			      const struct dispatch_calls *calls,
			      void *arg) MUST_CHECK;
/* From now on games of bots that were imported are played through the queue.
 * -1 and a sentence. */
int dispatch_open_queue(struct dispatch *dispatch,
			const struct coordinator_setup *setup,
			struct error *why) MUST_CHECK;
/* Its other side; NULL: there is no queue. */
struct coordinator *dispatch_coordinator(const struct dispatch *dispatch);
/* NULL is fine.  No game may run; what still lives is ended. */
void dispatch_free(struct dispatch *dispatch);

/* A number for the next game. */
uint64_t dispatch_number(struct dispatch *dispatch);
/* Plays it, under the number of the job, which is copied. */
void dispatch_play(struct dispatch *dispatch, const struct job *job,
		   struct dispatched *game);
/* Its record has this hash; NULL: there is none.  It is the owner's again, and
 * without a result. */
void dispatch_receipt(struct dispatch *dispatch, struct dispatched *game,
		      const unsigned char *hash);
/* Asks what the public may read of a game by the body of its record from byte
 * `from` on, as it stood `delay_us` ago.  looked() comes now, later, or never:
 * then the game is over, or is played again by another worker. */
void dispatch_look(struct dispatch *dispatch, const struct dispatched *game,
		   size_t from, uint64_t delay_us);
/* Aborts it, unless it is over. */
void dispatch_abort(struct dispatch *dispatch, struct dispatched *game,
		    enum abort_word why);

/* No game comes any more. */
void dispatch_finish(struct dispatch *dispatch);
/* Whether, after that, no program and no worker lives. */
bool dispatch_is_finished(const struct dispatch *dispatch);

#endif
