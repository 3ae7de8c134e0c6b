/* ladder/fit-inside.h - shared by the files of the fit: the stored games, and
 * the vectors of the solution. */
#ifndef LADDER_FIT_INSIDE_H
#define LADDER_FIT_INSIDE_H

#include <sodium.h>

#include "ladder/fit.h"
#include "protocol/limits.h"

struct fit_name {
	char *text; /* owned */
	uint64_t games;
	uint64_t met;		/* games against other bots */
	double virtual;		/* (n + 1) / (3 (n - 1)), summed over `met` */
	uint64_t duels, halves; /* halves: 2 for each win, 1 for each tie */
	bool anchored, unranked;
	double anchor; /* a strength */
};

/* A game as fit_read() gives it. */
struct fit_table {
	unsigned seats;
	unsigned bot[SEATS_MAX];
	unsigned char place[SEATS_MAX];
};

#define FIT_PLACE_BITS 4 /* bits of a place; the others hold the bot */
_Static_assert(SEATS_MAX < 1 << FIT_PLACE_BITS, "a place has room");

struct fit {
	/* Game g has the seats start[g] to start[g + 1].  Millions of games
	 * must fit in a small machine, so numbers are as short as they can be. */
	size_t games, games_room, seats_room;
	uint32_t *start, *seat;
	uint32_t *cluster; /* by game; NULL: all are FIT_ALONE */

	unsigned bots, names_room, anchors;
	struct fit_name *name;
	uint32_t *slot, slots; /* a hash table: number + 1, or 0 */
	unsigned char key[crypto_shorthash_KEYBYTES]; /* of the hash table */

	unsigned ties;
	struct fit_tied {
		unsigned a, b;
	} * tie;

	/* ---- set by fit_solve() */
	bool prior;
	double mean; /* mean of all x */
	/* Anchors move as one: they are one node, which is the first of them.
	 * Every other bot is a node of its own.  All arrays below are as long
	 * as the list of bots; those that say "by node" hold 0 for bots that
	 * are no node. */
	unsigned *node;	  /* node of each bot */
	double *offset;	  /* distance of each bot from its node: a strength */
	double *x;	  /* strengths */
	double *power;	  /* exp(x) */
	double *bend;	  /* curvature of each bot's virtual game */
	double *gradient; /* gradient of L; by node */
	double *diagonal; /* minus the second derivative of a node's own duels
			   * and virtual games */
	double *trust;	  /* s of each node: the weight of its own scores */
	double ratio;	  /* ratio of the scores' variance to H */
	uint32_t *order;  /* games by cluster; NULL: in given order */
	double *spread;	  /* N <= FIT_DENSE_BOTS: covariances, N x N; else the
			     * variance of each; by node */
	unsigned char *open; /* by node: the ends that its bar lacks */
	double *low, *high;  /* arms of a node's bar, both above 0 */
	struct fit_row *row;
	unsigned *row_of; /* by bot */
};

/* A duel of two nodes, in a game or a virtual one. */
struct fit_duel {
	unsigned a, b; /* nodes, never the same */
	double pa, pb; /* powers of the two bots */
	double won;    /* the score of a: 1, 1/2 or 0 */
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

/* Returns the expected score of the bot with power a against power b. */
static inline double
fit_expect(double a, double b)
{
	return a / (a + b);
}

/* Returns the score of place s against place t: 1, 1/2 or 0. */
static inline double
fit_score(unsigned char s, unsigned char t)
{
	return s < t ? 1 : s == t ? 0.5 : 0;
}

/* Fills in the duels of game g, and returns their number. */
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

/* Sets `*duel` to the virtual games of tie i.  Returns false if there are none. */
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

/* Returns true if the node's bar has no upper end, or with `above` false no
 * lower end. */
bool fit_is_open(const struct fit *fit, unsigned node, bool above);
double fit_own_variance(const struct fit *fit, unsigned node);

/* ---- fit-links.c ------------------------------------------------------ */

/* Writes the set of each bot into its row; rows are still by bot.  Fails with
 * ERROR_INPUT as fit_solve() does without a prior. */
int fit_link(struct fit *fit, bool prior, struct error *why) MUST_CHECK;

/* ---- fit-solve.c ------------------------------------------------------ */

/* Finds the maximum of L, and sets x, power, bend, gradient and diagonal there. */
int fit_climb(struct fit *fit, struct error *why) MUST_CHECK;
/* Returns the weight of a bot's virtual game. */
double fit_virtual_weight(const struct fit *fit, unsigned bot);
/* Solves (H + K) z = c.  Both c and z are by node. */
void fit_divide(const struct fit *fit, const double c[], double z[]);
/* These set out = H v and out = K v.  All vectors are by node. */
void fit_multiply_games(const struct fit *fit, const double v[], double out[]);
void fit_multiply_prior(const struct fit *fit, const double v[], double out[]);

/* ---- fit-errors.c ----------------------------------------------------- */

/* Sets order, trust, ratio and spread. */
void fit_spread(struct fit *fit);
/* Returns z'J*z. */
double fit_variance(const struct fit *fit, const double z[]);

/* ---- fit-bars.c ------------------------------------------------------- */

/* Sets low and high. */
void fit_find_arms(struct fit *fit);

#endif
