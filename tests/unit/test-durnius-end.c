/* tests/unit/test-durnius-end.c - the rules of Durnius: how a turn and a game
 * end (R10 to R13).
 *
 * Names of tests are the numbers of the rules; a Q in a comment is a resolved
 * question that the test decides. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/durnius-deals.h"
#include "tests/unit/play.h"

static struct play play;

/* Q12: attacker, others clockwise, defender; Q13: the trump card last and open.
 */
Test(durnius, R10_drawing_order)
{
	play_open(&play, "durnius", 5, "");
	FOLLOWS(&play, "round 1 4\n"
		       "deal 0 {6C 6D 6S 7C 7D 7S}0\n"
		       "deal 1 {8C 8D 8S 9C 9D 9S}1\n"
		       "deal 2 {TC TD TS JC JD JS}2\n"
		       "deal 3 {QC QD QS KC KD KS}3\n"
		       "deal 4 {AC AD AS 6H 7H 8H}4\n"
		       "trump TH\n"
		       "talon {JH QH KH AH 9H}\n"
		       "lowest 4 6H\n"
		       "turn 1 4 0\n"
		       "move 4 attack:AC\n"
		       "move 4 add:AD\n"
		       "move 4 add:AS\n"
		       "move 0 take\n"
		       "pickup 0 3\n"
		       "draw 4 {JH QH KH}4\n"
		       "turn 2 1 2\n"
		       "move 1 attack:9C\n"
		       "move 1 add:9D\n"
		       "move 1 add:9S\n"
		       "move 2 beat:9C:TC\n"
		       "move 2 beat:9D:TD\n"
		       "move 2 beat:9S:TS\n"
		       "quiet\n"
		       "discard 6\n"
		       "draw 1 {AH 9H}1 TH\n"
		       "turn 3 2 3\n");
}

/* Q14: both run out in the last turn: no fool, all tie. */
Test(durnius, R10_nobody_left)
{
	play_open(&play, "durnius", 6, "scoring=first");
	FOLLOWS(&play, DEAL6_DRAW
		"turn 1 0 1\n" ZERO_AND_ONE_OUT TWO_AND_THREE_OUT ALL_OUT
		"fool none\n"
		"score 0 1\n"
		"score 1 0\n"
		"score 2 0\n"
		"score 3 0\n"
		"score 4 0\n"
		"score 5 0\n"
		"result 0 1 1\n"
		"result 1 2 0\n"
		"result 2 2 0\n"
		"result 3 2 0\n"
		"result 4 2 0\n"
		"result 5 2 0\n");
}

/* The first that holds cards from the last defender on; its side pays. */
Test(durnius, R10_fool_of_a_team)
{
	play_open(&play, "durnius", 6, "teams=pairs scoring=first");
	FOLLOWS(&play,
		DEAL6 "turn 1 0 1 0 1\n" ZERO_AND_ONE_OUT THREE_OUT_IN_PAIRS
		      "fool 2\n"
		      "score 0 0\n"
		      "score 1 1\n"
		      "score 2 -1\n"
		      "score 3 0\n"
		      "score 4 1\n"
		      "score 5 -1\n"
		      "result 0 3 0\n"
		      "result 1 1 1\n"
		      "result 2 5 -1\n"
		      "result 3 3 0\n"
		      "result 4 1 1\n"
		      "result 5 5 -1\n");
}

/* The chair after the defender's attacks; defended: the defender's. */
Test(durnius, R11_taken)
{
	play_open(&play, "durnius", 3, "");
	FOLLOWS(&play, DEAL3 "turn 1 0 1\n"
			     "move 0 attack:7D\n"
			     "move 1 take\n"
			     "pickup 1 1\n"
			     "draw 0 {6H}0\n"
			     "turn 2 2 0\n"
			     "move 2 attack:6S\n"
			     "move 0 beat:6S:8S\n"
			     "quiet\n"
			     "discard 2\n"
			     "draw 2 {7H}2\n"
			     "draw 0 {8D}0\n"
			     "turn 3 0 1\n");
}

/* `mark`: both shoulders; the points do not change. */
Test(durnius, R12_two_sixes)
{
	play_open(&play, "durnius", 6, "epaulettes=mark");
	FOLLOWS(&play, DEAL6_SIXES UP_TO_FOUR_AND_FIVE FIVE_TAKES_NINES
			       FIVE_TAKES_TH_AH
		"move 4 attack:6C\n"
		"move 4 add:6D\n"
		"move 5 take\n"
		"pickup 5 2\n"
		"out 4\n"
		"fool 5\n"
		"epaulette 5 6C 6D\n" FIVE_PAYS FIVE_IS_LAST);
}

/* One shoulder: sixes of earlier turns do not count. */
Test(durnius, R12_one_six)
{
	play_open(&play, "durnius", 6, "epaulettes=mark");
	FOLLOWS(&play, DEAL6_SIXES UP_TO_FOUR_AND_FIVE FIVE_TAKES_NINES
			       FIVE_TAKES_TH_AH
		"move 4 attack:6C\n"
		"move 5 take\n"
		"pickup 5 1\n"
		"turn 7 4 5\n"
		"move 4 attack:6D\n"
		"move 5 take\n"
		"pickup 5 1\n"
		"out 4\n"
		"fool 5\n"
		"epaulette 5 6D\n" FIVE_PAYS FIVE_IS_LAST);
}

/* Sixes among the attacking cards, but the last one is a ten. */
Test(durnius, R12_last_card_is_no_six)
{
	play_open(&play, "durnius", 6, "epaulettes=mark");
	FOLLOWS(&play, DEAL6_SIXES UP_TO_FOUR_AND_FIVE FIVE_TAKES_NINES
		"move 4 attack:AH\n"
		"move 5 take\n"
		"pickup 5 1\n"
		"turn 5 4 5\n"
		"move 4 attack:6C\n"
		"move 4 add:6D\n"
		"move 5 beat:6C:TS\n"
		"move 4 add:TH\n"
		"move 5 take\n"
		"pickup 5 4\n"
		"out 4\n"
		"fool 5\n" FIVE_PAYS FIVE_IS_LAST);
}

/* `score`: the first epaulette is a six, and the points are minus their number.
 */
Test(durnius, R12_score)
{
	play_open(&play, "durnius", 6, "games=9 epaulettes=score");
	FOLLOWS(&play, DEAL6_SIXES UP_TO_FOUR_AND_FIVE FIVE_TAKES_NINES
			       FIVE_TAKES_TH_AH "move 4 attack:6C\n"
						"move 4 add:6D\n"
						"move 5 take\n"
						"pickup 5 2\n"
						"out 4\n"
						"fool 5\n"
						"epaulette 5 6D\n" FIVE_PAYS
						"round 2 0\n" DEALT_BY_0
						"lowest 5 6H\n"
						"turn 1 5 0\n");
}

/* The last attacking card is not a six, the first epaulette. */
Test(durnius, R12_score_another_rank)
{
	play_open(&play, "durnius", 6, "games=9 epaulettes=score");
	FOLLOWS(&play, DEAL6_SIXES UP_TO_FOUR_AND_FIVE FIVE_TAKES_NINES
		"move 4 attack:TH\n"
		"move 5 take\n"
		"pickup 5 1\n"
		"turn 5 4 5\n"
		"move 4 attack:6C\n"
		"move 4 add:6D\n"
		"move 5 take\n"
		"pickup 5 2\n"
		"turn 6 4 5\n"
		"move 4 attack:AH\n"
		"move 5 take\n"
		"pickup 5 1\n"
		"out 4\n"
		"fool 5\n" ALL_HAVE_0 "round 2 0\n" DEALT_BY_0 "lowest 5 6H\n"
		"turn 1 5 0\n");
}

/* Nine lost games, the last one with an ace, end the match in its middle. */
Test(durnius, R12_race_to_the_ace)
{
	static struct game game;
	static struct events ev = { .wanted = true };
	char line[LINE_REFEREE_BYTES + 1], end[LINE_REFEREE_BYTES + 1];
	struct game_setup setup;
	struct chance chance;
	uint64_t seed;
	size_t at;

	play_setup(&setup, "durnius", 2, "games=1000 epaulettes=score");
	for (seed = 0; seed < 3; seed++) {
		unsigned given[2] = { 0 }, rounds = 0, loser = 0;
		struct dice dice = { seed };

		play_seeded(&game, &setup, seed, &chance, &ev);
		while (!game_is_over(&game)) {
			play_random(&game, &dice, &chance, &ev);
			for (at = 0; play_next_line(&ev, &at, line);) {
				rounds += strncmp(line, "round ", 6) == 0;
				if (strncmp(line, "epaulette ", 10) != 0)
					continue;
				loser = line[10] == '1';
				cr_assert_eq(line[12],
					     "6789TJQKA"[given[loser]++]);
			}
			cr_assert_eq(game_is_over(&game), given[loser] == 9);
		}
		snprintf(end, sizeof(end), "result %u 2 -9", loser);
		ev.text[ev.used] = '\0';
		cr_expect_not_null(strstr(ev.text, end), "%s", ev.text);
		cr_expect_lt(rounds, 999);
	}
}

/* Only the fool pays. */
Test(durnius, R13_fool)
{
	play_open(&play, "durnius", 6, "");
	FOLLOWS(&play, FIVE_IS_THE_FOOL FIVE_PAYS FIVE_IS_LAST);
}

/* If two leave in one turn, the one that ran out first is first. */
Test(durnius, R13_first)
{
	play_open(&play, "durnius", 6, "scoring=first");
	FOLLOWS(&play, FIVE_IS_THE_FOOL "score 0 1\n"
					"score 1 0\n"
					"score 2 0\n"
					"score 3 0\n"
					"score 4 0\n"
					"score 5 -1\n"
					"result 0 1 1\n"
					"result 1 2 0\n"
					"result 2 2 0\n"
					"result 3 2 0\n"
					"result 4 2 0\n"
					"result 5 6 -1\n");
}

/* Sides that leave in the same turn get the same. */
Test(durnius, R13_order)
{
	play_open(&play, "durnius", 6, "scoring=order");
	FOLLOWS(&play, FIVE_IS_THE_FOOL "score 0 4\n"
					"score 1 4\n"
					"score 2 2\n"
					"score 3 2\n"
					"score 4 1\n"
					"score 5 0\n"
					"result 0 1 4\n"
					"result 1 1 4\n"
					"result 2 3 2\n"
					"result 3 3 2\n"
					"result 4 5 1\n"
					"result 5 6 0\n");
}

/* A side has left with its last member. */
Test(durnius, R13_order_of_teams)
{
	play_open(&play, "durnius", 6, "teams=pairs scoring=order");
	FOLLOWS(&play,
		DEAL6 "turn 1 0 1 0 1\n" ZERO_AND_ONE_OUT THREE_OUT_IN_PAIRS
		      "fool 2\n"
		      "score 0 1\n"
		      "score 1 2\n"
		      "score 2 0\n"
		      "score 3 1\n"
		      "score 4 2\n"
		      "score 5 0\n"
		      "result 0 3 1\n"
		      "result 1 1 2\n"
		      "result 2 5 0\n"
		      "result 3 3 1\n"
		      "result 4 1 2\n"
		      "result 5 5 0\n");
}

/* Seats that leave last and together get nothing. */
Test(durnius, R13_order_without_a_fool)
{
	play_open(&play, "durnius", 6, "scoring=order");
	FOLLOWS(&play, DEAL6_DRAW
		"turn 1 0 1\n" ZERO_AND_ONE_OUT TWO_AND_THREE_OUT ALL_OUT
		"fool none\n"
		"score 0 4\n"
		"score 1 4\n"
		"score 2 2\n"
		"score 3 2\n"
		"score 4 0\n"
		"score 5 0\n"
		"result 0 1 4\n"
		"result 1 1 4\n"
		"result 2 3 2\n"
		"result 3 3 2\n"
		"result 4 5 0\n"
		"result 5 5 0\n");
}

/* ---- the stall --------------------------------------------------------- */

/* Each attack is one card and is taken at once: with an odd number of seats the
 * cards go round, with an even number every second seat runs out of cards.
 * Returns the number of turns after the last card was drawn and the last seat
 * was out, and in `*outs` how many seats were out. */
static unsigned
turns_of_takes(unsigned seats, const char *options, unsigned *outs)
{
	static struct game game;
	static struct events ev = { .wanted = true };
	char line[LINE_REFEREE_BYTES + 1];
	struct move take = { .verb = 0 };
	struct game_setup setup;
	struct chance chance;
	struct legal legal;
	unsigned idle = 0;
	size_t at;

	cr_assert_eq(game_move_read(&game_durnius, "take", 4, &take), 0);
	play_setup(&setup, "durnius", seats, options);
	play_seeded(&game, &setup, 3, &chance, &ev);
	*outs = 0;
	for (;;) {
		game_legal(&game, (unsigned)game.decision.holder, &legal);
		game_choose(&game, &legal, 0, 0, &chance, &ev);
		events_clear(&ev);
		cr_assert(game_play(&game, (unsigned)game.decision.holder, take,
				    &chance, &ev));
		idle++;
		for (at = 0; play_next_line(&ev, &at, line);) {
			*outs += strncmp(line, "out ", 4) == 0;
			if (strncmp(line, "draw ", 5) == 0 ||
			    strncmp(line, "out ", 4) == 0)
				idle = 0;
			if (strcmp(line, "stall") != 0)
				continue;
			cr_assert(play_next_line(&ev, &at, line));
			cr_assert_str_eq(line, "fool none");
			return idle;
		}
	}
}

/* Q21 */
Test(durnius, R10_stall)
{
	unsigned outs;

	cr_expect_eq(turns_of_takes(5, "", &outs), 36);
	cr_expect_eq(outs, 0);
	cr_expect_eq(turns_of_takes(5, "decks=2", &outs), 72);
	cr_expect_eq(outs, 0);
	cr_expect_eq(turns_of_takes(6, "", &outs), 36, "from the last out on");
	cr_expect_eq(outs, 3);
}

/* The first `absent` seats make house moves.  Returns in how many of these
 * games nothing changed from some point on. */
static unsigned
stalls_with_house(unsigned seats, unsigned absent, unsigned tries)
{
	static struct game game;
	static struct events ev = { .wanted = true };
	unsigned seed, stalls = 0, seat;
	struct move answer[SEATS_MAX];
	struct game_setup setup;
	struct chance chance;
	struct legal legal;
	int first;

	play_setup(&setup, "durnius", seats, "");
	for (seed = 0; seed < tries; seed++) {
		struct dice dice = { seed };

		play_seeded(&game, &setup, seed, &chance, &ev);
		while (!game_is_over(&game)) {
			for (seat = 0; seat < seats; seat++) {
				if (!(game.decision.asked >> seat & 1))
					continue;
				game_legal(&game, seat, &legal);
				answer[seat] = legal.move[0];
				if (seat >= absent)
					answer[seat] = legal.move[dice_below(
						&dice, legal.count)];
			}
			events_clear(&ev);
			first = game_first(&game, answer);
			if (first < 0)
				game_quiet(&game, &chance, &ev);
			else
				cr_assert(game_play(&game, (unsigned)first,
						    answer[first], &chance,
						    &ev));
		}
		ev.text[ev.used] = '\0';
		stalls += strstr(ev.text, "stall\n") != NULL;
	}
	return stalls;
}

Test(durnius, house_seats_keep_no_game_from_ending)
{
	unsigned seats, absent;

	for (seats = 2; seats <= 6; seats++)
		for (absent = 1; absent <= seats; absent++)
			cr_expect_eq(stalls_with_house(seats, absent, 60), 0,
				     "%u of %u seats", absent, seats);
}
