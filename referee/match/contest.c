/* referee/match/contest.c - see contest.h. */
#include "referee/match/contest.h"

#include <stdio.h>
#include <string.h>

#include "referee/match/standings.h"

void
contest_begin(struct contest *contest, unsigned seats)
{
	contest->sprt.seats = contest->sprt.games = seats;
	anytime_init(&contest->anytime);
}

void
contest_lead(const struct contest *contest, double *low, double *high)
{
	anytime_interval(&contest->anytime, low, high);
	*low = 2 * *low - 1;
	*high = 2 * *high - 1;
}

/* Adds a game that counts to the unit if both bots sit in it. */
static void
hear_game(struct contest *contest, const struct match_result *result)
{
	const unsigned seats = contest->sprt.seats;
	unsigned s, there = 0;
	int difference = 0, halves;

	for (s = 0; s < seats; s++) {
		if (result->bot[s] > 1)
			continue;
		there++;
		halves = (int)standings_halves(result->place, seats, s);
		difference += result->bot[s] == 0 ? halves : -halves;
	}
	if (!result->counts || there != 2)
		return;
	contest->heard++;
	contest->difference += difference;
}

static void
look(struct contest *contest)
{
	const struct sprt *sprt = &contest->sprt;
	double low, high;

	sprt_add(sprt, &contest->sums, contest->difference);
	anytime_add(&contest->anytime,
		    sprt_value(sprt->seats, sprt->games, contest->difference));
	contest_lead(contest, &low, &high);
	if (contest->rule == CONTEST_SPRT)
		contest->verdict = sprt_judge(sprt, &contest->sums);
	contest->enough =
		contest->verdict != SPRT_OPEN ||
		(contest->rule == CONTEST_UNTIL_SURE && (low > 0 || high < 0));
}

static bool
hear(void *arg, const struct match_result *result)
{
	struct contest *contest = arg;
	const unsigned games = contest->sprt.games;
	const uint64_t unit = (result->number - 1) / games;

	if (unit != contest->unit) {
		contest->unit = unit;
		contest->heard = 0;
		contest->difference = 0;
	}
	hear_game(contest, result);
	if (contest->heard == games)
		look(contest);
	return contest->enough;
}

/* Writes as much as fits behind the games of a progress line. */
static void
tell(const void *arg, char *to, size_t size)
{
	const struct contest *contest = arg;
	double low, high;
	size_t n;

	if (contest->sums.units == 0)
		return;
	contest_lead(contest, &low, &high);
	n = (size_t)snprintf(to, size, "lead %.2f to %.2f", low, high);
	if (contest->rule != CONTEST_SPRT || n >= size)
		return;
	snprintf(to + n, size - n, ", LLR %.2f",
		 sprt_llr(&contest->sprt, &contest->sums));
	n += strlen(to + n);
	sprt_bounds(&contest->sprt, &low, &high);
	snprintf(to + n, size - n, " (%.2f to %.2f)", low, high);
}

struct match_rule
contest_rule(struct contest *contest)
{
	return (struct match_rule){ .enough = hear,
				    .tell = tell,
				    .ends = contest->rule != CONTEST_NONE,
				    .arg = contest };
}

void
contest_write(const struct contest *contest, char text[CONTEST_TEXT_BYTES])
{
	char test[SPRT_TEXT_BYTES] = "";

	if (contest->rule == CONTEST_SPRT)
		sprt_write(&contest->sprt, test);
	snprintf(text, CONTEST_TEXT_BYTES, "%s%s",
		 contest->rule == CONTEST_SPRT	       ? "sprt "
		 : contest->rule == CONTEST_UNTIL_SURE ? "until-sure"
						       : "",
		 test);
}
