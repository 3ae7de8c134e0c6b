/* ladder/fit-inside.h - what the files of the fit share: the games as they are
 * kept, and the vectors of the solution. */
#ifndef LADDER_FIT_INSIDE_H
#define LADDER_FIT_INSIDE_H

#include <sodium.h>

#include "ladder/fit.h"

struct fit_name {
	char *text; /* owned */
	uint64_t games;
	bool won, lost; /* a duel */
	bool anchored, unranked;
	double anchor; /* a strength */
};

struct fit {
	/* Game g has the seats start[g] to start[g + 1]. */
	size_t games, games_room, seats_room;
	size_t *start;
	uint32_t *bot;
	unsigned char *place;
	uint32_t *cluster;
	bool clustered; /* any has not FIT_ALONE */

	unsigned bots, names_room, anchors;
	struct fit_name *name;
	uint32_t *slot, slots; /* a hash table: number + 1, or 0 */
	unsigned char key[crypto_shorthash_KEYBYTES]; /* of it */

	unsigned ties, ties_room;
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
	size_t *order;	    /* games by cluster; NULL: as they are */
	unsigned *clusters; /* of each bot */
	double *spread;	    /* N <= FIT_DENSE_BOTS: covariances, N x N; else the
			     * variance of each */
	struct fit_row *row;
	unsigned *row_of; /* by bot */
};

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
