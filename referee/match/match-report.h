/* referee/match/match-report.h - prints a match's result as a table or as JSON
 * lines. */
#ifndef REFEREE_MATCH_REPORT_H
#define REFEREE_MATCH_REPORT_H

#include "protocol/util.h"
#include "referee/match/match.h"
#include "referee/match/tournament.h"

enum match_format { MATCH_TEXT, MATCH_JSON, MATCH_CSV };

/* Prints the result to standard output.  Solves the report's fit if there are
 * games.  `tournament` is NULL for a plain match.  Returns an exit code. */
int match_report_print(const struct match_setup *setup,
		       const struct match_report *report,
		       const struct tournament *tournament,
		       enum match_format format) MUST_CHECK;

#endif
