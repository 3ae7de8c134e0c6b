/* tests/unit/test-exhaustive.c - walks whole trees: everything that can happen
 * from a fixed deal to the end of the game.
 *
 * Toepen with `points` 1 is small enough to be walked from the first card; the
 * others are walked from late in a game.  For each depth of the walk a small
 * frame is kept from the lines alone. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/rounds.h"
#include "tests/unit/walk.h"

#define DEPTHS 128

/* Holds the information of the lines up to a node. */
struct frame {
	uint64_t hand[SEATS_MAX]; /* pieces, by the deck's number */
	uint64_t dealt, gone;	  /* in this round; gone: to table and piles */
	unsigned plies, rounds;
	unsigned results, place[SEATS_MAX];
	long points[SEATS_MAX];
};

struct view {
	struct frame frame[DEPTHS];		 /* [0]: of the root */
	unsigned after, most_plies, most_rounds; /* bounds of the rules */
	unsigned long nodes, overs;
};

static struct walk walk;
static struct view view;
static struct legal legal;

/* ---- the lines -------------------------------------------------------- */

static uint64_t
card_of(const char *token)
{
	int card = card_find(walk.deck, token, strlen(token));

	cr_assert_geq(card, 0, "%s", token);
	return (uint64_t)1 << card;
}

/* No piece comes twice in a round. */
static void
follow_deal(struct frame *frame, const struct words *words)
{
	unsigned seat = (unsigned)words_number(words, 1), i;
	uint64_t card;

	if (walk.setup.rules == &game_toepen)
		frame->hand[seat] = 0; /* the old hand is laid down */
	for (i = 2; i < words->count; i++) {
		card = card_of(words->word[i]);
		cr_assert_not(frame->dealt & card);
		frame->dealt |= card;
		frame->hand[seat] |= card;
	}
}

/* Expects a card that is played or shown to be in the hand, and to be played once. */
static void
follow_move(struct frame *frame, const struct words *words)
{
	unsigned seat = (unsigned)words_number(words, 1);
	const char *token = words->word[2], *piece = strchr(token, ':');
	uint64_t card;

	frame->plies++;
	if (!piece)
		return;
	card = card_of(piece + 1);
	cr_assert(frame->hand[seat] & card, "%s", token);
	frame->hand[seat] ^= card;
	cr_assert_not(frame->gone & card);
	frame->gone |= card;
}

/* Daumen drauf shows everything at the end. */
static void
follow_pile(struct frame *frame, const struct words *words)
{
	uint64_t *from = &frame->gone, card;
	unsigned i;

	if (strcmp(words->word[0], "hand") == 0)
		from = &frame->hand[words_number(words, 1)];
	for (i = 2; i < words->count; i++) {
		card = card_of(words->word[i]);
		cr_assert(*from & card);
		*from ^= card;
		frame->dealt ^= card;
	}
}

static void
follow_result(struct frame *frame, const struct words *words)
{
	unsigned seat = (unsigned)words_number(words, 1);

	cr_assert_eq(seat, frame->results);
	frame->place[seat] = (unsigned)words_number(words, 2);
	frame->points[seat] = words_number(words, 3);
	frame->results++;
}

static bool
knows_cards(void)
{
	return walk.setup.rules == &game_toepen ||
	       walk.setup.rules == &game_daumen_drauf;
}

static void
follow_line(struct frame *frame, const char *line)
{
	struct words words;
	const char *verb;

	words_split(line, &words);
	verb = words.word[0];
	if (strcmp(verb, "round") == 0) {
		frame->rounds++;
		frame->dealt = frame->gone = 0;
		memset(frame->hand, 0, sizeof(frame->hand));
	} else if (strcmp(verb, "quiet") == 0) {
		frame->plies++;
	} else if (strcmp(verb, "result") == 0) {
		follow_result(frame, &words);
	} else if (!knows_cards()) {
		frame->plies += strcmp(verb, "move") == 0;
	} else if (strcmp(verb, "deal") == 0 || strcmp(verb, "draw") == 0) {
		follow_deal(frame, &words);
	} else if (strcmp(verb, "move") == 0) {
		follow_move(frame, &words);
	} else if (strcmp(verb, "pile") == 0 || strcmp(verb, "hand") == 0) {
		follow_pile(frame, &words);
	}
}

static void
follow(struct frame *frame)
{
	char line[LINE_REFEREE_BYTES + 1];
	size_t at = 0;

	while (play_next_line(&walk.ev, &at, line))
		follow_line(frame, line);
}

static void
follow_before(struct walk *w)
{
	(void)w;
	follow(&view.frame[0]);
}

/* ---- what must hold at a node ------------------------------------------ */

/* Toepen: section 7 by the tokens alone, `JC` lowest. */
static bool
is_toepen_house(const char *token, const char *best)
{
	static const char ranks[] = "JQKA789T";
	int rank;

	if (strncmp(best, "play:", 5) != 0)
		return strcmp(best, "pass") == 0 || strcmp(best, "fold") == 0;
	if (strncmp(token, "play:", 5) != 0)
		return true;
	rank = (int)(strchr(ranks, token[5]) - strchr(ranks, best[5]));
	return rank > 0 || (rank == 0 && token[6] > best[6]);
}

/* Returns true for the house move of Daumen drauf: the lowest number, n before t, Y
 * before G before B. */
static bool
is_daumen_house(const char *token, const char *best)
{
	if (strcmp(best, "pass") == 0)
		return true;
	cr_assert_eq(strncmp(best, "show:", 5), 0);
	if (token[6] != best[6])
		return token[6] > best[6];
	if (token[7] != best[7])
		return token[7] > best[7];
	return token[5] < best[5];
}

/* Expects a list that is not empty, has nothing twice, and the house move first. */
static void
list_holds(const struct game *game, unsigned seat)
{
	static char token[LEGAL_MAX][MOVE_BYTES];
	unsigned i, j;

	game_legal(game, seat, &legal);
	cr_assert_gt(legal.count, 0);
	for (i = 0; i < legal.count; i++) {
		game_move_token(walk.setup.rules, legal.move[i], token[i]);
		for (j = 0; j < i; j++)
			cr_assert_str_neq(token[i], token[j]);
		if (i == 0)
			continue;
		if (walk.setup.rules == &game_toepen)
			cr_assert(is_toepen_house(token[i], token[0]));
		if (walk.setup.rules == &game_daumen_drauf)
			cr_assert(is_daumen_house(token[i], token[0]));
	}
}

/* Expects each place to be one more than the number of better seats. */
static void
result_holds(const struct game *game, const struct frame *frame)
{
	struct game_score score[SEATS_MAX];
	unsigned seats = walk.setup.seats, seat, other, better;

	cr_assert_eq(frame->results, seats);
	game_result(game, score);
	for (seat = 0; seat < seats; seat++) {
		for (other = better = 0; other < seats; other++)
			better += frame->place[other] < frame->place[seat];
		cr_assert_eq(frame->place[seat], better + 1);
		cr_assert_eq(score[seat].place, (int)frame->place[seat]);
		cr_assert_eq(score[seat].points, frame->points[seat]);
		if (walk.setup.rules == &game_toepen) /* the one not out */
			cr_assert_eq(frame->place[seat] == 1,
				     frame->points[seat] <
					     walk.setup.option[0]);
	}
	if (walk.setup.rules == &game_daumen_drauf)
		cr_assert_eq(frame->dealt | frame->gone, 0);
}

static bool
visit(struct walk *w, const struct game *game, unsigned depth)
{
	struct frame *frame = &view.frame[depth];
	unsigned i;

	cr_assert_lt(depth + 1, DEPTHS);
	if (depth > 0) {
		*frame = frame[-1];
		follow(frame);
	}
	view.nodes++;
	cr_assert_eq(frame->plies, view.after + depth);
	cr_assert_leq(frame->plies, view.most_plies);
	cr_assert_leq(frame->rounds, view.most_rounds);
	cr_assert_eq(game_is_over(game), frame->results > 0);
	for (i = 0; i < game->decision.count; i++)
		list_holds(game, game->decision.seat[i]);
	if (game_is_over(game)) {
		result_holds(game, frame);
		view.overs++;
	}
	(void)w;
	return true;
}

/* ---- the trees -------------------------------------------------------- */

static const struct tree {
	const char *game, *options;
	unsigned seats, base, after;
	bool all;			  /* in the long form only */
	unsigned most_plies, most_rounds; /* by the rules, section 8 */
	unsigned long nodes, overs;
} trees[] = {
	{ "toepen", "points=1", 2, 3, 0, false, 20, 1, 130394, 32188 },
	{ "toepen", "points=1", 2, 5, 0, true, 20, 1, 112416, 27282 },
	{ "toepen", "points=1", 2, 7, 0, true, 20, 1, 117225, 28916 },
	{ "toepen", "points=1", 2, 10, 0, true, 20, 1, 114479, 28242 },
	{ "toepen", "points=1", 2, 12, 0, true, 20, 1, 92640, 22234 },
	{ "toepen", "points=1", 2, 14, 0, false, 20, 1, 89993, 21616 },
	{ "toepen", "points=1", 3, 3, 0, true, 22, 1, 6238577, 1276204 },
	{ "toepen", "points=1", 8, 5, 20, false, 32, 1, 83, 8 },
	{ "toepen", "points=2", 3, 3, 17, false, 75, 3, 1949, 610 },
	{ "toepen", "points=2", 3, 12, 15, true, 75, 3, 573829, 168735 },
	{ "toepen", "points=2", 4, 3, 18, true, 84, 3, 1710187, 500970 },
	{ "toepen", "points=2", 2, 7, 6, true, 66, 3, 3318650, 962374 },
	{ "daumen-drauf", "games=1", 2, 3, 24, false, 48, 1, 3247, 1390 },
	{ "daumen-drauf", "games=1", 2, 5, 24, false, 48, 1, 1399, 638 },
	{ "daumen-drauf", "games=1", 2, 7, 20, false, 48, 1, 4444, 1873 },
	{ "daumen-drauf", "games=1", 2, 10, 22, false, 48, 1, 3520, 1616 },
	{ "daumen-drauf", "games=1", 2, 3, 20, true, 48, 1, 1688104, 715686 },
	{ "daumen-drauf", "games=1", 2, 5, 20, true, 48, 1, 1702143, 745476 },
	{ "daumen-drauf", "games=1", 2, 7, 16, true, 48, 1, 2481158, 1048602 },
	{ "daumen-drauf", "games=1", 3, 5, 38, false, 90, 1, 28532, 10598 },
	{ "daumen-drauf", "games=1", 3, 5, 35, true, 90, 1, 823386, 320176 },
	{ "daumen-drauf", "games=1", 4, 5, 58, false, 144, 1, 238695, 87244 },
	{ "durnius", "", 2, 3, 72, false, 61560, 1, 76639, 28243 },
	{ "durnius", "", 2, 3, 70, true, 61560, 1, 117240, 42324 },
	{ "doubles-dread", "rounds=1", 2, 5, 35, false, 79, 1, 43405, 7872 },
	{ "doubles-dread", "rounds=1", 4, 7, 30, false, 83, 1, 8210, 1270 },
};

static void
walk_whole(const struct tree *tree)
{
	memset(&view, 0, sizeof(view));
	view.after = tree->after;
	view.most_plies = tree->most_plies;
	view.most_rounds = tree->most_rounds;
	walk_open(&walk, tree->game, tree->seats, tree->options, tree->base);
	walk.before = follow_before;
	walk_tree(&walk, tree->after, DEPTHS, visit, NULL);
	cr_expect_eq(view.nodes, tree->nodes, "%s %u %s %u %u: %lu nodes",
		     tree->game, tree->seats, tree->options, tree->base,
		     tree->after, view.nodes);
	cr_expect_eq(view.overs, tree->overs, "%s %u %s %u %u: %lu ends",
		     tree->game, tree->seats, tree->options, tree->base,
		     tree->after, view.overs);
}

Test(exhaustive, trees)
{
	unsigned i;

	for (i = 0; i < NELEM(trees); i++)
		if (!trees[i].all || check_is_all())
			walk_whole(&trees[i]);
}
