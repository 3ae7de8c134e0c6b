/* referee/match/sprt.c - computes the likelihoods of two hypotheses. */
#include "referee/match/sprt.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ladder/milli.h"

#define REGULAR 1e-3 /* replaces a count of 0, as in fishtest */
#define PSEUDO_SQUARE (1. / 16)
#define CLOSE 1e-12
/* The steps towards a law mostly shrink by a factor of five or more; 130 steps
 * were the most seen. */
#define STEPS_MAX 500

/* ---- its text ---------------------------------------------------------- */

const char *const sprt_models[] = {
	[SPRT_NORMALIZED] = "normalized", [SPRT_LOGISTIC] = "logistic"
};

/* Reads a number that may have a sign, or begin with the point like ".05". */
static int
read_number(const char *text, int64_t max_milli, double *number)
{
	char digits[32];
	int64_t milli;
	const bool negative = *text == '-';

	text += negative;
	if ((size_t)snprintf(digits, sizeof(digits), "%s%s",
			     *text == '.' ? "0" : "", text) >= sizeof(digits) ||
	    milli_read(digits, max_milli, &milli) < 0)
		return -1;
	*number = (negative ? -1 : 1) * (double)milli / 1000;
	return 0;
}

static int
read_elo(const char *name, const char *value, double *elo, struct error *why)
{
	if (read_number(value, SPRT_ELO_MAX * INT64_C(1000), elo) == 0)
		return 0;
	return error_set(why, ERROR_INPUT,
			 "--sprt: %s must be a number from -%d to %d with at "
			 "most three decimals, not %s",
			 name, SPRT_ELO_MAX, SPRT_ELO_MAX, quoted(value).text);
}

static int
read_risk(const char *name, const char *value, double *risk, struct error *why)
{
	if (read_number(value, 999, risk) == 0 && *risk > 0)
		return 0;
	return error_set(why, ERROR_INPUT,
			 "--sprt: %s must be a number from 0.001 to 0.999 with "
			 "at most three decimals, not %s",
			 name, quoted(value).text);
}

static int
read_model(const char *value, enum sprt_model *model, struct error *why)
{
	for (unsigned i = 0; i < NELEM(sprt_models); i++) {
		if (strcmp(value, sprt_models[i]) == 0) {
			*model = (enum sprt_model)i;
			return 0;
		}
	}
	return error_set(why, ERROR_INPUT,
			 "--sprt: model must be normalized or logistic, not %s",
			 quoted(value).text);
}

enum part { ELO0, ELO1, ALPHA, BETA, MODEL, PARTS };

static int
read_part(struct sprt *sprt, const char *part, unsigned *given,
	  struct error *why)
{
	static const char *const names[PARTS] = { "elo0", "elo1", "alpha",
						  "beta", "model" };
	const size_t n = strcspn(part, "=");
	const char *value = part + n + 1;
	unsigned i;

	for (i = 0; i < PARTS; i++)
		if (strlen(names[i]) == n && memcmp(part, names[i], n) == 0)
			break;
	if (part[n] == '\0' || i == PARTS)
		return error_set(why, ERROR_INPUT,
				 "--sprt takes " SPRT_FORM ", not %s",
				 quoted(part).text);
	if (*given & 1U << i)
		return error_set(why, ERROR_INPUT, "--sprt: %s is given twice",
				 names[i]);
	*given |= 1U << i;
	switch ((enum part)i) {
	case ELO0:
	case ELO1:
		return read_elo(names[i], value,
				i == ELO0 ? &sprt->elo0 : &sprt->elo1, why);
	case ALPHA:
	case BETA:
		return read_risk(names[i], value,
				 i == ALPHA ? &sprt->alpha : &sprt->beta, why);
	default:
		return read_model(value, &sprt->model, why);
	}
}

int
sprt_parse(struct sprt *sprt, const char *text, struct error *why)
{
	char part[SPRT_TEXT_BYTES];
	unsigned given = 0;
	size_t n;

	sprt->alpha = sprt->beta = .05;
	sprt->model = SPRT_NORMALIZED;
	for (;; text += n + 1) {
		n = strcspn(text, ",");
		snprintf(part, sizeof(part), "%.*s",
			 (int)(n < sizeof(part) ? n : sizeof(part) - 1), text);
		if (read_part(sprt, part, &given, why) < 0)
			return -1;
		if (text[n] == '\0')
			break;
	}
	if ((given & 3) != 3)
		return error_set(why, ERROR_INPUT,
				 "--sprt needs elo0 and elo1, as "
				 "elo0=0,elo1=20");
	if (sprt->elo1 <= sprt->elo0)
		return error_set(why, ERROR_INPUT,
				 "--sprt: elo1 must be more than elo0");
	/* The sum is rounded because .05 + .95 need not be 1. */
	if (lrint((sprt->alpha + sprt->beta) * 1000) >= 1000)
		return error_set(why, ERROR_INPUT,
				 "--sprt: alpha and beta must be less than 1 "
				 "together");
	return 0;
}

void
sprt_write(const struct sprt *sprt, char text[SPRT_TEXT_BYTES])
{
	snprintf(text, SPRT_TEXT_BYTES,
		 "elo0=%.10g,elo1=%.10g,alpha=%.10g,beta=%.10g,model=%s",
		 sprt->elo0, sprt->elo1, sprt->alpha, sprt->beta,
		 sprt_models[sprt->model]);
}

/* ---- units ------------------------------------------------------------- */

double
sprt_value(unsigned seats, unsigned games, int difference)
{
	return .5 + difference / (4. * (seats - 1) * games);
}

/* Returns how many values v has; 0 if there are too many to count each. */
static unsigned
count_bins(const struct sprt *sprt)
{
	return sprt->seats == 2 && sprt->games <= 2 ? 2 * sprt->games + 1 : 0;
}

void
sprt_add(const struct sprt *sprt, struct sprt_sums *sums, int difference)
{
	if (count_bins(sprt) > 0)
		sums->bin[sprt->games + difference / 2]++;
	sums->sum += difference;
	sums->squares += (int64_t)difference * difference;
	sums->units++;
}

/* ---- a law on a few values ---------------------------------------------- */

struct law {
	unsigned n;
	double p[SPRT_BINS];
};

static double
value_of(const struct law *law, unsigned i)
{
	return (double)i / (law->n - 1);
}

/* Returns the law that was counted.  Sets `*units` to the sum of the counts. */
static struct law
empirical(const struct sprt *sprt, const struct sprt_sums *sums, double *units)
{
	struct law law = { .n = count_bins(sprt) };

	*units = 0;
	for (unsigned i = 0; i < law.n; i++) {
		law.p[i] = sums->bin[i] > 0 ? (double)sums->bin[i] : REGULAR;
		*units += law.p[i];
	}
	for (unsigned i = 0; i < law.n; i++)
		law.p[i] /= *units;
	return law;
}

static void
moments(const struct law *law, double *mean, double *variance)
{
	*mean = *variance = 0;
	for (unsigned i = 0; i < law->n; i++)
		*mean += law->p[i] * value_of(law, i);
	for (unsigned i = 0; i < law->n; i++)
		*variance += law->p[i] * (value_of(law, i) - *mean) *
			     (value_of(law, i) - *mean);
}

/* Returns the law p / (1 + x g) with x such that the sum of p g / (1 + x g) is
 * 0.  Among all laws for which g has the mean 0, p is likeliest to be seen
 * under this one.  The root x lies between the poles.  It is given by its
 * distance `u` to the pole on its side, because near a pole x itself would have
 * too few digits.  There 1 + x g is d - u g. */
static struct law
tilt(const struct law *from, const double g[])
{
	struct law to = *from;
	double at_0 = 0, pole, d[SPRT_BINS], u, low, high, f, slope, next;
	unsigned extreme = 0, i;

	for (i = 0; i < from->n; i++)
		at_0 += from->p[i] * g[i];
	for (i = 1; i < from->n; i++)
		if (at_0 > 0 ? g[i] < g[extreme] : g[i] > g[extreme])
			extreme = i;
	pole = -1 / g[extreme];
	for (i = 0; i < from->n; i++)
		d[i] = (g[extreme] - g[i]) / g[extreme];
	/* The bounds hold because no p becomes more than 1, and x = 0 is beyond
	 * the root. */
	low = from->p[extreme] * fabs(pole);
	high = fabs(pole);
	u = high;
	for (unsigned step = 0; step < 200; step++) {
		f = slope = 0;
		for (i = 0; i < from->n; i++) {
			next = d[i] + (at_0 > 0 ? -u : u) * g[i];
			to.p[i] = from->p[i] / next;
			f += to.p[i] * g[i];
			slope += to.p[i] / next * g[i] * g[i];
		}
		/* Change the sign so that f grows with u. */
		if (at_0 < 0)
			f = -f;
		if (f > 0)
			high = u;
		else
			low = u;
		next = u - f / slope;
		if (!(next > low && next < high))
			next = sqrt(low * high);
		if (fabs(next - u) <= 1e-15 * u)
			break;
		u = next;
	}
	return to;
}

/* Returns the law with (mean - 1/2) / deviation = t under which `from` is the
 * likeliest to be seen ("Comments on normalized Elo", section 4.1). */
static struct law
tilt_to_t(const struct law *from, double t)
{
	struct law law = { .n = from->n }, before;
	double g[SPRT_BINS], mean, variance, z, moved = 1;

	for (unsigned i = 0; i < law.n; i++)
		law.p[i] = 1. / law.n;
	for (unsigned step = 0; step < STEPS_MAX && moved >= CLOSE; step++) {
		before = law;
		moments(&law, &mean, &variance);
		for (unsigned i = 0; i < law.n; i++) {
			z = value_of(&law, i) - mean;
			g[i] = value_of(&law, i) - .5 -
			       t * sqrt(variance) * (1 + z * z / variance) / 2;
		}
		law = tilt(from, g);
		moved = 0;
		for (unsigned i = 0; i < law.n; i++)
			moved = fmax(moved, fabs(law.p[i] - before.p[i]));
	}
	return law;
}

/* ---- the test ----------------------------------------------------------- */

/* Returns a normalized Elo in deviations of v. */
static double
deviations(const struct sprt *sprt, double elo)
{
	return elo * M_LN10 / 800 * sqrt(sprt->games);
}

static struct law
law_of(const struct sprt *sprt, const struct law *seen, double elo)
{
	double g[SPRT_BINS];

	if (sprt->model == SPRT_NORMALIZED)
		return tilt_to_t(seen, deviations(sprt, elo));
	for (unsigned i = 0; i < seen->n; i++)
		g[i] = value_of(seen, i) - 1 / (1 + pow(10, -elo / 400));
	return tilt(seen, g);
}

void
sprt_moments(const struct sprt *sprt, const struct sprt_sums *sums,
	     struct sprt_moments *out)
{
	const double width = 4. * (sprt->seats - 1) * sprt->games;
	const double sum = (double)sums->sum / width;
	struct law law;

	if (count_bins(sprt) > 0) {
		law = empirical(sprt, sums, &out->units);
		moments(&law, &out->mean, &out->variance);
		return;
	}
	out->units = (double)sums->units;
	out->mean = .5 + sum / out->units;
	out->variance = ((double)sums->squares / width / width -
			 sum * sum / out->units + PSEUDO_SQUARE) /
			out->units;
}

static double
llr_of_normal(const struct sprt *sprt, const struct sprt_sums *sums)
{
	struct sprt_moments seen;
	double t, below, above;

	sprt_moments(sprt, sums, &seen);
	t = (seen.mean - .5) / sqrt(seen.variance);
	below = t - deviations(sprt, sprt->elo0);
	above = t - deviations(sprt, sprt->elo1);
	return seen.units / 2 * (log1p(below * below) - log1p(above * above));
}

double
sprt_llr(const struct sprt *sprt, const struct sprt_sums *sums)
{
	struct law seen, law0, law1;
	double units, llr = 0;

	if (sums->units == 0)
		return 0;
	if (count_bins(sprt) == 0)
		return llr_of_normal(sprt, sums);
	seen = empirical(sprt, sums, &units);
	law0 = law_of(sprt, &seen, sprt->elo0);
	law1 = law_of(sprt, &seen, sprt->elo1);
	for (unsigned i = 0; i < seen.n; i++)
		llr += seen.p[i] * log(law1.p[i] / law0.p[i]);
	return units * llr;
}

void
sprt_bounds(const struct sprt *sprt, double *lower, double *upper)
{
	*lower = log(sprt->beta / (1 - sprt->alpha));
	*upper = log((1 - sprt->beta) / sprt->alpha);
}

enum sprt_verdict
sprt_judge(const struct sprt *sprt, const struct sprt_sums *sums)
{
	const double llr = sprt_llr(sprt, sums);
	double lower, upper;

	sprt_bounds(sprt, &lower, &upper);
	if (count_bins(sprt) == 0 && sums->units < SPRT_UNITS_MIN)
		return SPRT_OPEN;
	return llr >= upper ? SPRT_H1 : llr <= lower ? SPRT_H0 : SPRT_OPEN;
}
