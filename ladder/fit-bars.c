/* ladder/fit-bars.c - finds the ends of a bar: where the likelihood of a bot's
 * own duels, all others staying where they are, has fallen by as much as the
 * sandwich says.
 *
 * The curvature of that likelihood does not fit the variance, so it is scaled
 * until both agree near the top (R. E. Chandler and S. Bate, Biometrika 94
 * (2007) 167-183). */
#include <math.h>
#include <stdlib.h>

#include "ladder/fit-inside.h"

#define CLOSE_ENOUGH 1e-4
#define PASSES_MAX 40
#define ARM_FAR 100.0 /* a strength; no end is farther away */
#define HUGE_PRODUCT 1e100

/* The search for one end of a node's bar. */
struct end {
	double at;   /* from x: below 0 for the lower end; 0: it is open */
	double fall; /* the wanted fall of the likelihood */
	double logs; /* how far it has fallen, without what is in `product` */
	double product; /* its logarithm times weight is to be added to `logs` */
	double weight;
	double lost;	/* expected score there, less that at x */
	double stretch; /* exp(at) */
	bool found;
};

static void
add_log(struct end *end)
{
	end->logs += end->weight * log(end->product);
	end->product = 1;
}

/* Adds a duel of this end's node, which is expected to win `p` of it at x, and
 * to lose `rest`. */
static void
look_at_duel(struct end *end, double p, double rest, double weight)
{
	double moved = p * end->stretch;

	if (end->found)
		return;
	if (end->weight != weight || end->product > HUGE_PRODUCT ||
	    end->product < 1 / HUGE_PRODUCT) {
		add_log(end);
		end->weight = weight;
	}
	end->product *= moved + rest;
	end->lost += weight * (moved / (moved + rest) - p);
	end->logs -= weight * p * end->at;
}

static void look_at_both(struct end (*end)[2], const struct fit_duel *duel)
{
	double a = fit_expect(duel->pa, duel->pb);
	double b = fit_expect(duel->pb, duel->pa);

	for (unsigned k = 0; k < 2; k++) {
		look_at_duel(&end[duel->a][k], a, b, duel->weight);
		look_at_duel(&end[duel->b][k], b, a, duel->weight);
	}
}

static void
look_at_all(const struct fit *fit, struct end (*end)[2])
{
	struct fit_duel duel[FIT_DUELS_MAX];
	double middle = exp(fit->mean);
	unsigned count;

	for (size_t g = 0; g < fit->games; g++) {
		count = fit_duels_of(fit, g, duel);
		for (unsigned i = 0; i < count; i++)
			look_at_both(end, &duel[i]);
	}
	for (unsigned i = 0; i < fit->ties; i++)
		if (fit_tie_duel(fit, i, duel))
			look_at_both(end, duel);
	for (unsigned b = 0; b < fit->bots; b++)
		for (unsigned i = 0; i < 2; i++)
			look_at_duel(&end[fit->node[b]][i],
				     fit_expect(fit->power[b], middle),
				     fit_expect(middle, fit->power[b]),
				     fit_virtual_weight(fit, b));
}

/* Makes one of Newton's steps; returns true if the end is found. */
static bool
step(struct end *end)
{
	double off, arm;

	add_log(end);
	off = end->logs - end->fall;
	if (fabs(off) <= CLOSE_ENOUGH * end->fall || end->lost == 0)
		return true;
	/* The likelihood is concave: beyond the end, no step goes too far. */
	arm = fabs(end->at - off / end->lost);
	end->at = copysign(arm < ARM_FAR ? arm : ARM_FAR, end->at);
	return !(arm < ARM_FAR);
}

void
fit_find_arms(struct fit *fit)
{
	struct end(*end)[2] = zeroed(fit->bots + (size_t)1, sizeof(*end));
	double variance;
	unsigned b, k, pass, left = 1;

	for (b = 0; b < fit->bots; b++)
		for (k = 0; k < 2; k++) {
			variance = fit_own_variance(fit, b);
			end[b][k] = (struct end){
				.at = (k == 0 ? -1 : 1) *
				      fmin(FIT_Z * sqrt(variance), ARM_FAR),
				.fall = FIT_Z * FIT_Z / 2 * variance *
					fit->diagonal[b],
				.found = fit->node[b] != b || variance <= 0 ||
					 fit->diagonal[b] <= 0 ||
					 fit_is_open(fit, b, k == 1),
			};
		}
	for (pass = 0; left > 0 && pass < PASSES_MAX; pass++) {
		for (b = 0; b < fit->bots; b++)
			for (k = 0; k < 2; k++) {
				end[b][k].logs = end[b][k].lost = 0;
				end[b][k].product = 1;
				end[b][k].stretch = exp(end[b][k].at);
			}
		look_at_all(fit, end);
		for (left = 0, b = 0; b < fit->bots; b++)
			for (k = 0; k < 2; k++) {
				if (!end[b][k].found)
					end[b][k].found = step(&end[b][k]);
				left += !end[b][k].found;
			}
	}
	for (b = 0; b < fit->bots; b++) {
		fit->low[b] =
			fit_is_open(fit, b, false) ? INFINITY : -end[b][0].at;
		fit->high[b] =
			fit_is_open(fit, b, true) ? INFINITY : end[b][1].at;
	}
	free(end);
}

/* ---- in words --------------------------------------------------------- */

/* Returns by how many points the anchors of a set stand above its other bots, on the
 * mean; 0 if it has no others. */
static double
above_others(const struct fit_row row[], unsigned count, unsigned set)
{
	double sum[2] = { 0, 0 };
	unsigned i, fixed, n[2] = { 0, 0 };

	for (i = 0; i < count; i++) {
		if (row[i].set != set)
			continue;
		fixed = fit_is_fixed(&row[i]);
		sum[fixed] += row[i].rating;
		n[fixed]++;
	}
	return n[0] > 0 && n[1] > 0 ? sum[1] / n[1] - sum[0] / n[0] : 0;
}

/* Writes the sentences about the anchors of a set. */
static void
tell_anchors(const struct fit_row row[], unsigned count, unsigned set,
	     struct text *to)
{
	double above = above_others(row, count, set);
	unsigned i, told = 0;

	for (i = 0; i < count; i++) {
		if (row[i].set != set || !fit_is_fixed(&row[i]))
			continue;
		text_fmt(to, "%s%s is fixed at %.7g",
			 told++ > 0	? ", "
			 : to->used > 0 ? " "
					: "",
			 row[i].name, row[i].rating);
	}
	if (told > 0 && fabs(above) > FIT_FAR_POINTS)
		text_fmt(to,
			 "%s %.0f points %s the others: bars are wide because "
			 "of that",
			 told == 1 ? " and plays" : "; they play", fabs(above),
			 above < 0 ? "below" : "above");
	if (told > 0)
		text_str(to, ".");
}

void
fit_tell_zero(const struct fit_row row[], unsigned count, struct text *to)
{
	const size_t before = to->used;

	for (unsigned i = 0; i < count; i++)
		if (i == 0 || row[i].set != row[i - 1].set)
			tell_anchors(row, count, row[i].set, to);
	if (to->used == before)
		text_fmt(to, "%d is the mean of all bots.", FIT_CENTRE);
}
