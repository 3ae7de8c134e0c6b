/* tests/unit/test-daupun-random.c - what must hold in every game of Daupun.
 *
 * A watch reads the event lines of random games, knows nothing of the engine's
 * state, works every list and number out anew and checks section 11 of the
 * rules. */
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/hidden.h"
#include "tests/unit/leaks.h"
#include "tests/unit/play.h"
#include "tests/unit/rounds.h"

#define LINE (LINE_REFEREE_BYTES + 1)
#define CARDS 40

/* A card is suit * 10 + value - 1 here. */
enum place { PILE, HAND, RESERVE };
enum asked { TURN, REPLY, DISCARD, EXCHANGE, ANSWER };

struct watch {
	unsigned rounds, moves, turns, exchanges, calls, battles, ties;
	unsigned max_rounds, goal, cutter_begins;
	uint8_t place[CARDS], owner[CARDS];
	unsigned drawn;
	unsigned cutter, first, turn; /* turn: of whom */
	enum asked asked;
	unsigned speaker, offer;
	unsigned pot, last_pot; /* last_pot: in this round, at its begin */
	unsigned stones[2], old_crowns[2];
	int winner; /* of this round, -1: nobody; before it is known -2 */
	int winner_before;
	bool over; /* R14 holds */
	bool shown;

	/* The battle. */
	unsigned row[2][5], sum[2];
	int trick[5]; /* who won, 2: tie, 3: removed */
	unsigned worth[5], tricks, removed, tied, low_tricks;
	unsigned value[2], won[2], gain[2];
	unsigned gains, fields; /* lines of these */
};

static struct game game, copy;
static struct chance chance, chance_copy;
static struct events ev = { .wanted = true }, ev_copy = { .wanted = true };
static struct legal legal;
static struct watch w;

static int
card_of(const char *token)
{
	static const char ranks[] = "A23456789T", suits[] = "CDHS";
	const char *rank, *suit;

	if (strlen(token) < 2 || (token[2] && token[2] != ':'))
		return -1;
	rank = strchr(ranks, token[0]);
	suit = strchr(suits, token[1]);
	return rank && suit ? (int)(suit - suits) * 10 + (int)(rank - ranks)
			    : -1;
}

static unsigned
value(unsigned card)
{
	return card % 10 + 1;
}

static unsigned
number(const struct words *words, unsigned i)
{
	cr_assert_lt(i, words->count);
	return (unsigned)strtoul(words->word[i], NULL, 10);
}

static unsigned
count(unsigned seat, enum place place)
{
	unsigned card, n = 0;

	for (card = 0; card < CARDS; card++)
		n += w.place[card] == place &&
		     (place == PILE || w.owner[card] == seat);
	return n;
}

static unsigned
hand_sum(unsigned seat)
{
	unsigned card, sum = 0;

	for (card = 0; card < CARDS; card++)
		if (w.place[card] == HAND && w.owner[card] == seat)
			sum += value(card);
	return sum;
}

static unsigned
need(unsigned seat)
{
	return 250 - w.stones[seat] % 250;
}

static bool
holds(unsigned card, unsigned seat, enum place place)
{
	return w.place[card] == place && w.owner[card] == seat;
}

/* ---- lines ------------------------------------------------------------ */

/* The first is whom R2 names; the pot is what the last round left. */
static void
watch_round(const struct words *words)
{
	cr_assert_not(w.over, "the game goes on after its end");
	cr_assert_eq(number(words, 1), ++w.rounds);
	cr_assert_leq(w.rounds, w.max_rounds);
	w.cutter = number(words, 5);
	w.first = w.turn = number(words, 7);
	cr_assert_eq(number(words, 3), 1 - w.cutter);
	if (w.cutter_begins || w.winner < 0)
		cr_assert_eq(w.first, w.cutter);
	else
		cr_assert_eq((int)w.first, w.winner);
	cr_assert_eq(number(words, 9), w.pot);
	w.winner = -2;
	w.moves = w.turns = w.exchanges = w.calls = 0;
	w.tricks = w.removed = w.tied = w.low_tricks = 0;
	w.gains = w.fields = 0;
	w.shown = false;
	memset(w.place, PILE, sizeof(w.place));
	w.old_crowns[0] = w.stones[0] / 250;
	w.old_crowns[1] = w.stones[1] / 250;
}

/* No card twice in a round; five cards, six after a draw. */
static void
watch_cards(const struct words *words, unsigned seat)
{
	bool draw = words->word[0][1] == 'r';
	unsigned i;
	int card;

	cr_assert_eq(words->count, draw ? 3 : 7);
	for (i = 2; i < words->count; i++) {
		card = card_of(words->word[i]);
		cr_assert(card >= 0 && w.place[card] == PILE);
		w.place[card] = HAND;
		w.owner[card] = (uint8_t)seat;
		w.drawn = (unsigned)card;
	}
	cr_assert_eq(count(seat, HAND), draw ? 6 : 5);
	if (!draw)
		return;
	cr_assert_eq(seat, w.turn);
	cr_assert_leq(++w.turns, 10);
	w.asked = TURN;
}

static void
pass_turn(void)
{
	w.turn = 1 - w.turn;
	w.exchanges = 0;
}

static void
watch_offer(unsigned seat, unsigned offer)
{
	cr_assert_gt(offer, w.asked == REPLY ? w.offer : w.pot);
	w.offer = offer;
	w.speaker = seat;
	w.asked = REPLY;
}

static void
watch_discard(const char *token, unsigned seat)
{
	int card = card_of(token + 8);

	cr_assert(card >= 0 && holds((unsigned)card, seat, HAND));
	w.place[card] = RESERVE;
	cr_assert_eq(count(seat, HAND), 5);
	cr_assert_eq(count(seat, RESERVE), (w.turns + 1) / 2);
	if (strlen(token) > 10) {
		cr_assert_geq(hand_sum(seat), 25);
		cr_assert_lt(w.turns, 9);
		w.calls++;
		w.asked = ANSWER;
	} else if (w.turns >= 9) {
		w.asked = EXCHANGE;
	} else {
		pass_turn();
	}
}

static void
watch_swap(const char *token, unsigned seat)
{
	int out = card_of(token + 5), in = card_of(token + 8);

	cr_assert(out >= 0 && in >= 0);
	cr_assert(holds((unsigned)out, seat, HAND));
	cr_assert(holds((unsigned)in, seat, RESERVE));
	w.place[out] = RESERVE;
	w.place[in] = HAND;
	cr_assert_leq(++w.exchanges, 3);
}

static void
watch_move(const char *token, unsigned seat)
{
	unsigned n = (unsigned)strtoul(token + strcspn(token, ":") +
					       (strchr(token, ':') != NULL),
				       NULL, 10);

	cr_assert_lt(++w.moves, 300);
	if (strcmp(token, "stake") == 0) {
		watch_offer(seat, w.pot ? w.pot + 1 : 3);
	} else if (strncmp(token, "stake:", 6) == 0 ||
		   strncmp(token, "raise:", 6) == 0) {
		cr_assert_leq(n, need(seat));
		watch_offer(seat, n);
	} else if (strcmp(token, "in") == 0) {
		w.asked = DISCARD;
	} else if (strcmp(token, "out") == 0) {
		w.winner = (int)w.speaker;
		w.gain[w.speaker] = 2;
		w.gain[1 - w.speaker] = 0;
	} else if (strncmp(token, "discard:", 8) == 0) {
		watch_discard(token, seat);
	} else if (strncmp(token, "swap:", 5) == 0) {
		watch_swap(token, seat);
	} else if (strcmp(token, "keep") == 0) {
		pass_turn();
	} else if (strcmp(token, "leave") == 0) {
		w.winner = (int)w.turn;
		w.gain[w.turn] = 1;
		w.gain[1 - w.turn] = 0;
	} else if (w.asked == EXCHANGE) {
		cr_assert_str_eq(token, "stay");
		cr_assert_geq(hand_sum(seat), 25);
		w.calls++;
		w.asked = ANSWER;
	} else {
		cr_assert_str_eq(token, "stay");
		cr_assert_eq(w.asked, ANSWER);
	}
	cr_assert_leq(w.calls, 1);
}

static void
watch_pot(const struct words *words)
{
	cr_assert_gt(number(words, 1), w.pot);
	cr_assert_eq(number(words, 1), w.offer);
	w.pot = w.offer;
}

/* The hand so tracked, rising. */
static void
watch_show(const struct words *words, unsigned seat)
{
	unsigned i, sum = 0;
	int card, last = -1;

	cr_assert(w.calls == 1 || w.turns == 10);
	for (i = 0; i < 5; i++) {
		card = card_of(words->word[i + 3]);
		cr_assert(card >= 0 && holds((unsigned)card, seat, HAND));
		cr_assert_gt(card % 10 * 4 + card / 10, last);
		last = card % 10 * 4 + card / 10;
		w.row[seat][i] = (unsigned)card;
		sum += value((unsigned)card);
	}
	cr_assert_eq(number(words, 2), sum);
	w.sum[seat] = sum;
	w.shown = true;
	w.battles += seat;
}

static void
watch_trick(const struct words *words)
{
	unsigned k = w.tricks++, a = w.row[0][k], b = w.row[1][k];
	const char *winner = value(a) == value(b)  ? "tie"
			     : value(a) < value(b) ? "0"
						   : "1";

	cr_assert_eq(number(words, 1), k + 1);
	cr_assert_eq(card_of(words->word[2]), (int)a);
	cr_assert_eq(card_of(words->word[3]), (int)b);
	cr_assert_str_eq(words->word[4], winner);
	cr_assert_eq(number(words, 5), 5 - k);
	cr_assert_eq((int)number(words, 6), abs((int)value(a) - (int)value(b)));
	w.trick[k] = *winner == 't' ? 2 : *winner - '0';
	w.tied += *winner == 't';
	w.worth[k] = number(words, 5) + number(words, 6);
}

/* Ties in rising order, then the lowest of what is there. */
static void
watch_remove(const struct words *words)
{
	unsigned k = number(words, 1) - 1, i;

	cr_assert_lt(k, 5);
	if (strcmp(words->word[2], "tie") == 0) {
		cr_assert_eq(w.trick[k], 2);
		cr_assert_eq(w.low_tricks, 0);
		for (i = 0; i < k; i++)
			cr_assert_neq(w.trick[i], 2);
	} else {
		cr_assert_eq(w.removed - w.low_tricks, w.tied);
		w.low_tricks++;
		for (i = 0; i < 5; i++) {
			if (w.trick[i] > 1)
				continue;
			cr_assert(w.worth[k] < w.worth[i] ||
				  (w.worth[k] == w.worth[i] && i <= k));
		}
	}
	w.trick[k] = 3;
	w.removed++;
}

static void
watch_field(const struct words *words, unsigned seat)
{
	static const unsigned left[] = { 3, 3, 3, 1, 1, 0 };
	unsigned i, worth = 0;

	cr_assert_eq(seat, w.fields++);
	cr_assert_eq(5 - w.removed, left[w.tied]);
	w.won[seat] = 0;
	for (i = 0; i < 5; i++) {
		if (w.trick[i] != (int)seat)
			continue;
		w.won[seat]++;
		worth += w.worth[i];
	}
	w.value[seat] = w.won[seat] * worth;
	cr_assert_eq(number(words, 2), w.won[seat]);
	cr_assert_eq(number(words, 3), w.value[seat]);
}

/* Whom and why R11.5 and R12 name. */
static void
watch_win(const struct words *words)
{
	static const char *const names[] = { "none", "0", "1" };
	const char *reason = w.calls ? "leave" : "out";

	if (w.shown) {
		w.gain[0] = w.value[0];
		w.gain[1] = w.value[1];
		reason = "tricks";
		w.winner = w.won[1] > w.won[0];
		if (w.tied == 5) {
			reason = "tie";
			w.winner = -1;
			w.ties++;
		} else if ((w.sum[0] < 25) != (w.sum[1] < 25)) {
			reason = "goal";
			w.winner = w.sum[0] < 25;
			w.gain[1 - w.winner] = 0;
		}
	}
	cr_assert_str_eq(words->word[1], names[w.winner + 1]);
	cr_assert_str_eq(words->word[2], reason);
	if (w.winner < 0)
		return;
	w.gain[w.winner] += w.pot;
	w.pot = 0;
}

static void
watch_score(const struct words *words, unsigned seat)
{
	w.stones[seat] += w.gain[seat];
	cr_assert_eq(number(words, 2), w.stones[seat]);
	w.over |= w.stones[seat] >= 250 * w.goal;
	w.over |= seat == 1 && w.rounds == w.max_rounds;
}

static void
watch_crown(const struct words *words, unsigned seat)
{
	cr_assert_eq(number(words, 2), w.stones[seat] / 250);
	cr_assert_gt(number(words, 2), w.old_crowns[seat]);
	w.old_crowns[seat] = number(words, 2);
}

static void
watch_result(const struct words *words, unsigned seat)
{
	cr_assert(w.over);
	cr_assert_eq(w.old_crowns[seat], w.stones[seat] / 250,
		     "a crown without a line");
	cr_assert_eq(number(words, 3), w.stones[seat]);
	cr_assert_eq(number(words, 2),
		     w.stones[seat] < w.stones[1 - seat] ? 2 : 1);
}

static void
watch_line(const char *line)
{
	struct words words;
	const char *verb;
	unsigned seat;

	words_split(line, &words);
	verb = words.word[0];
	seat = (unsigned)strtoul(words.word[1], NULL, 10);
	if (strcmp(verb, "round") == 0) {
		watch_round(&words);
	} else if (strcmp(verb, "deal") == 0 || strcmp(verb, "draw") == 0) {
		watch_cards(&words, seat);
	} else if (strcmp(verb, "move") == 0) {
		watch_move(words.word[2], seat);
	} else if (strcmp(verb, "pot") == 0) {
		watch_pot(&words);
	} else if (strcmp(verb, "show") == 0) {
		watch_show(&words, seat);
	} else if (strcmp(verb, "trick") == 0) {
		watch_trick(&words);
	} else if (strcmp(verb, "remove") == 0) {
		watch_remove(&words);
	} else if (strcmp(verb, "field") == 0) {
		watch_field(&words, seat);
	} else if (strcmp(verb, "win") == 0) {
		watch_win(&words);
	} else if (strcmp(verb, "gain") == 0) {
		cr_assert_eq(seat, w.gains++);
		cr_assert_eq(number(&words, 2), w.gain[seat]);
	} else if (strcmp(verb, "score") == 0) {
		watch_score(&words, seat);
	} else if (strcmp(verb, "crown") == 0) {
		watch_crown(&words, seat);
	} else {
		cr_assert_str_eq(verb, "result", "%s", line);
		watch_result(&words, seat);
	}
}

/* Cards of `deal` and `draw` for their own seat alone; else only where cards
 * lie open. */
static void
view_line(const char *line, int viewer)
{
	char out[LINE], own[16];
	ssize_t n = hidden_redact(line, strlen(line), viewer, out);

	cr_assert_gt(n, 0);
	out[n] = '\0';
	snprintf(own, sizeof(own), "%d ", viewer);
	if (strncmp(out, "deal ", 5) == 0 && strncmp(out + 5, own, 2) != 0)
		cr_assert_str_eq(out + 7, "? ? ? ? ?");
	else if (strncmp(out, "draw ", 5) == 0 && strncmp(out + 5, own, 2) != 0)
		cr_assert_str_eq(out + 7, "?");
	else
		cr_assert_null(strchr(out, '?'), "%s", out);
}

/* ---- lists ------------------------------------------------------------ */

/* What should be in the list: tokens, each with a space before and after. */
static char wanted[1024];

__attribute__((format(printf, 1, 2))) static void
want(const char *form, ...)
{
	size_t used = strlen(wanted);
	va_list args;

	va_start(args, form);
	vsnprintf(wanted + used, sizeof(wanted) - used, form, args);
	va_end(args);
}

static const char *
name(unsigned card)
{
	static char names[4][3];
	static unsigned next;
	char *at = names[next++ % 4];

	at[0] = "A23456789T"[card % 10];
	at[1] = "CDHS"[card / 10];
	return at;
}

static void
want_range(const char *verb, unsigned above, unsigned most)
{
	if (above + 1 == most)
		want(" %s:%u", verb, most);
	else if (above < most)
		want(" %s:%u..%u", verb, above + 1, most);
}

static void
want_discards(unsigned seat)
{
	unsigned card;

	for (card = 0; card < CARDS; card++) {
		if (!holds(card, seat, HAND))
			continue;
		want(" discard:%s", name(card));
		if (hand_sum(seat) >= 25 + value(card) && w.turns < 9)
			want(" discard:%s:stay", name(card));
	}
}

static void
want_exchanges(unsigned seat)
{
	unsigned card, other;

	want(hand_sum(seat) >= 25 ? " keep stay" : " keep");
	for (card = 0; card < CARDS && w.exchanges < 3; card++)
		for (other = 0; other < CARDS; other++)
			if (holds(card, seat, HAND) &&
			    holds(other, seat, RESERVE))
				want(" swap:%s:%s", name(card), name(other));
}

/* Who must be asked, and what. */
static unsigned
want_list(char *house, size_t size)
{
	unsigned other = 1 - w.turn;

	wanted[0] = '\0';
	switch (w.asked) {
	case REPLY:
		want(" in out");
		want_range("raise", w.offer, need(1 - w.speaker));
		snprintf(house, size, "out");
		other = 1 - w.speaker;
		break;
	case ANSWER:
		want(" stay leave");
		snprintf(house, size, "leave");
		break;
	case EXCHANGE:
		want_exchanges(w.turn);
		snprintf(house, size, "keep");
		other = w.turn;
		break;
	default:
		want_discards(w.turn);
		if (w.asked == TURN) {
			want(" stake");
			want_range("stake", w.pot, need(w.turn));
		}
		snprintf(house, size, "discard:%s", name(w.drawn));
		other = w.turn;
	}
	want(" ");
	return other;
}

/* The very tokens, each once, the house move first. */
static void
ask_is_right(void)
{
	char token[MOVE_BYTES], padded[MOVE_BYTES + 2], house[MOVE_BYTES];
	size_t bytes = 1;
	unsigned i;

	cr_assert_eq(game.decision.kind, DECISION_SINGLE);
	cr_assert_eq(game.decision.count, 1);
	cr_assert_eq(game.decision.seat[0], want_list(house, sizeof(house)));
	game_legal(&game, game.decision.seat[0], &legal);
	for (i = 0; i < legal.count; i++) {
		bytes +=
			1 + game_move_token(&game_daupun, legal.move[i], token);
		snprintf(padded, sizeof(padded), " %s ", token);
		cr_assert_not_null(strstr(wanted, padded), "%s not in%s", token,
				   wanted);
		if (i == 0)
			cr_assert_str_eq(token, house);
	}
	cr_assert_eq(bytes, strlen(wanted), "fewer than%s", wanted);
}

/* ---- whole games --------------------------------------------------------- */

static void
watch_step(void)
{
	char line[LINE];
	size_t at = 0;
	int viewer;

	while (play_next_line(&ev, &at, line)) {
		watch_line(line);
		cr_assert_eq(count(0, PILE) + count(0, HAND) + count(1, HAND) +
				     count(0, RESERVE) + count(1, RESERVE),
			     CARDS);
		for (viewer = VIEW_PUBLIC; viewer < 2; viewer++)
			view_line(line, viewer);
	}
	cr_assert_eq(w.over, game_is_over(&game));
}

/* A copy of game, chance and dice takes the same step. */
static void
copy_plays_alike(struct dice dice)
{
	game_copy(&copy, &game);
	chance_copy = chance;
	play_random(&copy, &dice, &chance_copy, &ev_copy);
}

static void
copy_played_alike(void)
{
	cr_assert(play_same(&game, &copy));
	cr_assert_eq(ev.used, ev_copy.used);
	cr_assert_eq(memcmp(ev.text, ev_copy.text, ev.used), 0);
}

static void
begin_watch(const struct game_setup *setup)
{
	memset(&w, 0, sizeof(w));
	w.goal = (unsigned)setup->option[0];
	w.cutter_begins = setup->option[1] == 1;
	w.max_rounds = (unsigned)setup->option[2];
	w.winner = -1;
}

/* Moves of this kind are answered by something else now and then, so that
 * rounds come to their fifth turns. */
static bool
is_hasty(struct move move)
{
	char token[MOVE_BYTES];

	game_move_token(&game_daupun, move, token);
	return strcmp(token, "out") == 0 || strstr(token, ":stay") ||
	       strcmp(token, "leave") == 0;
}

static void
patient_step(struct dice *dice)
{
	struct move move;
	unsigned tries;

	game_legal(&game, game.decision.seat[0], &legal);
	for (tries = 0; tries < 8; tries++) {
		move = dice_move(dice, &legal);
		if (!is_hasty(move))
			break;
	}
	events_clear(&ev);
	cr_assert(game_play(&game, game.decision.seat[0], move, &chance, &ev));
}

static void
watch_game(const struct game_setup *setup, uint64_t seed)
{
	struct dice dice = { seed };
	bool patient = seed % 3;

	begin_watch(setup);
	play_seeded(&game, setup, seed, &chance, &ev);
	watch_step();
	while (!game_is_over(&game)) {
		ask_is_right();
		if (patient) {
			patient_step(&dice);
		} else {
			copy_plays_alike(dice);
			play_random(&game, &dice, &chance, &ev);
			copy_played_alike();
		}
		watch_step();
	}
}

Test(daupun_random, invariants)
{
	static const char *const options[] = {
		"",
		"rounds=1",
		"rounds=9 first=cutter",
		"crowns=2",
		"crowns=3 first=cutter",
		"crowns=3 rounds=1000",
	};
	unsigned i, rounds = 0, battles = 0;
	struct game_setup setup;
	uint64_t seed;

	for (i = 0; i < NELEM(options); i++) {
		play_setup(&setup, "daupun", 2, options[i]);
		for (seed = 0; seed < check_rounds(150, 2000); seed++) {
			watch_game(&setup, seed);
			rounds += w.rounds;
			battles += w.battles;
		}
	}
	cr_assert_gt(rounds, 1000);
	cr_assert_gt(battles, 300);
	NO_LEAKS();
}

/* House moves alone: every round goes its ten turns, no stone is staked. */
Test(daupun_random, house_moves_alone)
{
	struct game_setup setup;
	uint64_t seed;

	play_setup(&setup, "daupun", 2, "rounds=1000 crowns=3");
	for (seed = 0; seed < 5; seed++) {
		begin_watch(&setup);
		play_seeded(&game, &setup, seed, &chance, &ev);
		watch_step();
		while (!game_is_over(&game)) {
			ask_is_right();
			events_clear(&ev);
			game_choose(&game, &legal, 0, 0, &chance, &ev);
			watch_step();
			cr_assert_leq(w.moves, 12);
			cr_assert_eq(w.pot, 0);
		}
		cr_assert_eq(w.battles, w.rounds);
	}
	NO_LEAKS();
}

/* ---- what a seat cannot know changes nothing for it ---------------------- */

/* The lines of the steps of a first round, up to its last decision. */
static struct steps {
	unsigned count;
	char text[320][256];
} steps;

static struct play other;

static bool
ends_round(void)
{
	char line[LINE];
	size_t at = 0;

	while (play_next_line(&ev, &at, line))
		if (strncmp(line, "win ", 4) == 0)
			return true;
	return false;
}

/* The cards of this step that the viewer reads join `known`. */
static void
learn(unsigned viewer, uint64_t *known)
{
	char line[LINE], out[LINE];
	size_t at = 0, i;
	ssize_t n;

	while (play_next_line(&ev, &at, line)) {
		n = hidden_redact(line, strlen(line), (int)viewer, out);
		cr_assert_gt(n, 0);
		out[n] = '\0';
		for (i = 0; i < (size_t)n; i++) {
			char token[3] = { out[i], out[i + 1], '\0' };

			if (card_of(token) >= 0)
				*known |= (uint64_t)1 << card_of(token);
		}
	}
}

static void
first_round(const struct game_setup *setup, uint64_t seed, unsigned viewer,
	    uint64_t *known)
{
	struct dice dice = { seed };

	*known = 0;
	steps.count = 0;
	play_seeded(&game, setup, seed, &chance, &ev);
	while (!ends_round()) {
		cr_assert_lt(ev.used, sizeof(steps.text[0]));
		cr_assert_lt(steps.count, NELEM(steps.text));
		memcpy(steps.text[steps.count], ev.text, ev.used);
		steps.text[steps.count++][ev.used] = '\0';
		learn(viewer, known);
		patient_step(&dice);
	}
}

/* A random order of the cards in which the known ones stay where they are. */
static void
shuffle_unknown(uint64_t known, struct dice *dice, unsigned to[CARDS])
{
	unsigned i, j, swap;

	for (i = 0; i < CARDS; i++)
		to[i] = i;
	for (i = CARDS - 1; i > 0; i--) {
		j = dice_below(dice, i + 1);
		if ((known >> i | known >> j) & 1)
			continue;
		swap = to[i];
		to[i] = to[j];
		to[j] = swap;
	}
}

/* The same step with the unknown cards dealt and drawn otherwise; how many
 * cards have changed. */
static unsigned
deal_otherwise(char *text, const unsigned to[CARDS])
{
	char *line = text, *at;
	char token[3] = "";
	unsigned changed = 0;

	for (; *line; line = strchr(line, '\n') + 1) {
		if (line[0] != 'd')
			continue;
		for (at = line + 8; at[-1] != '}'; at += 3) {
			memcpy(token, at, 2);
			changed +=
				to[card_of(token)] != (unsigned)card_of(token);
			memcpy(at, name(to[card_of(token)]), 2);
		}
	}
	return changed;
}

static bool
asked_alike(unsigned viewer)
{
	static struct legal lists[2];

	if (game.decision.asked != other.game.decision.asked)
		return false;
	if (!(game.decision.asked >> viewer & 1))
		return true;
	game_legal(&game, viewer, &lists[0]);
	game_legal(&other.game, viewer, &lists[1]);
	return lists[0].count == lists[1].count &&
	       memcmp(lists[0].move, lists[1].move,
		      lists[0].count * sizeof(lists[0].move[0])) == 0;
}

/* Whether the round could be followed to its end; a `stay` of the other seat
 * may not be legal with other cards. */
static bool
follow_otherwise(const struct game_setup *setup, uint64_t seed, unsigned viewer,
		 unsigned *changed)
{
	struct dice dice = { seed }, shuffle = { seed + 1000 };
	unsigned to[CARDS], i;
	const char *why;
	uint64_t known;

	first_round(setup, seed, viewer, &known);
	shuffle_unknown(known, &shuffle, to);
	play_open(&other, "daupun", 2, "");
	play_seeded(&game, setup, seed, &chance, &ev);
	for (i = 0; i < steps.count; i++) {
		*changed += deal_otherwise(steps.text[i], to);
		why = play_follow(&other, steps.text[i]);
		if (why && strstr(why, "it was refused"))
			return false;
		cr_assert_null(why, "%s", why);
		if (i > 0)
			patient_step(&dice);
		cr_assert(asked_alike(viewer));
	}
	return true;
}

/* With the cards that a viewer has not seen dealt otherwise and the same
 * moves, its lines and asks stay as they were. */
Test(daupun_random, what_is_hidden)
{
	unsigned whole = 0, changed = 0;
	struct game_setup setup;
	uint64_t seed;

	play_setup(&setup, "daupun", 2, "");
	for (seed = 0; seed < check_rounds(400, 8000); seed++)
		whole += follow_otherwise(&setup, seed, (unsigned)seed % 2,
					  &changed);
	cr_assert_gt(whole, 200, "only %u rounds to their end", whole);
	cr_assert_gt(changed, 400);
	NO_LEAKS();
}
