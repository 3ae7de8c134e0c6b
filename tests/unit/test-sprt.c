/* tests/unit/test-sprt.c - the sequential test and the interval for all times.
 *
 * The figures are those of tests/independent/sprt.py.  The promised errors are
 * simulated; the figures are printed as comments of TAP. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "referee/games/draws.h"
#include "referee/match/anytime.h"
#include "referee/match/contest.h"
#include "referee/match/sprt.h"
#include "tests/unit/rounds.h"

static bool
near(double a, double b, double by)
{
	return fabs(a - b) < by;
}

/* ---- likelihoods -------------------------------------------------------- */

static struct sprt_sums
counts(unsigned games, const unsigned bin[])
{
	const struct sprt sprt = { .seats = 2, .games = games };
	struct sprt_sums sums = { 0 };

	for (unsigned i = 0; i < 2 * games + 1; i++) {
		for (unsigned k = 0; k < bin[i]; k++)
			sprt_add(&sprt, &sums, 2 * ((int)i - (int)games));
	}
	return sums;
}

static const struct {
	struct sprt sprt;
	unsigned bin[SPRT_BINS];
	double llr;
} seen[] = {
	/* fishtest's own example. */
	{ { .5, 2.5, .05, .05, SPRT_NORMALIZED, 2, 2 },
	  { 39, 8843, 26675, 9240, 44 },
	  2.941675208 },
	{ { .5, 2.5, .05, .05, SPRT_LOGISTIC, 2, 2 },
	  { 39, 8843, 26675, 9240, 44 },
	  .555517069 },
	{ { 0, 20, .05, .05, SPRT_NORMALIZED, 2, 2 },
	  { 10, 20, 40, 30, 15 },
	  1.041474274 },
	{ { 0, 20, .05, .05, SPRT_LOGISTIC, 2, 2 },
	  { 10, 20, 40, 30, 15 },
	  1.181612555 },
	{ { -10, 30, .05, .05, SPRT_NORMALIZED, 2, 2 },
	  { 0, 3, 0, 9, 1 },
	  1.101825132 },
	{ { 0, 20, .05, .05, SPRT_NORMALIZED, 2, 2 },
	  { 0, 0, 0, 0, 7 },
	  .546144316 },
	{ { -200, 200, .05, .05, SPRT_NORMALIZED, 2, 2 },
	  { 5, 0, 3, 0, 0 },
	  -9.750484661 },
	{ { -200, 200, .05, .05, SPRT_LOGISTIC, 2, 2 },
	  { 5, 0, 3, 0, 0 },
	  -9.141499676 },
	{ { 0, 20, .05, .05, SPRT_NORMALIZED, 2, 1 },
	  { 310, 210, 350 },
	  1.203290420 },
	{ { 0, 20, .05, .05, SPRT_LOGISTIC, 2, 1 },
	  { 310, 210, 350 },
	  1.136435256 },
	{ { 150, 200, .05, .05, SPRT_NORMALIZED, 2, 1 },
	  { 0, 0, 9 },
	  .637485022 },
};

Test(sprt, likelihoods_are_those_of_the_likeliest_laws)
{
	struct sprt_sums sums;
	double llr;

	for (unsigned i = 0; i < NELEM(seen); i++) {
		sums = counts(seen[i].sprt.games, seen[i].bin);
		llr = sprt_llr(&seen[i].sprt, &sums);
		cr_expect(near(llr, seen[i].llr, 2e-8), "%u: %.9f, not %.9f", i,
			  llr, seen[i].llr);
	}
}

/* Exchanging the two bots changes the sign for any Elo bounds. */
Test(sprt, the_other_bots_view_has_the_other_sign)
{
	static const unsigned some[] = { 0, 1, 30, 5000 };
	struct sprt sprt = { -60, SPRT_ELO_MAX, .05, .05, 0, 2, 2 }, turned;
	struct sprt_sums sums, back;
	double a, b;

	turned = sprt;
	turned.elo0 = -sprt.elo1;
	turned.elo1 = -sprt.elo0;
	for (unsigned i = 1; i < 4 * 4 * 4 * 4 * 4; i++) {
		memset(&sums, 0, sizeof(sums));
		memset(&back, 0, sizeof(back));
		for (unsigned j = 0, k = i; j < SPRT_BINS; j++, k /= 4) {
			sums.bin[j] = back.bin[SPRT_BINS - 1 - j] = some[k % 4];
			sums.units += some[k % 4];
		}
		back.units = sums.units;
		for (int m = SPRT_NORMALIZED; m <= SPRT_LOGISTIC; m++) {
			sprt.model = turned.model = (enum sprt_model)m;
			a = sprt_llr(&sprt, &sums);
			b = sprt_llr(&turned, &back);
			cr_assert(isfinite(a) && near(a, -b, 1e-6 * fabs(a)),
				  "%u: %.9f and %.9f", i, a, b);
		}
	}
}

Test(sprt, counts_and_sums_come_of_differences)
{
	struct sprt two = { 0, 20, .05, .05, SPRT_NORMALIZED, 2, 2 };
	struct sprt four = { 0, 50, .05, .05, SPRT_NORMALIZED, 4, 4 };
	struct sprt_sums sums = { 0 };
	struct sprt_moments moments;
	int i;

	for (i = -4; i <= 4; i += 2)
		sprt_add(&two, &sums, i);
	sprt_add(&two, &sums, 4);
	cr_expect(sums.bin[0] == 1 && sums.bin[1] == 1 && sums.bin[2] == 1 &&
		  sums.bin[3] == 1 && sums.bin[4] == 2 && sums.units == 6);
	cr_expect(near(sprt_value(2, 2, -4), 0, 1e-15) &&
		  near(sprt_value(2, 2, 2), .75, 1e-15) &&
		  near(sprt_value(4, 4, 24), 1, 1e-15) &&
		  near(sprt_value(4, 4, -12), .25, 1e-15));
	memset(&sums, 0, sizeof(sums));
	for (i = 0; i < 40; i++)
		sprt_add(&four, &sums, (7 * i * i + 3 * i) % 13 * 4 - 24);
	sprt_moments(&four, &sums, &moments);
	cr_expect(moments.units == 40);
	cr_expect(near(sprt_llr(&four, &sums), -2.029221404, 1e-8), "%.9f",
		  sprt_llr(&four, &sums));
}

Test(sprt, many_seats_have_no_verdict_before_ten_units)
{
	struct sprt sprt = { 0, 200, .2, .2, SPRT_NORMALIZED, 4, 4 };
	struct sprt_sums sums = { 0 };
	struct sprt level = { 0, 50, .05, .05, SPRT_NORMALIZED, 4, 4 };

	for (unsigned i = 1; i <= SPRT_UNITS_MIN; i++) {
		cr_expect_eq(sprt_judge(&sprt, &sums), SPRT_OPEN);
		sprt_add(&sprt, &sums, 24);
	}
	cr_expect_eq(sprt_judge(&sprt, &sums), SPRT_H1);
	/* The added square keeps the deviation above 0. */
	memset(&sums, 0, sizeof(sums));
	for (unsigned i = 0; i < 12; i++)
		sprt_add(&level, &sums, 0);
	cr_expect(near(sprt_llr(&level, &sums), -.477535273, 1e-8), "%.9f",
		  sprt_llr(&level, &sums));
}

Test(sprt, bounds_are_those_of_the_risks)
{
	struct sprt sprt = { 0, 20, .05, .05, SPRT_NORMALIZED, 2, 2 };
	double lower, upper;

	sprt_bounds(&sprt, &lower, &upper);
	cr_expect(near(lower, -2.944439, 1e-6) && near(upper, 2.944439, 1e-6));
	sprt.alpha = .01;
	sprt.beta = .2;
	sprt_bounds(&sprt, &lower, &upper);
	cr_expect(near(lower, log(.2 / .99), 1e-12) &&
		  near(upper, log(80), 1e-12));
}

Test(sprt, estimates_are_those_of_a_walk_between_the_bounds)
{
	static const unsigned many[] = { 39, 8843, 26675, 9240, 44 };
	static const unsigned few[] = { 60, 200, 400, 260, 80 };
	struct sprt sprt = { .5, 2.5, .05, .05, SPRT_NORMALIZED, 2, 2 };
	struct sprt_sums sums = counts(2, many);
	struct sprt_estimate found;

	cr_expect(sprt_estimate(&sprt, &sums, &found));
	cr_expect(near(found.elo, 3.150, .01) && near(found.low, .748, .02) &&
			  near(found.high, 5.489, .02),
		  "%.4f [%.4f, %.4f]", found.elo, found.low, found.high);
	sprt.model = SPRT_LOGISTIC;
	cr_expect(sprt_estimate(&sprt, &sums, &found));
	cr_expect(near(found.elo, 1.536, .01) && near(found.low, .240, .02) &&
			  near(found.high, 2.794, .02),
		  "%.4f [%.4f, %.4f]", found.elo, found.low, found.high);
	sprt = (struct sprt){ 0, 20, .05, .05, SPRT_NORMALIZED, 2, 2 };
	sums = counts(2, few);
	cr_expect(sprt_estimate(&sprt, &sums, &found));
	cr_expect(near(found.elo, 21.156, .1) && near(found.low, .25, .2) &&
			  near(found.high, 41.401, .2),
		  "%.4f [%.4f, %.4f]", found.elo, found.low, found.high);
}

Test(sprt, the_estimate_of_few_units_has_an_end)
{
	struct sprt sprt = { 0, 100, .05, .05, SPRT_NORMALIZED, 4, 4 };
	struct sprt_sums sums = { 0 };
	struct sprt_estimate found;

	for (unsigned i = 0; i < 18; i++)
		sprt_add(&sprt, &sums, i % 2 == 0 ? -6 : 5);
	cr_expect(sprt_estimate(&sprt, &sums, &found));
	cr_expect(found.low > -200 && found.low < found.elo &&
			  found.elo < found.high && found.high < 200,
		  "%.1f [%.1f, %.1f]", found.elo, found.low, found.high);
}

Test(sprt, there_is_no_estimate_if_all_came_out_alike)
{
	static const unsigned none[5], alike[] = { 0, 0, 0, 9, 0 };
	struct sprt sprt = { 0, 20, .05, .05, SPRT_NORMALIZED, 2, 2 };
	struct sprt_sums sums = counts(2, none);
	struct sprt_estimate found;

	cr_expect(near(sprt_llr(&sprt, &sums), 0, 1e-12));
	cr_expect(!sprt_estimate(&sprt, &sums, &found));
	sums = counts(2, alike);
	cr_expect(!sprt_estimate(&sprt, &sums, &found));
	sprt_add(&sprt, &sums, 0);
	cr_expect(sprt_estimate(&sprt, &sums, &found) &&
		  found.low < found.high);
}

/* ---- text --------------------------------------------------------------- */

static const char *
parse(const char *text)
{
	static char out[SPRT_TEXT_BYTES];
	static struct error why;
	struct sprt sprt;

	if (sprt_parse(&sprt, text, &why) < 0)
		return why.text;
	sprt_write(&sprt, out);
	return out;
}

Test(sprt, what_is_given_is_read)
{
	static const char *const tried[][2] = {
		{ "elo0=0,elo1=20",
		  "elo0=0,elo1=20,alpha=0.05,beta=0.05,model=normalized" },
		{ "model=logistic,beta=.1,elo1=-.5,elo0=-200,alpha=0.899",
		  "elo0=-200,elo1=-0.5,alpha=0.899,beta=0.1,model=logistic" },
	};
	static const char *const refused[][2] = {
		{ "", "--sprt takes elo0=" },
		{ "elo0", "--sprt takes elo0=" },
		{ "elo0=0", "--sprt needs elo0 and elo1" },
		{ "elo0=0,elo1=20,", "--sprt takes elo0=" },
		{ "elo0=0,elo1=20,gamma=1", "--sprt takes elo0=" },
		{ "elo0=0,elo1=20,elo0=1", "--sprt: elo0 is given twice" },
		{ "elo0=0,elo1=0", "--sprt: elo1 must be more" },
		{ "elo0=5,elo1=-5", "--sprt: elo1 must be more" },
		{ "elo0=nan,elo1=5", "--sprt: elo0 must be a number" },
		{ "elo0=0,elo1=inf", "--sprt: elo1 must be a number" },
		{ "elo0=0,elo1=200.001", "--sprt: elo1 must be a number" },
		{ "elo0=0,elo1=1e300", "--sprt: elo1 must be a number" },
		{ "elo0=--5,elo1=5", "--sprt: elo0 must be a number" },
		{ "elo0=,elo1=5", "--sprt: elo0 must be a number" },
		{ "elo0=0,elo1=99999999999999999999999999999999999999999999",
		  "--sprt: elo1 must be a number" },
		{ "elo0=0,elo1=5,alpha=0", "--sprt: alpha must be a number" },
		{ "elo0=0,elo1=5,beta=1", "--sprt: beta must be a number" },
		{ "elo0=0,elo1=5,beta=-.1", "--sprt: beta must be a number" },
		{ "elo0=0,elo1=5,alpha=.0001",
		  "--sprt: alpha must be a number" },
		{ "elo0=0,elo1=5,alpha=.05,beta=.95",
		  "--sprt: alpha and beta must be less than 1" },
		{ "elo0=0,elo1=5,model=bayesian",
		  "--sprt: model must be normalized or logistic" },
	};
	unsigned i;

	for (i = 0; i < NELEM(tried); i++)
		cr_expect_str_eq(parse(tried[i][0]), tried[i][1]);
	for (i = 0; i < NELEM(refused); i++)
		cr_expect(strncmp(parse(refused[i][0]), refused[i][1],
				  strlen(refused[i][1])) == 0,
			  "%s: %s", refused[i][0], parse(refused[i][0]));
}

/* ---- units of a match ----------------------------------------------------- */

/* Adds game `number` of three seats, in which bot[0] is first, bot[1] second,
 * and so on. */
static bool
hear(struct contest *contest, uint64_t number, bool counts,
     const unsigned bot[3])
{
	const struct match_rule rule = contest_rule(contest);
	struct match_result result = { .number = number, .counts = counts };

	for (unsigned s = 0; s < 3; s++) {
		result.bot[s] = bot[s];
		result.place[s] = (int)s + 1;
	}
	return rule.enough(rule.arg, &result);
}

Test(contest, units_are_whole_sets_with_both)
{
	static const unsigned both[] = { 0, 2, 1 }, one[] = { 0, 2, 3 };
	struct contest contest = { 0 };
	uint64_t number;

	contest_begin(&contest, 3);
	for (number = 1; number <= 3; number++)
		cr_expect_not(hear(&contest, number, true, both));
	cr_expect_eq(contest.sums.units, 1);
	cr_expect_eq(contest.sums.sum, 12, "it has beaten two, three times");
	/* A game was lost, then two sets have only one of them. */
	for (; number <= 12; number++)
		(void)hear(&contest, number, number != 5,
			   number <= 6 ? both : one);
	cr_expect_eq(contest.sums.units, 1);
	/* The third game of a set that begins elsewhere does not belong to it. */
	(void)hear(&contest, 14, true, both);
	(void)hear(&contest, 15, true, both);
	(void)hear(&contest, 16, true, both);
	cr_expect_eq(contest.sums.units, 1);
	(void)hear(&contest, 17, true, both);
	(void)hear(&contest, 18, true, both);
	cr_expect_eq(contest.sums.units, 2);
}

/* Plays at two seats until there is a verdict; the first bot of each set wins
 * `better` times in a hundred. */
static void
play_until_sure(struct draws *draws, unsigned better, struct contest *contest)
{
	const struct match_rule rule = contest_rule(contest);
	struct match_result result = { .counts = true };
	bool first;

	*contest = (struct contest){ .rule = CONTEST_UNTIL_SURE };
	contest_begin(contest, 2);
	do {
		first = draws_below(draws, 100) < better;
		result.number++;
		result.bot[0] = (unsigned)(result.number + 1) % 2;
		result.bot[1] = !result.bot[0];
		result.place[result.bot[0]] = first ? 1 : 2;
		result.place[result.bot[1]] = first ? 2 : 1;
	} while (!rule.enough(rule.arg, &result));
}

/* The printed numbers say so, too. */
Test(contest, an_end_at_zero_is_not_sure)
{
	static const unsigned char seed[DRAWS_SEED_BYTES] = "sure";
	struct contest contest;
	struct draws draws;
	double low, high;

	draws_seed(&draws, seed);
	for (unsigned i = 0; i < 100; i++) {
		play_until_sure(&draws, i % 2 == 0 ? 75 : 25, &contest);
		contest_lead(&contest, &low, &high);
		cr_expect(low > .0005 || high < -.0005, "%u: %.3f to %.3f", i,
			  low, high);
	}
}

Test(contest, a_rule_ends_it)
{
	static const unsigned first[] = { 0, 2, 1 }, second[] = { 1, 0, 2 };
	struct contest contest = { .rule = CONTEST_UNTIL_SURE };
	double low, high;
	uint64_t number = 0;
	char text[CONTEST_TEXT_BYTES];

	contest_begin(&contest, 3);
	while (!hear(&contest, ++number, true, first))
		cr_assert_lt(number, 100);
	contest_lead(&contest, &low, &high);
	cr_expect(low > 0 && low < .5 && near(high, 1, 1e-12));
	contest_write(&contest, text);
	cr_expect_str_eq(text, "until-sure");
	contest = (struct contest){ .rule = CONTEST_SPRT };
	number = 0;
	cr_assert_eq(sprt_parse(&contest.sprt, "elo0=-200,elo1=0", NULL), 0);
	contest_begin(&contest, 3);
	while (!hear(&contest, ++number, true, second))
		cr_assert_lt(number, 1000);
	cr_expect_eq(contest.verdict, SPRT_H0);
	cr_expect_eq(number % 3, 0);
	contest_write(&contest, text);
	cr_expect_str_eq(text, "sprt elo0=-200,elo1=0,alpha=0.05,beta=0.05,"
			       "model=normalized");
	/* Without a rule the contest only watches. */
	contest = (struct contest){ 0 };
	contest_begin(&contest, 3);
	for (number = 1; number <= 300; number++)
		cr_expect_not(hear(&contest, number, true, first));
	cr_expect_eq(contest.sums.units, 100);
}

/* ---- errors of the test, by simulation ----------------------------------- */

static struct draws draws;

static void
begin_draws(void)
{
	static const unsigned char seed[DRAWS_SEED_BYTES] = "sprt";

	draws_seed(&draws, seed);
}

static double
uniform(void)
{
	return draws_below(&draws, 1U << 30) / (double)(1U << 30);
}

/* Laws of a unit's difference.  At a table of four, from -24 to 24: two outcomes,
 * three with mostly the middle, and all alike.  And of a pair, from -4 to 4. */
enum shape { ENDS, MIDDLE, FLAT, SHAPES, PAIRS = SHAPES };

static const char *const shapes[SHAPES] = { "ends", "middle", "flat" };

static double
weight(enum shape shape, unsigned i)
{
	static const double pairs[] = { 1, 2, 4, 2, 1 };

	return shape == PAIRS ? pairs[i] : shape == MIDDLE && i == 1 ? 8 : 1;
}

/* Tilted so that (mean - 1/2) / deviation is t. */
struct table {
	int value[25], width; /* v is 1/2 + value / width */
	double up_to[25];
	unsigned n;
};

static double
t_of(const struct table *table, const double p[])
{
	double mean = 0, square = 0, x;

	for (unsigned i = 0; i < table->n; i++) {
		x = (double)table->value[i] / table->width;
		mean += p[i] * x;
		square += p[i] * x * x;
	}
	return mean / sqrt(square - mean * mean);
}

static struct table
make_table(enum shape shape, double t)
{
	static const unsigned values[] = { 2, 3, 25, 5 };
	struct table table = { .n = values[shape],
			       .width = shape == PAIRS ? 8 : 48 };
	double p[25], low = -4, high = 4, sum;
	unsigned i;

	for (i = 0; i < table.n; i++)
		table.value[i] = table.width * (int)i / ((int)table.n - 1) -
				 table.width / 2;
	for (unsigned k = 0; k < 60; k++) {
		sum = 0;
		for (i = 0; i < table.n; i++) {
			p[i] = exp((low + high) / 2 * table.value[i] /
				   table.width) *
			       weight(shape, i);
			sum += p[i];
		}
		for (i = 0; i < table.n; i++)
			p[i] /= sum;
		if (t_of(&table, p) < t)
			low = (low + high) / 2;
		else
			high = (low + high) / 2;
	}
	for (i = 0; i < table.n; i++)
		table.up_to[i] = p[i] + (i > 0 ? table.up_to[i - 1] : 0);
	return table;
}

static int
draw(const struct table *table)
{
	const double x = uniform();
	unsigned i = 0;

	while (i + 1 < table->n && x >= table->up_to[i])
		i++;
	return table->value[i];
}

/* Returns the share of `runs` tests that accept H1; *units becomes the mean of their
 * lengths. */
static double
count_h1(const struct sprt *sprt, const struct table *table, unsigned long runs,
	 double *units)
{
	unsigned long accepted = 0;
	struct sprt_sums sums;
	enum sprt_verdict verdict;
	uint64_t all = 0;

	for (unsigned long r = 0; r < runs; r++) {
		memset(&sums, 0, sizeof(sums));
		do {
			sprt_add(sprt, &sums, draw(table));
			verdict = sprt_judge(sprt, &sums);
		} while (verdict == SPRT_OPEN);
		accepted += verdict == SPRT_H1;
		all += sums.units;
	}
	*units = (double)all / (double)runs;
	return (double)accepted / (double)runs;
}

/* Expects errors of at most 6.5 % where .05 was asked for. */
static void
simulate(double t1, double expected, unsigned long runs)
{
	/* Four standard deviations of what is counted. */
	const double slack = 4 * sqrt(.05 * .95 / (double)runs);
	struct sprt sprt = {
		.alpha = .05, .beta = .05, .seats = 4, .games = 4
	};
	double h1, h0, units[2];
	struct table table;

	sprt.elo1 = t1 * 800 / M_LN10 / 2;
	for (unsigned s = 0; s < SHAPES; s++) {
		table = make_table((enum shape)s, 0);
		h1 = count_h1(&sprt, &table, runs, &units[0]);
		table = make_table((enum shape)s, t1);
		h0 = 1 - count_h1(&sprt, &table, runs, &units[1]);
		printf("# t1 %.1f, %-6s: %.2f %% and %.2f %% wrong, %.0f and "
		       "%.0f units (%lu runs)\n",
		       t1, shapes[s], 100 * h1, 100 * h0, units[0], units[1],
		       runs);
		cr_expect(h1 <= .065 + slack && h0 <= .065 + slack);
		cr_expect(near(units[0] / expected, 1, .15 + 2 * slack) &&
			  near(units[1] / expected, 1, .15 + 2 * slack));
	}
	fflush(stdout);
}

Test(sprt, errors_are_as_rare_as_was_asked)
{
	begin_draws();
	simulate(.2, 145, check_rounds(300, 10000));
	simulate(.1, 540, check_rounds(100, 10000));
}

/* Counts the errors of pairs, for which the law is estimated after each. */
Test(sprt, errors_of_pairs_are_as_rare)
{
	const unsigned long runs = check_rounds(40, 4000);
	const double slack = 4 * sqrt(.05 * .95 / (double)runs);
	const double t1 = 60 * M_LN10 / 800 * M_SQRT2;
	struct sprt sprt = { 0, 60, .05, .05, SPRT_NORMALIZED, 2, 2 };
	struct table none = make_table(PAIRS, 0), gain = make_table(PAIRS, t1);
	double h1, h0, units;

	begin_draws();
	h1 = count_h1(&sprt, &none, runs, &units);
	h0 = 1 - count_h1(&sprt, &gain, runs, &units);
	printf("# pairs, 0 to 60 nElo: %.2f %% and %.2f %% wrong, %.0f units "
	       "(%lu runs)\n",
	       100 * h1, 100 * h0, units, runs);
	fflush(stdout);
	cr_expect(h1 <= .065 + slack && h0 <= .065 + slack);
}

/* At the end of a test the estimate is above the truth as often as below, unlike
 * the plain one, and the interval has it in 95 of 100. */
static void
estimate_often(double elo, unsigned long runs)
{
	const struct sprt sprt = { 0, 60, .05, .05, SPRT_NORMALIZED, 2, 2 };
	const struct table table =
		make_table(PAIRS, elo * M_LN10 / 800 * M_SQRT2);
	unsigned long above = 0, plain = 0, inside = 0;
	struct sprt_estimate found;
	struct sprt_sums sums;

	for (unsigned long r = 0; r < runs; r++) {
		memset(&sums, 0, sizeof(sums));
		do {
			sprt_add(&sprt, &sums, draw(&table));
		} while (sprt_judge(&sprt, &sums) == SPRT_OPEN);
		cr_assert(sprt_estimate(&sprt, &sums, &found));
		above += found.elo > elo;
		plain += found.plain > elo;
		inside += found.low < elo && elo < found.high;
	}
	printf("# %3.0f nElo: the estimate is above in %.1f %% (plain: %.1f "
	       "%%), "
	       "the interval has it in %.1f %% (%lu runs)\n",
	       elo, 100. * (double)above / (double)runs,
	       100. * (double)plain / (double)runs,
	       100. * (double)inside / (double)runs, runs);
	fflush(stdout);
	cr_expect(near((double)above / (double)runs, .5,
		       .05 + 2 / sqrt((double)runs)));
	cr_expect(near((double)inside / (double)runs, .95,
		       .015 + .9 / sqrt((double)runs)));
}

Test(sprt, estimates_are_median_unbiased)
{
	static const double elo[] = { 0, 30, 60, 100 };

	begin_draws();
	for (unsigned i = 0; i < NELEM(elo); i++)
		estimate_often(elo[i], check_rounds(40, 2000));
}

/* ---- the interval --------------------------------------------------------- */

Test(anytime, it_closes_in_on_the_mean)
{
	struct anytime anytime;
	double low, high, before = 1;

	anytime_init(&anytime);
	anytime_interval(&anytime, &low, &high);
	cr_expect(near(low, 0, 1e-12) && near(high, 1, 1e-12));
	for (unsigned i = 1; i <= 2000; i++) {
		anytime_add(&anytime, i % 4 == 0 ? 1 : .5);
		anytime_interval(&anytime, &low, &high);
		cr_expect(low < .625 && high > .625);
		cr_expect(high - low <= before + 1e-12, "it never widens");
		before = high - low;
	}
	cr_expect(before < .06, "%.3f", before);
}

/* Even after the most unlikely results it stays a valid interval. */
Test(anytime, bad_luck_leaves_one_mean)
{
	struct anytime anytime;
	double low, high;

	anytime_init(&anytime);
	for (unsigned i = 0; i < 100; i++)
		anytime_add(&anytime, 0);
	for (unsigned i = 0; i < 4000; i++) {
		anytime_add(&anytime, 1);
		anytime_interval(&anytime, &low, &high);
		cr_assert(low < high && high - low > .004 && low >= 0 &&
			  high <= 1);
	}
}

#define LOOKS 500

/* Counts how often it misses the mean at any look, its width at the last look
 * relative to a fixed-size bar, and how often it excludes 1/2. */
static void
watch(enum shape shape, double t, unsigned long runs)
{
	const struct table table = make_table(shape, t);
	struct anytime anytime;
	unsigned long missed = 0, stopped = 0, r;
	double mean = 0, square = 0, low, high, wide = 0, v, rate;
	bool miss, stop;
	unsigned i;

	for (i = 0; i < table.n; i++) {
		v = .5 + (double)table.value[i] / table.width;
		rate = table.up_to[i] - (i > 0 ? table.up_to[i - 1] : 0);
		mean += rate * v;
		square += rate * v * v;
	}
	for (r = 0; r < runs; r++) {
		miss = stop = false;
		anytime_init(&anytime);
		for (i = 0; i < LOOKS; i++) {
			anytime_add(&anytime,
				    .5 + (double)draw(&table) / table.width);
			anytime_interval(&anytime, &low, &high);
			miss |= low >= mean + 1e-9 || high <= mean - 1e-9;
			stop |= low >= .5 || high <= .5;
		}
		missed += miss;
		stopped += stop;
		wide += (high - low) / 2 / 1.96 * sqrt(LOOKS) /
			sqrt(square - mean * mean) / (double)runs;
	}
	printf("# %-6s t %.1f: mean missed in %.2f %%, %.2f times as wide, "
	       "1/2 excluded in %.2f %% (%lu runs)\n",
	       shapes[shape], t, 100. * (double)missed / (double)runs, wide,
	       100. * (double)stopped / (double)runs, runs);
	fflush(stdout);
	cr_expect((double)missed / (double)runs <=
		  .05 + 4 * sqrt(.05 * .95 / (double)runs));
	cr_expect(wide > 1.6 && wide < 2);
	cr_expect(t > 0 || (double)stopped / (double)runs <=
				   .04 + 4 * sqrt(.04 / (double)runs));
}

Test(anytime, the_mean_is_rarely_missed_at_any_look)
{
	begin_draws();
	for (unsigned s = 0; s < SHAPES; s++) {
		watch((enum shape)s, 0, check_rounds(60, 5000));
		watch((enum shape)s, .3, check_rounds(60, 5000));
	}
}
