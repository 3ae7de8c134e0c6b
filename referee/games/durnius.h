/* referee/games/durnius.h - the inside of Durnius: its state, and what its
 * files share.  durnius.c plays turns, durnius-game.c begins and ends games,
 * durnius-words.c has the options and the names of all things,
 * durnius-redeal.c deals again what a viewer cannot know.
 *
 * Pieces are numbered rank * 4 + suit, ranks 6 7 8 9 T J Q K A and suits
 * C D H S.  So of any set the lowest piece is the house's card, what is
 * higher in a suit is every fourth piece from there on, and the cards of a
 * rank stand side by side.  Of two decks equal cards are the same piece. */
#ifndef REFEREE_GAMES_DURNIUS_H
#define REFEREE_GAMES_DURNIUS_H

#include "referee/games/bag.h"
#include "referee/games/game.h"
#include "referee/games/seats.h"

#define DURNIUS_SEATS 6
#define SUITS 4
#define RANKS 9
#define DECK (RANKS * SUITS)
#define HAND 6
/* The attacking cards and as many in the defender's hand (R6) make two decks
 * at most. */
#define ATTACKS_MAX DECK
#define NOBODY (-1)

/* In the rules' order; choices in the order of their values. */
enum {
	OPTION_DECKS,
	OPTION_PASSING,
	OPTION_TRAVEL,
	OPTION_ADDING,
	OPTION_TEAMS,
	OPTION_START,
	OPTION_DEALER,
	OPTION_GAMES,
	OPTION_SCORING,
	OPTION_EPAULETTES,
};
enum { ADDING_ANY, ADDING_DEFENDED };
enum { TEAMS_NONE, TEAMS_PAIRS, TEAMS_THREES };
enum { START_TRUMP, START_RIGHT, START_WINNERS };
enum { DEALER_TURN, DEALER_FOOL };
enum { SCORING_FOOL, SCORING_FIRST, SCORING_ORDER };
enum { EPAULETTES_NONE, EPAULETTES_MARK, EPAULETTES_SCORE };

enum {
	VERB_ATTACK = VERB_PASS + 1,
	VERB_BEAT,
	VERB_TAKE,
	VERB_TRANSFER,
	VERB_SHOW,
	VERB_ADD,
};

enum phase { PHASE_ATTACK, PHASE_TABLE, PHASE_OVER };

/* Says that all have seen a card of a seat's hand for the first time.  Of the places of
 * the shuffled order that were dealt to this seat it was in one of those from `from` up
 * to, not including, `upto`. */
struct sight {
	uint8_t card, seat, from, upto;
};

struct durnius {
	struct bag hand[DURNIUS_SEATS];
	struct bag known[DURNIUS_SEATS]; /* what everybody knows to be in it */
	struct bag table;		 /* all cards on it */
	struct bag unbeaten; /* the attacking ones that are not beaten */
	card_set ranks;	     /* every card of a rank that is on the table */
	card_set trumps;

	/* These count the entries of the arrays at the end. */
	uint8_t places; /* of the shuffled order, */
	uint8_t dealt;	/* and of them so many */
	uint8_t sights;
	uint8_t bars; /* set of seats */

	/* Holds the attacking cards in the order played, and the seats that played
	 * them. */
	uint8_t attack[ATTACKS_MAX], by[ATTACKS_MAX];
	uint8_t attacks, beaten;

	int16_t points[DURNIUS_SEATS];
	uint8_t side[DURNIUS_SEATS];  /* set: this seat and its partners */
	uint8_t left[DURNIUS_SEATS];  /* who has left the game, in order */
	uint8_t empty[DURNIUS_SEATS]; /* whose hand ran out this turn */
	uint8_t shows[DURNIUS_SEATS]; /* `show` moves in this turn */
	uint8_t lefts, empties;

	/* Sets of seats. */
	uint8_t in, chairs; /* chairs that are not empty */
	uint8_t holding;    /* a card or more */
	uint8_t adders;

	uint8_t seats, decks;
	uint8_t adding, teams, start, dealing, scoring, epaulettes;
	bool passing, travel;
	uint16_t games, game;
	uint8_t phase;
	uint8_t dealer;
	uint8_t attacker, defender;
	uint8_t attacker_chair, defender_chair;
	uint8_t limit; /* of attacking cards */
	uint8_t idle;  /* turns in a row without any change (R10.4) */
	uint16_t turn;
	int8_t fool; /* of the last game, or NOBODY */

	/* Holds the shuffled order: the hands, then the talon; last the trump card.
	 * Place i holds card[i] and is, once `dealt` is beyond it, of the seat
	 * owner[i]. */
	uint8_t card[2 * DECK], owner[2 * DECK];

	/* Holds what the moves of this game have shown of it.  No first hand held a
	 * card of `absent`; none before place lowest_at held `lowest` (DECK: no card).
	 * House moves of the seats in `bars` tell that what was in place i and still in
	 * hand was no card of bar[i]. */
	struct sight sight[2 * DECK + 1];
	uint8_t lowest, lowest_at;
	card_set bar[2 * DECK];
	card_set absent;
};

GAME_STATE_FITS(struct durnius);

/* These are the constant parts, for the table of games. */
extern const struct deck durnius_deck;
extern const struct game_option durnius_options[];
extern const struct verb durnius_verbs[];
extern const char *const durnius_lines[];
const char *durnius_invalid(const struct game_setup *setup);

/* R2, R3: writes all lines up to the first attack. */
void durnius_begin_game(struct durnius *d, struct chance *chance,
			struct events *ev);
/* R12, R13: ends the game, and begins the next one, unless the match is over.  `fool`:
 * a seat, or NOBODY. */
void durnius_end_game(struct durnius *d, int fool, struct chance *chance,
		      struct events *ev);
/* R4 */
void durnius_begin_turn(struct durnius *d, unsigned attacker_chair,
			struct events *ev);

/* Lists all the shuffled order but the trump card, which lies open. */
unsigned durnius_hidden(const void *state, uint8_t piece[HIDDEN_MAX]);
void durnius_resample(void *state, int viewer, struct draws *draws);
/* Notes that the referee has made the house move for this seat, which tells that none
 * of these cards is in the hand. */
void durnius_bar(struct durnius *d, unsigned seat, card_set cards);
/* Returns the first place in which this seat can have had `card` by its bars. */
unsigned durnius_behind_bars(const struct durnius *d, unsigned seat,
			     unsigned card);
/* Does what card_leaves() does, for a seat that has bars. */
void durnius_card_leaves(struct durnius *d, unsigned seat, unsigned card);

/* ---- cards ------------------------------------------------------------ */

static inline card_set
suit_of(unsigned card)
{
	return (card_set)0x111111111 << card % SUITS;
}

static inline unsigned
rank(unsigned card)
{
	return card / SUITS;
}

static inline card_set
rank_of(unsigned card)
{
	return (card_set)0xf << rank(card) * SUITS;
}

/* Section 3: returns the cards that beat this one. */
static inline card_set
beaters(const struct durnius *d, unsigned card)
{
	card_set higher = suit_of(card) & ~(card_set)1 << card;

	return d->trumps & piece(card) ? higher : higher | d->trumps;
}

/* R5, R8: returns the place of a card in the order in which house moves play them. */
static inline unsigned
house_order(const struct durnius *d, unsigned card)
{
	return d->trumps & piece(card) ? DECK + card : card;
}

/* Returns the cards that a house move plays before this one. */
static inline card_set
house_before(const struct durnius *d, unsigned card)
{
	card_set lower = piece(card) - 1;

	return d->trumps & piece(card) ? lower | ~d->trumps
				       : lower & ~d->trumps;
}

/* ---- sides and chairs (R1) -------------------------------------------- */

static inline unsigned
side_of(unsigned teams, unsigned seat, unsigned seats)
{
	switch (teams) {
	case TEAMS_PAIRS:
		return 1u << seat | 1u << (seat + seats / 2) % seats;
	case TEAMS_THREES:
		return (1u << 0 | 1u << 2 | 1u << 4) << seat % 2;
	default:
		return 1u << seat;
	}
}

/* Empties the chairs of which all of a side have left, after `in` has changed. */
static inline void
settle_chairs(struct durnius *d)
{
	unsigned in = d->in;

	d->chairs = 0;
	while (in)
		d->chairs |= d->side[seats_take(&in)];
}

static inline unsigned
sides_in(const struct durnius *d)
{
	return cards_count(d->chairs) / cards_count(d->side[0]);
}

/* Returns the first chair clockwise from `chair`, itself included, that is not
 * empty. */
static inline unsigned
chair_from(const struct durnius *d, unsigned chair)
{
	return seats_first(d->chairs, chair, d->seats);
}

static inline unsigned
next_chair(const struct durnius *d, unsigned chair)
{
	return chair_from(d, seat_left(chair, d->seats));
}

/* Returns the seat that plays a chair that is not empty. */
static inline unsigned
who_plays(const struct durnius *d, unsigned chair)
{
	return seats_first(d->in & d->side[chair], chair, d->seats);
}

/* ---- what everybody knows of the hands -------------------------------- */

/* Notes a card that no other seat knew this seat to hold, from place `from` or
 * later. */
static inline void
sight_card(struct durnius *d, unsigned seat, unsigned card, unsigned from)
{
	d->sight[d->sights++] = (struct sight){
		.card = (uint8_t)card,
		.seat = (uint8_t)seat,
		.from = (uint8_t)from,
		.upto = d->dealt,
	};
}

/* Notes that the seat shows that it holds so many copies of `card` at least. */
static inline void
show_copies(struct durnius *d, unsigned seat, unsigned card, unsigned copies)
{
	unsigned from = 0;

	if (d->bars >> seat & 1)
		from = durnius_behind_bars(d, seat, card);
	while (bag_copies(&d->known[seat], card) < copies) {
		sight_card(d, seat, card, from);
		bag_add(&d->known[seat], card);
	}
}

/* Moves a card from the hand to the table.  If a copy was known it is that one: equal
 * cards are the same.  Otherwise it is seen for the first time.  Which of the two is
 * hard to foresee, so there is no branch: what is written behind the last entry does no
 * harm. */
static inline void
card_leaves_from(struct durnius *d, unsigned seat, unsigned card, unsigned from)
{
	struct bag *known = &d->known[seat];
	card_set copy = known->one & piece(card);

	sight_card(d, seat, card, from);
	d->sights -= copy != 0;
	known->one ^= copy & ~known->two;
	known->two &= ~copy;
}

static inline void
card_leaves(struct durnius *d, unsigned seat, unsigned card)
{
	if (d->bars >> seat & 1)
		durnius_card_leaves(d, seat, card);
	else
		card_leaves_from(d, seat, card, 0);
}

#endif
