/* ladder/fit-kept.h - the fit of a pool, kept in a file beside the ladder so
 * that a million games are not fitted whenever somebody looks.
 *
 * FILE.fit-POOL holds what came out, up to which game, and with which anchors:
 * struct kept_head, the rows, and their names (fit-kept.c).  It is not a part of
 * the ladder: nothing needs it, it can be removed at any time, and a ladder that
 * is rebuilt does not have it (the maths library's last digit may differ from
 * machine to machine).  It is replaced by rename, so that readers see one fit or
 * another; who may not write there goes without. */
#ifndef LADDER_FIT_KEPT_H
#define LADDER_FIT_KEPT_H

#include "ladder/fit-ladder.h"

#define FIT_KEEP_GAMES 20000 /* a pool with fewer is fitted at each look */
#define FIT_STALE_GAMES                                                        \
	200000 /* with as many, a kept fit does until 1 % more
				* have come */

struct fit_settings {
	bool prior;
	struct ladder_anchors anchors;
};

/* Settings of a fit of games from anywhere. */
#define FIT_DEFAULTS                                                           \
	{                                                                      \
		.prior = true                                                  \
	}

/* What the ladder is fitted with, unless a reader wants something else: a prior,
 * and its own anchors. */
int fit_settings_of(struct ladder *ladder, struct fit_settings *settings,
		    struct error *why) MUST_CHECK;

/* A fit without the games. */
struct fit_kept {
	unsigned count;
	struct fit_row *row;		/* as fit_rows(); owned */
	char (*name)[NAME_BYTES + 1];	/* theirs; owned */
	const struct fit_row **by_name; /* sorted; owned */
	int64_t games;			/* in the pool at that time */
	int64_t since;			/* games that have come since */
};

/* fit_solve() with these; anchors that it does not have are passed over. */
int fit_settle(struct fit *fit, const struct fit_settings *settings,
	       struct error *why) MUST_CHECK;
/* The pool's games, its anchors where they play there, and what comes of
 * them; the caller frees `*fit`, which is NULL on -1.  `since` as in
 * fit_add_pool(). */
int fit_pool(struct ladder *ladder, int64_t pool,
	     const struct fit_settings *settings, const char *since,
	     struct fit **fit, struct error *why) MUST_CHECK;

/* Writes it, if that is possible.  `fit` is of all games of the pool, as this
 * ladder sees them now, with fit_settings_of(). */
void fit_keep(const struct fit *fit, struct ladder *ladder, int64_t pool);
/* A kept one that still holds, or at most 1 % of many games behind, or else a
 * fit with fit_settings_of(), which is kept if it is one of many games.  0:
 * `*kept` is the caller's; or -1. */
int fit_recall(struct ladder *ladder, int64_t pool, struct fit_kept **kept,
	       struct error *why) MUST_CHECK;
/* Whatever is kept, however old, also with anchors that the ladder had then:
 * NULL if there is none. */
struct fit_kept *fit_recall_any(struct ladder *ladder, int64_t pool) MUST_CHECK;
/* The row of this bot, or NULL. */
const struct fit_row *fit_kept_find(const struct fit_kept *kept,
				    const char *name);
void fit_kept_free(struct fit_kept *kept); /* NULL is fine */

#endif
