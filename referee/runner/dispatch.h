/* referee/runner/dispatch.h - plays the daemon's games: those of local bots
 * alone in worker processes, or by other machines, if there is a queue; those
 * with a remote bot on the daemon's own loop, where the connections are.
 *
 * Each of these is a place with a table of operations; the queue has its own in
 * referee/queue/coordinator.h.  The workers are started with their first
 * game. */
#ifndef REFEREE_DISPATCH_H
#define REFEREE_DISPATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/base/loop.h"
#include "referee/runner/job.h"

struct dispatch;
struct dispatch_place;
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
	int64_t queue_job, queue_attempt; /* which result of the queue; or 0 */
	unsigned
		blamed; /* if it is parked: a bit for each seat whose bot is why */
	const struct dispatch_ops *ops; /* of the place where it is played */
	/* The rest is dispatch.c's. */
	struct dispatch_place *place;
	struct dispatched *next, **prev;
};

/* What a place does; the game of each call but play() is one that it plays. */
struct dispatch_ops {
	bool here;	/* it is this loop */
	bool elsewhere; /* other machines play, where no one can look */
	/* Returns true if it plays such a job. */
	bool (*takes)(const struct dispatch_place *place,
		      const struct job *job);
	/* As of dispatch_play(), dispatch_receipt() and so on; look() may be
	 * NULL. */
	void (*play)(struct dispatch_place *place, const struct job *job,
		     struct dispatched *game);
	void (*receipt)(struct dispatch_place *place,
			const struct dispatched *game,
			const unsigned char *hash);
	void (*look)(struct dispatch_place *place,
		     const struct dispatched *game, size_t from,
		     uint64_t delay_us);
	void (*abort)(struct dispatch_place *place, struct dispatched *game,
		      enum abort_word why);
	/* As of dispatch_left(); NULL: 0. */
	uint64_t (*left)(const struct dispatch_place *place,
			 const char *ladder);
	/* As of dispatch_finish(); both NULL: it has nothing to finish. */
	void (*finish)(struct dispatch_place *place);
	bool (*is_finished)(const struct dispatch_place *place);
	void (*free)(struct dispatch_place *place);
};

/* The first part of a place's own struct. */
struct dispatch_place {
	const struct dispatch_ops *ops;
	struct dispatch *dispatch;
	struct dispatch_place *next; /* asked if this one takes not */
};

/* `spawner` is borrowed; NULL: no program can be started here. */
struct dispatch *dispatch_new(struct loop *loop, struct spawner *spawner,
			      const struct dispatch_calls *calls,
			      void *arg) MUST_CHECK;
/* NULL is fine.  No game may run; what still lives is ended. */
void dispatch_free(struct dispatch *dispatch);

/* A number for the next game. */
uint64_t dispatch_number(struct dispatch *dispatch);
/* Plays it, under the number of the job, which is copied. */
void dispatch_play(struct dispatch *dispatch, const struct job *job,
		   struct dispatched *game);
/* Its record has this hash; NULL: there is none.  It is the owner's again, and
 * without a result. */
void dispatch_receipt(struct dispatched *game, const unsigned char *hash);
/* Asks what the public may read of a game by the body of its record from byte
 * `from` on, as it stood `delay_us` ago.  looked() comes now, later, or never:
 * then the game is over, or is played again by another worker. */
void dispatch_look(const struct dispatched *game, size_t from,
		   uint64_t delay_us);
/* Aborts it, unless it is over. */
void dispatch_abort(struct dispatched *game, enum abort_word why);

/* Games of this ladder that an earlier daemon has begun and that are still
 * played. */
uint64_t dispatch_left(const struct dispatch *dispatch,
		       const char *ladder) MUST_CHECK;

/* No game comes any more. */
void dispatch_finish(struct dispatch *dispatch);
/* Whether, after that, no program and no worker lives. */
bool dispatch_is_finished(const struct dispatch *dispatch);

/* ---- for places ------------------------------------------------------- */

/* Takes over a place that is asked before all others but this loop. */
void dispatch_add(struct dispatch *dispatch, struct dispatch_place *place);
/* The game of this number, which is there. */
struct dispatched *dispatch_find(const struct dispatch *dispatch,
				 uint64_t number);
/* It is over, with this result, which is moved.  Programs of it that still live
 * are told of when they end. */
void dispatch_over(struct dispatch *dispatch, struct dispatched *game,
		   struct job_result *result);
/* Takes over a game that was not begun here, and gives it a number. */
void dispatch_adopt(struct dispatch_place *place, struct dispatched *game,
		    struct job_result *result);
/* Gives a game back that is not played; `why` is that of parked(). */
void dispatch_park(struct dispatch *dispatch, struct dispatched *game,
		   const char *why);

#endif
