/* referee/records/tournament-told.h - what is told of a tournament, in its file and
 * on pages. */
#ifndef REFEREE_TOURNAMENT_TOLD_H
#define REFEREE_TOURNAMENT_TOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/store.h"
#include "protocol/limits.h"

#define KNOCKOUT_MORE 2 /* more sets if the last place is not clear */

/* A table: some games of the same bots. */
struct told_table {
	unsigned phase;		 /* from 1 */
	unsigned bot[SEATS_MAX]; /* indices of `bot` below; for a finished table
				 * of a knockout, the best first */
	double share[SEATS_MAX]; /* the sum of their shares (tournament.h) */
	uint64_t games;		 /* games that are over */
	char first[ID_BYTES + 1]; /* ID of its first game */
};

struct told_bye {
	unsigned phase, bot;
};

struct told_bot {
	char name[NAME_BYTES + 1];
	unsigned draw; /* its place in the draw, from 1 */
	unsigned byes;
	unsigned phase; /* the last that it sat in or had a bye in, from 1 */
	uint64_t games; /* that count */
	double score;	/* its mean share in these */
	double points;	/* the sum of its shares; a bye: half of all */
	double buchholz; /* the mean score of those it met; 0 without an opponent */
};

struct tournament_told {
	char id[ID_BYTES + 1]; /* ID of the tournament's first game */
	char format[NAME_BYTES + 1], game[NAME_BYTES + 1];
	char options[LADDER_OPTIONS_BYTES];
	unsigned seats;
	uint64_t games;		   /* games that a table plays */
	unsigned rounds;	   /* 0: a knockout */
	unsigned best;		   /* 0: not a knockout */
	char hero[NAME_BYTES + 1]; /* "": not a gauntlet */
	/* The ladder whose best bots play; their `draw` is the seed.  "": none */
	char final[NAME_BYTES + 1];
	bool frozen;	/* that ladder's standings were frozen when it began */
	unsigned phase; /* the last phase that has begun, from 1 */
	bool over;
	int64_t told;	      /* time of the file, in seconds since 1970 */
	unsigned bots;	      /* 2 to BOTS_MAX */
	struct told_bot *bot; /* owned; sorted by standing, the best first */
	struct told_table *table;  /* owned */
	unsigned tables, left_out; /* tables before these that were left out */
	struct told_bye *bye;	   /* owned */
	unsigned byes;
};

#endif
