/* referee/scheduler/scheduler-counts.h - counts of a ladder, and figures of a
 * bot there. */
#ifndef REFEREE_SCHEDULER_COUNTS_H
#define REFEREE_SCHEDULER_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/pairing.h"
#include "protocol/fault.h"

/* Counts of a ladder since it was opened. */
struct scheduler_counts {
	uint64_t begun, rated, aborted, settled, failures;
	uint64_t games; /* games that count, with those before it was opened */
	uint64_t ladder_failures; /* games that it did not take */
	uint64_t lost;	   /* 1: its file was removed or replaced meanwhile */
	uint64_t unrated;  /* games that the ladder does not have yet */
	uint64_t missing;  /* lacking records of rated games at opening */
	uint64_t parked;   /* games that could not be played to their ends */
	uint64_t given_up; /* games lost after scheduler_abort(), as the disk
			    * failed */
	uint64_t turns;	   /* answered asks in games that are over */
	uint64_t faults[FAULT_KINDS]; /* in those games, by enum fault */
	uint64_t
		starved; /* time-outs: the machine had no processor for the bot */
	uint64_t offers;   /* calls of scheduler_sit() */
	uint64_t searches; /* searches for bots for one more table */
	uint64_t fits;	   /* fits that were read for the pairing */
	uint64_t anchored; /* settings changed, perhaps anchors */
	/* Runs of scheduler-prune.h, runs that failed, pruned records. */
	uint64_t prune_runs, prune_failures, pruned;
	uint64_t last_us; /* by clock_us(): end of the last game, or opening */
	uint64_t running;
	uint64_t writing; /* games that are over and not safe yet */
};

/* Figures of a bot here, which the bot is told. */
struct scheduler_bot {
	int64_t rating_milli, paired_milli; /* its rating, and the one its
					     * opponents are chosen by */
	uint64_t games;	  /* seats in games, with running ones */
	unsigned playing; /* seats in running games */
	bool sits;
	bool suspended;
	/* A sentence that says why the bot is, or was last, suspended; "": it
	 * has never failed. */
	char suspension[PAIRING_SUSPENSION_BYTES];
	/* Faults in all games that count, by enum fault. */
	uint64_t faults[FAULT_KINDS];
};

#endif
