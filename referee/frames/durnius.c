/* referee/frames/durnius.c - the display model of Durnius; rules (R) are those
 * of referee/games/durnius.md.
 *
 * Each seat has a hand and its epaulettes; in the middle are the attack in
 * pairs, the talon with the trump under it, what was discarded, and how many
 * cards may still attack. */
#include <string.h>

#include "referee/frames/frame-model.h"

#define NOT_IN SEAT_OUT

/* The notes: facts that are not drawn. */
enum {
	DECKS,
	TRUMP_SUIT, /* letter of the trumps; 0 before it is known */
};

/* ---- where things are ----------------------------------------------------- */

enum { HAND, SHOULDERS, SEAT_ZONES };
enum { ATTACK, TALON, DISCARD };
enum { LIMIT };

/* R1: opposite seats, or every other one. */
static unsigned
team_of(const struct frame *frame, const char *teams, unsigned seat)
{
	if (teams != NULL && strcmp(teams, "pairs") == 0)
		return 1 + seat % (frame->table.seats / 2u);
	if (teams != NULL && strcmp(teams, "threes") == 0)
		return 1 + seat % 2;
	return 0;
}

static void
begin(struct frame *frame, const struct frame_setup *setup)
{
	const char *teams =
		frame->table.seats < 2 ? NULL : frame_option(setup, "teams");

	frame->note[DECKS] = frame_option_number(setup, "decks", 1);
	for (unsigned seat = 0; seat < frame->table.seats; seat++) {
		frame_add_zone(frame, "hand", "hand", (int)seat, LAYOUT_FAN);
		frame_add_zone(frame, "epaulettes", "epaulettes", (int)seat,
			       LAYOUT_ROW);
		frame->table.seat[seat].team =
			(uint8_t)team_of(frame, teams, seat);
		frame_points(frame, (int)seat, 0);
	}
	frame_add_zone(frame, "attack", "attack", -1, LAYOUT_PAIRS);
	frame_add_zone(frame, "talon", "talon", -1, LAYOUT_PILE);
	frame_add_zone(frame, "discard", "discarded", -1, LAYOUT_PILE);
	frame_add_gauge(frame, "limit", "attacking cards", -1, GAUGE_NUMBER, 0);
}

/* ---- trumps --------------------------------------------------------------- */

static unsigned
trump(const struct frame *frame, const char *code)
{
	return code[1] != '\0' && code[1] == frame->note[TRUMP_SUIT]
		       ? PIECE_TRUMP
		       : 0;
}

static struct frame_piece *
put(struct frame *frame, struct frame_zone *zone, const char *code, int by,
    unsigned marks)
{
	return frame_put(zone, code, by, marks | trump(frame, code));
}

static void
mark_trumps(struct frame *frame)
{
	struct frame_zone *zone;

	for (unsigned i = 0; i < frame->table.zones; i++) {
		zone = frame_zone(frame, i);
		for (unsigned k = 0; k < zone->pieces; k++)
			zone->piece[k].marks |=
				(uint16_t)trump(frame, zone->piece[k].code);
	}
}

/* Marks a card in a hand as seen by all. */
static void
show_in_hand(struct frame *frame, int seat, const char *code)
{
	struct frame_zone *hand = frame_own(frame, seat, HAND);

	if (frame_find(hand, code) < 0)
		return;
	frame_take(hand, code);
	put(frame, hand, code, -1, PIECE_SHOWN);
}

/* ---- a game begins (R2, R3) ----------------------------------------------- */

static void
round_begins(struct frame *frame, const struct frame_line *line)
{
	frame_flag_only(frame, -1,
			SEAT_OUT | SEAT_LOSER | SEAT_TURN | SEAT_ATTACKER |
				SEAT_DEFENDER);
	for (int seat = 0; seat < frame->table.seats; seat++)
		frame_clear(frame_own(frame, seat, HAND));
	frame_clear(frame_middle(frame, ATTACK));
	frame_clear(frame_middle(frame, TALON));
	frame_clear(frame_middle(frame, DISCARD));
	frame_gauge_set(frame, -1, LIMIT, GAUGE_NONE);
	frame->note[TRUMP_SUIT] = 0;
	frame_text(frame_middle(frame, TALON)->label, FRAME_LABEL, "talon");
	frame_flag_only(frame, line->seat[0], SEAT_DEALER);
}

static void
deal(struct frame *frame, const struct frame_line *line)
{
	struct frame_zone *hand = frame_own(frame, line->seat[0], HAND);

	frame_clear(hand);
	for (unsigned i = 0; i < line->pieces; i++)
		put(frame, hand, line->piece[i], -1, 0);
}

/* Shows the trump card.  The dealer has it if there is no talon, which is so
 * with six seats and one deck. */
static void
trump_shown(struct frame *frame, const struct frame_line *line)
{
	const bool in_hand = frame->table.seats == 6 && frame->note[DECKS] == 1;

	frame->note[TRUMP_SUIT] = line->piece[0][1];
	frame_text(frame_middle(frame, TALON)->label, FRAME_LABEL,
		   "talon (%s are trumps)",
		   piece_suit((char)frame->note[TRUMP_SUIT]));
	mark_trumps(frame);
	if (!in_hand) {
		put(frame, frame_middle(frame, TALON), line->piece[0], -1,
		    PIECE_SHOWN);
		frame_tell(frame, line, "The C lies open under the talon");
	} else {
		for (int dealer = 0; dealer < frame->table.seats; dealer++)
			if (frame_is(frame, dealer, SEAT_DEALER))
				show_in_hand(frame, dealer, line->piece[0]);
		frame_tell(frame, line, "The C is the last card dealt");
	}
	frame_say(frame, ": %s are trumps.",
		  piece_suit((char)frame->note[TRUMP_SUIT]));
}

/* Fills the talon in drawing order.  The trump, which is there already, is its
 * last card. */
static void
talon(struct frame *frame, const struct frame_line *line)
{
	struct frame_zone *zone = frame_middle(frame, TALON);
	const struct frame_zone before = *zone;

	frame_clear(zone);
	for (unsigned i = 0; i < line->pieces; i++)
		put(frame, zone, line->piece[i], -1, PIECE_DOWN);
	for (unsigned i = 0; i < before.pieces; i++)
		put(frame, zone, before.piece[i].code, -1,
		    before.piece[i].marks);
	frame_say(frame, "%u card%s in the talon above it.", line->pieces,
		  line->pieces == 1 ? " lies" : "s lie");
}

static void
show(struct frame *frame, const struct frame_line *line)
{
	show_in_hand(frame, line->seat[0], line->piece[0]);
}

/* ---- turns (R4 to R9) ----------------------------------------------------- */

/* Counts the cards that attack, and those that may. */
static void
count_attack(struct frame *frame)
{
	const struct frame_zone *attack = frame_middle(frame, ATTACK);
	int32_t count = 0;

	for (unsigned i = 0; i < attack->pieces; i++)
		count += attack->piece[i].on < 0;
	frame_gauge_set(frame, -1, LIMIT, count);
}

static void
set_sides(struct frame *frame, int attacker, int defender)
{
	frame_flag_only(frame, attacker, SEAT_ATTACKER);
	frame_flag_only(frame, defender, SEAT_DEFENDER);
	frame_gauge(frame, -1, LIMIT)->goal =
		frame_own(frame, defender, HAND)->pieces;
	count_attack(frame);
}

static void
turn(struct frame *frame, const struct frame_line *line)
{
	frame_clear(frame_middle(frame, ATTACK));
	set_sides(frame, line->seat[0], line->seat[1]);
	frame_flag_only(frame, line->seat[0], SEAT_TURN);
}

static void
shift(struct frame *frame, const struct frame_line *line)
{
	set_sides(frame, line->seat[0], line->seat[1]);
	frame_flag_only(frame, line->seat[1], SEAT_TURN);
}

static int
defender(const struct frame *frame)
{
	for (int seat = 0; seat < frame->table.seats; seat++)
		if (frame_is(frame, seat, SEAT_DEFENDER))
			return seat;
	return -1;
}

/* Returns the index of the first unbeaten attacking card with this code, or of
 * any unbeaten one, or -1. */
static int
unbeaten(const struct frame_zone *attack, const char *code)
{
	for (unsigned i = 0; i < attack->pieces; i++)
		if (attack->piece[i].on < 0 &&
		    (attack->piece[i].marks & PIECE_BEATEN) == 0 &&
		    (code == NULL || strcmp(attack->piece[i].code, code) == 0))
			return (int)i;
	return -1;
}

static void
play(struct frame *frame, const struct frame_line *line)
{
	frame_take(frame_own(frame, line->seat[0], HAND), line->piece[0]);
	put(frame, frame_middle(frame, ATTACK), line->piece[0], line->seat[0],
	    0);
	count_attack(frame);
	frame_flag_only(frame, defender(frame), SEAT_TURN);
}

static void
beat(struct frame *frame, const struct frame_line *line)
{
	struct frame_zone *attack = frame_middle(frame, ATTACK);
	const int under = unbeaten(attack, line->piece[0]);
	struct frame_piece *card;

	frame_take(frame_own(frame, line->seat[0], HAND), line->piece[1]);
	card = put(frame, attack, line->piece[1], line->seat[0], 0);
	if (card != NULL && under >= 0) {
		card->on = (int8_t)under;
		attack->piece[under].marks |= PIECE_BEATEN;
	}
	if (unbeaten(attack, NULL) < 0)
		frame_flag_only(frame, -1, SEAT_TURN);
}

static void
take(struct frame *frame, const struct frame_line *line UNUSED)
{
	frame_flag_only(frame, -1, SEAT_TURN);
}

/* ---- a turn ends (R10) ---------------------------------------------------- */

static void
turn_ends(struct frame *frame)
{
	frame_gauge_set(frame, -1, LIMIT, GAUGE_NONE);
	frame_flag_only(frame, -1, SEAT_TURN);
}

/* Moves the cards, which all have seen, to a hand. */
static void
pickup(struct frame *frame, const struct frame_line *line)
{
	frame_move_all(frame_middle(frame, ATTACK),
		       frame_own(frame, line->seat[0], HAND), PIECE_SHOWN);
	mark_trumps(frame);
	turn_ends(frame);
}

/* Draws only the number of discarded cards, because no player may examine them. */
static void
discard(struct frame *frame, const struct frame_line *line UNUSED)
{
	frame_put_hidden(frame_middle(frame, DISCARD),
			 frame_middle(frame, ATTACK)->pieces, 0);
	frame_clear(frame_middle(frame, ATTACK));
	turn_ends(frame);
}

static void
draw(struct frame *frame, const struct frame_line *line)
{
	struct frame_zone *zone = frame_middle(frame, TALON);
	unsigned marks;

	for (unsigned i = 0; i < line->pieces; i++) {
		marks = zone->pieces > 0 ? zone->piece[0].marks : 0;
		frame_take_first(zone, 1);
		put(frame, frame_own(frame, line->seat[0], HAND),
		    line->piece[i], -1,
		    marks & PIECE_SHOWN); /* the trump lay open */
	}
}

static void
out(struct frame *frame, const struct frame_line *line)
{
	frame_flag(frame, line->seat[0], SEAT_OUT);
}

/* ---- a game ends (R12, R13) ----------------------------------------------- */

static void
fool(struct frame *frame, const struct frame_line *line)
{
	frame_flag_only(frame, -1, SEAT_TURN | SEAT_ATTACKER | SEAT_DEFENDER);
	if (line->seats > 0)
		frame_flag(frame, line->seat[0], SEAT_LOSER);
}

static void
epaulette(struct frame *frame, const struct frame_line *line)
{
	frame_put_all(frame_own(frame, line->seat[0], SHOULDERS), line, 0);
}

/* ---- the lines ------------------------------------------------------------ */

static const struct frame_shape shapes[] = {
	{ "round N S", "Game N begins; S deals.", MARK_ROUND, round_begins },
	{ "deal S C*", "S is dealt C*.", 0, deal },
	{ "trump C", NULL, MARK_SHOW, trump_shown },
	{ "talon C*", NULL, 0, talon },
	{ "lowest S C", "S shows the lowest trump, the C, and begins.",
	  MARK_SHOW, show },
	{ "lowest none", "No seat holds a trump.", 0, NULL },
	{ "turn N S S", "Turn N: S attacks S.", MARK_TURN, turn },
	{ "turn N S S N N",
	  "Turn N: S attacks from chair N2, S defends on chair N3.", MARK_TURN,
	  turn },
	{ "move S attack:C", "S attacks with the C.", MARK_MOVE, play },
	{ "move S add:C", "S adds the C.", MARK_MOVE, play },
	{ "move S beat:C:C", "S beats the C with the C.", MARK_MOVE, beat },
	{ "move S transfer:C", "S passes the attack on with the C.", MARK_MOVE,
	  play },
	{ "move S show:C", "S shows the C and passes the attack on.",
	  MARK_MOVE | MARK_SHOW, show },
	{ "move S take", "S takes the cards.", MARK_MOVE, take },
	{ "shift S S", "Now S attacks S.", MARK_TURN, shift },
	{ "shift S S N N", "Now S attacks from chair N, S defends on chair N.",
	  MARK_TURN, shift },
	{ "quiet", "All cards are beaten, and no seat adds one.", 0, NULL },
	{ "pickup S N", "S picks up N card(s).", MARK_TRICK, pickup },
	{ "discard N", "N card(s) leave the game.", MARK_TRICK, discard },
	{ "draw S C*", "S draws C*.", 0, draw },
	{ "out S", "S has no cards left and leaves the game.", MARK_OUT, out },
	{ "stall", "Nothing has changed for too long, so the game ends.",
	  MARK_END, NULL },
	{ "fool S", "S still holds cards: S1 is the fool.", MARK_END, fool },
	{ "fool none", "No seat is the fool.", MARK_END, fool },
	{ "epaulette S C", "S gets the C as an epaulette.", MARK_SCORE,
	  epaulette },
	{ "epaulette S C C", "S gets the C and the C as epaulettes.",
	  MARK_SCORE, epaulette },
	{ NULL, NULL, 0, NULL },
};

static const struct frame_move moves[] = {
	{ "attack:C", "attack with the C" },
	{ "add:C", "add the C" },
	{ "beat:C:C", "beat the C with the C" },
	{ "transfer:C", "pass the attack on with the C" },
	{ "show:C", "show the C and pass the attack on" },
	{ "take", "take the cards" },
	{ "pass", "pass" },
	{ NULL, NULL },
};

const struct frame_game frame_durnius = {
	.name = "durnius",
	.kind = PIECES_CARD,
	.seat_zones = SEAT_ZONES,
	.begin = begin,
	.shapes = shapes,
	.moves = moves,
};
