/* referee/match/standings.c - scores with their error, and Elo, over a match.
 *
 * A bot's score in one game is the share of the other seats that it beat,
 * level ones as half.  Games are independent of each other, pairs within a game
 * are not: so the error is that of the mean over games.
 *
 * It is half the width of Wilson's score interval (E. B. Wilson, Probable
 * inference, the law of succession, and statistical inference, JASA 22, 1927),
 * for a mean of shares instead of a rate of wins:
 *
 *	z / (1 + z^2 / e) * sqrt(m (1 - m) / e + z^2 / (4 e^2)),  z = 1.96
 *
 * with the mean m and, in place of the number of games n, the effective one
 * e = n / d (the design effect d is L. Kish's, Survey Sampling, 1965).  d is
 * the variance of the shares over m (1 - m), which that of wins and losses
 * would be; one more game of that kind is put to those that were played, so
 * that a few games that came out alike do not pass for certainty:
 *
 *	d = min(1, (sum (x - m)^2 / (m (1 - m)) + 1) / n) */
#include "referee/match/standings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/elo.h"
#include "ladder/store.h"

struct played {
	uint64_t number;
	uint8_t bot[SEATS_MAX], place[SEATS_MAX];
};

/* Whole numbers, which add up to the same in any order. */
struct sums {
	struct match_standing standing;
	uint64_t halves;  /* 2 for each seat beaten, 1 for each level one */
	uint64_t squares; /* of the halves of each game */
};

struct standings {
	unsigned bots, seats;
	struct sums *sums;     /* owned; by bot */
	struct played *played; /* owned */
	uint64_t games, size;
};

struct standings *
standings_new(unsigned bots, unsigned seats)
{
	struct standings *standings = calloc(1, sizeof(*standings));
	unsigned b;

	if (standings == NULL)
		bug("out of memory");
	standings->bots = bots;
	standings->seats = seats;
	standings->sums = calloc(bots, sizeof(*standings->sums));
	if (standings->sums == NULL)
		bug("out of memory");
	for (b = 0; b < bots; b++)
		standings->sums[b].standing.bot = b;
	return standings;
}

void
standings_free(struct standings *standings)
{
	if (standings == NULL)
		return;
	free(standings->sums);
	free(standings->played);
	free(standings);
}

static void
keep_game(struct standings *standings, uint64_t number,
	  const unsigned bot[SEATS_MAX], const struct table_outcome *outcome)
{
	struct played *game;
	unsigned s;

	if (standings->games == standings->size) {
		standings->size =
			standings->size == 0 ? 64 : standings->size * 2;
		standings->played =
			realloc(standings->played,
				standings->size * sizeof(*standings->played));
		if (standings->played == NULL)
			bug("out of memory");
	}
	game = &standings->played[standings->games++];
	game->number = number;
	for (s = 0; s < standings->seats; s++) {
		game->bot[s] = (uint8_t)bot[s];
		game->place[s] = (uint8_t)outcome->place[s];
	}
}

/* 2 for each other seat that seat `s` beat, 1 for each that is level. */
static unsigned
count_halves(const struct table_outcome *outcome, unsigned seats, unsigned s)
{
	unsigned halves = 0, t;

	for (t = 0; t < seats; t++)
		if (t != s)
			halves += (outcome->place[s] < outcome->place[t]) +
				  (outcome->place[s] <= outcome->place[t]);
	return halves;
}

void
standings_add(struct standings *standings, uint64_t number,
	      const unsigned bot[SEATS_MAX],
	      const struct table_outcome *outcome)
{
	struct match_standing *standing;
	struct sums *sums;
	unsigned s, halves;

	keep_game(standings, number, bot, outcome);
	for (s = 0; s < standings->seats; s++) {
		sums = &standings->sums[bot[s]];
		standing = &sums->standing;
		standing->games++;
		standing->places += (uint64_t)outcome->place[s];
		standing->points += outcome->points[s];
		standing->wins += outcome->place[s] == 1;
		standing->faults += outcome->faults[s];
		standing->retired += outcome->retired[s];
		halves = count_halves(outcome, standings->seats, s);
		sums->halves += halves;
		sums->squares += (uint64_t)halves * halves;
	}
}

static int
by_number(const void *a, const void *b)
{
	const struct played *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

static void
fold_elo(struct standings *standings)
{
	int64_t rating[SEATS_MAX], delta[SEATS_MAX];
	int place[SEATS_MAX];
	const struct played *game;
	uint64_t g;
	unsigned b, s;

	for (b = 0; b < standings->bots; b++)
		standings->sums[b].standing.elo_milli = LADDER_START_MILLI;
	if (standings->games == 0)
		return;
	qsort(standings->played, standings->games, sizeof(*standings->played),
	      by_number);
	for (g = 0; g < standings->games; g++) {
		game = &standings->played[g];
		for (s = 0; s < standings->seats; s++) {
			rating[s] = standings->sums[game->bot[s]]
					    .standing.elo_milli;
			place[s] = game->place[s];
		}
		elo_deltas(standings->seats, rating, place, LADDER_K_MILLI,
			   delta);
		for (s = 0; s < standings->seats; s++)
			standings->sums[game->bot[s]].standing.elo_milli +=
				delta[s];
	}
}

static int
by_score(const void *a, const void *b)
{
	const struct match_standing *x = a, *y = b;

	if (x->score != y->score)
		return x->score < y->score ? 1 : -1;
	return (x->bot > y->bot) - (x->bot < y->bot);
}

/* `squares`: of the shares about their mean. */
static double
score_error(double mean, double squares, double n)
{
	const double z = 1.96, bernoulli = mean * (1 - mean);
	double design = 1, e;

	if (bernoulli > 0)
		design = fmin(1, (squares / bernoulli + 1) / n);
	e = n / design;
	return z / (1 + z * z / e) * sqrt(bernoulli / e + z * z / (4 * e * e));
}

/* Score and error: the halves of a game are a share of 2 (seats - 1). */
static void
fill_score(const struct sums *sums, unsigned seats,
	   struct match_standing *standing)
{
	double n = (double)standing->games, all = 2.0 * (seats - 1);
	double sum = (double)sums->halves, squares;

	if (n == 0)
		return;
	standing->score = sum / all / n;
	squares = fmax((double)sums->squares - sum * sum / n, 0) / all / all;
	standing->error = score_error(standing->score, squares, n);
}

struct match_standing *
standings_make(struct standings *standings)
{
	struct match_standing *out = calloc(standings->bots, sizeof(*out));
	unsigned b;

	if (out == NULL)
		bug("out of memory");
	fold_elo(standings);
	for (b = 0; b < standings->bots; b++) {
		out[b] = standings->sums[b].standing;
		fill_score(&standings->sums[b], standings->seats, &out[b]);
	}
	qsort(out, standings->bots, sizeof(*out), by_score);
	return out;
}
