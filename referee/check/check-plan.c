/* referee/check/check-plan.c - chooses games that cover all pairs of levels.
 *
 * A mistake of a bot mostly shows with one thing or two things together: a
 * number of seats, an option, a way of asking.  So every pair is played at
 * least once.  Each row is built around a pair that has not been seen, as the
 * best of some random rows.  A pair without a valid row is left out. */
#include "referee/check/check-plan.h"

#include <stdlib.h>
#include <string.h>

#define TRIES 40 /* random rows to choose the best from */
#define LONG_FACTOR 10
#define ALL_MAX 1000000

/* The seats of the bot as an index of three. */
enum { SEAT_FIRST, SEAT_MIDDLE, SEAT_LAST };

const char *
check_style_text(enum check_style style)
{
	static const char *const text[] = {
		[CHECK_PLAIN] = "",
		[CHECK_WORDS] = "with words it cannot know",
		[CHECK_DRIP] = "lines in single bytes",
		[CHECK_SLOW] = "the others take their time",
		[CHECK_OTHERS] = "others are retired",
		[CHECK_BANK] = "time from a bank",
		[CHECK_ABORT] = "aborted",
		[CHECK_RETIRE] = "it is retired",
		[CHECK_EOF] = "its input ends",
		[CHECK_NAMES] = "without names",
		[CHECK_STRICT] = "in a strict box",
		[CHECK_LONG] = "a long game",
		[CHECK_REUSE] = "one process, several games",
		[CHECK_CUT] = "its connection is cut",
	};

	return text[style];
}

/* ---- factors ---------------------------------------------------------- */

static void
add_level(struct check_factors *factors, unsigned f, int value)
{
	for (unsigned i = 0; i < factors->levels[f]; i++)
		if (factors->level[f][i] == value)
			return;
	if (factors->levels[f] == CHECK_LEVELS)
		bug("more than %d levels", CHECK_LEVELS);
	factors->level[f][factors->levels[f]++] = (int16_t)value;
}

static int
preset(const struct game_option *option, unsigned seats)
{
	return option->preset == OPTION_DEFAULT_SEATS ? (int)seats
						      : option->preset;
}

/* Adds the levels of an option: all of a few choices, else the first, the
 * default and the last; of a number the default, the least and the next. */
static void
add_option(struct check_factors *factors, unsigned f,
	   const struct game_option *option)
{
	int value, last = 0;

	add_level(factors, f, preset(option, factors->rules->min_seats));
	if (option->values == NULL) {
		add_level(factors, f, option->min);
		add_level(factors, f,
			  option->min < option->max ? option->min + 1
						    : option->max);
		return;
	}
	while (option->values[last + 1] != NULL)
		last++;
	if (last < 6) {
		for (value = 0; value <= last; value++)
			add_level(factors, f, value);
		return;
	}
	add_level(factors, f, 0);
	add_level(factors, f, last);
}

/* Adds for a number the least value that a choice needs, as a race needs its
 * games. */
static void
add_needed(struct check_factors *factors, unsigned f)
{
	const struct game_option *options = factors->rules->options, *choice;
	const struct game_option *number = &options[f - 1];
	char why[SENTENCE_BYTES];
	struct game_setup setup;
	int n;

	for (choice = options; choice->name != NULL; choice++)
		for (int value = 0;
		     choice->values != NULL && choice->values[value] != NULL;
		     value++) {
			game_setup_init(&setup, factors->rules,
					factors->rules->min_seats);
			setup.option[choice - options] = (int16_t)value;
			n = setup.option[f - 1];
			while (game_setup_check(&setup, why) != 0 &&
			       n < number->max)
				setup.option[f - 1] = (int16_t)++n;
			if (n < number->max)
				add_level(factors, f, n);
		}
}

void
check_factors_make(struct check_factors *factors,
		   const struct game_rules *rules, bool reuse)
{
	unsigned f = 0;

	memset(factors, 0, sizeof(*factors));
	factors->rules = rules;
	for (int value = rules->min_seats; value <= rules->max_seats; value++)
		add_level(factors, f, value);
	for (f = 1; rules->options[f - 1].name != NULL; f++) {
		add_option(factors, f, &rules->options[f - 1]);
		if (rules->options[f - 1].values == NULL)
			add_needed(factors, f);
	}
	for (int value = CHECK_PLAIN; value < CHECK_LONG; value++)
		add_level(factors, f, value);
	if (reuse)
		add_level(factors, f, CHECK_REUSE);
	f++;
	for (int value = SEAT_FIRST; value <= SEAT_LAST; value++)
		add_level(factors, f, value);
	f++;
	for (int value = 0; value < 2; value++) {
		add_level(factors, f, value);	  /* the factor `arrival` */
		add_level(factors, f + 1, value); /* the factor `house` */
	}
	factors->count = f + 2;
}

bool
check_factors_trial(const struct check_factors *factors, const uint8_t at[],
		    struct check_trial *trial)
{
	const struct game_rules *rules = factors->rules;
	unsigned seats = (unsigned)factors->level[0][at[0]], f, i;
	char why[SENTENCE_BYTES];

	memset(trial, 0, sizeof(*trial));
	game_setup_init(&trial->setup, rules, seats);
	for (f = 1; rules->options[f - 1].name != NULL; f++)
		trial->setup.option[f - 1] = factors->level[f][at[f]];
	trial->style = (enum check_style)factors->level[f][at[f]];
	i = (unsigned)factors->level[f + 1][at[f + 1]];
	trial->seat = (uint8_t)(i == SEAT_FIRST	   ? 0
				: i == SEAT_MIDDLE ? seats / 2
						   : seats - 1);
	trial->arrival = factors->level[f + 2][at[f + 2]] != 0;
	trial->house = factors->level[f + 3][at[f + 3]] != 0;
	return game_setup_seats(&trial->setup, why) == 0 &&
	       game_setup_check(&trial->setup, why) == 0;
}

/* ---- pairs ------------------------------------------------------------ */

struct pairs {
	const struct check_factors *factors;
	struct chance *chance;
	/* seen[f][a][g][b], f < g; impossible pairs count as seen */
	bool seen[CHECK_FACTORS][CHECK_LEVELS][CHECK_FACTORS][CHECK_LEVELS];
};

static unsigned
gain(const struct pairs *pairs, const uint8_t at[])
{
	unsigned f, g, n = 0;

	for (f = 0; f < pairs->factors->count; f++)
		for (g = f + 1; g < pairs->factors->count; g++)
			n += !pairs->seen[f][at[f]][g][at[g]];
	return n;
}

static void
see(struct pairs *pairs, const uint8_t at[])
{
	for (unsigned f = 0; f < pairs->factors->count; f++)
		for (unsigned g = f + 1; g < pairs->factors->count; g++)
			pairs->seen[f][at[f]][g][at[g]] = true;
}

static void
draw_row(const struct check_factors *factors, struct chance *chance,
	 uint8_t at[])
{
	for (unsigned f = 0; f < factors->count; f++)
		at[f] = (uint8_t)chance_below(chance, factors->levels[f]);
}

static void
add_trial(struct check_plan *plan, const struct check_trial *trial)
{
	*ADDED(plan->trial, plan->count) = *trial;
}

/* Finds the best row with these two levels.  Returns false if none is valid. */
static bool
best_row(struct pairs *pairs, unsigned f, unsigned a, unsigned g, unsigned b,
	 uint8_t best[], struct check_trial *trial)
{
	uint8_t at[CHECK_FACTORS] = { 0 };
	struct check_trial drawn;
	unsigned i, n, most = 0;

	for (i = 0; i < TRIES; i++) {
		draw_row(pairs->factors, pairs->chance, at);
		at[f] = (uint8_t)a;
		at[g] = (uint8_t)b;
		if (!check_factors_trial(pairs->factors, at, &drawn))
			continue;
		n = gain(pairs, at);
		if (n <= most)
			continue;
		most = n;
		memcpy(best, at, CHECK_FACTORS);
		*trial = drawn;
	}
	return most > 0;
}

static void
add_pair(struct pairs *pairs, unsigned f, unsigned a, unsigned g, unsigned b,
	 struct check_plan *plan)
{
	uint8_t at[CHECK_FACTORS];
	struct check_trial trial;

	if (pairs->seen[f][a][g][b])
		return;
	if (best_row(pairs, f, a, g, b, at, &trial)) {
		see(pairs, at);
		add_trial(plan, &trial);
	}
	pairs->seen[f][a][g][b] = true;
}

static void
add_pairs(struct pairs *pairs, struct check_plan *plan)
{
	const struct check_factors *factors = pairs->factors;
	unsigned b;

	for (unsigned f = 0; f < factors->count; f++)
		for (unsigned g = f + 1; g < factors->count; g++)
			for (unsigned a = 0; a < factors->levels[f]; a++)
				for (b = 0; b < factors->levels[g]; b++)
					add_pair(pairs, f, a, g, b, plan);
}

/* ---- the other extents ------------------------------------------------ */

/* Adds rows in which row i has level i of each factor, modulo the number of
 * levels.  If the rules refuse a row, other options replace its own. */
static void
add_quick(const struct check_factors *factors, struct chance *chance,
	  struct check_plan *plan)
{
	unsigned most = 0, f, i, tries;
	uint8_t at[CHECK_FACTORS];
	struct check_trial trial;

	for (f = 0; f < factors->count; f++)
		if (factors->levels[f] > most)
			most = factors->levels[f];
	for (i = 0; i < most; i++) {
		for (f = 0; f < factors->count; f++)
			at[f] = (uint8_t)(i % factors->levels[f]);
		for (tries = 0; tries < TRIES; tries++) {
			if (check_factors_trial(factors, at, &trial)) {
				add_trial(plan, &trial);
				break;
			}
			for (f = 1; factors->rules->options[f - 1].name; f++)
				at[f] = (uint8_t)chance_below(
					chance, factors->levels[f]);
		}
	}
}

/* Adds every combination of the factors of the game's setup.  The other factors
 * take turns. */
static void
add_all(const struct check_factors *factors, struct check_plan *plan)
{
	unsigned setups = 1, n = 0, f, row, left;
	uint8_t at[CHECK_FACTORS];
	struct check_trial trial;

	while (factors->rules->options[n].name != NULL)
		n++;
	for (f = 0; f <= n; f++)
		setups *= factors->levels[f];
	if (setups > ALL_MAX)
		bug("%u combinations of %s", setups, factors->rules->name);
	for (row = 0; row < setups; row++) {
		for (f = 0, left = row; f <= n; f++) {
			at[f] = (uint8_t)(left % factors->levels[f]);
			left /= factors->levels[f];
		}
		for (; f < factors->count; f++)
			at[f] = (uint8_t)((row + row / factors->levels[f]) %
					  factors->levels[f]);
		if (check_factors_trial(factors, at, &trial))
			add_trial(plan, &trial);
	}
}

/* Adds a trial with a long history: ten times the usual, as far as the rules
 * allow. */
static void
add_long(const struct game_rules *rules, struct check_plan *plan)
{
	struct check_trial trial = { .style = CHECK_LONG };
	const struct game_option *option = rules->options;
	char why[SENTENCE_BYTES];
	int value;

	game_setup_init(&trial.setup, rules, rules->min_seats);
	for (; option->name != NULL; option++) {
		if (option->values != NULL)
			continue;
		value = preset(option, rules->min_seats) * LONG_FACTOR;
		trial.setup.option[option - rules->options] =
			(int16_t)(value < option->max ? value : option->max);
	}
	if (game_setup_check(&trial.setup, why) == 0)
		add_trial(plan, &trial);
}

void
check_plan_add(struct check_plan *plan, const struct game_rules *rules,
	       enum check_extent extent, bool reuse, struct chance *chance)
{
	struct check_factors factors;
	struct pairs *pairs;

	check_factors_make(&factors, rules, reuse);
	/* The plainest trials come first: they show a beginner's first mistake. */
	add_quick(&factors, chance, plan);
	add_long(rules, plan);
	if (extent == CHECK_QUICK)
		return;
	pairs = zeroed(1, sizeof(*pairs));
	pairs->factors = &factors;
	pairs->chance = chance;
	add_pairs(pairs, plan);
	free(pairs);
	if (extent == CHECK_ALL)
		add_all(&factors, plan);
}

void
check_plan_by_tcp(struct check_plan *plan)
{
	struct check_trial *trial = plan->trial;

	for (; trial < plan->trial + plan->count; trial++)
		if (trial->style == CHECK_EOF)
			trial->style = CHECK_CUT;
		else if (trial->style == CHECK_STRICT)
			trial->style = CHECK_PLAIN;
}

void
check_plan_release(struct check_plan *plan)
{
	free(plan->trial);
	*plan = (struct check_plan){ 0 };
}
