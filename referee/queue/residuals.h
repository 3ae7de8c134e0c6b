/* referee/queue/residuals.h - machines that differ: a worker on which bots play
 * otherwise than elsewhere.
 *
 * fishtest compares the results of each worker with those of all others and
 * looks at what remains, the residual.  Here the same, for bots of any strength:
 *
 * Each game gives one seat, drawn by its ID, so that games are independent: the
 * share of the others that its bot has left behind (0 to 1; a tie is a half), and
 * whether it lost time or crashed.  A window is closed when the workers in it have
 * played RESIDUALS_SHORT (RESIDUALS_LONG) games each on average.  Which worker
 * gets which game does not depend on its bots, so within a window a bot of a
 * ladder should have one mean everywhere.  But bots come, and change: who plays at
 * other times than the others, as it came, went or was away within the window, has
 * other games.  So only those workers count whose times in the window have the
 * same mean, and the same mean square, as those of most, to RESIDUALS_TIMES.  Of
 * these:
 *
 * - Score.  For each bot with RESIDUALS_LEAST games here and elsewhere, G is the
 *   likelihood ratio of two means against one, 2 n KL, with Bartlett's
 *   correction, times p (1 - p) over the variance of its scores.  Their sum is
 *   chi-square with a degree of freedom for each bot.  The shift is what remains
 *   of the sum, as points of score.  Of a ladder of which it cannot have a bot,
 *   as it does not build there, a worker has other games, so no scores: it plays
 *   too few games of that bot (p below RESIDUALS_LACKS).
 * - Faults.  Given the faults of a bot everywhere, those here are drawn without
 *   replacement, whatever their rate is.  Of all bots together, x of m with the
 *   mean q m, Chernoff bounds the chance of as many: exp(-m KL(x/m, q)).
 *
 * Each p is multiplied by the number of workers and of the two tests.  Windows do
 * not overlap, so p bounds false alarms per window: at 10 games a second a worker
 * is in 1.3 million short windows a year.  A warning needs RESIDUALS_WARN; that a
 * worker is suspended needs RESIDUALS_SUSPEND and an effect that matters, and for
 * scores only bots count that RESIDUALS_WORKERS workers have played, as two differ
 * from each other alike.  At most one worker is found in a window, the one that
 * differs most, for it spoils the means that the others are compared with; all
 * windows begin again when it is
 * suspended.  tests/unit/test-residuals.c has what this comes to. */
#ifndef REFEREE_RESIDUALS_H
#define REFEREE_RESIDUALS_H

#include <stdbool.h>

#include "protocol/limits.h"
#include "protocol/util.h"
#include "referee/queue/queue-figures.h"

#define RESIDUALS_SHORT 250
#define RESIDUALS_LONG 4000
#define RESIDUALS_LEAST 8
#define RESIDUALS_WORKERS 3
#define RESIDUALS_WARN 1e-6
#define RESIDUALS_SUSPEND 1e-9
/* Effects that matter: of the score, and of the share of games with a fault. */
#define RESIDUALS_SHIFT 0.05
#define RESIDUALS_FAULTS 0.01
#define RESIDUALS_TIMES 0.05 /* of a window */
#define RESIDUALS_LACKS 1e-6 /* the chance of so few games of a bot */
/* What a window has room for; more is left out. */
#define RESIDUALS_WORKERS_MAX 256
#define RESIDUALS_BOTS_MAX 16384 /* of all ladders */

#define RESIDUALS_WHY_BYTES 256

struct residuals_game {
	const char *worker, *ladder, *id;
	unsigned seats;
	const char *bot[SEATS_MAX];
	int place[SEATS_MAX]; /* as a ladder counts */
	bool aborted;	      /* no places; a fault of each seat */
	bool faulted[SEATS_MAX];
};

enum residuals_level { RESIDUALS_FINE, RESIDUALS_ODD, RESIDUALS_OUT };

struct residuals_found {
	enum residuals_level level;
	char worker[QUEUE_WORKER_BYTES];
	char why[RESIDUALS_WHY_BYTES]; /* a sentence */
	double p;
};

struct residuals;

struct residuals *residuals_new(void) MUST_CHECK;
void residuals_free(struct residuals *residuals); /* NULL is fine */
/* Counts a game that was proved; what was found in the window that it closes.  A
 * game of a single seat has no score. */
void residuals_add(struct residuals *residuals,
		   const struct residuals_game *game,
		   struct residuals_found *found);

/* The chance of `x` or more of chi-square with this many degrees of freedom. */
double residuals_chance(double x, unsigned freedom) MUST_CHECK;
/* Kullback and Leibler's, of one share against another, in nats. */
double residuals_divergence(double p, double q) MUST_CHECK;

#endif
