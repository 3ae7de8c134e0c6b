/* tests/unit/play-tournament.c - a tournament with results by chance, for the
 * checker in tests/independent.
 *
 *	play-tournament FORMAT BOTS SEATS SETS ROUNDS HERO BEST SEED
 *
 * Prints `game I : BOT... : PLACE...` for each game, and `row BOT DRAW BYES PHASE
 * POINTS BUCHHOLZ` for each bot, the best first.  Games of a phase are told in an
 * order by chance, and taken as early as can be. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/draws.h"
#include "referee/match/tournament.h"

static struct draws draws;
static struct tournament_setup setup;

/* A low number is a strong bot; many are level. */
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
	struct tournament_row row;

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

int
main(int argc, char **argv)
{
	unsigned char key[DRAWS_SEED_BYTES] = { 0 };
	struct tournament *tournament;
	struct error why;

	if (argc != 9 || sodium_init() < 0)
		return 2;
	while (strcmp(tournament_formats[setup.format], argv[1]) != 0)
		setup.format++;
	setup.bots = number(argv[2]);
	setup.seats = number(argv[3]);
	setup.sets = number(argv[4]);
	setup.rounds = number(argv[5]);
	setup.hero = number(argv[6]);
	setup.best = number(argv[7]);
	setup.seed = argv[8];
	memcpy(key, argv[8],
	       strlen(argv[8]) < sizeof(key) ? strlen(argv[8]) : sizeof(key));
	draws_seed(&draws, key);
	tournament = tournament_new(&setup, &why);
	if (tournament == NULL) {
		puts(why.text);
		return 1;
	}
	play_all(tournament);
	print_rows(tournament);
	tournament_free(tournament);
	return 0;
}
