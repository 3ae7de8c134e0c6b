/* tests/unit/play.c - see play.h. */
#include "tests/unit/play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
script_token(struct chance_script *script, unsigned line, unsigned token,
	     char to[32])
{
	struct play *play = (struct play *)(void *)script;
	struct words words;

	if (play->at + line >= play->lines)
		return false;
	words_split(play->line[play->at + line], &words);
	if (token >= words.count)
		return false;
	memcpy(to, words.word[token], sizeof(words.word[token]));
	return true;
}

bool
play_may_setup(struct game_setup *setup, const char *game, unsigned seats,
	       const char *options)
{
	const struct game_rules *rules = game_find(game);
	char why[SENTENCE_BYTES];
	struct words words;
	char *value;
	unsigned i;

	if (!rules)
		bug("no game %s", game);
	game_setup_init(setup, rules, seats);
	if (game_setup_seats(setup, why) != 0)
		bug("%s", why);
	words_split(options, &words);
	for (i = 0; i < words.count; i++) {
		value = strchr(words.word[i], '=');
		if (!value)
			bug("no value in %s", words.word[i]);
		*value++ = '\0';
		if (game_setup_option(setup, words.word[i], value, why) != 0)
			bug("%s", why);
	}
	return game_setup_check(setup, why) == 0;
}

void
play_setup(struct game_setup *setup, const char *game, unsigned seats,
	   const char *options)
{
	if (!play_may_setup(setup, game, seats, options))
		bug("%s cannot be set up with %s", game, options);
}

void
play_open(struct play *play, const char *game, unsigned seats,
	  const char *options)
{
	memset(play, 0, sizeof(*play));
	play_setup(&play->game.setup, game, seats, options);
	play->script.token = script_token;
	chance_scripted(&play->chance, &play->script);
	play->ev.wanted = true;
}

static void
cut_lines(struct play *play, const char *lines)
{
	char *at = play->text, *end;

	if (strlen(lines) >= sizeof(play->text))
		bug("too much text in a test");
	memcpy(play->text, lines, strlen(lines) + 1);
	play->lines = play->at = 0;
	while ((end = strchr(at, '\n'))) {
		*end = '\0';
		if (play->lines == PLAY_LINES)
			bug("too many lines in a test");
		play->line[play->lines++] = at;
		at = end + 1;
	}
	if (*at)
		bug("the last line of a test has no end");
}

static const char *
complain(struct play *play, const char *expected, const char *found)
{
	snprintf(play->why, sizeof(play->why),
		 "line %u: expected \"%.400s\", found \"%.400s\"", play->at + 1,
		 expected, found);
	return play->why;
}

/* Compares the lines of a step with those that come next. */
static const char *
compare(struct play *play)
{
	char found[LINE_REFEREE_BYTES + 1];
	size_t at = 0;

	while (play_next_line(&play->ev, &at, found)) {
		if (play->at == play->lines)
			return complain(play, "(the end)", found);
		if (strcmp(play->line[play->at], found) != 0)
			return complain(play, play->line[play->at], found);
		play->at++;
	}
	if (play->chance.failed)
		return complain(play, "a piece that can come", "another");
	return NULL;
}

/* Returns the index of `token` in the list, or -1. */
static int
find_token(const struct play *play, const struct legal *legal,
	   const char *token)
{
	char have[MOVE_BYTES];
	unsigned i;

	for (i = 0; i < legal->count; i++) {
		game_move_token(play->game.setup.rules, legal->move[i], have);
		if (strcmp(have, token) == 0)
			return (int)i;
	}
	return -1;
}

static const char *
list_text(const struct play *play, const struct legal *legal, char *to,
	  size_t size)
{
	char token[MOVE_BYTES];
	size_t used = 0;
	unsigned i;

	*to = '\0';
	for (i = 0; i < legal->count; i++) {
		game_move_token(play->game.setup.rules, legal->move[i], token);
		if (used + strlen(token) + 2 > size)
			break;
		used += (size_t)snprintf(to + used, size - used, " %s", token);
	}
	return to;
}

static unsigned
seat_of(const struct words *words)
{
	return words->count > 1 ? (unsigned)(words->word[1][0] - '0') : 99;
}

/* `ask S token…` */
static const char *
follow_ask(struct play *play, const struct words *words)
{
	unsigned seat = seat_of(words), i;
	struct legal legal;
	char list[512];

	if (seat >= SEATS_MAX || !(play->game.decision.asked >> seat & 1))
		return complain(play, play->line[play->at], "not asked");
	game_legal(&play->game, seat, &legal);
	if (legal.count != words->count - 2)
		return complain(play, play->line[play->at],
				list_text(play, &legal, list, sizeof(list)));
	for (i = 2; i < words->count; i++)
		if (find_token(play, &legal, words->word[i]) < 0)
			return complain(
				play, play->line[play->at],
				list_text(play, &legal, list, sizeof(list)));
	play->at++;
	return NULL;
}

/* Follows all `ask` lines of a decision, if there are any. */
static const char *
follow_asks(struct play *play)
{
	unsigned asked = 0, seat;
	struct words words;
	const char *why;

	while (play->at < play->lines) {
		words_split(play->line[play->at], &words);
		if (strcmp(words.word[0], "ask") != 0)
			break;
		seat = seat_of(&words);
		if (seat < SEATS_MAX && asked >> seat)
			return complain(play, "asks in the order of the seats",
					play->line[play->at]);
		why = follow_ask(play, &words);
		if (why)
			return why;
		asked |= 1u << seat;
	}
	if (asked && asked != play->game.decision.asked)
		return complain(play, "an ask of every seat asked",
				"not all of them");
	return NULL;
}

/* Follows `refuse S TOKEN`: trying the move must change nothing. */
static const char *
follow_refuse(struct play *play, const struct words *words)
{
	const struct game_rules *rules = play->game.setup.rules;
	struct game before;
	struct move move;
	unsigned used = play->ev.used;

	game_copy(&before, &play->game);
	if (game_move_read(rules, words->word[2], strlen(words->word[2]),
			   &move) == 0 &&
	    game_play(&play->game, seat_of(words), move, &play->chance,
		      &play->ev))
		return complain(play, play->line[play->at], "it was accepted");
	if (!play_same(&before, &play->game) || used != play->ev.used)
		return complain(play, play->line[play->at],
				"refused, but something changed");
	play->at++;
	return NULL;
}

/* `house S TOKEN` */
static const char *
follow_house(struct play *play, const struct words *words)
{
	unsigned seat = seat_of(words);
	struct legal legal;
	char list[512];

	if (seat >= SEATS_MAX || !(play->game.decision.asked >> seat & 1))
		return complain(play, play->line[play->at], "not asked");
	game_legal(&play->game, seat, &legal);
	if (find_token(play, &legal, words->word[2]) != 0)
		return complain(play, play->line[play->at],
				list_text(play, &legal, list, sizeof(list)));
	play->at++;
	return NULL;
}

static const char *
follow_move(struct play *play, const struct words *words)
{
	const struct game_rules *rules = play->game.setup.rules;
	struct move move;

	events_clear(&play->ev);
	if (words->count != 3 ||
	    game_move_read(rules, words->word[2], strlen(words->word[2]),
			   &move) != 0)
		return complain(play, play->line[play->at], "no such move");
	if (!game_play(&play->game, seat_of(words), move, &play->chance,
		       &play->ev))
		return complain(play, play->line[play->at], "it was refused");
	return compare(play);
}

static const char *
follow_quiet(struct play *play)
{
	if (play->game.decision.kind != DECISION_OPEN ||
	    play->game.decision.holder >= 0)
		return complain(play, "quiet", "a decision that needs a move");
	events_clear(&play->ev);
	game_quiet(&play->game, &play->chance, &play->ev);
	return compare(play);
}

static const char *
follow_line(struct play *play)
{
	struct words words;

	words_split(play->line[play->at], &words);
	if (strcmp(words.word[0], "ask") == 0)
		return follow_asks(play);
	if (strcmp(words.word[0], "move") == 0)
		return follow_move(play, &words);
	if (strcmp(words.word[0], "quiet") == 0)
		return follow_quiet(play);
	if (strcmp(words.word[0], "refuse") == 0)
		return follow_refuse(play, &words);
	if (strcmp(words.word[0], "house") == 0)
		return follow_house(play, &words);
	if (strcmp(words.word[0], "fault") == 0) {
		play->at++;
		return NULL;
	}
	return complain(play, play->line[play->at], "(no such line comes)");
}

const char *
play_follow(struct play *play, const char *lines)
{
	const char *why = NULL;

	cut_lines(play, lines);
	if (!play->begun) {
		struct game_setup setup = play->game.setup;

		play->begun = true;
		game_start(&play->game, &setup, &play->chance, &play->ev);
		why = compare(play);
	}
	while (!why && play->at < play->lines)
		why = follow_line(play);
	return why;
}

/* ---- random games ----------------------------------------------------- */

/* splitmix64 of Sebastiano Vigna (public domain, prng.di.unimi.it). */
static uint64_t
dice_next(struct dice *dice)
{
	uint64_t z = dice->state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

unsigned
dice_below(struct dice *dice, unsigned n)
{
	return (unsigned)((dice_next(dice) >> 32) * n >> 32);
}

struct move
dice_move(struct dice *dice, const struct legal *legal)
{
	struct move move = legal->move[dice_below(dice, legal->count)];
	unsigned values = (unsigned)(move.top - move.n) + 1;

	move.n = move.top = (int16_t)(move.n + (int)dice_below(dice, values));
	return move;
}

void
play_seeded(struct game *game, const struct game_setup *setup, uint64_t seed,
	    struct chance *chance, struct events *ev)
{
	unsigned char bytes[CHANCE_SEED_BYTES] = { 0 };

	memcpy(bytes, &seed, sizeof(seed));
	chance_seed(chance, bytes);
	events_clear(ev);
	memset(game, 0, sizeof(*game));
	game_start(game, setup, chance, ev);
}

void
play_random(struct game *game, struct dice *dice, struct chance *chance,
	    struct events *ev)
{
	struct move answer[SEATS_MAX];
	struct legal legal;
	unsigned i, seat;
	int first;

	for (i = 0; i < game->decision.count; i++) {
		seat = game->decision.seat[i];
		game_legal(game, seat, &legal);
		answer[seat] = dice_move(dice, &legal);
	}
	events_clear(ev);
	first = game_first(game, answer);
	if (first < 0)
		game_quiet(game, chance, ev);
	else if (!game_play(game, (unsigned)first, answer[first], chance, ev))
		bug("a legal move was refused");
}

bool
play_next_line(const struct events *ev, size_t *at, char *line)
{
	const char *from = ev->text + *at, *end;

	if (*at == ev->used)
		return false;
	end = memchr(from, '\n', ev->used - *at);
	memcpy(line, from, (size_t)(end - from));
	line[end - from] = '\0';
	*at += (size_t)(end - from) + 1;
	return true;
}

bool
play_same(const struct game *a, const struct game *b)
{
	return a->stamp == b->stamp && a->setup.rules == b->setup.rules &&
	       memcmp(&a->decision, &b->decision, sizeof(a->decision)) == 0 &&
	       memcmp(a->state, b->state, a->setup.rules->state_bytes) == 0;
}
