/* referee/games/toepen.h - the inside of Toepen: its state, which toepen.c
 * plays and toepen-redeal.c deals again. */
#ifndef REFEREE_GAMES_TOEPEN_H
#define REFEREE_GAMES_TOEPEN_H

#include "referee/games/game.h"

#define TOEPEN_CARDS 0xffffffffu /* the set of all */
#define TOEPEN_HAND 4
#define TOEPEN_HANDS 8 /* the deck makes */

enum {
	TOEPEN_KNOCK = VERB_PASS + 1,
	TOEPEN_MULLIGAN,
	TOEPEN_PLAY,
	TOEPEN_STAY,
	TOEPEN_FOLD,
	TOEPEN_CHALLENGE,
};

enum toepen_phase { PHASE_TURN, PHASE_ANSWER, PHASE_CHALLENGE, PHASE_OVER };

/* Pieces are numbered rank * 4 + suit, ranks J Q K A 7 8 9 T and suits C D H
 * S. */
extern const struct deck toepen_deck;

struct toepen {
	uint32_t hand[SEATS_MAX];   /* sets of cards */
	uint32_t barred[SEATS_MAX]; /* that, as its moves show, it has not */
	uint32_t stock;
	uint8_t dealt[TOEPEN_HANDS][TOEPEN_HAND]; /* in this round, in order */
	uint8_t owner[TOEPEN_HANDS];
	uint8_t hands;
	uint8_t last[SEATS_MAX]; /* of each seat, the hand dealt last */
	uint8_t open;		 /* set of the hands that were revealed */
	uint8_t laid;		 /* the hand that may be challenged */
	uint8_t card[SEATS_MAX]; /* in this trick, of those who played */
	uint8_t points[SEATS_MAX];
	uint8_t out_in[SEATS_MAX]; /* the round of elimination; 0: none */

	/* Sets of seats. */
	uint8_t alive, in;
	uint8_t knocker;   /* the last one in this round, if any */
	uint8_t played;	   /* to this trick, whether still in or not */
	uint8_t to_answer; /* the knock */

	uint8_t seats, goal;
	uint8_t phase;
	uint8_t round, dealer;
	uint8_t stake;
	uint8_t mulliganer;
	uint8_t leader; /* clockwise from here the trick is played */
	uint8_t tricks; /* done in this round */
};

GAME_STATE_FITS(struct toepen);

void toepen_resample(void *state, int viewer, struct draws *draws);
unsigned toepen_hidden(const void *state, uint8_t piece[HIDDEN_MAX]);

/* Returns a hand as it was dealt. */
static inline uint32_t
hand_set(const struct toepen *t, unsigned hand)
{
	uint32_t cards = 0;
	unsigned i;

	for (i = 0; i < TOEPEN_HAND; i++)
		cards |= 1u << t->dealt[hand][i];
	return cards;
}

#endif
