/* tests/unit/retell.h - plays a round again from another deal.
 *
 * A tale is a random game with all steps of the current round: the position
 * before each, the move that took effect, and the lines. retell_check()
 * resamples the game for a viewer and plays the round again from the new deal:
 * each move must be legal (and the house move if the referee made it), the
 * viewer must be asked and told the same, byte for byte, and at the end the
 * game must be equal to the resampled one. retell() plays it again from any
 * deal, so a test can find the possible deals by trial. */
#ifndef TESTS_UNIT_RETELL_H
#define TESTS_UNIT_RETELL_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/text.h"
#include "tests/unit/play.h"

#define TALE_STEPS 1024
#define TALE_BYTES 262144

struct tale_step {
	struct game before;
	bool start;	   /* the step is the start of the game */
	int seat;	   /* whose move, or -1: `quiet` */
	struct move move;  /* what it was */
	uint32_t at, used; /* its lines in the tale's text */
};

struct tale {
	struct game game;
	struct chance chance;
	struct dice dice;
	unsigned forced;   /* one answer in this many is a fault; 0: none */
	unsigned quiet;	   /* of ten `pass` this many are taken at once */
	unsigned patience; /* moves taken back if they end the round */
	struct events ev;  /* of the last step */
	unsigned steps;	   /* of this round; the first one begins it */
	unsigned round_at; /* in the first step the line `round …` */
	uint32_t used;
	bool too_long; /* some steps of this round are missing */
	struct tale_step step[TALE_STEPS];
	char text[TALE_BYTES];
};

/* Begins a new game, up to its first decision. */
void tale_begin(struct tale *tale, const struct game_setup *setup,
		uint64_t seed);
/* Plays one decision. */
void tale_go_on(struct tale *tale);

/* Returns NULL, or a sentence about what is wrong; `game` is the tale's game,
 * resampled for the viewer. */
const char *retell_check(const struct tale *tale, const struct game *game,
			 int viewer);

/* Does the same as retell() with the hidden pieces of `game`, and adds the full
 * lines of the round from that deal to `to`, each ended by LF. */
const char *retell_lines(const struct tale *tale, const struct game *game,
			 int viewer, struct text *to);

/* Holds the result of game_hidden() for the round, and what a viewer knows
 * about it. */
struct hidden_row {
	unsigned count;
	uint8_t piece[HIDDEN_MAX];
	bool moved[HIDDEN_MAX];	    /* part of a move, not drawn */
	card_set alike[HIDDEN_MAX]; /* pieces that would have read the same */
	uint8_t face_up[64];	    /* number of copies of each piece that were
				     * drawn open */
};

/* Fills in the row of the tale's game. */
void tale_row(const struct tale *tale, int viewer, struct hidden_row *row);

/* Returns NULL if the round is possible with these hidden pieces (as many as
 * there were) and looks the same to the viewer; otherwise a sentence. */
const char *retell(const struct tale *tale, const uint8_t *hidden,
		   unsigned count, int viewer);

/* Writes what the viewer reads of a line of `n` bytes, NUL-terminated, to `out`, which
 * has room for LINE_REFEREE_BYTES and a NUL.  Aborts the program on a bad mark. */
void tale_view(const char *line, size_t n, int viewer, char *out);

#endif
