/* tests/unit/test-durnius-random.c - what must hold in every game of Durnius.
 *
 * Random games of all numbers of seats and of options drawn at random are
 * played beside the model, which must ask, list and write the same; and
 * section 11 of the rules is checked.  Illegal moves are in
 * test-random-games.c. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/hidden.h"
#include "tests/unit/durnius-model.h"
#include "tests/unit/play.h"
#include "tests/unit/rounds.h"

static struct game game, copy;
static struct chance chance, copy_chance;
static struct events ev = { .wanted = true }, copy_ev = { .wanted = true };
static struct model model;
static struct legal legal;

/* ---- beside the model ------------------------------------------------- */

/* Expects the model's lines in the last step, except those of a deal. */
static void
compare_lines(bool deals)
{
	const char *at = strstr(ev.text, "round ");

	if (deals) {
		cr_assert_not_null(at);
		cr_assert_eq((size_t)(at - ev.text), model.used);
		cr_assert_eq(memcmp(ev.text, model.text, model.used), 0, "%s%s",
			     ev.text, model.text);
		model.used = 0;
		model_deal(&model, &at);
		cr_assert_str_eq(at, model.text);
	} else {
		cr_assert_str_eq(ev.text, model.text);
	}
	model.used = 0;
}

/* Compares the lists as sets, the house move first, no token twice. */
static void
compare_list(unsigned seat)
{
	static char token[MODEL_TOKENS][MOVE_BYTES];
	unsigned n = model_legal(&model, seat, token), i, j;
	char have[MOVE_BYTES];

	game_legal(&game, seat, &legal);
	cr_assert_eq(legal.count, n);
	game_move_token(&game_durnius, legal.move[0], have);
	cr_assert_str_eq(have, token[0]);
	for (i = 0; i < legal.count; i++) {
		game_move_token(&game_durnius, legal.move[i], have);
		for (j = 0; j < n && strcmp(have, token[j]) != 0; j++)
			;
		cr_assert_lt(j, n, "%s", have);
		token[j][0] = '\0'; /* and it is not found again */
	}
}

static void
compare_decision(void)
{
	unsigned asked, seat;
	int holder;
	const char *why;

	cr_assert_eq(game_is_over(&game), model.over);
	if (model.over)
		return;
	why = model_broken(&model);
	cr_assert_null(why, "%s", why);
	asked = model_asked(&model, &holder);
	cr_assert_eq(game.decision.asked, asked);
	cr_assert_eq(game.decision.holder, holder);
	cr_assert_eq(game.decision.kind, holder >= 0 && asked == 1u << holder
						 ? DECISION_SINGLE
						 : DECISION_OPEN);
	for (seat = 0; seat < model.seats; seat++)
		if (asked >> seat & 1)
			compare_list(seat);
}

/* Follows the move of the last step, by its first line. */
static void
follow(void)
{
	char token[MOVE_BYTES];
	bool deals;

	ev.text[ev.used] = '\0';
	if (strncmp(ev.text, "quiet\n", 6) == 0) {
		deals = model_quiet(&model);
	} else {
		cr_assert_eq(sscanf(ev.text, "move %*u %31s", token), 1);
		deals = model_move(&model, (unsigned)(ev.text[5] - '0'), token);
	}
	compare_lines(deals);
	compare_decision();
}

/* Counts for one turn and for one game (section 8). */
struct bounds {
	unsigned decisions, turns;
};

static void
within_bounds(struct bounds *bounds)
{
	unsigned n = CARDS * model.decks, turn = model.turn;

	bounds->decisions++;
	cr_assert_leq(bounds->decisions, n + model.decks + 1);
	cr_assert_leq(turn,
		      n * (n / 2 + n - 6 * model.seats + model.seats + 1));
	if (turn != bounds->turns)
		bounds->decisions = 0;
	bounds->turns = turn;
}

static void
whole_match(const struct game_setup *setup, uint64_t seed)
{
	struct dice dice = { seed };
	struct bounds bounds = { 0 };
	const char *at = ev.text;

	model_open(&model, setup);
	play_seeded(&game, setup, seed, &chance, &ev);
	ev.text[ev.used] = '\0';
	model_deal(&model, &at);
	cr_assert_str_eq(at, model.text);
	model.used = 0;
	compare_decision();
	while (!game_is_over(&game)) {
		play_random(&game, &dice, &chance, &ev);
		follow();
		within_bounds(&bounds);
	}
	cr_assert(model.aces || model.game == (unsigned)setup->option[GAMES]);
}

/* Draws options at random, as often as it takes to find some that go together. */
static void
random_setup(struct game_setup *setup, unsigned seats, struct dice *dice)
{
	const struct game_option *option;
	char why[SENTENCE_BYTES];
	unsigned i, n;

	do {
		game_setup_init(setup, &game_durnius, seats);
		for (i = 0; (option = &game_durnius.options[i])->name; i++) {
			if (option->values == NULL) {
				setup->option[i] =
					(int16_t)(1 + dice_below(dice, 4));
				continue;
			}
			for (n = 0; option->values[n]; n++)
				;
			setup->option[i] = (int16_t)dice_below(dice, n);
		}
		if (game_setup_check(setup, why) != 0)
			setup->option[GAMES] =
				(int16_t)(9 + dice_below(dice, 2));
	} while (game_setup_check(setup, why) != 0);
}

/* Rare events have also come up. */
Test(durnius_random, model)
{
	unsigned seats, i, stalls = 0, draws = 0, came_back = 0, shows = 0;
	struct dice dice = {
		14
	}; /* in 200 matches; one with `shows` is rare */
	struct game_setup setup;

	for (seats = 2; seats <= 6; seats++) {
		for (i = 0; i < check_rounds(40, 3000); i++) {
			random_setup(&setup, seats, &dice);
			whole_match(&setup, i);
			stalls += model.stalls;
			draws += model.draws;
			came_back += model.came_back;
			shows += model.second_shows;
		}
	}
	cr_expect_gt(draws, stalls);
	cr_expect_gt(came_back, 0);
	cr_expect_gt(shows, 0);
}

/* Plays matches up to the ace. */
Test(durnius_random, epaulettes_up_to_the_ace)
{
	unsigned aces = 0, only_trumps = 0;
	struct game_setup setup;
	uint64_t seed;

	play_setup(&setup, "durnius", 2, "games=1000 epaulettes=score");
	for (seed = 0; seed < 3; seed++) {
		whole_match(&setup, seed);
		aces += model.aces;
		only_trumps += model.only_trumps;
	}
	cr_expect_gt(aces, 0);
	cr_expect_gt(only_trumps, 0);
}

/* ---- takes without end ------------------------------------------------ */

/* Plays games in which no seat ever beats or adds. */
Test(durnius_random, stall)
{
	struct game_setup setup;
	unsigned i, k, stalls = 0, seats;
	const char *at;

	for (seats = 2; seats <= 6; seats++) {
		play_setup(&setup, "durnius", seats, "games=2");
		model_open(&model, &setup);
		play_seeded(&game, &setup, seats, &chance, &ev);
		ev.text[ev.used] = '\0';
		at = ev.text;
		model_deal(&model, &at);
		model.used = 0;
		while (!game_is_over(&game)) {
			i = (unsigned)game.decision.holder;
			game_legal(&game, i, &legal);
			for (k = 0; k < legal.count; k++)
				if (strcmp(game_durnius
						   .verbs[legal.move[k].verb]
						   .name,
					   "take") == 0)
					break;
			events_clear(&ev);
			game_choose(&game, &legal, k % legal.count, 0, &chance,
				    &ev);
			follow();
		}
		stalls += model.stalls;
	}
	cr_expect_gt(stalls, 0);
}

/* The first `absent` seats make house moves.  Returns in how many of these
 * games nothing changed from some point on. */
static unsigned
stalls_with_house(unsigned seats, unsigned absent, unsigned tries)
{
	unsigned seed, stalls = 0, seat;
	struct move answer[SEATS_MAX];
	struct game_setup setup;
	int first;

	play_setup(&setup, "durnius", seats, "");
	for (seed = 0; seed < tries; seed++) {
		struct dice dice = { seed };

		play_seeded(&game, &setup, seed, &chance, &ev);
		while (!game_is_over(&game)) {
			for (seat = 0; seat < seats; seat++) {
				if (!(game.decision.asked >> seat & 1))
					continue;
				game_legal(&game, seat, &legal);
				answer[seat] = legal.move[0];
				if (seat >= absent)
					answer[seat] = legal.move[dice_below(
						&dice, legal.count)];
			}
			events_clear(&ev);
			first = game_first(&game, answer);
			if (first < 0)
				game_quiet(&game, &chance, &ev);
			else
				cr_assert(game_play(&game, (unsigned)first,
						    answer[first], &chance,
						    &ev));
		}
		ev.text[ev.used] = '\0';
		stalls += strstr(ev.text, "stall\n") != NULL;
	}
	return stalls;
}

Test(durnius_random, house_seats_keep_no_game_from_ending)
{
	unsigned seats, absent;

	for (seats = 2; seats <= 6; seats++)
		for (absent = 1; absent <= seats; absent++)
			cr_expect_eq(stalls_with_house(seats, absent, 60), 0,
				     "%u of %u seats", absent, seats);
}

/* ---- copies ------------------------------------------------------------ */

Test(durnius_random, a_copy_plays_on_alike)
{
	struct dice options = { 2 }, dice, copy_dice;
	struct game_setup setup;
	unsigned i, moves;

	for (i = 0; i < check_rounds(100, 3000); i++) {
		random_setup(&setup, 2 + i % 5, &options);
		play_seeded(&game, &setup, i, &chance, &ev);
		dice.state = i;
		for (moves = dice_below(&dice, 100);
		     moves > 0 && !game_is_over(&game); moves--)
			play_random(&game, &dice, &chance, &ev);
		memset(&copy, 0xa5, sizeof(copy));
		game_copy(&copy, &game);
		copy_chance = chance;
		copy_dice = dice;
		while (!game_is_over(&game)) {
			play_random(&game, &dice, &chance, &ev);
			play_random(&copy, &copy_dice, &copy_chance, &copy_ev);
			cr_assert(play_same(&game, &copy));
			cr_assert_eq(ev.used, copy_ev.used);
			cr_assert_eq(memcmp(ev.text, copy_ev.text, ev.used), 0);
		}
	}
}

/* ---- what a viewer cannot know changes nothing for it ------------------- */

#define STEPS_MAX 64
#define STEP_BYTES 4096

static struct play other;
static char steps[STEPS_MAX][STEP_BYTES];

/* Notes the cards that the viewer reads anywhere in this step. */
static void
know(bool known[CARDS], int viewer)
{
	char line[LINE_REFEREE_BYTES + 1], out[LINE_REFEREE_BYTES + 1];
	struct words words;
	size_t at = 0;
	unsigned i;
	ssize_t n;
	char *name, *part;

	while (play_next_line(&ev, &at, line)) {
		n = hidden_redact(line, strlen(line), viewer, out);
		cr_assert_gt(n, 0);
		out[n] = '\0';
		words_split(out, &words);
		for (i = 1; i < words.count; i++) {
			name = words.word[i];
			while ((part = strsep(&name, ":")))
				if (card_number(part) >= 0)
					known[card_number(part)] = true;
		}
	}
}

/* Keeps trumps below the shown one in their places, or all if none was shown. */
static void
keep_lowest(bool known[CARDS])
{
	unsigned card, lowest = CARDS;
	const char *line = strstr(steps[0], "lowest ") + 7;

	if (*line != 'n')
		lowest = (unsigned)card_number(
			(const char[]){ line[2], line[3], '\0' });
	for (card = model.trump; card < lowest && card < CARDS; card += 4)
		known[card] = true;
}

static void
shuffle_unknown(const bool known[CARDS], struct dice *dice, unsigned to[CARDS])
{
	unsigned i, j, swap;

	for (i = 0; i < CARDS; i++)
		to[i] = i;
	for (i = CARDS - 1; i > 0; i--) {
		j = dice_below(dice, i + 1);
		if (known[i] || known[j])
			continue;
		swap = to[i];
		to[i] = to[j];
		to[j] = swap;
	}
}

/* Exchanges the unknown cards of a step.  They are in braces, which hold only
 * cards.  Returns how many changed. */
static unsigned
deal_otherwise(char *text, const unsigned to[CARDS])
{
	char name[3] = "", *at, *end;
	unsigned changed = 0;

	for (at = text; (at = strchr(at, '{')); at = end) {
		end = strchr(at, '}');
		for (at++; at < end; at += 3) {
			memcpy(name, at, 2);
			changed +=
				(int)to[card_number(name)] != card_number(name);
			memcpy(at, card_text(to[card_number(name)]), 2);
		}
	}
	return changed;
}

static void
asked_alike(unsigned viewer)
{
	static struct legal list;

	cr_assert_eq(game.decision.asked, other.game.decision.asked);
	cr_assert_eq(game.decision.kind, other.game.decision.kind);
	if (!(game.decision.asked >> viewer & 1))
		return;
	game_legal(&game, viewer, &legal);
	game_legal(&other.game, viewer, &list);
	cr_assert_eq(legal.count, list.count);
	cr_assert_eq(memcmp(legal.move, list.move,
			    list.count * sizeof(list.move[0])),
		     0);
}

/* Plays the first steps and stores them; returns how many. */
static unsigned
first_steps(const struct game_setup *setup, uint64_t seed, unsigned most,
	    int viewer, bool known[CARDS])
{
	struct dice dice = { seed };
	const char *at = steps[0];
	unsigned n = 0;

	memset(known, 0, CARDS * sizeof(known[0]));
	play_seeded(&game, setup, seed, &chance, &ev);
	for (;;) {
		ev.text[ev.used] = '\0';
		cr_assert_lt(ev.used, STEP_BYTES);
		memcpy(steps[n++], ev.text, ev.used + 1);
		know(known, viewer);
		if (n == most || game_is_over(&game))
			break;
		play_random(&game, &dice, &chance, &ev);
	}
	model_open(&model, setup);
	model_deal(&model, &at);
	keep_lowest(known);
	return n;
}

/* Returns how many cards had other places. */
static unsigned
follow_otherwise(const struct game_setup *setup, uint64_t seed, unsigned viewer)
{
	struct dice dice = { seed }, shuffle = { seed + 1000 };
	unsigned to[CARDS], n, i, changed = 0;
	bool known[CARDS];
	const char *why;

	n = first_steps(setup, seed, 1 + (unsigned)seed % STEPS_MAX,
			(int)viewer, known);
	shuffle_unknown(known, &shuffle, to);
	memset(&other, 0, sizeof(other));
	play_open(&other, "durnius", setup->seats, "");
	other.game.setup = *setup;
	play_seeded(&game, setup, seed, &chance, &ev);
	for (i = 0; i < n; i++) {
		changed += deal_otherwise(steps[i], to);
		why = play_follow(&other, steps[i]);
		cr_assert_null(why, "%s", why);
		if (i > 0)
			play_random(&game, &dice, &chance, &ev);
		asked_alike(viewer);
	}
	return changed;
}

Test(durnius_random, what_is_hidden)
{
	struct dice options = { 3 };
	struct game_setup setup;
	unsigned seats, changed = 0;
	uint64_t seed;

	for (seats = 2; seats <= 6; seats++) {
		for (seed = 0; seed < check_rounds(80, 3000); seed++) {
			random_setup(&setup, seats, &options);
			setup.option[GAMES] = 1;
			changed += follow_otherwise(&setup, seed,
						    (unsigned)seed % seats);
		}
	}
	cr_expect_gt(changed, 4000, "%u", changed);
}
