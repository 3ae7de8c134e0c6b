/* tests/soak/soak.c - plays random games without end and verifies each.
 *
 *	soak GAMES [GAME [FIRST]]
 *
 * Plays that many random games of the game, or of each one, numbered from FIRST
 * (1) on: any number of seats and valid options, with and without asks, faults,
 * entropy and an abort.  CHECK_SEED and its number decide a game; without
 * CHECK_SEED there is a new one, which is printed.  Each game becomes a record in
 * memory, which must verify from its secret and by the rules alone.  Speaks TAP, a
 * test for each game, with the figures in comments; for a wrong record it prints the
 * arguments of write-record that make it again. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "referee/table/deal.h"
#include "referee/records/verify.h"
#include "tests/unit/random-record.h"

#define LENGTH_MAX 3 /* games or rounds of a game */
#define FINDINGS 10  /* told in full */
#define CHOICES_MAX 32

struct tally {
	unsigned long games, lines, findings;
	unsigned long sealed, asks, arrival, faults, forfeits, aborted;
	unsigned long seats[SEATS_MAX + 1];
	/* Counts for each option how often each choice came up, or for a number
	 * how often it was the smallest, the largest or another. */
	unsigned long value[OPTIONS_MAX][CHOICES_MAX];
};

/* Holds a recipe and what its pointers point to. */
struct order {
	struct record_recipe recipe;
	char seed[64], options[256];
	int16_t option[OPTIONS_MAX];
};

static unsigned long games_wanted, first = 1;
static char seed[16];
static bool failed;

/* ---- what to play ------------------------------------------------------ */

/* Numbers that only make a game longer stay small. */
static int16_t
largest(const struct game_option *option)
{
	bool is_length = strcmp(option->name, "games") == 0 ||
			 strcmp(option->name, "rounds") == 0;

	return is_length && option->max > LENGTH_MAX ? LENGTH_MAX : option->max;
}

static int16_t
pick_value(const struct game_option *option, struct chance *dice)
{
	unsigned count = 0;

	if (option->values == NULL) {
		count = (unsigned)(largest(option) - option->min) + 1;
		return (int16_t)(option->min + (int)chance_below(dice, count));
	}
	while (option->values[count])
		count++;
	return (int16_t)chance_below(dice, count);
}

/* Picks any number of seats; then options again and again until they go together. */
static void
pick_setup(const struct game_rules *rules, struct game_setup *setup,
	   struct chance *dice)
{
	unsigned i, seats = rules->min_seats;
	char why[SENTENCE_BYTES];

	seats += chance_below(dice, rules->max_seats + 1u - rules->min_seats);
	game_setup_init(setup, rules, seats);
	do {
		for (i = 0; rules->options[i].name; i++)
			setup->option[i] = pick_value(&rules->options[i], dice);
	} while (game_setup_check(setup, why) != 0);
}

static void
write_options(const struct game_setup *setup, char options[256])
{
	char value[16];
	size_t n = 0;
	unsigned i;

	options[0] = '\0';
	for (i = 0; setup->rules->options[i].name && n < 256; i++) {
		game_setup_value(setup, i, value);
		n += (size_t)snprintf(options + n, 256 - n, "%s%s=%s",
				      i ? " " : "",
				      setup->rules->options[i].name, value);
	}
}

static void
pick_seed(void)
{
	const char *given = getenv("CHECK_SEED");

	if (given != NULL)
		snprintf(seed, sizeof(seed), "%s", given);
	else
		snprintf(seed, sizeof(seed), "%u",
			 randombytes_uniform(1000000000));
	printf("# CHECK_SEED=%s\n", seed);
}

/* Picks the order of game number `number`, the same one each time. */
static void
pick_order(const struct game_rules *rules, unsigned long number,
	   struct order *order)
{
	struct record_recipe *recipe = &order->recipe;
	struct game_setup setup;
	struct chance dice;
	struct deal deal;

	memset(order, 0, sizeof(*order));
	snprintf(order->seed, sizeof(order->seed), "soak-%s-%s-%lu", seed,
		 rules->name, number);
	deal_from_seed(&deal, order->seed, 3); /* random_record() takes 1, 2 */
	chance_seed(&dice, deal.secret);
	pick_setup(rules, &setup, &dice);
	write_options(&setup, order->options);
	memcpy(order->option, setup.option, sizeof(order->option));
	recipe->game = rules->name;
	recipe->seats = setup.seats;
	recipe->options = order->options;
	recipe->seed = order->seed;
	recipe->asks = chance_below(&dice, 8) == 0;
	recipe->arrival = chance_below(&dice, 2) == 0;
	recipe->comments = chance_below(&dice, 16) == 0;
	recipe->unsealed = chance_below(&dice, 16) == 0;
	recipe->entropies = chance_below(&dice, setup.seats + 1u);
	if (chance_below(&dice, 3) == 0) {
		recipe->faults = 1 + chance_below(&dice, 4);
		recipe->fault_rate = 1u << (1 + chance_below(&dice, 8));
	}
	if (chance_below(&dice, 16) == 0)
		recipe->cut = 1 + chance_below(&dice, 200);
}

/* ---- whether it holds -------------------------------------------------- */

static void
finding(struct tally *tally, const struct order *order, const char *what)
{
	const struct record_recipe *recipe = &order->recipe;

	failed = true;
	if (++tally->findings > FINDINGS)
		return;
	printf("# write-record game=%s seats=%u options='%s' seed=%s "
	       "entropies=%u faults=%u fault_rate=%u cut=%u%s%s%s%s\n# %s\n",
	       recipe->game, recipe->seats, recipe->options, recipe->seed,
	       recipe->entropies, recipe->faults, recipe->fault_rate,
	       recipe->cut, recipe->asks ? " asks" : "",
	       recipe->arrival ? " arrival" : "",
	       recipe->comments ? " comments" : "",
	       recipe->unsealed ? " unsealed" : "", what);
	fflush(stdout);
}

static void
check(struct tally *tally, const struct order *order,
      const struct record *record, bool by_rules)
{
	bool sealed = !by_rules && !order->recipe.unsealed;
	struct verdict verdict;
	char what[2 * VERDICT_BYTES + 64];

	verify_record(record, by_rules, NULL, &verdict);
	if (verdict.ok && verdict.sealed == sealed)
		return;
	if (verdict.ok)
		snprintf(what, sizeof(what), "proved in the wrong way");
	else
		snprintf(what, sizeof(what),
			 "%s, line %u: expected %s, "
			 "found %s",
			 by_rules ? "by the rules" : "from the secret",
			 verdict.line, verdict.expected, verdict.found);
	finding(tally, order, what);
}

static void
count(struct tally *tally, const struct game_rules *rules,
      const struct order *order, const struct record *record)
{
	const struct record_recipe *recipe = &order->recipe;
	const struct game_option *option;
	unsigned i, value;

	tally->lines += record->bodies;
	tally->sealed += !recipe->unsealed;
	tally->asks += recipe->asks;
	tally->arrival += recipe->arrival;
	tally->forfeits += record->forfeits;
	tally->aborted += record->aborted != NULL;
	tally->seats[recipe->seats]++;
	for (i = 0; i < record->bodies; i++)
		tally->faults +=
			strncmp(record->body[i].text, "fault ", 6) == 0;
	for (i = 0; (option = &rules->options[i])->name; i++) {
		value = (unsigned)order->option[i];
		if (option->values == NULL)
			value = order->option[i] == option->min	      ? 0
				: order->option[i] == largest(option) ? 1
								      : 2;
		tally->value[i][value]++;
	}
}

static void
play_one(const struct game_rules *rules, unsigned long number,
	 struct tally *tally)
{
	struct text text = { .max = RECORD_BYTES };
	struct error why;
	struct record *record;
	struct order order;

	pick_order(rules, number, &order);
	random_record(&order.recipe, &text);
	tally->games++;
	if (text.full || record_parse(text.bytes, text.used, &record, &why)) {
		finding(tally, &order, text.full ? "it is too long" : why.text);
		text_release(&text);
		return;
	}
	check(tally, &order, record, false);
	check(tally, &order, record, true);
	count(tally, rules, &order, record);
	record_free(record);
	text_release(&text);
}

/* ---- figures ----------------------------------------------------------- */

static void
print_option(const struct game_option *option, const unsigned long value[])
{
	unsigned i;

	printf("#   %s:", option->name);
	if (option->values == NULL)
		printf(" %d: %lu, %d: %lu, between: %lu", option->min, value[0],
		       largest(option), value[1], value[2]);
	for (i = 0; option->values != NULL && option->values[i]; i++)
		printf("%s %s: %lu", i ? "," : "", option->values[i], value[i]);
	putchar('\n');
}

static void
print_tally(const struct game_rules *rules, const struct tally *tally,
	    double seconds)
{
	unsigned i;

	printf("# %s: %lu games in %.0f s, %lu lines, %lu from their secret\n",
	       rules->name, tally->games, seconds, tally->lines, tally->sealed);
	printf("#   %lu with asks, %lu by arrival, %lu aborted; %lu faults, "
	       "%lu seats retired\n#   seats:",
	       tally->asks, tally->arrival, tally->aborted, tally->faults,
	       tally->forfeits);
	for (i = rules->min_seats; i <= rules->max_seats; i++)
		printf("%s %u: %lu", i > rules->min_seats ? "," : "", i,
		       tally->seats[i]);
	putchar('\n');
	for (i = 0; rules->options[i].name; i++)
		print_option(&rules->options[i], tally->value[i]);
}

static void
soak(const struct game_rules *rules, unsigned test)
{
	struct tally tally = { 0 };
	struct timespec from, to;
	unsigned long i;

	clock_gettime(CLOCK_MONOTONIC, &from); /* luck: only told */
	for (i = 0; i < games_wanted; i++)
		play_one(rules, first + i, &tally);
	clock_gettime(CLOCK_MONOTONIC, &to); /* luck: only told */
	print_tally(rules, &tally,
		    (double)(to.tv_sec - from.tv_sec) +
			    (double)(to.tv_nsec - from.tv_nsec) / 1e9);
	printf("%sok %u - %s: %lu games, %lu findings\n",
	       tally.findings ? "not " : "", test, rules->name, tally.games,
	       tally.findings);
	fflush(stdout);
}

int
main(int argc, char **argv)
{
	const struct game_rules *only = argc > 2 ? game_find(argv[2]) : NULL;
	unsigned i;

	if (argc > 1)
		games_wanted = strtoul(argv[1], NULL, 10);
	if (argc > 3)
		first = strtoul(argv[3], NULL, 10);
	if (games_wanted == 0 || (argc > 2 && !only)) {
		fprintf(stderr, "usage: soak GAMES [GAME [FIRST]]\n");
		return 2;
	}
	if (sodium_init() < 0)
		return 3;
	pick_seed();
	for (i = 0; games[i]; i++)
		if (!only || only == games[i])
			soak(games[i], only ? 1 : i + 1);
	printf("1..%u\n", only ? 1 : i);
	return failed;
}
