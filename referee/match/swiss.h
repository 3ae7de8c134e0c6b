/* referee/match/swiss.h - who meets whom in a round of a swiss.
 *
 * The cost of a round has four parts: how many pairs at its tables have met
 * before; how often these have; the sum over all pairs of the distance of their
 * points; that of their places.  An earlier part outweighs all later ones.
 *
 * At two seats no round costs less, with any number of bots: the pairs are a
 * matching of the least weight (blossom.h).  256 bots take a hundredth of a second,
 * 1000 a fifth.  At more seats the best round is too hard to find: tables are
 * filled from the top, the first bot without one opens it, and the other seats go
 * one by one to the bot, of the next so many as two tables have seats, that has met
 * those at the table least; equal: the higher one.  Then bots of two tables change
 * places as long as that makes the round cost less: at the end no such change
 * would. */
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
