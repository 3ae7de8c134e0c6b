/* referee/pages/conduct.h - how a bot behaved in some games, by their records:
 * what it was charged with, and where; how long it thought. */
#ifndef REFEREE_PAGES_CONDUCT_H
#define REFEREE_PAGES_CONDUCT_H

#include <stdbool.h>

#include "protocol/asks.h"
#include "protocol/fault.h"
#include "protocol/limits.h"
#include "protocol/record.h"

#define CONDUCT_GAMES 100 /* that are looked at: the latest */
#define CONDUCT_FAULTS 50 /* of each kind that are kept: the first told */
#define CONDUCT_TIMES 100000

struct conduct_fault {
	char id[ID_BYTES + 1]; /* of the game */
	unsigned at;	       /* the number of its line, as spectators count */
	int seat;	       /* whose view may be seen, too; or VIEW_PUBLIC */
	enum fault kind;
};

struct conduct {
	unsigned games;
	struct conduct_fault *fault; /* owned */
	unsigned faults, of_kind[FAULT_KINDS];
	float *ms; /* owned: of its decisions */
	unsigned times;
	double limit_ms; /* for a move in the last game told; 0: not known */
	double cpu_ms;	 /* most in a game, less than 0: not known */
	double memory_kib;
};

/* Zeroed but for cpu_ms and memory_kib: */
#define CONDUCT_NONE                                                           \
	{                                                                      \
		.cpu_ms = -1, .memory_kib = -1                                 \
	}
void conduct_release(struct conduct *conduct);

/* Adds a game: what may be told of the seat.  `times`: also what only those may
 * know who may see all that the seat saw; `asks` has the times of all asks, or
 * (NULL, or none of the seat) those of moves are taken from the record. */
void conduct_add(struct conduct *conduct, const struct record *record,
		 unsigned seat, bool times, const struct asks *asks);
/* The time that `part` (0 to 1) of the decisions took at most; sorts them. */
double conduct_time(struct conduct *conduct, double part);

#endif
