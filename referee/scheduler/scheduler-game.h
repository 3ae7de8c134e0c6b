/* referee/scheduler/scheduler-game.h - the games of a scheduler, each from its seats
 * until its record is safe.
 *
 * A game is dispatched, then over, then written, and only then its bots are
 * told `over`.  A record that the disk refuses is kept and tried again.  The
 * owner decides which bots meet, what a game changes, and when the next one
 * begins. */
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

#define SCHEDULER_AGAIN_MS 2000 /* wait before a failed step is tried again */

struct scheduler_games;

/* The bots of a game, by seat. */
struct scheduler_game_seats {
	struct pairing_table paired;
	struct participant *participant[SEATS_MAX];
	/* The bot whose rating it enters the ladder with, or NULL. */
	const char *heir_of[SEATS_MAX];
	bool untried[SEATS_MAX]; /* none of its games here counts yet */
};

/* The end of a game: its record is safe, or was given up. */
struct scheduler_game_end {
	const struct pairing_table *paired; /* NULL: it was adopted */
	/* The game's ID and bots by seat, and their ratings if it was rated. */
	const struct ladder_game *game;
	enum pairing_end end[SEATS_MAX];
	bool aborted;
	bool safe;   /* false: its record was given up */
	bool behind; /* the ladder does not have it yet */
};

/* The loop makes these calls. scheduler_games_begin() may also make
 * called_off(), and scheduler_games_abort() all of these and of the news but
 * seated() and over(). */
struct scheduler_game_calls {
	/* The game has ended. changed() and room() follow. */
	void (*ended)(void *arg, const struct scheduler_game_end *end);
	/* The game was called off and does not count.  Bots that have left are
	 * NULL. Seats whose bits are in `blamed` are the reason.  The machine
	 * should be left alone for SCHEDULER_AGAIN_MS. changed() and room()
	 * follow. */
	void (*called_off)(void *arg, const char *id,
			   const struct pairing_table *paired,
			   struct participant *const participant[SEATS_MAX],
			   unsigned blamed);
	/* There may be room for another game, or no game is left. */
	void (*room)(void *arg);
};

/* News for modules that give bots room, tell authors and show games. */
struct scheduler_game_news {
	/* A game of this participant begins on that ladder. changed() follows. */
	void (*seated)(void *arg, const char *ladder,
		       struct participant *participant);
	/* A game of this participant has begun or ended: its room for other
	 * games may have changed, here and elsewhere. */
	void (*changed)(void *arg, struct participant *participant);
	/* The bot that was first called `bot` was charged with a fault in game
	 * `id`, or reported a mistake of its own, as the sentence says. ended()
	 * follows. */
	void (*charged)(void *arg, const char *bot, const char *id,
			unsigned seat, const char *sentence);
	/* Game `id` is over, and its record is not written yet.  The result is
	 * borrowed. */
	void (*over)(void *arg, const char *id,
		     const struct job_result *result);
};

/* All fields are borrowed until scheduler_games_free(). */
struct scheduler_games_setup {
	struct loop *loop;
	struct logger *logger;
	struct dispatch *dispatch;
	struct writer *writer; /* the owner calls writer_tell() */
	/* The configuration that a beginning game gets. */
	const struct config_ladder *ladder;
	/* Counts games that begin, run, are parked, written and given up, their
	 * turns and faults, and failures.  The owner counts what the ladder
	 * does with them. */
	struct scheduler_counts *counts;
	const struct scheduler_game_calls *calls;
	void *arg;
	const struct scheduler_game_news *news;
	void *news_arg;
};

struct scheduler_games *
scheduler_games_new(const struct scheduler_games_setup *setup);
/* Frees it; no game may be left.  NULL is allowed. */
void scheduler_games_free(struct scheduler_games *all);

void scheduler_games_begin(struct scheduler_games *all,
			   const struct scheduler_game_seats *seats);
/* Takes a game of this setup that is over, and that another daemon has begun or
 * that was parked.  It is written and rated like all others, though none of its
 * bots waits for it. dispatch.h sets its number and result. */
struct dispatched *scheduler_games_adopt(struct scheduler_games *all,
					 const struct table_setup *setup);
/* Forgets a participant that has left: it is no longer used.  `lost` is true if
 * it did not wait for the end of its games. */
void scheduler_games_forget(struct scheduler_games *all,
			    const struct participant *participant, bool lost);
/* Aborts the games of a participant that the organiser takes out.  None of them
 * counts, and it is told nothing more about any of its games. */
void scheduler_games_withdraw(struct scheduler_games *all,
			      const struct participant *participant);
/* Aborts all running games.  From now on a record that cannot be written is
 * given up. */
void scheduler_games_abort(struct scheduler_games *all, enum abort_word why);

/* Leaves the games that are not over to the queue, which plays them without this
 * daemon. */
void scheduler_games_leave(struct scheduler_games *all);

/* Returns true if no game runs or waits for the disk. */
bool scheduler_games_is_empty(const struct scheduler_games *all);
/* Returns true if the disk has failed and records wait to be written again: no
 * game should begin until room() is called. */
bool scheduler_games_is_failing(const struct scheduler_games *all);
/* Returns how many microseconds ago the oldest game began; 0 if there is none. */
uint64_t scheduler_games_oldest_us(const struct scheduler_games *all);
/* A game that has begun and is not on disk yet. scheduler_games_find() returns
 * false if none has this ID. */
struct scheduler_game {
	const struct dispatched *dispatched; /* NULL: the game is over */
	const struct table_setup *setup;     /* borrowed while the game runs */
	bool here;			     /* a remote bot plays in it */
};
bool scheduler_games_find(const struct scheduler_games *all, const char *id,
			  struct scheduler_game *game) MUST_CHECK;
/* Calls `each` for each game that is not over, with its ID and the names of its
 * bots.  `elsewhere` is true if another machine plays it, so that it cannot be
 * watched. */
void scheduler_games_each(const struct scheduler_games *all,
			  void (*each)(void *arg, const char *id,
				       const char name[][NAME_BYTES + 1],
				       unsigned seats, bool elsewhere),
			  void *arg);

#endif
