/* referee/match/match-keeping.h - where a match's games are kept: a folder of
 * records, a ladder, both or neither. */
#ifndef REFEREE_MATCH_KEEPING_H
#define REFEREE_MATCH_KEEPING_H

#include "ladder/log.h"
#include "ladder/store.h"
#include "protocol/util.h"
#include "referee/match/match.h"

struct match_keeping {
	char dir[LADDER_PATH_BYTES]; /* "" if no records are kept */
	struct ladder *ladder;	     /* or NULL */
	struct ladder_log *log;	     /* owned: where records go */
};

/* `records`: the folder of --records, or NULL; `ladder`: the file of --ladder,
 * or NULL.  Makes what is not there, and lets a ladder follow what its last match
 * has left.  EXIT_DONE; else a sentence has been printed and this is the exit
 * code.  Release it in either case. */
int match_keeping_open(struct match_keeping *keeping, const char *records,
		       const char *ladder) MUST_CHECK;
void match_keeping_release(struct match_keeping *keeping);

/* The records that are in a folder, by the IDs of their games. */
struct match_files {
	struct match_file {
		char id[ID_BYTES + 1];
		char name[LADDER_FILE_BYTES];
	} * file; /* owned; sorted by ID */
	size_t count;
};

/* 0, or -1 and an error; release them in either case. */
int match_files_read(struct match_files *files, const char *dir,
		     struct error *why) MUST_CHECK;
/* The file of a game; or NULL. */
const char *match_files_find(const struct match_files *files, const char *id);
void match_files_release(struct match_files *files);

/* Makes the folder for the standard error of bots, or sees that it does.  If the
 * match begins now (`fresh`), such files of another match are a user's mistake.
 * EXIT_DONE; else likewise. */
int match_keeping_stderr(const char *dir, bool fresh) MUST_CHECK;

/* A seed makes the same games again: they would have no place for their records
 * and count no more, and a ladder with two records of one game cannot be
 * rebuilt.  EXIT_DONE if none of the setup's games has been played here. */
int match_keeping_unplayed(const struct match_keeping *keeping,
			   const struct match_setup *setup) MUST_CHECK;

#endif
