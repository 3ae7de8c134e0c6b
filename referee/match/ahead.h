/* referee/match/ahead.h - decides how many games at a time keep processes that
 * are used again.
 *
 * Such a process is free again only when it has the receipt of its game, which
 * waits for the disk.  Meanwhile its processor has nothing to do, unless
 * another process plays the next game there.  Starting that process takes time,
 * too.  So each processor gets one more set of processes (a program for each
 * seat) once waiting has cost as much time as starting the sets takes.
 * Whatever the disk and the programs are like, waiting and starting together
 * then cost upper bound of `sets` twice what the best choice would have cost. */
#ifndef REFEREE_AHEAD_H
#define REFEREE_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/util.h"

struct ahead {
	unsigned jobs;	   /* games at a time */
	unsigned sets;	   /* most games that may run or wait for a receipt */
	unsigned most;	   /* upper bound of `sets` */
	uint64_t start_us; /* of a game with a start; 0: not known yet */
	uint64_t lost_us;  /* lost by waiting since `sets` last changed */
	unsigned waits;	   /* games that wait although they could run */
	uint64_t since_us; /* when they began to wait */
};

/* Begins with one set for each of the `jobs`; up to `more` sets can be added. */
void ahead_init(struct ahead *ahead, unsigned jobs, unsigned more);
/* Tells that a game that began with new processes took `us`.  Only the first
 * call counts. */
void ahead_started(struct ahead *ahead, uint64_t us);
/* Ends the wait of the games that waited, and adds sets if waiting has cost
 * enough.  Call it before you ask whether games may begin. */
void ahead_settle(struct ahead *ahead, uint64_t now_us);
/* Returns true if a game may begin beside those that run and those that wait
 * for their receipts.  If not, games wait from now on. */
bool ahead_may_begin(struct ahead *ahead, unsigned running, unsigned writing,
		     uint64_t now_us) MUST_CHECK;

#endif
