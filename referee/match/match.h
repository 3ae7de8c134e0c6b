/* referee/match/match.h - plays a match here and now, many games at a time.
 *
 * Games are numbered from 1.  What game i is (its bots by seat, its secret, so
 * its cards) depends on the setup and i alone, never on how many games run at a
 * time.  A ladder has the games in the order in which they end. */
#ifndef REFEREE_MATCH_H
#define REFEREE_MATCH_H

#include <stdbool.h>

#include "referee/match/match-terms.h"

/* Returns true if some bot's process plays game after game. */
bool match_reuses(const struct match_setup *setup);
/* Plays the match.  Free the report with match_report_release(). */
void match_play(const struct match_setup *setup, struct match_report *report);
void match_report_release(struct match_report *report);

#endif
