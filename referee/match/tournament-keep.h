/* referee/match/tournament-keep.h - keeps what a tournament was and how it went, beside
 * its records (records/tournament-file.h).
 *
 * The file is written when the first game begins, with each phase, from time to time
 * as games end, and at the end. */
#ifndef REFEREE_TOURNAMENT_KEEP_H
#define REFEREE_TOURNAMENT_KEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/match/match.h"
#include "referee/match/tournament.h"

#define TOURNAMENT_KEEP_MS 2000 /* between two writes in a phase */

/* Zeroed at first; borrows everything. */
struct tournament_keep {
	const struct tournament *tournament;
	const struct match_setup *setup; /* its records: the folder, or NULL */
	char shown[LADDER_PATH_BYTES];	 /* a second folder; "": none */
	struct match_source source;	 /* the tournament's */
	bool begun, over, failed;
	unsigned phase;
	uint64_t written_us;
	struct error why; /* of the first failure */
};

/* Shows it to those who ask the daemon of the data folder, which exists: 0, or -1 and
 * an error. */
int tournament_keep_show(struct tournament_keep *keep, const char *data,
			 struct error *why) MUST_CHECK;
/* The games of keep->source, which are watched. */
struct match_source
tournament_keep_source(struct tournament_keep *keep) MUST_CHECK;
/* Writes the file as things stand: 0, or -1 and an error, of an earlier time,
 * too. */
int tournament_keep_end(struct tournament_keep *keep,
			struct error *why) MUST_CHECK;

#endif
