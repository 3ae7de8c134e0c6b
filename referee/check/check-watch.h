/* referee/check/check-watch.h - follows what is sent to a bot and what it says,
 * and describes mistakes in sentences.
 *
 * It does not judge: the seat decides what is a fault (referee/table/seat.h).
 * It knows the line that caused a fault, and mistakes that the referee lets
 * pass.  It is pure: lines in, sentences out. */
#ifndef REFEREE_CHECK_WATCH_H
#define REFEREE_CHECK_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/limits.h"
#include "protocol/line.h"
#include "protocol/message.h"
#include "referee/table/seat.h"

#define WATCH_WHY_BYTES 640
#define WATCH_ASKS 64 /* asks whose end is remembered */

/* Sums over what a bot has been shown. */
struct watch_seen {
	uint64_t asks, voids, ranges;
	unsigned longest_list; /* most tokens of an ask */
	unsigned longest_line; /* most bytes of a line */
	uint64_t entropy;      /* times it was asked for entropy */
	uint64_t retired;      /* other seats that were retired */
	uint64_t over, aborted;
};

enum watch_ask {
	WATCH_NONE,
	WATCH_ASKED,
	WATCH_ANSWERED,
	WATCH_VOID, /* an answer may be under way */
};

/* The verdict on a line of the bot. */
enum watch_verdict {
	WATCH_FINE,
	WATCH_LATE,    /* answers a void ask: not a fault */
	WATCH_USELESS, /* wrong, but passes without a fault */
	WATCH_SLIP,    /* the bot reports its own mistake: slip_why */
	WATCH_SUSPECT, /* a fault if the seat says so; see watch_why() */
};

struct watch {
	unsigned seat;
	uint32_t ask;			     /* number of the last ask */
	enum watch_ask state[WATCH_ASKS];    /* by number modulo WATCH_ASKS */
	enum watch_ask before[WATCH_ASKS];   /* states in the process's last
					      * game */
	char tokens[LINE_REFEREE_BYTES + 1]; /* tokens of the last ask */
	uint64_t ms;			     /* time of the last ask */
	uint32_t late;			     /* the last void ask */
	bool greeted, entropy_wanted;
	bool owed;		     /* a WATCH_SUSPECT is not charged yet */
	unsigned says, useless, bad; /* remarks, useless and broken lines */
	char useless_why[WATCH_WHY_BYTES]; /* about the first useless line */
	unsigned slip[SLIPS];		   /* count of each kind */
	enum slip slipped;		   /* kind of the last slip */
	char slip_why[WATCH_WHY_BYTES];	   /* of the last one */
	char answer[WATCH_WHY_BYTES]; /* of the last one, were it illegal */
	char why[WATCH_WHY_BYTES];    /* of the last WATCH_SUSPECT */
	struct watch_seen *seen;
};

/* Begins a game; `seen` adds up over games. */
void watch_begin(struct watch *watch, unsigned seat, struct watch_seen *seen);

/* Tells that the bot has lost its connection and come back.  It may repeat its
 * last answer, which may have been lost. */
void watch_returned(struct watch *watch);

/* Handles a line to the bot; `line` ends in a NUL. Returns the fault that it
 * charges the bot's own seat with, or FAULT_NONE. */
enum fault watch_sent(struct watch *watch, const char *line, size_t n);

/* Returns true if this line answers a void ask of the process's last game, sent
 * before this game began.  Then it counts as said. */
bool watch_is_stale(struct watch *watch, const char *line, size_t n);

/* Judges a line that the bot has said. */
enum watch_verdict watch_said(struct watch *watch, enum line_result result,
			      const char *line, size_t n);

/* Writes the reason of a fault as a sentence about the bot without its subject,
 * such as "answered ask 17 with `knock`, which was not among `pass`,
 * `mulligan`". */
void watch_why(const struct watch *watch, enum fault fault,
	       char why[WATCH_WHY_BYTES]);

/* Returns true if there were too many useless or broken lines, so that the bot
 * is no longer heard. watch_why() of FAULT_PROTOCOL then says so. */
bool watch_flooded(const struct watch *watch);

/* Returns true if the last ask waits for an answer. */
bool watch_waits(const struct watch *watch);

#endif
