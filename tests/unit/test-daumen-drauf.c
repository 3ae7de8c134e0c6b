/* tests/unit/test-daumen-drauf.c - the rules of Daumen drauf, rule by rule.
 *
 * Names of tests are the numbers of the rules (R) and of the resolved
 * questions (Q). */
#include <criterion/criterion.h>

#include "tests/unit/play.h"

static struct play play;

/* Seat 0 shows a card of which seat 1 has the twin. */
#define TWINS                                                                  \
	"round 1 start 0\n"                                                    \
	"deal 0 {Y1n G1t B2n B3t Y2n}0\n"                                      \
	"deal 1 {Y4t G4n B2t B4n Y1t}1\n"                                      \
	"deal 2 {B1n Y2t Y5n G5n G5t}2\n"                                      \
	"turn 1 0\n"                                                           \
	"move 0 show:Y1{n}0\n"

/* ---- rules ------------------------------------------------------------ */

/* Seats 0 to n-1 are dealt cards in this order, whichever seat starts; numbers
 * go up to n + 2. */
Test(daumen_drauf, R2_deal)
{
	play_open(&play, "daumen-drauf", 2, "");
	FOLLOWS(&play, "round 1 start 1\n"
		       "deal 0 {Y4t G4n B4t Y1n G1t}0\n"
		       "deal 1 {B1n B2t Y2n G2t Y3n}1\n"
		       "turn 1 1\n");
	play_open(&play, "daumen-drauf", 2, "");
	cr_assert_not_null(play_follow(&play, "round 1 start 1\n"
					      "deal 0 {Y5t G4n B4t Y1n G1t}0\n"
					      "deal 1 {B1n B2t Y2n G2t Y3n}1\n"
					      "turn 1 1\n"));
	cr_assert(play.chance.failed, "no 5 with 2 seats");
	play_open(&play, "daumen-drauf", 7, "");
	FOLLOWS(&play, "round 1 start 6\n"
		       "deal 0 {Y1n Y2n Y3n Y4n Y5n}0\n"
		       "deal 1 {Y6n Y7n Y8n Y9n Y9t}1\n"
		       "deal 2 {G1n G2n G3n G4n G5n}2\n"
		       "deal 3 {G6n G7n G8n G9n G9t}3\n"
		       "deal 4 {B1n B2n B3n B4n B5n}4\n"
		       "deal 5 {B6n B7n B8n B9n B9t}5\n"
		       "deal 6 {Y1t G1t B1t Y2t Y3t}6\n"
		       "turn 1 6\n");
}

/* Turns are counted from 1 in each game; the taker starts the next one. */
Test(daumen_drauf, R3_turn)
{
	play_open(&play, "daumen-drauf", 3, "");
	FOLLOWS(&play, "round 1 start 2\n"
		       "deal 0 {Y1n Y1t Y2n Y2t Y3n}0\n"
		       "deal 1 {G1n G1t G2n G2t G3n}1\n"
		       "deal 2 {B1n B1t B2n B2t B3n}2\n"
		       "turn 1 2\n"
		       "move 2 show:B3{n}2\n"
		       "move 0 show:Y1{t}0\n"
		       "move 1 pass\n"
		       "move 2 pass\n"
		       "take 0 B3{n}02 Y1{t}0\n"
		       "draw 0 {Y3t}0\n"
		       "draw 2 {B3t}2\n"
		       "turn 2 0\n"
		       "move 0 show:Y1{n}0\n");
}

/* Q1: the starter must show. */
Test(daumen_drauf, R4_start)
{
	play_open(&play, "daumen-drauf", 2, "");
	FOLLOWS(&play, "round 1 start 1\n"
		       "deal 0 {Y4t G4n B4t Y1n G1t}0\n"
		       "deal 1 {B1n B2t Y2n G2t Y3n}1\n"
		       "turn 1 1\n"
		       "ask 1 show:B1n show:B2t show:Y2n show:G2t show:Y3n\n"
		       "refuse 1 pass\n"
		       "refuse 1 twin:B1n\n"
		       "refuse 1 show:B1t\n"
		       "refuse 0 show:Y4t\n"
		       "refuse 0 pass\n");
}

/* Higher: a colour not yet shown, or the colour of the last card and a larger
 * number; the colours are ranked as they appear (Q11). */
Test(daumen_drauf, R5_higher)
{
	play_open(&play, "daumen-drauf", 3, "");
	FOLLOWS(&play, "round 1 start 0\n"
		       "deal 0 {G3n G4t Y1n B2n Y5t}0\n"
		       "deal 1 {G3t G2n G5n Y1t B1n}1\n"
		       "deal 2 {G1n G5t Y2t Y3n B5n}2\n"
		       "turn 1 0\n"
		       "move 0 show:G3{n}0\n"
		       "ask 1 pass twin:G3t show:G5n show:Y1t show:B1n\n"
		       "refuse 1 show:G2n\n"
		       "refuse 1 show:G3t\n"
		       "refuse 1 twin:G5n\n"
		       "house 1 pass\n"
		       "move 1 show:Y1{t}1\n"
		       "ask 2 pass show:Y2t show:Y3n show:B5n\n"
		       "refuse 2 show:G5t\n"
		       "move 2 show:Y2{t}2\n"
		       "ask 0 pass show:Y5t show:B2n\n"
		       "move 0 show:B2{n}0\n"
		       "open 0 G3n\n"
		       "ask 1 pass\n"
		       "move 1 pass\n"
		       "ask 2 pass show:B5n\n");
}

/* A pass does not bind; a seat that is asked again may show. */
Test(daumen_drauf, R5_pass)
{
	play_open(&play, "daumen-drauf", 3, "");
	FOLLOWS(&play, "round 1 start 0\n"
		       "deal 0 {G3n G4t Y1n B2n Y5t}0\n"
		       "deal 1 {G3t G2n G5n Y1t B1n}1\n"
		       "deal 2 {G1n G5t Y2t Y3n B5n}2\n"
		       "turn 1 0\n"
		       "move 0 show:G3{n}0\n"
		       "move 1 pass\n"
		       "move 2 show:Y2{t}2\n"
		       "move 0 pass\n"
		       "ask 1 pass show:B1n\n"
		       "move 1 show:B1{n}1\n"
		       "move 2 pass\n"
		       "move 0 pass\n"
		       "take 1 G3{n}01 Y2{t}12 B1{n}1\n"
		       "draw 1 {G1t}1\n"
		       "draw 2 {G2t}2\n"
		       "draw 0 {Y3t}0\n"
		       "turn 2 1\n");
}

/* The former card is laid open after the move line, once; a covered card is not
 * free any more. */
Test(daumen_drauf, R6_second_card)
{
	play_open(&play, "daumen-drauf", 2, "");
	FOLLOWS(&play, "round 1 start 0\n"
		       "deal 0 {Y1n G1t B1n B3t Y2n}0\n"
		       "deal 1 {Y4t G4n B2t B4n Y1t}1\n"
		       "turn 1 0\n"
		       "move 0 show:Y1{n}0\n"
		       "ask 1 pass twin:Y1t show:Y4t show:G4n show:B2t "
		       "show:B4n\n"
		       "move 1 show:Y4{t}1\n"
		       "ask 0 pass show:G1t show:B1n show:B3t\n"
		       "refuse 0 show:Y1n\n"
		       "move 0 show:B1{n}0\n"
		       "open 0 Y1n\n"
		       "ask 1 pass show:G4n show:B2t show:B4n\n"
		       "move 1 show:B2{t}1\n"
		       "open 1 Y4t\n"
		       "move 0 show:B3{t}0\n"
		       "open 0 B1n\n"
		       "move 1 pass\n"
		       "take 0 Y1n Y4t B1n B2{t}01 B3{t}0\n"
		       "draw 0 {Y2t Y3n Y3t}0\n"
		       "draw 1 {G2n G2t}1\n"
		       "turn 2 0\n");
}

/* Q2, Q4, Q7: only the twin of the last card may be shown; the former card is
 * laid open first; the turn ends at once and its player starts the next. */
Test(daumen_drauf, R7_twin)
{
	play_open(&play, "daumen-drauf", 3, "");
	FOLLOWS(&play,
		TWINS "ask 1 pass twin:Y1t show:Y4t show:G4n show:B2t "
		      "show:B4n\n"
		      "refuse 1 show:Y1t\n"
		      "refuse 2 twin:Y1t\n"
		      "move 1 show:B2{t}1\n"
		      "ask 2 pass show:G5n show:G5t\n"
		      "move 2 pass\n"
		      "ask 0 pass twin:B2n show:B3t show:G1t\n"
		      "move 0 twin:B2{n}0\n"
		      "open 0 Y1n\n"
		      "take 0 Y1n B2{t}01 B2{n}0\n"
		      "draw 0 {G1n G2n}0\n"
		      "draw 1 {G2t}1\n"
		      "turn 2 0\n"
		      "ask 0 show:G1t show:B3t show:Y2n show:G1n show:G2n\n");
}

/* After each show `twin any` asks all that hold free cards, before the next seat; a
 * seat that declines may still show the twin on its turn (Q2). */
Test(daumen_drauf, R7_twin_out_of_turn)
{
	play_open(&play, "daumen-drauf", 3, "twin=any");
	FOLLOWS(&play,
		TWINS "ask 1 pass twin:Y1t\n"
		      "ask 2 pass\n"
		      "refuse 0 pass\n"
		      "refuse 1 show:Y4t\n"
		      "quiet\n"
		      "ask 1 pass twin:Y1t show:Y4t show:G4n show:B2t "
		      "show:B4n\n"
		      "move 1 show:B2{t}1\n"
		      "ask 0 pass twin:B2n\n"
		      "ask 2 pass\n"
		      "house 0 pass\n"
		      "move 0 twin:B2{n}0\n"
		      "open 0 Y1n\n"
		      "take 0 Y1n B2{t}01 B2{n}0\n"
		      "draw 0 {G1n G2n}0\n"
		      "draw 1 {G2t}1\n"
		      "turn 2 0\n"
		      "ask 0 show:G1t show:B3t show:Y2n show:G1n show:G2n\n");
}

/* After a pass no seat is asked for a twin again. */
Test(daumen_drauf, R7_no_twin_after_a_pass)
{
	play_open(&play, "daumen-drauf", 3, "twin=any");
	FOLLOWS(&play, TWINS "quiet\n"
			     "move 1 pass\n"
			     "ask 2 pass show:B1n show:Y2t show:Y5n show:G5n "
			     "show:G5t\n");
}

/* The last seat to show takes all cards, in the order in which they were shown:
 * open ones in full; the taker and the owner see the fang of a covered one. */
Test(daumen_drauf, R8_take)
{
	play_open(&play, "daumen-drauf", 4, "");
	FOLLOWS(&play, "round 1 start 3\n"
		       "deal 0 {Y1n Y1t Y2n Y2t Y3n}0\n"
		       "deal 1 {G1n G1t G2n G2t G3n}1\n"
		       "deal 2 {B1n B1t B2n B2t B3n}2\n"
		       "deal 3 {Y4n G4n B4n Y5n G5n}3\n"
		       "turn 1 3\n"
		       "move 3 show:Y4{n}3\n"
		       "move 0 pass\n"
		       "move 1 show:G1{t}1\n"
		       "move 2 pass\n"
		       "move 3 show:G4{n}3\n"
		       "open 3 Y4n\n"
		       "move 0 pass\n"
		       "move 1 pass\n"
		       "move 2 show:B1{t}2\n"
		       "move 3 pass\n"
		       "move 0 pass\n"
		       "move 1 pass\n"
		       "take 2 Y4n G1{t}12 G4{n}23 B1{t}2\n"
		       "draw 2 {Y6n}2\n"
		       "draw 3 {Y6t G6n}3\n"
		       "draw 1 {G6t}1\n"
		       "turn 2 2\n"
		       /* All pass: it takes its own card (Q12). */
		       "move 2 show:B3{n}2\n"
		       "move 3 pass\n"
		       "move 0 pass\n"
		       "move 1 pass\n"
		       "take 2 B3{n}2\n"
		       "draw 2 {B6n}2\n"
		       "turn 3 2\n");
}

/* Two games of two seats to the end: the stock runs dry, seats without free
 * cards are passed over (Q8), the last cards are counted (R10), the starter
 * rotates (R1), totals run on. */
Test(daumen_drauf, R9_R10_to_the_end)
{
	play_open(&play, "daumen-drauf", 2, "games=2");
	FOLLOWS(&play, "round 1 start 1\n"
		       "deal 0 {Y1n G1n B1n Y2n G2n}0\n"
		       "deal 1 {Y1t G1t B1t Y2t G2t}1\n"
		       "turn 1 1\n"
		       "move 1 show:Y1{t}1\n"
		       "move 0 twin:Y1{n}0\n"
		       "take 0 Y1{t}01 Y1{n}0\n"
		       "draw 0 {B2n}0\n"
		       "draw 1 {B2t}1\n"
		       "turn 2 0\n"
		       "move 0 show:G1{n}0\n"
		       "move 1 twin:G1{t}1\n"
		       "take 1 G1{n}01 G1{t}1\n"
		       "draw 1 {Y3t}1\n"
		       "draw 0 {Y3n}0\n"
		       "turn 3 1\n"
		       "move 1 show:B1{t}1\n"
		       "move 0 twin:B1{n}0\n"
		       "take 0 B1{t}01 B1{n}0\n"
		       "draw 0 {G3n}0\n"
		       "draw 1 {G3t}1\n"
		       "turn 4 0\n"
		       "move 0 show:Y2{n}0\n"
		       "move 1 twin:Y2{t}1\n"
		       "take 1 Y2{n}01 Y2{t}1\n"
		       "draw 1 {B3t}1\n"
		       "draw 0 {B3n}0\n"
		       "turn 5 1\n"
		       "move 1 show:G2{t}1\n"
		       "move 0 twin:G2{n}0\n"
		       "take 0 G2{t}01 G2{n}0\n"
		       "draw 0 {Y4n}0\n"
		       "draw 1 {Y4t}1\n"
		       "turn 6 0\n"
		       "move 0 show:B2{n}0\n"
		       "move 1 show:Y4{t}1\n"
		       "move 0 pass\n"
		       "take 1 B2{n}01 Y4{t}1\n"
		       "draw 1 {G4t}1\n"
		       "draw 0 {G4n}0\n"
		       "turn 7 1\n"
		       "move 1 show:Y3{t}1\n"
		       "move 0 show:G3{n}0\n"
		       "move 1 show:G4{t}1\n"
		       "open 1 Y3t\n"
		       "move 0 show:B3{n}0\n"
		       "open 0 G3n\n"
		       "move 1 pass\n"
		       "take 0 Y3t G3n G4{t}01 B3{n}0\n"
		       /* Two to draw: the taker gets both, seat 1 none (Q6). */
		       "draw 0 {B4n B4t}0\n"
		       "turn 8 0\n"
		       "ask 0 show:Y3n show:Y4n show:G4n show:B4n show:B4t\n"
		       "move 0 show:Y4{n}0\n"
		       "ask 1 pass show:B2t show:B3t show:G3t\n"
		       "move 1 show:B2{t}1\n"
		       "move 0 show:B4{n}0\n"
		       "open 0 Y4n\n"
		       "ask 1 pass show:G3t\n"
		       "move 1 pass\n"
		       "take 0 Y4n B2{t}01 B4{n}0\n"
		       "turn 9 0\n"
		       "move 0 show:Y3{n}0\n"
		       "move 1 show:G3{t}1\n"
		       "move 0 show:G4{n}0\n"
		       "open 0 Y3n\n"
		       "move 1 show:B3{t}1\n"
		       "open 1 G3t\n"
		       /* Seat 1 is left without a free card: not asked. */
		       "ask 0 pass show:B4t\n"
		       "move 0 show:B4{t}0\n"
		       "open 0 G4n\n"
		       "take 0 Y3n G3t G4n B3{t}01 B4{t}0\n"
		       "pile 0 Y1t Y1n B1t B1n G2t G2n Y3t G3n G4t B3n Y4n B2t "
		       "B4n Y3n G3t G4n B3t B4t\n"
		       "pile 1 G1n G1t Y2n Y2t B2n Y4t\n"
		       "tally 0 9 9 0\n"
		       "tally 1 3 3 0\n"
		       "score 0 0\n"
		       "score 1 0\n"
		       "round 2 start 0\n"
		       "deal 0 {Y1n G1n B1n Y2n G2n}0\n"
		       "deal 1 {Y1t G1t B1t Y2t G2t}1\n"
		       "turn 1 0\n");
}

/* Section 7: the lowest number, then the harmless before the toxic, then Y
 * before G before B. */
Test(daumen_drauf, house_moves)
{
	play_open(&play, "daumen-drauf", 3, "");
	FOLLOWS(&play, "round 1 start 0\n"
		       "deal 0 {Y2n G1t B1n G1n Y1t}0\n"
		       "deal 1 {Y4t G4n B2t B4n Y3n}1\n"
		       "deal 2 {B5n Y2t Y5n G5n G5t}2\n"
		       "turn 1 0\n"
		       "house 0 show:G1n\n"
		       "move 0 show:G1{n}0\n"
		       "house 1 pass\n");
	play_open(&play, "daumen-drauf", 3, "");
	FOLLOWS(&play, "round 1 start 0\n"
		       "deal 0 {Y2n G1t B1t G2n Y2t}0\n"
		       "deal 1 {Y4t G4n B2t B4n Y3n}1\n"
		       "deal 2 {B5n B2n Y5n G5n G5t}2\n"
		       "turn 1 0\n"
		       "house 0 show:G1t\n");
}
