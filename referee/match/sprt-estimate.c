/* referee/match/sprt-estimate.c - estimates how much better a bot is after a
 * test that stopped by itself.
 *
 * The LLR is treated as a Brownian motion.  For a mean s of v its drift and
 * variance a unit are ("GSPRT approximation" of M. Van den Bergh):
 *
 *	drift = (s - (s0 + s1) / 2) (s1 - s0) / w, variance = (s1 - s0)^2 / w,
 *	w = the variance of v as seen
 *
 * (fishtest adds (s - the mean of v)^2 to w.  That hardly matters if the bots
 * differ by little.  Otherwise its interval contains the truth in 93 of 100
 * tests instead of 95, and after a dozen units it can have no end.) */
#include "referee/match/sprt.h"

#include <math.h>

#define ELO_END 1000 /* fishtest searches this far, too */

/* A particle that starts at 0 between absorbing walls. */
struct motion {
	double below, above; /* the walls: below < 0 < above */
	double drift, variance;
};

/* Returns e^x times the share of the normal distribution below z, where x may
 * be so large that only the product is a finite number. */
static double
scaled_normal(double x, double z)
{
	if (z > -10)
		return exp(x) * erfc(-z * M_SQRT1_2) / 2;
	return exp(x - z * z / 2) * (1 / (z * z) - 1) / z / sqrt(2 * M_PI);
}

/* Returns the chance that the particle was absorbed below before `time`, or is
 * below `at` then.  It sums the eigenfunctions of the motion, which suits long
 * times. */
static double
chance_by_series(const struct motion *motion, double time, double at)
{
	const double width = motion->above - motion->below;
	const double gamma = motion->drift / motion->variance;
	const double x = -motion->below, y = at - motion->below;
	const double decay = motion->variance * time / 2;
	double sum = 0, term, k, chance = (width - x) / width;

	/* This is the chance to be absorbed below at any time. */
	if (fabs(gamma * width) > 1e-8)
		chance = expm1(2 * gamma * (width - x)) /
			 expm1(2 * gamma * width);
	for (unsigned n = 1; n < 1000; n++) {
		k = n * M_PI / width;
		term = exp(-decay * (k * k + gamma * gamma) + gamma * (y - x)) *
		       2 / width / (gamma * gamma + k * k);
		sum += term * (gamma * sin(k * y) - k * cos(k * y)) *
		       sin(k * x);
		if (term * (fabs(gamma) + k) < 1e-12)
			break;
	}
	return chance + sum;
}

/* Returns the same chance for short times or strong drifts, when no particle
 * sees both walls. */
static double
chance_by_images(const struct motion *motion, double time, double at)
{
	const double spread = sqrt(motion->variance * time);
	const double gamma = motion->drift / motion->variance;
	const double z = at - motion->drift * time;

	return scaled_normal(0, z / spread) +
	       scaled_normal(2 * gamma * motion->below,
			     (2 * motion->below - at + motion->drift * time) /
				     spread) -
	       scaled_normal(2 * gamma * motion->above,
			     (z - 2 * motion->above) / spread);
}

static double
chance_of_worse(const struct motion *motion, double time, double at)
{
	const double width = motion->above - motion->below;

	if (motion->variance * time < width * width / 100 ||
	    fabs(motion->drift / motion->variance * width) > 15)
		return chance_by_images(motion, time, at);
	return chance_by_series(motion, time, at);
}

/* ---- the difference ------------------------------------------------------ */

struct outcome {
	struct sprt_moments seen;
	double s0, s1;
	double lower, upper; /* bounds of the LLR */
	double time, llr;    /* where the test ended: units; the LLR on a bound
			      * or between */
};

/* Returns the mean of v for an Elo; to_elo() is the inverse. */
static double
to_mean(const struct sprt *sprt, const struct sprt_moments *seen, double elo)
{
	if (sprt->model == SPRT_LOGISTIC)
		return 1 / (1 + pow(10, -elo / 400));
	return .5 + elo * M_LN10 / 800 * sqrt(sprt->games * seen->variance);
}

static double
to_elo(const struct sprt *sprt, const struct sprt_moments *seen, double mean)
{
	if (sprt->model == SPRT_LOGISTIC)
		return 400 * log10(mean / (1 - mean));
	return (mean - .5) * 800 / M_LN10 / sqrt(sprt->games * seen->variance);
}

static struct motion
motion_of(const struct outcome *outcome, double mean)
{
	const double gap = outcome->s1 - outcome->s0;
	const double w = outcome->seen.variance;

	return (struct motion){
		.below = outcome->lower,
		.above = outcome->upper,
		.drift = (mean - (outcome->s0 + outcome->s1) / 2) * gap / w,
		.variance = gap * gap / w,
	};
}

/* Returns the mean of v for which a worse end of the test has the chance
 * `goal`. */
static double
find_mean(const struct outcome *outcome, double goal)
{
	double low = 1 / (1 + pow(10, ELO_END / 400.)), high = 1 - low, middle;
	struct motion motion;

	for (unsigned i = 0; i < 60; i++) {
		middle = (low + high) / 2;
		motion = motion_of(outcome, middle);
		if (chance_of_worse(&motion, outcome->time, outcome->llr) >
		    goal)
			low = middle;
		else
			high = middle;
	}
	return middle;
}

bool
sprt_estimate(const struct sprt *sprt, const struct sprt_sums *sums,
	      struct sprt_estimate *estimate)
{
	struct outcome outcome;
	struct motion motion;
	double bound;

	if ((int64_t)sums->units * sums->squares == sums->sum * sums->sum)
		return false;
	sprt_moments(sprt, sums, &outcome.seen);
	outcome.s0 = to_mean(sprt, &outcome.seen, sprt->elo0);
	outcome.s1 = to_mean(sprt, &outcome.seen, sprt->elo1);
	sprt_bounds(sprt, &outcome.lower, &outcome.upper);
	motion = motion_of(&outcome, outcome.seen.mean);
	outcome.time = outcome.seen.units;
	outcome.llr = motion.drift * outcome.time;
	/* An LLR beyond a bound has met the bound earlier. */
	bound = fmin(fmax(outcome.llr, outcome.lower), outcome.upper);
	if (bound != outcome.llr)
		outcome.time = bound / motion.drift;
	outcome.llr = bound;
	estimate->plain = to_elo(sprt, &outcome.seen, outcome.seen.mean);
	estimate->elo = to_elo(sprt, &outcome.seen, find_mean(&outcome, .5));
	estimate->low = to_elo(sprt, &outcome.seen, find_mean(&outcome, .975));
	estimate->high = to_elo(sprt, &outcome.seen, find_mean(&outcome, .025));
	return true;
}
