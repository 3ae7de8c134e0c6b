/* referee/records/bracket.h - the bracket of a seeded knockout at two seats: who
 * meets whom in each round, and who goes on.
 *
 * In the first round seed 1 meets the last one, seed 2 the last but one, and so on.
 * The winner takes the better of the two lines.  A bot that meets no one has a bye.
 * So seeds 1 and 2 can meet only in the last round.  Matches come in such an order
 * that the winners of two neighbours meet in the next round. */
#ifndef REFEREE_BRACKET_H
#define REFEREE_BRACKET_H

#include <stdbool.h>

#include "protocol/util.h"
#include "referee/records/tournament-told.h"

#define BRACKET_BOTS 32 /* the most bots of a final */
#define BRACKET_ROUNDS 5

struct bracket_match {
	int bot[2]; /* places in the standings, from 0; -1: not known
					 * yet, or a bye for the other */
	int winner; /* such a place; -1: not known yet */
	bool bye;   /* bot[0] goes on without a game */
	const struct told_table
		*table; /* borrowed; NULL: has not begun, or a bye */
};

struct bracket {
	unsigned rounds;
	/* Round r from 0 has 2^(rounds - 1 - r) matches. */
	struct bracket_match match[BRACKET_ROUNDS][BRACKET_BOTS / 2];
};

/* Returns the least power of two that is not below `bots`. */
unsigned bracket_size(unsigned bots) MUST_CHECK;
/* Returns the line, from 0, of the better bot in match `at` of a round with
 * `matches` matches, which are a power of two. */
unsigned bracket_line(unsigned at, unsigned matches) MUST_CHECK;
/* Returns how many matches the round has. */
unsigned bracket_matches(const struct bracket *bracket,
			 unsigned round) MUST_CHECK;

/* Fills in the bracket.  Returns false if the tournament has none: it is no seeded
 * knockout at two seats, or has more than BRACKET_BOTS bots. */
bool bracket_fill(struct bracket *bracket,
		  const struct tournament_told *told) MUST_CHECK;

/* Writes the name of a round, as "Semi-finals". */
#define BRACKET_NAME 24
void bracket_name(const struct bracket *bracket, unsigned round,
		  char name[BRACKET_NAME]);

#endif
