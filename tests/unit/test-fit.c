/* tests/unit/test-fit.c - ladder/fit.h: independent numbers, and which bots
 * can be compared.
 *
 * The numbers are from tests/independent/fit.py with the same games as a file
 * and the options beside them. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/fit-inside.h"
#include "ladder/fit.h"

static struct fit *made[8]; /* by the present test */

static struct fit *
new_fit(void)
{
	unsigned i = 0;

	while (i < NELEM(made) && made[i] != NULL)
		i++;
	cr_assert_lt(i, NELEM(made));
	made[i] = fit_new();
	return made[i];
}

static void
free_fits(void)
{
	for (unsigned i = 0; i < NELEM(made); i++)
		fit_free(made[i]);
}

TestSuite(fit, .fini = free_fits);

/* Plays a game of bots that have letters as names, the best one first; `=` makes the
 * next one level with the one before: "ab=c". */
static void
play_in(struct fit *fit, const char *order, uint32_t cluster)
{
	unsigned bot[SEATS_MAX], seats = 0;
	int place[SEATS_MAX];
	char name[2] = "";

	for (; *order != '\0'; order++) {
		place[seats] = (int)seats + 1;
		if (*order == '=') {
			place[seats] = place[seats - 1];
			order++;
		}
		name[0] = *order;
		bot[seats++] = fit_bot(fit, name);
	}
	fit_game(fit, seats, bot, place, cluster);
}

static void
play(struct fit *fit, const char *order, unsigned times)
{
	while (times-- > 0)
		play_in(fit, order, FIT_ALONE);
}

static void
solve(struct fit *fit, bool prior)
{
	struct error why;

	cr_assert_eq(fit_solve(fit, prior, &why), 0, "%s", why.text);
}

static const struct fit_row *
row_of(const struct fit *fit, const char *name)
{
	const struct fit_row *row = fit_rows(fit);

	while (strcmp(row->name, name) != 0)
		row++;
	return row;
}

static struct fit_difference
between(const struct fit *fit, const char *a, const char *b)
{
	return fit_compare(fit, row_of(fit, a)->bot, row_of(fit, b)->bot);
}

/* Holds a line of fit.py: of a bot, or of a pair as "a b". */
struct line {
	const char *name;
	double value, low, high;
};

static void
expect_number(const char *name, double is, double wanted)
{
	/* The ends are found to about 0.02 points. */
	if (isinf(wanted))
		cr_expect_eq(is, wanted, "%s: %f", name, is);
	else
		cr_expect_float_eq(is, wanted, 0.03, "%s: %f, not %f", name, is,
				   wanted);
}

static void
expect_line(const struct fit *fit, const struct line *line)
{
	const char one[] = { line->name[0], '\0' };
	const struct fit_row *row = row_of(fit, one);
	struct fit_difference apart;

	if (line->name[1] == '\0') {
		expect_number(line->name, row->rating, line->value);
		expect_number(line->name, row->low, line->low);
		expect_number(line->name, row->high, line->high);
		return;
	}
	apart = between(fit, one, line->name + 2);
	expect_number(line->name, apart.points, line->value);
	expect_number(line->name, apart.low, line->low);
	expect_number(line->name, apart.high, line->high);
}

/* Expects these lines, up to one without a name. */
static void
expect_lines(const struct fit *fit, const struct line line[])
{
	for (; line->name != NULL; line++)
		expect_line(fit, line);
}

/* ---- numbers ---------------------------------------------------------- */

/* 400 lg(12/6). */
Test(fit, twelve_wins_to_six)
{
	static const struct line without[] = {
		{ "a", 1560.2060, 1476.9744, 1648.0992 }, /* --no-prior */
		{ "b", 1439.7940, 1351.9008, 1523.0256 },
		{ "a b", 120.4120, -46.0511, 296.1983 },
		{ 0 }
	};
	static const struct line with[] = {
		{ "a", 1558.8094, 1476.8008, 1645.1376 },
		{ "b", 1441.1906, 1354.8624, 1523.1992 },
		{ "a b", 117.6188, -46.3984, 290.2752 },
		{ 0 }
	};
	struct fit *fit = new_fit();

	play(fit, "ab", 12);
	play(fit, "ba", 6);
	solve(fit, false);
	cr_expect_float_eq(between(fit, "a", "b").points, 400 * log10(2), 1e-3);
	expect_lines(fit, without);
	solve(fit, true);
	expect_lines(fit, with);
	cr_expect_float_eq(row_of(fit, "a")->score, 2.0 / 3, 1e-9);
	cr_expect_float_eq(row_of(fit, "b")->score, 1.0 / 3, 1e-9);
	cr_expect_eq(row_of(fit, "b")->games, 18);
}

/* 100 games a pair, no draws; --no-prior. */
Test(fit, round_robin_of_five)
{
	static const struct {
		const char *one, *other;
		unsigned wins;
	} pair[] = {
		{ "ab", "ba", 64 }, { "ac", "ca", 71 }, { "ad", "da", 80 },
		{ "ae", "ea", 93 }, { "bc", "cb", 58 }, { "bd", "db", 69 },
		{ "be", "eb", 85 }, { "cd", "dc", 62 }, { "ce", "ec", 77 },
		{ "de", "ed", 66 },
	};
	static const struct line line[] = {
		{ "a", 1681.9011, 1649.0996, 1715.7212 },
		{ "b", 1577.9356, 1547.8477, 1608.3498 },
		{ "c", 1517.1682, 1487.2820, 1547.1019 },
		{ "d", 1429.3649, 1398.5026, 1459.8767 },
		{ "e", 1293.6302, 1258.2438, 1327.7288 },
		{ "a b", 103.9655, 55.2454, 153.2525 },
		{ "a e", 388.2709, 333.6280, 444.7996 },
		{ "b c", 60.7674, 14.2309, 107.5212 },
		{ "d e", 135.7347, 85.3072, 186.9403 },
		{ 0 }
	};
	struct fit *fit = new_fit();
	unsigned i;

	for (i = 0; i < NELEM(pair); i++) {
		play(fit, pair[i].one, pair[i].wins);
		play(fit, pair[i].other, 100 - pair[i].wins);
	}
	solve(fit, false);
	expect_lines(fit, line);
	for (i = 0; i < 5; i++) {
		cr_expect_eq(fit_rows(fit)[i].best, i + 1);
		cr_expect_eq(fit_rows(fit)[i].worst, i + 1);
	}
}

/* A draw counts as half a win for ratings, and makes them more certain;
 * --no-prior. */
Test(fit, a_draw_is_half_a_win)
{
	static const struct line line[] = {
		{ "a", 1560.2060, 1490.3884, 1633.2782 },
		{ "a b", 120.4120, -19.2232, 266.5564 },
		{ 0 }
	};
	struct fit *fit = new_fit();

	play(fit, "ab", 9);
	play(fit, "ba", 3);
	play(fit, "a=b", 6);
	solve(fit, false);
	expect_lines(fit, line);
	cr_expect_float_eq(row_of(fit, "a")->score, 2.0 / 3, 1e-9);
}

/* Plays for places of one to four bots, level ones, and games of two, three and
 * four. */
static void
play_mixed(struct fit *fit)
{
	play(fit, "abcd", 6);
	play(fit, "bacd", 4);
	play(fit, "acbd", 4);
	play(fit, "dabc", 1);
	play(fit, "bdca", 2);
	play(fit, "cab=d", 2);
	play(fit, "eabc", 1);
	play(fit, "aebd", 3);
	play(fit, "becd", 2);
	play(fit, "cdae", 1);
	play(fit, "e=da", 1);
	play(fit, "ae", 2);
	play(fit, "ed", 2);
}

Test(fit, games_of_several_seats)
{
	static const struct line line[] = {
		{ "a", 1669.1530, 1569.0500, 1778.4914 },
		{ "b", 1563.5316, 1475.5643, 1653.6343 },
		{ "c", 1460.9518, 1367.7613, 1552.2620 },
		{ "d", 1253.1473, 1124.0118, 1364.0911 },
		{ "e", 1553.2163, 1424.3285, 1684.7138 },
		{ "a b", 105.6215, -36.7247, 253.8015 },
		{ "a d", 416.0057, 229.4609, 626.9191 },
		{ "c e", -92.2645, -287.3540, 98.9282 },
		{ "e c", 92.2645, -98.9282, 287.3540 },
		{ 0 }
	};
	struct fit *fit = new_fit();

	play_mixed(fit);
	solve(fit, true);
	expect_lines(fit, line);
}

/* --anchor e=1000: no difference changes, and bars are those from e. */
Test(fit, an_anchor_stays_where_it_is)
{
	static const struct line line[] = {
		{ "a", 1115.9368, 941.4814, 1294.5699 },
		{ "b", 1010.3153, 827.9198, 1191.9781 },
		{ "c", 907.7355, 712.6460, 1098.9282 },
		{ "d", 699.9311, 486.7743, 896.3431 },
		{ "e", 1000, 1000, 1000 },
		{ "a b", 105.6215, -36.7247, 253.8015 },
		{ "a e", 115.9368, -58.5186, 294.5699 },
		{ 0 }
	};
	struct fit *fit = new_fit();
	unsigned b;

	play_mixed(fit);
	fit_anchor(fit, fit_bot(fit, "e"), 1000);
	solve(fit, true);
	expect_lines(fit, line);
	for (b = 0; b < fit_bots(fit); b++)
		cr_expect_eq(fit_is_fixed(&fit_rows(fit)[b]),
			     *fit_rows(fit)[b].name == 'e');
	/* The last rating of an anchor holds. */
	fit_anchor(fit, fit_bot(fit, "e"), 1500);
	solve(fit, true);
	cr_expect_eq(row_of(fit, "e")->rating, 1500);
	expect_number("a", row_of(fit, "a")->low, 1441.4814);
}

/* --anchor b=1700 --anchor e=1300: they move as one, so what they played against
 * each other says nothing. */
Test(fit, several_anchors_move_as_one)
{
	static const struct line line[] = {
		{ "a", 1695.1325, 1543.5493, 1854.2827 },
		{ "b", 1700, 1700, 1700 },
		{ "c", 1490.4609, 1330.9285, 1646.0084 },
		{ "d", 1231.7458, 1046.4753, 1397.7111 },
		{ "e", 1300, 1300, 1300 },
		{ "a b", -4.8675, -156.4507, 154.2827 },
		{ "a e", 395.1325, 243.5493, 554.2827 },
		{ "b e", 400, 400, 400 },
		{ "c d", 258.7151, 83.4647, 448.0646 },
		{ 0 }
	};
	struct fit *fit = new_fit();
	struct fit_row before;

	play_mixed(fit);
	fit_anchor(fit, fit_bot(fit, "b"), 1700);
	fit_anchor(fit, fit_bot(fit, "e"), 1300);
	solve(fit, true);
	expect_lines(fit, line);
	cr_expect_eq(between(fit, "b", "e").los, 1);
	cr_expect_eq(between(fit, "e", "b").los, 0);
	cr_expect(fit_is_fixed(row_of(fit, "b")));
	cr_expect(fit_is_fixed(row_of(fit, "e")));
	cr_expect_not(fit_is_fixed(row_of(fit, "a")));
	/* A prior would let their virtual games fade. */
	solve(fit, false);
	before = *row_of(fit, "a");
	cr_expect_float_eq(before.rating, 1699.8524, 0.002);
	play(fit, "be", 5);
	play(fit, "eb", 1);
	solve(fit, false);
	cr_expect_float_eq(row_of(fit, "a")->rating, before.rating, 1e-3);
	cr_expect_float_eq(row_of(fit, "a")->low, before.low, 1e-3);
	cr_expect_float_eq(row_of(fit, "a")->high, before.high, 1e-3);
}

/* Both anchors won all of their games against others, and one of them lost to
 * the other: no game says how far below them the others are. */
Test(fit, anchors_that_won_all_are_open_though_one_lost_to_the_other)
{
	struct fit *fit = new_fit();

	play(fit, "ab", 1);
	play(fit, "ac", 1);
	play(fit, "bc", 1);
	play(fit, "bd", 1);
	play(fit, "cd", 2);
	play(fit, "dc", 1);
	fit_anchor(fit, fit_bot(fit, "a"), 2000);
	fit_anchor(fit, fit_bot(fit, "b"), 1900);
	solve(fit, true);
	cr_expect_eq(row_of(fit, "c")->low, -INFINITY);
	cr_expect_eq(row_of(fit, "d")->low, -INFINITY);
	cr_expect(isfinite(row_of(fit, "c")->high));
	cr_expect(isfinite(between(fit, "c", "d").low));
}

/* --tie c=b; no tie without a prior, and none of a bot with itself. */
Test(fit, versions_are_tied)
{
	static const struct line line[] = {
		{ "a", 1667.4454, 1568.3595, 1775.7478 },
		{ "b", 1540.1773, 1464.5185, 1617.0343 },
		{ "c", 1486.2185, 1407.2307, 1564.0988 },
		{ "a b", 127.2680, -6.9580, 268.4041 },
		{ "b c", 53.9588, -45.7092, 155.1220 },
		{ 0 }
	};
	struct fit *fit = new_fit();
	double apart;

	play_mixed(fit);
	solve(fit, false);
	apart = between(fit, "b", "c").points;
	fit_tie(fit, fit_bot(fit, "c"), fit_bot(fit, "b"));
	fit_tie(fit, fit_bot(fit, "a"), fit_bot(fit, "a"));
	solve(fit, true);
	expect_lines(fit, line);
	solve(fit, false);
	cr_expect_float_eq(between(fit, "b", "c").points, apart, 1e-3);
}

/* 60 games, each three alike: in blocks of three, the bar is wider. */
Test(fit, clusters_are_counted_not_games)
{
	static const struct line blocks[] = {
		{ "a", 1553.5260, 1479.8421, 1630.4346 },
		{ "a b", 107.0520, -40.3157, 260.8692 },
		{ 0 }
	};
	static const struct line alone[] = {
		{ "a", 1553.5260, 1508.1224, 1600.1361 },
		{ "a b", 107.0520, 16.2448, 200.2722 },
		{ 0 }
	};
	struct fit *fit[3];
	unsigned g, i;

	for (i = 0; i < NELEM(fit); i++)
		fit[i] = new_fit();
	for (g = 0; g < 60; g++) {
		play_in(fit[0], g < 39 ? "ab" : "ba", g / 3);
		/* These are the same blocks, in pieces. */
		play_in(fit[1], g % 20 < 13 ? "ab" : "ba", g % 20);
		play_in(fit[2], g < 39 ? "ab" : "ba", FIT_ALONE);
	}
	for (i = 0; i < NELEM(fit); i++) {
		solve(fit[i], true);
		expect_lines(fit[i], i < 2 ? blocks : alone);
	}
}

/* The bot is always the second of three: a score that never varied is still
 * uncertain. */
Test(fit, a_score_that_never_varies_has_a_bar)
{
	static const struct line line[] = {
		{ "a", 1580.4247, 1498.3367, 1666.8639 },
		{ "b", 1500.0000, 1453.1578, 1546.8422 },
		{ "a b", 80.4247, -24.8267, 189.6257 },
		{ "a c", 160.8493, 3.1902, 326.8656 },
		{ 0 }
	};
	struct fit *fit = new_fit();

	play(fit, "abc", 20);
	play(fit, "cba", 10);
	solve(fit, true);
	expect_lines(fit, line);
}

/* ---- who is better ---------------------------------------------------- */

/* The LOS is that of the z at which the bar of the difference ends at 0. */
Test(fit, the_los_goes_with_the_bar)
{
	static const char *const bot[] = { "a", "b", "c", "d", "e" };
	struct fit_difference apart, back;
	struct fit *fit = new_fit();
	unsigned i, j;

	play_mixed(fit);
	solve(fit, true);
	for (i = 0; i < NELEM(bot); i++)
		for (j = 0; j < NELEM(bot); j++) {
			if (i == j)
				continue;
			apart = between(fit, bot[i], bot[j]);
			back = between(fit, bot[j], bot[i]);
			cr_expect_eq(apart.los > 0.975, apart.low > 0, "%s %s",
				     bot[i], bot[j]);
			cr_expect_eq(apart.los > 0.5, apart.points > 0, "%s %s",
				     bot[i], bot[j]);
			cr_expect_float_eq(apart.los + back.los, 1, 1e-9);
			cr_expect_float_eq(apart.low, -back.high, 1e-9);
		}
	cr_expect_gt(between(fit, "a", "d").los, between(fit, "b", "d").los);
	/* It is near the normal one: 117.6 points with a standard deviation of
	 * 85.9. */
	fit = new_fit();
	play(fit, "ab", 12);
	play(fit, "ba", 6);
	solve(fit, true);
	cr_expect_float_eq(between(fit, "a", "b").los, 0.915, 0.01, "%f",
			   between(fit, "a", "b").los);
	play(fit, "ba", 6);
	solve(fit, true);
	cr_expect_float_eq(between(fit, "a", "b").los, 0.5, 1e-3);
}

/* Ranks are those of differences at the z of 0.05/(N-1), each on one side: with
 * two bots 1.645, where a bar has 1.96. */
Test(fit, who_is_surely_better)
{
	static const struct {
		unsigned wins, losses;
		bool sure;
	} played[] = { { 12, 6, false }, { 17, 8, true }, { 40, 10, true } };
	struct fit *fit;
	double los;
	unsigned i;

	for (i = 0; i < NELEM(played); i++) {
		fit = new_fit();
		play(fit, "ab", played[i].wins);
		play(fit, "ba", played[i].losses);
		solve(fit, true);
		los = between(fit, "a", "b").los;
		cr_expect_eq(los > 0.95, played[i].sure, "%f", los);
		cr_expect_eq(row_of(fit, "a")->best, 1);
		cr_expect_eq(row_of(fit, "a")->worst, played[i].sure ? 1 : 2);
		cr_expect_eq(row_of(fit, "b")->best, played[i].sure ? 2 : 1);
		cr_expect_eq(row_of(fit, "b")->worst, 2);
	}
}

/* A bot that won all has no upper end, and one that lost all no lower one. */
Test(fit, who_won_all_is_open_above)
{
	static const struct line line[] = {
		{ "a", 2134.1843, 1922.4408, INFINITY },
		{ "b", 1500, 1347.4780, 1652.5220 },
		{ "c", 865.8157, -INFINITY, 1077.5592 },
		{ "a b", 634.1843, 338.5816, INFINITY },
		{ "b a", -634.1843, -INFINITY, -338.5816 },
		{ "b c", 634.1843, 338.5816, INFINITY },
		{ 0 }
	};
	struct fit *fit = new_fit();

	play(fit, "ab", 15);
	play(fit, "bc", 15);
	solve(fit, true);
	expect_lines(fit, line);
	cr_expect_gt(between(fit, "a", "b").los, 0.999);
	cr_expect_lt(between(fit, "b", "a").los, 0.001);
	cr_expect_eq(row_of(fit, "a")->worst, 1);
	cr_expect_eq(row_of(fit, "c")->best, 3);
	/* If two bots won all, neither is surely better. */
	play(fit, "dc", 1);
	solve(fit, true);
	cr_expect_gt(between(fit, "a", "d").points, 0);
	cr_expect_lt(between(fit, "a", "d").los, 0);
	cr_expect_eq(between(fit, "a", "d").low, -INFINITY);
	cr_expect_eq(between(fit, "a", "d").high, INFINITY);
	cr_expect_eq(row_of(fit, "a")->worst, 2);
	/* One draw, and there is an end. */
	play(fit, "a=b", 1);
	solve(fit, true);
	cr_expect(isfinite(row_of(fit, "a")->high));
	cr_expect_gt(between(fit, "a", "d").high,
		     between(fit, "a", "d").points);
}

/* A bot without a rank comes after the others, and is not counted. */
Test(fit, the_unranked_stand_behind)
{
	struct fit *fit = new_fit();

	play(fit, "ab", 200); /* a has gone */
	play(fit, "ba", 20);
	play(fit, "bc", 200);
	play(fit, "cb", 20);
	fit_unrank(fit, fit_bot(fit, "a"));
	solve(fit, true);
	cr_expect_str_eq(fit_rows(fit)[0].name, "b");
	cr_expect_eq(fit_rows(fit)[0].best, 1);
	cr_expect_eq(fit_rows(fit)[0].worst, 1);
	cr_expect_eq(fit_rows(fit)[1].worst, 2);
	cr_expect_str_eq(fit_rows(fit)[2].name, "a");
	cr_expect_eq(fit_rows(fit)[2].best, 0);
	cr_expect_gt(fit_rows(fit)[2].rating, fit_rows(fit)[0].rating);
}

/* Both are fixed at the same place, so neither is better. */
Test(fit, equal_anchors_share_their_rank)
{
	struct fit *fit = new_fit();

	play(fit, "ab", 20);
	play(fit, "ba", 10);
	play(fit, "ac", 10);
	play(fit, "cb", 12);
	fit_anchor(fit, fit_bot(fit, "a"), 1500);
	fit_anchor(fit, fit_bot(fit, "b"), 1500);
	solve(fit, true);
	cr_expect_eq(row_of(fit, "a")->best, row_of(fit, "b")->best);
	cr_expect_eq(row_of(fit, "a")->worst, row_of(fit, "b")->worst);
}

/* A bot that is level with two anchors far apart may be anywhere between them;
 * without a prior there is no estimate. */
Test(fit, anchors_far_apart)
{
	struct fit *fit = new_fit();
	const struct fit_row *row;
	struct error why;

	play(fit, "ca", 20);
	play(fit, "ac", 20);
	play(fit, "cb", 20);
	play(fit, "bc", 20);
	fit_anchor(fit, fit_bot(fit, "a"), 0);
	fit_anchor(fit, fit_bot(fit, "b"), 9000);
	solve(fit, true);
	row = row_of(fit, "c");
	cr_expect_float_eq(row->rating, 4500, 1);
	cr_expect_lt(row->low, row->rating);
	cr_expect_float_eq(row->high - row->rating, row->rating - row->low, 1,
			   "%g to %g", row->low, row->high);
	cr_assert_eq(fit_solve(fit, false, &why), -1);
	cr_expect(strstr(why.text, "too far apart"), "%s", why.text);
}

/* ---- who can be compared ---------------------------------------------- */

Test(fit, who_never_scored_is_refused_by_name_without_a_prior)
{
	struct fit *fit = new_fit();
	struct error why;

	play(fit, "ab", 20);
	play(fit, "ba", 10);
	play(fit, "az", 20);
	play(fit, "bz", 20);
	cr_assert_eq(fit_solve(fit, false, &why), -1);
	cr_expect_eq(why.kind, ERROR_INPUT);
	cr_expect_str_eq(
		why.text,
		"z never scored against a, b, so without a prior there "
		"is no best distance; leave --prior 0 out");
	solve(fit, true);
	cr_expect_eq(row_of(fit, "z")->low, -INFINITY);
	cr_expect(isfinite(row_of(fit, "z")->high));
	cr_expect(isfinite(row_of(fit, "a")->low));
	cr_expect(isfinite(row_of(fit, "a")->high));
	/* The others are measured by a bot that is fixed. */
	fit_anchor(fit, fit_bot(fit, "z"), 1000);
	solve(fit, true);
	cr_expect(fit_is_fixed(row_of(fit, "z")));
	cr_expect_eq(row_of(fit, "a")->high, INFINITY);
	cr_expect_gt(row_of(fit, "a")->low, 1000);
}

Test(fit, who_never_lost_is_refused_by_name_without_a_prior)
{
	struct fit *fit = new_fit();
	struct error why;

	play(fit, "ab", 20);
	play(fit, "bc", 20);
	play(fit, "ca", 20);
	play(fit, "ta", 20);
	cr_assert_eq(fit_solve(fit, false, &why), -1);
	cr_expect_str_eq(why.text,
			 "a, b, c never scored against t, so without a prior "
			 "there is no best distance; leave --prior 0 out");
	/* One draw, and there is a best distance. */
	play(fit, "t=b", 1);
	solve(fit, false);
	cr_expect(isfinite(row_of(fit, "t")->high));
}

Test(fit, what_no_chain_connects_is_not_compared)
{
	struct fit *fit = new_fit();
	struct error why;

	play(fit, "ab", 20);
	play(fit, "ba", 10);
	play(fit, "bc", 11);
	play(fit, "ca", 11);
	play(fit, "xy", 20);
	play(fit, "yx", 11);
	cr_assert_eq(fit_solve(fit, false, &why), -1);
	cr_expect(strstr(why.text, "no chain of games connects") &&
			  strstr(why.text, "x, y") &&
			  strstr(why.text, "a, b, c"),
		  "%s", why.text);
	/* Versions of one bot do not help either. */
	fit_tie(fit, fit_bot(fit, "x"), fit_bot(fit, "a"));
	cr_assert_eq(fit_solve(fit, false, &why), -1);
	solve(fit, true);
	cr_expect_eq(row_of(fit, "a")->set, 0);
	cr_expect_eq(row_of(fit, "x")->set, 1);
	cr_expect_eq(row_of(fit, "x")->worst, 2);
	cr_expect_not(between(fit, "a", "x").compared);
	cr_expect_lt(between(fit, "a", "x").los, 0);
	cr_expect(between(fit, "a", "c").compared);
	/* Two anchors are a chain. */
	fit_anchor(fit, fit_bot(fit, "a"), 1600);
	fit_anchor(fit, fit_bot(fit, "y"), 1400);
	solve(fit, false);
	cr_expect(between(fit, "b", "x").compared);
	cr_expect_float_eq(row_of(fit, "x")->rating,
			   1400 + 400 * log10(20.0 / 11), 0.001);
}

/* A set without an anchor has bars about the mean, as if there were none. */
Test(fit, a_set_without_an_anchor_keeps_its_bars)
{
	struct fit *fit = new_fit();
	double low, high;

	play(fit, "ab", 20);
	play(fit, "ba", 10);
	play(fit, "bc", 10);
	play(fit, "cb", 10);
	play(fit, "xy", 20);
	play(fit, "yx", 11);
	solve(fit, true);
	low = row_of(fit, "x")->low - row_of(fit, "x")->rating;
	high = row_of(fit, "x")->high - row_of(fit, "x")->rating;
	fit_anchor(fit, fit_bot(fit, "a"), 1000);
	solve(fit, true);
	cr_expect_not(fit_is_fixed(row_of(fit, "y")));
	cr_expect_float_eq(row_of(fit, "x")->low - row_of(fit, "x")->rating,
			   low, 0.01);
	cr_expect_float_eq(row_of(fit, "x")->high - row_of(fit, "x")->rating,
			   high, 0.01);
}

/* A bar is relative to the mean of its set, so the unknown place of another set
 * hardly makes it wider. (Relative to the mean of all, it was twice as wide.) */
Test(fit, another_set_makes_no_bar_much_wider)
{
	static const char *const bot[] = { "a", "b", "c", "d", "e" };
	struct fit *alone = new_fit(), *beside = new_fit();
	const struct fit_row *one, *other;
	unsigned i;

	play_mixed(alone);
	play_mixed(beside);
	play(beside, "xy", 9);
	play(beside, "yx", 6);
	solve(alone, true);
	solve(beside, true);
	for (i = 0; i < NELEM(bot); i++) {
		one = row_of(alone, bot[i]);
		other = row_of(beside, bot[i]);
		cr_expect_float_eq(
			(other->high - other->low) / (one->high - one->low), 1,
			0.1, "%s: %f", bot[i],
			(other->high - other->low) / (one->high - one->low));
	}
}

/* Plays two sets: a, b, c win in turns, d wins always and e never; x and y alone. */
static struct fit *
play_two_sets(unsigned times)
{
	struct fit *fit = new_fit();

	play(fit, "da", 1);
	play(fit, "be", 1);
	play(fit, "xy", 1);
	while (times-- > 0) {
		play(fit, "ab", 1);
		play(fit, "bc", 1);
		play(fit, "ca", 1);
	}
	solve(fit, true);
	return fit;
}

/* Many games make the same bots comparable and leave the same ends open as few. */
Test(fit, many_games_link_as_few_do)
{
	struct fit *few = play_two_sets(1), *many = play_two_sets(3000);
	const struct fit_row *one, *other;
	unsigned i;

	for (i = 0; i < fit_bots(few); i++) {
		one = &fit_rows(few)[i];
		other = row_of(many, one->name);
		cr_expect_eq(one->set, other->set, "%s", one->name);
		cr_expect_eq(isinf(one->low), isinf(other->low), "%s",
			     one->name);
		cr_expect_eq(isinf(one->high), isinf(other->high), "%s",
			     one->name);
	}
	cr_expect(isfinite(row_of(many, "a")->low) &&
		  isfinite(row_of(many, "a")->high));
	cr_expect_eq(row_of(many, "d")->high, INFINITY);
	cr_expect_eq(row_of(many, "e")->low, -INFINITY);
	cr_expect_eq(row_of(many, "e")->set, 0);
	cr_expect_eq(row_of(many, "x")->set, 1);
}

Test(fit, no_games_and_a_bot_that_plays_itself)
{
	struct fit *fit = new_fit();

	solve(fit, true);
	cr_expect_eq(fit_bots(fit), 0);
	play(fit, "nn", 1);
	solve(fit, true);
	cr_expect_float_eq(row_of(fit, "n")->rating, 1500, 1e-6);
	cr_expect_eq(row_of(fit, "n")->low, -INFINITY);
	cr_expect_eq(row_of(fit, "n")->high, INFINITY);
	cr_expect_lt(row_of(fit, "n")->score, 0);
	cr_expect_eq(row_of(fit, "n")->games, 2);
}

/* Names whose FNV-1a hashes without a key have equal low bits: any beginning,
 * and three characters that lead back. */
#define EQUAL_BITS 16
#define LIKE (1U << EQUAL_BITS)
#define ALPHABET                                                               \
	"abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_"

static void
find_ends(char end[LIKE][4])
{
	const uint32_t back = 0x359c449b; /* times 16777619 is 1 */
	uint32_t state;
	unsigned i, j;
	char text[4] = "";

	for (i = 0; i < 64 * 64 * 64; i++) {
		for (state = 0, j = 3; j > 0; j--) {
			text[j - 1] = ALPHABET[i >> 6 * (3 - j) & 63];
			state = state * back ^ (unsigned char)text[j - 1];
		}
		memcpy(end[state % LIKE], text, 4);
	}
}

/* A search is as long as the run of taken slots. */
Test(fit, names_cannot_be_chosen_to_collide)
{
	static char end[LIKE][4];
	struct fit *fit = new_fit();
	uint32_t state;
	char name[32], *c;
	unsigned i, names = 0, run = 0, longest = 0;

	find_ends(end);
	for (i = 0; names < 20000; i++) {
		snprintf(name, sizeof(name), "%u", i);
		for (state = 2166136261, c = name; *c != '\0'; c++)
			state = (state ^ (unsigned char)*c) * 16777619;
		if (end[state % LIKE][0] == '\0')
			continue;
		memcpy(c, end[state % LIKE], 4);
		cr_assert_eq(fit_bot(fit, name), names);
		names++;
	}
	/* FNV-1a put all of them in one run.  A third of the table is taken, so
	 * a run of 1000 does not happen by chance. */
	for (i = 0; i < fit->slots; i++) {
		run = fit->slot[i] != 0 ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	cr_expect_lt(longest, 1000, "%u", longest);
}
