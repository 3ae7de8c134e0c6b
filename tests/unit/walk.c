/* tests/unit/walk.c - see walk.h. */
#include "tests/unit/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_ROUND UINT32_MAX
#define PLIES_MAX 512

/* ---- the deal --------------------------------------------------------- */

static bool
begins(const struct events *ev, uint32_t at, const char *verb)
{
	size_t n = strlen(verb);

	return ev->used - at >= n && memcmp(ev->text + at, verb, n) == 0;
}

/* Returns where the last `round` line of this ply begins. */
static uint32_t
last_round(const struct events *ev)
{
	uint32_t at, found = NO_ROUND;
	const char *lf;

	for (at = 0;; at = (uint32_t)(lf - ev->text) + 1) {
		if (begins(ev, at, "round "))
			found = at;
		lf = memchr(ev->text + at, '\n', ev->used - at);
		if (!lf)
			return found;
	}
}

/* Draws for the line that is being written. */
static bool
fixed_token(struct chance_script *script, unsigned line, unsigned token,
	    char to[32])
{
	struct walk *walk = (struct walk *)(void *)script;
	uint32_t round_at = last_round(&walk->ev);

	(void)line;
	(void)token;
	if (round_at != NO_ROUND && round_at != walk->round_at) {
		walk->round_at = round_at;
		walk->drawn = 0;
	}
	if (begins(&walk->ev, walk->ev.line_at, "round")) {
		memcpy(to, "0", 2);
		return true;
	}
	snprintf(to, 32, "%s", walk->deck->name[walk->order[walk->drawn++]]);
	return true;
}

static void
order_pieces(struct walk *walk, unsigned count, unsigned copies, unsigned base)
{
	unsigned piece[257] = { 0 }, power = 1, i, n = 0;

	for (i = 1; i <= count; i++) {
		power = power * base % 257;
		if (piece[power])
			bug("%u has not order 256 modulo 257", base);
		piece[power] = i;
	}
	for (i = 0; i < 257; i++)
		if (piece[i])
			walk->order[n++] = (uint8_t)((piece[i] - 1) / copies);
}

void
walk_open(struct walk *walk, const char *game, unsigned seats,
	  const char *options, unsigned base)
{
	const struct game_rules *rules = game_find(game);
	unsigned pieces, copies = 1;

	memset(walk, 0, sizeof(*walk));
	play_setup(&walk->setup, game, seats, options);
	walk->deck = rules->deck;
	pieces = walk->deck->count;
	if (rules == &game_daumen_drauf)
		pieces = 6 * (seats + 2);
	if (rules == &game_durnius)
		copies = 1u + (unsigned)walk->setup.option[0]; /* decks */
	order_pieces(walk, pieces * copies, copies, base);
	walk->script.token = fixed_token;
	chance_scripted(&walk->chance, &walk->script);
	walk->ev.wanted = true;
}

void
walk_open_commas(struct walk *walk, const char *game, unsigned seats,
		 const char *options, unsigned base)
{
	char spaced[256], *comma;

	if (strcmp(options, "-") == 0)
		options = "";
	snprintf(spaced, sizeof(spaced), "%s", options);
	while ((comma = strchr(spaced, ',')))
		*comma = ' ';
	walk_open(walk, game, seats, spaced, base);
}

/* ---- the tree --------------------------------------------------------- */

/* One ply; seat -1 is `quiet`. */
struct ply {
	int seat;
	struct move move;
};

static void
make_ply(struct walk *walk, struct game *game, struct ply ply)
{
	events_clear(&walk->ev);
	walk->round_at = NO_ROUND;
	if (ply.seat < 0)
		game_quiet(game, &walk->chance, &walk->ev);
	else if (!game_play(game, (unsigned)ply.seat, ply.move, &walk->chance,
			    &walk->ev))
		bug("a move of its own list is illegal");
	if (walk->chance.failed)
		bug("the fixed deal gives a piece twice");
}

static void
list_ply(struct ply ply[PLIES_MAX], unsigned *count, int seat, struct move move)
{
	if (*count == PLIES_MAX)
		bug("more than %d plies in a walk", PLIES_MAX);
	ply[(*count)++] = (struct ply){ seat, move };
}

/* Lists all possible plies, `quiet` last; returns their number. */
static unsigned
list_plies(const struct game *game, struct ply ply[PLIES_MAX])
{
	const struct decision *decision = &game->decision;
	bool open = decision->kind == DECISION_OPEN;
	unsigned count = 0, seat, i, j;
	struct legal legal;
	struct move move;
	int n;

	for (i = 0; i < decision->count; i++) {
		seat = decision->seat[i];
		game_legal(game, seat, &legal);
		for (j = 0; j < legal.count; j++) {
			move = legal.move[j];
			if (open && move.verb == VERB_PASS)
				continue;
			for (n = move.n; n <= legal.move[j].top; n++) {
				move.n = move.top = (int16_t)n;
				list_ply(ply, &count, (int)seat, move);
			}
		}
	}
	if (open && decision->holder < 0)
		list_ply(ply, &count, -1, (struct move){ 0 });
	return count;
}

static void
below(struct walk *walk, const struct game *game, unsigned depth, unsigned most)
{
	unsigned drawn = walk->drawn, count, i;
	struct ply ply[PLIES_MAX];
	struct game next;

	if (!walk->visit(walk, game, depth) || depth == most ||
	    game_is_over(game))
		return;
	count = list_plies(game, ply);
	for (i = 0; i < count; i++) {
		game_copy(&next, game);
		make_ply(walk, &next, ply[i]);
		below(walk, &next, depth + 1, most);
		walk->drawn = drawn;
	}
}

static const struct game_rules *sorted_rules;

static int
by_bytes(const void *a, const void *b)
{
	char token[2][MOVE_BYTES];
	const struct ply *ply[] = { a, b };

	if (ply[0]->seat != ply[1]->seat)
		return ply[0]->seat - ply[1]->seat;
	game_move_token(sorted_rules, ply[0]->move, token[0]);
	game_move_token(sorted_rules, ply[1]->move, token[1]);
	return strcmp(token[0], token[1]);
}

/* Makes the plies before the walk. */
static void
make_plies(struct walk *walk, struct game *game, unsigned after)
{
	struct ply ply[PLIES_MAX];
	unsigned count, sorted, i;

	sorted_rules = game->setup.rules;
	for (i = 1; i <= after; i++) {
		if (game_is_over(game))
			bug("a game of a walk ends before it begins");
		sorted = count = list_plies(game, ply);
		if (ply[count - 1].seat < 0)
			sorted--;
		qsort(ply, sorted, sizeof(ply[0]), by_bytes);
		make_ply(walk, game, ply[7 * i % count]);
		if (walk->before)
			walk->before(walk);
	}
}

void
walk_tree(struct walk *walk, unsigned after, unsigned depth, walk_visit visit,
	  void *own)
{
	struct game game;

	memset(&game, 0, sizeof(game));
	walk->visit = visit;
	walk->own = own;
	walk->drawn = 0;
	walk->round_at = NO_ROUND;
	events_clear(&walk->ev);
	game_start(&game, &walk->setup, &walk->chance, &walk->ev);
	if (walk->chance.failed)
		bug("the fixed deal gives a piece twice");
	if (walk->before)
		walk->before(walk);
	make_plies(walk, &game, after);
	below(walk, &game, 0, depth);
}

/* ---- counting --------------------------------------------------------- */

static bool
count_node(struct walk *walk, const struct game *game, unsigned depth)
{
	struct walk_count *count = walk->own;

	switch (game->decision.kind) {
	case DECISION_SINGLE:
		count[depth].single++;
		break;
	case DECISION_OPEN:
		count[depth].open++;
		break;
	default:
		count[depth].over++;
	}
	return true;
}

void
walk_count(struct walk *walk, unsigned after, unsigned depth,
	   struct walk_count *count)
{
	memset(count, 0, (depth + 1) * sizeof(*count));
	walk_tree(walk, after, depth, count_node, count);
}
