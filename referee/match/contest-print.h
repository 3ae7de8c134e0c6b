/* referee/match/contest-print.h - prints behind the table of a match what a
 * stopping rule has found out.  Bot `a` is the first of the match, bot `b` the
 * second. */
#ifndef REFEREE_CONTEST_PRINT_H
#define REFEREE_CONTEST_PRINT_H

#include <jansson.h>

#include "referee/match/contest.h"

/* Prints to standard output.  Prints nothing without a rule. */
void contest_print(const struct contest *contest, const char *a, const char *b);
/* Adds `contest` to the object of the match, and `sprt` if the rule is a test. */
void contest_json(const struct contest *contest, const char *a, const char *b,
		  json_t *match);

#endif
