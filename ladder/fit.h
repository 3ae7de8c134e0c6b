/* ladder/fit.h - estimates how strong bots are from all their games at once,
 * and how sure that is.
 *
 * The model is composite Bradley-Terry: each pair of seats of a game is a duel,
 * won by the better place; level places are half a win.  With strengths x, a
 * game g of n_g seats, seats s < t, y = 1, 1/2 or 0 as s is placed before,
 * level with or behind t, and p(d) = 1 / (1 + exp(-d)), the fit maximises
 *
 *	L = sum over g of 1/(n_g - 1) sum over s < t of
 *	    [y ln p(x_s - x_t) + (1 - y) ln p(x_t - x_s)]
 *	  + sum over bots of v_i/2 [ln p(x_i - m) + ln p(m - x_i)].
 *
 * The second sum is the prior: each bot has played v_i games, half of them won,
 * against a bot of the mean strength m. v_i is FIT_FADE / (FIT_FADE + games of
 * i) times the mean over its games of (n + 1) / (3 (n - 1)), or 1 without games;
 * a game counts for each of its seats, and not if they are all its.  That factor says
 * how much a game of n equal bots tells in comparison with n - 1 independent
 * duels: 1 for two seats, .43 for eight. (Without the fading, wide fields are
 * drawn together: of 16 bots with an sd of 600 points, 5 seats, 40 games, bars
 * of 95 % covered 86 %; with it 93 %.) In points a strength is 1500 +
 * 400/ln(10) x; without anchors m is 0.  For two seats it is the model of
 * Bradley and Terry (Biometrika 39 (1952) 324-345); the program Ordo, too,
 * counts ties as half a win (M. A. Ballicora, Ordo's manual, "Draws").  Varin,
 * Reid and Firth, Statistica Sinica 21 (2011) 5-42, section 2, show that a
 * composite likelihood of dependent pairs is consistent; pairs taken from
 * places by Plackett-Luce are such pairs (Hunter, Annals of Statistics 32
 * (2004) 384-406, section 5).
 *
 * The variance is that of the sandwich (Godambe information; Varin, Reid and
 * Firth, section 2.3; Liang and Zeger, Biometrika 73 (1986) 13-22, for
 * clusters), V = (H + K)^-1 J* (H + K)^-1, about the mean of a bot's set: H is
 * the curvature of the games, K of the prior, J = sum over clusters of s s', s
 * = the cluster's score.  A cluster is a game, or the games of a block, which
 * have one deal. (The games of a rotation set have deals of their own.  The
 * schedule fixes which bots it has, so its games are independent, and records
 * do not name the set.) A few games cannot tell their own spread reliably, so J
 * is mixed with H:
 *
 *	J*_ij = sqrt(s_i s_j) J_ij + r (sqrt((1-s_i)(1-s_j)) H_ij + K_ij),
 *	s_i = k_i / (k_i + FIT_TRUST), k_i = min(clusters of i, 4 H_ii),
 *
 * s_i = 0 for a bot that won all or lost all, and r = sum J_ii / sum H_ii over
 * the other bots, drawn towards 1 as if by FIT_TRUST games beside the clusters
 * of each of them.  Above FIT_DENSE_BOTS bots V_ii = J*_ii / (H + K)_ii^2, and
 * correlations are taken as 0.
 *
 * A bar has two ends: where the likelihood of the bot's own duels and virtual
 * games, all others and m staying, has fallen by z^2/2 V_ii times its curvature
 * at the top (Chandler and Bate, Biometrika 94 (2007) 167-183); the slope that
 * it has there, as m stays, is taken out before.  A bot that won all has no
 * upper end, a bot that lost all no lower one.  The bar of a difference is
 * computed from the ends of both (MOVER: Zou and Donner, Statistics in Medicine
 * 27 (2008) 1693-1702).
 *
 * Anchors are moved as one, the fit is free, and is then shifted to where the
 * anchors are; the bars of their set are those of the difference from them.
 *
 * The maximum is found by Newton's steps, each solved by preconditioned
 * conjugate gradients: Nocedal and Wright, Numerical Optimization, 2nd edition,
 * algorithms 5.3 and 7.1.
 *
 * The same input in the same order gives the same output on the same machine.
 * Elsewhere the last digits may differ (exp() of another C library).  A fit is
 * used by one thread at a time. */
#ifndef LADDER_FIT_H
#define LADDER_FIT_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"

#define FIT_CENTRE 1500
#define FIT_TIE_GAMES 12.0   /* virtual games between versions of a bot */
#define FIT_TRUST 20.0	     /* games whose spread is half believed */
#define FIT_FADE 60.0	     /* games after which half of the prior is left */
#define FIT_DENSE_BOTS 500   /* up to here all pairs have exact errors */
#define FIT_Z 1.959964	     /* z of a 95 % interval */
#define FIT_ALONE UINT32_MAX /* cluster of a game by itself */

struct fit;

struct fit *fit_new(void) MUST_CHECK;
void fit_free(struct fit *fit); /* NULL is fine */

/* ---- what goes in ----------------------------------------------------- */

/* Returns the number of a bot; a new name gets the next number, from 0 on.
 * Copies the name. */
unsigned fit_bot(struct fit *fit, const char *name);
/* Returns true and sets `*bot` to the number if the fit has a bot of this name. */
bool fit_find(const struct fit *fit, const char *name,
	      unsigned *bot) MUST_CHECK;
unsigned fit_bots(const struct fit *fit);
uint64_t fit_games(const struct fit *fit);

/* Adds a game of 2 to SEATS_MAX seats: the bot in each seat, and its place, 1
 * for the best.  A bot may fill several seats; it plays no duel against itself.
 * Games with the same `cluster` count as one for the errors; they need not
 * follow each other. */
void fit_game(struct fit *fit, unsigned seats, const unsigned bot[],
	      const int place[], uint32_t cluster);
/* Says that bot `a` is another version of bot `b`, so that it should be near
 * it.  With a prior both have played FIT_TIE_GAMES virtual games against each
 * other and won half of them.  Virtual games connect no sets. */
void fit_tie(struct fit *fit, unsigned a, unsigned b);
/* Takes the bot's rank away: it stands behind the others of its set, and they
 * are ranked without it. */
void fit_unrank(struct fit *fit, unsigned bot);
/* Fixes the bot's rating, whatever its games say. */
void fit_anchor(struct fit *fit, unsigned bot, double rating);

/* ---- what comes out --------------------------------------------------- */

/* Solves the fit, with the prior or without.  Fails with ERROR_INPUT if,
 * without the prior, some bots never scored against others, so that no distance
 * between them is the best (the sentence names them); or if strengths lie too
 * far apart for doubles.  Rows and comparisons hold until the fit gets another
 * bot or game. */
int fit_solve(struct fit *fit, bool prior, struct error *why) MUST_CHECK;

struct fit_row {
	const char *name; /* borrowed from the fit */
	double rating;
	double low, high; /* the ends of its bar; for an anchor both are its
			   * rating; -INFINITY or INFINITY: there is no end,
			   * because it lost all its duels, or won them all, or
			   * the anchors of its set have no end on that side */
	double score;	  /* the share of duels that it won, ties as half; < 0:
			   * it played none */
	uint64_t games;	  /* counted once for each seat that it filled */
	unsigned bot;
	/* The number of its set, from 0, the largest set first.  Bots of one
	 * set are connected by chains of games (or are both anchored); others
	 * cannot be compared. */
	unsigned set;
	/* The range of its rank in its set of N bots: 1 + the number of surely
	 * better bots (LOS above 1 - 0.05/(N-1)), and N - the number of surely
	 * worse ones.  Both are 0 after fit_unrank(). */
	unsigned best, worst;
};

/* Returns true if the row is that of an anchor. */
static inline bool
fit_is_fixed(const struct fit_row *row)
{
	return row->low == row->high;
}

#define FIT_WORDS_BYTES 80

/* Writes what an open end means: "won all 70 games: at least 1900"; "" if the
 * bar has both ends. */
void fit_open_words(const struct fit_row *row, char words[FIT_WORDS_BYTES]);

/* Returns fit_bots() rows by set, the best rating first, equal ones by name.
 * Borrowed until the fit changes. */
const struct fit_row *fit_rows(const struct fit *fit);

/* Appends sentences that say what the ratings of such rows are measured from:
 * which bots are fixed, and that one is so far from the others that their bars
 * are wide; or that it is the mean. */
#define FIT_FAR_POINTS 400
void fit_tell_zero(const struct fit_row row[], unsigned count, struct text *to);

struct fit_difference {
	double points, low, high; /* a less b, and its bar */
	double los;		  /* P(a is stronger); < 0: unknown */
	bool compared; /* both are in one set; else ignore the rest */
};

/* fit_compare() uses the errors of the table: exact up to FIT_DENSE_BOTS bots,
 * else the root of the sum of squares. fit_compare_exactly() is exact for any
 * number of bots. */
struct fit_difference fit_compare(const struct fit *fit, unsigned a,
				  unsigned b);
struct fit_difference fit_compare_exactly(const struct fit *fit, unsigned a,
					  unsigned b);

/* Counts the duels of each pair of bots, and how many of them a won, ties as
 * half.  The arrays have fit_bots()^2 elements; those of a and b are at [a *
 * fit_bots() + b]. */
void fit_duels(const struct fit *fit, double duels[], double won[]);

#endif
