/* tests/unit/random-record.c - see random-record.h.  It is a small referee: it
 * asks, invents faults, resolves and writes the record. */
#include "tests/unit/random-record.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/games/game.h"
#include "referee/table/deal.h"

struct play {
	const struct record_recipe *recipe;
	struct text *to;
	struct deal deal;
	struct entropy entropy;
	struct chance chance, dice;
	struct game game;
	struct events events;
	struct legal legal;
	struct move answer[SEATS_MAX];
	unsigned lines; /* of the body so far */
	unsigned faulty, retired;
	unsigned faults[SEATS_MAX];
	const char *why[SEATS_MAX];
	unsigned left[SEATS_MAX], lefts;
};

static bool
is_cut(const struct play *play)
{
	return play->recipe->cut && play->lines >= play->recipe->cut;
}

/* Puts a line of the body, unless the record ends before it. */
static void
put_line(struct play *play, const char *line, size_t n, const char *comment)
{
	if (is_cut(play))
		return;
	text_add(play->to, line, n);
	if (play->recipe->comments && comment)
		text_fmt(play->to, " ;%s", comment);
	text_str(play->to, "\n");
	play->lines++;
}

static void
put_events(struct play *play)
{
	const char *line = play->events.text, *lf;
	const char *end = line + play->events.used;

	for (; line < end; line = lf + 1) {
		lf = memchr(line, '\n', (size_t)(end - line));
		put_line(play, line, (size_t)(lf - line),
			 *line == 'm' ? " 3 ms; `say`: %7b7H%7d" : NULL);
	}
}

/* ---- header ------------------------------------------------------------ */

static void
set_options(struct game_setup *setup, const char *options)
{
	char copy[256], why[SENTENCE_BYTES];
	char *rest = copy, *name, *value;

	snprintf(copy, sizeof(copy), "%s", options);
	while ((name = strsep(&rest, " ")) != NULL && *name) {
		value = strchr(name, '=');
		if (!value)
			bug("a recipe's option without value: %s", name);
		*value = '\0';
		if (game_setup_option(setup, name, value + 1, why) != 0)
			bug("%s", why);
	}
}

static void
put_options(const struct game_setup *setup, struct text *to)
{
	char value[16];
	unsigned i;

	for (i = 0; setup->rules->options[i].name; i++) {
		game_setup_value(setup, i, value);
		text_fmt(to, "option %s %s\n", setup->rules->options[i].name,
			 value);
	}
}

static void
put_hex(struct text *to, const char *key, const unsigned char *bytes, size_t n)
{
	char hex[2 * 64 + 1];

	sodium_bin2hex(hex, sizeof(hex), bytes, n);
	text_fmt(to, "%s %s\n", key, hex);
}

static void
put_seal(struct play *play)
{
	char key[16];
	unsigned seat;

	if (play->recipe->unsealed)
		return;
	put_hex(play->to, "commit", play->deal.commit, DEAL_COMMIT_BYTES);
	for (seat = 0; seat < play->recipe->seats; seat++) {
		if (!play->entropy.bytes[seat])
			continue;
		snprintf(key, sizeof(key), "entropy %u", seat % 10);
		put_hex(play->to, key, play->entropy.byte[seat],
			play->entropy.bytes[seat]);
	}
	if (play->recipe->block > 0)
		text_fmt(play->to, "block %s %u\n", play->deal.block,
			 play->deal.in_block);
	put_hex(play->to, "secret", play->deal.secret, DEAL_SECRET_BYTES);
}

static void
put_header(struct play *play, const struct game_setup *setup)
{
	const struct record_recipe *recipe = play->recipe;
	struct text *to = play->to;
	unsigned seat;

	text_fmt(to, "record 1\nid %s\ngame %s\nseats %u\n", play->deal.id,
		 recipe->game, recipe->seats);
	put_options(setup, to);
	for (seat = 0; seat < recipe->seats; seat++)
		text_fmt(to, "bot %u random%u\n", seat, seat);
	text_fmt(to, "open %s\n", recipe->arrival ? "arrival" : "priority");
	if (recipe->faults)
		text_fmt(to, "faults %u\n", recipe->faults);
	put_seal(play);
	if (recipe->cut)
		text_str(to, "aborted stopped\n");
	text_str(to, "\n");
}

/* ---- decisions --------------------------------------------------------- */

static struct move
pick(struct play *play)
{
	struct move move =
		play->legal.move[chance_below(&play->dice, play->legal.count)];

	if (move.n < move.top)
		move.n += (int16_t)chance_below(
			&play->dice, (unsigned)(move.top - move.n) + 1);
	move.top = move.n;
	return move;
}

/* Puts the ask with the house move first, the others shuffled. */
static void
put_ask(struct play *play, unsigned seat)
{
	struct legal legal = play->legal;
	const struct move house = legal.move[0];
	struct text line;
	char token[MOVE_BYTES];
	unsigned i;

	text_init(&line, LINE_REFEREE_BYTES);
	game_move_token(play->game.setup.rules, house, token);
	text_fmt(&line, "ask %u %s", seat, token);
	while (legal.count > 0) {
		i = chance_below(&play->dice, legal.count);
		if (memcmp(&legal.move[i], &house, sizeof(house)) != 0) {
			game_move_token(play->game.setup.rules, legal.move[i],
					token);
			text_fmt(&line, " %s", token);
		}
		legal.move[i] = legal.move[--legal.count];
	}
	put_line(play, line.bytes, line.used, NULL);
	text_release(&line);
}

static void
answer(struct play *play, unsigned seat)
{
	static const char *const why[] = { "timeout", "illegal", "protocol",
					   "crash" };
	unsigned rate = play->recipe->fault_rate;

	game_legal(&play->game, seat, &play->legal);
	if (play->recipe->asks)
		put_ask(play, seat);
	play->answer[seat] = play->legal.move[0];
	if (play->retired >> seat & 1)
		return;
	if (!rate || chance_below(&play->dice, rate) > 0) {
		play->answer[seat] = pick(play);
		return;
	}
	play->why[seat] = why[chance_below(&play->dice, 4)];
	play->faulty |= 1u << seat;
}

static void
put_faults(struct play *play)
{
	char line[32];
	unsigned seat;
	int n;

	for (seat = 0; seat < play->recipe->seats; seat++) {
		if (!(play->faulty >> seat & 1) || is_cut(play))
			continue;
		n = snprintf(line, sizeof(line), "fault %u %s", seat,
			     play->why[seat]);
		put_line(play, line, (size_t)n, NULL);
		if (++play->faults[seat] != play->recipe->faults)
			continue;
		play->retired |= 1u << seat;
		play->left[play->lefts++] = seat;
	}
}

/* Returns any seat that gave a move of its own, as if it came first; if there
 * is none, the holder. */
static int
first_to_arrive(struct play *play)
{
	const struct decision *decision = &play->game.decision;
	unsigned own[SEATS_MAX], n = 0, i, seat;

	for (i = 0; i < decision->count; i++) {
		seat = decision->seat[i];
		if (!((play->faulty | play->retired) >> seat & 1) &&
		    play->answer[seat].verb != VERB_PASS)
			own[n++] = seat;
	}
	return n ? (int)own[chance_below(&play->dice, n)] : decision->holder;
}

static int
who_moves(struct play *play)
{
	if (play->game.decision.kind == DECISION_SINGLE)
		return play->game.decision.holder;
	if (play->recipe->arrival)
		return first_to_arrive(play);
	return game_first(&play->game, play->answer);
}

static void
decide(struct play *play)
{
	unsigned seat;
	int mover;

	play->faulty = 0;
	for (seat = 0; seat < play->recipe->seats; seat++)
		if (play->game.decision.asked >> seat & 1)
			answer(play, seat);
	mover = who_moves(play);
	put_faults(play);
	events_clear(&play->events);
	if (mover < 0)
		game_quiet(&play->game, &play->chance, &play->events);
	else if (!game_play(&play->game, (unsigned)mover, play->answer[mover],
			    &play->chance, &play->events))
		bug("%s: a move of its own list is illegal",
		    play->recipe->game);
	put_events(play);
}

/* Writes the forfeit lines, which also follow an aborted game. */
static void
put_forfeits(struct play *play)
{
	unsigned i;

	for (i = 0; i < play->lefts; i++)
		text_fmt(play->to, "forfeit %u %s\n", play->left[i],
			 play->why[play->left[i]]);
}

static void
prepare(struct play *play, struct game_setup *setup)
{
	const struct record_recipe *recipe = play->recipe;
	const struct game_rules *rules = game_find(recipe->game);
	struct deal dice;
	unsigned i;

	if (!rules)
		bug("a recipe for %s", recipe->game);
	game_setup_init(setup, rules, recipe->seats);
	set_options(setup, recipe->options);
	deal_from_seed(&play->deal, recipe->seed, 1);
	if (recipe->block > 0)
		deal_block_from_seed(&play->deal, recipe->seed, recipe->block,
				     recipe->seats);
	deal_from_seed(&dice, recipe->seed, 2 + recipe->block);
	chance_seed(&play->dice, dice.secret);
	for (i = recipe->seats - recipe->entropies; i < recipe->seats; i++) {
		play->entropy.bytes[i] =
			(uint8_t)(1 + chance_below(&play->dice, ENTROPY_BYTES));
		memcpy(play->entropy.byte[i], dice.commit,
		       play->entropy.bytes[i]);
	}
	deal_chance(&play->deal, setup, &play->entropy, &play->chance);
}

void
random_record(const struct record_recipe *recipe, struct text *to)
{
	struct play *play = memory(NULL, sizeof(*play));
	struct game_setup setup;

	memset(play, 0, sizeof(*play));
	play->recipe = recipe;
	play->to = to;
	play->events.wanted = true;
	prepare(play, &setup);
	put_header(play, &setup);
	game_start(&play->game, &setup, &play->chance, &play->events);
	put_events(play);
	while (!game_is_over(&play->game) && !is_cut(play))
		decide(play);
	put_forfeits(play);
	free(play);
}
