/* referee/match/match-games.h - the games of a match that run, each from its job
 * until its record is safe.
 *
 * With duplicate deals the games of a block are kept together, when the last of them
 * is over: till then no bot hears `over` and there is no record, for its secret
 * would tell the cards of the others.
 *
 * The workers play them, the writer keeps them, and in between only the loop
 * works.  Which games these are, and what their results mean, is the owner's
 * business. */
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
	struct match_played *next, **prev; /* the owner's, from ended() on */
	uint64_t number;
	struct match_game game;	  /* who sat where */
	struct job_result result; /* but its header, if there is a record */
	/* By the time of ended(). */
	bool counts; /* it was recorded, and not aborted */
	bool known;  /* the ladder had it before */
};

/* By the loop. */
struct match_game_calls {
	/* It is over, `us` after it began.  False: it is no game, and neither
	 * recorded nor rated. */
	bool (*over)(void *arg, const struct match_played *played, uint64_t us);
	/* Its record is safe in this file; ended() follows. */
	void (*kept)(void *arg, const struct match_played *played,
		     const char file[LADDER_FILE_BYTES]);
	/* It is not played: WORKER_LOSSES workers have died of it.  ended()
	 * follows. */
	void (*parked)(void *arg, const struct match_played *played);
	/* No more comes of it; it is the owner's, for match_played_free(). */
	void (*ended)(void *arg, struct match_played *played);
	/* The program of a seat of a game that is over has ended. */
	void (*left)(void *arg, uint64_t number, unsigned bot, unsigned seat,
		     const struct job_end *end);
	/* A worker was lost: a sentence. */
	void (*lost)(void *arg, const char *sentence);
	/* The machine has failed: a sentence.  If no worker is left, ended()
	 * follows for all games that run. */
	void (*failed)(void *arg, const char *why);
	/* match_games_finish() is done. */
	void (*finished)(void *arg);
};

/* Starts a worker for each processor, as far as there are games for them.  Loop,
 * setup and its writer are borrowed; all jobs of the writer that come back are
 * told.  NULL and an error. */
struct match_games *match_games_new(struct loop *loop,
				    const struct match_setup *setup,
				    const struct match_game_calls *calls,
				    void *arg, struct error *why) MUST_CHECK;
/* When no game is left. */
void match_games_free(struct match_games *all);

/* Plays game `number` of the match. */
void match_games_play(struct match_games *all, uint64_t number,
		      const struct match_game *game);
/* Game `number` was there already. */
void match_games_pass(struct match_games *all, uint64_t number);
/* No game runs, and no other begins: keeps what is left of blocks that are not
 * over, or drops it, as it will be played again. */
void match_games_end_blocks(struct match_games *all, bool keeps);
/* So many sets of processes that are used again, and no more games at a time. */
void match_games_share(struct match_games *all, unsigned sets);
/* Aborts all that run. */
void match_games_abort(struct match_games *all, enum abort_word why);
/* No game comes any more: finished() follows when no program lives. */
void match_games_finish(struct match_games *all);

/* Counts the games: on tables, over and with the writer, and over while their
 * blocks are not. */
struct match_games_counts {
	unsigned running, writing, holding;
};
struct match_games_counts match_games_counts(const struct match_games *all);

void match_played_free(struct match_played *played);

#endif
