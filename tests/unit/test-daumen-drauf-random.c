/* tests/unit/test-daumen-drauf-random.c - what must hold in every match of
 * Daumen drauf.
 *
 * A watch reads the event lines of random matches, knows nothing of the
 * engine's state and checks section 11 of the rules. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "protocol/hidden.h"
#include "tests/unit/leaks.h"
#include "tests/unit/play.h"
#include "tests/unit/rounds.h"

#define SEEDS check_rounds(60, 10000)
#define CARDS 54
#define LINE (LINE_REFEREE_BYTES + 1)

/* A card is ((colour * 9) + number - 1) * 2 + toxic here. */
enum place { STOCK, HAND, COVERED, OPEN, PILE };

struct watch {
	unsigned seats, cards; /* cards: of this deck */
	unsigned games, turns, shows, moves;
	uint8_t place[CARDS], owner[CARDS];
	uint8_t shown[CARDS]; /* of this turn, in order */
	unsigned count;	      /* of shown */
	int rank[3];	      /* order of the colours in this turn, or -1 */
	int last;	      /* the seat that showed last, or -1 */
	bool open_due, take_due;
	unsigned after; /* the seat whose turn it is next */
	unsigned open_card;
	long total[7];
};

static struct game game;
static struct chance chance;
static struct events ev = { .wanted = true };
static struct legal legal;
static struct watch watch;

static unsigned
card_of(const char *token)
{
	static const char colours[] = "YGB";
	const char *colour = strchr(colours, token[0]);

	cr_assert(colour && strlen(token) == 3, "%s", token);
	return ((unsigned)(colour - colours) * 9 + (unsigned)(token[1] - '1')) *
		       2 +
	       (token[2] == 't');
}

static unsigned
held(unsigned seat)
{
	unsigned i, n = 0;

	for (i = 0; i < CARDS; i++)
		n += watch.owner[i] == seat &&
		     (watch.place[i] == HAND || watch.place[i] == COVERED);
	return n;
}

static unsigned
stock(void)
{
	unsigned i, n = 0;

	for (i = 0; i < CARDS; i++)
		n += watch.place[i] == STOCK;
	return n - (CARDS - watch.cards);
}

/* No card is dealt or drawn twice, nor one of too high a number. */
static void
watch_draw(const struct words *words, unsigned seat)
{
	unsigned i, card;

	cr_assert_gt(words->count, 2);
	for (i = 2; i < words->count; i++) {
		card = card_of(words->word[i]);
		cr_assert_eq(watch.place[card], STOCK);
		cr_assert_leq(card / 2 % 9 + 1, watch.seats + 2);
		watch.place[card] = HAND;
		watch.owner[card] = (uint8_t)seat;
	}
	cr_assert_leq(held(seat), 5);
}

static void
watch_turn(const struct words *words)
{
	unsigned seat, holding = 0;

	watch.turns++;
	cr_assert_eq((unsigned)words_number(words, 1), watch.turns);
	cr_assert_not(watch.take_due);
	for (seat = 0; seat < watch.seats; seat++) {
		holding += held(seat) > 0;
		cr_assert(held(seat) == 5 || stock() == 0);
	}
	cr_assert_geq(holding, 2);
	if (watch.turns > 1) { /* the taker, or the next who holds a card */
		for (seat = (unsigned)watch.last; held(seat) == 0;)
			seat = (seat + 1) % watch.seats;
		cr_assert_eq((unsigned)words_number(words, 2), seat);
	}
	cr_assert_gt(held((unsigned)words_number(words, 2)), 0);
	watch.after = (unsigned)words_number(words, 2);
	watch.count = 0;
	watch.last = -1;
	watch.rank[0] = watch.rank[1] = watch.rank[2] = -1;
}

/* Ranks as they appear; a colour that has not appeared is above all. */
static int
rank_of(unsigned card)
{
	int rank = watch.rank[card / 18];

	return rank < 0 ? 3 : rank;
}

static bool
is_higher(unsigned card, unsigned than)
{
	if (card / 18 == than / 18)
		return card / 2 > than / 2;
	return rank_of(card) > rank_of(than);
}

static void
watch_show(const char *token, unsigned seat)
{
	unsigned card = card_of(token + 5), i, last;
	int highest = -1;

	cr_assert_eq(watch.place[card], HAND);
	cr_assert_eq(watch.owner[card], seat);
	if (watch.count > 0) {
		last = watch.shown[watch.count - 1];
		if (token[0] == 't')
			cr_assert_eq(card ^ 1, last);
		else
			cr_assert(is_higher(card, last), "%s", token);
	}
	for (i = 0; i < CARDS; i++) {
		if (watch.place[i] == COVERED && watch.owner[i] == seat) {
			watch.open_due = true;
			watch.open_card = i;
		}
	}
	for (i = 0; i < 3; i++)
		if (watch.rank[i] > highest)
			highest = watch.rank[i];
	if (watch.rank[card / 18] < 0)
		watch.rank[card / 18] = highest + 1;
	watch.place[card] = COVERED;
	watch.shown[watch.count++] = (uint8_t)card;
	watch.last = (int)seat;
	watch.take_due = token[0] == 't';
	watch.shows++;
}

/* Exactly the shown cards in order, hidden those never laid open, seen by the
 * taker and by who showed it. */
static void
watch_take(const char *line, const struct words *words, unsigned seat)
{
	char wanted[32];
	const char *at = line + strlen("take S");
	unsigned i, card, low, high;
	size_t n;

	cr_assert_eq((int)seat, watch.last);
	cr_assert_eq(words->count - 2, watch.count);
	for (i = 0; i < watch.count; i++) {
		card = card_of(words->word[i + 2]);
		cr_assert_eq(card, watch.shown[i]);
		low = watch.owner[card] < seat ? watch.owner[card] : seat;
		high = watch.owner[card] < seat ? seat : watch.owner[card];
		if (watch.place[card] == OPEN)
			n = (size_t)snprintf(wanted, sizeof(wanted), " %s",
					     words->word[i + 2]);
		else if (low == high)
			n = (size_t)snprintf(wanted, sizeof(wanted),
					     " %.2s{%s}%u", words->word[i + 2],
					     words->word[i + 2] + 2, low);
		else
			n = (size_t)snprintf(wanted, sizeof(wanted),
					     " %.2s{%s}%u%u",
					     words->word[i + 2],
					     words->word[i + 2] + 2, low, high);
		cr_assert_eq(strncmp(at, wanted, n), 0, "%s: %s", line, wanted);
		at += n;
		watch.place[card] = PILE;
		watch.owner[card] = (uint8_t)seat;
	}
	cr_assert_str_empty(at);
	watch.take_due = false;
}

static void
watch_pile(const struct words *words, unsigned seat, enum place place)
{
	unsigned i, card;

	for (i = 2; i < words->count; i++) {
		card = card_of(words->word[i]);
		cr_assert_eq(watch.place[card], place);
		cr_assert_eq(watch.owner[card], seat);
	}
}

/* p, m and h are what the lines before say, and so is the score. */
static void
watch_tally(const struct words *words, unsigned seat)
{
	long harmless = 0, toxic = 0, left = held(seat);
	unsigned i;

	for (i = 0; i < CARDS; i++) {
		if (watch.place[i] != PILE || watch.owner[i] != seat)
			continue;
		harmless += !(i & 1);
		toxic += i & 1;
	}
	cr_assert_eq(words_number(words, 2), harmless);
	cr_assert_eq(words_number(words, 3), toxic);
	cr_assert_eq(words_number(words, 4), left);
	watch.total[seat] += harmless - toxic - left;
}

/* A new game; the old one has dealt every card and left at most one hand. */
static void
watch_round(void)
{
	unsigned seat, holding = 0;

	if (watch.games++ > 0) {
		for (seat = 0; seat < watch.seats; seat++)
			holding += held(seat) > 0;
		cr_assert_leq(holding, 1);
		cr_assert_eq(stock(), 0);
		cr_assert_leq(watch.shows, watch.cards);
		cr_assert_leq(watch.moves, watch.cards * watch.seats);
	}
	watch.turns = watch.shows = watch.moves = 0;
	memset(watch.place, STOCK, sizeof(watch.place));
}

static void
watch_move(const char *token, unsigned seat)
{
	watch.moves++;
	watch.after = (seat + 1) % watch.seats;
	cr_assert_not(watch.take_due, "a twin ends the turn");
	if (strcmp(token, "pass") == 0)
		cr_assert_geq(watch.last, 0, "the starter passed");
	else
		watch_show(token, seat);
}

static void
watch_line(const char *line)
{
	struct words words;
	const char *verb;
	unsigned seat;

	words_split(line, &words);
	verb = words.word[0];
	seat = (unsigned)words_number(&words, 1);
	cr_assert_eq(watch.open_due, strcmp(verb, "open") == 0, "%s", line);
	if (strcmp(verb, "round") == 0) {
		watch_round();
	} else if (strcmp(verb, "deal") == 0 || strcmp(verb, "draw") == 0) {
		watch_draw(&words, seat);
	} else if (strcmp(verb, "turn") == 0) {
		watch_turn(&words);
	} else if (strcmp(verb, "move") == 0) {
		watch_move(words.word[2], seat);
	} else if (strcmp(verb, "open") == 0) {
		cr_assert_eq(card_of(words.word[2]), watch.open_card);
		watch.place[watch.open_card] = OPEN;
		watch.open_due = false;
	} else if (strcmp(verb, "take") == 0) {
		watch_take(line, &words, seat);
	} else if (strcmp(verb, "pile") == 0) {
		watch_pile(&words, seat, PILE);
	} else if (strcmp(verb, "hand") == 0) {
		watch_pile(&words, seat, HAND);
		cr_assert_eq(words.count - 2, held(seat));
	} else if (strcmp(verb, "tally") == 0) {
		watch_tally(&words, seat);
	} else if (strcmp(verb, "score") == 0) {
		cr_assert_eq(words_number(&words, 2), watch.total[seat]);
	} else {
		cr_assert_str_eq(verb, "result", "%s", line);
		cr_assert_eq(words_number(&words, 3), watch.total[seat]);
	}
}

/* Who reads the fang of a move: its seat alone. */
static void
view_line(const char *line, int viewer)
{
	char out[LINE];
	ssize_t n = hidden_redact(line, strlen(line), viewer, out);

	cr_assert_gt(n, 0);
	out[n] = '\0';
	if (strncmp(out, "move ", 5) == 0 && strlen(out) > 11)
		cr_assert_eq(out[n - 1] == '?', out[5] - '0' != viewer, "%s",
			     out);
	if (strncmp(out, "deal ", 5) == 0 || strncmp(out, "draw ", 5) == 0)
		cr_assert_eq(out[7] == '?', out[5] - '0' != viewer, "%s", out);
}

/* A seat's cards that are not covered. */
static unsigned
free_cards(unsigned seat)
{
	unsigned i, n = 0;

	for (i = 0; i < CARDS; i++)
		n += watch.owner[i] == seat && watch.place[i] == HAND;
	return n;
}

/* The starter never has `pass`, everybody else always; who holds a free card
 * is never passed over. */
static void
ask_is_right(void)
{
	unsigned seat = game.decision.seat[0], s, i;

	cr_assert_eq(game.decision.kind, DECISION_SINGLE);
	game_legal(&game, seat, &legal);
	cr_assert_eq(legal.move[0].verb == VERB_PASS, watch.last >= 0);
	for (i = 1; i < legal.count; i++)
		cr_assert_neq(legal.move[i].verb, VERB_PASS);
	cr_assert_gt(free_cards(seat), 0);
	for (s = watch.after; s != seat; s = (s + 1) % watch.seats)
		cr_assert_eq(free_cards(s), 0);
}

/* The legal list, worked out anew from the lines. */
static void
list_is_right(void)
{
	unsigned seat = game.decision.seat[0], i, card, n = 0, last = CARDS;
	char token[MOVE_BYTES];

	if (watch.last >= 0)
		last = watch.shown[watch.count - 1];
	for (card = 0; card < CARDS; card++) {
		if (watch.place[card] != HAND || watch.owner[card] != seat)
			continue;
		n += last == CARDS || (card ^ 1) == last ||
		     is_higher(card, last);
	}
	cr_assert_eq(legal.count, n + (last < CARDS));
	for (i = 0; i < legal.count; i++) {
		game_move_token(&game_daumen_drauf, legal.move[i], token);
		if (strcmp(token, "pass") == 0)
			continue;
		card = card_of(token + 5);
		cr_assert_eq(token[0] == 't', (card ^ 1) == last);
		cr_assert(last == CARDS || (card ^ 1) == last ||
			  is_higher(card, last));
	}
}

static void
watch_step(void)
{
	char line[LINE];
	size_t at = 0;
	int viewer;

	while (play_next_line(&ev, &at, line)) {
		watch_line(line);
		for (viewer = -1; viewer < (int)watch.seats; viewer++)
			view_line(line, viewer);
	}
}

static void
watch_match(const struct game_setup *setup, uint64_t seed)
{
	struct dice dice = { seed };

	memset(&watch, 0, sizeof(watch));
	watch.seats = setup->seats;
	watch.cards = 6 * (watch.seats + 2);
	play_seeded(&game, setup, seed, &chance, &ev);
	watch_step();
	while (!game_is_over(&game)) {
		ask_is_right();
		list_is_right();
		play_random(&game, &dice, &chance, &ev);
		watch_step();
	}
	cr_assert_eq(watch.games, (unsigned)setup->option[0]);
	watch_round();
}

Test(daumen_drauf_random, invariants)
{
	static const char *const options[] = { "games=1", "games=3",
					       "games=50" };
	struct game_setup setup;
	unsigned i, seats;
	uint64_t seed;

	for (i = 0; i < NELEM(options); i++) {
		for (seats = 2; seats <= 7; seats++) {
			play_setup(&setup, "daumen-drauf", seats, options[i]);
			for (seed = 0; seed < (i == 2 ? 2 : SEEDS); seed++)
				watch_match(&setup, seed);
		}
	}
	NO_LEAKS();
}
