/* referee/records/replay.h - shows a record to its viewers, line after line. */
#ifndef REFEREE_REPLAY_H
#define REFEREE_REPLAY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "protocol/record.h"
#include "protocol/util.h"
#include "referee/records/verify.h"

struct asks;
struct replay_wrote;

struct replay_line {
	const char *text; /* in full, NUL-terminated */
	uint32_t n;
	uint32_t number;     /* number of the record's line; for an ask, of the
			   * first line of its decision */
	int8_t ask;	     /* the seat asked; -1: not an ask */
	int8_t charged;	     /* the seat of a fault; -1: not a fault */
	const char *said;    /* for a fault: the charged line, percent-encoded;
			   * NULL: unknown */
	const char *comment; /* comment of the record's line, or NULL */
	bool forfeit;	     /* written after the game, sent to no bot */
	char *owned;	     /* text of an ask; NULL: the text belongs to the
			      * record */
};

struct replay {
	const struct record *record; /* borrowed */
	/* Borrowed: its side file (replay-asks.h); NULL: not shown.  The owner
	 * sets it after replay_init(). */
	const struct asks *asks;
	/* Borrowed: for each seat what it wrote to standard error
	 * (replay-wrote.h); NULL: not shown.  Its owner sets it, too. */
	const struct replay_wrote *wrote;
	struct replay_line *line; /* owned */
	unsigned lines;
};

/* Takes the record's events and leaves out its own `ask` lines.  With `asks`
 * the game is played again to find them.  Returns 0; or -1, and the verdict
 * says why the record cannot be played. */
int replay_init(struct replay *replay, const struct record *record, bool asks,
		struct verdict *verdict) MUST_CHECK;
void replay_release(struct replay *replay);

/* Returns the line where round `round` begins, or -1. */
int replay_round(const struct replay *replay, unsigned round);

/* Returns true if a viewer (a seat or VIEW_…) sees a part of a line.  Only the
 * seat asked and VIEW_ALL see an ask. */
bool replay_visible(const struct replay_line *line, int viewer);

/* Returns the line that is number `at` for a viewer, from 1 and without asks;
 * replay->lines if there is none. */
unsigned replay_find_line(const struct replay *replay, int viewer,
			  unsigned at) MUST_CHECK;

/* Writes a visible line as the viewer reads it, and a NUL. Returns the bytes
 * without the NUL, or -1 if the line's marks are not in order. */
ssize_t replay_text(const struct replay_line *line, int viewer,
		    char text[LINE_REFEREE_BYTES + 1]) MUST_CHECK;

/* Compares two games with the same deal (as in a block), without asks.  Returns
 * the number, from 1, of the first line that differs for spectators, where one
 * game may end; 0 if there is none; -1 if the marks of a line are not in order. */
int replay_difference(const struct replay *one,
		      const struct replay *other) MUST_CHECK;

/* Returns the encoded line that was charged by a fault's line, for its own seat
 * and VIEW_ALL; else NULL. */
const char *replay_said(const struct replay_line *line, int viewer);

#endif
