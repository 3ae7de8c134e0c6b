/* referee/pages/conduct.h - reads from records how a bot behaved in some games:
 * its faults and where they happened, and how long it thought. */
#ifndef REFEREE_PAGES_CONDUCT_H
#define REFEREE_PAGES_CONDUCT_H

#include <stdbool.h>

#include "protocol/asks.h"
#include "protocol/fault.h"
#include "protocol/limits.h"
#include "protocol/record.h"

#define CONDUCT_GAMES 100 /* the latest games, which are looked at */
#define CONDUCT_FAULTS 50 /* kept of each kind: the first ones */
#define CONDUCT_TIMES 100000

struct conduct_fault {
	char id[ID_BYTES + 1]; /* the game's ID */
	unsigned at;	       /* number of its line, as spectators count */
	int seat;	       /* seat whose view may be seen, too; or
			        * VIEW_PUBLIC */
	enum fault kind;
};

struct conduct {
	unsigned games;
	struct conduct_fault *fault; /* owned */
	unsigned faults, of_kind[FAULT_KINDS];
	float *ms; /* owned; times of its decisions */
	unsigned times;
	double limit_ms; /* limit of a move in the last game; 0: not known */
	double cpu_ms;	 /* the most in a game; below 0: not known */
	double memory_kib;
};

/* An empty conduct: zeroed except cpu_ms and memory_kib. */
#define CONDUCT_NONE                                                           \
	{                                                                      \
		.cpu_ms = -1, .memory_kib = -1                                 \
	}
void conduct_release(struct conduct *conduct);

/* Adds what may be shown about the seat in a game.  With `times` it also adds
 * what only readers may know who may see all that the seat saw.  `asks` has the
 * times of all asks; if it is NULL or has none of the seat, the times of moves
 * are taken from the record. */
void conduct_add(struct conduct *conduct, const struct record *record,
		 unsigned seat, bool times, const struct asks *asks);
/* Returns the time that `part` (0 to 1) of the decisions took at most, in
 * milliseconds.  Sorts the times. */
double conduct_time(struct conduct *conduct, double part);

#endif
