/* tests/unit/test-statistics.c - the length of random games.
 *
 * Section 8 of the rules gives it for three games; for the others this file
 * has measured values, so that a change is noticed.  In random play each entry
 * of a list is equally likely, and so is each value of a range; if several
 * seats are asked all answer, and the best class goes first.
 *
 * The table is printed as comments of TAP. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/play.h"
#include "tests/unit/rounds.h"

/* Adds up all games of one setting.  Rounds are deals, `turn` lines turns. */
struct sums {
	unsigned games, moves, rounds, turns;
	unsigned least, most; /* moves of a game */
};

enum measure { MOVES_A_GAME, MOVES_A_ROUND, TURNS_A_ROUND, ROUNDS_A_GAME };

static const struct setting {
	const char *game, *options;
	unsigned min, max; /* seats */
	enum measure measure;
	double low, high; /* the mean of that measure */
} settings[] = {
	{ "toepen", "", 2, 8, MOVES_A_GAME, 65, 210 }, /* rules: 70 to 200 */
	{ "toepen", "points=1", 2, 2, MOVES_A_GAME, 4.5, 6.5 },
	{ "toepen", "points=1", 5, 5, MOVES_A_GAME, 15, 18 },
	{ "toepen", "points=1", 8, 8, MOVES_A_GAME, 32, 32 },
	{ "durnius", "", 2, 6, TURNS_A_ROUND, 26, 43 }, /* rules: 30 to 40 */
	{ "durnius", "passing=yes travel=yes", 2, 6, TURNS_A_ROUND, 25, 40 },
	{ "durnius", "decks=2", 2, 6, TURNS_A_ROUND, 35, 105 },
	{ "durnius", "adding=defended", 2, 6, TURNS_A_ROUND, 27, 54 },
	{ "durnius", "teams=pairs", 4, 4, TURNS_A_ROUND, 22, 32 },
	{ "durnius", "teams=threes", 6, 6, TURNS_A_ROUND, 20, 30 },
	{ "daupun", "", 2, 2, MOVES_A_ROUND, 3.5, 4.6 },
	/* rules: 46 to 50 */
	{ "doubles-dread", "rounds=1", 2, 4, MOVES_A_ROUND, 45, 50.5 },
	{ "daumen-drauf", "games=1", 2, 2, MOVES_A_ROUND, 27, 34 },
	{ "daumen-drauf", "games=1", 3, 3, MOVES_A_ROUND, 41, 52 },
	{ "daumen-drauf", "games=1", 4, 4, MOVES_A_ROUND, 58, 72 },
	{ "daumen-drauf", "games=1", 5, 5, MOVES_A_ROUND, 75, 94 },
	{ "daumen-drauf", "games=1", 6, 6, MOVES_A_ROUND, 95, 119 },
	{ "daumen-drauf", "games=1", 7, 7, MOVES_A_ROUND, 116, 146 },
};

static struct game game;
static struct chance chance;
static struct events ev = { .wanted = true };

static void
count_lines(struct sums *sums)
{
	char line[LINE_REFEREE_BYTES + 1];
	size_t at = 0;

	while (play_next_line(&ev, &at, line)) {
		sums->moves += strncmp(line, "move ", 5) == 0;
		sums->rounds += strncmp(line, "round ", 6) == 0;
		sums->turns += strncmp(line, "turn ", 5) == 0;
	}
}

static void
count_game(const struct game_setup *setup, uint64_t seed, struct sums *sums)
{
	struct dice dice = { seed * 2 + 1 };
	unsigned before = sums->moves, moves;

	play_seeded(&game, setup, seed, &chance, &ev);
	count_lines(sums);
	while (!game_is_over(&game)) {
		play_random(&game, &dice, &chance, &ev);
		count_lines(sums);
	}
	moves = sums->moves - before;
	if (sums->games++ == 0 || moves < sums->least)
		sums->least = moves;
	if (moves > sums->most)
		sums->most = moves;
}

static double
measure(const struct sums *sums, enum measure measure)
{
	switch (measure) {
	case MOVES_A_GAME:
		return (double)sums->moves / sums->games;
	case MOVES_A_ROUND:
		return (double)sums->moves / sums->rounds;
	case TURNS_A_ROUND:
		return (double)sums->turns / sums->rounds;
	default:
		return (double)sums->rounds / sums->games;
	}
}

static void
print_row(const struct setting *setting, unsigned seats,
	  const struct sums *sums)
{
	printf("# %-13s %u %-22s %8.1f %5u %6u %7.2f %9.2f %8.2f\n",
	       setting->game, seats, setting->options,
	       measure(sums, MOVES_A_GAME), sums->least, sums->most,
	       measure(sums, ROUNDS_A_GAME), measure(sums, MOVES_A_ROUND),
	       measure(sums, TURNS_A_ROUND));
	fflush(stdout);
}

static void
try_setting(const struct setting *setting, unsigned seats)
{
	unsigned long most = check_rounds(200, 5000), seed;
	struct sums sums = { 0 };
	struct game_setup setup;
	double mean;

	play_setup(&setup, setting->game, seats, setting->options);
	for (seed = 0; seed < most; seed++)
		count_game(&setup, seed, &sums);
	print_row(setting, seats, &sums);
	mean = measure(&sums, setting->measure);
	cr_expect(mean >= setting->low && mean <= setting->high,
		  "%s %u %s: %.2f is not %.1f to %.1f", setting->game, seats,
		  setting->options, mean, setting->low, setting->high);
}

Test(statistics, random_play)
{
	unsigned i, seats;

	printf("# game    seats options           moves/game least   most "
	       "rounds  moves/rd turns/rd\n");
	for (i = 0; i < NELEM(settings); i++)
		for (seats = settings[i].min; seats <= settings[i].max; seats++)
			try_setting(&settings[i], seats);
}
