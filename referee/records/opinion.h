/* referee/records/opinion.h - the strong bot's opinions on a seat's decisions.
 *
 * A program (sample-bots/strong/opinions.c, which says what it reads and
 * writes) gets what the seat itself was sent, and nothing else: two games in
 * which a seat was sent the same have the same opinions.  This code makes its
 * input from a record, and reads its output, which it does not trust. */
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
#define OPINION_DIGITS 4 /* digits of a value as JSON */
#define OPINION_MOVE 128 /* bytes of a move in words; the rest is cut */
#define OPINION_SENTENCE 512
#define OPINION_DECISIONS 100000 /* decisions read from one program */

struct opinion_value {
	char token[MOVE_BYTES];
	/* The expected share of the other seats that this seat beats, 0 to 1,
	 * and its standard error. */
	double value, error;
};

struct opinion {
	unsigned ask;	/* number of the seat's ask, from 1 */
	unsigned at;	/* lines that the seat had read; the moment in `?at=` */
	unsigned moves; /* number of legal moves */
	bool known;	/* the seat's own move is known */
	struct opinion_value made;
	unsigned tops;
	struct opinion_value best[OPINION_TOP]; /* the best one first */
};

struct opinions {
	struct opinion *opinion; /* owned; in the order of the game */
	unsigned count;
	unsigned choices; /* decisions in all; more than `count` if not all were
			   * judged */
};

/* Writes the program's input for a seat.  The replay must have asks.  Returns
 * 0, or -1 if the marks of a line are not in order. */
int opinion_input(const struct replay *replay, unsigned seat,
		  struct text *to) MUST_CHECK;

/* Reads the program's output.  Returns 0, and the caller releases the opinions;
 * or -1 and a sentence. */
int opinions_read(const char *text, size_t n, struct opinions *opinions,
		  struct error *why) MUST_CHECK;
void opinions_release(struct opinions *opinions);

/* Returns the opinion at this moment, or NULL. */
const struct opinion *opinions_at(const struct opinions *opinions, unsigned at);
/* Returns the decision that lost most, beyond chance, or NULL. */
const struct opinion *opinions_swing(const struct opinions *opinions);

/* Returns the loss of the move against the best one; 0 if the move is unknown. */
double opinion_loss(const struct opinion *opinion);

/* Returns the standard error of that loss. */
double opinion_error(const struct opinion *opinion);
/* Returns true if the move is known, and not worse than the best one by more
 * than the error. */
bool opinion_is_equal(const struct opinion *opinion) MUST_CHECK;

/* Writes `The strong bot would have chosen "play the seven of hearts" (0.61
 * +-0.02); "fold" gave 0.42 +-0.02.` Among equal moves it recommends none. */
void opinion_sentence(const struct opinion *opinion,
		      char sentence[OPINION_SENTENCE]);

json_t *opinion_json(const struct opinion *opinion) MUST_CHECK;
/* Writes each opinion as a line, and a last line with their number and the
 * `swing`. */
void opinions_json(const struct opinions *opinions, struct text *to);

#endif
