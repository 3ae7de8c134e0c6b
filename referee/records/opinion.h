/* referee/records/opinion.h - what the strong bot thinks of a seat's decisions.
 *
 * A program (sample-bots/strong/opinions.c, which says what it reads and writes)
 * gets what the seat itself was sent, and nothing else: two games in which a seat
 * was sent the same have the same opinions.  Here are its input, made from a
 * record, and its output, which is not believed before it was read. */
#ifndef REFEREE_OPINION_H
#define REFEREE_OPINION_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/games/game.h"
#include "referee/records/replay.h"

#define OPINION_TOP 3
#define OPINION_DIGITS 4 /* of a value as JSON */
#define OPINION_MOVE 128 /* bytes of a move in words; the rest is cut */
#define OPINION_SENTENCE 512
#define OPINION_DECISIONS 100000 /* that are read of one program */

struct opinion_value {
	char token[MOVE_BYTES];
	/* The share of the others that the seat is expected to be placed
	 * before, 0 to 1, and its standard error. */
	double value, error;
};

struct opinion {
	unsigned ask;	/* of this seat, 1 is the first */
	unsigned at;	/* lines that it had been told; the moment in `?at=` */
	unsigned moves; /* that were legal */
	bool known;	/* what the seat answered: */
	struct opinion_value made;
	unsigned tops;
	struct opinion_value best[OPINION_TOP]; /* the best one first */
};

struct opinions {
	struct opinion *opinion; /* owned; in the order of the game */
	unsigned count;
	unsigned choices; /* more than count: not all of them were judged */
};

/* Writes what the program is to read of a seat.  The replay has asks; -1: the
 * marks of a line are not in order. */
int opinion_input(const struct replay *replay, unsigned seat,
		  struct text *to) MUST_CHECK;

/* Reads what it has written: 0, or -1 and a sentence.  Release it in the first
 * case. */
int opinions_read(const char *text, size_t n, struct opinions *opinions,
		  struct error *why) MUST_CHECK;
void opinions_release(struct opinions *opinions);

/* The one at this moment; or NULL. */
const struct opinion *opinions_at(const struct opinions *opinions, unsigned at);
/* The decision that lost most, beyond what may be chance; NULL: none did. */
const struct opinion *opinions_swing(const struct opinions *opinions);

/* What the move has lost against the best one; 0 if it is not known. */
double opinion_loss(const struct opinion *opinion);

/* The standard error of that. */
double opinion_error(const struct opinion *opinion);
/* The move is known, and not worse than the best one by more than the error. */
bool opinion_is_equal(const struct opinion *opinion) MUST_CHECK;

/* `The strong bot would have chosen "play the seven of hearts" (0.61 +-0.02); "fold"
 * gave 0.42 +-0.02.`  Of moves that are equal it recommends none. */
void opinion_sentence(const struct opinion *opinion,
		      char sentence[OPINION_SENTENCE]);

json_t *opinion_json(const struct opinion *opinion) MUST_CHECK;
/* Each as a line, and a last one with how many there are and the `swing`. */
void opinions_json(const struct opinions *opinions, struct text *to);

#endif
