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
	uint64_t met;		/* of these, with other bots */
	double virtual;		/* sum over those of (n + 1) / (3 (n - 1)) */
	uint64_t duels, halves; /* and what it won of them: 2 for a win */
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
	bool prior;
	double mean; /* of all x */
	/* Anchors move as one: they are one node, which is the first of them.
	 * Every other bot is a node of its own.  All arrays below are as long
	 * as the list of bots; those that say "by node" hold 0 for bots that
	 * are no node. */
	unsigned *node;	  /* of each bot */
	double *offset;	  /* of each bot from its node: a strength */
	double *x;	  /* strengths */
	double *power;	  /* exp(x) */
	double *bend;	  /* curvature of each bot's virtual game */
	double *gradient; /* of L; by node */
	double *diagonal; /* minus the second derivative of a node's own duels
			   * and virtual games */
	double *trust;	  /* s of each node: what its own scores count for */
	double ratio;	  /* of the scores' variance to H */
	uint32_t *order;  /* games by cluster; NULL: as they are */
	double *spread;	  /* N <= FIT_DENSE_BOTS: covariances, N x N; else the
			     * variance of each; by node */
	unsigned char *open; /* by node */
	double *low, *high;  /* arms of a node's bar, both above 0 */
	struct fit_row *row;
	unsigned *row_of; /* by bot */
};

/* A duel of two nodes in a game, or a virtual one. */
struct fit_duel {
	unsigned a, b; /* nodes, never the same */
	double pa, pb; /* powers of the two bots */
	double won;    /* by a: 1, 1/2 or 0 */
	double weight;
};
#define FIT_DUELS_MAX (SEATS_MAX * (SEATS_MAX - 1) / 2)

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

/* The duels of game g. */
static inline unsigned
fit_duels_of(const struct fit *fit, size_t g, struct fit_duel duel[])
{
	struct fit_table table;
	unsigned n, s, t, count = 0;

	fit_read(fit, g, &table);
	n = table.seats;
	for (s = 0; s < n; s++)
		for (t = s + 1; t < n; t++) {
			if (fit->node[table.bot[s]] == fit->node[table.bot[t]])
				continue;
			duel[count++] = (struct fit_duel){
				.a = fit->node[table.bot[s]],
				.b = fit->node[table.bot[t]],
				.pa = fit->power[table.bot[s]],
				.pb = fit->power[table.bot[t]],
				.won = fit_score(table.place[s],
						 table.place[t]),
				.weight = 1.0 / (n - 1),
			};
		}
	return count;
}

/* Returns minus the second derivative of a duel's likelihood. */
static inline double
fit_bend(const struct fit_duel *duel)
{
	return duel->weight * fit_expect(duel->pa, duel->pb) *
	       fit_expect(duel->pb, duel->pa);
}

/* The virtual games of tie i; false: there are none. */
static inline bool
fit_tie_duel(const struct fit *fit, size_t i, struct fit_duel *duel)
{
	unsigned a = fit->tie[i].a, b = fit->tie[i].b;

	*duel = (struct fit_duel){
		.a = fit->node[a],
		.b = fit->node[b],
		.pa = fit->power[a],
		.pb = fit->power[b],
		.won = 0.5,
		.weight = FIT_TIE_GAMES,
	};
	return fit->prior && duel->a != duel->b;
}

/* ---- fit.c ------------------------------------------------------------ */

/* Returns true if the node's bar has no end above, or below. */
bool fit_is_open(const struct fit *fit, unsigned node, bool above);
double fit_own_variance(const struct fit *fit, unsigned node);

/* ---- fit-links.c ------------------------------------------------------ */

/* Writes the set of each bot into its row; rows are still by bot.  ERROR_INPUT as
 * fit_solve() without a prior. */
int fit_link(struct fit *fit, bool prior, struct error *why) MUST_CHECK;

/* ---- fit-solve.c ------------------------------------------------------ */

/* x, power, bend, gradient and diagonal where L is largest. */
int fit_climb(struct fit *fit, struct error *why) MUST_CHECK;
/* The weight of the virtual game of a bot. */
double fit_virtual_weight(const struct fit *fit, unsigned bot);
/* Solves (H + K) z = c; both by node. */
void fit_divide(const struct fit *fit, const double c[], double z[]);
/* out = H v, and out = K v; by node. */
void fit_multiply_games(const struct fit *fit, const double v[], double out[]);
void fit_multiply_prior(const struct fit *fit, const double v[], double out[]);

/* ---- fit-errors.c ----------------------------------------------------- */

/* order, trust, ratio, spread. */
void fit_spread(struct fit *fit);
/* z'J*z. */
double fit_variance(const struct fit *fit, const double z[]);

/* ---- fit-bars.c ------------------------------------------------------- */

/* low, high. */
void fit_find_arms(struct fit *fit);

#endif
