/* ladder/fit-solve.c - where the likelihood is largest: Newton's steps, each by
 * preconditioned conjugate gradients, so that H is never written down.
 *
 * Games are walked in the order in which they came, so that the same games give
 * the same digits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/fit-inside.h"
#include "protocol/limits.h"

#define STEP_CAP 2.0	  /* of one strength in one step */
#define CLOSE_ENOUGH 1e-7 /* the largest gradient over its curvature */
#define STEPS_MAX 200
#define FAR                                                                    \
	340 /* |x| from here on is taken for this: the powers' squares
		 * stay finite */

/* What one solution of H z = c needs. */
struct divide {
	double *z, *rest, *way, *product;
};

static void
set_powers(struct fit *fit)
{
	unsigned b;

	for (b = 0; b < fit->bots; b++)
		fit->power[b] = exp(fmin(fmax(fit->x[b], -FAR), FAR));
}

/* The games' part of the gradient and of the diagonal of H. */
static void
add_game(struct fit *fit, size_t g)
{
	struct fit_table table;
	const unsigned *bot = table.bot;
	unsigned n, s, t;
	double weight, p, gain, bend;

	fit_read(fit, g, &table);
	n = table.seats;
	weight = 1.0 / (n - 1);
	for (s = 0; s < n; s++)
		for (t = s + 1; t < n; t++) {
			if (bot[s] == bot[t])
				continue;
			p = fit_expect(fit->power[bot[s]], fit->power[bot[t]]);
			gain = weight *
			       (fit_score(table.place[s], table.place[t]) - p);
			bend = weight * p * (1 - p);
			fit->gradient[bot[s]] += gain;
			fit->gradient[bot[t]] -= gain;
			fit->diagonal[bot[s]] += bend;
			fit->diagonal[bot[t]] += bend;
		}
}

static double
mean_of(const struct fit *fit, const double v[])
{
	double sum = 0;
	unsigned b;

	for (b = 0; b < fit->bots; b++)
		sum += v[b];
	return fit->bots > 0 ? sum / fit->bots : 0;
}

static void
add_ties(struct fit *fit)
{
	const struct fit_tied *tie;
	double pull;

	for (tie = fit->tie; tie < fit->tie + fit->ties; tie++) {
		pull = fit->pull * (fit->x[tie->a] - fit->x[tie->b]);
		fit->gradient[tie->a] -= pull;
		fit->gradient[tie->b] += pull;
		fit->diagonal[tie->a] += fit->pull;
		fit->diagonal[tie->b] += fit->pull;
	}
}

/* Gradient and diagonal at x. */
static void
look_around(struct fit *fit)
{
	double mean = mean_of(fit, fit->x);
	unsigned b;
	size_t g;

	set_powers(fit);
	for (b = 0; b < fit->bots; b++) {
		fit->gradient[b] = -fit->tau * (fit->x[b] - mean);
		fit->diagonal[b] = fit->tau * (1 - 1.0 / fit->bots);
	}
	for (g = 0; g < fit->games; g++)
		add_game(fit, g);
	add_ties(fit);
	for (b = 0; b < fit->bots; b++)
		if (fit->name[b].anchored)
			fit->gradient[b] = 0;
}

/* ---- H z = c ---------------------------------------------------------- */

static void
multiply_game(const struct fit *fit, size_t g, const double v[], double out[])
{
	struct fit_table table;
	const unsigned *bot = table.bot;
	unsigned n, s, t;
	double weight, a, b, flow;

	fit_read(fit, g, &table);
	n = table.seats;
	weight = 1.0 / (n - 1);
	for (s = 0; s < n; s++)
		for (t = s + 1; t < n; t++) {
			a = fit->power[bot[s]];
			b = fit->power[bot[t]];
			flow = weight * a * b / ((a + b) * (a + b)) *
			       (v[bot[s]] - v[bot[t]]);
			out[bot[s]] += flow;
			out[bot[t]] -= flow;
		}
}

/* H v.  Without anchors nothing says where the mean is: 11'/N does. */
static void
multiply(const struct fit *fit, const double v[], double out[])
{
	const struct fit_tied *tie;
	double mean = mean_of(fit, v), pull;
	unsigned b;
	size_t g;

	for (b = 0; b < fit->bots; b++)
		out[b] = fit->tau * (v[b] - mean) +
			 (fit->anchors > 0 ? 0 : mean);
	for (g = 0; g < fit->games; g++)
		multiply_game(fit, g, v, out);
	for (tie = fit->tie; tie < fit->tie + fit->ties; tie++) {
		pull = fit->pull * (v[tie->a] - v[tie->b]);
		out[tie->a] += pull;
		out[tie->b] -= pull;
	}
	for (b = 0; b < fit->bots; b++)
		if (fit->name[b].anchored)
			out[b] = 0;
}

/* Jacobi's preconditioner; a bot that only played itself has no curvature. */
static double
soften(const struct fit *fit, unsigned b, double value)
{
	double bend = fit->diagonal[b];

	if (fit->anchors == 0)
		bend += 1.0 / fit->bots;
	return fit->name[b].anchored || bend <= 0 ? 0 : value / bend;
}

static double
soft_square(const struct fit *fit, const double rest[])
{
	double sum = 0;
	unsigned b;

	for (b = 0; b < fit->bots; b++)
		sum += rest[b] * soften(fit, b, rest[b]);
	return sum;
}

/* One step on the way; the new square. */
static double
go(const struct fit *fit, struct divide *divide, double square)
{
	double bend = 0, far, next;
	unsigned b;

	multiply(fit, divide->way, divide->product);
	for (b = 0; b < fit->bots; b++)
		bend += divide->way[b] * divide->product[b];
	if (bend <= 0)
		return 0; /* nothing left but rounding */
	far = square / bend;
	for (b = 0; b < fit->bots; b++) {
		divide->z[b] += far * divide->way[b];
		divide->rest[b] -= far * divide->product[b];
	}
	next = soft_square(fit, divide->rest);
	for (b = 0; b < fit->bots; b++)
		divide->way[b] = soften(fit, b, divide->rest[b]) +
				 next / square * divide->way[b];
	return next;
}

/* Until what is left of c is `part` of it. */
static void
divide_until(const struct fit *fit, const double c[], double z[], double part)
{
	size_t n = fit->bots, i;
	double *room = memory(NULL, (3 * n + 1) * sizeof(*room));
	struct divide divide = {
		.z = z, .rest = room, .way = room + n, .product = room + 2 * n
	};
	double square, end;

	for (i = 0; i < n; i++) {
		z[i] = 0;
		divide.rest[i] = fit->name[i].anchored ? 0 : c[i];
		divide.way[i] = soften(fit, (unsigned)i, divide.rest[i]);
	}
	square = soft_square(fit, divide.rest);
	end = square * part * part;
	for (i = 0; square > end && i < 4 * n + 100; i++)
		square = go(fit, &divide, square);
	free(room);
}

void
fit_divide(struct fit *fit, const double c[], double z[])
{
	divide_until(fit, c, z, 1e-9);
}

/* ---- climbing --------------------------------------------------------- */

static double
distance(const struct fit *fit)
{
	double far = 0, one;
	unsigned b;

	for (b = 0; b < fit->bots; b++) {
		one = fabs(soften(fit, b, fit->gradient[b]));
		/* Also where it is no number. */
		if (!(one <= far))
			far = one;
	}
	return far;
}

static double
slope(const struct fit *fit, const double step[])
{
	double sum = 0;
	unsigned b;

	for (b = 0; b < fit->bots; b++)
		sum += fit->gradient[b] * step[b];
	return sum;
}

/* Without anchors the mean stays where it is, whatever is left of the way. */
static void
centre(const struct fit *fit, double step[])
{
	double mean = fit->anchors > 0 ? 0 : mean_of(fit, step);
	unsigned b;

	for (b = 0; b < fit->bots; b++)
		step[b] -= mean;
}

/* Makes the step, or half of it, or a quarter, …: until it does not go down
 * behind the top as steeply as it went up before. */
static void
walk(struct fit *fit, double step[])
{
	double before = slope(fit, step), longest = 0, part = 1;
	unsigned b, i;

	for (b = 0; b < fit->bots; b++)
		longest = fmax(longest, fabs(step[b]));
	if (longest > STEP_CAP)
		part = STEP_CAP / longest;
	for (b = 0; b < fit->bots; b++)
		fit->x[b] += part * step[b];
	look_around(fit);
	for (i = 0; i < 30 && slope(fit, step) < -0.9 * before; i++) {
		part /= 2;
		for (b = 0; b < fit->bots; b++)
			fit->x[b] -= part * step[b];
		look_around(fit);
	}
}

int
fit_climb(struct fit *fit, struct error *why)
{
	double *step = memory(NULL, (fit->bots + (size_t)1) * sizeof(*step));
	unsigned b, steps = 0;
	double far;

	for (b = 0; b < fit->bots; b++)
		fit->x[b] = fit->name[b].anchored ? fit->name[b].anchor
						  : fit->middle;
	look_around(fit);
	for (far = distance(fit); far >= CLOSE_ENOUGH && steps < STEPS_MAX;
	     far = distance(fit), steps++) {
		divide_until(fit, fit->gradient, step,
			     fmin(1e-3, fmax(far / 10, 1e-6)));
		centre(fit, step);
		walk(fit, step);
	}
	free(step);
	if (far < CLOSE_ENOUGH)
		return 0;
	return error_set(why, ERROR_INPUT,
			 "the ratings lie too far apart for a fit; give it a "
			 "prior, as --prior %d",
			 FIT_PRIOR);
}
