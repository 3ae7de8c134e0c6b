/* referee/match/ahead.h - how many games at a time keep processes that are used
 * again.
 *
 * Such a process has ended a game only when it has the receipt, which waits for
 * the disk.  Meanwhile its processor has nothing to do, unless another process
 * plays the next game there; but to start that one takes time, too.  So each
 * processor gets one set of processes more (a program for each seat) once as
 * much time was lost by waiting as the sets take to start: whatever the disk and
 * the programs are like, both together are at most twice what the best choice
 * would have lost. */
#ifndef REFEREE_AHEAD_H
#define REFEREE_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/util.h"

struct ahead {
	unsigned jobs;	   /* games at a time, */
	unsigned sets;	   /* and with those that wait for their receipts: */
	unsigned most;	   /* at most */
	uint64_t start_us; /* that a start takes; 0: not known yet */
	uint64_t lost_us;  /* by waiting, since there are so many sets */
	unsigned waits;	   /* games that could run, */
	uint64_t since_us; /* since then */
};

/* `more`: sets beside the first of each job. */
void ahead_init(struct ahead *ahead, unsigned jobs, unsigned more);
/* A game took so long that began with new processes. */
void ahead_started(struct ahead *ahead, uint64_t us);
/* Before it is decided whether games may begin: those that waited no longer
 * do. */
void ahead_settle(struct ahead *ahead, uint64_t now_us);
/* Whether a game may begin beside those that run and those that wait for their
 * receipts; if not, it waits from now on. */
bool ahead_may_begin(struct ahead *ahead, unsigned running, unsigned writing,
		     uint64_t now_us) MUST_CHECK;

#endif
