/* referee/match/schedule.h - decides which bots sit where in the games of a
 * match.
 *
 * Games come in sets.  The bots of a set play one game for each rotation of one
 * order around the table, so that each of them sits once in every seat.  Each
 * set of a match has its own bots and its own order, chosen so that all bots
 * play equally often (never more than two sets apart), all pairs meet equally
 * often, and each bot has every other one equally often as its left neighbour,
 * as the next but one, and so on: else a bot gains or loses by who sits before
 * it.
 *
 * Who sits in game i depends on the seed, the number of bots and seats, and i
 * alone.  A longer match begins with the games of a shorter one. */
#ifndef REFEREE_SCHEDULE_H
#define REFEREE_SCHEDULE_H

#include "protocol/limits.h"
#include "protocol/util.h"
#include "referee/match/match-source.h"

struct schedule;

/* Makes a schedule.  `bots` is `seats` to BOTS_MAX, `seats` is 2 to SEATS_MAX.
 * The seed is any text; the schedule tells nothing about the cards that the
 * same seed yields.  Call sodium_init() first. */
struct schedule *schedule_new(unsigned bots, unsigned seats,
			      const char *seed) MUST_CHECK;
/* Makes the first `count` bots, at most `seats`, sit at every table; the rules
 * above hold for the others.  Call it before the first game. */
void schedule_keep(struct schedule *schedule, unsigned count);
void schedule_free(struct schedule *schedule);

/* Sets the bots of the next game, by seat. */
void schedule_next(struct schedule *schedule, unsigned bot[SEATS_MAX]);
/* Returns a source that gives the schedule's games to a match, without an end. */
struct match_source schedule_source(struct schedule *schedule) MUST_CHECK;

/* The rest is for a tournament, which has tables in place of sets.  Chooses the
 * bots of a table as for a set, with `hero` as the first unless it is negative. */
void schedule_choose(struct schedule *schedule, int hero,
		     unsigned table[SEATS_MAX]);
/* Counts a meeting of these bots at a table. schedule_met() returns how often
 * two bots have met. */
void schedule_meet(struct schedule *schedule, const unsigned table[]);
unsigned schedule_met(const struct schedule *schedule, unsigned a, unsigned b);
/* Gives these bots to the next set, of as many games as there are seats. */
void schedule_sit(struct schedule *schedule, const unsigned table[]);
/* Draws an order of all bots; all orders are equally likely. */
void schedule_draw(struct schedule *schedule, unsigned order[]);

#endif
