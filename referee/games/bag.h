/* referee/games/bag.h - cards of two equal decks: some of them held twice.
 *
 * Questions about different cards ("which of them beat this one?") look at
 * `one` alone, as if it were a plain card_set. */
#ifndef REFEREE_GAMES_BAG_H
#define REFEREE_GAMES_BAG_H

#include "protocol/card.h"

struct bag {
	card_set one; /* at least one copy is in the bag */
	card_set two; /* both are; always a subset of `one` */
};

static inline unsigned
bag_count(const struct bag *bag)
{
	return cards_count(bag->one) + cards_count(bag->two);
}

/* Returns how many copies of `card` there are: 0, 1 or 2. */
static inline unsigned
bag_copies(const struct bag *bag, unsigned card)
{
	return (unsigned)(bag->one >> card & 1) +
	       (unsigned)(bag->two >> card & 1);
}

/* Puts in one more copy, of which the bag holds at most one. */
static inline void
bag_add(struct bag *bag, unsigned card)
{
	card_set piece = (card_set)1 << card;

	bag->two |= bag->one & piece;
	bag->one |= piece;
}

/* Takes out one copy, of which the bag holds at least one. */
static inline void
bag_take(struct bag *bag, unsigned card)
{
	card_set piece = (card_set)1 << card;

	bag->one ^= piece & ~bag->two;
	bag->two &= ~piece;
}

/* Puts in all that another bag holds; of no card more than two copies. */
static inline void
bag_join(struct bag *bag, const struct bag *other)
{
	bag->two |= other->two | (bag->one & other->one);
	bag->one |= other->one;
}

#endif
