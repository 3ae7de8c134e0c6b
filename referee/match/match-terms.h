/* referee/match/match-terms.h - the terms of a match, and its report. */
#ifndef REFEREE_MATCH_TERMS_H
#define REFEREE_MATCH_TERMS_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/fit.h"
#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/limits.h"
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
	char **argv;	     /* its command, ends with NULL; borrowed */
	const char *folder;  /* its working directory; NULL: the
			      * referee's */
	bool entropy;	     /* the bot is known to send entropy */
	const char *spec; /* the argument that gave the bot; NULL: not known */
	bool reuse;	  /* plays game after game until it makes a fault */
	struct sandbox_box box;	  /* the box that it runs in */
	struct sandbox_seen seen; /* owned; box.see points there */
	char *home;		  /* owned; box.folder points there */
};

struct match_setup {
	struct game_setup game; /* seats, options */
	const struct match_bot *bot;
	unsigned bots; /* number of bots, at least as many as seats */
	struct match_source source;
	struct match_rule rule; /* without a rule `enough` is NULL */
	uint64_t games;		/* games to play at most */
	bool may_be_fewer;	/* the source may end earlier */
	/* For the plan: how the games are chosen, if not by a schedule alone;
	 * or NULL. */
	const char *tournament;
	unsigned jobs; /* games at a time */
	/* At most so many more games, whose records are being written, may keep
	 * processes that are used again, while other processes play the next
	 * games (ahead.h). */
	unsigned ahead;
	const struct contest *contest; /* the rule's contest; NULL: none */
	const char *seed;
	bool seeded; /* the seed was given, not drawn */
	/* The games of a unit (match-source.h) have the same deal.  They are a
	 * block, whose records appear together. */
	bool duplicate;
	bool arrival;
	bool record_asks;
	bool no_pondering; /* bots that are not asked get no processor */
	struct seat_clock clock;
	unsigned faults;
	bool no_names; /* the bots are not told each other's names */
	bool goes_on;  /* a bot that never begins (match-trouble.h) loses its
		       * games; else it ends the match */
	bool pin; /* each worker stays on a processor with its quick bots */
	struct writer *writer;
	const char *records;	/* folder of the records (with duplicate deals,
				 * those of blocks that are over); NULL: none */
	const char *ladder;	/* ID of the ladder that rates the games; or
				 * NULL */
	const char *stderr_dir; /* folder for the programs' standard error of
				 * each game; NULL: none */
	/* The games that are there already; they are not played again.  Games
	 * that are aborted are not kept, because they will be played.  NULL:
	 * the match cannot be resumed. */
	const struct match_resume *resume;
	bool progress; /* draw a progress line on standard error */
};

struct match_report {
	uint64_t games;	 /* games that counted */
	uint64_t last;	 /* number of the last game whose result was told */
	uint64_t known;	 /* of `games`: were on the ladder before */
	uint64_t turns;	 /* answered asks */
	uint64_t parked; /* games given up because workers died of them */
	double seconds;
	int signal;	  /* the signal that stopped the match; or 0 */
	struct error why; /* why it ended early; no kind: it did not */
	bool never_began; /* it ended because a bot left its games without a
			   * word */
	struct match_standing *standing; /* owned; best first */
	struct gain gain;		 /* what duplicate deals have gained */
	struct match_faults *faults;	 /* owned; by bot */
	struct match_trouble *trouble;	 /* owned; by bot */
	unsigned bots;
	/* Owned; a fit of the games that counted, in which a block is one
	 * cluster and bots have their numbers of the setup.  It is not solved. */
	struct fit *fit;
};

#endif
