/* referee/match/match-faults.h - what the bots of a match were charged with. */
#ifndef REFEREE_MATCH_FAULTS_H
#define REFEREE_MATCH_FAULTS_H

#include <stdint.h>

#include "protocol/fault.h"
#include "protocol/text.h"
#include "referee/table/seat.h"
#include "referee/table/table.h"

/* What a bot was charged with in games that counted. */
struct match_faults {
	uint64_t kind[FAULT_KINDS];
	uint64_t game; /* of the first; 0: there is none */
	unsigned seat; /* it had there */
	enum fault first;
	uint64_t starved; /* time-outs in which the machine had no processor
			   * for it */
	struct match_slip {
		uint64_t count;
		uint64_t game; /* of the first; 0: there is none */
		unsigned seat; /* it had there */
		char first[SAY_BYTES + 1];
	} slip[SLIPS]; /* what the bot told of itself */
};

/* Counts the `fault` lines of game `number`, which bot[seat] have played; its
 * record's body is `body`.  `faults` is by bot.  Games may come in any order.
 */
void match_faults_add(struct match_faults faults[], uint64_t number,
		      const unsigned bot[], const struct text *body);

/* Adds what the bots told of themselves in that game. */
void match_slips_add(struct match_faults faults[], uint64_t number,
		     const unsigned bot[], unsigned seats,
		     const struct table_outcome *outcome);

/* Lines on standard error about a bot: its `all` faults, its slips. */
void match_faults_print(const char *name, const struct match_faults *faults,
			uint64_t all);

#endif
