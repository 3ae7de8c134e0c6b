/* tests/unit/test-doubles-dread.c - the rules of Double's Dread, rule by rule.
 *
 * Names of tests are the numbers of the rules (R) and of the resolved
 * questions (Q). */
#include <criterion/criterion.h>

#include "protocol/text.h"
#include "tests/unit/play.h"

/* Each bark has one colour, so only the leading bark follows. */
#define BARK_OF(x, c)                                                          \
	"bark " x " " c "1 " c "2 " c "3 " c "4 " c "5 " c "6 " c "7 " c "8\n"
#define COLOURS                                                                \
	BARK_OF("a", "R") BARK_OF("b", "G") BARK_OF("c", "B") BARK_OF("d", "Y")

/* Four seats: four barks of one colour and one mixed. */
#define FIVE                                                                   \
	"bark a R1 R2 R3 R4 R5 R6\n"                                           \
	"bark b G1 G2 G3 G4 G5 G6\n"                                           \
	"bark c B1 B2 B3 B4 B5 B6\n"                                           \
	"bark d Y1 Y2 Y3 Y4 Y5 Y6\n"                                           \
	"bark e R7 R8 G7 G8 B7 B8\n"                                           \
	"monster {Y8 Y7}\n"

static struct play play;

/* ---- start and set-up of a round -------------------------------------- */

/* Four barks of eight; five of six and two on the monster. */
Test(doubles_dread, R2_deal)
{
	play_open(&play, "doubles-dread", 2, "");
	FOLLOWS(&play, "round 1 1\n" COLOURS "ask 1 pass bid:33..64\n");
	play_open(&play, "doubles-dread", 3, "");
	FOLLOWS(&play, "round 1 2\n" COLOURS "ask 2 pass bid:33..64\n");
	play_open(&play, "doubles-dread", 4, "");
	FOLLOWS(&play, "round 1 3\n" FIVE "ask 3 pass bid:27..64\n");
	play_open(&play, "doubles-dread", 3, "");
	cr_assert_not_null(play_follow(
		&play,
		"round 1 2\n" BARK_OF("a", "R") BARK_OF("b", "G")
			BARK_OF("c", "B") "bark d Y1 Y2 Y3 Y4 Y5 Y6 Y7 R8\n"));
	cr_assert(play.chance.failed, "R8 twice");
	play_open(&play, "doubles-dread", 3, "");
	cr_assert_not_null(play_follow(&play, "round 1 3\n" COLOURS));
	cr_assert(play.chance.failed, "there is no seat 3");
}

/* ---- auction ---------------------------------------------------------- */

/* Clockwise from the opener, each bid higher than the last, seats that have
 * passed are skipped (Q7); (b) ends it. */
Test(doubles_dread, R3_auction)
{
	play_open(&play, "doubles-dread", 4, "");
	FOLLOWS(&play, "round 1 2\n" FIVE "ask 2 pass bid:27..64\n"
		       "refuse 2 bid:26\n"
		       "refuse 2 bid:65\n"
		       "refuse 2 bid:027\n"
		       "refuse 2 bid:27..64\n"
		       "refuse 2 put:a:S\n"
		       "refuse 3 pass\n"
		       "refuse 3 bid:30\n"
		       "house 2 pass\n"
		       "move 2 bid:27\n"
		       "ask 3 pass bid:28..64\n"
		       "refuse 3 bid:27\n"
		       "move 3 pass\n"
		       "ask 0 pass bid:28..64\n"
		       "house 0 pass\n"
		       "move 0 bid:40\n"
		       "ask 1 pass bid:41..64\n"
		       "move 1 bid:41\n"
		       "ask 2 pass bid:42..64\n"
		       "move 2 pass\n"
		       "ask 0 pass bid:42..64\n"
		       "refuse 2 bid:50\n"
		       "move 0 bid:50\n"
		       "ask 1 pass bid:51..64\n"
		       "move 1 pass\n"
		       "south 0 50\n"
		       "refuse 1 bid:51\n");
}

/* (a): 64 ends it although others have not passed; after 63 it is all that
 * is left, and a token of its own. */
Test(doubles_dread, R3_sixty_four)
{
	play_open(&play, "doubles-dread", 3, "");
	FOLLOWS(&play, "round 1 0\n" COLOURS "move 0 bid:64\n"
		       "south 0 64\n");
	play_open(&play, "doubles-dread", 3, "");
	FOLLOWS(&play, "round 1 0\n" COLOURS "move 0 bid:62\n"
		       "ask 1 pass bid:63..64\n"
		       "move 1 bid:63\n"
		       "ask 2 pass bid:64\n"
		       "refuse 2 bid:63\n"
		       "move 2 bid:64\n"
		       "south 2 64\n");
}

/* (c): the opener plays for the minimum; the last seat is still asked. */
Test(doubles_dread, R3_Q8_nobody_bids)
{
	play_open(&play, "doubles-dread", 3, "");
	FOLLOWS(&play, "round 1 1\n" COLOURS "move 1 pass\n"
		       "move 2 pass\n"
		       "ask 0 pass bid:33..64\n"
		       "move 0 pass\n"
		       "south 1 33\n"
		       "ask 1 put:a:S put:b:S put:c:S put:d:S\n");
	play_open(&play, "doubles-dread", 4, "");
	FOLLOWS(&play, "round 1 3\n" FIVE "move 3 pass\n"
		       "move 0 pass\n"
		       "move 1 pass\n"
		       "move 2 pass\n"
		       "south 3 27\n");
}

/* The only seat that has not passed bids: that is enough. */
Test(doubles_dread, R3_the_last_seat_bids)
{
	play_open(&play, "doubles-dread", 3, "");
	FOLLOWS(&play, "round 1 1\n" COLOURS "move 1 pass\n"
		       "move 2 pass\n"
		       "move 0 bid:34\n"
		       "south 0 34\n"
		       "refuse 1 bid:35\n");
}

/* ---- spread ----------------------------------------------------------- */

Test(doubles_dread, R4_spread)
{
	play_open(&play, "doubles-dread", 3, "");
	FOLLOWS(&play, "round 1 1\n" COLOURS "move 1 bid:64\n"
		       "south 1 64\n"
		       "ask 1 put:a:S put:b:S put:c:S put:d:S\n"
		       "house 1 put:a:S\n"
		       "refuse 1 put:a:W\n"
		       "refuse 1 put:e:S\n"
		       "refuse 1 pass\n"
		       "refuse 0 put:a:S\n"
		       "refuse 2 put:a:S\n"
		       "move 1 put:c:S\n"
		       "ask 1 put:a:W put:b:W put:d:W\n"
		       "refuse 1 put:c:W\n"
		       "house 1 put:a:W\n"
		       "move 1 put:a:W\n"
		       "ask 1 put:b:N put:d:N\n"
		       "house 1 put:b:N\n"
		       "move 1 put:d:N\n"
		       /* One bark and one place are left; the seat is still
		        * asked. */
		       "ask 1 put:b:E\n"
		       "refuse 1 put:b:NW\n"
		       "move 1 put:b:E\n"
		       "at S c 1\n"
		       "at W a 2\n"
		       "at N d 1\n"
		       "at E b 0\n"
		       "ask 1 lead:S lead:W lead:N lead:E\n");
}

/* Q10: the fifth bark between two others, on either side. */
Test(doubles_dread, R4_fifth_bark)
{
	static const char *const to_east = "round 1 0\n" FIVE "move 0 bid:64\n"
					   "south 0 64\n"
					   "move 0 put:e:S\n"
					   "move 0 put:d:W\n"
					   "move 0 put:a:N\n"
					   "ask 0 put:b:E put:c:E\n"
					   "move 0 put:b:E\n"
					   "ask 0 put:c:NW put:c:NE\n"
					   "refuse 0 put:c:E\n"
					   "refuse 0 put:b:NW\n"
					   "house 0 put:c:NW\n";

	play_open(&play, "doubles-dread", 4, "");
	FOLLOWS(&play, to_east);
	FOLLOWS(&play, "move 0 put:c:NW\n"
		       "at S e 0\n"
		       "at W d 1\n"
		       "at NW c 0\n"
		       "at N a 2\n"
		       "at E b 3\n"
		       "ask 0 lead:S lead:W lead:NW lead:N lead:E\n");
	play_open(&play, "doubles-dread", 4, "");
	FOLLOWS(&play, to_east);
	FOLLOWS(&play, "move 0 put:c:NE\n"
		       "at S e 0\n"
		       "at W d 1\n"
		       "at N a 2\n"
		       "at NE c 0\n"
		       "at E b 3\n"
		       "ask 0 lead:S lead:W lead:N lead:NE lead:E\n"
		       "refuse 0 lead:NW\n");
}

/* Q11: the others keep their order, whichever seat is South. */
Test(doubles_dread, R4_who_plays_with_which)
{
	static const char *const order[] = { "S", "W", "N", "E" };
	static const uint8_t after_south[5][4] = {
		[2] = { 0, 1, 0, 1 },
		[3] = { 0, 1, 0, 2 },
		[4] = { 0, 1, 2, 3 },
	};
	struct text text = { .max = PLAY_BYTES };
	unsigned seats, south, i;

	for (seats = 2; seats <= 4; seats++) {
		for (south = 0; south < seats; south++) {
			text_clear(&text);
			text_fmt(&text,
				 "round 1 %u\n%s"
				 "move %u bid:64\n"
				 "south %u 64\n",
				 south, seats == 4 ? FIVE : COLOURS, south,
				 south);
			for (i = 0; i < 4; i++)
				text_fmt(&text, "move %u put:%c:%s\n", south,
					 "abcd"[i], order[i]);
			if (seats == 4)
				text_fmt(&text, "move %u put:e:NW\n", south);
			for (i = 0; i < 4; i++) {
				if (seats == 4 && i == 2)
					text_fmt(&text, "at NW e %u\n", south);
				text_fmt(&text, "at %s %c %u\n", order[i],
					 "abcd"[i],
					 (south + after_south[seats][i]) %
						 seats);
			}
			play_open(&play, "doubles-dread", seats, "");
			FOLLOWS(&play, text_string(&text));
		}
	}
	text_release(&text);
}

/* ---- lead and trick --------------------------------------------------- */

/* Seat 0 has red and blue, seat 1 green and yellow. */
#define TWO_SEATS                                                              \
	"round 1 0\n" COLOURS "move 0 bid:33\n"                                \
	"move 1 pass\n"                                                        \
	"south 0 33\n"                                                         \
	"move 0 put:a:S\n"                                                     \
	"move 0 put:b:W\n"                                                     \
	"move 0 put:c:N\n"                                                     \
	"move 0 put:d:E\n"                                                     \
	"at S a 0\n"                                                           \
	"at W b 1\n"                                                           \
	"at N c 0\n"                                                           \
	"at E d 1\n"

/* South first, later the winner; any bark, that of another seat, too (Q5). */
Test(doubles_dread, R5_lead)
{
	play_open(&play, "doubles-dread", 2, "");
	FOLLOWS(&play, TWO_SEATS "ask 0 lead:S lead:W lead:N lead:E\n"
				 "house 0 lead:S\n"
				 "refuse 0 lead:NW\n"
				 "refuse 0 lead:NE\n"
				 "refuse 0 play:R1\n"
				 "refuse 1 lead:W\n"
				 "move 0 lead:E\n"
				 "refuse 0 play:Y1\n"
				 "move 1 play:Y3\n"
				 "move 0 play:R1\n"
				 "swallow R1\n"
				 "move 1 play:G3\n"
				 "swallow Y3\n"
				 "move 0 play:B4\n"
				 "swallow B4\n"
				 "trick W 1 G3\n"
				 "ask 1 lead:S lead:W lead:N lead:E\n"
				 "house 1 lead:W\n"
				 "refuse 0 lead:S\n"
				 "move 1 lead:S\n"
				 "ask 0 play:R2 play:R3 play:R4 play:R5 "
				 "play:R6 play:R7 play:R8\n"
				 "refuse 0 play:R1\n");
}

/* Q2: a double may be doubled again, always by the force of the first pawn. */
Test(doubles_dread, R6_Q2_doubles)
{
	play_open(&play, "doubles-dread", 2, "");
	FOLLOWS(&play, TWO_SEATS
		"move 0 lead:S\n"
		"ask 0 play:R1 play:R2 play:R3 play:R4 play:R5 play:R6 "
		"play:R7 play:R8\n"
		"house 0 play:R1\n"
		"refuse 0 play:B1\n"
		"move 0 play:R5\n"
		"ask 1 play:G1 play:G2 play:G3 play:G4 play:G5 play:G6 "
		"play:G7 play:G8\n"
		"refuse 1 play:Y5\n"
		"move 1 play:G5\n"
		"swallow R5\n"
		"move 0 play:B5\n"
		"swallow G5\n"
		"ask 1 play:Y1 play:Y2 play:Y3 play:Y4 play:Y5 play:Y6 "
		"play:Y7 play:Y8\n"
		"move 1 play:Y5\n"
		"swallow B5\n"
		"trick E 1 Y5\n"
		"house 1 lead:E\n");
}

/* Q3: a seat that cannot follow may discard although it has a double.  A
 * stronger pawn of another colour wins nothing. */
Test(doubles_dread, R6_Q3_discards)
{
	play_open(&play, "doubles-dread", 2, "");
	FOLLOWS(&play, TWO_SEATS "move 0 lead:N\n"
				 "move 0 play:B1\n"
				 "move 1 play:Y8\n"
				 "swallow Y8\n"
				 "move 0 play:R7\n"
				 "swallow R7\n"
				 "move 1 play:G2\n"
				 "swallow G2\n"
				 "trick N 0 B1\n");
}

#define MIXED                                                                  \
	"round 1 0\n"                                                          \
	"bark a R3 R2 R8 G1 B1 Y2\n"                                           \
	"bark b R6 R1 G2 B2 Y4 Y5\n"                                           \
	"bark c G3 B6 Y1 B4 G4 B7\n"                                           \
	"bark d R4 G5 G8 R7 B5 Y7\n"                                           \
	"bark e R5 Y3 B3 Y8 B8 Y6\n"                                           \
	"monster {G7 G6}\n"                                                    \
	"move 0 bid:64\n"                                                      \
	"south 0 64\n"                                                         \
	"move 0 put:a:S\n"                                                     \
	"move 0 put:b:W\n"                                                     \
	"move 0 put:c:N\n"                                                     \
	"move 0 put:e:E\n"                                                     \
	"move 0 put:d:NE\n"                                                    \
	"at S a 0\n"                                                           \
	"at W b 1\n"                                                           \
	"at N c 2\n"                                                           \
	"at NE d 0\n"                                                          \
	"at E e 3\n"

/* Following comes first, for each bark by itself; the strongest pawn of the
 * last required colour wins. */
Test(doubles_dread, R6_following)
{
	play_open(&play, "doubles-dread", 4, "");
	FOLLOWS(&play,
		MIXED "move 0 lead:S\n"
		      "ask 0 play:R3 play:R2 play:R8 play:G1 play:B1 play:Y2\n"
		      "house 0 play:G1\n"
		      "move 0 play:R3\n"
		      "ask 1 play:R1 play:R6\n"
		      "refuse 1 play:G2\n"
		      "house 1 play:R1\n"
		      "move 1 play:R6\n"
		      /* The 6 makes no double, because only a follower has
		       * played it. */
		      "ask 2 play:G3 play:B6 play:Y1 play:B4 play:G4 play:B7\n"
		      "house 2 play:Y1\n"
		      "move 2 play:G3\n"
		      "swallow R3 R6\n"
		      /* Q4: red does not follow any more. */
		      "ask 0 play:G5 play:G8\n"
		      "refuse 0 play:R4\n"
		      "refuse 0 play:R2\n"
		      "move 0 play:G5\n"
		      "ask 3 play:R5 play:Y3 play:B3 play:Y8 play:B8 play:Y6\n"
		      "house 3 play:R5\n"
		      "move 3 play:R5\n"
		      "swallow R5\n"
		      "trick NE 0 G3 G5\n"
		      "ask 0 lead:S lead:W lead:N lead:NE lead:E\n"
		      "house 0 lead:NE\n");
	play_open(&play, "doubles-dread", 4, "");
	FOLLOWS(&play, MIXED "move 0 lead:S\n"
			     "move 0 play:R3\n"
			     "move 1 play:R6\n"
			     "move 2 play:B6\n"
			     "swallow B6\n"
			     "move 0 play:R4\n"
			     "move 3 play:R5\n"
			     "trick W 1 R3 R6 R4 R5\n"
			     "ask 1 lead:S lead:W lead:N lead:NE lead:E\n"
			     "house 1 lead:W\n");
}

/* A double, then one who follows it with a weaker pawn: the double wins. */
Test(doubles_dread, R6_strongest_of_what_lies)
{
	play_open(&play, "doubles-dread", 4, "");
	FOLLOWS(&play, MIXED "move 0 lead:E\n"
			     "move 3 play:Y8\n"
			     "move 0 play:Y2\n"
			     "ask 1 play:Y4 play:Y5\n"
			     "move 1 play:Y4\n"
			     "ask 2 play:Y1\n"
			     "move 2 play:Y1\n"
			     "move 0 play:Y7\n"
			     "trick E 3 Y8 Y2 Y4 Y1 Y7\n"
			     "move 3 lead:E\n"
			     "move 3 play:B8\n"
			     "move 0 play:B1\n"
			     "move 1 play:B2\n"
			     "move 2 play:B4\n"
			     "move 0 play:B5\n"
			     "trick E 3 B8 B1 B2 B4 B5\n"
			     "move 3 lead:E\n"
			     "move 3 play:Y3\n"
			     "move 0 play:R3\n"
			     "swallow Y3\n"
			     "ask 1 play:R6 play:R1\n"
			     "move 1 play:R1\n"
			     "ask 2 play:G3 play:B6 play:G4 play:B7\n"
			     "house 2 play:G4\n"
			     "move 2 play:B7\n"
			     "swallow B7\n"
			     "move 0 play:R7\n"
			     "trick NE 0 R3 R1 R7\n");
}

/* ---- whole rounds ----------------------------------------------------- */

/* Each bark with two pawns of each colour, so that everybody follows; the bark
 * at S has the strongest ones. */
static const char *const pairs[] = {
	"R4 R8 G4 G8 B4 B8 Y4 Y8",
	"R1 R5 G1 G5 B1 B5 Y1 Y5",
	"R2 R6 G2 G6 B2 B6 Y2 Y6",
	"R3 R7 G3 G7 B3 B7 Y3 Y7",
};
#define PAIRS_WON "SSSSSSSS"

/* These differ in that W wins blue and the second trick of yellow. */
static const char *const shared[] = {
	"R4 R8 G4 G8 B1 B5 Y4 Y5",
	"R1 R5 G1 G5 B4 B8 Y1 Y8",
	"R2 R6 G2 G6 B2 B6 Y2 Y6",
	"R3 R7 G3 G7 B3 B7 Y3 Y7",
};
#define SHARED_WON "SSSSWWSW"

/* Writes a round of 2 or 3 seats up to its last trick.  The opener is South; all tricks
 * are led by S, and won[i] says who wins trick i: S or W. */
static void
round_text(struct text *to, unsigned seats, unsigned number, unsigned south,
	   unsigned bid, const char *const bark[4], const char *won)
{
	static const char *const order[] = { "S", "W", "N", "E" };
	unsigned seat[4] = { south, (south + 1) % seats, south,
			     (south + seats - 1) % seats };
	unsigned i, trick, chooser = south;

	text_fmt(to, "round %u %u\n", number, south);
	for (i = 0; i < 4; i++)
		text_fmt(to, "bark %c %s\n", "abcd"[i], bark[i]);
	text_fmt(to, "move %u bid:%u\n", south, bid);
	for (i = 1; i < seats && bid < 64; i++)
		text_fmt(to, "move %u pass\n", (south + i) % seats);
	text_fmt(to, "south %u %u\n", south, bid);
	for (i = 0; i < 4; i++)
		text_fmt(to, "move %u put:%c:%s\n", south, "abcd"[i], order[i]);
	for (i = 0; i < 4; i++)
		text_fmt(to, "at %s %c %u\n", order[i], "abcd"[i], seat[i]);
	for (trick = 0; trick < 8; trick++) {
		text_fmt(to, "move %u lead:S\n", chooser);
		for (i = 0; i < 4; i++)
			text_fmt(to, "move %u play:%.2s\n", seat[i],
				 bark[i] + 3 * (size_t)trick);
		chooser = won[trick] == 'S' ? seat[0] : seat[1];
		text_fmt(to, "trick %c %u", won[trick], chooser);
		for (i = 0; i < 4; i++)
			text_fmt(to, " %.2s", bark[i] + 3 * (size_t)trick);
		text_str(to, "\n");
	}
}

/* Plays from R7 to the end of a game of one round, after the tricks. */
static void
one_round(unsigned seats, const char *options, unsigned south, unsigned bid,
	  const char *const bark[4], const char *won, const char *rest)
{
	struct text text = { .max = PLAY_BYTES };

	round_text(&text, seats, 1, south, bid, bark, won);
	text_str(&text, rest);
	play_open(&play, "doubles-dread", seats, options);
	FOLLOWS(&play, text_string(&text));
	cr_assert(game_is_over(&play.game));
	text_release(&text);
}

/* At least the bid; then everybody scores its own count (Q6).  Nothing was
 * swallowed, so `back` has no pawns. */
Test(doubles_dread, R7_made)
{
	one_round(2, "rounds=1", 0, 36, shared, SHARED_WON,
		  "back 1\n"
		  "count 0 36\n"
		  "count 1 28\n"
		  "contract 0 36 36 made\n"
		  "score 0 36\n"
		  "score 1 28\n"
		  "result 0 1 36\n"
		  "result 1 2 28\n");
	one_round(2, "rounds=1", 0, 33, shared, SHARED_WON,
		  "back 1\n"
		  "count 0 36\n"
		  "count 1 28\n"
		  "contract 0 33 36 made\n"
		  "score 0 36\n"
		  "score 1 28\n"
		  "result 0 1 36\n"
		  "result 1 2 28\n");
}

/* One less than the bid: nothing for South, the bid for each of the others. */
Test(doubles_dread, R7_failed)
{
	one_round(2, "rounds=1", 0, 37, shared, SHARED_WON,
		  "back 1\n"
		  "count 0 36\n"
		  "count 1 28\n"
		  "contract 0 37 36 failed\n"
		  "score 0 0\n"
		  "score 1 65\n"
		  "result 0 2 0\n"
		  "result 1 1 65\n");
	one_round(3, "rounds=1", 2, 40, shared, SHARED_WON,
		  "back 0\n"
		  "count 0 28\n"
		  "count 1 0\n"
		  "count 2 36\n"
		  "contract 2 40 36 failed\n"
		  "score 0 68\n"
		  "score 1 40\n"
		  "score 2 0\n"
		  "result 0 1 68\n"
		  "result 1 2 40\n"
		  "result 2 3 0\n");
}

/* Q1: 5 points for each pawn of two forces, which `magic` names. */
Test(doubles_dread, R7_Q1_magic)
{
	one_round(2, "rounds=1 magic=12", 1, 44, shared, SHARED_WON,
		  "back 0\n"
		  "count 0 20\n"
		  "count 1 44\n"
		  "contract 1 44 44 made\n"
		  "score 0 20\n"
		  "score 1 44\n"
		  "result 0 2 20\n"
		  "result 1 1 44\n");
	one_round(2, "rounds=1 magic=45", 1, 44, shared, SHARED_WON,
		  "back 0\n"
		  "count 0 24\n"
		  "count 1 40\n"
		  "contract 1 44 40 failed\n"
		  "score 0 68\n"
		  "score 1 0\n"
		  "result 0 1 68\n"
		  "result 1 2 0\n");
}

/* Section 6: ties share the better place. */
Test(doubles_dread, ties)
{
	one_round(3, "rounds=1", 1, 64, pairs, PAIRS_WON,
		  "back 1\n"
		  "count 0 0\n"
		  "count 1 64\n"
		  "count 2 0\n"
		  "contract 1 64 64 made\n"
		  "score 0 0\n"
		  "score 1 64\n"
		  "score 2 0\n"
		  "result 0 2 0\n"
		  "result 1 1 64\n"
		  "result 2 2 0\n");
}

/* Totals run on, the opener moves on, all pawns come back. */
Test(doubles_dread, R7_two_rounds)
{
	struct text text = { .max = PLAY_BYTES };

	round_text(&text, 2, 1, 1, 37, shared, SHARED_WON);
	text_str(&text, "back 0\n"
			"count 0 28\n"
			"count 1 36\n"
			"contract 1 37 36 failed\n"
			"score 0 65\n"
			"score 1 0\n");
	round_text(&text, 2, 2, 0, 64, pairs, PAIRS_WON);
	text_str(&text, "back 0\n"
			"count 0 64\n"
			"count 1 0\n"
			"contract 0 64 64 made\n"
			"score 0 129\n"
			"score 1 0\n"
			"result 0 1 129\n"
			"result 1 2 0\n");
	play_open(&play, "doubles-dread", 2, "");
	FOLLOWS(&play, text_string(&text));
	cr_assert(game_is_over(&play.game));
	text_release(&text);
}

/* Seven tricks of three discards each; in the last one every bark has only a
 * double left, which is the house move then.  The winner of the last trick
 * gets what was swallowed, in this order (R7.1). */
Test(doubles_dread, R7_back_and_the_last_doubles)
{
	static const char force[] = "12346781234678";
	struct text text = { .max = PLAY_BYTES }, back = text;
	unsigned i;

	text_str(&text, TWO_SEATS);
	for (i = 0; i < 7; i++) {
		text_fmt(&text,
			 "move 0 lead:S\n"
			 "move 0 play:R%c\n"
			 "move 1 play:G%c\nswallow G%c\n"
			 "move 0 play:B%c\nswallow B%c\n"
			 "move 1 play:Y%c\nswallow Y%c\n"
			 "trick S 0 R%c\n",
			 force[i], force[i + 1], force[i + 1], force[i + 2],
			 force[i + 2], force[i + 3], force[i + 3], force[i]);
		text_fmt(&back, " G%c B%c Y%c", force[i + 1], force[i + 2],
			 force[i + 3]);
	}
	text_str(&text, "move 0 lead:S\n"
			"ask 0 play:R5\n"
			"move 0 play:R5\n"
			"ask 1 play:G5\n"
			"house 1 play:G5\n"
			"move 1 play:G5\n"
			"swallow R5\n"
			"move 0 play:B5\n"
			"swallow G5\n"
			"house 1 play:Y5\n"
			"move 1 play:Y5\n"
			"swallow B5\n"
			"trick E 1 Y5\n");
	text_fmt(&text,
		 "back 1%s R5 G5 B5\n"
		 "count 0 15\n"
		 "count 1 49\n"
		 "contract 0 33 15 failed\n"
		 "score 0 0\n"
		 "score 1 82\n"
		 "result 0 2 0\n"
		 "result 1 1 82\n",
		 text_string(&back));
	play_open(&play, "doubles-dread", 2, "rounds=1");
	FOLLOWS(&play, text_string(&text));
	text_release(&text);
	text_release(&back);
}

/* ---- house moves ------------------------------------------------------ */

/* Section 7: of what is no double the lowest force, then R before G before B
 * before Y. */
Test(doubles_dread, house_moves)
{
	play_open(&play, "doubles-dread", 3, "");
	FOLLOWS(&play, "round 1 0\n"
		       "bark a Y3 G3 B3 R4 G4 R5 R6 R7\n"
		       "bark b Y1 B2 Y2 G2 Y5 Y6 Y7 Y8\n"
		       "bark c R1 R2 R3 G1 G5 G6 G7 G8\n"
		       "bark d R8 B1 B4 B5 B6 B7 B8 Y4\n"
		       "house 0 pass\n"
		       "move 0 bid:64\n"
		       "south 0 64\n"
		       "move 0 put:b:S\n"
		       "house 0 put:a:W\n"
		       "move 0 put:c:W\n"
		       "house 0 put:a:N\n"
		       "move 0 put:a:N\n"
		       "house 0 put:d:E\n"
		       "move 0 put:d:E\n"
		       "at S b 0\n"
		       "at W c 1\n"
		       "at N a 0\n"
		       "at E d 2\n"
		       "house 0 lead:S\n"
		       "move 0 lead:S\n"
		       "house 0 play:Y1\n"
		       "move 0 play:Y2\n"
		       /* R1 before G1; R2 is a double. */
		       "ask 1 play:R1 play:R2 play:R3 play:G1 play:G5 play:G6 "
		       "play:G7 play:G8\n"
		       "house 1 play:R1\n"
		       "move 1 play:R1\n"
		       "swallow R1\n"
		       "ask 0 play:Y3\n"
		       "move 0 play:Y3\n"
		       "ask 2 play:Y4\n"
		       "move 2 play:Y4\n"
		       "trick E 2 Y2 Y3 Y4\n"
		       "house 2 lead:E\n"
		       "move 2 lead:W\n"
		       "house 1 play:G1\n"
		       "move 1 play:G1\n"
		       "ask 0 play:G3 play:G4\n"
		       "house 0 play:G3\n"
		       "move 0 play:G4\n"
		       /* B1 is a double. */
		       "house 2 play:B4\n"
		       "move 2 play:B4\n"
		       "swallow B4\n"
		       "ask 0 play:G2\n"
		       "move 0 play:G2\n"
		       "trick N 0 G1 G4 G2\n"
		       "move 0 lead:S\n"
		       "house 0 play:Y1\n"
		       "move 0 play:B2\n"
		       "house 1 play:R3\n"
		       "move 1 play:R2\n"
		       "swallow B2\n"
		       "house 0 play:R4\n");
}
