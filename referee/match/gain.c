/* referee/match/gain.c - see gain.h.
 *
 * Let v_s be a bot's share of the seats beaten in the game of a block in which
 * it sat at s, and r_s = v_s less the mean of its v_s over all blocks with the
 * same bots.  The variance of the mean of n independent games, one in each
 * seat, is sum of var(v_s) / n^2; the variance of a block's mean is var(sum of
 * v_s) / n^2.  So with
 *
 *	a = sum over bots and seats of r_s^2,
 *	c = sum over bots of (sum over seats of r_s)^2
 *
 * for each block, D = sum of a / sum of c.  Both sums lose the same degrees of
 * freedom, m - 1 for m blocks with the same bots, as each mean is one of them.
 * 1 / D is the design effect of L. Kish (Survey Sampling, 1965, 8.2) of a block
 * within strata, its seats.  The variance of D as a ratio of sums sums over
 * blocks of a, c (W. G. Cochran, Sampling Techniques, 1977, 6.3) is
 *
 * sum sums over blocks of a, c of m / (m - 1) (a - D c)^2 / (sum of c)^2
 *
 * From few blocks D comes out too large, because the mean of 1 / c is above 1 /
 * the mean of c.  The excess is the fraction
 *
 * b = sum sums over blocks of a, c of m / (m - 1) (c^2 / (sum of c)^2 - a c /
 * (sum of a * sum of c))
 *
 * of D, to the second order (Cochran, 6.8).  The gain is D / (1 + b), after E.
 * M. L. Beale (M. Tin, Comparison of some ratio estimators, JASA 60, 1965):
 * subtracting b D would overshoot where c is large in few blocks.  The error is
 * Student's t times the root of the variance, plus D - gain, so that the bar
 * still contains the whole bar of D. */
#include "referee/match/gain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "referee/match/standings.h"

/* Shares are kept as whole numbers: 2 for each seat beaten, 1 for each level
 * one. */
struct block {
	unsigned bot[SEATS_MAX]; /* in order; a zero behind the last */
	uint8_t halves[SEATS_MAX][SEATS_MAX]; /* of each bot, by seat */
};

struct gain_blocks {
	unsigned seats;
	struct block *block; /* owned */
	uint64_t games;	     /* games in the blocks */
};

struct gain_blocks *
gain_new(unsigned seats)
{
	struct gain_blocks *blocks = memory(NULL, sizeof(*blocks));

	*blocks = (struct gain_blocks){ .seats = seats };
	return blocks;
}

void
gain_free(struct gain_blocks *blocks)
{
	if (blocks != NULL)
		free(blocks->block);
	free(blocks);
}

static struct block *
begin_block(struct gain_blocks *blocks, const struct match_result *result)
{
	const size_t count = blocks->games / blocks->seats;
	struct block *block;

	blocks->block = grown(blocks->block, count, sizeof(*block));
	block = &blocks->block[count];
	memcpy(block->bot, result->bot, blocks->seats * sizeof(unsigned));
	qsort(block->bot, blocks->seats, sizeof(unsigned), by_unsigned);
	return block;
}

void
gain_add(struct gain_blocks *blocks, const struct match_result *result)
{
	const unsigned n = blocks->seats;
	struct block *block;
	unsigned i;

	block = blocks->games % n == 0 ? begin_block(blocks, result)
				       : &blocks->block[blocks->games / n];
	blocks->games++;
	for (unsigned s = 0; s < n; s++) {
		for (i = 0; block->bot[i] != result->bot[s]; i++)
			continue;
		block->halves[i][s] +=
			(uint8_t)standings_halves(result->place, n, s);
	}
}

/* ---- the gain --------------------------------------------------------- */

static int
by_bots(const void *a, const void *b)
{
	return memcmp(((const struct block *)a)->bot,
		      ((const struct block *)b)->bot,
		      sizeof(((const struct block *)a)->bot));
}

struct sums {
	double a, c;	   /* sums over blocks of a, c */
	double aa, ac, cc; /* sums of products, times m / (m - 1) */
	double freedom;
};

/* Adds `count` blocks with the same bots. */
static void
add_stratum(struct sums *sums, const struct block *first, size_t count,
	    unsigned n)
{
	double mean[SEATS_MAX][SEATS_MAX] = { { 0 } }, a, c, r, row;
	const struct block *block;
	double weight;

	if (count < 2)
		return;
	weight = (double)count / ((double)count - 1);
	for (block = first; block < first + count; block++)
		for (unsigned i = 0; i < n; i++)
			for (unsigned s = 0; s < n; s++)
				mean[i][s] +=
					block->halves[i][s] / (double)count;
	for (block = first; block < first + count; block++) {
		a = c = 0;
		for (unsigned i = 0; i < n; i++) {
			row = 0;
			for (unsigned s = 0; s < n; s++) {
				r = block->halves[i][s] - mean[i][s];
				a += r * r;
				row += r;
			}
			c += row * row;
		}
		sums->a += a;
		sums->c += c;
		sums->aa += weight * a * a;
		sums->ac += weight * a * c;
		sums->cc += weight * c * c;
	}
	sums->freedom += (double)count - 1;
}

struct gain
gain_make(struct gain_blocks *blocks)
{
	struct gain gain = { NAN, NAN };
	struct sums sums = { 0 };
	size_t count, m;
	double variance, ratio, bias;

	if (blocks == NULL)
		return gain;
	count = blocks->games / blocks->seats;
	if (count < STANDING_SETS)
		return gain;
	qsort(blocks->block, count, sizeof(*blocks->block), by_bots);
	for (size_t i = 0; i < count; i += m) {
		for (m = 1;
		     i + m < count &&
		     by_bots(&blocks->block[i], &blocks->block[i + m]) == 0;
		     m++)
			continue;
		add_stratum(&sums, &blocks->block[i], m, blocks->seats);
	}
	/* If all blocks came out alike, rounding of the means may leave a
	 * trace. */
	if (sums.freedom < STANDING_SETS - 1 || sums.c < 1e-9 * (1 + sums.a))
		return gain;
	ratio = sums.a / sums.c;
	variance = (sums.aa - 2 * ratio * sums.ac + ratio * ratio * sums.cc) /
		   sums.c / sums.c;
	bias = (sums.cc / sums.c - sums.ac / sums.a) / sums.c;
	gain.gain = ratio / (1 + bias);
	gain.error =
		student_t(sums.freedom) * sqrt(variance > 0 ? variance : 0) +
		fabs(ratio - gain.gain);
	return gain;
}
