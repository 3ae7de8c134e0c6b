/* referee/match/schedule.h - who sits where in a match of games.
 *
 * The bots that meet are all at one table, or, when there are more bots than
 * seats, each group of as many as there are seats in turn (a round robin).  A
 * group plays a set of games, one for each rotation, so that each of its bots
 * sits once in every seat; the next time it meets, its bots sit in another
 * order around the table.  When each group has met, all bots have played
 * equally many games; until then each next group is one of those whose bots are
 * behind, so that nobody gets more than two or three sets ahead. */
#ifndef REFEREE_SCHEDULE_H
#define REFEREE_SCHEDULE_H

#include <stdint.h>

#include "protocol/limits.h"
#include "protocol/util.h"

#define SCHEDULE_GROUPS_MAX 100000 /* groups of a round robin */

struct schedule;

/* Groups of `seats` out of `bots`, or 0 if more than SCHEDULE_GROUPS_MAX. */
unsigned schedule_groups(unsigned bots, unsigned seats);

/* `bots` is at least `seats`, and schedule_groups() is not 0. */
struct schedule *schedule_new(unsigned bots, unsigned seats) MUST_CHECK;
void schedule_free(struct schedule *schedule);

/* The bots of the next game, by seat. */
void schedule_next(struct schedule *schedule, unsigned bot[SEATS_MAX]);

#endif
