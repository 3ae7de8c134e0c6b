/* sample-view.h - a round that was played again, beside what a viewer
 * was told of it. */
#ifndef REFEREE_SAMPLE_VIEW_H
#define REFEREE_SAMPLE_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/card.h"
#include "protocol/event.h"

struct sample_eye {
	const struct deck *deck;
	int viewer; /* a seat or VIEW_PUBLIC */
};

/* Says how well the lines of a step do: how many are the same, a number that grows with
 * all that is, and in the first line that differs the pieces that should be in it and
 * those that are. */
struct sample_fit {
	unsigned lines;
	size_t agreed; /* below 2 to the power of 32 */
	card_set wanted, got;
};

/* Returns true if the viewer would read `ev` as the `n` bytes that it was told.  Adds
 * to `fit`. */
bool sample_same_lines(const struct sample_eye *eye, const char *told, size_t n,
		       const struct events *ev, struct sample_fit *fit);

#endif
