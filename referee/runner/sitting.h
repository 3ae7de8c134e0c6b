/* referee/runner/sitting.h - the program of a seat.  A sitting lives as long as
 * its program, which is started for a game or used again, and ends in the game
 * or later.
 *
 * It knows only the job of its game; the runner knows the rest. */
#ifndef REFEREE_SITTING_H
#define REFEREE_SITTING_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/util.h"
#include "referee/base/loop.h"
#include "referee/runner/idle.h"
#include "referee/runner/job.h"
#include "referee/table/bot.h"

struct play; /* a game of the owner */
struct sitting;
struct spawner;

/* The loop calls these. */
struct sitting_calls {
	/* The machine has failed the game; `why` is a sentence. */
	void (*failed)(struct play *play, const char *why);
	/* A program could not be started, or has ended without a word.  It has
	 * not been charged. */
	void (*silent)(const struct sitting *sitting,
		       const struct bot_end *end);
	/* A program has ended before its game was done.  The sitting is freed
	 * after this call. */
	void (*ended)(struct sitting *sitting, const struct bot_end *end);
	/* sitting_tell_late() has something to tell.  `end` is borrowed. */
	void (*late)(void *arg, uint64_t game, unsigned seat, uint32_t bot,
		     const struct job_end *end);
	/* A program has ended and its sitting is freed. */
	void (*gone)(void *arg);
};

/* All sittings of a runner, which fills this in; idle_init() fills in `idle`. */
struct sittings {
	struct loop *loop;
	struct spawner *spawner;
	const struct sitting_calls *calls;
	void *arg;
	int core;	  /* see bot_child_keep() */
	unsigned count;	  /* programs that have not ended */
	struct idle idle; /* those that wait for a game */
};

struct sitting {
	struct sittings *all;
	struct play *play;     /* NULL: its game is done */
	const struct job *job; /* the job of `play` */
	struct bot *program;
	uint64_t game;
	uint32_t bot;
	unsigned seat;
	bool told_of;	 /* its end is reported, however it comes */
	uint64_t cpu_us; /* processor time of its earlier games */
};

/* Begins the program of a seat of `job`, which is played as `play`: a waiting
 * one if the seat allows it, else a new one.  The sitting frees itself when the
 * program has ended.  Returns NULL and errno if the program cannot be started. */
struct sitting *sitting_begin(struct sittings *all, struct play *play,
			      const struct job *job, unsigned seat) MUST_CHECK;

/* Calls failed() if the machine has ended a program whose game is played. */
void sitting_failed(const struct sitting *sitting, const struct bot_end *end);
/* Reports an end that its game's result did not, unless it was to be expected. */
void sitting_tell_late(const struct sitting *sitting,
		       const struct bot_end *end);

/* Returns the usage for the present game of a program that has used this much
 * in all. */
struct bot_usage sitting_share(const struct sitting *sitting, uint64_t cpu_us,
			       uint64_t peak_kib);
/* Returns the usage for the present game of a living program.  Returns false if
 * it is not known. */
bool sitting_usage(const struct sitting *sitting, struct bot_usage *usage);
/* Fill in a result's `end`: for a program that lives, and for one that has
 * ended. */
void sitting_note_life(const struct sitting *sitting, struct job_end *to);
void sitting_note_end(const struct sitting *sitting, const struct bot_end *end,
		      struct job_end *to);

#endif
