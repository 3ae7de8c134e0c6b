/* referee/match/match-keeping.h - opens the places where a match's games are
 * kept: a folder of records, a ladder, both or neither. */
#ifndef REFEREE_MATCH_KEEPING_H
#define REFEREE_MATCH_KEEPING_H

#include "ladder/log.h"
#include "ladder/store.h"
#include "protocol/util.h"
#include "referee/match/match.h"

struct match_keeping {
	char dir[LADDER_PATH_BYTES]; /* "" if no records are kept */
	struct ladder *ladder;	     /* or NULL */
	struct ladder_log *log;	     /* owned; takes the records */
};

/* Opens the folder `records` of --records and the file `ladder` of --ladder;
 * both may be NULL. Makes what is not there, and rates the games that the
 * ladder's last match has left unrated.  Returns EXIT_DONE, or prints a
 * sentence and returns the exit code.  Release it in either case. */
int match_keeping_open(struct match_keeping *keeping, const char *records,
		       const char *ladder) MUST_CHECK;
void match_keeping_release(struct match_keeping *keeping);

/* The records in a folder, sorted by the IDs of their games. */
struct match_files {
	struct match_file {
		char id[ID_BYTES + 1];
		char name[LADDER_FILE_BYTES];
	} * file; /* owned; sorted by ID */
	size_t count;
};

/* Lists the records in the folder.  Returns 0, or -1 and an error; release the
 * list in either case. */
int match_files_read(struct match_files *files, const char *dir,
		     struct error *why) MUST_CHECK;
/* Returns the name of the file of a game, or NULL. It is borrowed from the
 * list. */
const char *match_files_find(const struct match_files *files, const char *id);
void match_files_release(struct match_files *files);

/* Makes the folder for the standard error of bots, or checks that the existing
 * one can be used.  If the match begins now (`fresh`), such files of another
 * match are a user's mistake.  Returns EXIT_DONE, or prints a sentence and
 * returns the exit code. */
int match_keeping_stderr(const char *dir, bool fresh) MUST_CHECK;

/* Returns EXIT_DONE if none of the setup's games has been played here; else
 * prints a sentence and returns the exit code.  The same seed makes the same
 * games again.  Their records would have no place and would not count, and a
 * ladder with two records of one game cannot be rebuilt. */
int match_keeping_unplayed(const struct match_keeping *keeping,
			   const struct match_setup *setup) MUST_CHECK;

#endif
