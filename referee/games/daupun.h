/* referee/games/daupun.h - the inside of Daupun: its state, which daupun.c
 * plays and daupun-redeal.c deals again. */
#ifndef REFEREE_GAMES_DAUPUN_H
#define REFEREE_GAMES_DAUPUN_H

#include "referee/games/daupun-battle.h"
#include "referee/games/game.h"

#define DAUPUN_TURNS 10 /* of a round, both seats together */
#define DAUPUN_CARDS (((card_set)1 << 40) - 1)
#define DAUPUN_PLACES (DAUPUN_SEATS * DAUPUN_HAND + DAUPUN_TURNS)

enum {
	DAUPUN_STAKE = VERB_PASS + 1,
	DAUPUN_STAKE_TO,
	DAUPUN_DISCARD,
	DAUPUN_DISCARD_STAY,
	DAUPUN_IN,
	DAUPUN_OUT,
	DAUPUN_RAISE,
	DAUPUN_KEEP,
	DAUPUN_SWAP,
	DAUPUN_STAY,
	DAUPUN_LEAVE,
};

enum phase {
	PHASE_TURN,	/* R5: stake or discard */
	PHASE_REPLY,	/* R6: to an offer */
	PHASE_DISCARD,	/* R6: after a staking */
	PHASE_EXCHANGE, /* R8 */
	PHASE_ANSWER,	/* R9 */
	PHASE_OVER,
};

struct daupun {
	card_set hand[DAUPUN_SEATS];
	card_set reserve[DAUPUN_SEATS];
	card_set pile;
	card_set seen; /* lay face up in this round, wherever they are now */
	uint32_t bare; /* set of the places that everybody knows */
	uint16_t stones[DAUPUN_SEATS];
	uint16_t pot, offer;
	uint16_t round, rounds;
	uint8_t dealt[DAUPUN_PLACES]; /* in this round, in order: five for
				       * each seat, then one a turn */
	uint8_t places;		      /* how many there are */
	uint8_t discarded[DAUPUN_TURNS];
	uint8_t sum[DAUPUN_SEATS]; /* of the values in hand */
	uint8_t crowns;
	uint8_t first_by; /* option `first` */
	bool by_position; /* option `lowest` */
	uint8_t winner;	  /* of the round before, or DAUPUN_NOBODY */
	uint8_t first;	  /* who plays first in this round */
	uint8_t turn;	  /* turns done in this round */
	uint8_t phase;
	uint8_t speaker; /* who made the offer */
	uint8_t drawn;	 /* the card of this turn */
	uint8_t exchanges;
};

GAME_STATE_FITS(struct daupun);

void daupun_resample(void *state, int viewer, struct draws *draws);
unsigned daupun_hidden(const void *state, uint8_t piece[HIDDEN_MAX]);

/* R3: turns alternate. */
static inline unsigned
on_turn(const struct daupun *d)
{
	return d->first ^ (d->turn & 1);
}

#endif
