/* tests/unit/test-durnius.c - the rules of Durnius, rule by rule: how a game and a
 * turn begin (R1 to R7).
 *
 * Names of tests are the numbers of the rules; a Q in a comment is a resolved
 * question that the test decides. */
#include <criterion/criterion.h>

#include "tests/unit/durnius-deals.h"
#include "tests/unit/play.h"

static struct play play;

/* ---- a game begins ---------------------------------------------------- */

/* From the dealer's left, the dealer last; then the trump card and the talon.
 */
Test(durnius, R2_deal)
{
	play_open(&play, "durnius", 3, "");
	FOLLOWS(&play, DEAL3 "turn 1 0 1\n"
			     "ask 0 attack:7D attack:8S attack:TH attack:6C "
			     "attack:JC attack:AC\n");
}

/* Q10: no talon; the dealer's last card lies open and is in its hand. */
Test(durnius, R2_six_seats_one_deck)
{
	play_open(&play, "durnius", 6, "");
	FOLLOWS(&play, "round 1 0\n" DEALT_BY_0 "lowest 5 6H\n"
		       "turn 1 5 0\n"
		       "move 5 attack:AC\n"
		       "move 0 beat:AC:AH\n");
}

/* The dealer is the seat on the left of the last dealer. */
Test(durnius, R2_next_dealer_in_turn)
{
	play_open(&play, "durnius", 6, "games=2");
	FOLLOWS(&play, FIVE_IS_THE_FOOL FIVE_PAYS "round 2 0\n" DEALT_BY_0
						  "lowest 5 6H\n"
						  "turn 1 5 0\n");
}

/* Seat 5 deals again. */
Test(durnius, R2_next_dealer_is_the_fool)
{
	play_open(&play, "durnius", 6, "games=2 dealer=fool");
	FOLLOWS(&play,
		FIVE_IS_THE_FOOL FIVE_PAYS "round 2 5\n"
					   "deal 0 {6C 6D 6S 7C 7D 7S}0\n"
					   "deal 1 {8C 8D 8S 9C 9D 9S}1\n"
					   "deal 2 {TC TD TS JC JD JS}2\n"
					   "deal 3 {QC QD QS KC KD KS}3\n"
					   "deal 4 {AC AD AS 6H 7H 8H}4\n"
					   "deal 5 {9H TH JH QH KH}5 AH\n"
					   "trump AH\n"
					   "lowest 4 6H\n"
					   "turn 1 4 5\n");
}

/* A talon for six seats, too; equal cards are the same token. */
Test(durnius, R2_six_seats_two_decks)
{
	play_open(&play, "durnius", 6, "decks=2");
	FOLLOWS(&play,
		"round 1 5\n"
		"deal 0 {6C 6C 6D 6D 6S 6S}0\n"
		"deal 1 {7C 7C 7D 7D 7S 7S}1\n"
		"deal 2 {8C 8C 8D 8D 8S 8S}2\n"
		"deal 3 {9C 9C 9D 9D 9S 9S}3\n"
		"deal 4 {TC TC TD TD TS TS}4\n"
		"deal 5 {JC JC JD JD JS JS}5\n"
		"trump 6H\n"
		"talon {6H 7H 7H 8H 8H 9H 9H TH TH JH JH QC QC QD QD QH QH QS "
		"QS KC KC KD KD KH KH KS KS AC AC AD AD AH AH AS AS}\n"
		"lowest none\n"
		"turn 1 0 1\n"
		"ask 0 attack:6C attack:6D attack:6S\n");
}

Test(durnius, R2_no_card_more_often_than_there_are_decks)
{
	play_open(&play, "durnius", 2, "");
	cr_assert_not_null(play_follow(&play, "round 1 1\n"
					      "deal 0 {6C 6D 6H 6S 7C 6C}0\n"));
	cr_assert(play.chance.failed);
	play_open(&play, "durnius", 2, "decks=2");
	cr_assert_not_null(play_follow(&play, "round 1 1\n"
					      "deal 0 {6C 6D 6C 6S 7C 6C}0\n"));
	cr_assert(play.chance.failed);
}

/* Q11: the dealer's left attacks first. */
Test(durnius, R3_no_trump_held)
{
	play_open(&play, "durnius", 2, "");
	FOLLOWS(&play, "round 1 1\n"
		       "deal 0 {6C 6D 7C 7D 8C 8D}0\n"
		       "deal 1 {9C 9D TC TD JC JD}1\n"
		       "trump AH\n"
		       "talon {6H 6S 7H 7S 8H 8S 9H 9S TH TS JH JS QC QD QH QS "
		       "KC KD KH KS AC AD AS}\n"
		       "lowest none\n"
		       "turn 1 0 1\n"
		       "ask 0 attack:6C attack:6D attack:7C attack:7D "
		       "attack:8C attack:8D\n");
}

/* The fool is the first defender; the dealer goes on in turn. */
Test(durnius, R3_start_right)
{
	play_open(&play, "durnius", 6, "games=2 start=right");
	FOLLOWS(&play, FIVE_IS_THE_FOOL FIVE_PAYS "round 2 0\n" DEALT_BY_0
						  "turn 1 4 5\n");
}

/* If two seats have the lowest trump, the first from the dealer's left begins. */
Test(durnius, R3_several_holders)
{
	play_open(&play, "durnius", 6, "decks=2");
	FOLLOWS(&play,
		"round 1 0\n"
		"deal 1 {6C 6C 6D 6D 6S 6S}1\n"
		"deal 2 {7C 7C 7D 7D 7S 7S}2\n"
		"deal 3 {8C 8C 8D 8D 8S 6H}3\n"
		"deal 4 {9C 9C 9D 9D 9S 9S}4\n"
		"deal 5 {TC TC TD TD TS TS}5\n"
		"deal 0 {JC JC JD JD JS 6H}0\n"
		"trump 7H\n"
		"talon {7H 8H 8H 8S 9H 9H TH TH JH JH JS QC QC QD QD QH QH QS "
		"QS KC KC KD KD KH KH KS KS AC AC AD AD AH AH AS AS}\n"
		"lowest 3 6H\n"
		"turn 1 3 4\n"
		"ask 3 attack:8C attack:8D attack:8S attack:6H\n");
}

/* Seats 1 and 4 are the first team out, and 1 left first (Q17). */
Test(durnius, R3_start_winners)
{
	play_open(&play, "durnius", 6, "games=2 start=winners teams=pairs");
	FOLLOWS(&play,
		DEAL6 "turn 1 0 1 0 1\n" ZERO_AND_ONE_OUT THREE_OUT_IN_PAIRS
		      "fool 2\n"
		      "score 0 0\n"
		      "score 1 0\n"
		      "score 2 -1\n"
		      "score 3 0\n"
		      "score 4 0\n"
		      "score 5 -1\n"
		      "round 2 0\n" DEALT_BY_0 "turn 1 1 2 1 2\n");
}

/* After a game without a fool: the lowest trump, and the dealer in turn. */
Test(durnius, R3_no_fool)
{
	play_open(&play, "durnius", 6, "games=2 start=right dealer=fool");
	FOLLOWS(&play, DEAL6_DRAW
		"turn 1 0 1\n" ZERO_AND_ONE_OUT TWO_AND_THREE_OUT ALL_OUT
		"fool none\n" ALL_HAVE_0 "round 2 0\n" DEALT_BY_0
		"lowest 5 6H\n"
		"turn 1 5 0\n");
}

/* ---- a turn ------------------------------------------------------------ */

/* R1: seats 0 and 1 have left; their chairs are those of 3 and 4 now. */
Test(durnius, R4_chairs_of_pairs)
{
	play_open(&play, "durnius", 6, "teams=pairs");
	FOLLOWS(&play,
		DEAL6 "turn 1 0 1 0 1\n" ZERO_AND_ONE_OUT "turn 2 4 2 1 2\n"
		      "ask 4 attack:8H attack:AC attack:AD attack:AH attack:8S "
		      "attack:AS\n");
}

/* R1: the chair of 1 goes to the next of its team clockwise. */
Test(durnius, R4_chairs_of_threes)
{
	play_open(&play, "durnius", 6, "teams=threes");
	FOLLOWS(&play,
		DEAL6 "turn 1 0 1 0 1\n" ZERO_AND_ONE_OUT "turn 2 3 2 1 2\n"
		      "ask 3 attack:JH attack:QC attack:QD attack:KC attack:KD "
		      "attack:JS\n");
}

/* Without teams the chairs of seats that have left are empty (R11). */
Test(durnius, R4_empty_chairs)
{
	play_open(&play, "durnius", 6, "");
	FOLLOWS(&play, DEAL6 "turn 1 0 1\n" ZERO_AND_ONE_OUT "turn 2 2 3\n"
			     "ask 2 attack:TC attack:TD attack:TH attack:JC "
			     "attack:JD attack:TS\n");
}

/* The attacker may play each card of the hand; the house move is the lowest that is no
 * trump. */
Test(durnius, R5_attack)
{
	play_open(&play, "durnius", 3, "");
	FOLLOWS(&play, DEAL3 "turn 1 0 1\n"
			     "house 0 attack:7D\n"
			     "ask 0 attack:7D attack:8S attack:TH attack:6C "
			     "attack:JC attack:AC\n"
			     "refuse 0 pass\n"
			     "refuse 0 take\n"
			     "refuse 0 attack:6D\n"
			     "refuse 1 attack:6D\n"
			     "refuse 0 add:7D\n"
			     "move 0 attack:AC\n");
}

/* The house move is the lowest trump. */
Test(durnius, R5_only_trumps)
{
	play_open(&play, "durnius", 2, "");
	FOLLOWS(&play, "round 1 1\n"
		       "deal 0 {9C 7C 8C TC QC JC}0\n"
		       "deal 1 {6D 7D 8D 9D TD JD}1\n"
		       "trump AC\n"
		       "talon {6C 6H 6S 7H 7S 8H 8S 9H 9S TH TS JH JS QD QH QS "
		       "KC KD KH KS AD AH AS}\n"
		       "lowest 0 7C\n"
		       "turn 1 0 1\n"
		       "house 0 attack:7C\n"
		       "ask 0 attack:7C attack:8C attack:9C attack:TC "
		       "attack:JC attack:QC\n");
}

/* The others may add from the start; a seat that cannot is still asked (Q3). */
Test(durnius, R6_any)
{
	play_open(&play, "durnius", 3, "");
	FOLLOWS(&play, DEAL3 "turn 1 0 1\n"
			     "move 0 attack:7D\n"
			     "ask 0 pass\n"
			     "ask 1 take beat:7D:7C beat:7D:TD beat:7D:AD\n"
			     "ask 2 pass add:7S\n"
			     "refuse 0 add:7D\n"
			     "refuse 1 add:7C\n"
			     "refuse 2 add:8C\n"
			     "refuse 2 pass\n"
			     "move 2 add:7S\n"
			     "ask 0 pass\n"
			     "ask 1 take beat:7D:7C beat:7D:TD beat:7D:AD "
			     "beat:7S:7C beat:7S:9S\n"
			     "ask 2 pass\n");
}

/* No seat adds before the first card is beaten. */
Test(durnius, R6_defended)
{
	play_open(&play, "durnius", 3, "adding=defended");
	FOLLOWS(&play, DEAL3 "turn 1 0 1\n"
			     "move 0 attack:7D\n"
			     "ask 1 take beat:7D:7C beat:7D:TD beat:7D:AD\n"
			     "refuse 2 add:7S\n"
			     "refuse 2 pass\n"
			     "move 1 beat:7D:7C\n"
			     "ask 0 pass\n"
			     "ask 2 pass add:7S\n"
			     "move 2 add:7S\n"
			     "ask 0 pass\n"
			     "ask 1 take beat:7S:9S\n"
			     "ask 2 pass\n");
}

/* Q1, Q5: as many attacking cards as the defender held, beaten ones counted. */
Test(durnius, R6_limit)
{
	play_open(&play, "durnius", 6, "");
	FOLLOWS(&play,
		DEAL6 "turn 1 0 1\n"
		      "move 0 attack:6C\n"
		      "move 0 add:6D\n"
		      "move 0 add:6H\n"
		      "move 0 add:6S\n"
		      "move 1 beat:6H:7H\n"
		      "move 0 add:7C\n"
		      "ask 0 pass add:7D\n"
		      "ask 1 take beat:6C:7S beat:6C:8C beat:6C:9C beat:6D:7S "
		      "beat:6D:8D beat:6D:9D beat:6S:7S beat:7C:7S beat:7C:8C "
		      "beat:7C:9C\n"
		      "ask 2 pass\n"
		      "ask 3 pass\n"
		      "ask 4 pass\n"
		      "ask 5 pass\n"
		      "move 0 add:7D\n"
		      "ask 1 take beat:6C:7S beat:6C:8C beat:6C:9C beat:6D:7S "
		      "beat:6D:8D beat:6D:9D beat:6S:7S beat:7C:7S beat:7C:8C "
		      "beat:7C:9C beat:7D:7S beat:7D:8D beat:7D:9D\n");
}

/* Q16: seat 4 is of the side of seat 1. */
Test(durnius, R6_not_against_a_partner)
{
	play_open(&play, "durnius", 6, "teams=pairs");
	FOLLOWS(&play, DEAL6 "turn 1 0 1 0 1\n"
			     "move 0 attack:6C\n"
			     "ask 0 pass add:6D add:6H add:6S\n"
			     "ask 1 take beat:6C:7S beat:6C:8C beat:6C:9C\n"
			     "ask 2 pass\n"
			     "ask 3 pass\n"
			     "ask 5 pass\n"
			     "refuse 4 pass\n");
}

/* Nor seats 3 and 5, where teams are threes. */
Test(durnius, R6_not_against_partners_of_threes)
{
	play_open(&play, "durnius", 6, "teams=threes");
	FOLLOWS(&play, DEAL6 "turn 1 0 1 0 1\n"
			     "move 0 attack:6C\n"
			     "ask 0 pass add:6D add:6H add:6S\n"
			     "ask 1 take beat:6C:7S beat:6C:8C beat:6C:9C\n"
			     "ask 2 pass\n"
			     "ask 4 pass\n");
}

/* A seat without cards is not asked, but leaves only at the end (Q14). */
Test(durnius, R6_empty_hand)
{
	play_open(&play, "durnius", 6, "");
	FOLLOWS(&play, DEAL6
		"turn 1 0 1\n" ZERO_AND_ONE_OUT TWO_AND_THREE_OUT "turn 3 4 5\n"
		"move 4 attack:AC\n"
		"move 4 add:AD\n"
		"move 4 add:AH\n"
		"move 4 add:AS\n"
		"move 5 take\n"
		"pickup 5 4\n"
		"turn 4 4 5\n"
		"move 4 attack:8H\n"
		"move 4 add:8S\n"
		"ask 5 take beat:8H:9H beat:8H:9S beat:8H:QH beat:8H:QS "
		"beat:8H:KH beat:8H:KS beat:8H:AH beat:8H:AS beat:8S:9S "
		"beat:8S:QS beat:8S:KS beat:8S:AS\n"
		"refuse 4 pass\n"
		"move 5 take\n"
		"pickup 5 2\n"
		"out 4\n"
		"fool 5\n" FIVE_PAYS FIVE_IS_LAST);
}

/* Covers all four cases: a holder, no holder, no seat asked, only the defender. */
Test(durnius, R7_one_after_the_other)
{
	play_open(&play, "durnius", 2, "adding=defended");
	FOLLOWS(&play, "round 1 1\n"
		       "deal 0 {6C 7D 8S TH JC AC}0\n"
		       "deal 1 {6D 7C 9S TD QH AD}1\n"
		       "trump TC\n"
		       "talon {6H 6S 7H 7S 8C 8D 8H 9C 9D 9H TS JD JH JS QC QD "
		       "QS KC KD KH KS AH AS}\n"
		       "lowest 0 6C\n"
		       "turn 1 0 1\n"
		       "move 0 attack:7D\n"
		       "ask 1 take beat:7D:7C beat:7D:TD beat:7D:AD\n"
		       "move 1 beat:7D:TD\n"
		       "ask 0 pass add:TH\n"
		       "move 0 add:TH\n"
		       "ask 0 pass\n"
		       "ask 1 take beat:TH:7C beat:TH:QH\n"
		       "move 1 beat:TH:QH\n"
		       "ask 0 pass\n"
		       "quiet\n"
		       "discard 4\n"
		       "draw 0 {6H 6S}0\n"
		       "draw 1 {7H 7S}1\n"
		       "turn 2 1 0\n"
		       "ask 1 attack:6D attack:7H attack:7S attack:9S "
		       "attack:AD attack:7C\n");
}

/* The limit is reached and all is beaten: no quiet. */
Test(durnius, R7_nobody_is_asked)
{
	play_open(&play, "durnius", 6, "");
	FOLLOWS(&play, DEAL6 "turn 1 0 1\n" ZERO_AND_ONE_OUT "turn 2 2 3\n");
}

/* The order of those that are asked is: the attacker, then from the defender's left,
 * the defender last; a seat that adds goes before the defender (Q2). */
Test(durnius, R7_classes)
{
	static const struct move pass = { .verb = VERB_PASS };
	struct move answer[SEATS_MAX], take, add;
	static const uint8_t order[] = { 0, 2, 3, 4, 5, 1 };

	cr_assert_eq(game_move_read(&game_durnius, "take", 4, &take), 0);
	cr_assert_eq(game_move_read(&game_durnius, "add:6D", 6, &add), 0);
	play_open(&play, "durnius", 6, "");
	FOLLOWS(&play, DEAL6 "turn 1 0 1\n"
			     "move 0 attack:6C\n");
	cr_assert_eq(play.game.decision.kind, DECISION_OPEN);
	cr_assert_eq(play.game.decision.holder, 1);
	cr_assert_eq(play.game.decision.count, 6);
	cr_assert_arr_eq(play.game.decision.seat, order, 6);
	answer[0] = answer[2] = answer[3] = answer[4] = answer[5] = pass;
	answer[1] = take;
	cr_expect_eq(game_first(&play.game, answer), 1);
	answer[5] = add;
	cr_expect_eq(game_first(&play.game, answer), 5);
	answer[2] = add;
	cr_expect_eq(game_first(&play.game, answer), 2);
	answer[0] = add;
	cr_expect_eq(game_first(&play.game, answer), 0);
}

Test(durnius, R7_all_is_beaten)
{
	play_open(&play, "durnius", 3, "");
	FOLLOWS(&play, DEAL3 "turn 1 0 1\n"
			     "move 0 attack:7D\n"
			     "move 1 beat:7D:AD\n"
			     "ask 0 pass add:AC\n"
			     "ask 2 pass add:7S\n"
			     "refuse 1 take\n");
	cr_assert_eq(play.game.decision.kind, DECISION_OPEN);
	cr_assert_eq(play.game.decision.holder, -1);
}
