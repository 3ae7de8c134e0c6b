/* referee/games/daupun-battle.h - two hands of Daupun against each other. */
#ifndef REFEREE_GAMES_DAUPUN_BATTLE_H
#define REFEREE_GAMES_DAUPUN_BATTLE_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/card.h"
#include "protocol/event.h"

#define DAUPUN_SEATS 2
#define DAUPUN_HAND 5
#define DAUPUN_GOAL 25	/* the sum to reach */
#define DAUPUN_NOBODY 2 /* in the place of a seat */

/* Pieces are numbered (value - 1) * 4 + suit, so the lowest piece of a set is
 * its lowest card, equal values by the order of the suits. */
extern const struct deck daupun_deck;

static inline unsigned
daupun_value(unsigned card)
{
	return card / 4 + 1;
}

/* Says how a round ended. */
struct daupun_end {
	uint8_t winner;	    /* a seat or DAUPUN_NOBODY */
	const char *reason; /* `tricks`, `goal`, `tie`, or without a battle
			     * `out`, `leave` */
	uint16_t gain[DAUPUN_SEATS]; /* stones, the pot not included */
};

/* R11: writes the `show` to the `field` lines and says how the battle of two hands of
 * five cards ended.  `by_position`: the lowest tricks are those that were played last,
 * whatever their worth (Q12). */
struct daupun_end daupun_battle(const card_set hand[DAUPUN_SEATS],
				bool by_position, struct events *ev);

#endif
