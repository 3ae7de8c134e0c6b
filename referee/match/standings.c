/* referee/match/standings.c - computes scores and their errors over a match.
 *
 * A bot's score in one game is the share of the other seats that it beat; a
 * level seat counts as half.  Sets of games are independent of each other.
 * Games of a set, which have the same bots in the same order, are not, and
 * neither are pairs within a game.  So the variance v of a mean of N games is
 * computed between sets, and bots that sit in the same sets are compared set by
 * set.  For a mean it is, as for any ratio of sums over clusters (W. G.
 * Cochran, Sampling Techniques, 1977, 6.3):
 *
 *	v = m / (m - 1) sum over the m sets of r^2,
 *	r = (the set's sum of shares - its games * the mean) / N
 *
 * For the difference of two means r is the difference of their r.  In a round
 * robin of two seats each opponent is a stratum (Cochran, 5.3), because chance
 * did not decide which bots met.  There each game is a set of its own (except
 * in a block, whose games have the same deal), m is the number of sets against
 * the opponent, and the mean in r is taken over the games against the opponent.
 * This needs two sets of each pair that has met; otherwise there are no strata.
 *
 * The error of a score is half the width of Wilson's score interval (E. B.
 * Wilson, Probable inference, the law of succession, and statistical inference,
 * JASA 22, 1927), for a mean of shares instead of a rate of wins:
 *
 *	t / (1 + t^2 / e) * sqrt(b / e + t^2 / (4 e^2)),  b = mean (1 - mean)
 *
 * with the effective number of games e = b / v (L. Kish, Survey Sampling, 1965)
 * in place of N, and Student's t for as many degrees of freedom as v has.  The
 * square of one more game, b / N^2, is added to v, so that a few games that
 * came out alike do not pass for certainty.  The error of a difference is t
 * sqrt(v), with F. E. Satterthwaite's degrees of freedom (An approximate
 * distribution of estimates of variance components, Biometrics Bulletin 2,
 * 1946) if there are strata. */
#include "referee/match/standings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct played {
	uint64_t number;
	uint8_t bot[SEATS_MAX];
	int place[SEATS_MAX];
};

/* The sums are whole numbers, which add up to the same in any order. */
struct sums {
	struct match_standing standing;
	uint64_t halves; /* 2 for each seat beaten, 1 for each level one */
};

/* The games of a set that were played, by its bots. */
struct set {
	uint64_t number; /* from 0 */
	unsigned games;
	uint8_t bot[SEATS_MAX];
	unsigned halves[SEATS_MAX]; /* by index in `bot` */
};

/* The games of a bot against another one, when all sets are between two bots. */
struct duel {
	uint64_t games, halves;
};

struct standings {
	unsigned bots, seats;
	bool blocks;
	struct sums *sums;     /* owned; by bot */
	struct played *played; /* owned */
	uint64_t games;
	/* standings_make() makes these of the games: */
	struct set *set; /* owned; by number */
	uint64_t sets;
	struct duel *duel; /* owned; by bot and bot; NULL: no strata */
};

struct standings *
standings_new(unsigned bots, unsigned seats)
{
	struct standings *standings = zeroed(1, sizeof(*standings));

	standings->bots = bots;
	standings->seats = seats;
	standings->sums = zeroed(bots, sizeof(*standings->sums));
	for (unsigned b = 0; b < bots; b++)
		standings->sums[b].standing.bot = b;
	return standings;
}

void
standings_use_blocks(struct standings *standings)
{
	standings->blocks = true;
}

void
standings_free(struct standings *standings)
{
	if (standings == NULL)
		return;
	free(standings->sums);
	free(standings->played);
	free(standings->set);
	free(standings->duel);
	free(standings);
}

static void
keep_game(struct standings *standings, const struct match_result *result)
{
	struct played *game = ADDED(standings->played, standings->games);

	game->number = result->number;
	for (unsigned s = 0; s < standings->seats; s++) {
		game->bot[s] = (uint8_t)result->bot[s];
		game->place[s] = result->place[s];
	}
}

unsigned
standings_halves(const int place[], unsigned seats, unsigned s)
{
	unsigned halves = 0, t;

	for (t = 0; t < seats; t++)
		if (t != s)
			halves +=
				(place[s] < place[t]) + (place[s] <= place[t]);
	return halves;
}

void
standings_add(struct standings *standings, const struct match_result *result)
{
	struct match_standing *standing;
	struct sums *sums;

	keep_game(standings, result);
	for (unsigned s = 0; s < standings->seats; s++) {
		sums = &standings->sums[result->bot[s]];
		standing = &sums->standing;
		standing->games++;
		standing->places += (uint64_t)result->place[s];
		standing->points += result->points[s];
		standing->wins += result->place[s] == 1;
		standing->faults += result->faults[s];
		standing->retired += result->retired[s];
		sums->halves +=
			standings_halves(result->place, standings->seats, s);
	}
}

static int
by_number(const void *a, const void *b)
{
	const struct played *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

static int
by_score(const void *a, const void *b)
{
	const struct match_standing *x = a, *y = b;

	if (x->score != y->score)
		return x->score < y->score ? 1 : -1;
	return (x->bot > y->bot) - (x->bot < y->bot);
}

/* ---- sets ------------------------------------------------------------- */

static unsigned
place_in_set(const struct set *set, unsigned seats, unsigned bot)
{
	unsigned i;

	for (i = 0; i < seats && set->bot[i] != bot; i++)
		;
	return i;
}

static void
add_to_set(struct set *set, unsigned seats, const struct played *game)
{
	if (set->games++ == 0)
		memcpy(set->bot, game->bot, sizeof(set->bot));
	for (unsigned s = 0; s < seats; s++)
		set->halves[place_in_set(set, seats, game->bot[s])] +=
			standings_halves(game->place, seats, s);
}

/* Makes sets of `each` games. */
static void
make_sets(struct standings *standings, unsigned each)
{
	struct set *set = NULL;
	uint64_t number;

	free(standings->set);
	standings->set = zeroed(standings->games + 1, sizeof(*set));
	standings->sets = 0;
	for (uint64_t g = 0; g < standings->games; g++) {
		number = (standings->played[g].number - 1) / each;
		if (set == NULL || set->number != number) {
			set = &standings->set[standings->sets++];
			set->number = number;
		}
		add_to_set(set, standings->seats, &standings->played[g]);
	}
}

static struct duel *
duel(const struct standings *standings, unsigned a, unsigned b)
{
	return &standings->duel[(size_t)a * standings->bots + b];
}

static void
add_duels(struct standings *standings)
{
	const struct played *game;
	struct duel *one;

	for (uint64_t g = 0; g < standings->games; g++) {
		game = &standings->played[g];
		for (unsigned s = 0; s < 2; s++) {
			one = duel(standings, game->bot[s], game->bot[!s]);
			one->games++;
			one->halves += standings_halves(game->place, 2, s);
		}
	}
}

/* Opponents become strata if each pair that met has two games, or two blocks. */
static void
make_duels(struct standings *standings)
{
	const unsigned one = standings->blocks ? standings->seats : 1;
	const size_t count = (size_t)standings->bots * standings->bots;
	size_t i;

	free(standings->duel);
	standings->duel = NULL;
	if (standings->seats != 2 || standings->bots == 2)
		return;
	standings->duel = zeroed(count, sizeof(*standings->duel));
	add_duels(standings);
	for (i = 0; i < count && standings->duel[i].games != one; i++)
		;
	if (i == count)
		return;
	free(standings->duel);
	standings->duel = NULL;
}

/* ---- errors ----------------------------------------------------------- */

/* An estimate of a variance, and its degrees of freedom. */
struct variance {
	double v, freedom;
};

/* Returns r, which the head of the file explains. */
static double
residual(const struct standings *standings, const struct set *set, unsigned i)
{
	const struct sums *sums = &standings->sums[set->bot[i]];
	const double all = 2.0 * (standings->seats - 1);
	double played = (double)sums->standing.games;
	double mean = (double)sums->halves / played;
	const struct duel *met;

	if (standings->duel != NULL) {
		met = duel(standings, set->bot[i], set->bot[!i]);
		mean = (double)met->halves / (double)met->games;
	}
	return (set->halves[i] - set->games * mean) / all / played;
}

/* A stratum: the number of its sets and the sum of their squares. */
struct stratum {
	uint64_t sets;
	double squares;
};

/* Adds up the strata. */
static struct variance
sum_up(const struct stratum strata[], unsigned count)
{
	struct variance sum = { 0 };
	double v, below = 0, n;

	for (unsigned i = 0; i < count; i++) {
		if (strata[i].sets < 2)
			continue;
		n = (double)strata[i].sets;
		v = strata[i].squares * n / (n - 1);
		sum.v += v;
		below += v * v / (n - 1);
		sum.freedom += n - 1;
	}
	if (below > 0)
		sum.freedom = sum.v * sum.v / below;
	return sum;
}

/* Returns the variance of the score of bot `a`, less the score of bot `b` if
 * that is another bot. */
static struct variance
find_variance(const struct standings *standings, unsigned a, unsigned b)
{
	struct stratum strata[2 * BOTS_MAX] = { { 0 } };
	const unsigned seats = standings->seats;
	const struct set *set;
	unsigned i, j, stratum;
	double r;

	for (set = standings->set; set < standings->set + standings->sets;
	     set++) {
		i = place_in_set(set, seats, a);
		j = a == b ? seats : place_in_set(set, seats, b);
		if (i == seats && j == seats)
			continue;
		r = i < seats ? residual(standings, set, i) : 0;
		if (j < seats)
			r -= residual(standings, set, j);
		stratum = 0;
		if (standings->duel != NULL)
			stratum = i < seats ? set->bot[!i]
					    : BOTS_MAX + set->bot[!j];
		strata[stratum].sets++;
		strata[stratum].squares += r * r;
	}
	return sum_up(strata, NELEM(strata));
}

static double
student_density(double t, double freedom)
{
	return exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) /
	       sqrt(freedom * M_PI) *
	       pow(1 + t * t / freedom, -(freedom + 1) / 2);
}

/* Finds the point with Newton's method from below, which is sure to converge
 * where the density falls, and integrates with Simpson's rule. */
double
student_t(double freedom)
{
	const unsigned panels = 100;
	double t = 1.9, step = 1, area, h;

	while (step > 1e-10) {
		h = t / panels;
		area = student_density(0, freedom) +
		       student_density(t, freedom);
		for (unsigned i = 1; i < panels; i++)
			area += (i % 2 == 1 ? 4 : 2) *
				student_density(i * h, freedom);
		step = (.475 - area * h / 3) / student_density(t, freedom);
		t += step;
	}
	return t;
}

static double
score_error(double mean, struct variance variance, double played)
{
	const double b = mean * (1 - mean), t = student_t(variance.freedom);
	double e = played;

	if (b > 0)
		e = b / (variance.v + b / played / played);
	return t / (1 + t * t / e) * sqrt(b / e + t * t / (4 * e * e));
}

/* ---- all of it -------------------------------------------------------- */

/* Returns true if the bot has enough sets for an error. */
static bool
has_sets(const struct standings *standings, unsigned bot)
{
	return standings->sums[bot].standing.games >=
	       (uint64_t)STANDING_SETS * standings->seats;
}

/* A share is the halves of a game divided by 2 (seats - 1). */
static void
fill_score(const struct standings *standings, struct match_standing *standing)
{
	const struct sums *sums = &standings->sums[standing->bot];
	const double all = 2.0 * (standings->seats - 1);
	const double played = (double)standing->games;

	standing->error = standing->vs_next = standing->vs_next_error = NAN;
	if (standing->games == 0)
		return;
	standing->score = (double)sums->halves / all / played;
	if (has_sets(standings, standing->bot))
		standing->error = score_error(
			standing->score,
			find_variance(standings, standing->bot, standing->bot),
			played);
}

double
standings_error(const struct standings *standings, unsigned a, unsigned b)
{
	struct variance variance;

	if (!has_sets(standings, a) || !has_sets(standings, b))
		return NAN;
	variance = find_variance(standings, a, b);
	return variance.v > 0 ? student_t(variance.freedom) * sqrt(variance.v)
			      : NAN;
}

static void
compare(const struct standings *standings, struct match_standing *standing,
	const struct match_standing *next)
{
	if (standing->games == 0 || next->games == 0)
		return;
	standing->vs_next = standing->score - next->score;
	standing->vs_next_error =
		standings_error(standings, standing->bot, next->bot);
}

struct match_standing *
standings_make(struct standings *standings, const unsigned order[])
{
	struct match_standing *out = zeroed(standings->bots, sizeof(*out));

	if (standings->games > 0)
		qsort(standings->played, standings->games,
		      sizeof(*standings->played), by_number);
	make_duels(standings);
	make_sets(standings, standings->duel != NULL && !standings->blocks
				     ? 1
				     : standings->seats);
	for (unsigned b = 0; b < standings->bots; b++) {
		out[b] = standings->sums[order != NULL ? order[b] : b].standing;
		fill_score(standings, &out[b]);
	}
	if (order == NULL)
		qsort(out, standings->bots, sizeof(*out), by_score);
	for (unsigned b = 0; b + 1 < standings->bots; b++)
		compare(standings, &out[b], &out[b + 1]);
	return out;
}
