/* tests/unit/test-durnius-defence.c - the rules of Durnius: the moves of the
 * defender and of seats that add (R8, R9).
 *
 * Names of tests are the numbers of the rules; a Q in a comment is a resolved
 * question that the test decides. */
#include <criterion/criterion.h>

#include "tests/unit/durnius-deals.h"
#include "tests/unit/play.h"

static struct play play;

/* Deals two seats, of which seat 1 is attacked by a seven and holds that of trumps. */
#define ATTACKED_BY_7C                                                         \
	"round 1 1\n"                                                          \
	"deal 0 {7C 7D 6H TH JC AC}0\n"                                        \
	"deal 1 {7H 7S 9S TD QH AD}1\n"                                        \
	"trump 8H\n"                                                           \
	"talon {6C 6D 6S 8C 8D 8S 9C 9D 9H TC TS JD JH JS QC QD "              \
	"QS KC KD KH KS AH AS}\n"                                              \
	"lowest 0 6H\n"                                                        \
	"turn 1 0 1\n"                                                         \
	"move 0 attack:7C\n"

/* Higher in the suit, or a trump; a trump only by a higher trump. */
Test(durnius, R8_beat)
{
	play_open(&play, "durnius", 3, "");
	FOLLOWS(&play, DEAL3 "turn 1 0 1\n"
			     "move 0 attack:JC\n"
			     "ask 0 pass\n"
			     "ask 1 take\n"
			     "ask 2 pass add:JD\n"
			     "move 1 take\n"
			     "pickup 1 1\n"
			     "draw 0 {6H}0\n"
			     "turn 2 2 0\n"
			     "move 2 attack:7S\n"
			     "ask 0 take beat:7S:6C beat:7S:8S beat:7S:AC\n"
			     "ask 1 pass add:7C\n"
			     "ask 2 pass\n"
			     "refuse 0 beat:7S:7D\n"
			     "refuse 0 beat:7S:TH\n"
			     "refuse 0 beat:7S:9S\n"
			     "move 0 beat:7S:8S\n"
			     "ask 1 pass add:7C\n"
			     "ask 2 pass add:8C\n");
}

/* Q4: there is nothing to take while all is beaten; no seat adds after a take. */
Test(durnius, R8_take)
{
	play_open(&play, "durnius", 3, "");
	FOLLOWS(&play, DEAL3 "turn 1 0 1\n"
			     "move 0 attack:7D\n"
			     "move 1 beat:7D:7C\n"
			     "refuse 1 take\n"
			     "move 2 add:7S\n"
			     "house 1 beat:7S:9S\n"
			     "house 2 pass\n"
			     "move 1 take\n"
			     "pickup 1 3\n"
			     "draw 0 {6H}0\n"
			     "draw 2 {7H}2\n"
			     "turn 2 2 0\n"
			     "refuse 0 add:7D\n"
			     "ask 2 attack:6S attack:7H attack:JD attack:KS "
			     "attack:8C attack:QC\n");
}

/* The lowest card that beats one, a plain card before a trump; `take` where
 * none does, though other cards are beaten. */
Test(durnius, R8_house)
{
	play_open(&play, "durnius", 3, "passing=yes");
	FOLLOWS(&play, DEAL3 "turn 1 0 1\n"
			     "move 0 attack:7D\n"
			     "house 1 beat:7D:TD\n"
			     "move 2 add:7S\n"
			     "house 1 beat:7S:9S\n"
			     "move 1 beat:7S:9S\n"
			     "house 1 beat:7D:TD\n"
			     "move 1 beat:7D:AD\n"
			     "move 0 add:AC\n"
			     "house 1 take\n"
			     "move 1 take\n"
			     "pickup 1 5\n"
			     "draw 0 {6H 7H}0\n"
			     "draw 2 {8D}2\n"
			     "turn 2 2 0\n"
			     "move 2 attack:JD\n"
			     "house 0 beat:JD:6C\n"
			     "move 0 take\n"
			     "pickup 0 1\n"
			     "draw 2 {8H}2\n"
			     "turn 3 1 2\n");
}

/* At the end the attacker becomes the defender, because the pass goes on (Q7). */
Test(durnius, R8_transfer)
{
	play_open(&play, "durnius", 3, "passing=yes");
	FOLLOWS(&play, DEAL3
		"turn 1 0 1\n"
		"move 0 attack:7D\n"
		"ask 0 pass\n"
		"ask 1 take beat:7D:7C beat:7D:TD beat:7D:AD transfer:7C\n"
		"ask 2 pass add:7S\n"
		"move 1 transfer:7C\n"
		"shift 1 2\n"
		"ask 0 pass\n"
		"ask 1 pass\n"
		"ask 2 take beat:7C:8C beat:7C:QC beat:7D:8C beat:7D:JD "
		"beat:7D:QC transfer:7S\n"
		"refuse 0 take\n"
		"move 2 transfer:7S\n"
		"shift 2 0\n"
		"ask 0 take beat:7C:JC beat:7C:AC beat:7D:6C beat:7D:JC "
		"beat:7D:AC beat:7S:6C beat:7S:8S beat:7S:JC beat:7S:AC\n"
		"ask 1 pass\n"
		"ask 2 pass\n"
		"move 0 take\n"
		"pickup 0 3\n"
		"draw 2 {6H}2\n"
		"draw 1 {7H}1\n"
		"turn 2 1 2\n");
}

/* Q6, also where another card is added later. */
Test(durnius, R8_no_transfer_once_beaten)
{
	play_open(&play, "durnius", 3, "passing=yes");
	FOLLOWS(&play, DEAL3 "turn 1 0 1\n"
			     "move 0 attack:7D\n"
			     "move 2 add:7S\n"
			     "ask 0 pass\n"
			     "ask 1 take beat:7D:7C beat:7D:TD beat:7D:AD "
			     "beat:7S:7C beat:7S:9S transfer:7C\n"
			     "ask 2 pass\n"
			     "move 1 beat:7S:9S\n"
			     "ask 0 pass\n"
			     "ask 1 take beat:7D:7C beat:7D:TD beat:7D:AD\n"
			     "ask 2 pass\n"
			     "refuse 1 transfer:7C\n");
}

/* The document stays in the hand and does not travel again (Q9). */
Test(durnius, R8_show)
{
	play_open(&play, "durnius", 3, "passing=yes travel=yes");
	FOLLOWS(&play, DEAL3
		"turn 1 0 1\n"
		"move 0 attack:7D\n"
		"ask 0 pass\n"
		"ask 1 take beat:7D:7C beat:7D:TD beat:7D:AD transfer:7C "
		"show:7C\n"
		"ask 2 pass add:7S\n"
		"move 1 show:7C\n"
		"shift 1 2\n"
		"ask 0 pass\n"
		"ask 1 pass add:7C\n"
		"ask 2 take beat:7D:8C beat:7D:JD beat:7D:QC transfer:7S\n"
		"move 2 transfer:7S\n"
		"shift 2 0\n"
		"ask 0 take beat:7D:6C beat:7D:JC beat:7D:AC beat:7S:6C "
		"beat:7S:8S beat:7S:JC beat:7S:AC\n"
		"ask 1 pass add:7C\n"
		"ask 2 pass\n"
		"move 0 take\n"
		"pickup 0 2\n"
		"draw 2 {6H}2\n"
		"turn 2 1 2\n"
		"ask 1 attack:6D attack:9S attack:TD attack:QH attack:AD "
		"attack:7C\n");
}

/* Only the trump of the rank is a document. */
Test(durnius, R8_travel_only_with_trump)
{
	play_open(&play, "durnius", 3, "passing=yes travel=yes");
	FOLLOWS(&play, DEAL3 "turn 1 0 1\n"
			     "move 0 attack:8S\n"
			     "ask 0 pass\n"
			     "ask 1 take beat:8S:7C beat:8S:9S\n"
			     "ask 2 pass add:8C\n");
}

/* Two decks: equal cards are one move and do not beat each other. */
Test(durnius, R8_equal_cards)
{
	play_open(&play, "durnius", 2, "decks=2");
	FOLLOWS(&play, "round 1 1\n"
		       "deal 0 {8C 8C 9C 6H 7D 7D}0\n"
		       "deal 1 {9C TC TC 7C JD JD}1\n"
		       "trump 7H\n"
		       "talon {6C 6C 6D 6D 6H 6S 6S 7C 7H 7S 7S 8D 8D 8H 8H 8S "
		       "8S 9D 9D 9H 9H 9S 9S TD TD TH TH TS TS JC JC JH JH JS "
		       "JS QC QC QD QD QH QH QS QS KC KC KD KD KH KH KS KS AC "
		       "AC AD AD AH AH AS AS}\n"
		       "lowest 0 6H\n"
		       "turn 1 0 1\n"
		       "move 0 attack:9C\n"
		       "ask 0 pass\n"
		       "ask 1 take beat:9C:TC\n"
		       "move 1 take\n"
		       "pickup 1 1\n"
		       "draw 0 {6C}0\n"
		       "turn 2 0 1\n"
		       "move 0 attack:8C\n"
		       "move 0 add:8C\n"
		       "ask 0 pass\n"
		       "ask 1 take beat:8C:9C beat:8C:TC\n"
		       "move 1 beat:8C:TC\n"
		       "ask 0 pass\n"
		       "ask 1 take beat:8C:9C beat:8C:TC\n"
		       "move 1 beat:8C:TC\n");
}

/* Q8: a transfer needs room for a card more, a document does not. */
Test(durnius, R8_room)
{
	play_open(&play, "durnius", 2, "passing=yes travel=yes");
	FOLLOWS(&play, "round 1 1\n"
		       "deal 0 {7C 7D 7S 6H JC AC}0\n"
		       "deal 1 {7H 8S 9S TD QH AD}1\n"
		       "trump 8H\n"
		       "talon {6C 6D 6S 8C 8D 9C 9D 9H TC TH TS JD JH JS QC QD "
		       "QS KC KD KH KS AH AS}\n"
		       "lowest 0 6H\n"
		       "turn 1 0 1\n"
		       "move 0 attack:7C\n"
		       "move 0 add:7D\n"
		       "ask 0 pass add:7S\n"
		       "ask 1 take beat:7C:7H beat:7C:QH beat:7D:7H beat:7D:TD "
		       "beat:7D:QH beat:7D:AD transfer:7H show:7H\n"
		       "move 0 add:7S\n"
		       "ask 0 pass\n"
		       "ask 1 take beat:7C:7H beat:7C:QH beat:7D:7H beat:7D:TD "
		       "beat:7D:QH beat:7D:AD beat:7S:7H beat:7S:8S beat:7S:9S "
		       "beat:7S:QH show:7H\n"
		       "refuse 1 transfer:7H\n"
		       "move 1 show:7H\n"
		       "shift 1 0\n"
		       "ask 0 take beat:7C:6H beat:7C:JC beat:7C:AC beat:7D:6H "
		       "beat:7S:6H\n");
}

/* Back at seat 1 the document neither travels nor is passed on (Q9). */
Test(durnius, R8_shown_once)
{
	play_open(&play, "durnius", 2, "passing=yes travel=yes");
	FOLLOWS(&play, ATTACKED_BY_7C
		"ask 0 pass add:7D\n"
		"ask 1 take beat:7C:7H beat:7C:QH transfer:7H "
		"transfer:7S show:7H\n"
		"move 1 show:7H\n"
		"shift 1 0\n"
		"ask 0 take beat:7C:6H beat:7C:TH beat:7C:JC beat:7C:AC "
		"transfer:7D\n"
		"ask 1 pass add:7H add:7S\n"
		"move 0 transfer:7D\n"
		"shift 0 1\n"
		"ask 0 pass\n"
		"ask 1 take beat:7C:7H beat:7C:QH beat:7D:7H beat:7D:TD "
		"beat:7D:QH beat:7D:AD transfer:7S\n"
		"refuse 1 show:7H\n"
		"refuse 1 transfer:7H\n"
		"move 1 beat:7C:7H\n");
}

/* Two decks: as often as there are copies in the hand (Q9). */
Test(durnius, R8_two_documents)
{
	play_open(&play, "durnius", 2, "decks=2 passing=yes travel=yes");
	FOLLOWS(&play,
		"round 1 1\n"
		"deal 0 {7C 7D 7S 6H JC AC}0\n"
		"deal 1 {7H 7H 9S TD QH AD}1\n"
		"trump 8H\n"
		"talon {6C 6C 6D 6D 6H 6S 6S 7C 7D 7S 8C 8C 8D 8D 8H 8S 8S 9C "
		"9C 9D 9D 9H 9H 9S TC TC TD TH TH TS TS JC JD JD JH JH JS JS "
		"QC QC QD QD QH QS QS KC KC KD KD KH KH KS KS AC AD AH AH AS "
		"AS}\n"
		"lowest 0 6H\n"
		"turn 1 0 1\n"
		"move 0 attack:7C\n"
		"move 1 show:7H\n"
		"shift 1 0\n"
		"move 0 transfer:7D\n"
		"shift 0 1\n"
		"ask 0 pass add:7S\n"
		"ask 1 take beat:7C:7H beat:7C:QH beat:7D:7H beat:7D:TD "
		"beat:7D:QH beat:7D:AD transfer:7H show:7H\n"
		"move 1 show:7H\n"
		"shift 1 0\n"
		"move 0 transfer:7S\n"
		"shift 0 1\n"
		"ask 0 pass\n"
		"ask 1 take beat:7C:7H beat:7C:QH beat:7D:7H beat:7D:TD "
		"beat:7D:QH beat:7D:AD beat:7S:7H beat:7S:9S beat:7S:QH\n");
}

/* Without the option nothing is shown. */
Test(durnius, R8_no_travel)
{
	play_open(&play, "durnius", 2, "passing=yes");
	FOLLOWS(&play, ATTACKED_BY_7C "refuse 1 show:7H\n"
				      "move 1 transfer:7H\n"
				      "shift 1 0\n");
}

/* Without the option nothing is passed on. */
Test(durnius, R8_no_passing)
{
	play_open(&play, "durnius", 2, "");
	FOLLOWS(&play, ATTACKED_BY_7C "refuse 1 transfer:7H\n"
				      "refuse 1 show:7H\n"
				      "move 1 beat:7C:7H\n");
}

/* Chairs in the line; the next defender is of the other side. */
Test(durnius, R8_passing_in_teams)
{
	play_open(&play, "durnius", 4, "passing=yes teams=pairs");
	FOLLOWS(&play,
		"round 1 3\n"
		"deal 0 {7C 7D 6H TH JC AC}0\n"
		"deal 1 {7H 7S 9S TD QH AD}1\n"
		"deal 2 {8C 8D 8S 9C 9D TC}2\n"
		"deal 3 {JD JS QC QD KC KD}3\n"
		"trump 8H\n"
		"talon {6C 6D 6S 9H TS JH QS KH KS AH AS}\n"
		"lowest 0 6H\n"
		"turn 1 0 1 0 1\n"
		"move 0 attack:7C\n"
		"ask 0 pass add:7D\n"
		"ask 1 take beat:7C:7H beat:7C:QH transfer:7H transfer:7S\n"
		"ask 2 pass\n"
		"move 1 transfer:7S\n"
		"shift 1 2 1 2\n"
		"ask 1 pass add:7H\n"
		"ask 2 take beat:7C:8C beat:7C:9C beat:7C:TC beat:7S:8S\n"
		"ask 3 pass\n");
}

/* Ranks of beating cards count as well. */
Test(durnius, R9_ranks_of_the_table)
{
	play_open(&play, "durnius", 3, "");
	FOLLOWS(&play, DEAL3 "turn 1 0 1\n"
			     "move 0 attack:7D\n"
			     "move 1 beat:7D:TD\n"
			     "ask 0 pass add:TH\n"
			     "ask 2 pass add:7S\n"
			     "refuse 0 add:8S\n"
			     "move 0 add:TH\n");
}
