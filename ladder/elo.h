/* ladder/elo.h - Elo for a game of n seats, in whole thousandths of a point.
 *
 * Every pair of seats of a game counts as one duel: S is 1, 1/2 or 0 if the
 * first seat is placed before, level with or behind the second; E is what the
 * 400-point logistic expects from the ratings before the game; the first seat
 * gets K / (n - 1) * (S - E) from the second.  That amount is rounded once,
 * half away from zero, added to one rating and taken from the other: the sum of
 * all ratings never changes.
 *
 * Same input, same output, on every machine with IEEE doubles: elo.c calls no
 * function of the maths library whose last bit may differ. */
#ifndef LADDER_ELO_H
#define LADDER_ELO_H

#include <stdint.h>

/* Twice what is expected of a seat that is `gap_milli` >= 0 better, less 1:
 * from 0 to 1.  (1 + elo_lead(g)) / 2 is E of the better, (1 - elo_lead(g)) / 2
 * that of the other. */
double elo_lead(int64_t gap_milli);

/* What seat a gains from seat b by its place: the rounded duel.  `k_milli` is
 * K in thousandths, `seats` at least 2. */
int64_t elo_duel(int64_t a_milli, int64_t b_milli, int a_place, int b_place,
		 int64_t k_milli, unsigned seats);

/* The change of each seat's rating by one game: `seats` ratings before it and
 * places (1 is best, ties equal) in, as many changes out.  They add up to 0. */
void elo_deltas(unsigned seats, const int64_t rating_milli[], const int place[],
		int64_t k_milli, int64_t delta_milli[]);

#endif
