/* tests/unit/test-random-games.c - what holds in every game at every moment.
 *
 * Random games of every game, number of seats and a few options. */
#include <criterion/criterion.h>
#include <string.h>

#include "protocol/hidden.h"
#include "tests/unit/leaks.h"
#include "tests/unit/play.h"
#include "tests/unit/rounds.h"

#define SEEDS check_rounds(40, 1000)

static const struct kind {
	const char *game, *options;
} kinds[] = {
	{ "daumen-drauf", "games=1" },
	{ "daumen-drauf", "games=2" },
	{ "daupun", "rounds=3" },
	{ "daupun", "first=cutter" },
	{ "doubles-dread", "magic=12 rounds=1" },
	{ "doubles-dread", "rounds=3" },
	{ "durnius", "" },
	{ "durnius", "decks=2 passing=yes travel=yes games=2" },
	{ "durnius", "adding=defended epaulettes=mark scoring=order" },
	{ "toepen", "points=1" },
	{ "toepen", "points=4" },
	{ "toepen", "points=15" },
};

static struct game game;
static struct chance chance;
static struct events ev = { .wanted = true };
static struct legal legal[SEATS_MAX];

/* Every token of the list: once, and read back as the same move. */
static void
tokens_are_sound(const struct legal *list)
{
	static char token[LEGAL_MAX][MOVE_BYTES];
	struct move move;
	unsigned i, j;

	for (i = 0; i < list->count; i++) {
		game_move_token(game.setup.rules, list->move[i], token[i]);
		for (j = 0; j < i; j++)
			cr_assert_str_neq(token[i], token[j]);
		if (list->move[i].n < list->move[i].top)
			continue;
		cr_assert_eq(game_move_read(game.setup.rules, token[i],
					    strlen(token[i]), &move),
			     0, "%s", token[i]);
		cr_assert(game_is_legal(list, move));
	}
}

static bool
has_pass(const struct legal *list)
{
	return game_is_legal(list, (struct move){ .verb = VERB_PASS });
}

static void
decision_is_sound(void)
{
	const struct decision *decision = &game.decision;
	unsigned i, seat, asked = 0;

	cr_assert_gt(decision->count, 0);
	for (i = 0; i < decision->count; i++) {
		seat = decision->seat[i];
		cr_assert_lt(seat, game.setup.seats);
		asked |= 1u << seat;
		game_legal(&game, seat, &legal[seat]);
		cr_assert_gt(legal[seat].count, 0);
		cr_assert_eq(legal[seat].move[0].n, legal[seat].move[0].top,
			     "the house move is a range");
		tokens_are_sound(&legal[seat]);
		if (decision->kind == DECISION_OPEN)
			cr_assert_eq(has_pass(&legal[seat]),
				     (int)seat != decision->holder);
	}
	cr_assert_eq(asked, decision->asked);
	cr_assert_eq(__builtin_popcount(asked), decision->count);
	if (decision->kind == DECISION_SINGLE)
		cr_assert_eq(decision->seat[0], decision->holder);
}

/* What is legal for one seat is refused to whom it is not legal for. */
static void
others_moves_are_refused(const struct legal *list)
{
	static struct game before;
	struct chance chance_before = chance;
	uint32_t used = ev.used;
	unsigned seat, i;

	game_copy(&before, &game);
	for (seat = 0; seat <= SEATS_MAX; seat++) {
		for (i = 0; i < list->count; i++) {
			if (seat < SEATS_MAX &&
			    game.decision.asked >> seat & 1 &&
			    game_is_legal(&legal[seat], list->move[i]))
				continue;
			cr_assert_not(game_play(&game, seat, list->move[i],
						&chance, &ev));
		}
	}
	cr_assert(play_same(&before, &game));
	cr_assert_eq(chance.next, chance_before.next);
	cr_assert_eq(ev.used, used);
}

/* Every viewer can be told every line, and is told no mark. */
static void
lines_are_sound(void)
{
	char line[LINE_REFEREE_BYTES + 1], out[LINE_REFEREE_BYTES];
	size_t at = 0;
	ssize_t n;
	int viewer;

	cr_assert_gt(ev.used, 0);
	while (play_next_line(&ev, &at, line)) {
		for (viewer = VIEW_ALL; viewer < game.setup.seats; viewer++) {
			n = hidden_redact(line, strlen(line), viewer, out);
			cr_assert_gt(n, 0, "%s", line);
			cr_assert_null(memchr(out, '{', (size_t)n));
			cr_assert_null(memchr(out, '}', (size_t)n));
		}
	}
}

static void
whole_game(const struct game_setup *setup, uint64_t seed)
{
	struct dice dice = { seed * 2 + 1 };

	play_seeded(&game, setup, seed, &chance, &ev);
	lines_are_sound();
	while (!game_is_over(&game)) {
		decision_is_sound();
		others_moves_are_refused(&legal[game.decision.seat[0]]);
		play_random(&game, &dice, &chance, &ev);
		lines_are_sound();
	}
	others_moves_are_refused(&legal[0]);
}

Test(random_games, hold_everywhere, .timeout = 1500)
{
	const struct game_rules *rules;
	struct game_setup setup;
	unsigned i, seats;
	uint64_t seed;

	for (i = 0; i < NELEM(kinds); i++) {
		rules = game_find(kinds[i].game);
		for (seats = rules->min_seats; seats <= rules->max_seats;
		     seats++) {
			play_setup(&setup, kinds[i].game, seats,
				   kinds[i].options);
			for (seed = 0; seed < SEEDS; seed++)
				whole_game(&setup, seed);
		}
	}
	NO_LEAKS();
}

/* Only house moves end every game, too. */
Test(random_games, house_moves_alone, .timeout = 120)
{
	struct game_setup setup;
	unsigned i, seats, seat, steps;
	struct move answer[SEATS_MAX];
	int first;

	for (i = 0; i < NELEM(kinds); i++) {
		seats = game_find(kinds[i].game)->max_seats < 3 ? 2 : 3;
		play_setup(&setup, kinds[i].game, seats, kinds[i].options);
		play_seeded(&game, &setup, i, &chance, &ev);
		for (steps = 0; !game_is_over(&game); steps++) {
			cr_assert_lt(steps, 10000);
			for (seat = 0; seat < seats; seat++) {
				if (!(game.decision.asked >> seat & 1))
					continue;
				game_legal(&game, seat, &legal[seat]);
				answer[seat] = legal[seat].move[0];
			}
			events_clear(&ev);
			first = game_first(&game, answer);
			if (first < 0)
				game_quiet(&game, &chance, &ev);
			else
				game_choose(&game, &legal[first], 0, 0, &chance,
					    &ev);
		}
	}
	NO_LEAKS();
}
