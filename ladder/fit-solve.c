/* ladder/fit-solve.c - finds where the likelihood is largest, by Newton's
 * steps.  Each is solved by preconditioned conjugate gradients, so that H is
 * never written down.
 *
 * Games are walked in the order in which they came, so that the same games give
 * the same digits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/fit-inside.h"

#define STEP_CAP 2.0	  /* the most that a strength moves in the first step */
#define CLOSE_ENOUGH 1e-7 /* limit of the largest gradient over its curvature */
#define STEPS_MAX 200
#define LEVEL 1e-6 /* a curvature; below it a bot's place is unknown */
#define POWER_FAR                                                              \
	340 /* |x| from here on is taken for this: the powers' squares
		 * stay finite */

/* Vectors for one solution of (H + K) z = c. */
struct divide {
	double *z, *rest, *way, *product;
};

double
fit_virtual_weight(const struct fit *fit, unsigned bot)
{
	const struct fit_name *name = &fit->name[bot];
	double games = (double)name->met;

	if (!fit->prior)
		return 0;
	return games > 0 ? name->virtual / games * FIT_FADE / (FIT_FADE + games)
			 : 1;
}

/* Sets x of each bot from its node's, the mean of all x, and their powers. */
static void
spread_strengths(struct fit *fit)
{
	fit->mean = 0;
	for (unsigned b = 0; b < fit->bots; b++) {
		fit->x[b] = fit->x[fit->node[b]] + fit->offset[b];
		fit->mean += fit->x[b] / fit->bots;
		fit->power[b] =
			exp(fmin(fmax(fit->x[b], -POWER_FAR), POWER_FAR));
	}
}

static void
add_duel(struct fit *fit, const struct fit_duel *duel)
{
	double p = fit_expect(duel->pa, duel->pb);
	double gain = duel->weight * (duel->won - p), bend = fit_bend(duel);

	fit->gradient[duel->a] += gain;
	fit->gradient[duel->b] -= gain;
	fit->diagonal[duel->a] += bend;
	fit->diagonal[duel->b] += bend;
}

/* Adds each bot's virtual game against the mean, which moves with the bot. */
static void
add_virtual_games(struct fit *fit)
{
	double sum = 0, p, weight;

	for (unsigned b = 0; b < fit->bots; b++) {
		weight = fit_virtual_weight(fit, b);
		p = 1 / (1 + exp(fit->mean - fit->x[b]));
		fit->bend[b] = weight * p * (1 - p);
		fit->gradient[fit->node[b]] += weight * (0.5 - p);
		fit->diagonal[fit->node[b]] += fit->bend[b];
		sum += weight * (0.5 - p);
	}
	for (unsigned b = 0; b < fit->bots; b++)
		fit->gradient[fit->node[b]] -= sum / fit->bots;
}

/* Computes gradient and diagonal at x. */
static void
look_around(struct fit *fit)
{
	struct fit_duel duel[FIT_DUELS_MAX];
	unsigned n = fit->bots, i, count;

	spread_strengths(fit);
	memset(fit->gradient, 0, n * sizeof(*fit->gradient));
	memset(fit->diagonal, 0, n * sizeof(*fit->diagonal));
	add_virtual_games(fit);
	for (size_t g = 0; g < fit->games; g++) {
		count = fit_duels_of(fit, g, duel);
		for (i = 0; i < count; i++)
			add_duel(fit, &duel[i]);
	}
	for (i = 0; i < fit->ties; i++)
		if (fit_tie_duel(fit, i, duel))
			add_duel(fit, duel);
}

/* ---- (H + K) z = c ---------------------------------------------------- */

static void
multiply_duel(const struct fit_duel *duel, const double v[], double out[])
{
	double flow = fit_bend(duel) * (v[duel->a] - v[duel->b]);

	out[duel->a] += flow;
	out[duel->b] -= flow;
}

/* A fit of many games spends its time here. */
void
fit_multiply_games(const struct fit *fit, const double v[], double out[])
{
	unsigned n, s, t, node[SEATS_MAX];
	double power[SEATS_MAX], value[SEATS_MAX], sum[SEATS_MAX], both, flow;
	struct fit_table table;

	memset(out, 0, fit->bots * sizeof(*out));
	for (size_t g = 0; g < fit->games; g++) {
		fit_read(fit, g, &table);
		n = table.seats;
		for (s = 0; s < n; s++) {
			node[s] = fit->node[table.bot[s]];
			power[s] = fit->power[table.bot[s]];
			value[s] = v[node[s]];
			sum[s] = 0;
		}
		for (s = 0; s < n; s++)
			for (t = s + 1; t < n; t++) {
				both = power[s] + power[t];
				flow = power[s] * power[t] / (both * both) *
				       (value[s] - value[t]);
				sum[s] += flow;
				sum[t] -= flow;
			}
		for (s = 0; s < n; s++)
			out[node[s]] += sum[s] / (n - 1);
	}
}

/* Returns the mean of v over the bots, each with its node's value. */
static double
mean_of(const struct fit *fit, const double v[])
{
	double sum = 0;

	for (unsigned b = 0; b < fit->bots; b++)
		sum += v[fit->node[b]];
	return fit->bots > 0 ? sum / fit->bots : 0;
}

void
fit_multiply_prior(const struct fit *fit, const double v[], double out[])
{
	double mean = mean_of(fit, v), sum = 0, pull;
	struct fit_duel duel;

	memset(out, 0, fit->bots * sizeof(*out));
	for (unsigned b = 0; b < fit->bots; b++) {
		pull = fit->bend[b] * (v[fit->node[b]] - mean);
		out[fit->node[b]] += pull;
		sum += pull;
	}
	for (unsigned b = 0; b < fit->bots; b++)
		out[fit->node[b]] -= sum / fit->bots;
	for (unsigned i = 0; i < fit->ties; i++)
		if (fit_tie_duel(fit, i, &duel))
			multiply_duel(&duel, v, out);
}

/* Computes (H + K) v.  H + K does not determine the mean, so a term for it is
 * added. */
static void
multiply(const struct fit *fit, const double v[], double out[], double room[])
{
	double mean = mean_of(fit, v);

	fit_multiply_games(fit, v, out);
	fit_multiply_prior(fit, v, room);
	for (unsigned b = 0; b < fit->bots; b++) {
		out[b] += room[b];
		out[fit->node[b]] += mean;
	}
}

/* Applies Jacobi's preconditioner.  A bot that only played itself has no
 * curvature, nor has one that is no node. */
static double
soften(const struct fit *fit, unsigned b, double value)
{
	double bend = fit->diagonal[b];

	return bend <= 0 ? 0 : value / (bend + 1.0 / fit->bots);
}

static double
soft_square(const struct fit *fit, const double rest[])
{
	double sum = 0;

	for (unsigned b = 0; b < fit->bots; b++)
		sum += rest[b] * soften(fit, b, rest[b]);
	return sum;
}

/* Makes one step on the way, and returns the new square. */
static double
go(const struct fit *fit, struct divide *divide, double square)
{
	double bend = 0, far, next;

	multiply(fit, divide->way, divide->product,
		 divide->product + fit->bots);
	for (unsigned b = 0; b < fit->bots; b++)
		bend += divide->way[b] * divide->product[b];
	if (bend <= 0)
		return 0; /* nothing is left but rounding errors */
	far = square / bend;
	for (unsigned b = 0; b < fit->bots; b++) {
		divide->z[b] += far * divide->way[b];
		divide->rest[b] -= far * divide->product[b];
	}
	next = soft_square(fit, divide->rest);
	for (unsigned b = 0; b < fit->bots; b++)
		divide->way[b] = soften(fit, b, divide->rest[b]) +
				 next / square * divide->way[b];
	return next;
}

/* Solves (H + K) z = c until the rest is at most `part` of c. */
static void
divide_until(const struct fit *fit, const double c[], double z[], double part)
{
	size_t n = fit->bots, i;
	double *room = memory(NULL, (4 * n + 1) * sizeof(*room));
	struct divide divide = {
		.z = z, .rest = room, .way = room + n, .product = room + 2 * n
	};
	double square, end;

	for (i = 0; i < n; i++) {
		z[i] = 0;
		divide.rest[i] = c[i];
		divide.way[i] = soften(fit, (unsigned)i, divide.rest[i]);
	}
	square = soft_square(fit, divide.rest);
	end = square * part * part;
	for (i = 0; square > end && i < 4 * n + 100; i++)
		square = go(fit, &divide, square);
	free(room);
}

void
fit_divide(const struct fit *fit, const double c[], double z[])
{
	divide_until(fit, c, z, 1e-9);
}

/* ---- climbing --------------------------------------------------------- */

static double
distance(const struct fit *fit)
{
	double far = 0, one;

	for (unsigned b = 0; b < fit->bots; b++) {
		one = fabs(soften(fit, b, fit->gradient[b]));
		/* This also holds if it is not a number. */
		if (!(one <= far))
			far = one;
	}
	return far;
}

static double
slope(const struct fit *fit, const double step[])
{
	double sum = 0;

	for (unsigned b = 0; b < fit->bots; b++)
		sum += fit->gradient[b] * step[b];
	return sum;
}

static void
move(struct fit *fit, const double step[], double part)
{
	for (unsigned b = 0; b < fit->bots; b++)
		if (fit->node[b] == b)
			fit->x[b] += part * step[b];
	look_around(fit);
}

/* Makes the step, or half of it, or a quarter, …: the first that does not go
 * down behind the top as steeply as it went up before. */
static void
walk(struct fit *fit, double step[], double cap)
{
	double before = slope(fit, step), longest = 0, part = 1;
	double mean = mean_of(fit, step);

	for (unsigned b = 0; b < fit->bots; b++) {
		step[b] -= mean; /* the mean stays where it is */
		longest = fmax(longest, fabs(step[b]));
	}
	if (longest > cap)
		part = cap / longest;
	move(fit, step, part);
	for (unsigned i = 0; i < 30 && slope(fit, step) < -0.9 * before; i++) {
		part /= 2;
		move(fit, step, -part);
	}
}

/* Returns true if the place of some bot is unknown: the likelihood is nearly
 * level there, so that a step of any length seems to be enough. */
static bool
is_flat(const struct fit *fit)
{
	for (unsigned b = 0; b < fit->bots && !fit->prior; b++)
		if (fit->diagonal[b] > 0 && fit->diagonal[b] < LEVEL)
			return true;
	return false;
}

int
fit_climb(struct fit *fit, struct error *why)
{
	double *step = memory(NULL, (fit->bots + (size_t)1) * sizeof(*step));
	unsigned steps = 0;
	double far;

	memset(fit->x, 0, fit->bots * sizeof(*fit->x));
	look_around(fit);
	for (far = distance(fit); far >= CLOSE_ENOUGH && steps < STEPS_MAX;
	     far = distance(fit), steps++) {
		divide_until(fit, fit->gradient, step,
			     fmin(1e-3, fmax(far / 10, 1e-6)));
		walk(fit, step, STEP_CAP * (steps + 1));
	}
	free(step);
	if (far < CLOSE_ENOUGH && !is_flat(fit))
		return 0;
	return error_set(why, ERROR_INPUT,
			 fit->prior ? "the ratings lie too far apart for a fit"
				    : "the ratings lie too far apart for a fit "
				      "without a prior; leave --prior 0 out");
}
