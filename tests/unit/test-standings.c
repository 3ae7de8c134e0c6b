/* tests/unit/test-standings.c - scores, their error, Elo. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/match/standings.h"
#include "tests/unit/play.h"

#define BOTS 7
#define SEATS 4
#define GAMES 300

struct told {
	unsigned bot[SEATS_MAX];
	struct match_result outcome;
};

static void
add(struct standings *standings, uint64_t number, const unsigned bot[SEATS_MAX],
    const struct match_result *outcome)
{
	struct match_result result = *outcome;

	result.number = number;
	memcpy(result.bot, bot, sizeof(result.bot));
	standings_add(standings, &result);
}

static bool
near(double a, double b)
{
	return a - b < 1e-9 && b - a < 1e-9;
}

static struct match_result
places(unsigned seats, const int place[])
{
	struct match_result outcome = { 0 };

	memcpy(outcome.place, place, seats * sizeof(*place));
	return outcome;
}

#define PLACES(...)                                                            \
	places(NELEM(((const int[]){ __VA_ARGS__ })),                          \
	       (const int[]){ __VA_ARGS__ })

Test(standings, a_score_is_the_share_of_the_others_that_were_beaten)
{
	static const unsigned seat[SEATS_MAX] = { 0, 1, 2, 3 };
	struct standings *standings = standings_new(5, 4);
	struct match_result outcome = PLACES(1, 2, 2, 4);
	struct match_standing *standing;

	outcome.points[0] = 5;
	outcome.points[3] = -2;
	outcome.faults[3] = 3;
	outcome.retired[3] = true;
	add(standings, 1, seat, &outcome);
	standing = standings_make(standings, NULL);
	cr_expect_eq(standing[0].bot, 0);
	cr_expect(near(standing[0].score, 1));
	cr_expect(near(standing[1].score, 0.5));
	cr_expect_eq(standing[1].bot, 1, "equal ones by number");
	cr_expect_eq(standing[2].bot, 2);
	cr_expect(near(standing[3].score, 0));
	cr_expect(isnan(standing[4].error), "unknown without a game");
	cr_expect_eq(standing[0].wins, 1);
	cr_expect_eq(standing[1].wins, 0);
	cr_expect_eq(standing[0].points, 5);
	cr_expect_eq(standing[1].places, 2);
	/* A bot that has not played stands with those that lost. */
	cr_expect_eq(standing[3].bot, 3);
	cr_expect_eq(standing[3].points, -2);
	cr_expect_eq(standing[3].faults, 3);
	cr_expect_eq(standing[3].retired, 1);
	cr_expect_eq(standing[4].bot, 4);
	cr_expect_eq(standing[4].games, 0);
	free(standing);
	standings_free(standings);
}

/* Sets of two games, in which bot 0 has 1 and 1/2, 1 and 0, 1/2 and 0 in turn: its
 * games differ by more than its sets do. */
static void
add_sets(struct standings *standings, unsigned count)
{
	static const unsigned seat[2][SEATS_MAX] = { { 0, 1 }, { 1, 0 } };
	const struct match_result first = PLACES(1, 2), level = PLACES(1, 1);
	const struct match_result *of[3][2] = { { &first, &level },
						{ &first, &first },
						{ &level, &first } };
	unsigned g;

	for (g = 0; g < 2 * count; g++)
		add(standings, g + 1, seat[g % 2], of[g / 2 % 3][g % 2]);
}

/* The figures are those of tests/independent/match_bars.py. */
Test(standings, errors_are_those_between_sets)
{
	struct standings *standings = standings_new(2, 2);
	struct match_standing *standing;

	add_sets(standings, 10);
	standing = standings_make(standings, NULL);
	cr_expect_eq(standing[0].bot, 0);
	cr_expect(near(standing[0].score, 0.525));
	cr_expect_eq((int)(standing[0].error * 1e6), 157942);
	cr_expect_eq((int)(standing[1].error * 1e6), 157942);
	cr_expect(near(standing[0].vs_next, 0.05));
	cr_expect_eq((int)(standing[0].vs_next_error * 1e6), 313181);
	cr_expect(isnan(standing[1].vs_next) &&
			  isnan(standing[1].vs_next_error),
		  "behind the last there is no next one");
	free(standing);
	standings_free(standings);
}

Test(standings, below_ten_sets_errors_are_not_known)
{
	struct match_standing *standing;
	struct standings *standings;
	unsigned sets;

	for (sets = 9; sets <= 10; sets++) {
		standings = standings_new(2, 2);
		add_sets(standings, sets);
		standing = standings_make(standings, NULL);
		cr_expect_eq(isnan(standing[0].error), sets < 10);
		cr_expect_eq(isnan(standing[0].vs_next_error), sets < 10);
		cr_expect(!isnan(standing[0].vs_next));
		free(standing);
		standings_free(standings);
	}
}

/* `count` games of two bots, all of which come out alike. */
static double
error_of(struct match_result outcome, unsigned count)
{
	static const unsigned seat[SEATS_MAX] = { 0, 1 };
	struct standings *standings = standings_new(2, 2);
	struct match_standing *standing;
	double error;
	unsigned g;

	for (g = 1; g <= count; g++)
		add(standings, g, seat, &outcome);
	standing = standings_make(standings, NULL);
	error = standing[0].error;
	cr_expect(near(standing[1].error, error), "%u games", count);
	cr_expect(isnan(standing[0].vs_next_error),
		  "sets that are all alike tell nothing of their spread");
	free(standing);
	standings_free(standings);
	return error;
}

Test(standings, games_that_came_out_alike_leave_doubt)
{
	struct match_result won = PLACES(1, 2), level = PLACES(1, 1);

	cr_expect_eq((int)(error_of(won, 20) * 1e6), 101868);
	cr_expect_eq((int)(error_of(won, 10000) * 1e6), 192);
	cr_expect_eq((int)(error_of(level, 20) * 1e6), 56195);
}

static void
make_games(struct told told[GAMES])
{
	struct dice dice = { 7 };
	unsigned g, s, t, pool[BOTS], pick;
	long points[SEATS];

	memset(told, 0, GAMES * sizeof(*told));
	for (g = 0; g < GAMES; g++) {
		for (s = 0; s < BOTS; s++)
			pool[s] = s;
		for (s = 0; s < SEATS; s++) {
			pick = s + dice_below(&dice, BOTS - s);
			told[g].bot[s] = pool[pick];
			pool[pick] = pool[s];
			points[s] = (long)dice_below(&dice, 4);
			told[g].outcome.points[s] = points[s];
		}
		for (s = 0; s < SEATS; s++)
			for (told[g].outcome.place[s] = 1, t = 0; t < SEATS;
			     t++)
				told[g].outcome.place[s] +=
					points[t] > points[s];
	}
}

/* Tells the games in the order first, first + step, … */
static struct match_standing *
tell(const struct told told[GAMES], unsigned first, unsigned step)
{
	struct standings *standings = standings_new(BOTS, SEATS);
	struct match_standing *standing;
	unsigned i, g;

	for (i = 0; i < GAMES; i++) {
		g = (first + i * step) % GAMES;
		add(standings, g + 1, told[g].bot, &told[g].outcome);
	}
	standing = standings_make(standings, NULL);
	standings_free(standings);
	return standing;
}

/* The figures agree to the last bit: the output of a match does not depend on
 * the number of jobs. */
Test(standings, the_order_of_telling_means_nothing)
{
	static struct told told[GAMES];
	struct match_standing *straight, *mixed;
	static const unsigned steps[] = { 299, 7, 101, 13 };
	unsigned i, b;

	make_games(told);
	straight = tell(told, 0, 1);
	for (i = 0; i < NELEM(steps); i++) {
		mixed = tell(told, 31 * i, steps[i]);
		for (b = 0; b < BOTS; b++) {
			cr_expect_eq(mixed[b].bot, straight[b].bot);
			cr_expect_eq(memcmp(&mixed[b].score, &straight[b].score,
					    sizeof(double)),
				     0, "step %u", steps[i]);
			cr_expect_eq(memcmp(&mixed[b].error, &straight[b].error,
					    sizeof(double)),
				     0, "step %u", steps[i]);
		}
		free(mixed);
	}
	free(straight);
}
