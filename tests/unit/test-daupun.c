/* tests/unit/test-daupun.c - the rules of Daupun, rule by rule.
 *
 * Names of tests are the numbers of the rules (R) and of the resolved
 * questions (Q). */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "referee/games/daupun-battle.h"
#include "tests/unit/play.h"

static struct play play;

/* Seat 1 does not accept the first offer. */
#define FIRST_GOES_OUT                                                         \
	"move 0 stake\n"                                                       \
	"move 1 out\n"                                                         \
	"win 0 out\n"                                                          \
	"gain 0 2\n"                                                           \
	"gain 1 0\n"                                                           \
	"score 0 2\n"                                                          \
	"score 1 0\n"

/* Two hands whose battle seat 0 wins by three tricks. */
#define DEALT                                                                  \
	"deal 0 {AC 2C 3C 9C TC}0\n"                                           \
	"deal 1 {4D 5D 5H 6D 7D}1\n"
#define BATTLE                                                                 \
	"show 0 25 AC 2C 3C 9C TC\n"                                           \
	"show 1 27 4D 5D 5H 6D 7D\n"                                           \
	"trick 1 AC 4D 0 5 3\n"                                                \
	"trick 2 2C 5D 0 4 3\n"                                                \
	"trick 3 3C 5H 0 3 2\n"                                                \
	"trick 4 9C 6D 1 2 3\n"                                                \
	"trick 5 TC 7D 1 1 3\n"                                                \
	"remove 5 low\n"                                                       \
	"remove 4 low\n"                                                       \
	"field 0 3 60\n"                                                       \
	"field 1 0 0\n"
#define BEGIN "round 1 dealer 1 cutter 0 first 0 pot 0\n" DEALT "draw 0 {9H}0\n"

/* Two hands alike: five ties. */
#define DEALT_ALIKE                                                            \
	"deal 0 {AC 2C 7C 8C 9C}0\n"                                           \
	"deal 1 {AD 2D 7D 8D 9D}1\n"
#define BATTLE_ALIKE                                                           \
	"show 0 27 AC 2C 7C 8C 9C\n"                                           \
	"show 1 27 AD 2D 7D 8D 9D\n"                                           \
	"trick 1 AC AD tie 5 0\n"                                              \
	"trick 2 2C 2D tie 4 0\n"                                              \
	"trick 3 7C 7D tie 3 0\n"                                              \
	"trick 4 8C 8D tie 2 0\n"                                              \
	"trick 5 9C 9D tie 1 0\n"                                              \
	"remove 1 tie\n"                                                       \
	"remove 2 tie\n"                                                       \
	"remove 3 tie\n"                                                       \
	"remove 4 tie\n"                                                       \
	"remove 5 tie\n"                                                       \
	"field 0 0 0\n"                                                        \
	"field 1 0 0\n"

/* These cards are drawn turn after turn if nothing else happens. */
static const char drawn[10][3] = { "AH", "AS", "2D", "2H", "2S",
				   "3D", "3H", "3S", "4C", "4H" };

/* Each seat lays down the card just drawn, from the question of turn `from`
 * (counted from 0) to that of turn `to`. */
static void
quiet_turns(unsigned first, unsigned from, unsigned to)
{
	char lines[128], keep[32];
	unsigned turn, seat;

	for (turn = from; turn < to; turn++) {
		seat = first ^ (turn & 1);
		snprintf(keep, sizeof(keep), "move %u keep\n", seat);
		if (turn >= 8) {
			snprintf(lines, sizeof(lines), "move %u discard:%s\n",
				 seat, drawn[turn]);
			FOLLOWS(&play, lines);
			snprintf(lines, sizeof(lines), "%sdraw %u {%s}%u\n",
				 keep, !seat, drawn[turn + 1], !seat);
		} else {
			snprintf(lines, sizeof(lines),
				 "move %u discard:%s\ndraw %u {%s}%u\n", seat,
				 drawn[turn], !seat, drawn[turn + 1], !seat);
		}
		FOLLOWS(&play, lines);
	}
}

/* Opens a first round at the question of turn `turn`. */
static void
open_at_turn(const char *options, unsigned turn)
{
	play_open(&play, "daupun", 2, options);
	FOLLOWS(&play, "round 1 dealer 1 cutter 0 first 0 pot 0\n" DEALT
		       "draw 0 {AH}0\n");
	quiet_turns(0, 0, turn);
}

/* ---- R2: how a round begins -------------------------------------------- */

/* The drawn number is the cutter, not the dealer, and it comes from the stream
 * before its round's. */
Test(daupun, R2_cutter_is_what_is_drawn)
{
	static struct game game;
	static struct events ev = { .wanted = true };
	struct chance chance, same;
	struct game_setup setup;
	char line[64];
	unsigned cutter;
	uint64_t seed;

	play_setup(&setup, "daupun", 2, "");
	for (seed = 0; seed < 20; seed++) {
		play_seeded(&game, &setup, seed, &chance, &ev);
		chance_seed(&same, chance.seed); /* before its round */
		cutter = chance_below(&same, 2);
		snprintf(line, sizeof(line), "round 1 dealer %u cutter %u ",
			 !cutter, cutter);
		cr_assert_eq(memcmp(ev.text, line, strlen(line)), 0);
	}
}

/* Dealer and cutter are never the same seat, and always a seat. */
Test(daupun, R2_dealer_is_the_other_seat)
{
	play_open(&play, "daupun", 2, "");
	cr_assert_not_null(play_follow(
		&play, "round 1 dealer 0 cutter 0 first 0 pot 0\n" DEALT
		       "draw 0 {9H}0\n"));
	play_open(&play, "daupun", 2, "");
	cr_assert_not_null(play_follow(
		&play, "round 1 dealer 1 cutter 2 first 0 pot 0\n" DEALT
		       "draw 0 {9H}0\n"));
	cr_assert(play.chance.failed);
}

/* Hands are dealt in the order of the seats, whichever plays first; the draws
 * come from the other thirty cards. */
Test(daupun, R2_deal)
{
	play_open(&play, "daupun", 2, "");
	FOLLOWS(&play, "round 1 dealer 0 cutter 1 first 1 pot 0\n" DEALT
		       "draw 1 {TD}1\n"
		       "refuse 0 stake\n");
	play_open(&play, "daupun", 2, "");
	cr_assert_not_null(play_follow(
		&play, "round 1 dealer 1 cutter 0 first 0 pot 0\n" DEALT
		       "draw 0 {7D}0\n"));
	cr_assert(play.chance.failed, "a card twice");
}

/* Q1: by default the winner of the round before begins. */
Test(daupun, Q1_winner_begins)
{
	play_open(&play, "daupun", 2, "rounds=3");
	FOLLOWS(&play, BEGIN FIRST_GOES_OUT
		"round 2 dealer 0 cutter 1 first 0 pot 0\n" DEALT
		"draw 0 {9H}0\n"
		"move 0 stake\n"
		"move 1 raise:9\n"
		"move 0 out\n"
		"win 1 out\n"
		"gain 0 0\n"
		"gain 1 2\n"
		"score 0 2\n"
		"score 1 2\n"
		"round 3 dealer 1 cutter 0 first 1 pot 0\n" DEALT
		"draw 1 {9H}1\n");
}

Test(daupun, Q1_first_cutter)
{
	play_open(&play, "daupun", 2, "first=cutter");
	FOLLOWS(&play, BEGIN FIRST_GOES_OUT
		"round 2 dealer 0 cutter 1 first 1 pot 0\n" DEALT
		"draw 1 {9H}1\n");
}

/* ---- R3 to R5: turns ---------------------------------------------------- */

Test(daupun, R3_turns_alternate)
{
	play_open(&play, "daupun", 2, "");
	FOLLOWS(&play, "round 1 dealer 0 cutter 1 first 1 pot 0\n" DEALT
		       "draw 1 {AH}1\n"
		       "refuse 0 discard:AC\n"
		       "move 1 discard:AH\n"
		       "draw 0 {AS}0\n"
		       "refuse 1 discard:4D\n"
		       "move 0 discard:AC\n"
		       "draw 1 {2D}1\n");
}

/* The drawn card is in the hand, and only its seat sees it. */
Test(daupun, R4_draw)
{
	play_open(&play, "daupun", 2, "");
	cr_assert_not_null(play_follow(
		&play, "round 1 dealer 1 cutter 0 first 0 pot 0\n" DEALT
		       "draw 0 9H\n"));
	play_open(&play, "daupun", 2, "");
	FOLLOWS(&play, BEGIN "move 0 discard:2C\n"
			     "draw 1 {TD}1\n"
			     "move 1 discard:TD\n"
			     "draw 0 {AD}0\n"
			     "move 0 discard:9H\n"
			     "draw 1 {8S}1\n");
}

/* Six cards; `:stay` where the other five make 25 (Q3). */
Test(daupun, R5_discards)
{
	play_open(&play, "daupun", 2, "");
	FOLLOWS(&play, BEGIN
		"ask 0 discard:9H discard:AC discard:2C discard:3C discard:9C "
		"discard:TC stake stake:1..250 discard:AC:stay discard:2C:stay "
		"discard:3C:stay discard:9C:stay discard:9H:stay\n"
		"house 0 discard:9H\n"
		"refuse 0 discard:TC:stay\n"
		"refuse 0 discard:4D\n"
		"refuse 0 discard:9D\n"
		"refuse 0 stake:0\n"
		"refuse 0 stake:251\n"
		"refuse 0 in\n"
		"refuse 0 keep\n"
		"refuse 0 stay\n"
		"refuse 0 pass\n"
		"move 0 discard:9H\n"
		"draw 1 {AH}1\n"
		"ask 1 stake stake:1..250 discard:4D discard:5D discard:5H "
		"discard:6D discard:7D discard:AH discard:AH:stay\n"
		"house 1 discard:AH\n");
}

/* The limit of stake:N: more than the pot, at most the need of its speaker. */
Test(daupun, R5_stake_range)
{
	play_open(&play, "daupun", 2, "");
	FOLLOWS(&play, BEGIN
		"move 0 stake:249\n"
		"move 1 in\n"
		"pot 249\n"
		"move 0 discard:9H\n"
		"draw 1 {AH}1\n"
		"ask 1 stake stake:250 discard:4D discard:5D discard:5H "
		"discard:6D discard:7D discard:AH discard:AH:stay\n"
		"refuse 1 stake:249\n"
		"move 1 stake:250\n"
		"ask 0 in out\n"
		"move 0 in\n"
		"pot 250\n"
		"move 1 discard:AH\n"
		"draw 0 {AS}0\n"
		"ask 0 stake discard:AC discard:2C discard:3C discard:9C "
		"discard:TC discard:AS discard:AS:stay discard:AC:stay\n");
}

/* No `:stay` in a fifth turn; R8 asks for it there. */
Test(daupun, R5_no_stay_in_the_fifth_turn)
{
	open_at_turn("", 7);
	FOLLOWS(&play, "ask 1 stake stake:1..250 discard:4D discard:5D "
		       "discard:5H discard:6D discard:7D discard:3S "
		       "discard:4D:stay discard:5D:stay discard:5H:stay "
		       "discard:3S:stay\n");
	quiet_turns(0, 7, 8);
	FOLLOWS(&play, "ask 0 stake stake:1..250 discard:AC discard:2C "
		       "discard:3C discard:9C discard:TC discard:4C\n"
		       "house 0 discard:4C\n"
		       "refuse 0 discard:4C:stay\n");
	quiet_turns(0, 8, 9);
	FOLLOWS(&play, "ask 1 stake stake:1..250 discard:4D discard:5D "
		       "discard:5H discard:6D discard:7D discard:4H\n"
		       "refuse 1 discard:4H:stay\n");
}

/* ---- R6: staking --------------------------------------------------------- */

/* A plain stake makes 3, later one more; one staking a turn. */
Test(daupun, R6_plain_stake)
{
	play_open(&play, "daupun", 2, "");
	FOLLOWS(&play, BEGIN
		"move 0 stake\n"
		"ask 1 out in raise:4..250\n"
		"house 1 out\n"
		"refuse 0 in\n"
		"refuse 1 raise:3\n"
		"refuse 1 discard:4D\n"
		"move 1 in\n"
		"pot 3\n"
		"ask 0 discard:9H discard:AC discard:2C discard:3C discard:9C "
		"discard:TC discard:AC:stay discard:2C:stay discard:3C:stay "
		"discard:9C:stay discard:9H:stay\n"
		"house 0 discard:9H\n"
		"refuse 0 stake\n"
		"refuse 0 stake:9\n"
		"move 0 discard:9H\n"
		"draw 1 {AH}1\n"
		"move 1 stake\n"
		"ask 0 out in raise:5..250\n"
		"move 0 in\n"
		"pot 4\n");
}

/* Q11: the limit of stake:N does not bind the plain stake. */
Test(daupun, Q11_plain_stake_above_the_need)
{
	play_open(&play, "daupun", 2, "");
	FOLLOWS(&play, BEGIN "move 0 stake:250\n"
			     "move 1 in\n"
			     "pot 250\n"
			     "move 0 discard:9H\n"
			     "draw 1 {AH}1\n"
			     "move 1 stake\n"
			     "ask 0 out in\n"
			     "move 0 in\n"
			     "pot 251\n"
			     "move 1 discard:AH\n"
			     "draw 0 {AS}0\n"
			     "move 0 stake\n"
			     "ask 1 out in\n"
			     "move 1 out\n"
			     "win 0 out\n"
			     "gain 0 253\n"
			     "gain 1 0\n"
			     "score 0 253\n"
			     "score 1 0\n"
			     "crown 0 1\n"
			     "result 0 1 253\n"
			     "result 1 2 0\n");
}

/* Raises go to and fro; the seat on turn discards, whichever seat speaks last. */
Test(daupun, R6_raises)
{
	play_open(&play, "daupun", 2, "");
	FOLLOWS(&play, BEGIN "move 0 stake:60\n"
			     "ask 1 out in raise:61..250\n"
			     "move 1 raise:61\n"
			     "refuse 1 raise:62\n"
			     "ask 0 out in raise:62..250\n"
			     "move 0 raise:249\n"
			     "ask 1 out in raise:250\n"
			     "move 1 raise:250\n"
			     "ask 0 out in\n"
			     "refuse 0 raise:251\n"
			     "move 0 in\n"
			     "pot 250\n"
			     "refuse 1 discard:4D\n"
			     "move 0 discard:9H\n"
			     "draw 1 {AH}1\n");
}

/* The range of a raise depends on the seat that raises: 64 stones have been
 * won. */
Test(daupun, R6_raise_up_to_the_need_of_its_speaker)
{
	play_open(&play, "daupun", 2, "");
	FOLLOWS(&play, BEGIN
		"move 0 stake:62\n"
		"move 1 in\n"
		"pot 62\n"
		"move 0 discard:9H\n"
		"draw 1 {AH}1\n"
		"move 1 stake:100\n"
		"move 0 out\n"
		"win 1 out\n"
		"gain 0 0\n"
		"gain 1 64\n"
		"score 0 0\n"
		"score 1 64\n"
		"round 2 dealer 1 cutter 0 first 1 pot 0\n" DEALT
		"draw 1 {AH}1\n"
		"ask 1 stake stake:1..186 discard:4D discard:5D discard:5H "
		"discard:6D discard:7D discard:AH discard:AH:stay\n"
		"move 1 stake:100\n"
		"ask 0 out in raise:101..250\n"
		"move 0 raise:185\n"
		"ask 1 out in raise:186\n"
		"move 1 raise:186\n"
		"ask 0 out in raise:187..250\n"
		"move 0 raise:187\n"
		"ask 1 out in\n");
}

/* Q7, Q8, Q10: `out` ends the round; the speaker gets two stones and the pot
 * as it was before this staking. */
Test(daupun, Q10_out_leaves_the_offer_void)
{
	play_open(&play, "daupun", 2, "rounds=1");
	FOLLOWS(&play, BEGIN "move 0 stake:7\n"
			     "move 1 in\n"
			     "pot 7\n"
			     "move 0 discard:9H\n"
			     "draw 1 {AH}1\n"
			     "move 1 stake:20\n"
			     "move 0 raise:90\n"
			     "move 1 out\n"
			     "win 0 out\n"
			     "gain 0 9\n"
			     "gain 1 0\n"
			     "score 0 9\n"
			     "score 1 0\n"
			     "result 0 1 9\n"
			     "result 1 2 0\n");
}

/* ---- R7, R8: the end of a turn ------------------------------------------ */

/* The reserve is what its seat has laid down, and only that. */
Test(daupun, R8_exchange)
{
	open_at_turn("", 8);
	FOLLOWS(&play, "move 0 discard:3C\n"
		       "ask 0 keep stay swap:AC:AH swap:AC:2D swap:AC:2S "
		       "swap:AC:3H swap:AC:3C swap:2C:AH swap:2C:2D "
		       "swap:2C:2S swap:2C:3H swap:2C:3C swap:4C:AH "
		       "swap:4C:2D swap:4C:2S swap:4C:3H swap:4C:3C "
		       "swap:9C:AH swap:9C:2D swap:9C:2S swap:9C:3H "
		       "swap:9C:3C swap:TC:AH swap:TC:2D swap:TC:2S "
		       "swap:TC:3H swap:TC:3C\n"
		       "house 0 keep\n"
		       "refuse 0 swap:3C:AH\n"
		       "refuse 0 swap:AC:AS\n"
		       "refuse 1 keep\n"
		       "move 0 swap:TC:3H\n"
		       "refuse 0 stay\n"
		       "ask 0 keep swap:AC:AH swap:AC:2D swap:AC:2S "
		       "swap:AC:TC swap:AC:3C swap:2C:AH swap:2C:2D "
		       "swap:2C:2S swap:2C:TC swap:2C:3C swap:4C:AH "
		       "swap:4C:2D swap:4C:2S swap:4C:TC swap:4C:3C "
		       "swap:9C:AH swap:9C:2D swap:9C:2S swap:9C:TC "
		       "swap:9C:3C swap:3H:AH swap:3H:2D swap:3H:2S "
		       "swap:3H:TC swap:3H:3C\n");
}

/* Q6: three at most, then the question once more; a card may go back. */
Test(daupun, Q6_three_exchanges)
{
	open_at_turn("", 8);
	FOLLOWS(&play, "move 0 discard:4C\n"
		       "move 0 swap:AC:AH\n"
		       "move 0 swap:AH:AC\n"
		       "move 0 swap:AC:2S\n"
		       "ask 0 keep stay\n"
		       "refuse 0 swap:2S:AC\n"
		       "move 0 keep\n"
		       "draw 1 {4H}1\n"
		       "move 1 discard:4H\n"
		       "refuse 1 swap:4D:AH\n"
		       "move 1 swap:7D:AS\n"
		       "refuse 1 stay\n"
		       "move 1 swap:6D:2H\n"
		       "move 1 swap:5D:3D\n"
		       "ask 1 keep\n");
}

/* The question comes in fifth turns, and in no other. */
Test(daupun, R8_only_in_the_fifth_turn)
{
	open_at_turn("", 6);
	FOLLOWS(&play, "move 0 discard:3H\n"
		       "draw 1 {3S}1\n"
		       "refuse 0 keep\n"
		       "refuse 0 swap:AC:AH\n");
}

/* ---- R9, R10: who stays -------------------------------------------------- */

/* Q4: the answer may be `stay` with any hand, before any turn of one's own. */
Test(daupun, Q4_answer_at_once)
{
	play_open(&play, "daupun", 2, "rounds=1");
	FOLLOWS(&play, "round 1 dealer 0 cutter 1 first 1 pot 0\n"
		       "deal 0 {AC AD AH AS 2C}0\n"
		       "deal 1 {4D 5D 5H 6D 7D}1\n"
		       "draw 1 {TD}1\n"
		       "move 1 discard:TD:stay\n"
		       "ask 0 leave stay\n"
		       "house 0 leave\n"
		       "refuse 1 stay\n"
		       "move 0 stay\n"
		       "show 0 6 AC AD AH AS 2C\n"
		       "show 1 27 4D 5D 5H 6D 7D\n"
		       "trick 1 AC 4D 0 5 3\n"
		       "trick 2 AD 5D 0 4 4\n"
		       "trick 3 AH 5H 0 3 4\n"
		       "trick 4 AS 6D 0 2 5\n"
		       "trick 5 2C 7D 0 1 5\n"
		       "remove 5 low\n"
		       "remove 4 low\n"
		       "field 0 3 69\n"
		       "field 1 0 0\n"
		       "win 1 goal\n"
		       "gain 0 0\n"
		       "gain 1 0\n"
		       "score 0 0\n"
		       "score 1 0\n"
		       "result 0 1 0\n"
		       "result 1 1 0\n");
}

/* `leave` brings one stone and the pot (Q8), and no card is shown. */
Test(daupun, R9_leave)
{
	play_open(&play, "daupun", 2, "");
	FOLLOWS(&play, BEGIN "move 0 stake:5\n"
			     "move 1 in\n"
			     "pot 5\n"
			     "move 0 discard:3C:stay\n"
			     "move 1 leave\n"
			     "win 0 leave\n"
			     "gain 0 6\n"
			     "gain 1 0\n"
			     "score 0 6\n"
			     "score 1 0\n"
			     "round 2 dealer 0 cutter 1 first 0 pot 0\n" DEALT
			     "draw 0 {9H}0\n");
}

/* Both the first and the second player call in the fifth turn. */
Test(daupun, R9_call_after_exchanges)
{
	open_at_turn("rounds=1", 8);
	FOLLOWS(&play, "move 0 discard:4C\n"
		       "move 0 stay\n"
		       "ask 1 leave stay\n"
		       "move 1 stay\n" BATTLE "win 0 tricks\n"
		       "gain 0 60\n"
		       "gain 1 0\n"
		       "score 0 60\n"
		       "score 1 0\n"
		       "result 0 1 60\n"
		       "result 1 2 0\n");
	open_at_turn("rounds=1", 9);
	FOLLOWS(&play, "move 1 discard:4H\n"
		       "move 1 stay\n"
		       "ask 0 leave stay\n"
		       "move 0 leave\n"
		       "win 1 leave\n"
		       "gain 0 0\n"
		       "gain 1 1\n"
		       "score 0 0\n"
		       "score 1 1\n"
		       "result 0 2 0\n"
		       "result 1 1 1\n");
}

/* Q5: after the tenth turn both fight, without a question. */
Test(daupun, R10_forced_battle)
{
	open_at_turn("rounds=1", 9);
	FOLLOWS(&play, "move 1 discard:4H\n"
		       "move 1 keep\n" BATTLE "win 0 tricks\n"
		       "gain 0 60\n"
		       "gain 1 0\n"
		       "score 0 60\n"
		       "score 1 0\n"
		       "result 0 1 60\n"
		       "result 1 2 0\n");
}

/* ---- R11: battles ----------------------------------------------------- */

static card_set
hand_of(const char *cards)
{
	struct words words;
	card_set hand = 0;
	unsigned i;
	int card;

	words_split(cards, &words);
	for (i = 0; i < words.count; i++) {
		card = card_find(&daupun_deck, words.word[i], 2);
		cr_assert_geq(card, 0);
		hand |= (card_set)1 << card;
	}
	cr_assert_eq(cards_count(hand), DAUPUN_HAND);
	return hand;
}

static const struct {
	const char *name, *hand[2];
	const char *lines; /* from the first `remove` on */
	const char *reason;
	unsigned winner, gain[2];
} battles[] = {
	{ "no tie, equal worths 5 5 (Q12), 3 x 20",
	  { "AC 2C 3C 9C TC", "4D 5D 5H 6D 7D" },
	  "remove 5 low\nremove 4 low\nfield 0 3 60\nfield 1 0 0\n",
	  "tricks",
	  0,
	  { 60, 0 } },
	{ "the same with the seats changed",
	  { "4D 5D 5H 6D 7D", "AC 2C 3C 9C TC" },
	  "remove 5 low\nremove 4 low\nfield 0 0 0\nfield 1 3 60\n",
	  "tricks",
	  1,
	  { 0, 60 } },
	{ "two tricks to one: both gain",
	  { "AC 2C 7C TC TD", "4D 5D 6D 6H 7D" },
	  "remove 5 low\nremove 3 low\nfield 0 2 30\nfield 1 1 6\n",
	  "tricks",
	  0,
	  { 30, 6 } },
	{ "one tie: one low",
	  { "AC 2C 5C 9C TC", "AD 5D 6D 7D 8D" },
	  "remove 1 tie\nremove 5 low\nfield 0 2 22\nfield 1 1 4\n",
	  "tricks",
	  0,
	  { 22, 4 } },
	{ "two ties: all three left are of one seat",
	  { "AC AD 7C 8C 9C", "AH AS 8D 9D TC" },
	  "remove 1 tie\nremove 2 tie\nfield 0 3 27\nfield 1 0 0\n",
	  "tricks",
	  0,
	  { 27, 0 } },
	{ "two ties: none is low",
	  { "AC 2C 6C 8C 9C", "AD 2D 5D 9D TC" },
	  "remove 1 tie\nremove 2 tie\nfield 0 2 10\nfield 1 1 4\n",
	  "tricks",
	  0,
	  { 10, 4 } },
	{ "three ties: one low, one left",
	  { "AC 2C 7C 8C 9C", "AD 2D 7D 9D TD" },
	  "remove 1 tie\nremove 2 tie\nremove 3 tie\nremove 5 low\n"
	  "field 0 1 3\nfield 1 0 0\n",
	  "tricks",
	  0,
	  { 3, 0 } },
	{ "four ties: none is low",
	  { "AC 2C 7C 8C TC", "AD 2D 7D 8D 9D" },
	  "remove 1 tie\nremove 2 tie\nremove 3 tie\nremove 4 tie\n"
	  "field 0 0 0\nfield 1 1 2\n",
	  "tricks",
	  1,
	  { 0, 2 } },
	{ "five ties: nobody, although both have reached it",
	  { "AC 2C 7C 8C 9C", "AD 2D 7D 8D 9D" },
	  "remove 1 tie\nremove 2 tie\nremove 3 tie\nremove 4 tie\n"
	  "remove 5 tie\nfield 0 0 0\nfield 1 0 0\n",
	  "tie",
	  DAUPUN_NOBODY,
	  { 0, 0 } },
	{ "five ties below 25",
	  { "AC 2C 3C 8C 9C", "AD 2D 3D 8D 9D" },
	  "remove 1 tie\nremove 2 tie\nremove 3 tie\nremove 4 tie\n"
	  "remove 5 tie\nfield 0 0 0\nfield 1 0 0\n",
	  "tie",
	  DAUPUN_NOBODY,
	  { 0, 0 } },
	{ "24 against 25: the goal, by one trick to two (Q14)",
	  { "AC AD 3C 9C TC", "4D 5C 5H 5D 6D" },
	  "remove 5 low\nremove 3 low\nfield 0 2 32\nfield 1 1 6\n",
	  "goal",
	  1,
	  { 0, 6 } },
	{ "25 against 24, equal worths 5 5 apart: the later trick",
	  { "AC 2C 3C 9C TC", "4D 4H 5D 5H 6D" },
	  "remove 5 low\nremove 3 low\nfield 0 2 28\nfield 1 1 6\n",
	  "goal",
	  0,
	  { 28, 0 } },
	{ "both below 25: the tricks decide, nobody loses his gain",
	  { "AC 2C 3C 4C TC", "2D 3D 4D 5D 6D" },
	  "remove 4 low\nremove 3 low\nfield 0 2 22\nfield 1 1 5\n",
	  "tricks",
	  0,
	  { 22, 5 } },
};

Test(daupun, R11_battles)
{
	static struct events ev = { .wanted = true };
	struct daupun_end end;
	card_set hand[2];
	const char *from;
	unsigned i;

	for (i = 0; i < NELEM(battles); i++) {
		events_clear(&ev);
		hand[0] = hand_of(battles[i].hand[0]);
		hand[1] = hand_of(battles[i].hand[1]);
		end = daupun_battle(hand, false, &ev);
		ev.text[ev.used] = '\0';
		from = strstr(ev.text, "remove ");
		cr_expect_str_eq(from, battles[i].lines, "%s:\n%s",
				 battles[i].name, ev.text);
		cr_expect_str_eq(end.reason, battles[i].reason, "%s",
				 battles[i].name);
		cr_expect_eq(end.winner, battles[i].winner, "%s",
			     battles[i].name);
		cr_expect_eq(end.gain[0], battles[i].gain[0], "%s",
			     battles[i].name);
		cr_expect_eq(end.gain[1], battles[i].gain[1], "%s",
			     battles[i].name);
	}
}

/* If worth decides, the fourth and the third card are the lowest here (Q12). */
Test(daupun, R11_lowest_by_position)
{
	static struct events ev = { .wanted = true };
	card_set hand[2] = { hand_of("AC 2C 3C 4C TC"),
			     hand_of("2D 3D 4D 5D 6D") };
	struct daupun_end end = daupun_battle(hand, true, &ev);

	ev.text[ev.used] = '\0';
	cr_expect_str_eq(strstr(ev.text, "remove "),
			 "remove 5 low\nremove 4 low\n"
			 "field 0 3 45\nfield 1 0 0\n");
	cr_expect_eq(end.winner, 0);
	cr_expect_eq(end.gain[0], 45);
}

/* Rows rise by value, equal values stand as C D H S; the lower card wins. */
Test(daupun, R11_rows_and_tricks)
{
	static struct events ev = { .wanted = true };
	card_set hand[2] = { hand_of("TS 3S 3C TC 3H"),
			     hand_of("9S AS 4H 4D TD") };

	daupun_battle(hand, false, &ev);
	ev.text[ev.used] = '\0';
	cr_assert_str_eq(ev.text, "show 0 29 3C 3H 3S TC TS\n"
				  "show 1 28 AS 4D 4H 9S TD\n"
				  "trick 1 3C AS 1 5 2\n"
				  "trick 2 3H 4D 0 4 1\n"
				  "trick 3 3S 4H 0 3 1\n"
				  "trick 4 TC 9S 1 2 1\n"
				  "trick 5 TS TD tie 1 0\n"
				  "remove 5 tie\n"
				  "remove 4 low\n"
				  "field 0 2 18\n"
				  "field 1 1 7\n");
}

/* ---- R12 to R14: stones and the end ----------------------------------- */

/* Q15: the pot of a total tie stays; the cutter begins (Q1); the winner of the
 * next round has it. */
Test(daupun, Q15_total_tie)
{
	play_open(&play, "daupun", 2, "");
	FOLLOWS(&play, "round 1 dealer 1 cutter 0 first 0 pot 0\n" DEALT_ALIKE
		       "draw 0 {TC}0\n"
		       "move 0 stake:40\n"
		       "move 1 in\n"
		       "pot 40\n"
		       "move 0 discard:TC:stay\n"
		       "move 1 stay\n" BATTLE_ALIKE "win none tie\n"
		       "gain 0 0\n"
		       "gain 1 0\n"
		       "score 0 0\n"
		       "score 1 0\n"
		       "round 2 dealer 0 cutter 1 first 1 pot 40\n" DEALT
		       "draw 1 {TD}1\n"
		       "refuse 1 stake:40\n"
		       "move 1 stake\n"
		       "ask 0 out in raise:42..250\n"
		       "move 0 out\n"
		       "win 1 out\n"
		       "gain 0 0\n"
		       "gain 1 42\n"
		       "score 0 0\n"
		       "score 1 42\n"
		       "round 3 dealer 1 cutter 0 first 1 pot 0\n" DEALT
		       "draw 1 {TD}1\n");
}

/* Q14: a seat that alone has reached 25 takes the pot; the loser gains nothing. */
Test(daupun, Q14_goal_takes_the_pot)
{
	play_open(&play, "daupun", 2, "rounds=1");
	FOLLOWS(&play, "round 1 dealer 0 cutter 1 first 1 pot 0\n"
		       "deal 0 {AC 2C 3C 5C 7C}0\n"
		       "deal 1 {2D 4D 6D 8D 9D}1\n"
		       "draw 1 {TD}1\n"
		       "move 1 stake:62\n"
		       "move 0 in\n"
		       "pot 62\n"
		       "move 1 discard:TD:stay\n"
		       "move 0 stay\n"
		       "show 0 18 AC 2C 3C 5C 7C\n"
		       "show 1 29 2D 4D 6D 8D 9D\n"
		       "trick 1 AC 2D 0 5 1\n"
		       "trick 2 2C 4D 0 4 2\n"
		       "trick 3 3C 6D 0 3 3\n"
		       "trick 4 5C 8D 0 2 3\n"
		       "trick 5 7C 9D 0 1 2\n"
		       "remove 5 low\n"
		       "remove 4 low\n"
		       "field 0 3 54\n"
		       "field 1 0 0\n"
		       "win 1 goal\n"
		       "gain 0 0\n"
		       "gain 1 62\n"
		       "score 0 0\n"
		       "score 1 62\n"
		       "result 0 2 0\n"
		       "result 1 1 62\n");
}

/* Seat 0 gains 200, then seat 1 stakes more than seat 0 needs and loses it:
 * two crowns at once are one line; the game needs a third (Q16). */
#define TWO_HUNDRED                                                            \
	BEGIN "move 0 stake:140\n"                                             \
	      "move 1 in\n"                                                    \
	      "pot 140\n"                                                      \
	      "move 0 discard:9H:stay\n"                                       \
	      "move 1 stay\n" BATTLE "win 0 tricks\n"                          \
	      "gain 0 200\n"                                                   \
	      "gain 1 0\n"                                                     \
	      "score 0 200\n"                                                  \
	      "score 1 0\n"

Test(daupun, R13_two_crowns_at_once)
{
	play_open(&play, "daupun", 2, "crowns=3");
	FOLLOWS(&play, TWO_HUNDRED
		"round 2 dealer 0 cutter 1 first 0 pot 0\n" DEALT
		"draw 0 {9H}0\n"
		"ask 0 stake stake:1..50 discard:9H discard:AC discard:2C "
		"discard:3C discard:9C discard:TC discard:AC:stay "
		"discard:2C:stay discard:3C:stay discard:9C:stay "
		"discard:9H:stay\n"
		"move 0 stake:50\n"
		"move 1 raise:250\n"
		"move 0 in\n"
		"pot 250\n"
		"move 0 discard:9H:stay\n"
		"move 1 stay\n" BATTLE "win 0 tricks\n"
		"gain 0 310\n"
		"gain 1 0\n"
		"score 0 510\n"
		"score 1 0\n"
		"crown 0 2\n"
		"round 3 dealer 0 cutter 1 first 0 pot 0\n" DEALT
		"draw 0 {9H}0\n"
		"refuse 0 stake:241\n"
		"move 0 stake:240\n");
}

/* Q16: only a crown ends the game, at any number of stones. */
Test(daupun, R14_crowns)
{
	play_open(&play, "daupun", 2, "");
	FOLLOWS(&play, BEGIN "move 0 stake:190\n"
			     "move 1 in\n"
			     "pot 190\n"
			     "move 0 discard:9H:stay\n"
			     "move 1 stay\n" BATTLE "win 0 tricks\n"
			     "gain 0 250\n"
			     "gain 1 0\n"
			     "score 0 250\n"
			     "score 1 0\n"
			     "crown 0 1\n"
			     "result 0 1 250\n"
			     "result 1 2 0\n");
	play_open(&play, "daupun", 2, "");
	FOLLOWS(&play, BEGIN "move 0 stake:189\n"
			     "move 1 in\n"
			     "pot 189\n"
			     "move 0 discard:9H:stay\n"
			     "move 1 stay\n" BATTLE "win 0 tricks\n"
			     "gain 0 249\n"
			     "gain 1 0\n"
			     "score 0 249\n"
			     "score 1 0\n"
			     "round 2 dealer 0 cutter 1 first 0 pot 0\n" DEALT
			     "draw 0 {9H}0\n"
			     "ask 0 stake stake:1 discard:9H discard:AC "
			     "discard:2C discard:3C discard:9C discard:TC "
			     "discard:AC:stay discard:2C:stay discard:3C:stay "
			     "discard:9C:stay discard:9H:stay\n"
			     "move 0 stake:1\n"
			     "ask 1 out in raise:2..250\n");
}

/* Q16: both have their crown in one battle; more stones win. */
Test(daupun, Q16_both_crowns)
{
	play_open(&play, "daupun", 2, "");
	FOLLOWS(&play, BEGIN "move 0 stake:240\n"
			     "move 1 in\n"
			     "pot 240\n"
			     "move 0 discard:9H\n"
			     "draw 1 {AH}1\n"
			     "move 1 stake\n"
			     "move 0 raise:242\n"
			     "move 1 out\n"
			     "win 0 out\n"
			     "gain 0 242\n"
			     "gain 1 0\n"
			     "score 0 242\n"
			     "score 1 0\n"
			     "round 2 dealer 1 cutter 0 first 0 pot 0\n" DEALT
			     "draw 0 {9H}0\n"
			     "move 0 stake:8\n"
			     "move 1 raise:246\n"
			     "move 0 in\n"
			     "pot 246\n"
			     "move 0 discard:9H\n"
			     "draw 1 {AH}1\n"
			     "move 1 stake\n"
			     "move 0 out\n"
			     "win 1 out\n"
			     "gain 0 0\n"
			     "gain 1 248\n"
			     "score 0 242\n"
			     "score 1 248\n"
			     "round 3 dealer 1 cutter 0 first 1 pot 0\n"
			     "deal 0 {AC 2C 7C TC TD}0\n"
			     "deal 1 {4D 5D 6D 6H 7D}1\n"
			     "draw 1 {AH}1\n"
			     "move 1 discard:AH:stay\n"
			     "move 0 stay\n"
			     "show 0 30 AC 2C 7C TC TD\n"
			     "show 1 28 4D 5D 6D 6H 7D\n"
			     "trick 1 AC 4D 0 5 3\n"
			     "trick 2 2C 5D 0 4 3\n"
			     "trick 3 7C 6D 1 3 1\n"
			     "trick 4 TC 6H 1 2 4\n"
			     "trick 5 TD 7D 1 1 3\n"
			     "remove 5 low\n"
			     "remove 3 low\n"
			     "field 0 2 30\n"
			     "field 1 1 6\n"
			     "win 0 tricks\n"
			     "gain 0 30\n"
			     "gain 1 6\n"
			     "score 0 272\n"
			     "score 1 254\n"
			     "crown 0 1\n"
			     "crown 1 1\n"
			     "result 0 1 272\n"
			     "result 1 2 254\n");
}

/* The last round ends the game; equal stones share place 1, and what a tie
 * left in the pot is lost. */
Test(daupun, R14_rounds)
{
	play_open(&play, "daupun", 2, "rounds=2 first=cutter");
	FOLLOWS(&play, BEGIN FIRST_GOES_OUT
		"round 2 dealer 0 cutter 1 first 1 pot 0\n" DEALT
		"draw 1 {9H}1\n"
		"move 1 stake\n"
		"move 0 out\n"
		"win 1 out\n"
		"gain 0 0\n"
		"gain 1 2\n"
		"score 0 2\n"
		"score 1 2\n"
		"result 0 1 2\n"
		"result 1 1 2\n");
	cr_assert(game_is_over(&play.game));
	play_open(&play, "daupun", 2, "rounds=1");
	FOLLOWS(&play, "round 1 dealer 1 cutter 0 first 0 pot 0\n" DEALT_ALIKE
		       "draw 0 {TC}0\n"
		       "move 0 stake\n"
		       "move 1 in\n"
		       "pot 3\n"
		       "move 0 discard:TC:stay\n"
		       "move 1 stay\n" BATTLE_ALIKE "win none tie\n"
		       "gain 0 0\n"
		       "gain 1 0\n"
		       "score 0 0\n"
		       "score 1 0\n"
		       "result 0 1 0\n"
		       "result 1 1 0\n");
}
