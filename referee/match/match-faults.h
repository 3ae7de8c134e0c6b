/* referee/match/match-faults.h - counts what the bots of a match were charged
 * with. */
#ifndef REFEREE_MATCH_FAULTS_H
#define REFEREE_MATCH_FAULTS_H

#include <stdint.h>

#include "protocol/fault.h"
#include "protocol/text.h"
#include "referee/table/seat.h"
#include "referee/table/table.h"

/* The faults of a bot in games that counted. */
struct match_faults {
	uint64_t kind[FAULT_KINDS];
	uint64_t game; /* the game of the first one; 0: there is none */
	unsigned seat; /* the bot's seat in that game */
	enum fault first;
	uint64_t starved; /* time-outs in which the machine had no processor
			   * for it */
	struct match_slip {
		uint64_t count;
		uint64_t game; /* the game of the first one; 0: there is none */
		unsigned seat; /* the bot's seat in that game */
		char first[SAY_BYTES + 1];
	} slip[SLIPS]; /* what the bot told about itself */
};

/* Counts the `fault` lines in `body`, the record's body of game `number`, in
 * which bot[seat] sat at each seat.  `faults` is indexed by bot.  Games may
 * come in any order. */
void match_faults_add(struct match_faults faults[], uint64_t number,
		      const unsigned bot[], const struct text *body);

/* Adds what the bots told about themselves in game `number`. */
void match_slips_add(struct match_faults faults[], uint64_t number,
		     const unsigned bot[], unsigned seats,
		     const struct table_outcome *outcome);

/* Prints lines on standard error about a bot: its `all` faults, its slips. */
void match_faults_print(const char *name, const struct match_faults *faults,
			uint64_t all);

#endif
