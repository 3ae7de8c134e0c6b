/* referee/match/match-terms.h - the terms of a match, and the report of it. */
#ifndef REFEREE_MATCH_TERMS_H
#define REFEREE_MATCH_TERMS_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/fit.h"
#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/limits.h"
#include "protocol/util.h"
#include "referee/games/game.h"
#include "referee/match/contest.h"
#include "referee/match/gain.h"
#include "referee/match/match-done.h"
#include "referee/match/match-faults.h"
#include "referee/match/match-source.h"
#include "referee/match/standings.h"
#include "referee/records/writer.h"
#include "referee/sandbox/sandbox.h"
#include "referee/table/seat.h"

/* One bot of a match. */
struct match_bot {
	char name[NAME_BYTES + 1];
	const char *builtin; /* "random", "house"; or NULL */
	char **argv;	     /* its command, NULL ends; borrowed */
	const char *folder;  /* its working directory; NULL: the
			      * referee's */
	bool entropy;	     /* it is known to send some */
	const char *spec;    /* as it was given; NULL: not known */
	bool reuse;	     /* a program: plays game after game, until it has
			      * made a fault */
	struct sandbox_box box;	  /* where it runs */
	struct sandbox_seen seen; /* owned; box.see points there */
	char *home;		  /* owned; box.folder points there */
};

struct match_setup {
	struct game_setup game; /* seats, options */
	const struct match_bot *bot;
	unsigned bots; /* at least as many as seats */
	struct match_source source;
	struct match_rule rule; /* enough NULL: none */
	uint64_t games;		/* at most */
	bool may_be_fewer;	/* than `games` */
	/* For its plan: how its games are chosen, if not by a schedule alone;
	 * or NULL. */
	const char *tournament;
	unsigned jobs; /* games at a time */
	/* So many more at most whose records are being written may keep processes
	 * that are used again: meanwhile others play the next games (ahead.h). */
	unsigned ahead;
	const struct contest *contest; /* what the rule is; NULL: none */
	const char *seed;
	bool seeded; /* the seed was given, not drawn */
	/* The games of a unit (match-source.h) have one deal: they are a block,
	 * whose records appear together. */
	bool duplicate;
	bool arrival;
	bool record_asks;
	bool no_pondering; /* who is not asked gets no processor */
	struct seat_clock clock;
	unsigned faults;
	bool pin; /* each worker stays on a processor with its quick bots */
	struct writer *writer;
	const char *records;	/* where the writer keeps them, or those of
				 * blocks that are over; NULL: nowhere */
	const char *ladder;	/* the ID of the one that rates its games; or
				 * NULL */
	const char *stderr_dir; /* where the programs' standard error of each
				 * game is kept; NULL: nowhere */
	/* Its games that are there already: they are not played, and those that
	 * are aborted are not kept, for they will be played.  NULL: the match
	 * cannot be resumed. */
	const struct match_resume *resume;
	bool progress; /* draw a progress line on standard error */
};

struct match_report {
	uint64_t games;	 /* that counted */
	uint64_t last;	 /* the number up to which games were told */
	uint64_t known;	 /* of them: were on the ladder before */
	uint64_t turns;	 /* answered asks */
	uint64_t parked; /* games that took two workers along, not played */
	double seconds;
	int signal;	  /* that stopped it; or 0 */
	struct error why; /* why it ended before its end; of no kind: it did
			   * not */
	bool never_began; /* for a bot that has left its games without a word */
	struct match_standing *standing; /* owned; best first */
	struct gain gain;		 /* of duplicate deals */
	struct match_faults *faults;	 /* owned; by bot */
	struct match_trouble *trouble;	 /* owned; by bot */
	unsigned bots;
	/* Owned; of the games that counted, those of a block as one cluster;
	 * its bots have their numbers of the setup.  It is not solved. */
	struct fit *fit;
};

#endif
