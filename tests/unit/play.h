/* tests/unit/play.h - plays a game along lines as in a record.
 *
 * The lines script the draws and the moves, and give the expected result:
 *
 *	play_open(&play, "toepen", 2, "points=2");
 *	FOLLOWS(&play, "round 1 0\n"
 *		       "deal 1 {JC QC KC 7C}1\n"
 *		       "deal 0 {7D 8D 9D TD}0\n"
 *		       "ask 0 pass knock mulligan\n"
 *		       "ask 1 play:JC play:QC play:KC play:7C knock mulligan\n"
 *		       "refuse 0 play:7D\n"
 *		       "move 1 play:JC\n");
 *
 * `ask` lines are optional; if a decision has some, they must be those of all
 * asked seats, in the order of the seats, and each list must be equal as a set.
 * `house S TOKEN` says that this is the first of S's list, `refuse S TOKEN`
 * that S may not make this move now.  `fault` lines are skipped. */
#ifndef TESTS_PLAY_H
#define TESTS_PLAY_H

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdint.h>

#include "referee/games/game.h"
#include "tests/unit/words.h"

#define PLAY_LINES 1024
#define PLAY_BYTES 65536

struct play {
	struct chance_script script; /* first: the callback gets its address */
	struct game game;
	struct chance chance;
	struct events ev; /* of the last step */
	bool begun;

	char text[PLAY_BYTES]; /* the lines, each NUL-terminated */
	const char *line[PLAY_LINES];
	unsigned lines;
	unsigned at; /* the next line to be followed */
	char why[1024];
};

/* Makes a new game, not begun; `options` are "NAME=VALUE" separated by a space.  Aborts
 * the program if there is no such game or value. */
void play_open(struct play *play, const char *game, unsigned seats,
	       const char *options);

/* Follows the lines; returns NULL, or the first difference.  A step must be
 * complete, with all lines that follow from a move. */
const char *play_follow(struct play *play, const char *lines);

#define FOLLOWS(play, lines)                                                   \
	do {                                                                   \
		const char *why_ = play_follow(play, lines);                   \
		cr_assert_null(why_, "%s", why_);                              \
	} while (0)

/* ---- random games ----------------------------------------------------- */

struct dice {
	uint64_t state;
};

/* Returns a number below n (1 or more), nearly equally likely. */
unsigned dice_below(struct dice *dice, unsigned n);

/* Returns a random move of this list, a range narrowed to one value. */
struct move dice_move(struct dice *dice, const struct legal *legal);

/* Begins a seeded game up to its first decision, with its first lines in `ev`. */
void play_seeded(struct game *game, const struct game_setup *setup,
		 uint64_t seed, struct chance *chance, struct events *ev);

/* Plays one decision: all asked seats answer at random, and the answer that
 * takes effect is applied.  The lines of this step are in `ev`. */
void play_random(struct game *game, struct dice *dice, struct chance *chance,
		 struct events *ev);

/* Takes the next line of the last step: NUL-terminated in `line`, which has
 * room for LINE_REFEREE_BYTES and a NUL; `*at` is 0 at first.  False: no more.
 */
bool play_next_line(const struct events *ev, size_t *at, char *line);

/* Returns true if the two games have the same bytes, as far as these are in use. */
bool play_same(const struct game *a, const struct game *b);

/* Makes the setup of a game with options as for play_open(). */
void play_setup(struct game_setup *setup, const char *game, unsigned seats,
		const char *options);
/* Does the same as play_setup(), but returns false if the options do not go
 * together. */
bool play_may_setup(struct game_setup *setup, const char *game, unsigned seats,
		    const char *options);

#endif
