/* referee/runner/sitting.h - the program of a seat, as long as it lives: it is
 * started for a game, or used again for one, and ends in it or later.
 *
 * It knows of its game only the job; what comes of the game is the runner's. */
#ifndef REFEREE_SITTING_H
#define REFEREE_SITTING_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/util.h"
#include "referee/base/loop.h"
#include "referee/runner/idle.h"
#include "referee/runner/job.h"
#include "referee/table/bot.h"

struct play; /* a game of the owner's */
struct sitting;
struct spawner;

/* All from the loop. */
struct sitting_calls {
	/* The machine has failed the game: a sentence. */
	void (*failed)(struct play *play, const char *why);
	/* A program could not be started, or has ended without a word, for
	 * which nothing is charged yet. */
	void (*silent)(const struct sitting *sitting,
		       const struct bot_end *end);
	/* A program has ended before its game was done.  The sitting goes
	 * after this. */
	void (*ended)(struct sitting *sitting, const struct bot_end *end);
	/* sitting_tell_late() has something to tell.  Borrowed. */
	void (*late)(void *arg, uint64_t game, unsigned seat, uint32_t bot,
		     const struct job_end *end);
	/* A program has ended, and its sitting is gone. */
	void (*gone)(void *arg);
};

/* All of a runner.  Filled in by it; `idle` by idle_init(). */
struct sittings {
	struct loop *loop;
	struct spawner *spawner;
	const struct sitting_calls *calls;
	void *arg;
	int core;	  /* as of bot_child_keep() */
	unsigned count;	  /* programs that have not ended */
	struct idle idle; /* those of them that wait for a game */
};

struct sitting {
	struct sittings *all;
	struct play *play;     /* NULL: its game is done */
	const struct job *job; /* of that */
	struct bot *program;
	uint64_t game;
	uint32_t bot;
	unsigned seat;
	bool told_of;	 /* its end is, however it comes */
	uint64_t cpu_us; /* that it took for the games before this one */
};

/* The program of a seat of `job`, which is played as `play`: one that is idle if
 * the seat takes such, else a new one.  It frees itself when it has ended.
 * NULL and errno: it cannot be started. */
struct sitting *sitting_begin(struct sittings *all, struct play *play,
			      const struct job *job, unsigned seat) MUST_CHECK;

/* Calls failed() if the machine has ended a program whose game is played. */
void sitting_failed(const struct sitting *sitting, const struct bot_end *end);
/* Tells of an end that its game's result did not, unless that was to be
 * expected. */
void sitting_tell_late(const struct sitting *sitting,
		       const struct bot_end *end);

/* What a program that has taken so much took for the game that it plays. */
struct bot_usage sitting_share(const struct sitting *sitting, uint64_t cpu_us,
			       uint64_t peak_kib);
/* Likewise of one that lives; false: that is not known. */
bool sitting_usage(const struct sitting *sitting, struct bot_usage *usage);
/* Into a result: how a program has fared that lives, and how it ended. */
void sitting_note_life(const struct sitting *sitting, struct job_end *to);
void sitting_note_end(const struct sitting *sitting, const struct bot_end *end,
		      struct job_end *to);

#endif
