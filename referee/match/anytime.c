/* referee/match/anytime.c - see anytime.h. */
#include "referee/match/anytime.h"

#include <math.h>
#include <string.h>

void
anytime_init(struct anytime *anytime)
{
	memset(anytime, 0, sizeof(*anytime));
	anytime->high = ANYTIME_STEPS;
	for (unsigned i = 0; i <= ANYTIME_STEPS; i++)
		anytime->capital[i][0] = anytime->capital[i][1] = 1;
}

/* Bets `bet` on v against the mean of step `i`, and returns the better gambler's
 * capital. */
static double
play(struct anytime *anytime, unsigned i, double bet, double v)
{
	const double m = (double)i / ANYTIME_STEPS;
	double *capital = anytime->capital[i];

	/* At the means 0 and 1 no value can lie beyond the mean, so a bet
	 * against that side needs no bound. */
	capital[0] *= 1 + (i > 0 ? fmin(bet, .5 / m) : bet) * (v - m);
	capital[1] *= 1 - (i < ANYTIME_STEPS ? fmin(bet, .5 / (1 - m)) : bet) *
				  (v - m);
	return fmax(capital[0], capital[1]);
}

/* The means that stay are neighbours.  If by bad luck all would go out
 * together, the one with the least capital against it stays. */
static void
bet_on(struct anytime *anytime, double bet, double v)
{
	unsigned first = ANYTIME_STEPS + 1, last = 0, best = 0, i;
	double capital, least = INFINITY;

	for (i = anytime->low; i <= anytime->high; i++) {
		capital = play(anytime, i, bet, v);
		if (capital < least) {
			least = capital;
			best = i;
		}
		if (capital / 2 >= 1 / ANYTIME_RISK)
			continue;
		if (first > i)
			first = i;
		last = i;
	}
	anytime->low = first <= last ? first : best;
	anytime->high = first <= last ? last : best;
}

void
anytime_add(struct anytime *anytime, double v)
{
	const double i = (double)++anytime->values;
	const double w = (.25 + anytime->squares) / i;
	double mean;

	bet_on(anytime, sqrt(2 * log(2 / ANYTIME_RISK) / (w * i * log(i + 1))),
	       v);
	anytime->sum += v;
	mean = (.5 + anytime->sum) / (i + 1);
	anytime->squares += (v - mean) * (v - mean);
}

void
anytime_interval(const struct anytime *anytime, double *low, double *high)
{
	const unsigned above = anytime->high + 1;

	*low = anytime->low == 0 ? 0 : (anytime->low - 1.) / ANYTIME_STEPS;
	*high = above > ANYTIME_STEPS ? 1 : (double)above / ANYTIME_STEPS;
}
