/* tests/unit/test-toepen.c - the rules of Toepen, rule by rule.
 *
 * Names of tests are the numbers of the rules (R) and of the resolved
 * questions (Q). */
#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/unit/play.h"

static struct play play;

/* Deals three seats face cards; seat 0 leads. */
#define DEAL3                                                                  \
	"round 1 2\n"                                                          \
	"deal 0 {JC QC KC AC}0\n"                                              \
	"deal 1 {JD QD KD AD}1\n"                                              \
	"deal 2 {JH QH KH AH}2\n"

/* Deals two seats face cards; seat 1 leads. */
#define DEAL2                                                                  \
	"round 1 0\n"                                                          \
	"deal 1 {JC QC KC AC}1\n"                                              \
	"deal 0 {JD QD KD AD}0\n"

/* ---- rules ------------------------------------------------------------ */

/* From the dealer's left, the dealer last; the leader is on turn. */
Test(toepen, R2_deal)
{
	play_open(&play, "toepen", 3, "");
	FOLLOWS(&play, "round 1 1\n"
		       "deal 2 {TS 7C JD AH}2\n"
		       "deal 0 {8C 9C JC QC}0\n"
		       "deal 1 {8D 9D TD QD}1\n"
		       "ask 0 pass knock mulligan\n"
		       "ask 1 pass knock mulligan\n"
		       "ask 2 play:JD play:AH play:7C play:TS knock mulligan\n"
		       "house 2 play:JD\n"
		       "house 0 pass\n");
}

Test(toepen, R2_no_card_twice)
{
	play_open(&play, "toepen", 2, "");
	cr_assert_not_null(play_follow(&play, "round 1 0\n"
					      "deal 1 {TS 7C JD AH}1\n"
					      "deal 0 {8C 9C TS QC}0\n"));
	cr_assert(play.chance.failed);
}

/* A seat that could only pass is not asked; a decision of the holder alone is
 * a single one. */
Test(toepen, R3_who_is_asked)
{
	play_open(&play, "toepen", 3, "points=2");
	FOLLOWS(&play,
		DEAL3 "ask 0 play:JC play:QC play:KC play:AC knock mulligan\n"
		      "ask 1 pass knock mulligan\n"
		      "ask 2 pass knock mulligan\n"
		      "refuse 1 play:JD\n"
		      "refuse 0 pass\n"
		      "refuse 1 pass\n"
		      "move 0 play:JC\n"
		      "ask 0 pass knock\n"
		      "ask 1 play:JD play:QD play:KD play:AD knock\n"
		      "ask 2 pass knock\n"
		      "move 2 knock\n"
		      "stake 2\n"
		      "move 0 stay\n"
		      "move 1 stay\n"
		      "ask 1 play:JD play:QD play:KD play:AD\n");
	cr_assert_eq(play.game.decision.kind, DECISION_SINGLE);
	FOLLOWS(&play, "refuse 0 knock\n"
		       "refuse 0 pass\n"
		       "move 1 play:JD\n");
}

/* A seat that has folded is never asked again in the round. */
Test(toepen, R3_only_who_is_in)
{
	play_open(&play, "toepen", 3, "");
	FOLLOWS(&play, DEAL3 "move 1 knock\n"
			     "stake 2\n"
			     "move 2 stay\n"
			     "move 0 fold\n"
			     "score 0 1\n"
			     "ask 1 play:JD play:QD play:KD play:AD mulligan\n"
			     "ask 2 pass knock mulligan\n"
			     "refuse 0 knock\n"
			     "refuse 0 mulligan\n"
			     "refuse 0 play:JC\n");
}

/* Q12: a mulligan goes before a knock, a knock before a card; within a class
 * clockwise from the seat on turn. */
Test(toepen, R3_classes)
{
	static const struct move pass = { .verb = VERB_PASS };
	struct move answer[SEATS_MAX], knock, mulligan, card;

	cr_assert_eq(game_move_read(&game_toepen, "knock", 5, &knock), 0);
	cr_assert_eq(game_move_read(&game_toepen, "mulligan", 8, &mulligan), 0);
	cr_assert_eq(game_move_read(&game_toepen, "play:JD", 7, &card), 0);
	play_open(&play, "toepen", 3, "");
	FOLLOWS(&play, "round 1 0\n"
		       "deal 1 {JD QD KD AD}1\n"
		       "deal 2 {JH QH KH AH}2\n"
		       "deal 0 {JC QC KC AC}0\n");
	answer[0] = answer[2] = pass;
	answer[1] = card;
	cr_assert_eq(game_first(&play.game, answer), 1);
	answer[0] = knock;
	cr_assert_eq(game_first(&play.game, answer), 0);
	answer[2] = knock;
	cr_assert_eq(game_first(&play.game, answer), 2, "clockwise from 1");
	answer[1] = knock;
	cr_assert_eq(game_first(&play.game, answer), 1, "itself first");
	answer[0] = mulligan;
	cr_assert_eq(game_first(&play.game, answer), 0);
}

Test(toepen, R4_follow_suit)
{
	play_open(&play, "toepen", 2, "points=1");
	FOLLOWS(&play, "round 1 0\n"
		       "deal 1 {JC QD KH AS}1\n"
		       "deal 0 {7C 8C TD 9D}0\n"
		       "ask 0 pass mulligan\n"
		       "ask 1 play:JC play:QD play:KH play:AS mulligan\n"
		       "move 1 play:QD\n"
		       "ask 0 play:9D play:TD\n"
		       "house 0 play:9D\n"
		       "refuse 0 play:7C\n"
		       "refuse 0 play:JC\n"
		       "move 0 play:TD\n"
		       "trick 0\n"
		       "ask 0 play:7C play:8C play:9D\n"
		       "move 0 play:9D\n"
		       "ask 1 play:JC play:KH play:AS\n");
}

/* Q6: the suit of a leader that has folded must still be followed. */
Test(toepen, R4_follow_a_leader_who_folded)
{
	play_open(&play, "toepen", 3, "");
	FOLLOWS(&play, "round 1 2\n"
		       "deal 0 {JC QC KC AC}0\n"
		       "deal 1 {JD QD 7C AD}1\n"
		       "deal 2 {JH QH KH 8C}2\n"
		       "move 0 play:JC\n"
		       "move 2 knock\n"
		       "stake 2\n"
		       "move 0 fold\n"
		       "score 0 1\n"
		       "move 1 stay\n"
		       "ask 1 play:7C knock\n"
		       "refuse 1 play:JD\n"
		       "move 1 play:7C\n"
		       "ask 1 pass knock\n"
		       "ask 2 play:8C\n");
}

/* The others answer one after the other from the left of the knocker, also
 * where all before them have folded; a fold pays the stake before the knock,
 * at once (Q5). */
Test(toepen, R5_knock)
{
	play_open(&play, "toepen", 4, "");
	FOLLOWS(&play, "round 1 0\n"
		       "deal 1 {JC QC KC AC}1\n"
		       "deal 2 {JD QD KD AD}2\n"
		       "deal 3 {JH QH KH AH}3\n"
		       "deal 0 {JS QS KS AS}0\n"
		       "move 2 knock\n"
		       "stake 2\n"
		       "ask 3 fold stay\n"
		       "house 3 fold\n"
		       "refuse 0 stay\n"
		       "refuse 3 knock\n"
		       "refuse 3 pass\n"
		       "move 3 stay\n"
		       "ask 0 fold stay\n"
		       "move 0 fold\n"
		       "score 0 1\n"
		       "ask 1 fold stay\n"
		       "move 1 stay\n"
		       "move 3 knock\n"
		       "stake 3\n"
		       "ask 1 fold stay\n"
		       "move 1 fold\n"
		       "score 1 2\n"
		       "ask 2 fold stay\n"
		       "move 2 fold\n"
		       "score 2 2\n"
		       "win 3\n"
		       "round 2 1\n"
		       "deal 2 {JC QC KC AC}2\n"
		       "deal 3 {JD QD KD AD}3\n"
		       "deal 0 {JH QH KH AH}0\n"
		       "deal 1 {JS QS KS AS}1\n");
}

/* The last knocker may not knock again until another seat has. */
Test(toepen, R5_not_twice_in_a_row)
{
	play_open(&play, "toepen", 2, "");
	FOLLOWS(&play,
		DEAL2 "move 0 knock\n"
		      "stake 2\n"
		      "move 1 stay\n"
		      "refuse 0 knock\n"
		      "ask 0 pass mulligan\n"
		      "ask 1 play:JC play:QC play:KC play:AC knock mulligan\n"
		      "move 1 knock\n"
		      "stake 3\n"
		      "move 0 stay\n"
		      "refuse 1 knock\n"
		      "move 0 knock\n"
		      "stake 4\n");
}

/* The order of the old hand is that of its deal line; the seat keeps the new
 * hand; a mulligan may be made again and again (Q8), also after a knock (Q7),
 * while the stock has four cards. */
Test(toepen, R6_mulligan)
{
	play_open(&play, "toepen", 2, "");
	FOLLOWS(&play, "round 1 0\n"
		       "deal 1 {QC JC AC KC}1\n"
		       "deal 0 {JD QD KD AD}0\n"
		       "move 0 knock\n"
		       "stake 2\n"
		       "move 1 stay\n"
		       "move 1 mulligan\n"
		       "deal 1 {7H 8H 9H TH}1\n"
		       "ask 0 pass challenge\n"
		       "house 0 pass\n"
		       "refuse 1 challenge\n"
		       "refuse 0 knock\n"
		       "move 0 challenge\n"
		       "reveal 1 QC JC AC KC\n"
		       "score 0 1\n"
		       "ask 0 pass mulligan\n"
		       "ask 1 play:7H play:8H play:9H play:TH knock mulligan\n"
		       "move 1 mulligan\n"
		       "deal 1 {7S 8S 9S TS}1\n"
		       "quiet\n"
		       "move 0 mulligan\n"
		       "deal 0 {7D 8D 9D TD}0\n"
		       "quiet\n"
		       "move 0 mulligan\n"
		       "deal 0 {JH QH KH AH}0\n"
		       "move 1 challenge\n"
		       "reveal 0 7D 8D 9D TD\n"
		       "score 0 2\n"
		       "move 1 mulligan\n"
		       "deal 1 {JS QS KS AS}1\n"
		       "quiet\n"
		       "move 1 mulligan\n"
		       "deal 1 {7C 8C 9C TC}1\n"
		       "quiet\n"
		       "refuse 0 mulligan\n"
		       "refuse 1 mulligan\n"
		       "ask 1 play:7C play:8C play:9C play:TC knock\n");
}

/* Cards that were laid down or played do not come again in the round. */
Test(toepen, R6_the_old_hand_is_gone)
{
	play_open(&play, "toepen", 2, "");
	FOLLOWS(&play, "round 1 0\n"
		       "deal 1 {QC JC AC KC}1\n"
		       "deal 0 {JD QD KD AD}0\n");
	cr_assert_not_null(play_follow(&play, "move 1 mulligan\n"
					      "deal 1 {7H 8H 9H QC}1\n"));
	cr_assert(play.chance.failed);
}

/* Q7: the opening ends with the first card of the round. */
Test(toepen, R6_only_in_the_opening)
{
	play_open(&play, "toepen", 2, "");
	FOLLOWS(&play, "round 1 0\n"
		       "deal 1 {QC JC AC KC}1\n"
		       "deal 0 {JD QD KD AD}0\n"
		       "move 1 play:QC\n"
		       "refuse 0 mulligan\n"
		       "refuse 1 mulligan\n"
		       "move 0 play:JD\n"
		       "trick 1\n"
		       "refuse 0 mulligan\n"
		       "ask 0 pass knock\n"
		       "ask 1 play:JC play:KC play:AC knock\n");
}

/* Q1: eight hands leave no stock. */
Test(toepen, Q1_eight_seats)
{
	play_open(&play, "toepen", 8, "points=1");
	FOLLOWS(&play, "round 1 7\n"
		       "deal 0 {JC QC KC AC}0\n"
		       "deal 1 {JD QD KD AD}1\n"
		       "deal 2 {JH QH KH AH}2\n"
		       "deal 3 {JS QS KS AS}3\n"
		       "deal 4 {7C 8C 9C TC}4\n"
		       "deal 5 {7D 8D 9D TD}5\n"
		       "deal 6 {7H 8H 9H TH}6\n"
		       "deal 7 {7S 8S 9S TS}7\n"
		       "ask 0 play:JC play:QC play:KC play:AC\n"
		       "refuse 1 mulligan\n"
		       "move 0 play:JC\n");
}

/* The other seats that are in are asked to challenge, in this order. */
Test(toepen, R7_who_may_challenge)
{
	play_open(&play, "toepen", 4, "");
	FOLLOWS(&play, "round 1 0\n"
		       "deal 1 {JC QC KC AC}1\n"
		       "deal 2 {JD QD KD AD}2\n"
		       "deal 3 {JH QH KH AH}3\n"
		       "deal 0 {JS QS KS 7S}0\n"
		       "move 1 knock\n"
		       "stake 2\n"
		       "move 2 fold\n"
		       "score 2 1\n"
		       "move 3 stay\n"
		       "move 0 stay\n"
		       "move 0 mulligan\n"
		       "deal 0 {7C 8C 9C TC}0\n"
		       "ask 1 pass challenge\n"
		       "ask 3 pass challenge\n");
	cr_assert_eq(play.game.decision.kind, DECISION_OPEN);
	cr_assert_eq(play.game.decision.holder, -1);
	cr_assert_eq(play.game.decision.seat[0], 1);
	cr_assert_eq(play.game.decision.seat[1], 3);
	FOLLOWS(&play, "refuse 2 challenge\n"
		       "move 3 challenge\n"
		       "reveal 0 JS QS KS 7S\n"
		       "score 0 1\n"
		       "refuse 1 challenge\n");
}

/* Four face cards: the challenger pays. One number card: who mulliganed. */
Test(toepen, R7_face_cards)
{
	static const char *const number[] = { "7", "8", "9", "T" };
	char lines[512];
	unsigned i;

	play_open(&play, "toepen", 2, "");
	FOLLOWS(&play, DEAL2 "move 1 mulligan\n"
			     "deal 1 {JH QH KH AH}1\n"
			     "move 0 challenge\n"
			     "reveal 1 JC QC KC AC\n"
			     "score 0 1\n");
	for (i = 0; i < NELEM(number); i++) {
		play_open(&play, "toepen", 2, "");
		snprintf(lines, sizeof(lines),
			 "round 1 0\n"
			 "deal 1 {JC QC KC %sC}1\n"
			 "deal 0 {JD QD KD AD}0\n"
			 "move 1 mulligan\n"
			 "deal 1 {JH QH KH AH}1\n"
			 "move 0 challenge\n"
			 "reveal 1 JC QC KC %sC\n"
			 "score 1 1\n",
			 number[i], number[i]);
		FOLLOWS(&play, lines);
	}
}

/* Q10: eliminated by a challenge in the opening; one seat left wins. */
Test(toepen, R8_only_one_seat_in)
{
	play_open(&play, "toepen", 2, "points=1");
	FOLLOWS(&play, "round 1 0\n"
		       "deal 1 {JC QC KC 7C}1\n"
		       "deal 0 {JD QD KD AD}0\n"
		       "move 1 mulligan\n"
		       "deal 1 {JH QH KH AH}1\n"
		       "move 0 challenge\n"
		       "reveal 1 JC QC KC 7C\n"
		       "score 1 1\n"
		       "out 1\n"
		       "win 0\n"
		       "result 0 1 0\n"
		       "result 1 2 1\n");
	cr_assert(game_is_over(&play.game));
}

/* The seat on turn is eliminated; the next clockwise leads. */
Test(toepen, R8_the_leader_is_eliminated)
{
	play_open(&play, "toepen", 3, "points=1");
	FOLLOWS(&play, "round 1 0\n"
		       "deal 1 {JC QC KC 7C}1\n"
		       "deal 2 {JD QD KD AD}2\n"
		       "deal 0 {JH QH KH AH}0\n"
		       "move 1 mulligan\n"
		       "deal 1 {JS QS KS AS}1\n"
		       "move 0 challenge\n"
		       "reveal 1 JC QC KC 7C\n"
		       "score 1 1\n"
		       "out 1\n"
		       "ask 0 pass mulligan\n"
		       "ask 2 play:JD play:QD play:KD play:AD mulligan\n");
}

/* A fold completes the trick: all seats that are still in have played. */
Test(toepen, R8_a_fold_completes_the_trick)
{
	play_open(&play, "toepen", 3, "");
	FOLLOWS(&play, "round 1 2\n"
		       "deal 0 {JC QC KC AC}0\n"
		       "deal 1 {TC QD KD AD}1\n"
		       "deal 2 {JH QH KH AH}2\n"
		       "move 0 play:JC\n"
		       "move 1 play:TC\n"
		       "move 0 knock\n"
		       "stake 2\n"
		       "move 1 stay\n"
		       "move 2 fold\n"
		       "score 2 1\n"
		       "trick 1\n"
		       "ask 1 play:QD play:KD play:AD knock\n");
}

/* Only the highest card of the suit led wins, however high another is. */
Test(toepen, R9_highest_of_the_suit)
{
	play_open(&play, "toepen", 3, "");
	FOLLOWS(&play, "round 1 2\n"
		       "deal 0 {JC QC KC AC}0\n"
		       "deal 1 {QD TD KD AD}1\n"
		       "deal 2 {QH 7C KH AH}2\n"
		       "move 0 play:AC\n"
		       "move 1 play:TD\n"
		       "move 2 play:7C\n"
		       "trick 2\n"
		       "move 2 play:QH\n"
		       "move 0 play:KC\n"
		       "move 1 play:KD\n"
		       "trick 2\n");
}

/* The ranks from low to high are J Q K A 7 8 9 T. */
Test(toepen, R9_rank_order)
{
	play_open(&play, "toepen", 2, "");
	FOLLOWS(&play, "round 1 0\n"
		       "deal 1 {JC KC 7C 9C}1\n"
		       "deal 0 {QC AC 8C TC}0\n"
		       "move 1 play:JC\n"
		       "move 0 play:QC\n"
		       "trick 0\n"
		       "move 0 play:AC\n"
		       "move 1 play:KC\n"
		       "trick 0\n"
		       "move 0 play:8C\n"
		       "move 1 play:7C\n"
		       "trick 0\n"
		       "move 0 play:TC\n"
		       "move 1 play:9C\n"
		       "trick 0\n"
		       "win 0\n"
		       "score 1 1\n"
		       "round 2 1\n"
		       "deal 0 {JC KC 7C 9C}0\n"
		       "deal 1 {QC AC 8C TC}1\n");
}

/* Q6: no card of the suit led belongs to a seat that is in: the earliest card
 * that does belong to one sets the suit. */
Test(toepen, R9_the_suit_led_has_left)
{
	play_open(&play, "toepen", 4, "");
	FOLLOWS(&play, "round 1 3\n"
		       "deal 0 {JC QC KC AC}0\n"
		       "deal 1 {7D 8D 9D JD}1\n"
		       "deal 2 {TH QH KH AH}2\n"
		       "deal 3 {QD TD KD AD}3\n"
		       "move 0 play:JC\n"
		       "move 1 play:JD\n"
		       "move 2 play:TH\n"
		       "move 3 play:QD\n"
		       "trick 0\n"
		       "move 0 play:QC\n"
		       "move 1 play:7D\n"
		       "move 2 play:QH\n"
		       "move 1 knock\n"
		       "stake 2\n"
		       "move 2 stay\n"
		       "move 3 stay\n"
		       "move 0 fold\n"
		       "score 0 1\n"
		       "move 3 play:TD\n"
		       "trick 3\n");
}

/* The earliest card is the first in turn behind the leader, not that of the lowest
 * seat. */
Test(toepen, Q6_the_earliest_card_in_turn)
{
	play_open(&play, "toepen", 4, "");
	FOLLOWS(&play, "round 1 1\n"
		       "deal 2 {JC QC KC AC}2\n"
		       "deal 3 {7D 8D 9D JD}3\n"
		       "deal 0 {TH QH KH AH}0\n"
		       "deal 1 {QD TD KD AD}1\n"
		       "move 2 play:JC\n"
		       "move 3 play:JD\n"
		       "move 0 play:TH\n"
		       "move 1 play:QD\n"
		       "trick 2\n"
		       "move 2 play:QC\n"
		       "move 3 play:7D\n"
		       "move 0 play:QH\n"
		       "move 3 knock\n"
		       "stake 2\n"
		       "move 0 stay\n"
		       "move 1 stay\n"
		       "move 2 fold\n"
		       "score 2 1\n"
		       "move 1 play:TD\n"
		       "trick 1\n");
}

/* R10: a seat is eliminated at once, in the middle of the answers; Q13. */
Test(toepen, R10_elimination)
{
	play_open(&play, "toepen", 3, "points=2");
	FOLLOWS(&play, "round 1 0\n"
		       "deal 1 {JC QC KC AC}1\n"
		       "deal 2 {JD QD KD AD}2\n"
		       "deal 0 {JH QH KH AH}0\n"
		       "move 0 knock\n"
		       "stake 2\n"
		       "move 1 fold\n"
		       "score 1 1\n"
		       "move 2 fold\n"
		       "score 2 1\n"
		       "win 0\n"
		       "round 2 1\n"
		       "deal 2 {JC QC KC AC}2\n"
		       "deal 0 {JD QD KD AD}0\n"
		       "deal 1 {JH QH KH AH}1\n"
		       "move 0 knock\n"
		       "stake 2\n"
		       "move 1 fold\n"
		       "score 1 2\n"
		       "out 1\n"
		       "ask 2 fold stay\n"
		       "move 2 stay\n"
		       "ask 0 pass mulligan\n"
		       "ask 2 play:JC play:QC play:KC play:AC mulligan\n");
}

/* The winner gets nothing, and each seat that stayed gets the stake, in rising
 * order of seats; the next dealer is the next seat alive after the dealer,
 * which may be out. */
Test(toepen, R11_end_of_a_round)
{
	play_open(&play, "toepen", 3, "points=2");
	FOLLOWS(&play, "round 1 1\n"
		       "deal 2 {JC QC KC AC}2\n"
		       "deal 0 {JD QD KD AD}0\n"
		       "deal 1 {JH QH KH AH}1\n"
		       "move 0 knock\n"
		       "stake 2\n"
		       "move 1 stay\n"
		       "move 2 fold\n"
		       "score 2 1\n"
		       "move 0 play:JD\n"
		       "move 1 play:JH\n"
		       "trick 0\n"
		       "move 0 play:QD\n"
		       "move 1 play:QH\n"
		       "trick 0\n"
		       "move 0 play:KD\n"
		       "move 1 play:KH\n"
		       "trick 0\n"
		       "move 0 play:AD\n"
		       "move 1 play:AH\n"
		       "trick 0\n"
		       "win 0\n"
		       "score 1 2\n"
		       "out 1\n"
		       "round 2 2\n"
		       "deal 0 {JC QC KC AC}0\n"
		       "deal 2 {JD QD KD AD}2\n");
}

/* Two seats pay the stake; both reach `points` in the same round: fewer points
 * is better (Q13), and both are behind the winner. */
Test(toepen, Q13_places_within_a_round)
{
	play_open(&play, "toepen", 3, "points=1");
	FOLLOWS(&play, "round 1 1\n"
		       "deal 2 {JC QC KC AC}2\n"
		       "deal 0 {JD QD KD AD}0\n"
		       "deal 1 {JH QH KH AH}1\n"
		       "ask 0 pass mulligan\n"
		       "ask 1 pass mulligan\n"
		       "ask 2 play:JC play:QC play:KC play:AC mulligan\n"
		       "move 2 play:JC\n"
		       "ask 0 play:JD play:QD play:KD play:AD\n"
		       "move 0 play:JD\n"
		       "move 1 play:JH\n"
		       "trick 2\n"
		       "move 2 play:QC\n"
		       "move 0 play:QD\n"
		       "move 1 play:QH\n"
		       "trick 2\n"
		       "move 2 play:KC\n"
		       "move 0 play:KD\n"
		       "move 1 play:KH\n"
		       "trick 2\n"
		       "move 2 play:AC\n"
		       "move 0 play:AD\n"
		       "move 1 play:AH\n"
		       "trick 2\n"
		       "win 2\n"
		       "score 0 1\n"
		       "out 0\n"
		       "score 1 1\n"
		       "out 1\n"
		       "result 0 2 1\n"
		       "result 1 2 1\n"
		       "result 2 1 0\n");
	cr_assert(game_is_over(&play.game));
}

/* Out in a later round is better; in the same round fewer points are. */
Test(toepen, Q13_places_by_round_then_points)
{
	play_open(&play, "toepen", 4, "points=2");
	FOLLOWS(&play, "round 1 0\n"
		       "deal 1 {JC QC KC AC}1\n"
		       "deal 2 {7D 8D 9D JD}2\n"
		       "deal 3 {TH 9H 8H 7H}3\n"
		       "deal 0 {JS QS KS AS}0\n"
		       "move 2 mulligan\n"
		       "deal 2 {QD KD AD TD}2\n"
		       "move 1 challenge\n"
		       "reveal 2 7D 8D 9D JD\n"
		       "score 2 1\n"
		       "move 3 knock\n"
		       "stake 2\n"
		       "move 0 fold\n"
		       "score 0 1\n"
		       "move 1 stay\n"
		       "move 2 stay\n"
		       "move 1 play:JC\n"
		       "move 2 play:QD\n"
		       "move 3 play:7H\n"
		       "trick 1\n"
		       "move 1 play:QC\n"
		       "move 2 play:KD\n"
		       "move 3 play:8H\n"
		       "trick 1\n"
		       "move 1 play:KC\n"
		       "move 2 play:AD\n"
		       "move 3 play:9H\n"
		       "trick 1\n"
		       "move 1 play:AC\n"
		       "move 2 play:TD\n"
		       "move 3 play:TH\n"
		       "trick 1\n"
		       "win 1\n"
		       "score 2 3\n"
		       "out 2\n"
		       "score 3 2\n"
		       "out 3\n"
		       "round 2 1\n"
		       "deal 0 {JC QC KC AC}0\n"
		       "deal 1 {JD QD KD AD}1\n"
		       "ask 0 play:JC play:QC play:KC play:AC knock mulligan\n"
		       "ask 1 pass knock mulligan\n"
		       "move 1 knock\n"
		       "stake 2\n"
		       "move 0 fold\n"
		       "score 0 2\n"
		       "out 0\n"
		       "win 1\n"
		       "result 0 2 2\n"
		       "result 1 1 0\n"
		       "result 2 4 3\n"
		       "result 3 3 2\n");
}

/* Q4: no knock once the stake is `points`. */
Test(toepen, Q4_the_stake_has_a_limit)
{
	play_open(&play, "toepen", 2, "points=3");
	FOLLOWS(&play,
		DEAL2 "move 0 knock\n"
		      "stake 2\n"
		      "move 1 stay\n"
		      "move 1 knock\n"
		      "stake 3\n"
		      "move 0 stay\n"
		      "refuse 0 knock\n"
		      "refuse 1 knock\n"
		      "ask 0 pass mulligan\n"
		      "ask 1 play:JC play:QC play:KC play:AC mulligan\n");
}

/* Section 7: the lowest rank, then the first suit, of what may be played. */
Test(toepen, house_moves)
{
	play_open(&play, "toepen", 2, "points=1");
	FOLLOWS(&play, "round 1 0\n"
		       "deal 1 {TC 7S AH AD}1\n"
		       "deal 0 {TD 8H JS JD}0\n"
		       "house 1 play:AD\n"
		       "move 1 play:AH\n"
		       "house 0 play:8H\n"
		       "move 0 play:8H\n"
		       "trick 0\n"
		       "house 0 play:JD\n");
}
