/* referee/check/check-watch.h - follows what is sent to a bot and what it says,
 * and puts what is wrong into sentences.
 *
 * It judges nothing: what is a fault the seat says (referee/table/seat.h).  It
 * knows the line that made it one, and what the referee lets pass without a
 * fault. Pure: lines in, sentences out. */
#ifndef REFEREE_CHECK_WATCH_H
#define REFEREE_CHECK_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/limits.h"
#include "protocol/line.h"
#include "protocol/message.h"
#include "protocol/util.h"
#include "referee/table/seat.h"

#define WATCH_WHY_BYTES 640
#define WATCH_ASKS 64 /* whose end is remembered */

/* What a bot has been shown, summed up. */
struct watch_seen {
	uint64_t asks, voids, ranges;
	unsigned longest_list; /* tokens of an ask */
	unsigned longest_line; /* bytes of a line */
	uint64_t entropy;      /* times it was asked for some */
	uint64_t retired;      /* other seats, as their faults tell */
	uint64_t over, aborted;
};

enum watch_ask {
	WATCH_NONE,
	WATCH_ASKED,
	WATCH_ANSWERED,
	WATCH_VOID, /* an answer may be on its way */
};

/* What a line of the bot's was. */
enum watch_verdict {
	WATCH_FINE,
	WATCH_LATE,    /* to an ask that is void: nobody's fault */
	WATCH_USELESS, /* passes without a fault, and is wrong all the same */
	WATCH_SLIP,    /* it tells of a mistake of its own: slip_why */
	WATCH_SUSPECT, /* a fault, if the seat finds so; see watch_why() */
};

struct watch {
	unsigned seat;
	uint32_t ask;			     /* number of the last one */
	enum watch_ask state[WATCH_ASKS];    /* by number modulo WATCH_ASKS */
	enum watch_ask before[WATCH_ASKS];   /* in the process's last game */
	char tokens[LINE_REFEREE_BYTES + 1]; /* of the last ask */
	uint64_t ms;			     /* it had */
	uint32_t late;			     /* the last that was void */
	bool greeted, entropy_wanted;
	bool owed; /* a WATCH_SUSPECT that was not charged yet */
	unsigned says, useless, bad; /* remarks, useless and broken lines */
	char useless_why[WATCH_WHY_BYTES]; /* of the first one */
	unsigned slip[SLIPS];		   /* so many */
	enum slip slipped;		   /* the last one */
	char slip_why[WATCH_WHY_BYTES];	   /* of the last one */
	char answer[WATCH_WHY_BYTES]; /* of the last one, were it illegal */
	char why[WATCH_WHY_BYTES];    /* of the last WATCH_SUSPECT */
	struct watch_seen *seen;
};

/* A game begins; `seen` goes on from game to game. */
void watch_begin(struct watch *watch, unsigned seat, struct watch_seen *seen);

/* The bot has lost its connection and come back: it may say its last answer
 * again, which may have been lost. */
void watch_returned(struct watch *watch);

/* A line is on its way to the bot; `line` ends in a NUL.  If it charges the
 * bot's own seat with a fault, which one; else FAULT_NONE. */
enum fault watch_sent(struct watch *watch, const char *line, size_t n);

/* Whether this line answers a void ask of the process's last game: it was on
 * its way when this game began.  It is taken as said. */
bool watch_is_stale(struct watch *watch, const char *line, size_t n);

/* The bot has said this line. */
enum watch_verdict watch_said(struct watch *watch, enum line_result result,
			      const char *line, size_t n);

/* What a fault was for, as a sentence about the bot without its subject:
 * "answered ask 17 with `knock`, which was not among `pass`, `mulligan`". */
void watch_why(const struct watch *watch, enum fault fault,
	       char why[WATCH_WHY_BYTES]);

/* Whether there were so many useless or broken lines that nobody listens any
 * more; why() of FAULT_PROTOCOL says so then. */
bool watch_flooded(const struct watch *watch);

/* Whether the last ask waits for an answer. */
bool watch_waits(const struct watch *watch);

#endif
