/* value.c - see value.h.
 *
 * Of two seats the one with more points is placed before the other as likely as
 * a normal deviate says: what the rounds to come will add differs by `spread` a
 * round.  In Toepen points are lives lost, and who has twice as many left wins
 * twice as often: the gambler's ruin. */
#include "value.h"

#include <math.h>
#include <string.h>

#include "policy.h"
#include "protocol/util.h"

/* Returns an option's number, or 0 if the game has no such option. */
static int
option(const struct game_setup *setup, const char *name)
{
	char why[SENTENCE_BYTES];
	int i = game_setup_find(setup, name, why);

	return i < 0 ? 0 : setup->option[i];
}

/* Returns how many rounds there are at most. */
static int
rounds(const struct game_setup *setup)
{
	int n = option(setup, "rounds");

	return n > 0 ? n : option(setup, "games");
}

static double
beaten(int mine, int other)
{
	return mine < other ? 1.0 : mine > other ? 0.0 : 0.5;
}

/* ---- a game that is over ---------------------------------------------- */

static void
by_places(const struct game *game, double value[SEATS_MAX])
{
	struct game_score score[SEATS_MAX];
	unsigned seats = game->setup.seats, seat, other;

	game_result(game, score);
	for (seat = 0; seat < seats; seat++)
		for (other = 0; other < seats; other++)
			if (other != seat)
				value[seat] += beaten(score[seat].place,
						      score[other].place);
}

/* ---- one that goes on ------------------------------------------------- */

static void
by_lives(const struct game *game, const double *points, double value[SEATS_MAX])
{
	int goal = option(&game->setup, "points");
	unsigned seats = game->setup.seats, seat, other;
	double lives[SEATS_MAX];

	for (seat = 0; seat < seats; seat++)
		lives[seat] = points[seat] >= goal
				      ? 0.01
				      : (double)(goal - points[seat]);
	for (seat = 0; seat < seats; seat++)
		for (other = 0; other < seats; other++)
			if (other != seat)
				value[seat] += lives[seat] /
					       (lives[seat] + lives[other]);
}

/* Returns how many rounds there will be at most of Daupun, which is a race. */
static double
rounds_of_race(const struct game *game, const double *points)
{
	double most = points[0] > points[1] ? points[0] : points[1];
	double left = 250.0 * option(&game->setup, "crowns") - most;

	return left <= 0 ? 1 : 1 + left / 30;
}

static void
by_points(const struct game *game, unsigned round, const double *points,
	  double value[SEATS_MAX])
{
	const struct policy *policy = policy_of(game->setup.rules);
	unsigned seats = game->setup.seats, seat, other;
	double left = rounds(&game->setup) - (double)round + 1;
	double spread;

	if (policy->rules == &game_daupun)
		left = fmin(left, rounds_of_race(game, points));
	spread = policy->spread * sqrt(2 * fmax(left, 1));
	for (seat = 0; seat < seats; seat++)
		for (other = 0; other < seats; other++)
			if (other != seat)
				value[seat] +=
					0.5 +
					0.5 * erf((double)(points[seat] -
							   points[other]) /
						  spread);
}

void
value_seats(const struct game *game, const double more[SEATS_MAX],
	    double value[SEATS_MAX])
{
	unsigned seats = game->setup.seats, i, round;
	long so_far[SEATS_MAX] = { 0 };
	double points[SEATS_MAX];

	memset(value, 0, SEATS_MAX * sizeof(value[0]));
	round = game_standing(game, so_far);
	for (i = 0; i < seats; i++)
		points[i] = (double)so_far[i] + more[i];
	if (game_is_over(game)) {
		by_places(game, value);
	} else if (game->setup.rules == &game_toepen) {
		by_lives(game, points, value);
	} else {
		by_points(game, round, points, value);
	}
	for (i = 0; i < seats; i++)
		value[i] /= seats - 1;
}
