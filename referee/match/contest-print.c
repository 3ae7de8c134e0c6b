/* referee/match/contest-print.c - prints what a stopping rule has found out. */
#include "referee/match/contest-print.h"

#include <stdio.h>

#include "referee/base/command.h"
#include "referee/base/json-line.h"

static const char *const verdicts[] = {
	[SPRT_OPEN] = "undecided", [SPRT_H0] = "H0", [SPRT_H1] = "H1"
};

static const char *
unit_of(const struct contest *contest)
{
	return contest->sprt.model == SPRT_NORMALIZED ? "nElo" : "Elo";
}

/* Prints the text in lines no wider than a terminal. */
static void
print(const char *text)
{
	print_words(text, 2, 0);
	putchar('\n');
}

static void
print_estimate(const struct contest *contest)
{
	struct sprt_estimate found;
	char text[256];

	if (!sprt_estimate(&contest->sprt, &contest->sums, &found))
		return;
	snprintf(text, sizeof(text),
		 "%s: %.1f (%.1f to %.1f), median-unbiased; %.1f by the score, "
		 "which is biased by stopping",
		 unit_of(contest), found.elo, found.low, found.high,
		 found.plain);
	print(text);
}

static void
print_sprt(const struct contest *contest, const char *a, const char *b)
{
	const struct sprt *sprt = &contest->sprt;
	const uint64_t units = contest->sums.units;
	double lower, upper;
	char text[512];

	sprt_bounds(sprt, &lower, &upper);
	snprintf(text, sizeof(text),
		 "SPRT of %s against %s, %s %.10g to %.10g: %s%s after "
		 "%s, LLR %.2f (%.2f to %.2f)",
		 a, b, unit_of(contest), sprt->elo0, sprt->elo1,
		 verdicts[contest->verdict],
		 contest->verdict == SPRT_OPEN ? "" : " accepted",
		 counted(units, "set").text, sprt_llr(sprt, &contest->sums),
		 lower, upper);
	print(text);
	print_estimate(contest);
}

static void
print_sure(const struct contest *contest, const char *a, const char *b)
{
	const uint64_t units = contest->sums.units;
	double low, high;
	char text[512];

	contest_lead(contest, &low, &high);
	snprintf(text, sizeof(text),
		 "%s against %s: %s after %s, lead %.3f to %.3f at every look",
		 a, b, contest->enough ? "sure" : "not sure",
		 counted(units, "set").text, low, high);
	print(text);
}

void
contest_print(const struct contest *contest, const char *a, const char *b)
{
	if (contest->rule == CONTEST_SPRT)
		print_sprt(contest, a, b);
	else if (contest->rule == CONTEST_UNTIL_SURE)
		print_sure(contest, a, b);
}

static json_t *
sprt_json(const struct contest *contest)
{
	const struct sprt *sprt = &contest->sprt;
	json_t *object, *estimate = json_null();
	struct sprt_estimate found;
	double lower, upper;

	sprt_bounds(sprt, &lower, &upper);
	object = JSON_OBJECT(REAL("elo0", sprt->elo0), REAL("elo1", sprt->elo1),
			     REAL("alpha", sprt->alpha),
			     REAL("beta", sprt->beta),
			     TEXT("model", sprt_models[sprt->model]),
			     INT("sets", contest->sums.units),
			     REAL("llr", sprt_llr(sprt, &contest->sums)),
			     REAL("lower", lower), REAL("upper", upper),
			     TEXT("verdict", verdicts[contest->verdict]));
	if (sprt_estimate(sprt, &contest->sums, &found))
		estimate = JSON_OBJECT(
			REAL("elo", found.elo), REAL("low", found.low),
			REAL("high", found.high), REAL("biased", found.plain));
	JSON_ADD(object, JSON("estimate", estimate));
	return object;
}

void
contest_json(const struct contest *contest, const char *a, const char *b,
	     json_t *match)
{
	double low, high;

	contest_lead(contest, &low, &high);
	if (contest->rule == CONTEST_NONE)
		return;
	JSON_ADD(match, JSON("contest",
			     JSON_OBJECT(TEXT("first", a), TEXT("second", b),
					 INT("sets", contest->sums.units),
					 REAL("lead_low", low),
					 REAL("lead_high", high),
					 BOOL("ended", contest->enough))));
	if (contest->rule == CONTEST_SPRT)
		JSON_ADD(match, JSON("sprt", sprt_json(contest)));
}
