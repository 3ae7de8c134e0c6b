/* tests/unit/secrets.h - a second statement of who may read what.
 *
 * It has the lists of hidden information in the rules, by line and token, and
 * ignores the marks: for a full line of a record it says what a viewer may
 * read.  It shares no code with the marking and redaction. */
#ifndef TESTS_UNIT_SECRETS_H
#define TESTS_UNIT_SECRETS_H

#include <stdbool.h>

#include "referee/games/game.h"

#define SHOWN_MAX 64

/* Holds what the lines so far decide about who may read the next ones. */
struct secrets {
	const char *game;
	unsigned seats;
	unsigned talon; /* Durnius: cards left, the trump card included */
	bool no_talon;	/* Durnius: there is none, so the dealer's last card */
	int dealer;	/* lies open */

	/* Holds for Daumen drauf the cards shown in this turn, in order. */
	struct {
		char card[4];
		int by;
		bool open;
	} shown[SHOWN_MAX];
	unsigned shows;
};

void secrets_begin(struct secrets *secrets, const struct game_setup *setup);

/* Writes what `viewer` (a seat, or -1 for the public) may read of a full line with its
 * marks, NUL-terminated, to `out`, which has room for LINE_REFEREE_BYTES and a NUL. */
void secrets_view(const struct secrets *secrets, const char *line, int viewer,
		  char *out);

/* Takes in the line after all viewers have read it. */
void secrets_go_on(struct secrets *secrets, const char *line);

#endif
