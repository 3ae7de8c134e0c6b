/* referee/games/told.h - the lines of one step, as a viewer was told them.
 *
 * A step is what one move, or `quiet`, or the start of a game leads to.  What
 * the viewer may not see reads `?`, or is the `?` at the end of a word. */
#ifndef REFEREE_GAMES_TOLD_H
#define REFEREE_GAMES_TOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/card.h"
#include "protocol/util.h"

#define TOLD_LINES 128
#define TOLD_WORDS 1024
#define TOLD_BYTES 16384

struct told {
	bool forced; /* the move of this step is a house move that the referee
		      * made */
	unsigned lines, words;
	size_t used;			/* bytes in text */
	uint16_t first[TOLD_LINES + 1]; /* which word line i begins with */
	uint16_t at[TOLD_WORDS];	/* where in text word i begins */
	char text[TOLD_BYTES];		/* words, each ended by a NUL */
};

static inline void
told_clear(struct told *told)
{
	told->forced = false;
	told->lines = told->words = 0;
	told->used = 0;
	told->first[0] = 0;
}

/* One more line of `n` bytes: false if there are too many. */
bool told_add(struct told *told, const char *line, size_t n) MUST_CHECK;

/* How many words line `line` has, the verb counted. */
static inline unsigned
told_count(const struct told *told, unsigned line)
{
	return (unsigned)(told->first[line + 1] - told->first[line]);
}

/* Word `i` of a line, 0 being its verb; empty if it has none. */
static inline const char *
told_word(const struct told *told, unsigned line, unsigned i)
{
	if (line >= told->lines || i >= told_count(told, line))
		return "";
	return told->text + told->at[told->first[line] + i];
}

/* Whether line `line` has this verb. */
bool told_is(const struct told *told, unsigned line, const char *verb);

/* Word 1 as a seat, or SEATS_MAX if it is none. */
unsigned told_seat(const struct told *told, unsigned line);

/* The line `round ...`, or as many as there are lines. */
unsigned told_round(const struct told *told);

/* The piece that word `i` is in full, or -1. */
int told_piece(const struct told *told, unsigned line, unsigned i,
	       const struct deck *deck);

/* The pieces named in full by the words of a line, from word `i` on. */
card_set told_pieces(const struct told *told, unsigned line, unsigned i,
		     const struct deck *deck);

#endif
