/* sample-round.h - a round as one viewer was told it, and one deal of it
 * that is tried by playing it again.
 *
 * What is kept of a round: its steps as the viewer reads them, every piece that
 * chance drew, in order, and what was made of the moves that were read in part. */
#ifndef REFEREE_SAMPLE_ROUND_H
#define REFEREE_SAMPLE_ROUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/event.h"
#include "referee/games/chance.h"
#include "referee/games/draws.h"
#include "referee/games/game.h"
#include "sample-view.h"

#define SAMPLE_NO_STEP UINT32_MAX
#define SAMPLE_SCORE_STEP ((uint64_t)1 << 32) /* for each step that is right */

struct sample_step {
	uint32_t at, n;	     /* its lines in the round's text */
	uint32_t first, end; /* its draws */
	bool start, quiet;
	bool partly; /* the viewer has not read all of the move */
	bool marked; /* there is a mark in it, at least for others */
	unsigned seat;
	card_set alike; /* pieces that would read the same in it */
	struct move move;
	uint64_t asked; /* what the viewer is asked then */
};

struct sample_draw {
	uint8_t piece;
	bool hidden;   /* from the viewer, and not of a round before */
	bool marked;   /* drawn into a mark, and not of a round before */
	uint16_t line; /* of its step */
};

/* The stock holds the pieces that can still be drawn; of some there are two. */
struct sample_stock {
	card_set one, twice;
	unsigned first;	 /* draw of this round */
	bool next_round; /* it begins in this step */
};

struct sample_round {
	struct chance_script script; /* first: callbacks get its address */
	struct sample_eye eye;
	bool begun;
	bool is_new; /* the last step is not settled yet: its draws are made as
		      * it is played */
	struct sample_step *step;
	struct sample_draw *draw;
	char *text;
	size_t used, text_room;
	unsigned steps, draws_made, draw_room;
	unsigned hidden_moves; /* steps whose move was read in part */
	card_set named;	       /* pieces that the lines have named */
	struct chance chance;
	struct draws draws; /* for guesses */
	struct events ev;
	struct game before, last; /* the first, the last step of the round */

	/* The round as it is played again. */
	struct game trial;
	unsigned now, next_draw; /* where it is */
	unsigned again;		 /* this step's move becomes another */
	unsigned
		round_at; /* the line `round` of the new step, or TOLD_NO_LINE */
	struct sample_stock stock, old; /* now; before that line */
	struct sample_fit fit;		/* of the step where it goes wrong */
};

/* Begins with a game of which no line has come.  The struct is zeroed, or a round
 * already. */
void sample_round_begin(struct sample_round *round,
			const struct game_setup *setup, int viewer,
			const unsigned char seed[DRAWS_SEED_BYTES]);

/* Adds a step of these lines; what they say is not read. */
struct sample_step *sample_keep_lines(struct sample_round *round,
				      const char *lines, size_t n);

/* Returns the pieces that step `now` names from a place on; `partly`: also those that
 * are read in part. */
card_set sample_named(const struct sample_round *round, unsigned line,
		      unsigned word, bool partly);

/* Plays the round again with its draws and moves, or the trial on from a step.
 * The result grows with what is as the viewer was told; when all is, it is
 * steps * SAMPLE_SCORE_STEP. */
uint64_t sample_try(struct sample_round *round);
uint64_t sample_try_from(struct sample_round *round, unsigned step);

/* Begins a round, which the last step has begun: what was before is settled and
 * forgotten. */
void sample_next_round(struct sample_round *round);

void sample_round_release(struct sample_round *round);

#endif
