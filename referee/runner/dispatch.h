/* referee/runner/dispatch.h - plays the daemon's games.  Games of local bots
 * alone are played in worker processes or, with a queue, by other machines.
 * Games with a remote bot are played on the daemon's own loop, where the
 * connections are.
 *
 * Each of these is a place with a table of operations; the queue has its own in
 * referee/queue/coordinator.h.  The workers are started with their first
 * game. */
#ifndef REFEREE_DISPATCH_H
#define REFEREE_DISPATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/util.h"
#include "referee/base/loop.h"
#include "referee/runner/job.h"

struct dispatch;
struct dispatch_place;
struct dispatched;
struct spawner;

/* The loop calls these. */
struct dispatch_calls {
	/* The program of a seat has ended.  Called once for each seat of each
	 * game that began, whatever bot sits there, before, at or after over()
	 * or parked().  `end` NULL: how it ended is not known. */
	void (*ended)(void *arg, uint64_t number, unsigned seat,
		      const struct job_end *end);
	/* Answers dispatch_look(): `n` borrowed bytes of lines, and the byte of
	 * the body that they reach to. */
	void (*looked)(void *arg, uint64_t number, size_t until,
		       const char *lines, size_t n);
	/* The worker of a game was lost, and the game is played once more. */
	void (*again)(void *arg, uint64_t number);
	/* A worker was lost; `sentence` says how. */
	void (*lost)(void *arg, const char *sentence);
	/* No program can be started on this machine any more; `why` is a
	 * sentence.  Games of local bots alone are parked. */
	void (*failed)(void *arg, const char *why);
};

/* The loop or dispatch_play() calls these. */
struct dispatched_calls {
	/* Returns the bot of an own seat (job.h). */
	struct bot *(*seat)(struct dispatched *game, unsigned seat);
	/* The game is over; game->result has its result.  Call
	 * dispatch_receipt() next. */
	void (*over)(struct dispatched *game);
	/* The game is not played and has no result; `why` is a sentence, or
	 * NULL if the queue plays it without this daemon.  The owner has it
	 * back. */
	void (*parked)(struct dispatched *game, const char *why);
};

/* A game, which is a part of its owner's struct. */
struct dispatched {
	/* The owner sets these. */
	const struct dispatched_calls *calls;
	const char *ladder; /* for the queue; borrowed until it is over */
	/* The owner reads these, and writes the record from them. */
	uint64_t number;
	unsigned life; /* times that it was begun again */
	struct job_result result;
	int64_t queue_job, queue_attempt; /* identify a result of the queue; or
					   * 0 */
	unsigned blamed; /* when parked: a bit for each seat whose bot is to
			 * blame */
	const struct dispatch_ops *ops; /* operations of the place where it is
					 * played */
	/* Only for dispatch.c. */
	struct dispatch_place *place;
	struct dispatched *next, **prev;
};

/* The operations of a place.  Each call but play() is about a game that it
 * plays. */
struct dispatch_ops {
	bool here;	/* plays on this loop */
	bool elsewhere; /* other machines play; their games cannot be looked at */
	/* Returns true if it plays such a job; NULL: it plays any. */
	bool (*takes)(const struct job *job);
	/* See dispatch_play(), dispatch_receipt() and so on. look() may be
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
	/* See dispatch_left(); NULL means 0. */
	uint64_t (*left)(const struct dispatch_place *place,
			 const char *ladder);
	/* dispatch_free() calls it; NULL: nothing is to be freed. */
	void (*free)(struct dispatch_place *place);
};

/* The first member of a place's own struct. */
struct dispatch_place {
	const struct dispatch_ops *ops;
	struct dispatch *dispatch;
	struct dispatch_place
		*next; /* asked if this one does not take the job */
};

/* Makes a dispatch.  `spawner` is borrowed; NULL: no program can be started
 * here. */
struct dispatch *dispatch_new(struct loop *loop, struct spawner *spawner,
			      const struct dispatch_calls *calls,
			      void *arg) MUST_CHECK;
/* Frees a dispatch, which may be NULL. No game may run; programs that still
 * live are ended. */
void dispatch_free(struct dispatch *dispatch);

/* Returns a number for the next game. */
uint64_t dispatch_number(struct dispatch *dispatch);
/* Plays a game under the job's number.  Copies the job. */
void dispatch_play(struct dispatch *dispatch, const struct job *job,
		   struct dispatched *game);
/* Tells the hash of the game's record; NULL: there is none.  The owner has the
 * game back, without a result. */
void dispatch_receipt(struct dispatched *game, const unsigned char *hash);
/* Asks what the public may read of a game: the body of its record from byte
 * `from` on, as it was `delay_us` ago. looked() comes now, later, or never; it
 * does not come if the game is over or another worker plays it again. */
void dispatch_look(const struct dispatched *game, size_t from,
		   uint64_t delay_us);
/* Aborts a game unless it is over. */
void dispatch_abort(struct dispatched *game, enum abort_word why);

/* Returns the number of this ladder's games that an earlier daemon has begun
 * and that are still played. */
uint64_t dispatch_left(const struct dispatch *dispatch,
		       const char *ladder) MUST_CHECK;

/* Tells that no more games come. */
void dispatch_finish(struct dispatch *dispatch);
/* Returns true if after dispatch_finish() no program and no worker lives. */
bool dispatch_is_finished(const struct dispatch *dispatch);

/* ---- for places ------------------------------------------------------- */

/* Takes over a place.  It is asked before all others except this loop. */
void dispatch_add(struct dispatch *dispatch, struct dispatch_place *place);
/* Returns the game of this number, which must exist. */
struct dispatched *dispatch_find(const struct dispatch *dispatch,
				 uint64_t number);
/* Ends a game with this result, which is moved. ended() follows for its
 * programs that still live. */
void dispatch_over(struct dispatch *dispatch, struct dispatched *game,
		   struct job_result *result);
/* Takes over a game that was not begun here, and gives it a number. */
void dispatch_adopt(struct dispatch_place *place, struct dispatched *game,
		    struct job_result *result);
/* Gives back a game that is not played; `why` goes to parked(). */
void dispatch_park(struct dispatch *dispatch, struct dispatched *game,
		   const char *why);

#endif
