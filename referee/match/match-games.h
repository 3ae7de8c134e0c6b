/* referee/match/match-games.h - runs the games of a match, each from its job
 * until its record is safe.
 *
 * With duplicate deals the records of a block are written together, when its
 * last game is over.  Until then no bot hears `over` and there is no record,
 * because the secret of one game would tell the cards of the others.
 *
 * The workers play the games, the writer keeps them, and in between only the
 * loop works.  The owner decides which games are played and what their results
 * mean. */
#ifndef REFEREE_MATCH_GAMES_H
#define REFEREE_MATCH_GAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/store.h"
#include "protocol/abort.h"
#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/base/loop.h"
#include "referee/match/match-source.h"
#include "referee/match/match-terms.h"
#include "referee/runner/job.h"

struct match_games;

/* A game that is over. */
struct match_played {
	struct match_played *next, **prev; /* for the owner's list, from ended()
					    * on */
	uint64_t number;
	struct match_game game;	  /* its bots by seat */
	struct job_result result; /* without the header, if there is a record */
	/* Set before ended() is called: */
	bool counts; /* it was recorded, and not aborted */
	bool known;  /* the ladder had it before */
};

/* The loop calls these. */
struct match_game_calls {
	/* The game is over, `us` after it began.  Return false if it is no
	 * game, so that it is neither recorded nor rated. */
	bool (*over)(void *arg, const struct match_played *played, uint64_t us);
	/* The game's record is safe in this file; ended() follows. */
	void (*kept)(void *arg, const struct match_played *played,
		     const char file[LADDER_FILE_BYTES]);
	/* The game is given up because WORKER_LOSSES workers have died of it.
	 * ended() follows. */
	void (*parked)(void *arg, const struct match_played *played);
	/* This is the last call about the game.  The owner gets it and calls
	 * match_played_free(). */
	void (*ended)(void *arg, struct match_played *played);
	/* The program of a seat has ended after its game was over. */
	void (*left)(void *arg, uint64_t number, unsigned bot, unsigned seat,
		     const struct job_end *end);
	/* A worker was lost; `sentence` tells how. */
	void (*lost)(void *arg, const char *sentence);
	/* The machine has failed; `why` is a sentence.  If no worker is left,
	 * ended() follows for all games that run. */
	void (*failed)(void *arg, const char *why);
	/* All programs have ended after match_games_finish(). */
	void (*finished)(void *arg);
};

/* Starts a worker for each processor, but not more workers than games at a
 * time.  Borrows the loop, the setup and its writer, and calls back for all
 * jobs that the writer has done.  Returns NULL and an error if it fails. */
struct match_games *match_games_new(struct loop *loop,
				    const struct match_setup *setup,
				    const struct match_game_calls *calls,
				    void *arg, struct error *why) MUST_CHECK;
/* Call it when no game is left. */
void match_games_free(struct match_games *all);

/* Plays game `number` of the match. */
void match_games_play(struct match_games *all, uint64_t number,
		      const struct match_game *game);
/* Tells that game `number` was played before and is there already. */
void match_games_pass(struct match_games *all, uint64_t number);
/* Call it when no game runs and no other will begin.  Writes the games of
 * unfinished blocks if `keeps`; otherwise drops them, because they will be
 * played again. */
void match_games_end_blocks(struct match_games *all, bool keeps);
/* Allows so many sets of processes that are used again, and at most as many
 * games at a time. */
void match_games_share(struct match_games *all, unsigned sets);
/* Aborts all games that run. */
void match_games_abort(struct match_games *all, enum abort_word why);
/* Tells that no more games come. finished() follows when no program lives any
 * more. */
void match_games_finish(struct match_games *all);

/* Numbers of games: being played; over and with the writer; over but held until
 * the block is over. */
struct match_games_counts {
	unsigned running, writing, holding;
};
struct match_games_counts match_games_counts(const struct match_games *all);

void match_played_free(struct match_played *played);

#endif
