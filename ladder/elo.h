/* ladder/elo.h - computes Elo for a game of n seats, in whole thousandths of a
 * point.
 *
 * Every pair of seats of a game counts as one duel: S is 1, 1/2 or 0 if the
 * first seat is placed before, level with or behind the second; E is what the
 * 400-point logistic expects from the ratings before the game; the first seat
 * gets K / (n - 1) * (S - E) from the second.  That amount is rounded once,
 * half away from zero, added to one rating and taken from the other: the sum of
 * all ratings never changes.
 *
 * The same input gives the same output on every machine with IEEE doubles,
 * because elo.c calls no function of the maths library whose last bit may
 * differ. */
#ifndef LADDER_ELO_H
#define LADDER_ELO_H

#include <stdint.h>

/* Returns 2 E - 1, from 0 to 1, for a seat that is `gap_milli` >= 0 better. (1
 * + elo_lead(g)) / 2 is E of the better seat, (1 - elo_lead(g)) / 2 that of the
 * other. */
double elo_lead(int64_t gap_milli);

/* Returns what seat a gains from seat b in their duel, rounded.  `k_milli` is K
 * in thousandths; `seats` is at least 2. */
int64_t elo_duel(int64_t a_milli, int64_t b_milli, int a_place, int b_place,
		 int64_t k_milli, unsigned seats);

/* Computes how one game changes each seat's rating.  Takes `seats` ratings
 * before the game and as many places (1 is best, ties are equal), and writes as
 * many changes, which add up to 0. */
void elo_deltas(unsigned seats, const int64_t rating_milli[], const int place[],
		int64_t k_milli, int64_t delta_milli[]);

#endif
