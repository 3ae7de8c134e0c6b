/* told.h - the lines of a step, as a viewer is told them.
 *
 * What the viewer may not see reads `?`, or is the `?` at the end of a word.
 * Lines end with LF, the last one, too; a NUL follows. */
#ifndef REFEREE_TOLD_H
#define REFEREE_TOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/card.h"

#define TOLD_NO_LINE UINT32_MAX

/* Returns word `word` of line `line` of `n` bytes, and its bytes in `*length`; NULL if
 * there is none. */
const char *told_word(const char *text, size_t n, unsigned line, unsigned word,
		      size_t *length);

/* Returns the pieces that a word may be, in which `?` hides the rest; a mere `?` is
 * none. */
card_set told_like(const struct deck *deck, const char *word, size_t n);

/* Returns the pieces of all words and their arguments up to the byte `stop`, or where a
 * round begins; `partly`: also of words that are read in part. */
card_set told_pieces(const struct deck *deck, const char *at, const char *stop,
		     bool partly);

/* Returns the number of the line `round ...`, or TOLD_NO_LINE. */
unsigned told_round(const char *text, size_t n);

#endif
