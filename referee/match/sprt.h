/* referee/match/sprt.h - a sequential test of two bots: is the first better by
 * elo0 or less (H0), or by elo1 or more (H1)?
 *
 * It is the generalised sequential probability ratio test of fishtest (M. Van
 * den Bergh, "Comments on normalized Elo", 2020-22, sections 2 and 4, and
 * "Maximum likelihood estimation for a multinomial distribution", proposition
 * 1.1; fishtest's stats/LLRcalc.py, sprt.py and brownian.py).  After each unit,
 * a set of games that are not independent of each other, the logarithm of the
 * ratio of the likelihoods of H1 and H0 (LLR) is compared with ln(beta / (1 -
 * alpha)) and ln((1 - beta) / alpha).  If the truth is elo0, H1 is accepted
 * with probability about alpha; if it is elo1, H0 is accepted with probability
 * about beta.  A test of very few units is a little less sure.
 *
 * The value of a unit is v = (1 + mean share of the first bot - mean share of
 * the second) / 2, from 0 to 1.  A bot's share of a game is the part of the
 * other seats that it beat; a level seat counts as half.  With mean m and
 * standard deviation s of v:
 *
 *	normalized: nElo = (m - 1/2) / s * 800 / ln(10) / sqrt(games of a unit)
 *	logistic: Elo with m = 1 / (1 + 10^(-Elo / 400)); two seats only
 *
 * With two seats and one or two games a unit v has 3 or 5 values.  Then the
 * likelihoods are those of the counts of these values, and a count of 0 is
 * taken as 1/1000.  Otherwise they are those of normal distributions with the
 * means 1/2 + t_k s of the hypotheses and any deviation (section 4.2): LLR =
 * n/2 ln((1 + (t - t0)^2) / (1 + (t - t1)^2)), t = (m - 1/2)/s.  One more
 * square, 1/16, counts in s, and there is no verdict before SPRT_UNITS_MIN
 * units. */
#ifndef REFEREE_SPRT_H
#define REFEREE_SPRT_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/util.h"

/* Bounds elo0 and elo1 on both sides.  Beyond 220 nElo there may be no law of
 * five values. */
#define SPRT_ELO_MAX 200
#define SPRT_UNITS_MIN 10 /* applies if v has more than five values */
#define SPRT_BINS 5
#define SPRT_FORM                                                              \
	"elo0=ELO,elo1=ELO[,alpha=P][,beta=P][,model=normalized|logistic]"
#define SPRT_TEXT_BYTES 128

enum sprt_model { SPRT_NORMALIZED, SPRT_LOGISTIC };
extern const char *const sprt_models[];

/* The test and the size of its units. */
struct sprt {
	double elo0, elo1, alpha, beta;
	enum sprt_model model;
	unsigned seats, games; /* seats and games of a unit */
};

/* The results so far. */
struct sprt_sums {
	uint64_t units;
	uint64_t bin[SPRT_BINS]; /* units by v, with two seats */
	int64_t sum, squares;	 /* of the differences given to sprt_add() */
};

enum sprt_verdict { SPRT_OPEN, SPRT_H0, SPRT_H1 };

/* Reads SPRT_FORM, whose parts may stand in any order. elo0 and elo1 must be
 * there; alpha and beta default to .05, the model to normalized.  Leaves
 * `seats` and `games` alone.  Returns 0, or -1 and ERROR_INPUT. */
int sprt_parse(struct sprt *sprt, const char *text,
	       struct error *why) MUST_CHECK;
/* Writes the test as sprt_parse() reads it, complete and always in the same
 * form. */
void sprt_write(const struct sprt *sprt, char text[SPRT_TEXT_BYTES]);

/* Adds a unit.  `difference` is how many more of the other seats the first bot
 * has beaten than the second, over all games of the unit, in halves (2 for each
 * seat beaten, 1 for each level one). */
void sprt_add(const struct sprt *sprt, struct sprt_sums *sums, int difference);
/* Returns v of such a difference. */
double sprt_value(unsigned seats, unsigned games, int difference);

/* The moments of v as the test takes them.  There must be a unit. */
struct sprt_moments {
	double units, mean, variance;
};

void sprt_moments(const struct sprt *sprt, const struct sprt_sums *sums,
		  struct sprt_moments *out);

double sprt_llr(const struct sprt *sprt, const struct sprt_sums *sums);
/* Sets the bounds of the LLR: H0 is accepted at or below the lower bound, H1 at
 * or above the upper. */
void sprt_bounds(const struct sprt *sprt, double *lower, double *upper);
enum sprt_verdict sprt_judge(const struct sprt *sprt,
			     const struct sprt_sums *sums);

/* The size of the difference by the test, in Elo of its model.  The plain mean
 * is biased, because a test that stops when it has seen enough has seen too
 * much of the winner. */
struct sprt_estimate {
	double plain;	       /* from the mean; biased by stopping */
	double elo, low, high; /* median-unbiased, with a 95 % interval: the
			        * differences for which a worse end of the test
			        * has probability .5, .975, .025; between -1000
			        * and 1000 logistic Elo */
};

/* Estimates the difference with Brownian motion between the bounds, like
 * fishtest's sprt.py (D. Siegmund, Sequential Analysis, 1985, III.2, III.5).
 * Returns false if all units came out alike or there is none. */
bool sprt_estimate(const struct sprt *sprt, const struct sprt_sums *sums,
		   struct sprt_estimate *estimate) MUST_CHECK;

#endif
