/* tests/unit/parley.c - see parley.h. */
#include "tests/unit/parley.h"

#include <string.h>

enum { OPTION_KIND, OPTION_TURNS, OPTION_NOISE };
enum { STAY = VERB_PASS + 1, STAKE, BID, CALL, LEAD };

struct parley {
	uint8_t seats, kind;
	int16_t turn, turns, noise;
	int16_t points[SEATS_MAX];
};

GAME_STATE_FITS(struct parley);

static const struct game_option options[] = {
	[OPTION_KIND] = { .name = "kind", .max = 2 },
	[OPTION_TURNS] = { .name = "turns", .min = 1, .max = 9999 },
	[OPTION_NOISE] = { .name = "noise", .max = 30 },
	{ .name = NULL },
};

static const struct verb verbs[] = {
	[VERB_PASS] = { .name = "pass" },
	[STAY] = { .name = "stay" },
	[STAKE] = { .name = "stake", .number = true },
	[BID] = { .name = "bid", .number = true, .priority = 1 },
	[CALL] = { .name = "call" },
	[LEAD] = { .name = "lead", .priority = 2 },
	{ .name = NULL },
};

static void
make_noise(const struct parley *game, struct events *ev)
{
	char word[995];
	int i;

	memset(word, 'x', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	for (i = 0; i < game->noise; i++) {
		event_begin(ev, "noise");
		event_word(ev, word);
		event_end(ev);
	}
}

static void
parley_result(const void *state, struct game_score score[SEATS_MAX])
{
	const struct parley *game = state;
	unsigned s;

	for (s = 0; s < game->seats; s++)
		score[s].points = game->points[s];
	game_places_by_points(game->seats, score);
}

static void
end_turn(struct parley *game, struct events *ev)
{
	make_noise(game, ev);
	game->turn++;
}

static void
parley_start(void *state, const struct game_setup *setup, struct chance *chance,
	     struct events *ev)
{
	struct parley *game = state;
	unsigned s;

	(void)chance;
	game->seats = setup->seats;
	game->kind = (uint8_t)setup->option[OPTION_KIND];
	game->turns = setup->option[OPTION_TURNS];
	game->noise = setup->option[OPTION_NOISE];
	for (s = 0; s < game->seats; s++) {
		event_begin(ev, "deal");
		event_number(ev, (long)s);
		event_hide(ev);
		event_number(ev, 40 + (long)s);
		event_seen_by(ev, 1u << s);
		event_end(ev);
	}
}

static void
parley_decide(const void *state, struct decision *decision)
{
	const struct parley *game = state;
	unsigned turn = (unsigned)game->turn % game->seats, i;

	if (game->turn == game->turns)
		return;
	if (game->kind == PARLEY_SINGLE) {
		game_ask_one(decision, turn);
		return;
	}
	decision->kind = DECISION_OPEN;
	decision->holder = (int8_t)(game->kind == PARLEY_HELD ? (int)turn : -1);
	for (i = 0; i < game->seats; i++)
		game_ask(decision, (turn + i) % game->seats);
}

static void
parley_legal(const void *state, unsigned seat, struct legal *legal)
{
	const struct parley *game = state;

	if (game->kind == PARLEY_SINGLE) {
		game_list(legal, (struct move){ .verb = STAY });
		game_list(legal,
			  (struct move){ .verb = STAKE, .n = 4, .top = 30 });
		return;
	}
	if (game->kind == PARLEY_HELD &&
	    seat == (unsigned)game->turn % game->seats)
		game_list(legal, (struct move){ .verb = LEAD });
	else
		game_list(legal, (struct move){ .verb = VERB_PASS });
	game_list(legal, (struct move){ .verb = BID, .n = 1, .top = 9 });
	game_list(legal, (struct move){ .verb = CALL });
}

static void
parley_play(void *state, unsigned seat, struct move move, struct chance *chance,
	    struct events *ev)
{
	struct parley *game = state;

	(void)chance;
	game_move_event(ev, &game_parley, seat, move);
	event_end(ev);
	game->points[seat]++;
	end_turn(game, ev);
}

static void
parley_quiet(void *state, struct chance *chance, struct events *ev)
{
	(void)chance;
	end_turn(state, ev);
}

const struct game_rules game_parley = {
	.name = "parley",
	.version = 1,
	.min_seats = 2,
	.max_seats = SEATS_MAX,
	.state_bytes = sizeof(struct parley),
	.options = options,
	.verbs = verbs,
	.start = parley_start,
	.decide = parley_decide,
	.legal = parley_legal,
	.play = parley_play,
	.quiet = parley_quiet,
	.result = parley_result,
};

void
parley_setup(struct game_setup *setup, unsigned seats, enum parley_kind kind,
	     unsigned turns, unsigned noise)
{
	game_setup_init(setup, &game_parley, seats);
	setup->option[OPTION_KIND] = (int16_t)kind;
	setup->option[OPTION_TURNS] = (int16_t)turns;
	setup->option[OPTION_NOISE] = (int16_t)noise;
}
