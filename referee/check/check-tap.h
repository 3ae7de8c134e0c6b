/* referee/check/check-tap.h - a bot whose conversation is recorded.
 *
 * To a table it is a bot like any other (referee/table/bot.h); the real one, a
 * child or a built-in, sits behind it.  The tap writes down, follows
 * (referee/check/check-watch.h) and measures what passes, and spoils it if the
 * trial says so. */
#ifndef REFEREE_CHECK_TAP_H
#define REFEREE_CHECK_TAP_H

#include <stdbool.h>
#include <stdint.h>

#include "referee/check/check-watch.h"
#include "referee/spawner/bot-child.h"
#include "referee/table/bot.h"

#define TAP_LINES                                                              \
	12		   /* lines of the conversation that are kept around a
			    * fault */
#define TAP_LINE_BYTES 400 /* bytes of each line as it is shown */

/* Changes to a conversation. */
struct tap_orders {
	bool words;	     /* add lines and pairs that the bot cannot know */
	bool drip;	     /* single bytes, each ask in two halves */
	unsigned delay_us;   /* delay before an answer is passed on */
	unsigned spoil_from; /* answers are made illegal from this ask on; 0:
			      * never */
	unsigned end_at;     /* its input ends at this ask; 0: never */
	bool child;	     /* bot_child_look() may be called */
};

/* The last lines, and notes beside them. */
struct tap_lines {
	char line[TAP_LINES][TAP_LINE_BYTES]; /* `< ` sent to it, `> ` said by
					       * it */
	unsigned count;
};

struct tap;

struct tap_calls {
	/* The bot's own seat was charged with a fault. */
	void (*fault)(void *arg, enum fault fault);
	/* The answer to the ask of the last timeout has come, this long after
	 * it. */
	void (*late)(void *arg, uint64_t us);
	/* A line was wrong but is not charged. */
	void (*useless)(void *arg);
	/* The bot has reported a mistake of its own: slip_why of its watch. */
	void (*slipped)(void *arg, enum slip slip);
	/* The bot is broken: FAULT_CRASH if its output has ended;
	 * FAULT_PROTOCOL if it flooded or does not read. watch_why() says more. */
	void (*broken)(void *arg, enum fault fault);
	/* An answer came this long after its ask.  `first`: it is the process's
	 * first. */
	void (*thought)(void *arg, uint64_t us, bool first);
};

/* Puts a tap on a bot and takes it over.  `failed` and `ended` of the returned
 * bot work as usual. */
struct bot *tap_new(struct loop *loop, struct bot *inner) MUST_CHECK;
/* Call it before the first game of a program that has played already; `before`
 * is the watch of its last game. */
void tap_follow(struct bot *tap, const struct watch *before);
/* Begins a game.  `calls` may be NULL. */
void tap_begin(struct bot *tap, unsigned seat, const struct tap_orders *orders,
	       const struct tap_calls *calls, void *arg,
	       struct watch_seen *seen);

/* Tells that the bot has lost its connection and come back. */
void tap_returned(struct bot *tap);
const struct watch *tap_watch(const struct bot *tap);
void tap_last_lines(const struct bot *tap, struct tap_lines *lines);
/* Looks at its process.  Only for a child that has not ended. */
void tap_look(const struct bot *tap, struct bot_look *look);
/* Returns true if it has said a line in any of its games. */
bool tap_has_spoken(const struct bot *tap);

/* The facts about its end, for `ended`. */
struct tap_end {
	bool parted; /* it was let go, and had time to leave */
	uint64_t stderr_bytes;
};
void tap_end(const struct bot *tap, struct tap_end *end);

#endif
