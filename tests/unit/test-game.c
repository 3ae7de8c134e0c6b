/* tests/unit/test-game.c - the table of games and their common functions. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/expect-bug.h"
#include "tests/unit/play.h"

/* ---- the table -------------------------------------------------------- */

Test(game, table_is_sorted_and_unique)
{
	unsigned i;

	cr_assert_not_null(games[0]);
	for (i = 1; games[i]; i++)
		cr_expect(strcmp(games[i - 1]->name, games[i]->name) < 0, "%s",
			  games[i]->name);
	for (i = 0; games[i]; i++)
		cr_expect_eq(game_find(games[i]->name), games[i]);
	cr_assert_null(game_find("poker"));
	cr_assert_null(game_find(""));
}

static void
options_are_whole(const struct game_rules *rules)
{
	const struct game_option *option;
	char begin[64];
	unsigned i, j;

	for (i = 0; (option = &rules->options[i])->name; i++) {
		snprintf(begin, sizeof(begin), "option %s must be ",
			 option->name);
		cr_expect_eq(strncmp(option->must, begin, strlen(begin)), 0,
			     "%s", option->must);
		cr_expect_not_null(option->brief);
		if (option->values == NULL)
			cr_expect(option->min < option->max);
		else
			cr_expect_not_null(option->values[0]);
		for (j = 0; j < i; j++)
			cr_expect_str_neq(option->name, rules->options[j].name);
	}
	cr_expect(i <= OPTIONS_MAX);
}

Test(game, every_game_has_what_is_required)
{
	const struct game_rules *rules;
	unsigned i, j;

	for (i = 0; (rules = games[i]); i++) {
		cr_expect_eq(strspn(rules->name, "abcdefghijklmnopqrstuvwxyz-"),
			     strlen(rules->name));
		cr_expect(rules->title && rules->brief && rules->seats_must);
		cr_expect(rules->version >= 1);
		cr_expect(rules->min_seats >= 2);
		cr_expect(rules->min_seats <= rules->max_seats);
		cr_expect(rules->max_seats <= SEATS_MAX);
		cr_expect(rules->state_bytes > 0);
		cr_expect(rules->state_bytes <= GAME_STATE_BYTES);
		cr_expect(rules->start && rules->decide && rules->legal &&
			  rules->play && (rules->result || rules->standing));
		options_are_whole(rules);
		cr_expect_str_eq(rules->verbs[VERB_PASS].name, "pass");
		for (j = 0; rules->verbs[j].name; j++)
			cr_expect(j == VERB_PASS || rules->verbs[j].brief);
		cr_expect(j <= VERBS_MAX);
		cr_expect(rules->lines && rules->lines[0]);
	}
}

Test(game, every_piece_has_a_name_of_its_own)
{
	const struct deck *deck;
	unsigned i, j, k;

	for (i = 0; games[i]; i++) {
		for (j = 0; games[i]->verbs[j].name; j++) {
			deck = games[i]->verbs[j].deck[0];
			if (!deck)
				continue;
			cr_expect(deck->count > 0 && deck->count <= 64);
			for (k = 0; k < deck->count; k++)
				cr_expect_eq(card_find(deck, deck->name[k],
						       strlen(deck->name[k])),
					     (int)k);
		}
	}
}

Test(game, defaults_are_valid)
{
	struct game_setup setup, again;
	char why[SENTENCE_BYTES], value[16];
	unsigned i, j, seats;

	for (i = 0; games[i]; i++) {
		for (seats = games[i]->min_seats; seats <= games[i]->max_seats;
		     seats++) {
			game_setup_init(&setup, games[i], seats);
			again = setup;
			cr_expect_eq(game_setup_seats(&setup, why), 0);
			cr_expect_eq(game_setup_check(&setup, why), 0);
			for (j = 0; games[i]->options[j].name; j++) {
				game_setup_value(&setup, j, value);
				cr_expect_eq(game_setup_option(
						     &again,
						     games[i]->options[j].name,
						     value, why),
					     0, "%s", why);
				cr_expect_eq(setup.option[j], again.option[j]);
			}
		}
	}
}

/* ---- a game made up to have every kind of verb, option and decision ---- */

enum {
	MADE_STAKE = 1,
	MADE_STAKE_TO,
	MADE_DISCARD,
	MADE_DISCARD_STAY,
	MADE_PUT,
	MADE_HOLD,
};

static const struct deck made_cards = {
	.count = 3,
	.name = { "7H", "8H", "TC" },
};
static const struct deck made_places = { .count = 2, .name = { "N", "NW" } };

static const struct verb made_verbs[] = {
	{ .name = "pass" },
	[MADE_STAKE] = { .name = "stake", .priority = 1 },
	[MADE_STAKE_TO] = { .name = "stake", .number = true, .priority = 1 },
	[MADE_DISCARD] = { .name = "discard", .deck = { &made_cards } },
	[MADE_DISCARD_STAY] = { .name = "discard",
				.deck = { &made_cards },
				.tail = ":stay" },
	[MADE_PUT] = { .name = "put", .deck = { &made_cards, &made_places } },
	[MADE_HOLD] = { .name = "hold", .priority = 2 },
	{ .name = NULL },
};

static const char *const made_values[] = { "none", "some", NULL };

static const struct game_option made_options[] = {
	{ .name = "length",
	  .min = 0,
	  .max = 300,
	  .preset = OPTION_DEFAULT_SEATS,
	  .must = "option length must be an integer from 0 to 300" },
	{ .name = "wild",
	  .values = made_values,
	  .preset = 1,
	  .must = "option wild must be one of: none some" },
	{ .name = NULL },
};

static const char *
made_invalid(const struct game_setup *setup)
{
	return setup->option[0] == 0 && setup->option[1] == 1
		       ? "wild some needs length 1 or more"
		       : NULL;
}

struct made {
	uint8_t step; /* 0: open with a holder; 1: open without; 2: single */
	int16_t staked;
};

static void
made_start(void *state, const struct game_setup *setup, struct chance *chance,
	   struct events *ev)
{
	struct made *made = state;

	(void)chance;
	(void)ev;
	made->step = setup->seats == 3 ? 1 : 0;
}

static void
made_decide(const void *state, struct decision *decision)
{
	const struct made *made = state;

	if (made->step == 3)
		return;
	if (made->step == 2) {
		game_ask_one(decision, 1);
		return;
	}
	decision->kind = DECISION_OPEN;
	decision->holder = made->step == 0 ? 1 : -1;
	game_ask(decision, 1);
	game_ask(decision, 2);
	game_ask(decision, 0);
}

static void
made_legal(const void *state, unsigned seat, struct legal *legal)
{
	const struct made *made = state;

	if (made->step == 0 && seat == 1)
		game_list(legal, (struct move){ .verb = MADE_HOLD });
	else
		game_list(legal, (struct move){ .verb = VERB_PASS });
	game_list(legal, (struct move){ .verb = MADE_STAKE });
	game_list(legal,
		  (struct move){ .verb = MADE_STAKE_TO, .n = 4, .top = 30 });
	game_list(legal, (struct move){ .verb = MADE_DISCARD, .piece = { 2 } });
}

static void
made_play(void *state, unsigned seat, struct move move, struct chance *chance,
	  struct events *ev)
{
	struct made *made = state;

	(void)chance;
	made->staked = move.n;
	made->step++;
	(void)seat;
	(void)ev;
}

static void
made_quiet(void *state, struct chance *chance, struct events *ev)
{
	struct made *made = state;

	(void)chance;
	(void)ev;
	made->step++;
}

static void
made_result(const void *state, struct game_score score[SEATS_MAX])
{
	static const long points[] = { -3, 12, 12, 0 };
	unsigned seat;

	(void)state;
	for (seat = 0; seat < 4; seat++)
		score[seat].points = points[seat];
	game_places_by_points(4, score);
}

static const struct game_rules made = {
	.name = "made-up",
	.version = 1,
	.min_seats = 2,
	.max_seats = 4,
	.seats_must = "is for 2 to 4 seats",
	.state_bytes = sizeof(struct made),
	.options = made_options,
	.verbs = made_verbs,
	.invalid = made_invalid,
	.start = made_start,
	.decide = made_decide,
	.legal = made_legal,
	.play = made_play,
	.quiet = made_quiet,
	.result = made_result,
};

static struct game game;
static struct chance chance;
static struct events ev; /* lines, which only some tests read */
static struct legal legal;

static void
begin(unsigned seats)
{
	struct game_setup setup;

	events_clear(&ev);
	game_setup_init(&setup, &made, seats);
	game_start(&game, &setup, &chance, &ev);
}

/* ---- setting up ------------------------------------------------------- */

static void
option_says(const struct game_rules *rules, const char *name, const char *value,
	    const char *sentence)
{
	struct game_setup setup, before;
	char why[SENTENCE_BYTES] = "";

	game_setup_init(&setup, rules, 2);
	before = setup;
	cr_expect_eq(game_setup_option(&setup, name, value, why), -1, "%s=%s",
		     name, value);
	cr_expect_str_eq(why, sentence);
	cr_expect_eq(memcmp(setup.option, before.option, sizeof(setup.option)),
		     0);
}

Test(game, options_are_read_to_their_limits)
{
	static const char *const wrong[] = {
		"301",
		"-1",
		"+1",
		"01",
		"",
		" 1",
		"1 ",
		"0x1",
		"1.0",
		"4294967297",
		"99999999999999999999999",
		"some",
	};
	struct game_setup setup;
	char why[SENTENCE_BYTES], value[16];
	unsigned i;

	game_setup_init(&setup, &made, 3);
	cr_assert_eq(setup.option[0], 3);
	cr_assert_eq(setup.option[1], 1);
	cr_assert_eq(game_setup_option(&setup, "length", "300", why), 0);
	game_setup_value(&setup, 0, value);
	cr_assert_str_eq(value, "300");
	cr_assert_eq(game_setup_option(&setup, "length", "0", why), 0);
	game_setup_value(&setup, 0, value);
	cr_assert_str_eq(value, "0");
	cr_assert_eq(game_setup_option(&setup, "wild", "none", why), 0);
	game_setup_value(&setup, 1, value);
	cr_assert_str_eq(value, "none");
	for (i = 0; i < NELEM(wrong); i++)
		option_says(&made, "length", wrong[i],
			    "option length must be an integer from 0 to 300");
	option_says(&made, "wild", "Some",
		    "option wild must be one of: none some");
	option_says(&made, "wild", "", "option wild must be one of: none some");
	option_says(&made, "len", "1",
		    "made-up has no option len; it has length, wild");
	option_says(&made, "", "1",
		    "made-up has no option ; it has length, wild");
}

Test(game, options_together)
{
	struct game_setup setup;
	char why[SENTENCE_BYTES];

	game_setup_init(&setup, &made, 3);
	cr_assert_eq(game_setup_check(&setup, why), 0);
	setup.option[0] = 0;
	cr_assert_eq(game_setup_check(&setup, why), -1);
	cr_assert_str_eq(why, "wild some needs length 1 or more");
}

Test(game, a_sentence_about_a_long_value_is_cut)
{
	struct game_setup setup;
	char value[2000], why[SENTENCE_BYTES];

	memset(value, 'x', sizeof(value) - 1);
	value[sizeof(value) - 1] = '\0';
	game_setup_init(&setup, &game_daumen_drauf, 2);
	cr_assert_eq(game_setup_option(&setup, "games", value, why), -1);
	cr_assert_eq(strlen(why), SENTENCE_BYTES - 1);
	/* A sentence quotes at most the longest valid name, so that the list
	 * after it fits. */
	cr_assert_eq(game_setup_option(&setup, value, "1", why), -1);
	cr_assert_not_null(strstr(why, " xxx"));
	cr_assert_not_null(strstr(why, "x; it has games"));
	cr_assert_eq(strlen(why), sizeof("daumen-drauf has no option ; it has "
					 "games, twin") -
					  1 + NAME_BYTES);
}

/* ---- tokens ----------------------------------------------------------- */

static const struct {
	const char *token;
	struct move move;
} tokens[] = {
	{ "pass", { .verb = VERB_PASS } },
	{ "stake", { .verb = MADE_STAKE } },
	{ "stake:0", { .verb = MADE_STAKE_TO } },
	{ "stake:12", { .verb = MADE_STAKE_TO, .n = 12, .top = 12 } },
	{ "stake:32767", { .verb = MADE_STAKE_TO, .n = 32767, .top = 32767 } },
	{ "discard:TC", { .verb = MADE_DISCARD, .piece = { 2 } } },
	{ "discard:8H:stay", { .verb = MADE_DISCARD_STAY, .piece = { 1 } } },
	{ "put:7H:NW", { .verb = MADE_PUT, .piece = { 0, 1 } } },
	{ "put:8H:N", { .verb = MADE_PUT, .piece = { 1, 0 } } },
};

Test(game, tokens_are_written_and_read)
{
	char token[MOVE_BYTES];
	struct move move;
	unsigned i;

	for (i = 0; i < NELEM(tokens); i++) {
		cr_expect_eq(game_move_token(&made, tokens[i].move, token),
			     strlen(tokens[i].token));
		cr_expect_str_eq(token, tokens[i].token);
		memset(&move, 0xff, sizeof(move));
		cr_expect_eq(game_move_read(&made, token, strlen(token), &move),
			     0, "%s", token);
		cr_expect_eq(memcmp(&move, &tokens[i].move, sizeof(move)), 0,
			     "%s", token);
	}
}

Test(game, a_range_is_written_but_never_read)
{
	char token[MOVE_BYTES];
	struct move move = { .verb = MADE_STAKE_TO, .n = 4, .top = 30 };

	cr_assert_eq(game_move_token(&made, move, token), 11);
	cr_assert_str_eq(token, "stake:4..30");
	cr_assert_eq(game_move_read(&made, token, 11, &move), -1);
}

Test(game, what_is_no_move_is_not_read)
{
	static const char *const wrong[] = {
		"",
		"p",
		"pas",
		"passs",
		"pass:",
		"PASS",
		"stake:",
		"stake:01",
		"stake:-1",
		"stake:+1",
		"stake:32768",
		"stake:1:2",
		"stake:1 ",
		"stake12",
		"discard",
		"discard:",
		"discard:9H",
		"discard:7h",
		"discard:7H:",
		"discard:7",
		"discard:7HH",
		"discard7H",
		"put:7H",
		"put:7H:",
		"put:7H:S",
		"put:7H:NW:NW",
		"put::NW",
		"put:NW:7H",
		":7H",
		"discard::7H",
		"discard:7H:st",
		"hold:1",
		"discard:7H:stay:",
		"stake:99999999999999999999",
	};
	struct move move;
	unsigned i;

	for (i = 0; i < NELEM(wrong); i++)
		cr_expect_eq(game_move_read(&made, wrong[i], strlen(wrong[i]),
					    &move),
			     -1, "%s", wrong[i]);
	cr_expect_eq(game_move_read(&made, "pass\0", 5, &move), -1);
	cr_expect_eq(game_move_read(&made, "discard:7H\0", 11, &move), -1);
	cr_expect_eq(game_move_read(&made, "put:7H:\0", 8, &move), -1);
}

/* ---- decisions -------------------------------------------------------- */

Test(game, a_range_takes_each_of_its_values)
{
	struct move move = { .verb = MADE_STAKE_TO };
	int n;

	begin(2);
	game_legal(&game, 0, &legal);
	for (n = 0; n < 40; n++) {
		move.n = move.top = (int16_t)n;
		cr_expect_eq(game_is_legal(&legal, move), n >= 4 && n <= 30);
	}
	move.n = 4;
	move.top = 30;
	cr_assert_not(game_is_legal(&legal, move), "a range is no move");
	game_choose(&game, &legal, 2, 30, &chance, &ev);
	cr_assert_eq(((struct made *)(void *)game.state)->staked, 30);
}

Test(game, a_number_outside_a_range_is_our_bug)
{
	begin(2);
	game_legal(&game, 0, &legal);
	EXPECT_BUG("31 is not in 4..30",
		   game_choose(&game, &legal, 2, 31, &chance, &ev));
}

Test(game, an_entry_that_is_not_there_is_our_bug)
{
	begin(2);
	game_legal(&game, 0, &legal);
	EXPECT_BUG("entry 4 of a legal list of 4",
		   game_choose(&game, &legal, legal.count, 0, &chance, &ev));
}

Test(game, a_stale_list_is_our_bug)
{
	begin(2);
	game_legal(&game, 0, &legal);
	game_choose(&game, &legal, 1, 0, &chance, &ev);
	EXPECT_BUG("a legal list of another decision",
		   game_choose(&game, &legal, 1, 0, &chance, &ev));
}

Test(game, choosing_pass_in_an_open_decision_is_our_bug)
{
	begin(2);
	game_legal(&game, 0, &legal);
	EXPECT_BUG("a pass cannot resolve an open decision",
		   game_choose(&game, &legal, 0, 0, &chance, &ev));
}

Test(game, quiet_with_a_holder_is_our_bug)
{
	begin(2);
	EXPECT_BUG("quiet, but this decision needs a move",
		   game_quiet(&game, &chance, &ev));
}

Test(game, a_list_for_a_seat_not_asked_is_our_bug)
{
	begin(2);
	EXPECT_BUG("seat 3 is not asked", game_legal(&game, 3, &legal));
}

Test(game, too_many_seats_are_our_bug)
{
	EXPECT_BUG("made-up started with 5 seats", begin(5));
}

Test(game, the_result_before_the_end_is_our_bug)
{
	struct game_score score[SEATS_MAX];

	begin(2);
	EXPECT_BUG("the result of a game that is not over",
		   game_result(&game, score));
}

static const struct move pass = { .verb = VERB_PASS };
static const struct move stake = { .verb = MADE_STAKE };
static const struct move discard = { .verb = MADE_DISCARD, .piece = { 2 } };
static const struct move hold = { .verb = MADE_HOLD };

/* Asked: 1 2 0, in this order within a class. */
Test(game, first_of_an_open_decision)
{
	struct move answer[SEATS_MAX] = { pass, pass, pass };

	begin(3);
	cr_assert_eq(game_first(&game, answer), -1);
	answer[0] = stake;
	cr_assert_eq(game_first(&game, answer), 0);
	answer[2] = stake;
	cr_assert_eq(game_first(&game, answer), 2, "order of the seats");
	answer[0] = discard;
	cr_assert_eq(game_first(&game, answer), 0, "lower class");
	answer[3] = discard;
	answer[0] = pass;
	cr_assert_eq(game_first(&game, answer), 2, "seat 3 is not asked");

	begin(2);
	answer[1] = hold;
	answer[2] = pass;
	cr_assert_eq(game_first(&game, answer), 1, "the holder");
	answer[0] = stake;
	cr_assert_eq(game_first(&game, answer), 0, "before the holder");
}

Test(game, first_of_a_single_decision_may_be_a_pass)
{
	struct move answer[SEATS_MAX] = { stake, pass, stake };

	begin(3);
	game_quiet(&game, &chance, &ev);
	cr_assert_eq(game.decision.kind, DECISION_SINGLE);
	cr_assert_eq(game_first(&game, answer), 1);
}

Test(game, only_what_is_legal_is_played)
{
	struct game before;
	struct move odd = stake;

	begin(2);
	game_copy(&before, &game);
	odd.piece[0] = 1;
	cr_assert_not(game_play(&game, 0, odd, &chance, &ev));
	cr_assert_not(game_play(&game, 0, hold, &chance, &ev));
	cr_assert_not(game_play(&game, 0, pass, &chance, &ev));
	cr_assert_not(game_play(&game, 3, stake, &chance, &ev));
	cr_assert_not(game_play(&game, 200, stake, &chance, &ev));
	cr_assert(play_same(&game, &before));
	cr_assert(game_play(&game, 1, hold, &chance, &ev));
	cr_assert_not(play_same(&game, &before));
}

Test(game, nobody_plays_when_it_is_over)
{
	struct game_score score[SEATS_MAX];

	begin(3);
	game_quiet(&game, &chance, &ev);
	cr_assert_not(game_play(&game, 0, stake, &chance, &ev));
	cr_assert(game_play(&game, 1, pass, &chance, &ev));
	cr_assert(game_is_over(&game));
	cr_assert_not(game_play(&game, 1, stake, &chance, &ev));
	game_result(&game, score);
	cr_assert_eq(score[0].place, 4);
	cr_assert_eq(score[1].place, 1);
	cr_assert_eq(score[2].place, 1);
	cr_assert_eq(score[3].place, 3);
}

Test(game, result_lines_are_written_when_it_is_over)
{
	static const char *const wanted = "quiet\n"
					  "result 0 3 -3\n"
					  "result 1 1 12\n"
					  "result 2 1 12\n";
	struct game_score score[SEATS_MAX] = { { 3, -3 },
					       { 1, 12 },
					       { 1, 12 } };

	ev.wanted = true;
	begin(3);
	game_quiet(&game, &chance, &ev);
	game_result_events(&ev, 3, score);
	cr_assert_eq(ev.used, strlen(wanted));
	cr_assert_eq(memcmp(ev.text, wanted, ev.used), 0);
}

/* ---- real games ------------------------------------------------------- */

/* Text must not change the play. */
Test(game, without_text_the_same_is_played)
{
	static struct game other;
	static struct events text = { .wanted = true };
	struct chance chance_b;
	struct game_setup setup;
	struct dice dice_a, dice_b;
	unsigned i;

	for (i = 0; games[i]; i++) {
		game_setup_init(&setup, games[i], games[i]->min_seats);
		play_seeded(&game, &setup, 5, &chance, &ev);
		play_seeded(&other, &setup, 5, &chance_b, &text);
		dice_a.state = dice_b.state = 6;
		while (!game_is_over(&game)) {
			play_random(&game, &dice_a, &chance, &ev);
			play_random(&other, &dice_b, &chance_b, &text);
			cr_assert(play_same(&game, &other));
			cr_assert_eq(ev.used, 0);
			cr_assert_gt(text.used, 0);
		}
	}
}
