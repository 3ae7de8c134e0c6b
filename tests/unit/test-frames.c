/* tests/unit/test-frames.c - what a viewer can see of a game, line by line. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "referee/frames/frame-model.h"

static struct frame frame;

static void
end(void)
{
}

TestSuite(frames, .fini = end);

static void
begin(const char *game, unsigned seats)
{
	static const struct frame_option points = { "points", "7" };
	const struct frame_setup setup = {
		.game = game,
		.seats = seats,
		.name = { "Anna", "Bert", "Anna" },
		.option = &points,
		.options = 1,
	};

	frame_begin(&frame, &setup);
}

static void
next(const char *line)
{
	frame_next(&frame, line, strlen(line));
}

static void
says(const char *line, const char *sentence)
{
	next(line);
	cr_expect_str_eq(frame.sentence, sentence, "%s: %s", line,
			 frame.sentence);
}

static const struct frame_zone *
zone(const char *kind, int owner)
{
	unsigned i;

	for (i = 0; i < frame.table.zones; i++)
		if (strcmp(frame.table.zone[i].kind, kind) == 0 &&
		    frame.table.zone[i].owner == owner)
			return &frame.table.zone[i];
	cr_assert_fail("no zone %s of %d", kind, owner);
	return NULL;
}

static const struct frame_gauge *
gauge(const char *kind, int owner)
{
	unsigned i;

	for (i = 0; i < frame.table.gauges; i++)
		if (strcmp(frame.table.gauge[i].kind, kind) == 0 &&
		    frame.table.gauge[i].owner == owner)
			return &frame.table.gauge[i];
	cr_assert_fail("no gauge %s of %d", kind, owner);
	return NULL;
}

/* Returns what lies in a zone, like "TH JC ?"; borrowed until the next call. */
static const char *
codes(const char *kind, int owner)
{
	static char text[FRAME_PIECES * PIECE_BYTES + 1];
	const struct frame_zone *at = zone(kind, owner);
	unsigned i;
	int n = 0;

	text[0] = '\0';
	for (i = 0; i < at->pieces; i++)
		n += snprintf(text + n, sizeof(text) - (size_t)n, "%s%s",
			      i > 0 ? " " : "", at->piece[i].code);
	return text;
}

static int
flagged(unsigned flag)
{
	int seat;

	for (seat = 0; seat < frame.table.seats; seat++)
		if (frame_is(&frame, seat, flag))
			return seat;
	return -1;
}

/* ---- the core ------------------------------------------------------------- */

Test(frames, names_are_told_apart)
{
	begin("toepen", 4);
	cr_expect_str_eq(frame.table.seat[0].name, "Anna(0)");
	cr_expect_str_eq(frame.table.seat[1].name, "Bert");
	cr_expect_str_eq(frame.table.seat[2].name, "Anna(2)");
	cr_expect_str_eq(frame.table.seat[3].name, "seat 3");
}

Test(frames, lines_of_all_games)
{
	begin("toepen", 3);
	says("fault 1 timeout", "Bert does not answer in time, so the referee "
				"makes the house move.");
	cr_expect_eq(frame.table.seat[1].faults, 1);
	cr_expect_eq(frame.marks, MARK_FAULT);
	cr_expect_eq(frame.seat, 1);
	says("forfeit 1 timeout", "Bert was retired for its faults (timeout) "
				  "and is placed behind the others.");
	says("result 1 2 1", "Bert comes second with 1 point.");
	cr_expect_eq(frame.table.seat[1].place, 2);
	says("result 1 9 -3", "Bert has place 9 with -3 points.");
}

Test(frames, unknown_lines_are_quoted)
{
	static const char *const lines[] = {
		"",
		" ",
		"deal 3 TH",
		"move 0 play:1H",
		"quiet ",
		"move 0 ",
		"stake",
		"stake x",
		"stake 1 2",
		"trick",
		"round 1 0 0",
		"deal 0 TH  JC",
		"deal 0 ",
		"stake 9999999999",
	};
	size_t i;

	begin("toepen", 3);
	for (i = 0; i < NELEM(lines); i++) {
		says(lines[i], lines[i]);
		cr_expect(frame.raw, "%s", lines[i]);
		cr_expect_eq(frame.number, i + 1);
	}
	frame_next(&frame, "a\0b\xff", 4);
	cr_expect_str_eq(frame.sentence, "a\\x00b\\xff");
}

Test(frames, asks)
{
	begin("toepen", 3);
	says("ask 1 play:TH knock",
	     "Bert may play the ten of hearts or knock.");
	cr_expect_eq(frame.marks, MARK_ASK);
	cr_expect_eq(flagged(SEAT_HAS_ASK), 1);
	says("quiet", "No seat challenges the hand.");
	cr_expect_eq(flagged(SEAT_HAS_ASK), -1);
	says("ask 1 play:TH play:JC play:7S knock",
	     "Bert may play the ten of hearts, the jack of clubs, the seven of "
	     "spades or knock.");
	says("ask 1 a:4..30 x", "Bert may a:4..30 or x.");
	says("ask 3 pass", "ask 3 pass");
	says("ask 1", "ask 1");
	says("ask 0 a a a a a a a a a a a a a a a",
	     "Anna(0) may a, a, a, a, a, a, a, a, a, a, a, a or make one of 3 "
	     "other moves.");
}

Test(frames, a_copy_goes_on_alike)
{
	static struct frame kept;

	begin("toepen", 3);
	next("round 1 0");
	kept = frame;
	next("deal 1 TH JC ? 7S");
	frame_next(&kept, "deal 1 TH JC ? 7S", 17);
	cr_expect_eq(memcmp(&kept.table, &frame.table, sizeof(frame.table)), 0);
	cr_expect_str_eq(kept.sentence, frame.sentence);
}

/* A delta has only the changes of a line. */
Test(frames, deltas)
{
	static struct frame kept;
	struct frame_changes changes;

	begin("toepen", 3);
	next("round 1 0");
	next("deal 1 ? ? ? ?");
	next("deal 0 ? ? ? ?"); /* so that nothing is new in hand 1 */
	kept = frame;
	changes = frame_changes(&kept.table, &frame.table);
	cr_expect_eq(changes.seats | changes.zones | changes.gauges, 0);
	next("score 2 1");
	changes = frame_changes(&kept.table, &frame.table);
	cr_expect_eq(changes.seats, 1u << 2);
	cr_expect_eq(changes.gauges, 1u << 2);
	kept = frame;
	next("move 1 play:TH");
	changes = frame_changes(&kept.table, &frame.table);
	cr_expect_eq(changes.seats, 3u << 1, "%lx", changes.seats);
	cr_expect_eq(changes.zones, 1u << 2 | 1u << 6, "%lx", changes.zones);
	cr_expect_eq(changes.gauges, 0);
}

/* Every seat gets more pieces than there is room for. */
Test(frames, too_much_is_dropped)
{
	char line[LINE_REFEREE_BYTES + 1];
	size_t n;
	int i;

	begin("toepen", 8);
	n = (size_t)snprintf(line, sizeof(line), "deal 0");
	while (n + 4 < sizeof(line))
		n += (size_t)snprintf(line + n, sizeof(line) - n, " TH");
	for (i = 0; i < 3; i++) {
		next(line);
		cr_expect_eq(zone("hand", 0)->pieces, FRAME_PIECES);
		cr_expect_eq(strlen(frame.sentence), FRAME_SENTENCE - 1);
		next("move 0 mulligan");
	}
	cr_expect_eq(zone("laid", 0)->pieces, FRAME_PIECES);
}

/* ---- other games ---------------------------------------------------------- */

Test(frames, a_game_without_a_model)
{
	begin("seventh", 2);
	says("round 1 start 1", "Round 1 begins.");
	cr_expect_eq(frame.round, 1);
	says("deal 0 A1x B2 ?", "Anna is dealt A1x, B2 and 1 piece.");
	says("move 0 give:B2", "Anna makes the move give: B2.");
	cr_expect_str_eq(codes("hand", 0), "A1x ?");
	cr_expect_str_eq(codes("table", -1), "B2");
	says("move 0 stake:1000", "Anna makes the move stake: 1000.");
	says("score 1 -4", "Bert now has -4 points.");
	cr_expect_eq(frame.table.seat[1].points, -4);
	says("flood 3", "flood 3");
	says("ask 0 a:1 b", "Anna is asked: a:1 or b.");
	says("round 2", "Round 2 begins.");
	cr_expect_str_eq(codes("hand", 0), "");
}

/* ---- Toepen --------------------------------------------------------------- */

Test(frames, toepen_trick)
{
	begin("toepen", 3);
	says("round 1 0", "Round 1 begins; Anna(0) deals.");
	cr_expect_eq(flagged(SEAT_DEALER), 0);
	cr_expect_eq(flagged(SEAT_TURN), 1);
	cr_expect_eq(zone("stock", -1)->pieces, 32);
	says("deal 1 TH JC QS 7S", "Bert is dealt the ten of hearts, the jack "
				   "of clubs, the queen of spades and the "
				   "seven of spades.");
	says("deal 2 ? ? ? ?", "Anna(2) is dealt 4 cards.");
	next("deal 0 ? ? ? ?");
	cr_expect_eq(zone("stock", -1)->pieces, 20);
	says("move 1 play:TH", "Bert leads the ten of hearts.");
	cr_expect_str_eq(codes("hand", 1), "JC QS 7S");
	cr_expect_eq(flagged(SEAT_TURN), 2);
	says("move 2 play:9H", "Anna(2) plays the nine of hearts.");
	cr_expect_str_eq(codes("hand", 2), "? ? ?");
	next("move 0 play:JC");
	cr_expect_str_eq(codes("trick", -1), "TH 9H JC");
	cr_expect_eq(zone("trick", -1)->piece[0].marks, PIECE_LED);
	cr_expect_eq(zone("trick", -1)->piece[2].marks, PIECE_NEW);
	says("trick 1", "Bert takes the trick with the ten of hearts.");
	cr_expect_eq(zone("trick", -1)->piece[0].marks,
		     PIECE_LED | PIECE_WINNING);
	cr_expect_eq(flagged(SEAT_TURN), 1);
	says("move 1 play:JC", "Bert leads the jack of clubs.");
	cr_expect_str_eq(codes("trick", -1), "JC");
	cr_expect_str_eq(zone("trick", -1)->label, "trick 2");
	cr_expect_str_eq(codes("earlier", -1), "TH 9H JC", "it stays in sight");
	cr_expect_eq(zone("earlier", -1)->piece[0].marks,
		     PIECE_NEW | PIECE_LED | PIECE_WINNING);
	next("trick 1");
	next("move 1 play:QS");
	cr_expect_str_eq(codes("earlier", -1), "TH 9H JC JC");
	next("round 2 0");
	cr_expect_eq(zone("earlier", -1)->pieces, 0);
}

Test(frames, toepen_knock)
{
	begin("toepen", 3);
	next("round 1 0");
	says("move 2 knock", "Anna(2) knocks.");
	cr_expect_eq(flagged(SEAT_KNOCKED), 2);
	cr_expect_eq(flagged(SEAT_TURN), 0);
	says("stake 2", "The stake is now 2.");
	cr_expect_eq(frame.table.gauge[3].value, 2);
	cr_expect_eq(frame.marks, MARK_STAKE);
	says("move 0 fold", "Anna(0) folds.");
	cr_expect_eq(zone("hand", 0)->dim, 1);
	cr_expect_eq(flagged(SEAT_TURN), 1);
	says("score 0 1", "Anna(0) now has 1 of 7 points.");
	says("score 2 8", "Anna(2) now has 8 points.");
	cr_expect_eq(frame.table.gauge[0].value, 1);
	cr_expect_eq(frame.table.gauge[0].goal, 7);
	says("move 1 stay", "Bert stays.");
	cr_expect_eq(flagged(SEAT_TURN), 1);
	says("win 1", "Bert wins the round.");
	cr_expect_eq(flagged(SEAT_WINNER), 1);
	says("out 0", "Anna(0) is out of the game.");
	next("round 2 1");
	cr_expect_eq(flagged(SEAT_TURN), 2);
	cr_expect_eq(flagged(SEAT_OUT), 0);
	next("move 2 play:TH");
	cr_expect_eq(flagged(SEAT_TURN), 1, "who is out is left out");
}

Test(frames, toepen_mulligan)
{
	begin("toepen", 3);
	next("round 1 0");
	next("deal 1 ? ? ? ?");
	says("move 1 mulligan",
	     "Bert lays the hand face down and asks for a new one.");
	cr_expect_str_eq(codes("hand", 1), "");
	cr_expect_str_eq(codes("laid", 1), "? ? ? ?");
	cr_expect_eq(zone("laid", 1)->piece[0].marks, PIECE_NEW | PIECE_DOWN);
	says("deal 1 ? ? ? ?", "Bert draws 4 cards instead.");
	says("move 0 challenge", "Anna(0) challenges the hand that was laid "
				 "down.");
	says("reveal 1 JC JD QS 7C",
	     "Bert had laid down the jack of clubs, the jack of diamonds, the "
	     "queen of spades and the seven of clubs.");
	cr_expect_str_eq(codes("laid", 1), "JC JD QS 7C");
	cr_expect_eq(zone("laid", 1)->piece[0].marks, PIECE_NEW | PIECE_SHOWN);
	cr_expect_str_eq(codes("hand", 1), "? ? ? ?");
	next("move 1 mulligan");
	next("deal 1 ? ? ? ?");
	says("quiet", "No seat challenges the hand.");
	cr_expect_str_eq(codes("laid", 1), "JC JD QS 7C ? ? ? ?");
}

/* ---- Durnius -------------------------------------------------------------- */

Test(frames, durnius_turn)
{
	const struct frame_zone *attack;

	begin("durnius", 3);
	says("round 1 2", "Game 1 begins; Anna(2) deals.");
	next("deal 0 6C 7D 8S TH JC AC");
	next("deal 1 ? ? ? ? ? ?");
	next("deal 2 ? ? ? ? ? ?");
	says("trump TC",
	     "The ten of clubs lies open under the talon: clubs are "
	     "trumps.");
	says("talon ? ?", "2 cards lie in the talon above it.");
	cr_expect_str_eq(codes("talon", -1), "? ? TC");
	cr_expect_eq(zone("hand", 0)->piece[0].marks, PIECE_TRUMP);
	says("lowest 1 7C",
	     "Bert shows the lowest trump, the seven of clubs, and begins.");
	cr_expect_str_eq(codes("hand", 1), "? ? ? ? ? 7C");
	says("turn 1 1 2", "Turn 1: Bert attacks Anna(2).");
	cr_expect_eq(flagged(SEAT_ATTACKER), 1);
	cr_expect_eq(flagged(SEAT_DEFENDER), 2);
	cr_expect_eq(flagged(SEAT_TURN), 1);
	cr_expect_eq(frame.table.gauge[0].goal, 6);
	says("move 1 attack:7D", "Bert attacks with the seven of diamonds.");
	cr_expect_eq(flagged(SEAT_TURN), 2);
	says("move 0 add:7D", "Anna(0) adds the seven of diamonds.");
	cr_expect_eq(frame.table.gauge[0].value, 2);
	says("move 2 beat:7D:TD",
	     "Anna(2) beats the seven of diamonds with the ten of diamonds.");
	next("move 2 beat:7D:8D");
	attack = zone("attack", -1);
	cr_expect_str_eq(codes("attack", -1), "7D 7D TD 8D");
	cr_expect_eq(attack->piece[2].on, 0);
	cr_expect_eq(attack->piece[3].on, 1, "the one played first is first");
	cr_expect_eq(flagged(SEAT_TURN), -1);
	says("quiet", "All cards are beaten, and no seat adds one.");
	says("discard 4", "4 cards leave the game.");
	cr_expect_str_eq(codes("attack", -1), "");
	cr_expect_str_eq(codes("discard", -1), "? ? ? ?",
			 "no player may examine them");
	says("draw 1 ?", "Bert draws 1 card.");
	says("draw 2 ? TC", "Anna(2) draws the ten of clubs and 1 card.");
	cr_expect_str_eq(codes("talon", -1), "");
	cr_expect_str_eq(codes("hand", 2), "? ? ? ? ? TC");
	cr_expect_eq(zone("hand", 2)->piece[5].marks,
		     PIECE_NEW | PIECE_SHOWN | PIECE_TRUMP);
}

Test(frames, durnius_take)
{
	begin("durnius", 2);
	next("round 1 0");
	next("deal 1 ? ? ? ? ? ?");
	next("turn 1 0 1");
	next("move 0 attack:7D");
	says("move 1 show:7C", "Bert shows the seven of clubs and passes the "
			       "attack on.");
	cr_expect_str_eq(codes("hand", 1), "? ? ? ? ? 7C");
	says("shift 1 0", "Now Bert attacks Anna.");
	says("move 0 take", "Anna takes the cards.");
	says("pickup 0 1", "Anna picks up 1 card.");
	cr_expect_str_eq(codes("hand", 0), "7D");
	says("out 1", "Bert has no cards left and leaves the game.");
	says("fool 0", "Anna still holds cards: Anna is the fool.");
	cr_expect_eq(flagged(SEAT_LOSER), 0);
	says("epaulette 0 6C 6D", "Anna gets the six of clubs and the six of "
				  "diamonds as epaulettes.");
	next("round 2 0");
	cr_expect_str_eq(codes("epaulettes", 0), "6C 6D", "they stay");
	cr_expect_eq(flagged(SEAT_OUT | SEAT_LOSER), -1);
}

Test(frames, daupun_stakes)
{
	begin("daupun", 2);
	says("round 2 dealer 0 cutter 1 first 1 pot 40",
	     "Round 2 begins; Bert plays first, with 40 in the pot.");
	says("deal 0 ? ? ? ? ?", "Anna is dealt 5 cards.");
	next("deal 1 AC 2C 3C 9C TC");
	cr_expect_eq(zone("stock", -1)->pieces, 30);
	says("draw 1 9H", "Bert draws the nine of hearts.");
	says("move 1 stake", "Bert offers a pot of 41.");
	cr_expect_eq(flagged(SEAT_TURN), 0);
	cr_expect_eq(flagged(SEAT_OFFERED), 1);
	says("move 0 raise:50", "Anna raises the offer to a pot of 50.");
	cr_expect_eq(flagged(SEAT_TURN), 1);
	says("move 1 in", "Bert accepts the offer.");
	cr_expect_eq(flagged(SEAT_TURN), 1, "the seat on turn goes on");
	says("pot 50", "The pot is now 50.");
	says("move 1 discard:9H", "Bert lays the nine of hearts into the "
				  "reserve.");
	cr_expect_str_eq(codes("reserve", 1), "9H");
	cr_expect_eq(gauge("sum", 1)->value, 25);
	cr_expect_eq(gauge("sum", 0)->known, 0, "its cards are hidden");
	cr_expect_eq(flagged(SEAT_TURN), 0);
	says("draw 0 ?", "Anna draws a card.");
	says("move 0 discard:AH:stay", "Anna lays the ace of hearts into the "
				       "reserve and calls the battle.");
	cr_expect_str_eq(codes("hand", 0), "? ? ? ? ?");
	cr_expect_eq(flagged(SEAT_TURN), 1);
	cr_expect_eq(flagged(SEAT_CALLED), 0);
	cr_expect_eq(flagged(SEAT_OFFERED), -1);
	says("move 1 leave", "Bert refuses the battle.");
	says("win 0 leave", "Anna wins the round: the battle was refused.");
	cr_expect_eq(gauge("pot", -1)->value, 0);
	says("score 0 301", "Anna now has 301 stones.");
	cr_expect_eq(gauge("stones", 0)->value, 51);
	says("crown 0 1", "Anna now has 1 crown.");
	says("result 0 1 301", "Anna comes first with 301 stones.");
	says("result 1 9 1", "Bert has place 9 with 1 stone.");
	cr_expect_eq(gauge("crowns", 0)->value, 1);
}

Test(frames, daupun_battle)
{
	const struct frame_zone *battle;

	begin("daupun", 2);
	next("round 1 dealer 0 cutter 1 first 1 pot 0");
	next("deal 0 ? ? ? ? ?");
	next("show 0 25 AC 2C 3C 9C TC");
	next("show 1 27 4D 5D 5H 6D 7D");
	cr_expect_eq(gauge("sum", 0)->value, 25);
	says("trick 1 AC 4D 0 5 3", "Trick 1: the ace of clubs meets the four "
				    "of diamonds; Anna wins it, worth 8.");
	says("trick 2 2C 5D tie 4 0", "Trick 2: the two of clubs meets the "
				      "five of diamonds; it is a tie.");
	battle = zone("battle", -1);
	cr_expect_str_eq(codes("battle", -1), "AC 4D 2C 5D");
	cr_expect_str_eq(codes("hand", 0), "3C 9C TC");
	cr_expect_eq(battle->piece[0].marks, PIECE_WINNING);
	cr_expect_eq(battle->piece[3].on, 2);
	says("remove 2 tie", "Trick 2 is taken away: a tie.");
	cr_expect_eq(battle->piece[2].marks, PIECE_GONE);
	cr_expect_eq(battle->piece[1].marks, 0);
	next("remove 9 low");
	says("win none tie", "No trick is left, so no seat wins the round.");
}

Test(frames, daumen_drauf_turn)
{
	begin("daumen-drauf", 3);
	says("round 1 start 0", "Game 1 begins; Anna(0) starts.");
	cr_expect_eq(zone("stock", -1)->pieces, 30);
	next("deal 0 ? ? ? ? ?");
	next("deal 1 Y4t G2n B2n B3t Y3n");
	next("deal 2 ? ? ? ? ?");
	next("turn 1 0");
	cr_expect_eq(flagged(SEAT_TURN), 0);
	says("move 0 show:Y2?", "Anna(0) shows the yellow 2.");
	cr_expect_eq(zone("turn", -1)->piece[0].marks, PIECE_NEW | PIECE_THUMB);
	cr_expect_str_eq(codes("hand", 0), "? ? ? ?");
	says("move 1 show:Y4t", "Bert shows the toxic yellow 4.");
	cr_expect_eq(flagged(SEAT_SHOWED), 1);
	says("move 2 pass", "Anna(2) passes.");
	cr_expect_eq(flagged(SEAT_TURN), 0);
	next("move 0 show:G5?");
	says("open 0 Y2n", "Anna(0) takes the thumb off: it was the harmless "
			   "yellow 2.");
	cr_expect_str_eq(codes("turn", -1), "Y2n Y4t G5?");
	cr_expect_eq(zone("turn", -1)->piece[0].marks, PIECE_OPEN);
	next("move 1 pass");
	says("move 2 twin:G5?", "Anna(2) shows its twin, the green 5.");
	cr_expect_eq(zone("turn", -1)->piece[3].on, 2);
	cr_expect_eq(flagged(SEAT_TURN), -1, "a twin ends the turn");
	says("take 2 Y2n Y4t G5? G5?",
	     "Anna(2) takes the harmless yellow 2, the toxic yellow 4, the "
	     "green 5 and the green 5.");
	cr_expect_str_eq(codes("won", 2), "Y2n");
	cr_expect_str_eq(codes("lost", 2), "Y4t");
	cr_expect_str_eq(codes("taken", 2), "G5? G5?");
	cr_expect_eq(zone("turn", -1)->pieces, 0);
	next("pile 2 Y2n Y4t G5t G5n");
	cr_expect_str_eq(codes("won", 2), "Y2n G5n");
	cr_expect_eq(zone("taken", 2)->pieces, 0);
	says("tally 2 1 2 3", "Anna(2) counts 1 harmless snake, 2 toxic and 3 "
			      "in the hand.");
	says("score 2 -4", "Anna(2) now has -4 points.");
}

Test(frames, daumen_drauf_ends_where_no_seat_can_show)
{
	begin("daumen-drauf", 2);
	next("round 1 start 0");
	next("deal 0 Y4t");
	next("deal 1 Y3n");
	next("turn 1 0");
	next("move 0 show:Y4t");
	cr_expect_eq(flagged(SEAT_TURN), 1);
	next("move 1 show:G3?");
	cr_expect_eq(flagged(SEAT_TURN), -1);
}

/* The trick of the game's page: a double, and a discard. */
Test(frames, doubles_dread_trick)
{
	begin("doubles-dread", 3);
	says("round 1 2", "Round 1 begins; Anna(2) opens the auction.");
	next("bark a R3 G7");
	next("bark b B4 Y4");
	says("bark c G5 R8", "On bark c stand the green 5 and the red 8.");
	next("bark d R5 Y1");
	says("move 2 bid:42", "Anna(2) bids 42.");
	cr_expect_eq(flagged(SEAT_BIDDER), 2);
	cr_expect_eq(flagged(SEAT_TURN), 0);
	next("move 0 pass");
	says("move 1 pass", "Bert passes.");
	cr_expect_eq(flagged(SEAT_TURN), -1);
	says("south 2 42", "Anna(2) is South and has to take 42 points.");
	cr_expect_eq(flagged(SEAT_SOUTH), 2);
	cr_expect_eq(gauge("taken", 2)->goal, 42);
	says("move 2 put:d:S", "Anna(2) puts bark d to the south.");
	next("at S d 2");
	says("at W b 0", "Anna(0) plays with bark b in the west.");
	next("at N c 2");
	next("at E a 1");
	cr_expect_str_eq(frame.table.zone[0].label, "bark a, east");
	cr_expect_eq(frame.table.zone[0].owner, 1);
	says("move 1 lead:N", "Bert lets the bark in the north begin.");
	cr_expect_eq(flagged(SEAT_TURN), 2);
	says("move 2 play:G5", "Anna(2) leads the green 5.");
	cr_expect_eq(flagged(SEAT_TURN), 1);
	says("move 1 play:G7", "Bert plays the green 7.");
	says("move 2 play:R5", "Anna(2) doubles with the red 5.");
	cr_expect_str_eq(codes("monster", -1), "G5 G7 R5");
	cr_expect(zone("monster", -1)->piece[2].marks & PIECE_DOUBLE);
	cr_expect(zone("monster", -1)->piece[1].marks & PIECE_MAGIC);
	says("swallow G5 G7", "The monster swallows the green 5 and the green "
			      "7.");
	says("move 0 play:B4", "Anna(0) cannot follow and discards the blue "
			       "4.");
	cr_expect_eq(flagged(SEAT_TURN), -1);
	next("swallow B4");
	cr_expect_str_eq(codes("belly", -1), "G5 G7 B4");
	says("trick S 2 R5", "The bark in the south wins the trick: Anna(2) "
			     "takes the red 5.");
	cr_expect_eq(gauge("taken", 2)->value, 1);
	cr_expect_eq(flagged(SEAT_TURN), 2);
	says("back 2 G5 G7 B4", "Anna(2) gets the green 5, the green 7 and the "
				"blue 4 out of the monster's belly.");
	cr_expect_eq(gauge("taken", 2)->value, 8, "a magic pawn counts 5");
	says("contract 2 42 8 failed", "Anna(2) has bid 42 and taken 8: the "
				       "bid has failed.");
	says("score 0 50", "Anna(0) now has 50 points.");
}

/* The last bidder need not have won the game. */
Test(frames, doubles_dread_winner)
{
	begin("doubles-dread", 3);
	next("round 1 2");
	next("contract 2 42 45 made");
	cr_expect_eq(flagged(SEAT_WINNER), 2, "of the round");
	next("result 0 1 80");
	cr_expect_eq(flagged(SEAT_WINNER), 0);
	next("result 1 1 80");
	next("result 2 3 45");
	cr_expect(frame_is(&frame, 0, SEAT_WINNER));
	cr_expect(frame_is(&frame, 1, SEAT_WINNER), "they share the place");
	cr_expect_not(frame_is(&frame, 2, SEAT_WINNER));
}

/* The monster of four seats keeps what no seat has seen until the end. */
Test(frames, doubles_dread_monster)
{
	begin("doubles-dread", 4);
	next("round 1 3");
	says("monster ? ?", "The monster has 2 pawns from the start.");
	says("back 0 R8 G1", "Anna(0) gets the red 8 and the green 1 out of "
			     "the monster's belly.");
	cr_expect_eq(zone("belly", -1)->pieces, 0);
	cr_expect_str_eq(codes("taken", 0), "R8 G1");
	next("move 0 lead:Q");
	next("at Q z 0");
	next("move 0 play:R1");
}

Test(piece, move)
{
	static const char *const said[][2] = {
		{ "play:7H", "play the seven of hearts" },
		{ "beat:6C:9C", "beat the six of clubs, the nine of clubs" },
		{ "discard:TD:stay", "discard the ten of diamonds, stay" },
		{ "put:d:S", "put d S" },
		{ "play:R8", "play the red 8" },
		{ "show:Y3t", "show the toxic yellow 3" },
		{ "bid:53", "bid 53" },
		{ "pass", "pass" },
		{ "", "" },
		{ ":", "" },
	};
	char words[64], few[8];
	size_t i;

	for (i = 0; i < NELEM(said); i++) {
		piece_move(said[i][0], words, sizeof(words));
		cr_assert_str_eq(words, said[i][1]);
	}
	piece_move("play:7H", few, sizeof(few));
	cr_assert_str_eq(few, "play th");
}
