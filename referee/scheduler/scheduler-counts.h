/* referee/scheduler/scheduler-counts.h - what is told of a ladder, and of a
 * bot there. */
#ifndef REFEREE_SCHEDULER_COUNTS_H
#define REFEREE_SCHEDULER_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/pairing.h"
#include "protocol/fault.h"

/* What has happened since it was opened. */
struct scheduler_counts {
	uint64_t begun, rated, aborted, settled, failures;
	uint64_t games; /* that count, also those before it was opened */
	uint64_t ladder_failures; /* it did not take a game */
	uint64_t lost;	   /* 1: its file was removed or replaced since */
	uint64_t unrated;  /* games that ladders do not have yet */
	uint64_t missing;  /* records of rated games, when it was opened */
	uint64_t parked;   /* could not be played to their ends */
	uint64_t given_up; /* after scheduler_abort(), as the disk failed */
	uint64_t turns;	   /* answered asks of games that are over */
	uint64_t faults[FAULT_KINDS]; /* likewise, by enum fault */
	uint64_t
		starved; /* time-outs: the machine had no processor for the bot */
	uint64_t offers;   /* calls of scheduler_sit() */
	uint64_t searches; /* for bots for one more table */
	uint64_t fits;	   /* that were read for the pairing */
	uint64_t anchored; /* changes that may be of its anchors */
	/* Runs that pruned records, those that failed, records. */
	uint64_t prune_runs, prune_failures, pruned;
	uint64_t last_us; /* by clock_us(): its last game ended, or it opened */
	uint64_t running;
	uint64_t writing; /* are over, and not safe yet */
};

/* What a bot is told of itself here. */
struct scheduler_bot {
	int64_t rating_milli, paired_milli; /* and where opponents are near */
	uint64_t games;	  /* seats in games, those that run too */
	unsigned playing; /* likewise, those that run */
	bool sits;
	bool suspended;
	char suspension[PAIRING_SUSPENSION_BYTES]; /* why: a sentence; or "" */
	/* By enum fault, in all games that count. */
	uint64_t faults[FAULT_KINDS];
};

#endif
