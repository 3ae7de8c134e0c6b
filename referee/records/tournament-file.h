/* referee/records/tournament-file.h - what a tournament was and how it went, as a file
 * of JSON beside its records; protocol/RECORD.md has the keys.
 *
 * The reader trusts nothing in it: it checks names, numbers and sizes. */
#ifndef REFEREE_TOURNAMENT_FILE_H
#define REFEREE_TOURNAMENT_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/limits.h"
#include "protocol/util.h"

#define TOURNAMENT_FILE_BYTES 8388608
#define TOURNAMENT_FILE_TABLES 10000	/* the last ones, if there are more */
#define TOURNAMENT_FOLDER "tournaments" /* of a data folder: those to show */
#define TOURNAMENTS_LISTED 50		/* of a folder: the last written */
#define TOURNAMENT_WORDS 256		/* of what is said of it */

/* Some games of the same bots. */
struct told_table {
	unsigned phase; /* from 1 */
	unsigned
		bot[SEATS_MAX]; /* indices of `bot` below; of a knockout's table
				   * that is over, the best first */
	double share[SEATS_MAX];  /* the sum of their shares (tournament.h) */
	uint64_t games;		  /* that are over */
	char first[ID_BYTES + 1]; /* its first game */
};

struct told_bye {
	unsigned phase, bot;
};

struct told_bot {
	char name[NAME_BYTES + 1];
	unsigned draw, byes, phase; /* as tournament_row() has them */
	uint64_t games;
	double score; /* its mean share */
	double points, buchholz;
};

struct tournament_told {
	char id[ID_BYTES + 1]; /* of its first game */
	char format[NAME_BYTES + 1], game[NAME_BYTES + 1];
	char options[LADDER_OPTIONS_BYTES];
	unsigned seats;
	uint64_t games;		   /* that a table plays */
	unsigned rounds;	   /* 0: of a knockout */
	unsigned best;		   /* 0: of no knockout */
	char hero[NAME_BYTES + 1]; /* "": of no gauntlet */
	unsigned phase;		   /* the last that has begun, from 1 */
	bool over;
	int64_t told;		   /* when: seconds since 1970 */
	unsigned bots;		   /* 2 to BOTS_MAX */
	struct told_bot *bot;	   /* owned; as they stand, the best first */
	struct told_table *table;  /* owned */
	unsigned tables, left_out; /* so many tables before these */
	struct told_bye *bye;	   /* owned */
	unsigned byes;
};

/* Zeroed, without anything. */
void tournament_told_release(struct tournament_told *told);

/* Writes the path of the tournament's file in `folder`. */
bool tournament_file_path(const char *folder, const char *id,
			  char path[LADDER_PATH_BYTES]) MUST_CHECK;
/* Writes it in place of an older one, as a whole or not at all. */
int tournament_file_write(const struct tournament_told *told,
			  const char *folder, struct error *why) MUST_CHECK;
/* 0, or -1 and an error: ERROR_INPUT if it is no such file, or there is none.
 * Release what was told in either case. */
int tournament_file_read(const char *path, struct tournament_told *told,
			 struct error *why) MUST_CHECK;

/* IDs of the files in a folder, the last written first; TOURNAMENTS_LISTED at most.
 * None where there is no folder. */
unsigned tournament_files(const char *folder,
			  char id[TOURNAMENTS_LISTED][ID_BYTES + 1]) MUST_CHECK;

/* "swiss, 3 rounds of 4 games a table" */
void tournament_words(const struct tournament_told *told,
		      char words[TOURNAMENT_WORDS]);
/* "alma has won", "round 2 of 3 is being played"; told of the moment of the file. */
void tournament_state(const struct tournament_told *told,
		      char words[TOURNAMENT_WORDS]);
/* "round", or "phase" */
const char *tournament_phase(const struct tournament_told *told) MUST_CHECK;

#endif
