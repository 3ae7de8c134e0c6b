/* referee/games/game.c - the table of games, and everything that all games share:
 * set-up, legality, who goes first in an open decision, tokens of moves.
 *
 * Only this file calls a game's methods.  After each of them the decision that
 * stands is worked out once and kept, and when the game is over its `result`
 * lines are written at once. */
#include "referee/games/game.h"

#include <stdio.h>
#include <string.h>

#include "protocol/hidden.h"
#include "protocol/message.h"
#include "protocol/put.h"

const struct game_rules *const games[] = {
#define GAME(name) &game_##name,
#include "referee/games/list.h"
#undef GAME
	NULL,
};

const struct game_rules *
game_find(const char *name)
{
	for (unsigned i = 0; games[i]; i++)
		if (strcmp(games[i]->name, name) == 0)
			return games[i];
	return NULL;
}

/* ---- setting up ------------------------------------------------------- */

void
game_setup_init(struct game_setup *setup, const struct game_rules *rules,
		unsigned seats)
{
	const struct game_option *option;

	memset(setup, 0, sizeof(*setup));
	setup->rules = rules;
	setup->seats = (uint8_t)seats;
	for (unsigned i = 0; (option = &rules->options[i])->name; i++)
		setup->option[i] = option->preset == OPTION_DEFAULT_SEATS
					   ? (int16_t)seats
					   : option->preset;
}

int
game_setup_seats(const struct game_setup *setup, char why[SENTENCE_BYTES])
{
	const struct game_rules *rules = setup->rules;

	if (setup->seats >= rules->min_seats &&
	    setup->seats <= rules->max_seats)
		return 0;
	if (rules->names_value)
		snprintf(why, SENTENCE_BYTES, "%s %s, not %d", rules->name,
			 rules->seats_must, setup->seats);
	else
		snprintf(why, SENTENCE_BYTES, "%s %s", rules->name,
			 rules->seats_must);
	return -1;
}

/* Reads an option's value from its text: 0, or -1 if it has no such value. */
static int
option_read(const struct game_option *option, const char *text, int16_t *value)
{
	uint64_t number;
	int16_t i;

	if (option->values != NULL) {
		for (i = 0; option->values[i]; i++) {
			if (strcmp(option->values[i], text) == 0) {
				*value = i;
				return 0;
			}
		}
		return -1;
	}
	if (message_number(text, strlen(text), (uint64_t)option->max,
			   &number) != 0 ||
	    (int)number < option->min)
		return -1;
	*value = (int16_t)number;
	return 0;
}

int
game_setup_find(const struct game_setup *setup, const char *name,
		char why[SENTENCE_BYTES])
{
	const struct game_rules *rules = setup->rules;
	int n;

	for (int i = 0; rules->options[i].name; i++)
		if (strcmp(rules->options[i].name, name) == 0)
			return i;
	n = snprintf(why, SENTENCE_BYTES, "%s has no option %.*s; it has",
		     rules->name, NAME_BYTES, name);
	for (int i = 0; rules->options[i].name && n < SENTENCE_BYTES; i++)
		n += snprintf(why + n, SENTENCE_BYTES - (size_t)n, "%s %s",
			      i > 0 ? "," : "", rules->options[i].name);
	return -1;
}

int
game_setup_option(struct game_setup *setup, const char *name, const char *value,
		  char why[SENTENCE_BYTES])
{
	const struct game_rules *rules = setup->rules;
	const struct game_option *option;
	int i = game_setup_find(setup, name, why);

	if (i < 0)
		return -1;
	option = &rules->options[i];
	if (option_read(option, value, &setup->option[i]) == 0)
		return 0;
	if (rules->names_value)
		snprintf(why, SENTENCE_BYTES, "%s, not %s", option->must,
			 value);
	else
		snprintf(why, SENTENCE_BYTES, "%s", option->must);
	return -1;
}

int
game_setup_check(const struct game_setup *setup, char why[SENTENCE_BYTES])
{
	const struct game_rules *rules = setup->rules;
	const char *sentence = NULL;

	if (rules->invalid)
		sentence = rules->invalid(setup);
	if (!sentence)
		return 0;
	snprintf(why, SENTENCE_BYTES, "%s", sentence);
	return -1;
}

void
game_setup_value(const struct game_setup *setup, unsigned i, char value[16])
{
	const struct game_option *option = &setup->rules->options[i];

	if (option->values != NULL)
		snprintf(value, 16, "%s", option->values[setup->option[i]]);
	else
		snprintf(value, 16, "%d", setup->option[i]);
}

size_t
game_setup_text(const struct game_setup *setup, bool changed, char *to,
		size_t size)
{
	const struct game_option *option = setup->rules->options;
	struct game_setup plain;
	char value[16];
	size_t used = 0;

	*to = '\0';
	game_setup_init(&plain, setup->rules, setup->seats);
	for (unsigned i = 0; option[i].name != NULL; i++) {
		if (changed && setup->option[i] == plain.option[i])
			continue;
		game_setup_value(setup, i, value);
		used += (size_t)snprintf(to + used, size - used, "%s%s=%s",
					 used > 0 ? " " : "", option[i].name,
					 value);
		if (used >= size)
			bug("the options of %s are too long",
			    setup->rules->name);
	}
	return used;
}

/* ---- a game in progress ----------------------------------------------- */

/* Finds out after a change who is asked now, or writes the results if the game is
 * over. */
static void
settle(struct game *game, struct events *ev)
{
	struct game_score score[SEATS_MAX];

	game->stamp++;
	memset(&game->decision, 0, sizeof(game->decision));
	game->setup.rules->decide(game->state, &game->decision);
	if (!game_is_over(game) || !ev->wanted)
		return;
	game_result(game, score);
	game_result_events(ev, game->setup.seats, score);
}

void
game_start(struct game *game, const struct game_setup *setup,
	   struct chance *chance, struct events *ev)
{
	const struct game_rules *rules = setup->rules;

	if (setup->seats < rules->min_seats || setup->seats > rules->max_seats)
		bug("%s started with %d seats", rules->name, setup->seats);
	game->setup = *setup;
	game->stamp = 0;
	memset(game->state, 0, rules->state_bytes);
	rules->start(game->state, setup, chance, ev);
	settle(game, ev);
}

void
game_quiet(struct game *game, struct chance *chance, struct events *ev)
{
	if (game->decision.kind != DECISION_OPEN || game->decision.holder >= 0)
		bug("quiet, but this decision needs a move");
	event_begin(ev, "quiet");
	event_end(ev);
	game->setup.rules->quiet(game->state, chance, ev);
	settle(game, ev);
}

void
game_copy(struct game *to, const struct game *from)
{
	memcpy(to, from,
	       offsetof(struct game, state) + from->setup.rules->state_bytes);
}

static bool
is_asked(const struct game *game, unsigned seat)
{
	return seat < SEATS_MAX && game->decision.asked >> seat & 1;
}

void
game_legal(const struct game *game, unsigned seat, struct legal *legal)
{
	if (!is_asked(game, seat))
		bug("seat %u is not asked", seat);
	legal->stamp = game->stamp;
	legal->seat = (uint16_t)seat;
	legal->count = 0;
	game->setup.rules->legal(game->state, seat, legal);
	if (legal->count == 0)
		bug("%s: an empty legal list", game->setup.rules->name);
}

static void
apply(struct game *game, unsigned seat, struct move move, struct chance *chance,
      struct events *ev)
{
	game->setup.rules->play(game->state, seat, move, chance, ev);
	settle(game, ev);
}

/* Returns true if the move takes effect.  In an open decision a pass is an answer, but
 * never takes effect. */
static bool
takes_effect(const struct game *game, struct move move)
{
	return move.verb != VERB_PASS || game->decision.kind == DECISION_SINGLE;
}

void
game_choose(struct game *game, const struct legal *legal, unsigned i, int n,
	    struct chance *chance, struct events *ev)
{
	struct move move;

	if (legal->stamp != game->stamp || !is_asked(game, legal->seat))
		bug("a legal list of another decision");
	if (i >= legal->count)
		bug("entry %u of a legal list of %u", i, legal->count);
	move = legal->move[i];
	if (move.n < move.top) {
		if (n < move.n || n > move.top)
			bug("%d is not in %d..%d", n, move.n, move.top);
		move.n = move.top = (int16_t)n;
	}
	if (!takes_effect(game, move))
		bug("a pass cannot resolve an open decision");
	apply(game, legal->seat, move, chance, ev);
}

bool
game_is_legal(const struct legal *legal, struct move move)
{
	unsigned count = move.forced ? 1 : legal->count;
	const struct move *entry;

	for (unsigned i = 0; i < count; i++) {
		entry = &legal->move[i];
		if (entry->verb == move.verb &&
		    entry->piece[0] == move.piece[0] &&
		    entry->piece[1] == move.piece[1] && move.n == move.top &&
		    move.n >= entry->n && move.n <= entry->top)
			return true;
	}
	return false;
}

bool
game_play(struct game *game, unsigned seat, struct move move,
	  struct chance *chance, struct events *ev)
{
	struct legal legal;

	if (!is_asked(game, seat) || !takes_effect(game, move))
		return false;
	game_legal(game, seat, &legal);
	if (!game_is_legal(&legal, move))
		return false;
	apply(game, seat, move, chance, ev);
	return true;
}

int
game_first(const struct game *game, const struct move answer[SEATS_MAX])
{
	const struct decision *decision = &game->decision;
	const struct verb *verbs = game->setup.rules->verbs;
	int first = -1, best = 0, priority;
	unsigned verb;

	for (unsigned i = 0; i < decision->count; i++) {
		verb = answer[decision->seat[i]].verb;
		priority = verbs[verb].priority;
		if (!takes_effect(game, answer[decision->seat[i]]))
			continue;
		if (first < 0 || priority < best) {
			first = decision->seat[i];
			best = priority;
		}
	}
	return first;
}

void
game_result(const struct game *game, struct game_score score[SEATS_MAX])
{
	const struct game_rules *rules = game->setup.rules;
	const unsigned seats = game->setup.seats;
	long points[SEATS_MAX];

	if (!game_is_over(game))
		bug("the result of a game that is not over");
	if (rules->result != NULL) {
		rules->result(game->state, score);
		return;
	}
	rules->standing(game->state, points);
	for (unsigned s = 0; s < seats; s++)
		score[s].points = points[s];
	game_places_by_points(seats, score);
}

/* ---- what a viewer cannot know ---------------------------------------- */

void
game_resample(struct game *game, int viewer, struct draws *draws)
{
	if (viewer != VIEW_PUBLIC &&
	    (viewer < 0 || viewer >= game->setup.seats))
		bug("viewer %d of %d seats", viewer, game->setup.seats);
	if (!game->setup.rules->resample)
		bug("%s has no resample", game->setup.rules->name);
	game->setup.rules->resample(game->state, viewer, draws);
	game->stamp++; /* what others hold has changed */
}

unsigned
game_hidden(const struct game *game, uint8_t piece[HIDDEN_MAX])
{
	return game->setup.rules->hidden(game->state, piece);
}

unsigned
game_standing(const struct game *game, long points[SEATS_MAX])
{
	return game->setup.rules->standing(game->state, points);
}

/* ---- moves as tokens -------------------------------------------------- */

size_t
game_move_token(const struct game_rules *rules, struct move move,
		char token[MOVE_BYTES])
{
	const struct verb *verb = &rules->verbs[move.verb];
	char *to = put_word(token, verb->name);

	for (unsigned i = 0; i < NELEM(verb->deck) && verb->deck[i]; i++) {
		*to++ = ':';
		to = put_word(to, verb->deck[i]->name[move.piece[i]]);
	}
	if (verb->number) {
		*to++ = ':';
		to = put_number(to, (uint64_t)move.n);
		if (move.n < move.top) {
			to = put_word(to, "..");
			to = put_number(to, (uint64_t)move.top);
		}
	}
	if (verb->tail)
		to = put_word(to, verb->tail);
	*to = '\0';
	return (size_t)(to - token);
}

/* Takes `string` from the front of what is left of a token. */
static bool
take_string(const char **at, const char *end, const char *string)
{
	size_t n = strlen(string);

	if ((size_t)(end - *at) < n || memcmp(*at, string, n) != 0)
		return false;
	*at += n;
	return true;
}

/* Takes `:` and the argument after it, up to the next `:` or the end. */
static bool
take_argument(const char **at, const char *end, const char **argument,
	      size_t *n)
{
	const char *stop;

	if (!take_string(at, end, ":"))
		return false;
	stop = memchr(*at, ':', (size_t)(end - *at));
	if (!stop)
		stop = end;
	*argument = *at;
	*n = (size_t)(stop - *at);
	*at = stop;
	return true;
}

/* Returns true if the token is a move of this verb. */
static bool
verb_read(const struct verb *verb, const char *at, const char *end,
	  struct move *move)
{
	const char *argument;
	uint64_t number;
	int piece;
	size_t n;

	if (!take_string(&at, end, verb->name))
		return false;
	for (unsigned i = 0; i < NELEM(verb->deck) && verb->deck[i]; i++) {
		if (!take_argument(&at, end, &argument, &n))
			return false;
		piece = card_find(verb->deck[i], argument, n);
		if (piece < 0)
			return false;
		move->piece[i] = (uint8_t)piece;
	}
	if (verb->number) {
		if (!take_argument(&at, end, &argument, &n) ||
		    message_number(argument, n, INT16_MAX, &number) != 0)
			return false;
		move->n = move->top = (int16_t)number;
	}
	if (verb->tail && !take_string(&at, end, verb->tail))
		return false;
	return at == end;
}

int
game_move_read(const struct game_rules *rules, const char *token, size_t n,
	       struct move *move)
{
	uint8_t i;

	/* Several verbs may share a name: `stake`, `stake:12`. */
	for (i = 0; rules->verbs[i].name; i++) {
		*move = (struct move){ .verb = i };
		if (verb_read(&rules->verbs[i], token, token + n, move))
			return 0;
	}
	return -1;
}

/* ---- for the games' own code ------------------------------------------ */

void
game_move_event(struct events *ev, const struct game_rules *rules,
		unsigned seat, struct move move)
{
	char token[MOVE_BYTES];

	if (!ev->wanted)
		return;
	game_move_token(rules, move, token);
	event_begin_of(ev, "move", seat);
	event_word(ev, token);
}

void
game_result_events(struct events *ev, unsigned seats,
		   const struct game_score score[SEATS_MAX])
{
	for (unsigned seat = 0; seat < seats; seat++)
		EVENT_LINE(ev, "result", seat, score[seat].place,
			   score[seat].points);
}

void
game_places_by_points(unsigned seats, struct game_score score[SEATS_MAX])
{
	for (unsigned seat = 0; seat < seats; seat++) {
		score[seat].place = 1;
		for (unsigned other = 0; other < seats; other++)
			if (score[other].points > score[seat].points)
				score[seat].place++;
	}
}
