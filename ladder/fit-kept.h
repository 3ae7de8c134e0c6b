/* ladder/fit-kept.h - keeps the fit of a pool in a file beside the ladder, so
 * that a million games are not fitted whenever somebody looks.
 *
 * FILE.fit-POOL holds the results, the games that they are based on, and the
 * anchors: struct kept_head, the rows, and their names (fit-kept.c).  The file
 * is not a part of the ladder: nothing needs it, it can be removed at any time,
 * and a rebuild does not make it (the maths library's last digit may differ
 * from machine to machine).  It is replaced by rename, so that readers see one
 * whole fit or another.  A process that may not write there does without the
 * file. */
#ifndef LADDER_FIT_KEPT_H
#define LADDER_FIT_KEPT_H

#include "ladder/fit-ladder.h"

#define FIT_KEEP_GAMES 20000 /* a smaller pool is fitted at each look */
#define FIT_STALE_GAMES                                                        \
	200000 /* with this many games a kept fit may lack 1 % */

struct fit_settings {
	bool prior;
	struct ladder_anchors anchors;
};

/* The settings of a fit of games that are not a ladder's. */
#define FIT_DEFAULTS                                                           \
	{                                                                      \
		.prior = true                                                  \
	}

/* Gets the settings that the ladder is fitted with unless a reader wants
 * others: a prior, and the ladder's own anchors. */
int fit_settings_of(struct ladder *ladder, struct fit_settings *settings,
		    struct error *why) MUST_CHECK;

/* The results of a fit, without its games. */
struct fit_kept {
	unsigned count;
	struct fit_row *row;		/* in the order of fit_rows(); owned */
	char (*name)[NAME_BYTES + 1];	/* the names of the rows; owned */
	const struct fit_row **by_name; /* sorted; owned */
	int64_t games; /* games in the pool when it was fitted */
	int64_t since; /* games that have come since */
	/* The points from the second bot of the largest set to the first, and the
	 * lower end of their bar; equal if they are not known. */
	double lead, lead_low;
};

/* Sets the anchors and calls fit_solve() with these settings.  Passes over
 * anchors that are not in the fit. */
int fit_settle(struct fit *fit, const struct fit_settings *settings,
	       struct error *why) MUST_CHECK;
/* Fits the pool's games with these settings.  The caller frees `*fit`, which is
 * NULL on -1.  `since` is as in fit_add_pool(). */
int fit_pool(struct ladder *ladder, int64_t pool,
	     const struct fit_settings *settings, const char *since,
	     struct fit **fit, struct error *why) MUST_CHECK;

/* Writes the fit to its file, if that is possible.  `fit` must hold all games
 * of the pool, as this ladder sees them now, and be solved with
 * fit_settings_of(). */
void fit_keep(const struct fit *fit, struct ladder *ladder, int64_t pool);
/* Gets the kept fit if it is up to date, or if its pool has many games and it
 * lacks at most 1 % of them.  Otherwise fits the pool with fit_settings_of(),
 * and keeps that fit if the pool has many games.  Returns 0, and the caller
 * owns `*kept`; or -1. */
int fit_recall(struct ladder *ladder, int64_t pool, struct fit_kept **kept,
	       struct error *why) MUST_CHECK;
/* Returns the kept fit, however old, even if the ladder's anchors have changed
 * since; NULL if there is none.  The caller owns it. */
struct fit_kept *fit_recall_any(struct ladder *ladder, int64_t pool) MUST_CHECK;
/* Returns the row of this bot, or NULL. */
const struct fit_row *fit_kept_find(const struct fit_kept *kept,
				    const char *name);
void fit_kept_free(struct fit_kept *kept); /* NULL is fine */

#endif
