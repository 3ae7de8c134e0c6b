/* referee/match/match-faults.h - what the bots of a match were charged with. */
#ifndef REFEREE_MATCH_FAULTS_H
#define REFEREE_MATCH_FAULTS_H

#include <stdint.h>

#include "protocol/text.h"
#include "referee/match/match.h"
#include "referee/table/table.h"

/* Counts the `fault` lines of game `number`, which bot[seat] have played; its
 * record's body is `body`.  `faults` is by bot.  Games may come in any order.
 */
void match_faults_add(struct match_faults faults[], uint64_t number,
		      const unsigned bot[], const struct text *body);

/* Adds what the bots told of themselves in that game. */
void match_slips_add(struct match_faults faults[], uint64_t number,
		     const unsigned bot[], unsigned seats,
		     const struct table_outcome *outcome);

/* A line on standard error for each bot with faults, for each with slips, and
 * what explains the first trouble of each (match-trouble.h). */
void match_faults_print(const struct match_setup *setup,
			const struct match_report *report);

#endif
