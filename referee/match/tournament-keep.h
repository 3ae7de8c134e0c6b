/* referee/match/tournament-keep.h - writes what a tournament was and how it
 * went to a file beside its records (records/tournament-file.h).
 *
 * The file is written when the first game begins, when a phase begins, from
 * time to time as games end, and at the end. */
#ifndef REFEREE_TOURNAMENT_KEEP_H
#define REFEREE_TOURNAMENT_KEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/match/match.h"
#include "referee/match/tournament.h"

#define TOURNAMENT_KEEP_MS 2000 /* least time between two writes in a phase */

/* Zero it first.  It borrows everything. */
struct tournament_keep {
	const struct tournament *tournament;
	const struct match_setup *setup; /* setup->records is the folder, or
					  * NULL */
	const char *final; /* name of the ladder whose best bots play, if the
			    * tournament is seeded */
	bool frozen;	   /* the ladder's standings were when it began */
	char shown[LADDER_PATH_BYTES]; /* second folder; "": none */
	struct match_source source;    /* the tournament's */
	bool begun, over, failed;
	unsigned phase;
	uint64_t written_us;
	struct error why; /* error of the first failure */
};

/* Writes the file also to the data folder, which exists, so that its daemon can
 * show the tournament.  Returns 0, or -1 and an error. */
int tournament_keep_show(struct tournament_keep *keep, const char *data,
			 struct error *why) MUST_CHECK;
/* Returns a source that gives the games of keep->source and watches them. */
struct match_source
tournament_keep_source(struct tournament_keep *keep) MUST_CHECK;
/* Writes the file as things stand now.  Returns 0, or -1 and the first error of
 * this or an earlier write. */
int tournament_keep_end(struct tournament_keep *keep,
			struct error *why) MUST_CHECK;

#endif
