/* ladder/fit.h - how strong bots are, by all their games at once, and how sure
 * that is.
 *
 * The model is composite Bradley-Terry: each pair of seats of a game is a duel,
 * won by the better place; level places are half a win.  With strengths x, a
 * game g of n_g seats, seats s < t, y = 1, 1/2 or 0 as s is placed before,
 * level with or behind t, and p = 1 / (1 + exp(x_t - x_s)), the fit maximises
 *
 *	L = sum over g of 1/(n_g - 1) sum over s < t of
 *	    [y ln p + (1 - y) ln(1 - p)] - (tau/2) sum over bots of (x_i - m)^2,
 *
 * tau = 1 / (sd ln(10)/400)^2 for a prior of `sd` points, and 0 without one; m
 * is the mean of all x, so that an anchor moves all alike.  (A prior around the
 * anchors would draw the whole field to a bot far from it: with one at -500
 * points, 400 games a bot, by 200 points.)  In points a strength is 1500 +
 * 400/ln(10) x; without anchors the mean of x is 0. Of two seats it is the model
 * of Bradley and Terry (Biometrika 39 (1952) 324-345); ties as half a win are
 * those of the program Ordo (M. A. Ballicora,
 * Ordo's manual, "Draws").  That a composite likelihood of dependent pairs is
 * consistent: Varin, Reid and Firth, Statistica Sinica 21 (2011) 5-42, section
 * 2; pairs out of places by Plackett-Luce are such (Hunter, Annals of
 * Statistics 32 (2004) 384-406, section 5).
 *
 * Errors are those of the sandwich (Godambe information; Varin, Reid and Firth,
 * section 2.3; Liang and Zeger, Biometrika 73 (1986) 13-22, for clusters): H =
 * -L'', J = sum over clusters of s s', s = the cluster's score.  A cluster is a
 * game, or the games of a block, which have one deal.  (Those of a rotation set
 * have deals of their own; which bots it has is fixed by the schedule, so its
 * games are independent, and records do not name it.)  The
 * variance of c'x is z'Jz with Hz = c.  The inverse of H alone would take pairs
 * of one game for independent.
 *
 * Newton's steps by preconditioned conjugate gradients: Nocedal and Wright,
 * Numerical Optimization, 2nd edition, algorithms 5.3 and 7.1.
 *
 * What is given twice in the same order comes out the same on the same machine;
 * elsewhere the last digits may differ (exp() of another C library).  A fit is
 * used by one thread at a time. */
#ifndef LADDER_FIT_H
#define LADDER_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/util.h"

#define FIT_CENTRE 1500
#define FIT_PRIOR 350	     /* points: one standard deviation */
#define FIT_TIE 100	     /* likewise, between versions of a bot */
#define FIT_PRIOR_MAX 9999   /* likewise; as wide as ratings go */
#define FIT_CLUSTERS_MIN 10  /* with fewer a bot has no bar */
#define FIT_DENSE_BOTS 500   /* up to here all pairs have exact errors */
#define FIT_BAR 1.96	     /* half of a 95 % interval, in sd */
#define FIT_ALONE UINT32_MAX /* as a cluster: the game is one of its own */

struct fit;

struct fit *fit_new(void) MUST_CHECK;
void fit_free(struct fit *fit); /* NULL is fine */

/* ---- what goes in ----------------------------------------------------- */

/* The number of a bot, from 0 in the order of their first calls; the name is
 * copied. */
unsigned fit_bot(struct fit *fit, const char *name);
/* Whether there is one, and its number. */
bool fit_find(const struct fit *fit, const char *name,
	      unsigned *bot) MUST_CHECK;
unsigned fit_bots(const struct fit *fit);
uint64_t fit_games(const struct fit *fit);

/* A game: places of 2 to SEATS_MAX seats, 1 is best, and who sat there.  A bot
 * may fill several seats; it plays no duel against itself.  Games with the same
 * `cluster` count as one for the errors; they need not follow each other. */
void fit_game(struct fit *fit, unsigned seats, const unsigned bot[],
	      const int place[], uint32_t cluster);
/* Bot `a` is another version of bot `b`, and is thought to be near it: with a
 * prior L has - (x_a - x_b)^2 / (2 (FIT_TIE ln(10)/400)^2) besides.  That
 * connects no sets: it is no game. */
void fit_tie(struct fit *fit, unsigned a, unsigned b);
/* The bot has no rank any more: it stands behind the others of its set, and they
 * are ranked without it. */
void fit_unrank(struct fit *fit, unsigned bot);
/* The bot's rating is this, whatever its games say. */
void fit_anchor(struct fit *fit, unsigned bot, double rating);

/* ---- what comes out --------------------------------------------------- */

/* Solves it; `prior_sd` in points, 0 is no prior.  ERROR_INPUT: without a prior
 * some bots never scored against others, whose names the sentence has, so that
 * no distance between them is the best; or strengths run away. */
int fit_solve(struct fit *fit, double prior_sd, struct error *why) MUST_CHECK;

/* Where a rating would be without a prior. */
enum fit_mark {
	FIT_SOUND,
	FIT_ABOVE,   /* `>`: it is at least that: nothing that the others can
		      * be compared with scored against it */
	FIT_BELOW,   /* `<`: at most */
	FIT_NOWHERE, /* `?`: anywhere */
};

struct fit_row {
	const char *name; /* borrowed from the fit */
	double rating,
		sd;	/* points; sd < 0: not known, `?` (fewer clusters than
			    * FIT_CLUSTERS_MIN, or no win, or no loss, or all of
			    * them came out alike for it) */
	double los;	/* that it is better than the next row of its set; < 0:
			 * not known, or there is none */
	uint64_t games; /* once for each seat that it filled */
	unsigned bot;
	enum fit_mark mark;
	unsigned anchored; /* 1: sd is 0 */
	/* Bots of one set are connected by chains of games (or anchored both);
	 * others cannot be compared.  From 0, the largest set first. */
	unsigned set;
	/* In its set: 1 + the bots that are surely better (LOS above 1 -
	 * 0.05/(N-1), N bots in the set), and N - those surely worse; both 0
	 * after fit_unrank(). */
	unsigned best, worst;
};

/* By set, the best rating first, equal ones by name; borrowed, fit_bots() of
 * them, until the fit changes. */
const struct fit_row *fit_rows(const struct fit *fit);

struct fit_difference {
	double points, sd; /* a less b; sd < 0: not known */
	double los;	   /* P(a is stronger); < 0: not known */
	bool compared;	   /* they are of one set; else nothing else holds */
};

/* With errors as in the table: exact up to FIT_DENSE_BOTS bots, else the root
 * of the sum of squares.  Exactly, whatever their number: */
struct fit_difference fit_compare(const struct fit *fit, unsigned a,
				  unsigned b);
struct fit_difference fit_compare_exactly(struct fit *fit, unsigned a,
					  unsigned b);

/* Duels of each pair of bots, and how many of them a won, level ones as half:
 * arrays of fit_bots()^2 at [a * fit_bots() + b]. */
void fit_duels(const struct fit *fit, double duels[], double won[]);

#endif
