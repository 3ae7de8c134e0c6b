/* referee/match/swiss.h - decides which bots meet in a round of a swiss.
 *
 * The cost of a round has four parts, which are sums over the pairs at its
 * tables: how many pairs have met before; how often they have met; the
 * distances of their points; the distances of their places.  An earlier part
 * outweighs all later ones.
 *
 * With two seats the round is the cheapest of all for any number of bots,
 * because the pairs are a matching of the least weight (blossom.h).  256 bots
 * take a hundredth of a second, 1000 a fifth.  With more seats the best round
 * is too hard to find.  Tables are filled from the top: the first bot without a
 * table opens one.  Each other seat goes to the bot that has met those at the
 * table least, among the next bots, as many as two tables have seats; of equals
 * the higher one.  Then bots of two tables change places as long as that makes
 * the round cheaper.  At the end no such change would. */
#ifndef REFEREE_SWISS_H
#define REFEREE_SWISS_H

#include <stdint.h>

struct swiss {
	unsigned seats;		/* seats of a table */
	unsigned bots;		/* bots in the round; they fill whole tables */
	const uint64_t *points; /* points of each bot, by its place from 0,
				 * below 2^38 */
	/* Returns how often the bots of two places have met; less than 2^14. */
	unsigned (*met)(const void *arg, unsigned a, unsigned b);
	const void *arg;
};

/* Sets `place` to the places of the bots, table by table.  At each table the
 * highest bot comes first, and tables come in the order of their highest bots. */
void swiss_seat(const struct swiss *swiss, unsigned place[]);

#endif
