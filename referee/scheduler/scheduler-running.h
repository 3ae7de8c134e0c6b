/* referee/scheduler/scheduler-running.h - which games of a scheduler run, on disk,
 * so that the next start can tell those that a kill has cut off.
 *
 * The file has a line of fixed length for each game that may run, and for each
 * that does: its ID and its bots, or blanks.  Lines are written over where they
 * stand and never synced: the loop does not wait for the disk, and a full one
 * does no harm.  A kill loses nothing of it; after a power cut it may tell of
 * games that were over, or not of all that ran. */
#ifndef REFEREE_SCHEDULER_RUNNING_H
#define REFEREE_SCHEDULER_RUNNING_H

#include "protocol/limits.h"
#include "protocol/util.h"

struct running;

/* A game that ran: its ID, and the bots in the order of their seats. */
typedef void running_each(void *arg, const char *id, const char *const bot[],
			  unsigned seats);

/* Tells what the file at `path` holds, and begins it again with room for so many
 * games.  NULL and errno: there is no such file now. */
struct running *running_open(const char *path, unsigned games,
			     running_each *each, void *arg) MUST_CHECK;
void running_close(struct running *running); /* NULL is fine */

/* With NULL both do nothing. */
void running_begin(struct running *running, const char *id,
		   const char *const bot[], unsigned seats);
void running_end(struct running *running, const char *id);

#endif
