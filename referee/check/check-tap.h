/* referee/check/check-tap.h - a bot with a tap on its line.
 *
 * To a table it is a bot like any other (referee/table/bot.h); the real one, a
 * child or a built-in, sits behind it.  What passes is written down, followed
 * (referee/check/check-watch.h), measured, and, where the trial wants it,
 * spoilt. */
#ifndef REFEREE_CHECK_TAP_H
#define REFEREE_CHECK_TAP_H

#include <stdbool.h>
#include <stdint.h>

#include "referee/check/check-watch.h"
#include "referee/spawner/bot-child.h"
#include "referee/table/bot.h"

#define TAP_LINES 12	   /* of the conversation, kept around a fault */
#define TAP_LINE_BYTES 400 /* of each, as it is shown */

/* What is done to a conversation. */
struct tap_orders {
	bool words;	     /* add lines and pairs that the bot cannot know */
	bool drip;	     /* single bytes, each ask in two halves */
	unsigned delay_us;   /* before an answer is passed on */
	unsigned spoil_from; /* from this ask on answers are made illegal; 0:
			      * never */
	unsigned end_at;     /* at this ask its input ends; 0: never */
	bool child;	     /* bot_child_look() may be asked */
};

/* The last lines, and what is noted beside them. */
struct tap_lines {
	char line[TAP_LINES][TAP_LINE_BYTES]; /* `< ` sent to it, `> ` said */
	unsigned count;
};

struct tap;

struct tap_calls {
	/* The bot's own seat was charged. */
	void (*fault)(void *arg, enum fault fault);
	/* The answer to the ask of the last fault `timeout` has come, so long after
	 * that. */
	void (*late)(void *arg, uint64_t us);
	/* A line that is wrong, though nobody is charged. */
	void (*useless)(void *arg);
	/* It tells of a mistake of its own: watch's slip_why. */
	void (*slipped)(void *arg, enum slip slip);
	/* Nothing will come of it any more: FAULT_CRASH, its line has ended;
	 * FAULT_PROTOCOL, it flooded, or does not read.  watch_why() says
	 * more. */
	void (*broken)(void *arg, enum fault fault);
	/* An answer came, so long after its ask; `first`: of the process. */
	void (*thought)(void *arg, uint64_t us, bool first);
};

/* Puts the tap on a bot, which is the tap's from now on.  `failed` and `ended`
 * of the bot that is returned work as ever. */
struct bot *tap_new(struct loop *loop, struct bot *inner) MUST_CHECK;
/* Before its first game: it was `before` that its program played. */
void tap_follow(struct bot *tap, const struct watch *before);
/* A game begins; NULL calls: nobody wants to know. */
void tap_begin(struct bot *tap, unsigned seat, const struct tap_orders *orders,
	       const struct tap_calls *calls, void *arg,
	       struct watch_seen *seen);

/* It has lost its connection and come back. */
void tap_returned(struct bot *tap);
const struct watch *tap_watch(const struct bot *tap);
void tap_last_lines(const struct bot *tap, struct tap_lines *lines);
/* How its process is now; only of a child that has not ended. */
void tap_look(const struct bot *tap, struct bot_look *look);
/* Whether it has said a line, in any of its games. */
bool tap_has_spoken(const struct bot *tap);

/* What its end tells, in `ended`. */
struct tap_end {
	bool parted; /* it was let go, and had time to leave */
	uint64_t stderr_bytes;
};
void tap_end(const struct bot *tap, struct tap_end *end);

#endif
