/* tests/unit/test-tournament.c - what tests/independent/test-tournament.py, which
 * knows all formats a second time, does not: seeds, games that are late or do not
 * count, and how many there may be. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "referee/match/tournament.h"
#include "referee/records/bracket.h"

/* Returns the points of a bot in game `number`: more is better. */
typedef int strength(unsigned bot, uint64_t number);

static uint64_t games;

static struct tournament *
make(const struct tournament_setup *setup)
{
	struct tournament *tournament;
	struct error why;

	games = 0;
	tournament = tournament_new(setup, &why);
	cr_assert_not_null(tournament);
	return tournament;
}

/* Plays a game; returns the result of next(). */
static enum match_next
play_game(const struct match_source *source, unsigned seats, strength *points)
{
	struct match_result result = { .counts = true };
	struct match_game game;
	enum match_next next = source->next(source->arg, games + 1, &game);
	unsigned s, o;

	if (next != MATCH_GAME)
		return next;
	result.number = ++games;
	memcpy(result.bot, game.bot, sizeof(game.bot));
	for (s = 0; s < seats; s++) {
		result.place[s] = 1;
		for (o = 0; o < seats; o++)
			result.place[s] += points(game.bot[o], games) >
					   points(game.bot[s], games);
	}
	source->hear(source->arg, &result);
	return next;
}

struct row {
	unsigned bot;
	struct told_bot is;
};

/* Plays the whole tournament; returns the rows, best first. */
static void
play(const struct tournament_setup *setup, strength *points,
     struct row row[BOTS_MAX])
{
	struct tournament *tournament = make(setup);
	const struct match_source source = tournament_source(tournament);
	unsigned bot[BOTS_MAX];
	enum match_next next;

	while ((next = play_game(&source, setup->seats, points)) == MATCH_GAME)
		continue;
	cr_assert_eq(next, MATCH_END);
	cr_assert_eq(tournament_known(tournament), games);
	source.order(source.arg, bot);
	for (unsigned i = 0; i < setup->bots; i++) {
		row[i].bot = bot[i];
		row[i].is = tournament_row(tournament, bot[i]);
	}
	tournament_free(tournament);
}

static int
by_number(unsigned bot, uint64_t number)
{
	(void)number;
	return -(int)bot;
}

static int
all_level(unsigned bot, uint64_t number)
{
	(void)bot;
	(void)number;
	return 0;
}

static const struct tournament_setup four = { .format = TOURNAMENT_SWISS,
					      .bots = 4,
					      .seats = 2,
					      .sets = 1,
					      .rounds = 2,
					      .seed = "s" };

Test(tournament, a_phase_waits_for_all_games_before_it)
{
	struct match_result result = { .place = { 1, 2 }, .counts = true };
	struct tournament *tournament = make(&four);
	const struct match_source source = tournament_source(tournament);
	struct match_game game[4], other;

	for (unsigned i = 0; i < 4; i++)
		cr_assert_eq(source.next(source.arg, i + 1, &game[i]),
			     MATCH_GAME);
	for (unsigned i = 4; i > 0; i--) {
		cr_assert_eq(source.next(source.arg, 5, &other), MATCH_WAIT);
		cr_assert_eq(tournament_known(tournament), 4);
		result.number = i;
		memcpy(result.bot, game[i - 1].bot, sizeof(result.bot));
		source.hear(source.arg, &result);
	}
	cr_assert_eq(source.next(source.arg, 5, &other), MATCH_GAME);
	cr_assert_eq(tournament_known(tournament), 8);
	cr_assert_eq(tournament_most(tournament), 8);
	tournament_free(tournament);
}

Test(tournament, a_game_that_does_not_count_ends_it_with_its_phase)
{
	struct match_result result = { .place = { 1, 2 }, .counts = true };
	struct tournament *tournament = make(&four);
	const struct match_source source = tournament_source(tournament);
	struct match_game game;
	unsigned bot[BOTS_MAX];

	for (unsigned i = 1; i <= 4; i++) {
		cr_assert_eq(source.next(source.arg, i, &game), MATCH_GAME);
		result.number = i;
		result.counts = i != 2;
		memcpy(result.bot, game.bot, sizeof(result.bot));
		source.hear(source.arg, &result);
	}
	cr_assert_eq(source.next(source.arg, 5, &game), MATCH_END);
	source.order(source.arg, bot);
	cr_assert_eq(tournament_row(tournament, bot[0]).phase, 1);
	tournament_free(tournament);
}

Test(tournament, level_bots_play_two_more_sets_and_then_the_draw_says)
{
	const struct tournament_setup setup = { .format = TOURNAMENT_KNOCKOUT,
						.bots = 4,
						.seats = 2,
						.sets = 3,
						.best = 1,
						.seed = "s" };
	struct row row[BOTS_MAX];
	struct tournament *tournament;

	play(&setup, all_level, row);
	/* Two tables and a final, each of 3 sets and 2 more. */
	cr_assert_eq(games, 3 * 2 * (3 + KNOCKOUT_MORE));
	cr_assert_eq(row[0].is.draw, 1);
	cr_assert_eq(row[3].is.phase, 1);
	/* There are no further games if the result is clear. */
	play(&setup, by_number, row);
	cr_assert_eq(games, 3 * 2 * 3);
	tournament = make(&setup);
	cr_assert_eq(tournament_most(tournament), 3 * 2 * (3 + KNOCKOUT_MORE));
	tournament_free(tournament);
}

Test(tournament, a_final_is_filled_up_with_the_best_who_are_out)
{
	const struct tournament_setup setup = { .format = TOURNAMENT_KNOCKOUT,
						.bots = 8,
						.seats = 4,
						.sets = 1,
						.best = 1,
						.seed = "s" };
	struct row row[BOTS_MAX];

	play(&setup, by_number, row);
	cr_assert_eq(games, (2 + 1) * 4);
	cr_assert_eq(row[0].bot, 0);
	for (unsigned i = 0; i < 8; i++)
		cr_assert_eq(row[i].is.phase, i < 4 ? 2 : 1);
	/* The second bots of the first tables had the best share. */
	cr_assert_float_eq(row[4].is.points, 4.0 / 3, 1e-9);
	cr_assert_float_eq(row[5].is.points, 4.0 / 3, 1e-9);
}

/* Bots 0 and 1 beat all others, whose order is not that of their seeds. */
static int
by_chance(unsigned bot, uint64_t number)
{
	(void)number;
	return bot < 2 ? 100 - (int)bot : (int)(bot * 7 % 16);
}

/* Returns the last phase in which both bots sit at one table, and checks that no
 * bot sits at two tables of a phase. */
static unsigned
check_tables(const struct tournament *tournament, unsigned seats, unsigned a,
	     unsigned b)
{
	unsigned sat[BOTS_MAX] = { 0 }, phase = 0, first;
	struct told_table table;

	for (unsigned i = 0; i < tournament_tables(tournament); i++) {
		cr_assert_gt(tournament_table(tournament, i, &table), 0);
		first = phase;
		for (unsigned s = 0, both = 0; s < seats; s++) {
			cr_assert_lt(sat[table.bot[s]], table.phase);
			sat[table.bot[s]] = table.phase;
			both += table.bot[s] == a || table.bot[s] == b;
			if (both == 2)
				phase = table.phase;
		}
		cr_assert(first == 0 || phase == first);
	}
	return phase;
}

static void
check_seeds(const struct tournament_setup *setup)
{
	struct tournament *tournament = make(setup);
	const struct match_source source = tournament_source(tournament);
	const unsigned size = bracket_size(setup->bots);
	struct told_bot row;
	unsigned order[BOTS_MAX];

	while (play_game(&source, setup->seats, by_chance) == MATCH_GAME)
		continue;
	cr_assert(tournament_is_over(tournament));
	cr_assert_eq(check_tables(tournament, setup->seats, 0, 1),
		     tournament_phase_now(tournament));
	source.order(source.arg, order);
	cr_assert_eq(order[0], 0);
	for (unsigned b = 0; b < setup->bots; b++) {
		row = tournament_row(tournament, b);
		cr_assert_eq(row.draw, b + 1);
		if (setup->seats == 2)
			cr_assert_eq(row.byes, b < size - setup->bots);
	}
	if (setup->seats == 2) {
		cr_assert_eq(tournament_tables(tournament), setup->bots - 1);
		cr_assert_eq(1U << tournament_phase_now(tournament), size);
	}
	tournament_free(tournament);
}

Test(tournament, the_first_two_seeds_meet_only_in_the_last_match)
{
	static const unsigned bots[] = { 2, 3, 4, 5, 6, 7, 8, 9, 16, 31, 32 };
	struct tournament_setup setup = { .format = TOURNAMENT_KNOCKOUT,
					  .seeded = true,
					  .sets = 1,
					  .seed = "s" };

	for (setup.seats = 2; setup.seats <= SEATS_MAX; setup.seats++) {
		setup.best = setup.seats / 2;
		for (unsigned i = 0; i < NELEM(bots); i++) {
			setup.bots = bots[i];
			if (setup.bots >= setup.seats)
				check_seeds(&setup);
		}
	}
}

/* A draw decides between level bots; in a final the better seed goes on. */
Test(tournament, of_level_bots_in_a_final_the_better_seeds_go_on)
{
	const struct tournament_setup setup = { .format = TOURNAMENT_KNOCKOUT,
						.seeded = true,
						.bots = 8,
						.seats = 2,
						.sets = 1,
						.best = 1,
						.seed = "s" };
	struct row row[BOTS_MAX];

	play(&setup, all_level, row);
	for (unsigned i = 0; i < 4; i++)
		cr_assert_eq(row[i].bot, i);
	cr_assert_eq(row[1].is.phase, 3);
	cr_assert_eq(row[2].is.phase, 2);
	cr_assert_eq(row[4].is.phase, 1);
}

/* A round of 256 bots at two seats has 256 games. */
Test(tournament, more_games_than_a_match_may_have_are_refused)
{
	struct tournament_setup setup = { .format = TOURNAMENT_SWISS,
					  .bots = 256,
					  .seats = 2,
					  .sets = GAMES_MAX / 256 / ROUNDS_MAX,
					  .rounds = ROUNDS_MAX,
					  .seed = "s" };
	struct tournament *tournament = make(&setup);
	struct error why;

	tournament_free(tournament);
	setup.sets++;
	cr_assert_null(tournament_new(&setup, &why));
	cr_assert_eq(why.kind, ERROR_INPUT);
	setup.format = TOURNAMENT_ROUNDROBIN;
	cr_assert_null(tournament_new(&setup, &why));
	setup.sets = 1;
	setup.rounds = 15; /* of 65,280 games each */
	tournament_free(make(&setup));
	setup.rounds = 16;
	cr_assert_null(tournament_new(&setup, &why));
	cr_assert_str_eq(why.text, "the tournament would have more than "
				   "1000000 games; take fewer rounds or games");
}
