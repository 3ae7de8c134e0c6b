/* referee/games/daumen-drauf.h - the inside of Daumen drauf: its state, and
 * what its files share.  daumen-drauf.c plays, daumen-drauf-redeal.c deals
 * again what a viewer cannot know.
 *
 * Pieces are numbered (number - 1) * 6 + fang * 3 + colour, fangs n t and
 * colours Y G B.  So the lowest piece of a hand is the house move's card, the
 * deck of n seats is the lowest 6(n + 2) pieces, and what is higher within a
 * colour is every third piece from the next number on. */
#ifndef REFEREE_GAMES_DAUMEN_DRAUF_H
#define REFEREE_GAMES_DAUMEN_DRAUF_H

#include "referee/games/game.h"
#include "referee/games/seats.h"

#define COLOURS 3
#define FANGS 2
#define NUMBER_PIECES (COLOURS * FANGS) /* pieces of one number */
#define PIECES_MAX 54
#define SEATS 7
#define HAND 5

enum { VERB_SHOW = VERB_PASS + 1, VERB_TWIN };

enum phase { PHASE_START, PHASE_TWIN, PHASE_SHOW, PHASE_OVER };

extern const struct deck daumen_deck;

struct daumen {
	card_set hand[SEATS]; /* covered cards included */
	card_set stock;
	card_set covered; /* thumb on the fang, of all seats */
	card_set fresh;	  /* pieces of colours not shown in this turn */

	/* Holds every card shown in this game, in order.  A card is of the seat that
	 * took it, or in the present turn, from turn_from on, of the seat that showed
	 * it. */
	uint8_t card[PIECES_MAX];
	uint8_t whose[PIECES_MAX];
	uint8_t shown, turn_from;

	/* Holds what was drawn in this game, in order: place i holds the i-th card.
	 * `places` says as sets which seat has them. */
	uint8_t dealt[PIECES_MAX];
	uint8_t drawn;
	card_set places[SEATS];

	/* Holds for each show which seat made it, and how many cards had been drawn
	 * then. */
	uint8_t by[PIECES_MAX];
	uint8_t at[PIECES_MAX];
	uint8_t latest[SEATS]; /* show of each seat */
	/* Sets of shows: laid open; house moves made by the referee. */
	card_set open, forced;

	int16_t total[SEATS];
	uint8_t seats, games;
	bool any_twin; /* option `twin` */
	uint8_t phase;
	uint8_t game, starter; /* starter: of this game */
	uint8_t turn;
	uint8_t asked; /* the seat whose turn it is to show */
	uint8_t last;  /* the seat that showed last */
};

GAME_STATE_FITS(struct daumen);

/* All pieces of the colour of `card`. */
static inline card_set
colour_of(unsigned card)
{
	return (card_set)0x9249249249249249 << card % COLOURS;
}

static inline unsigned
twin_of(unsigned card)
{
	return card / COLOURS % FANGS ? card - COLOURS : card + COLOURS;
}

static inline bool
is_toxic(unsigned card)
{
	return card / COLOURS % FANGS;
}

/* Returns the pieces of the colour of `card` with a larger number. */
static inline card_set
higher_in_colour(unsigned card)
{
	unsigned next = (card / NUMBER_PIECES + 1) * NUMBER_PIECES;

	return colour_of(card) & ~(card_set)0 << next;
}

/* Returns true if the viewer knows the fang of this show.  The seat that took a card
 * has seen its fang.  In the end all piles lie open; then what is left in a hand is
 * known, too, since it alone fills its seat's places. */
static inline bool
knows_fang(const struct daumen *d, int viewer, unsigned show)
{
	return d->by[show] == viewer || d->whose[show] == viewer ||
	       d->open >> show & 1 || d->phase == PHASE_OVER;
}

static inline card_set
free_cards(const struct daumen *d, unsigned seat)
{
	return d->hand[seat] & ~d->covered;
}

/* See game_resample() and game_hidden(). */
void daumen_resample(void *state, int viewer, struct draws *draws);
unsigned daumen_hidden(const void *state, uint8_t card[HIDDEN_MAX]);

#endif
