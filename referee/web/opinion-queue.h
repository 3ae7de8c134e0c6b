/* referee/web/opinion-queue.h - works out and keeps the strong bot's opinions
 * on games that are over.
 *
 * A program (referee/records/opinion-run.h) runs for one seat of one game after
 * another, never two at a time, niced, so that no game waits for it; the loop
 * does not wait either.  Who sat in the game comes before who did not.  Of those
 * who sat, who has used less time today comes first, which the roster counts; the
 * others, of whom nothing is written down, take turns (referee/base/fair.h).  The
 * answers looked at last are kept in memory until the daemon ends or the program
 * changes.  The caller decides who may see them. */
#ifndef REFEREE_OPINION_QUEUE_H
#define REFEREE_OPINION_QUEUE_H

#include <stdbool.h>

#include "ladder/roster.h"
#include "protocol/limits.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/base/log.h"
#include "referee/base/loop.h"

enum opinion_state {
	OPINION_OFF,	/* the configuration names no program */
	OPINION_NONE,	/* not asked for yet, or forgotten */
	OPINION_COMING, /* waits for its turn, or is worked out now */
	OPINION_FAILED, /* failed a short time ago; the log says why */
	OPINION_READY,
};

struct opinion_queue;

/* Borrows the loop, the logger and the roster. */
struct opinion_queue *opinion_queue_new(struct loop *loop,
					struct logger *logger,
					struct roster *roster) MUST_CHECK;
/* Ends the program if it runs.  NULL is allowed. */
void opinion_queue_free(struct opinion_queue *queue);

/* Sets the program as the configuration names it: SERVE_OPINIONS_OFF,
 * SERVE_OPINIONS_OWN or a path.  If its path or its file has changed, all
 * opinions are forgotten, and a program that runs is ended. */
void opinion_queue_set(struct opinion_queue *queue, const char *opinions);

/* Returns what is known about a seat of a game.  If it is OPINION_READY, the
 * program's output, which opinions_read() reads, is added to `output` (unless
 * NULL). */
enum opinion_state opinion_queue_find(struct opinion_queue *queue,
				      const char *id, unsigned seat,
				      struct text *output);

/* The worst decision of a seat, by the opinions that are kept. */
struct opinion_worst {
	char id[ID_BYTES + 1]; /* the game */
	unsigned seat;
	double loss; /* 0: no decision is worse than another beyond chance */
	unsigned at; /* its moment, for `?at=` */
};
/* Calls `each` for each seat that is OPINION_READY. */
void opinion_queue_worst(const struct opinion_queue *queue,
			 void (*each)(void *arg,
				      const struct opinion_worst *worst),
			 void *arg);

enum opinion_room {
	OPINION_ROOM,
	OPINION_SHARE, /* SERVE_OPINIONS_EACH of `who` wait already */
	OPINION_FULL,  /* SERVE_OPINIONS_WAITING wait already */
};
/* Returns OPINION_ROOM if `who` may ask for one more, or why not.  `who` is
 * shorter than FAIR_WHO_BYTES; "" has no share of its own, and so no limit.
 * `sat` says that a bot of `who` sat in the game, whose token was shown. */
enum opinion_room opinion_queue_room(const struct opinion_queue *queue,
				     const char *who, bool sat);
/* Asks for an opinion, which is worked out from `input`; takes `input` over.
 * The seat is OPINION_NONE, and there is room.  If the queue is full, the last
 * one that waits becomes OPINION_NONE again. */
void opinion_queue_ask(struct opinion_queue *queue, const char *who, bool sat,
		       const char *id, unsigned seat, struct text *input);

#endif
