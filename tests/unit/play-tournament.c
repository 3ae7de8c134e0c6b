/* tests/unit/play-tournament.c - plays tournaments with random results, for the
 * checker in tests/independent.
 *
 *	play-tournament (FORMAT BOTS SEATS SETS ROUNDS HERO BEST SEED)...
 *
 * For each it prints `tournament`, `game I : BOT... : PLACE...` for each game,
 * and `row BOT DRAW BYES PHASE POINTS BUCHHOLZ` for each bot, the best first.
 * Games of a phase are reported in random order, and taken as early as
 * possible. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/games/draws.h"
#include "referee/match/tournament.h"

#define SETUP_WORDS 8 /* of a tournament */

static struct draws draws;
static struct tournament_setup setup;

/* Plays a game: bots with low numbers are strong, and many results are level. */
static void
play(struct match_result *game)
{
	unsigned points[SEATS_MAX], s, o;

	for (s = 0; s < setup.seats; s++)
		points[s] = draws_below(&draws, 3 + game->bot[s] % 4);
	printf("game %llu :", (unsigned long long)game->number);
	for (s = 0; s < setup.seats; s++) {
		game->place[s] = 1;
		for (o = 0; o < setup.seats; o++)
			game->place[s] += points[o] < points[s];
		printf(" %u", game->bot[s]);
	}
	printf(" :");
	for (s = 0; s < setup.seats; s++)
		printf(" %d", game->place[s]);
	putchar('\n');
}

static void
play_all(struct tournament *tournament)
{
	const struct match_source source = tournament_source(tournament);
	struct match_result *open = NULL;
	struct match_game game;
	unsigned count = 0, at;
	uint64_t taken = 0;
	enum match_next next;

	for (;;) {
		open = memory(open, (count + 1) * sizeof(*open));
		memset(&open[count], 0, sizeof(*open));
		next = source.next(source.arg, taken + 1, &game);
		if (next == MATCH_END)
			break;
		if (next == MATCH_GAME) {
			open[count].number = ++taken;
			open[count].counts = true;
			memcpy(open[count].bot, game.bot, sizeof(game.bot));
			play(&open[count++]);
		}
		if (next == MATCH_GAME && draws_below(&draws, 8) > 0)
			continue;
		if (count == 0) {
			puts("it waits for nothing");
			break;
		}
		at = draws_below(&draws, count);
		source.hear(source.arg, &open[at]);
		open[at] = open[--count];
	}
	free(open);
	if (taken != tournament_known(tournament) ||
	    taken > tournament_most(tournament))
		puts("other games than it knows");
}

static void
print_rows(struct tournament *tournament)
{
	const struct match_source source = tournament_source(tournament);
	unsigned bot[BOTS_MAX];
	struct told_bot row;

	source.order(source.arg, bot);
	for (unsigned i = 0; i < setup.bots; i++) {
		row = tournament_row(tournament, bot[i]);
		printf("row %u %u %u %u %.9f %.9f\n", bot[i], row.draw,
		       row.byes, row.phase, row.points, row.buchholz);
	}
}

static unsigned
number(const char *text)
{
	return (unsigned)strtoul(text, NULL, 10);
}

static void
take_setup(char *const word[SETUP_WORDS])
{
	unsigned char key[DRAWS_SEED_BYTES] = { 0 };
	const size_t n = strlen(word[7]);

	memset(&setup, 0, sizeof(setup));
	while (strcmp(tournament_formats[setup.format], word[0]) != 0)
		setup.format++;
	setup.bots = number(word[1]);
	setup.seats = number(word[2]);
	setup.sets = number(word[3]);
	setup.rounds = number(word[4]);
	setup.hero = number(word[5]);
	setup.best = number(word[6]);
	setup.seed = word[7];
	memcpy(key, word[7], n < sizeof(key) ? n : sizeof(key));
	draws_seed(&draws, key);
}

int
main(int argc, char **argv)
{
	struct tournament *tournament;
	struct error why;
	int i;

	if (argc % SETUP_WORDS != 1 || sodium_init() < 0)
		return 2;
	for (i = 1; i < argc; i += SETUP_WORDS) {
		take_setup(argv + i);
		puts("tournament");
		tournament = tournament_new(&setup, &why);
		if (tournament == NULL) {
			puts(why.text);
			return 1;
		}
		play_all(tournament);
		print_rows(tournament);
		tournament_free(tournament);
	}
	return 0;
}
