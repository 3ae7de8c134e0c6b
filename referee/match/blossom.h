/* referee/match/blossom.h - finds the pairs of the least weight in a graph
 * where any two points may be a pair.
 *
 * J. Edmonds, Paths, trees, and flowers, Canadian Journal of Mathematics 17
 * (1965), in the form with O(n^3) steps of Z. Galil, Efficient algorithms for
 * finding maximum matching in graphs, ACM Computing Surveys 18 (1986).  It
 * computes with whole numbers, so the result is exact and depends on the
 * weights alone. */
#ifndef REFEREE_BLOSSOM_H
#define REFEREE_BLOSSOM_H

#define BLOSSOM_POINTS_MAX 4096

/* Each weight, and the sum of any two, must be below 2^120 and above -2^120. */
typedef __int128 blossom_weight;

/* Sets mate[a] to the partner of point a, for each of `points` points, so that
 * the sum of weight[a * points + mate[a]] is as small as possible.  `points`
 * must be even, and weight[a * points + b] equal to weight[b * points + a]. */
void blossom_match(unsigned points, const blossom_weight weight[],
		   unsigned mate[]);

#endif
