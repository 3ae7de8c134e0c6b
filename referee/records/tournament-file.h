/* referee/records/tournament-file.h - what a tournament was and how it went, as a file
 * of JSON beside its records; protocol/RECORD.md has the keys.
 *
 * The reader trusts nothing in it: it checks names, numbers and sizes. */
#ifndef REFEREE_TOURNAMENT_FILE_H
#define REFEREE_TOURNAMENT_FILE_H

#include <jansson.h>
#include <stdbool.h>

#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/limits.h"
#include "protocol/util.h"
#include "referee/records/tournament-told.h"

#define TOURNAMENT_FILE_BYTES 8388608
#define TOURNAMENT_FILE_TABLES                                                 \
	10000 /* the last tables are kept if there are
					 * more */
#define TOURNAMENT_FOLDER                                                      \
	"tournaments" /* tournaments to show, in a data folder */
#define TOURNAMENTS_LISTED                                                     \
	50		     /* the most files listed of a folder:
					 * the last written */
#define TOURNAMENT_WORDS 320 /* bytes of the words about a tournament */

#define TOURNAMENT_DIGITS 10 /* of a real number in JSON */

/* Frees everything and zeroes the struct. */
void tournament_told_release(struct tournament_told *told);

/* Writes the path of a tournament's file in `folder`.  Returns false if it is
 * too long. */
bool tournament_file_path(const char *folder, const char *id,
			  char path[LADDER_PATH_BYTES]) MUST_CHECK;
/* Writes the file in place of an older one, as a whole or not at all. */
int tournament_file_write(const struct tournament_told *told,
			  const char *folder, struct error *why) MUST_CHECK;
/* Returns the object that the file has. */
json_t *tournament_json(const struct tournament_told *told) MUST_CHECK;
/* Returns its first keys: those that say what the tournament is, and how far. */
json_t *tournament_head_json(const struct tournament_told *told) MUST_CHECK;
/* Reads a file.  Returns 0, or -1 and an error: ERROR_INPUT if there is no
 * file, or not such a file.  The caller releases `told` in either case. */
int tournament_file_read(const char *path, struct tournament_told *told,
			 struct error *why) MUST_CHECK;

/* Lists the IDs of the files in a folder, the last written first, at most
 * TOURNAMENTS_LISTED. Returns 0 if there is no folder. */
unsigned tournament_files(const char *folder,
			  char id[TOURNAMENTS_LISTED][ID_BYTES + 1]) MUST_CHECK;

/* Writes words like "swiss, 3 rounds of 4 games a table". */
void tournament_words(const struct tournament_told *told,
		      char words[TOURNAMENT_WORDS]);
/* Writes words like "alma has won" or "round 2 of 3 is being played", for the
 * time of the file. */
void tournament_state(const struct tournament_told *told,
		      char words[TOURNAMENT_WORDS]);
/* Returns "round" or "phase". */
const char *tournament_phase(const struct tournament_told *told) MUST_CHECK;

#endif
