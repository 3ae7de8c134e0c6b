/* referee/scheduler/scheduler-game.h - the games of a scheduler, each from its seats
 * until its record is safe.
 *
 * A game is dispatched, over, written, and only then are its bots told `over`.
 * What the disk refuses is kept and tried again.  Who meets whom, what a game
 * changes there, and when the next one begins is the owner's business. */
#ifndef REFEREE_SCHEDULER_GAME_H
#define REFEREE_SCHEDULER_GAME_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/pairing.h"
#include "ladder/store.h"
#include "protocol/abort.h"
#include "protocol/limits.h"
#include "protocol/util.h"
#include "referee/base/log.h"
#include "referee/base/loop.h"
#include "referee/config/serve-config.h"
#include "referee/records/writer.h"
#include "referee/runner/participant.h"
#include "referee/runner/dispatch.h"
#include "referee/scheduler/scheduler-counts.h"
#include "referee/table/table.h"

#define SCHEDULER_AGAIN_MS                                                     \
	2000 /* between two tries of what the machine fails */

struct scheduler_games;

/* Who plays, by seat. */
struct scheduler_game_seats {
	struct pairing_table paired;
	struct participant *participant[SEATS_MAX];
	/* Whose rating it enters the ladder with, or NULL. */
	const char *heir_of[SEATS_MAX];
	bool untried[SEATS_MAX]; /* none of its games here counts yet */
};

/* A game at its end: its record is safe, or was given up. */
struct scheduler_game_end {
	const struct pairing_table *paired; /* NULL: it was adopted */
	/* Its ID and its bots by seat; if it was rated, their ratings. */
	const struct ladder_game *game;
	enum pairing_end end[SEATS_MAX];
	bool aborted;
	bool safe;   /* false: there is no record, and never will be */
	bool behind; /* the ladder does not have it yet */
};

/* By the loop; called_off() also out of scheduler_games_begin(), and all of it
 * but seated() and over() out of scheduler_games_abort(). */
struct scheduler_game_calls {
	/* changed() follows, and room(). */
	void (*ended)(void *arg, const struct scheduler_game_end *end);
	/* The game is none, and its bots are as before; those that have left are
	 * NULL, and those of seats whose bits are in `blamed` are why.  The
	 * machine should be left alone for SCHEDULER_AGAIN_MS.  changed()
	 * follows, and room(). */
	void (*called_off)(void *arg, const char *id,
			   const struct pairing_table *paired,
			   struct participant *const participant[SEATS_MAX],
			   unsigned blamed);
	/* There may be room for another game, or no game is left. */
	void (*room)(void *arg);
};

/* For those who give bots room, tell authors and show games. */
struct scheduler_game_news {
	/* A game of this one begins on that ladder; changed() follows. */
	void (*seated)(void *arg, const char *ladder,
		       struct participant *participant);
	/* A game of this one has begun or ended: it may have room for another
	 * here and elsewhere. */
	void (*changed)(void *arg, struct participant *participant);
	/* What the bot that was first called `bot` was charged with in game
	 * `id`, or told of its own mistakes: a sentence.  ended() follows. */
	void (*charged)(void *arg, const char *bot, const char *id,
			unsigned seat, const char *sentence);
	/* Game `id` is over, and its record is not written yet.  The result is
	 * borrowed. */
	void (*over)(void *arg, const char *id,
		     const struct job_result *result);
};

/* All of it is borrowed until scheduler_games_free(). */
struct scheduler_games_setup {
	struct loop *loop;
	struct logger *logger;
	struct dispatch *dispatch;
	struct writer *writer; /* the owner calls writer_tell() */
	/* As it is when a game begins. */
	const struct config_ladder *ladder;
	/* Games that begin, run, are parked, written and given up, their turns
	 * and faults, and failures are counted here; what the ladder makes of
	 * them is not. */
	struct scheduler_counts *counts;
	const struct scheduler_game_calls *calls;
	void *arg;
	const struct scheduler_game_news *news;
	void *news_arg;
};

struct scheduler_games *
scheduler_games_new(const struct scheduler_games_setup *setup);
/* When no game is left; NULL is fine. */
void scheduler_games_free(struct scheduler_games *all);

void scheduler_games_begin(struct scheduler_games *all,
			   const struct scheduler_game_seats *seats);
/* A game of this setup that another daemon has begun, or that was parked, is
 * over: it is written and rated like all others, though none of its bots waits
 * for it.  Its number and result come as of dispatch.h. */
struct dispatched *scheduler_games_adopt(struct scheduler_games *all,
					 const struct table_setup *setup);
/* Its bots are told nothing of this one any more, which is gone; `lost`: it did
 * not wait for the end. */
void scheduler_games_forget(struct scheduler_games *all,
			    const struct participant *participant, bool lost);
/* Aborts the games that this one plays, which the organiser takes out: none of
 * them counts, and it is told nothing more of any game of its. */
void scheduler_games_withdraw(struct scheduler_games *all,
			      const struct participant *participant);
/* Aborts all games that run.  From now on a record that cannot be written is
 * given up. */
void scheduler_games_abort(struct scheduler_games *all, enum abort_word why);

/* Leaves the games that are not over to the queue, which plays them without this
 * daemon. */
void scheduler_games_leave(struct scheduler_games *all);

/* No game runs or waits for the disk. */
bool scheduler_games_is_empty(const struct scheduler_games *all);
/* The disk has failed, and what could not be written is tried again later: no
 * game should begin until room() was called. */
bool scheduler_games_is_failing(const struct scheduler_games *all);
/* How long ago the oldest of them began; 0: there is none. */
uint64_t scheduler_games_oldest_us(const struct scheduler_games *all);
/* The game of this ID, which has begun and is not on disk yet; false: there is
 * none. */
struct scheduler_game {
	const struct dispatched *dispatched; /* NULL: it is over */
	const struct table_setup *setup;     /* borrowed as long as it runs */
	bool here;			     /* a remote bot plays in it */
};
bool scheduler_games_find(const struct scheduler_games *all, const char *id,
			  struct scheduler_game *game) MUST_CHECK;
/* Calls back with each that is not over: its ID, what its bots are called, and
 * whether another machine plays it, so that it cannot be watched. */
void scheduler_games_each(const struct scheduler_games *all,
			  void (*each)(void *arg, const char *id,
				       const char name[][NAME_BYTES + 1],
				       unsigned seats, bool elsewhere),
			  void *arg);

#endif
