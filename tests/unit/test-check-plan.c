/* tests/unit/test-check-plan.c - the trials of a bot cover every pair. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "referee/check/check-plan.h"

static struct chance chance;

static void
make(struct check_plan *plan, const struct game_rules *rules,
     enum check_extent extent, bool reuse)
{
	static const unsigned char seed[CHANCE_SEED_BYTES] = { 7 };

	memset(plan, 0, sizeof(*plan));
	chance_seed(&chance, seed);
	check_plan_add(plan, rules, extent, reuse, &chance);
}

static bool
is_valid(const struct check_trial *trial)
{
	char why[SENTENCE_BYTES];

	return game_setup_seats(&trial->setup, why) == 0 &&
	       game_setup_check(&trial->setup, why) == 0 &&
	       trial->seat < trial->setup.seats && trial->style < CHECK_STYLES;
}

/* Returns true if the trial has this level of this factor. */
static bool
has(const struct check_factors *factors, const struct check_trial *trial,
    unsigned f, unsigned level)
{
	const int value = factors->level[f][level];
	const unsigned seats = trial->setup.seats, options = factors->count - 5;

	if (f == 0)
		return (int)seats == value;
	if (f <= options)
		return trial->setup.option[f - 1] == value;
	switch (f - options) {
	case 1:
		return (int)trial->style == value;
	case 2:
		return trial->seat == (value == 0   ? 0
				       : value == 1 ? seats / 2
						    : seats - 1);
	case 3:
		return trial->arrival == (value != 0);
	default:
		return trial->house == (value != 0);
	}
}

static bool
has_pair(const struct check_plan *plan, const struct check_factors *factors,
	 unsigned f, unsigned a, unsigned g, unsigned b)
{
	unsigned i;

	for (i = 0; i < plan->count; i++)
		if (has(factors, &plan->trial[i], f, a) &&
		    has(factors, &plan->trial[i], g, b))
			return true;
	return false;
}

/* Returns true if the rules allow any row with these two levels.  Tries all
 * rows, or 2000 random ones in a game with many. */
static bool
is_possible(const struct check_factors *factors, unsigned f, unsigned a,
	    unsigned g, unsigned b)
{
	uint8_t at[CHECK_FACTORS];
	struct check_trial trial;
	unsigned i, k;

	for (i = 0; i < 2000; i++) {
		for (k = 0; k < factors->count; k++)
			at[k] = (uint8_t)chance_below(&chance,
						      factors->levels[k]);
		at[f] = (uint8_t)a;
		at[g] = (uint8_t)b;
		if (check_factors_trial(factors, at, &trial))
			return true;
	}
	return false;
}

static void
every_pair_is_there(const struct game_rules *rules, bool reuse)
{
	struct check_factors factors;
	struct check_plan plan;
	unsigned f, g, a, b, pairs = 0, impossible = 0;

	check_factors_make(&factors, rules, reuse);
	make(&plan, rules, CHECK_PAIRS, reuse);
	for (f = 0; f < factors.count; f++)
		for (g = f + 1; g < factors.count; g++)
			for (a = 0; a < factors.levels[f]; a++)
				for (b = 0; b < factors.levels[g]; b++) {
					pairs++;
					if (has_pair(&plan, &factors, f, a, g,
						     b))
						continue;
					impossible++;
					cr_expect_not(is_possible(&factors, f,
								  a, g, b),
						      "%s: %u=%u with %u=%u",
						      rules->name, f, a, g, b);
				}
	cr_expect_lt(impossible, pairs / 4, "%s: %u of %u", rules->name,
		     impossible, pairs);
	check_plan_release(&plan);
}

Test(check_plan, every_pair_that_the_rules_allow)
{
	unsigned i;

	for (i = 0; games[i] != NULL; i++)
		every_pair_is_there(games[i], i % 2 == 0);
}

Test(check_plan, every_trial_is_a_game)
{
	static const enum check_extent extents[] = { CHECK_QUICK, CHECK_PAIRS,
						     CHECK_ALL };
	struct check_plan plan;
	unsigned i, e, t;
	size_t before;

	for (i = 0; games[i] != NULL; i++) {
		before = 0;
		for (e = 0; e < NELEM(extents); e++) {
			make(&plan, games[i], extents[e], true);
			cr_expect_gt(plan.count, before, "%s", games[i]->name);
			before = plan.count;
			for (t = 0; t < plan.count; t++)
				cr_assert(is_valid(&plan.trial[t]));
			check_plan_release(&plan);
		}
	}
}

Test(check_plan, a_quick_one_has_every_level)
{
	struct check_factors factors;
	struct check_plan plan;
	unsigned i, f, a, t;

	for (i = 0; games[i] != NULL; i++) {
		check_factors_make(&factors, games[i], true);
		make(&plan, games[i], CHECK_QUICK, true);
		cr_expect_leq(plan.count, 14u);
		cr_expect_eq(plan.trial[0].style, CHECK_PLAIN);
		for (f = 0; f < factors.count; f++)
			for (a = 0; a < factors.levels[f]; a++) {
				for (t = 0; t < plan.count; t++)
					if (has(&factors, &plan.trial[t], f, a))
						break;
				/* The rules may change options. */
				cr_expect(t < plan.count ||
						  (f > 0 &&
						   f < factors.count - 4),
					  "%s: level %u of %u", games[i]->name,
					  a, f);
			}
		check_plan_release(&plan);
	}
}

Test(check_plan, a_long_game_of_each)
{
	struct check_plan plan;
	unsigned i, t, longs;

	for (i = 0; games[i] != NULL; i++) {
		make(&plan, games[i], CHECK_QUICK, false);
		for (t = longs = 0; t < plan.count; t++)
			longs += plan.trial[t].style == CHECK_LONG;
		cr_expect_eq(longs, 1u, "%s", games[i]->name);
		check_plan_release(&plan);
	}
	make(&plan, &game_toepen, CHECK_QUICK, false);
	cr_expect_eq(plan.trial[plan.count - 1].setup.option[0], 99);
	check_plan_release(&plan);
}

Test(check_plan, reuse_is_only_for_those_who_say_so)
{
	struct check_plan plan;
	unsigned t, with;
	int reuse;

	for (reuse = 0; reuse < 2; reuse++) {
		make(&plan, &game_toepen, CHECK_PAIRS, reuse != 0);
		for (t = with = 0; t < plan.count; t++)
			with += plan.trial[t].style == CHECK_REUSE;
		cr_expect_eq(with > 0, reuse != 0);
		check_plan_release(&plan);
	}
}

Test(check_plan, the_same_again)
{
	struct check_plan one, two;

	make(&one, &game_durnius, CHECK_PAIRS, false);
	make(&two, &game_durnius, CHECK_PAIRS, false);
	cr_assert_eq(one.count, two.count);
	cr_expect_arr_eq(one.trial, two.trial, one.count * sizeof(*one.trial));
	check_plan_release(&one);
	check_plan_release(&two);
}
