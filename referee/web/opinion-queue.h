/* referee/web/opinion-queue.h - what the strong bot thinks of games that are
 * over, for those who may see a seat's view: asked for, found out, kept.
 *
 * A program (referee/records/opinion-run.h) is run for one seat of one game after the
 * other, never two at a time, niced, so that no game waits for it; the loop does
 * not wait either.  Those who ask take turns (referee/base/fair.h).  Its answers
 * are kept in memory, the last ones that were looked at, until the daemon ends or
 * the program is another.
 * Who may see them is not decided here. */
#ifndef REFEREE_OPINION_QUEUE_H
#define REFEREE_OPINION_QUEUE_H

#include <stdbool.h>

#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/base/log.h"
#include "referee/base/loop.h"

enum opinion_state {
	OPINION_OFF,	/* the configuration names no program */
	OPINION_NONE,	/* not asked for yet, or forgotten */
	OPINION_COMING, /* it waits for its turn, or is found out now */
	OPINION_FAILED, /* a short time ago; the log says why */
	OPINION_READY,
};

struct opinion_queue;

/* Both are borrowed. */
struct opinion_queue *opinion_queue_new(struct loop *loop,
					struct logger *logger) MUST_CHECK;
/* Ends the program if it runs; NULL is fine. */
void opinion_queue_free(struct opinion_queue *queue);

/* From now on as the configuration says: SERVE_OPINIONS_OFF, SERVE_OPINIONS_OWN
 * or a program.  If its path or its file is another one, all is forgotten, and one
 * that runs is ended. */
void opinion_queue_set(struct opinion_queue *queue, const char *opinions);

/* What is known of a seat of a game.  OPINION_READY: what the program has
 * written, which opinions_read() reads, is added to `output` (unless NULL). */
enum opinion_state opinion_queue_find(struct opinion_queue *queue,
				      const char *id, unsigned seat,
				      struct text *output);

enum opinion_room {
	OPINION_ROOM,
	OPINION_SHARE, /* `who` has SERVE_OPINIONS_EACH that wait */
	OPINION_FULL,  /* SERVE_OPINIONS_WAITING wait */
};
/* Whether one more may wait that `who` asks for (less than FAIR_WHO_BYTES; "": no
 * one in particular, who has no share).  Those of authors come first. */
enum opinion_room opinion_queue_room(const struct opinion_queue *queue,
				     const char *who, bool author);
/* To be found out, from `input`, which it takes over.  It is OPINION_NONE, and
 * there is room.  If it is full, the last that waits is OPINION_NONE again. */
void opinion_queue_ask(struct opinion_queue *queue, const char *who,
		       bool author, const char *id, unsigned seat,
		       struct text *input);

#endif
