/* tests/unit/test-random-games.c - checks that hold in every game at every
 * moment, in random games with every number of seats: thoroughly with a few
 * settings, and in the long form with all settings. */
#include <criterion/criterion.h>
#include <string.h>

#include "protocol/hidden.h"
#include "tests/unit/play.h"
#include "tests/unit/rounds.h"
#include "tests/unit/settings.h"

#define MADE_UP 10 /* moves for each decision */
#define SEEDS check_rounds(8, 1000)

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

/* Returns kind `i`, and after all of those the games that have none; NULL at the
 * end. */
static const struct kind *
kind_at(unsigned i)
{
	static struct kind other = { NULL, "" };
	unsigned k, j;

	if (i < NELEM(kinds))
		return &kinds[i];
	i -= NELEM(kinds);
	for (k = 0; games[k]; k++) {
		for (j = 0; j < NELEM(kinds); j++)
			if (strcmp(kinds[j].game, games[k]->name) == 0)
				break;
		if (j < NELEM(kinds) || i-- > 0)
			continue;
		other.game = games[k]->name;
		return &other;
	}
	return NULL;
}

static struct game game;
static struct chance chance;
static struct events ev = { .wanted = true };
static struct legal legal[SEATS_MAX];

/* Expects every token of the list once, and that it reads back as the same move. */
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

/* Expects that a move that is legal for one seat is refused for others. */
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

/* Expects that every viewer can be told every line, and is told no mark. */
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

/* Expects that invented moves are refused and change nothing. */
static void
made_up_moves_are_refused(struct dice *dice)
{
	static struct game before;
	static struct chance chance_before;
	uint32_t used = ev.used;
	struct move move;
	unsigned i, seat;

	game_copy(&before, &game);
	memcpy(&chance_before, &chance, sizeof(chance));
	for (i = 0; i < MADE_UP; i++) {
		seat = dice_below(dice, SEATS_MAX);
		memset(&move, 0, sizeof(move));
		move.verb = (uint8_t)dice_below(dice, VERBS_MAX + 1);
		move.piece[0] = (uint8_t)dice_below(dice, 80);
		if (dice_below(dice, 2))
			move.piece[1] = (uint8_t)dice_below(dice, 80);
		if (dice_below(dice, 2))
			move.n = (int16_t)(dice_below(dice, 600) - 300);
		move.top = (int16_t)(move.n + (dice_below(dice, 8) == 0));
		if (game.decision.asked >> seat & 1 &&
		    game_is_legal(&legal[seat], move) &&
		    !(game.decision.kind == DECISION_OPEN &&
		      move.verb == VERB_PASS))
			continue;
		cr_assert_not(game_play(&game, seat, move, &chance, &ev));
	}
	cr_assert(play_same(&before, &game));
	cr_assert_eq(memcmp(&chance, &chance_before, sizeof(chance)), 0);
	cr_assert_eq(ev.used, used);
}

/* ---- bounds: "Finiteness" in each game's rules ------------------------- */

/* Counted by the lines; moves are `move` and `quiet`. */
static struct {
	unsigned rounds, moves, turns; /* moves and turns: of this round */
	unsigned turn_moves;
	unsigned alive, began; /* seats, now and when this round began */
} seen;

static void
count_line(const char *line)
{
	if (strncmp(line, "round ", 6) == 0) {
		seen.rounds++;
		seen.moves = seen.turns = seen.turn_moves = 0;
		seen.began = seen.alive;
	} else if (strncmp(line, "turn ", 5) == 0) {
		seen.turns++;
		seen.turn_moves = 0;
	} else if (strncmp(line, "out ", 4) == 0) {
		seen.alive--;
	} else if (strncmp(line, "move ", 5) == 0 ||
		   strncmp(line, "quiet", 5) == 0) {
		seen.moves++;
		seen.turn_moves++;
	}
}

static void
durnius_bounds(void)
{
	unsigned seats = game.setup.seats;
	unsigned decks = 1u + (unsigned)game.setup.option[0], n = 36 * decks;

	cr_assert_leq(seen.turn_moves, n + decks + 1);
	cr_assert_leq(seen.turns, n * (n / 2 + n - 6 * seats + seats + 1));
	cr_assert_leq(seen.rounds, (unsigned)game.setup.option[7]);
}

static void
toepen_bounds(void)
{
	unsigned points = (unsigned)game.setup.option[0], a = seen.began;

	cr_assert_leq(seen.moves, 4 * a + (points - 1) * a + 2 * (8 - a));
	cr_assert_leq(seen.rounds, 2 * points - 1);
}

static void
within_bounds(void)
{
	const struct game_rules *rules = game.setup.rules;
	const int16_t *option = game.setup.option;
	unsigned seats = game.setup.seats, cards = 6 * (seats + 2);

	if (rules == &game_durnius) {
		durnius_bounds();
	} else if (rules == &game_toepen) {
		toepen_bounds();
	} else if (rules == &game_daupun) {
		cr_assert_lt(seen.moves, 300);
		cr_assert_leq(seen.rounds, (unsigned)option[2]);
	} else if (rules == &game_doubles_dread) {
		cr_assert_leq(seen.moves, seats == 4 ? 83 : 79);
		cr_assert_leq(seen.rounds, (unsigned)option[1]);
	} else if (rules == &game_daumen_drauf) {
		cr_assert_leq(seen.moves, cards * seats);
		cr_assert_leq(seen.turns, cards);
		cr_assert_leq(seen.rounds, (unsigned)option[0]);
	}
}

static void
count_step(void)
{
	char line[LINE_REFEREE_BYTES + 1];
	size_t at = 0;

	while (play_next_line(&ev, &at, line)) {
		count_line(line);
		within_bounds();
	}
}

/* Expects the places that the game gives to fit the points or each other. */
static void
result_is_sound(void)
{
	struct game_score score[SEATS_MAX];
	unsigned seats = game.setup.seats, seat, other, better;

	game_result(&game, score);
	for (seat = 0; seat < seats; seat++) {
		for (other = better = 0; other < seats; other++)
			better += score[other].place < score[seat].place;
		cr_assert_eq(score[seat].place, (int)better + 1);
		if (game.setup.rules == &game_toepen) { /* the one not out */
			cr_assert_eq(score[seat].place == 1,
				     score[seat].points < game.setup.option[0]);
			continue;
		}
		for (other = better = 0; other < seats; other++)
			better += score[other].points > score[seat].points;
		cr_assert_eq(score[seat].place, (int)better + 1);
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

Test(random_games, hold_everywhere)
{
	const struct game_rules *rules;
	const struct kind *kind;
	struct game_setup setup;
	unsigned i, seats;
	uint64_t seed;

	for (i = 0; (kind = kind_at(i)); i++) {
		rules = game_find(kind->game);
		for (seats = rules->min_seats; seats <= rules->max_seats;
		     seats++) {
			play_setup(&setup, kind->game, seats, kind->options);
			for (seed = 0; seed < SEEDS; seed++)
				whole_game(&setup, seed);
		}
	}
}

/* Only house moves end every game, too. */
Test(random_games, house_moves_alone)
{
	const struct kind *kind;
	struct game_setup setup;
	unsigned i, seats, seat, steps;
	struct move answer[SEATS_MAX];
	int first;

	for (i = 0; (kind = kind_at(i)); i++) {
		seats = game_find(kind->game)->max_seats < 3 ? 2 : 3;
		play_setup(&setup, kind->game, seats, kind->options);
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
}

/* ---- who begins -------------------------------------------------------- */

/* The first line names a seat that chance has drawn. */
static const struct {
	const char *game, *line; /* up to the seat */
} drawn[] = {
	{ "daumen-drauf", "round 1 start " },
	{ "daupun", "round 1 dealer " },
	{ "doubles-dread", "round 1 " },
	{ "durnius", "round 1 " },
	{ "toepen", "round 1 " },
};

Test(random_games, each_seat_begins_equally_often)
{
	struct game_setup setup;
	unsigned count[SEATS_MAX], i, seat;
	uint64_t seed;
	size_t n;

	for (i = 0; i < NELEM(drawn); i++) {
		n = strlen(drawn[i].line);
		play_setup(&setup, drawn[i].game,
			   game_find(drawn[i].game)->max_seats, "");
		memset(count, 0, sizeof(count));
		for (seed = 0; seed < 100u * setup.seats; seed++) {
			play_seeded(&game, &setup, seed, &chance, &ev);
			cr_assert_eq(memcmp(ev.text, drawn[i].line, n), 0);
			seat = (unsigned)(ev.text[n] - '0');
			cr_assert_lt(seat, setup.seats, "%s", ev.text);
			count[seat]++;
		}
		for (seat = 0; seat < setup.seats; seat++)
			cr_expect(count[seat] > 60 && count[seat] < 140,
				  "%s: seat %u begins %u times", drawn[i].game,
				  seat, count[seat]);
	}
	cr_expect_null(games[NELEM(drawn)]);
}

/* ---- every setting ---------------------------------------------------- */

/* A copy made at some moment, which plays on beside the game. */
static struct {
	struct game game;
	struct chance chance;
	struct events ev;
	struct dice dice;
	unsigned at; /* the decision before which it is made */
} twin;

static void
play_both(struct dice *dice, unsigned decision)
{
	if (decision == twin.at) {
		memset(&twin.game, 0xa5, sizeof(twin.game));
		game_copy(&twin.game, &game);
		twin.chance = chance;
		twin.dice = *dice;
	}
	play_random(&game, dice, &chance, &ev);
	if (decision < twin.at)
		return;
	play_random(&twin.game, &twin.dice, &twin.chance, &twin.ev);
	cr_assert(play_same(&game, &twin.game));
	cr_assert_eq(ev.used, twin.ev.used);
	cr_assert_eq(memcmp(ev.text, twin.ev.text, ev.used), 0);
}

static unsigned
whole_game_of_setting(const struct game_setup *setup, uint64_t seed)
{
	struct dice dice = { seed * 2 + 1 }, others = { seed };
	unsigned decisions = 0;

	memset(&seen, 0, sizeof(seen));
	seen.alive = setup->seats;
	twin.ev.wanted = true;
	twin.at = dice_below(&others, 120);
	play_seeded(&game, setup, seed, &chance, &ev);
	lines_are_sound();
	count_step();
	for (; !game_is_over(&game); decisions++) {
		decision_is_sound();
		others_moves_are_refused(&legal[game.decision.seat[0]]);
		made_up_moves_are_refused(&others);
		play_both(&dice, decisions);
		lines_are_sound();
		count_step();
	}
	made_up_moves_are_refused(&others);
	result_is_sound();
	return decisions;
}

/* `most` settings of a game drawn at random, or all if there are no more. */
static void
settings_hold(const struct game_rules *rules, unsigned long most,
	      unsigned games_each)
{
	unsigned long count = settings_count(rules), i, n, played = 0;
	static struct settings_seen values;
	struct dice dice = { 7 };
	struct game_setup setup;
	unsigned j;

	memset(&values, 0, sizeof(values));
	for (i = 0; i < count && played < most; i++) {
		n = count > most ? dice_below(&dice, (unsigned)count) : i;
		if (!settings_nth(rules, n, &setup))
			continue;
		settings_see(&values, &setup);
		played++;
		for (j = 0; j < games_each; j++)
			whole_game_of_setting(&setup, n * games_each + j);
	}
	cr_expect_geq(settings_least(&values, rules),
		      count > most ? most / 20 : 1, "%s", rules->name);
}

/* The options of Durnius have thousands of combinations. */
Test(random_games, hold_in_every_setting)
{
	unsigned i;

	for (i = 0; games[i]; i++)
		settings_hold(
			games[i],
			check_rounds(games[i] == &game_durnius ? 150 : 700, -1),
			(unsigned)check_rounds(1, 3));
}
