/* tests/unit/test-toepen-random.c - what must hold in every game of Toepen.
 *
 * A watch reads the event lines of random games, knows nothing of the engine's
 * state and checks section 11 of the rules; numbers in names are that list's.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "protocol/hidden.h"
#include "tests/unit/leaks.h"
#include "tests/unit/play.h"
#include "tests/unit/rounds.h"

#define SEEDS check_rounds(60, 10000)
#define ROUND_BYTES 8192

struct watch {
	unsigned seats, goal;
	unsigned rounds, outs, moves;
	unsigned points[8], at_start[8], by_challenge[8];
	unsigned alive, began, in, winner;
	uint32_t dealt, hand[8];
	unsigned stock, stake;
	int knocker;
	bool card_led, challenged;
};

static struct game game;
static struct chance chance;
static struct events ev = { .wanted = true };
static struct legal legal;
static struct watch watch;

/* rank * 4 + suit, ranks and suits in rising order; -1: no card. */
static int
card_of(const char *token)
{
	static const char ranks[] = "JQKA789T", suits[] = "CDHS";
	const char *rank, *suit;

	if (strlen(token) != 2)
		return -1;
	rank = strchr(ranks, token[0]);
	suit = strchr(suits, token[1]);
	return rank && suit ? (int)(rank - ranks) * 4 + (int)(suit - suits)
			    : -1;
}

/* 4, and section 8: when a round is over. */
static void
watch_round_end(void)
{
	unsigned seat, a = (unsigned)__builtin_popcount(watch.began), gained;

	for (seat = 0; seat < watch.seats; seat++) {
		if (!(watch.began >> seat & 1))
			continue;
		gained = watch.points[seat] - watch.at_start[seat];
		if (seat == watch.winner)
			cr_assert_eq(gained, watch.by_challenge[seat]);
		else
			cr_assert_geq(gained, 1);
	}
	cr_assert_leq(watch.moves, 4 * a + (watch.goal - 1) * a + 2 * (8 - a));
}

static void
watch_round(const struct words *words)
{
	if (watch.rounds > 0)
		watch_round_end();
	watch.rounds++;
	cr_assert_eq((unsigned)words_number(words, 1), watch.rounds);
	cr_assert_leq(watch.rounds, 2 * watch.goal - 1); /* 5 */
	watch.began = watch.in = watch.alive;
	memcpy(watch.at_start, watch.points, sizeof(watch.points));
	memset(watch.by_challenge, 0, sizeof(watch.by_challenge));
	watch.dealt = 0;
	watch.stock = 32;
	watch.stake = 1;
	watch.knocker = -1;
	watch.card_led = false;
	watch.moves = 0;
}

/* 1: no card twice in a round. */
static void
watch_deal(const struct words *words, unsigned seat)
{
	unsigned i;
	int card;

	cr_assert_eq(words->count, 6);
	watch.hand[seat] = 0;
	for (i = 2; i < 6; i++) {
		card = card_of(words->word[i]);
		cr_assert(card >= 0 && !(watch.dealt >> card & 1));
		watch.dealt |= 1u << card;
		watch.hand[seat] |= 1u << card;
	}
	watch.stock -= 4;
}

static void
watch_move(const char *token, unsigned seat)
{
	int card;

	watch.moves++;
	watch.challenged = strcmp(token, "challenge") == 0;
	cr_assert(watch.in >> seat & 1);
	cr_assert_str_neq(token, "pass"); /* 2 */
	if (strncmp(token, "play:", 5) == 0) {
		card = card_of(token + 5); /* 1 */
		cr_assert(card >= 0 && watch.hand[seat] >> card & 1);
		watch.hand[seat] &= ~(1u << card);
		watch.card_led = true;
	} else if (strcmp(token, "knock") == 0) {
		cr_assert_neq(watch.knocker, (int)seat); /* 3 */
		watch.knocker = (int)seat;
	} else if (strcmp(token, "mulligan") == 0) {
		cr_assert_not(watch.card_led); /* 8 */
		cr_assert_geq(watch.stock, 4);
		cr_assert_lt(__builtin_popcount(watch.began), 8);
	} else if (strcmp(token, "fold") == 0) {
		watch.in &= ~(1u << seat);
	}
}

static void
watch_score(const struct words *words, unsigned seat)
{
	unsigned points = (unsigned)words_number(words, 2);

	cr_assert_gt(points, watch.points[seat]);
	if (watch.challenged)
		watch.by_challenge[seat] += points - watch.points[seat];
	watch.points[seat] = points;
}

/* 5: the last one alive has place 1 alone. */
static void
watch_result(const struct words *words, unsigned seat)
{
	if (seat == 0)
		watch_round_end();
	cr_assert_eq(watch.outs, watch.seats - 1);
	cr_assert_eq(strcmp(words->word[2], "1") == 0, watch.alive >> seat & 1);
	cr_assert_eq((unsigned)words_number(words, 3), watch.points[seat]);
}

static void
watch_line(const char *line)
{
	struct words words;
	const char *verb;
	unsigned seat;

	words_split(line, &words);
	verb = words.word[0];
	seat = words.count > 1 ? (unsigned)words_number(&words, 1) : 0;
	if (strcmp(verb, "round") == 0) {
		watch_round(&words);
	} else if (strcmp(verb, "deal") == 0) {
		watch_deal(&words, seat);
	} else if (strcmp(verb, "move") == 0) {
		watch_move(words.word[2], seat);
	} else if (strcmp(verb, "quiet") == 0) {
		watch.moves++;
	} else if (strcmp(verb, "stake") == 0) {
		cr_assert_eq((unsigned)words_number(&words, 1), ++watch.stake);
		cr_assert_leq(watch.stake, watch.goal); /* 3 */
	} else if (strcmp(verb, "score") == 0) {
		watch_score(&words, seat);
	} else if (strcmp(verb, "out") == 0) {
		watch.alive &= ~(1u << seat);
		watch.in &= ~(1u << seat);
		watch.outs++;
	} else if (strcmp(verb, "win") == 0) {
		watch.winner = seat;
		watch.challenged = false;
		cr_assert(watch.in >> seat & 1);
	} else if (strcmp(verb, "result") == 0) {
		watch_result(&words, seat);
	}
}

/* 6: what of a card a viewer reads. */
static void
view_line(const char *line, int viewer)
{
	char out[LINE_REFEREE_BYTES + 1], other[16];
	struct words words;
	unsigned i;
	ssize_t n = hidden_redact(line, strlen(line), viewer, out);

	cr_assert_gt(n, 0);
	out[n] = '\0';
	words_split(out, &words);
	if (strcmp(words.word[0], "reveal") == 0)
		return;
	if (strcmp(words.word[0], "deal") == 0) {
		snprintf(other, sizeof(other), "%d", viewer);
		if (strcmp(words.word[1], other) != 0)
			cr_assert_str_eq(out + 7, "? ? ? ?");
		return;
	}
	for (i = 0; i < words.count; i++)
		cr_assert_lt(card_of(words.word[i]), 0, "%s", out);
}

static void
watch_step(void)
{
	char line[LINE_REFEREE_BYTES + 1];
	size_t at = 0;
	int viewer;

	while (play_next_line(&ev, &at, line)) {
		watch_line(line);
		for (viewer = -1; viewer < (int)watch.seats; viewer++)
			view_line(line, viewer);
	}
	if (!game_is_over(&game))
		cr_assert_eq(game.decision.asked & ~watch.in, 0); /* 2 */
}

/* Section 7. */
static void
house_is_lowest(unsigned seat)
{
	char first[MOVE_BYTES], token[MOVE_BYTES];
	unsigned i;

	game_legal(&game, seat, &legal);
	game_move_token(&game_toepen, legal.move[0], first);
	if (strncmp(first, "play:", 5) != 0) {
		cr_assert(strcmp(first, "pass") == 0 ||
			  strcmp(first, "fold") == 0);
		return;
	}
	for (i = 1; i < legal.count; i++) {
		game_move_token(&game_toepen, legal.move[i], token);
		if (strncmp(token, "play:", 5) == 0)
			cr_assert_lt(card_of(first + 5), card_of(token + 5));
	}
}

static void
watch_game(const struct game_setup *setup, uint64_t seed)
{
	struct dice dice = { seed };
	unsigned i;

	memset(&watch, 0, sizeof(watch));
	watch.seats = setup->seats;
	watch.goal = (unsigned)setup->option[0];
	watch.alive = (1u << watch.seats) - 1;
	play_seeded(&game, setup, seed, &chance, &ev);
	watch_step();
	while (!game_is_over(&game)) {
		for (i = 0; i < game.decision.count; i++)
			house_is_lowest(game.decision.seat[i]);
		play_random(&game, &dice, &chance, &ev);
		watch_step();
	}
}

Test(toepen_random, invariants_1_to_6_and_8)
{
	static const char *const options[] = { "points=1", "points=2",
					       "points=15", "points=99" };
	struct game_setup setup;
	unsigned i, seats;
	uint64_t seed;

	for (i = 0; i < NELEM(options); i++) {
		for (seats = 2; seats <= 8; seats++) {
			play_setup(&setup, "toepen", seats, options[i]);
			for (seed = 0; seed < (i == 3 ? 3 : SEEDS); seed++)
				watch_game(&setup, seed);
		}
	}
	NO_LEAKS();
}

/* ---- 7: what a viewer cannot know changes nothing for it ---------------- */

static const char deck[32][3] = {
	"JC", "JD", "JH", "JS", "QC", "QD", "QH", "QS", "KC", "KD", "KH",
	"KS", "AC", "AD", "AH", "AS", "7C", "7D", "7H", "7S", "8C", "8D",
	"8H", "8S", "9C", "9D", "9H", "9S", "TC", "TD", "TH", "TS",
};

/* The lines of the steps of a first round. */
struct steps {
	unsigned count;
	char text[128][ROUND_BYTES / 4];
};

static struct steps steps;
static struct play other;

static bool
ends_round(const struct events *step)
{
	char line[LINE_REFEREE_BYTES + 1];
	size_t at = 0;

	while (play_next_line(step, &at, line))
		if (strncmp(line, "win ", 4) == 0)
			return true;
	return false;
}

/* Plays the first round with seed and dice; cards that become public or that
 * the viewer sees are put into `known`. */
static void
first_round(const struct game_setup *setup, uint64_t seed, unsigned viewer,
	    uint32_t *known)
{
	char line[LINE_REFEREE_BYTES + 1], out[LINE_REFEREE_BYTES + 1];
	struct dice dice = { seed };
	struct words words;
	size_t at;
	ssize_t n;
	unsigned i;

	*known = 0;
	steps.count = 0;
	play_seeded(&game, setup, seed, &chance, &ev);
	while (!ends_round(&ev)) {
		memcpy(steps.text[steps.count], ev.text, ev.used);
		steps.text[steps.count++][ev.used] = '\0';
		for (at = 0; play_next_line(&ev, &at, line);) {
			n = hidden_redact(line, strlen(line), (int)viewer, out);
			cr_assert_gt(n, 0);
			out[n] = '\0';
			words_split(out, &words);
			for (i = 2; i < words.count; i++) {
				char *token = words.word[i];

				if (strncmp(token, "play:", 5) == 0)
					token += 5;
				if (card_of(token) >= 0)
					*known |= 1u << card_of(token);
			}
		}
		play_random(&game, &dice, &chance, &ev);
	}
}

/* A random order of the cards in which the known ones stay where they are. */
static void
shuffle_unknown(uint32_t known, struct dice *dice, unsigned to[32])
{
	unsigned i, j, swap;

	for (i = 0; i < 32; i++)
		to[i] = i;
	for (i = 31; i > 0; i--) {
		j = dice_below(dice, i + 1);
		if ((known >> i | known >> j) & 1)
			continue;
		swap = to[i];
		to[i] = to[j];
		to[j] = swap;
	}
}

/* The same step with the unknown cards dealt otherwise. */
static void
deal_otherwise(char *text, const unsigned to[32])
{
	char *line = text, *at;
	char token[3] = "";

	for (; *line; line = strchr(line, '\n') + 1) {
		if (strncmp(line, "deal ", 5) != 0)
			continue;
		for (at = line + 8; at < line + 20; at += 3) {
			memcpy(token, at, 2);
			memcpy(at, deck[to[card_of(token)]], 2);
		}
	}
}

static bool
asked_alike(const struct game *a, const struct game *b, unsigned viewer)
{
	static struct legal list_a, list_b;

	if (a->decision.asked != b->decision.asked)
		return false;
	if (!(a->decision.asked >> viewer & 1))
		return true;
	game_legal(a, viewer, &list_a);
	game_legal(b, viewer, &list_b);
	return list_a.count == list_b.count &&
	       memcmp(list_a.move, list_b.move,
		      list_a.count * sizeof(list_a.move[0])) == 0;
}

/* Returns how many steps could be followed before a move was not legal. */
static unsigned
follow_otherwise(const struct game_setup *setup, uint64_t seed, unsigned viewer)
{
	struct dice dice = { seed }, shuffle = { seed + 1000 };
	unsigned to[32], i;
	uint32_t known;
	const char *why;

	first_round(setup, seed, viewer, &known);
	shuffle_unknown(known, &shuffle, to);
	play_open(&other, "toepen", setup->seats, "points=9");
	play_seeded(&game, setup, seed, &chance, &ev);
	for (i = 0; i < steps.count; i++) {
		deal_otherwise(steps.text[i], to);
		why = play_follow(&other, steps.text[i]);
		if (why && strstr(why, "it was refused"))
			break;
		cr_assert_null(why, "%s", why);
		if (i > 0)
			play_random(&game, &dice, &chance, &ev);
		cr_assert(asked_alike(&game, &other.game, viewer));
	}
	return i;
}

Test(toepen_random, invariant_7_what_is_hidden)
{
	struct game_setup setup;
	unsigned seats, whole = 0;
	uint64_t seed;

	for (seats = 2; seats <= 8; seats++) {
		play_setup(&setup, "toepen", seats, "points=9");
		for (seed = 0; seed < check_rounds(100, 2000); seed++)
			whole += follow_otherwise(&setup, seed,
						  (unsigned)seed % seats) ==
				 steps.count;
	}
	cr_assert_gt(whole, 100, "only %u rounds to their end", whole);
	NO_LEAKS();
}
