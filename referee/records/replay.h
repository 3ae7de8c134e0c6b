/* referee/records/replay.h - a record as its viewers see it, line after line.
 */
#ifndef REFEREE_REPLAY_H
#define REFEREE_REPLAY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "protocol/record.h"
#include "protocol/util.h"
#include "referee/records/verify.h"

struct asks;

struct replay_line {
	const char *text; /* in full, NUL-terminated */
	uint32_t n;
	uint32_t number;  /* of the record's line; of an ask: of the line that
			   * its decision begins with */
	int8_t ask;	  /* the seat asked, -1: an event */
	int8_t charged;	  /* the seat of a fault, -1: another line */
	const char *said; /* of a fault: what was charged, percent-encoded;
			   * NULL: the record does not say */
	const char *comment; /* of the record's line, or NULL */
	bool forfeit;	     /* written after the game, sent to no bot */
	char *owned;	     /* text of an ask; NULL: it is the record's */
};

struct replay {
	const struct record *record; /* borrowed, lives longer */
	/* Likewise: its side file (replay-asks.h); NULL: it is not shown.  The
	 * owner sets it after replay_init(). */
	const struct asks *asks;
	struct replay_line *line; /* owned */
	unsigned lines;
};

/* Takes the record's events; its own `ask` lines are left out.  With `asks`,
 * the decisions are worked out again: 0, or -1 and the verdict tells why the
 * record cannot be played. */
int replay_init(struct replay *replay, const struct record *record, bool asks,
		struct verdict *verdict) MUST_CHECK;
void replay_release(struct replay *replay);

/* Where round `round` begins, or -1: there is none. */
int replay_round(const struct replay *replay, unsigned round);

/* Whether a viewer (a seat or VIEW_…) sees anything of a line.  Asks are seen
 * by the seat asked and by VIEW_ALL. */
bool replay_visible(const struct replay_line *line, int viewer);

/* The line that a viewer counts as number `at`, from 1, without asks;
 * replay->lines: there is none. */
unsigned replay_find_line(const struct replay *replay, int viewer,
			  unsigned at) MUST_CHECK;

/* Writes what a viewer reads of a visible line, and a NUL: the bytes without
 * the NUL, or -1 if the line's marks are not in order. */
ssize_t replay_text(const struct replay_line *line, int viewer,
		    char text[LINE_REFEREE_BYTES + 1]) MUST_CHECK;

/* Two games with one deal (as in a block), without asks: the number, from 1,
 * of the first line that spectators read otherwise; 0: they read the same.  One
 * game may end there.  -1: the marks of a line are not in order. */
int replay_difference(const struct replay *one,
		      const struct replay *other) MUST_CHECK;

/* What of a fault's line the viewer may know beyond its text: the encoded line
 * that was charged, for its own seat and VIEW_ALL; else NULL. */
const char *replay_said(const struct replay_line *line, int viewer);

#endif
