/* referee/check/check-plan.h - plans the games of a check.
 *
 * A trial is one game: seats, options, the seat of the bot, who the others are,
 * and what is out of the ordinary (its style).  These are factors, each with a
 * few levels.  All functions are pure.  The same seed gives the same plan. */
#ifndef REFEREE_CHECK_PLAN_H
#define REFEREE_CHECK_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "referee/games/chance.h"
#include "referee/games/game.h"

/* Unusual things that a referee may do in a game. */
enum check_style {
	CHECK_PLAIN,
	CHECK_WORDS,  /* lines and KEY=VALUE pairs that the bot cannot know */
	CHECK_DRIP,   /* lines come in single bytes, each ask in two halves */
	CHECK_SLOW,   /* the others take their time */
	CHECK_OTHERS, /* the others make faults until they are retired */
	CHECK_BANK,   /* hardly any time for a move, but a bank */
	CHECK_ABORT,  /* the game is aborted */
	CHECK_RETIRE, /* the bot's answers are spoilt until it is retired */
	CHECK_EOF,    /* its input ends in the middle, without a word */
	CHECK_NAMES,  /* the bots are not told who plays, as on a ladder */
	CHECK_STRICT, /* if a box cannot be watched, a refused call ends the bot */
	CHECK_LONG,  /* a game as long as they get */
	CHECK_REUSE, /* three games for one process */
	CHECK_CUT,   /* its connection is cut, and it may come back */
	CHECK_STYLES,
};

/* Returns the style for people, such as "lines in single bytes"; "" for
 * CHECK_PLAIN. */
const char *check_style_text(enum check_style style);

struct check_trial {
	struct game_setup setup;
	enum check_style style;
	uint8_t seat;	 /* seat of the bot */
	bool arrival;	 /* open=arrival */
	bool house;	 /* the others play house moves; else random ones */
	uint8_t at_once; /* games at once, for a bot that plays several */
};

enum check_extent {
	CHECK_QUICK, /* every level of every factor, once */
	CHECK_PAIRS, /* every pair of levels of two factors, once */
	CHECK_ALL,   /* every number of seats with all levels of all options,
		      * and the pairs */
};

struct check_plan {
	struct check_trial *trial; /* owned */
	unsigned count;
};

/* Adds the trials of one game; with `reuse` also those of CHECK_REUSE. */
void check_plan_add(struct check_plan *plan, const struct game_rules *rules,
		    enum check_extent extent, bool reuse,
		    struct chance *chance);
/* Changes the plan for a bot that comes by TCP: styles for a process become
 * styles for a connection. */
void check_plan_by_tcp(struct check_plan *plan);
void check_plan_release(struct check_plan *plan);

/* ---- inside, for its tests -------------------------------------------- */

#define CHECK_FACTORS (OPTIONS_MAX + 5)
#define CHECK_LEVELS 12

/* Factor 0 is the seats.  The options follow, then four factors of the trial. */
struct check_factors {
	const struct game_rules *rules;
	unsigned count;
	unsigned levels[CHECK_FACTORS];
	int16_t level[CHECK_FACTORS]
		     [CHECK_LEVELS]; /* the value of each level */
};

void check_factors_make(struct check_factors *factors,
			const struct game_rules *rules, bool reuse);
/* Makes the trial with one level of each factor.  Returns false if the rules do
 * not allow it. */
bool check_factors_trial(const struct check_factors *factors,
			 const uint8_t at[], struct check_trial *trial);

#endif
