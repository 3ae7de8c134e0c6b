/* ladder/fit-inside.h - what the files of the fit share: the games as they are
 * kept, and the vectors of the solution. */
#ifndef LADDER_FIT_INSIDE_H
#define LADDER_FIT_INSIDE_H

#include <sodium.h>

#include "ladder/fit.h"
#include "protocol/limits.h"

struct fit_name {
	char *text; /* owned */
	uint64_t games;
	bool won, lost; /* a duel */
	bool anchored, unranked;
	double anchor; /* a strength */
};

/* A game, as it is read. */
struct fit_table {
	unsigned seats;
	unsigned bot[SEATS_MAX];
	unsigned char place[SEATS_MAX];
};

#define FIT_PLACE_BITS 4 /* of a seat; the others are the bot's number */
_Static_assert(SEATS_MAX < 1 << FIT_PLACE_BITS, "a place has room");

struct fit {
	/* Game g has the seats start[g] to start[g + 1].  Millions of games
	 * must fit in a small machine, so numbers are as short as they can be. */
	size_t games, games_room, seats_room;
	uint32_t *start, *seat;
	uint32_t *cluster; /* NULL: all have FIT_ALONE */

	unsigned bots, names_room, anchors;
	struct fit_name *name;
	uint32_t *slot, slots; /* a hash table: number + 1, or 0 */
	unsigned char key[crypto_shorthash_KEYBYTES]; /* of it */

	unsigned ties;
	struct fit_tied {
		unsigned a, b;
	} * tie;

	/* ---- of fit_solve() */
	double tau, middle; /* the mean of the anchors, or 0 */
	double pull;	    /* of a tie; 0 without a prior */
	double *x;	    /* strengths */
	double *power;	    /* exp(x) */
	double *gradient;   /* of L */
	double *diagonal;   /* of H */
	uint32_t *order;    /* games by cluster; NULL: as they are */
	unsigned *clusters; /* of each bot */
	double *spread;	    /* N <= FIT_DENSE_BOTS: covariances, N x N; else the
			     * variance of each */
	struct fit_row *row;
	unsigned *row_of; /* by bot */
};

static inline void
fit_read(const struct fit *fit, size_t g, struct fit_table *table)
{
	const uint32_t *seat = fit->seat + fit->start[g];
	unsigned s;

	table->seats = fit->start[g + 1] - fit->start[g];
	for (s = 0; s < table->seats; s++) {
		table->bot[s] = seat[s] >> FIT_PLACE_BITS;
		table->place[s] =
			(unsigned char)(seat[s] & ((1u << FIT_PLACE_BITS) - 1));
	}
}

/* A duel's expectation for the one with power a. */
static inline double
fit_expect(double a, double b)
{
	return a / (a + b);
}

/* 1, 1/2 or 0. */
static inline double
fit_score(unsigned char s, unsigned char t)
{
	return s < t ? 1 : s == t ? 0.5 : 0;
}

/* ---- fit-links.c ------------------------------------------------------ */

/* For each bot its set and its mark, in the rows, which are by bot yet.
 * ERROR_INPUT as fit_solve() without a prior. */
int fit_link(struct fit *fit, bool prior, struct error *why) MUST_CHECK;

/* ---- fit-solve.c ------------------------------------------------------ */

/* x, power, gradient and diagonal where L is largest. */
int fit_climb(struct fit *fit, struct error *why) MUST_CHECK;
/* Solves H z = c; the anchored are left out (z = 0). */
void fit_divide(struct fit *fit, const double c[], double z[]);

/* ---- fit-errors.c ----------------------------------------------------- */

/* order, clusters, spread. */
void fit_spread(struct fit *fit);
/* The variance of z's score: z'Jz. */
double fit_variance(const struct fit *fit, const double z[]);

#endif
