/* ladder/roster-inside.h - what the files of the roster share, and nobody else
 * includes. */
#ifndef LADDER_ROSTER_INSIDE_H
#define LADDER_ROSTER_INSIDE_H

#include <sqlite3.h>

#include "ladder/roster.h"

/* "bots" in ASCII: tells a roster from other SQLite files. */
#define ROSTER_APPLICATION_ID 0x626f7473

/* Of the files that this program writes: PRAGMA user_version. */
#define ROSTER_VERSION 1

#define ROSTER_HASH_BYTES 32

/* roster.sql, compiled in. */
extern const char roster_schema[];

enum roster_sql {
	ROSTER_BEGIN,
	ROSTER_COMMIT,
	ROSTER_ROLLBACK,
	ROSTER_PROOF,
	ROSTER_LOOK_UP, /* of a name that is in use, or else row 0 */
	ROSTER_FIND,	/* of any name */
	ROSTER_LIST,
	ROSTER_NAMES_OF,
	ROSTER_COUNTS, /* of bots; of the names of one */
	ROSTER_OWNER,  /* of a name */
	ROSTER_ADD,
	ROSTER_ADD_NAME,
	ROSTER_SET_TOKEN,
	ROSTER_SET_STATE,
	ROSTER_SET_NAME,
	ROSTER_SQL_COUNT,
};

struct roster {
	sqlite3 *db;
	char *path;	    /* of the database; owned */
	char *key_path;	    /* owned */
	unsigned char *key; /* in locked memory (sodium_malloc()); owned */
	sqlite3_stmt *stmt[ROSTER_SQL_COUNT];
};

/* The hash of a token of bot `number`, who is 0 for the proof of the key. */
void roster_hash(const struct roster *roster, int64_t number, const char *token,
		 size_t n, unsigned char hash[ROSTER_HASH_BYTES]);

/* The text of each statement: roster.c. */
extern const char *const roster_sql_text[ROSTER_SQL_COUNT];

/* ---- roster-key.c ----------------------------------------------------- */

/* Reads the key; where there is none, makes it if it may. */
int roster_key_read(struct roster *roster, bool may_make,
		    char why[LADDER_WHY_BYTES]) MUST_CHECK;
/* As rename(), but on disk when it returns. */
int roster_rename_file(const char *from, const char *to) MUST_CHECK;

/* ---- roster-open.c ---------------------------------------------------- */

/* What SQLite answered, as a sentence. */
int roster_trouble(const struct roster *roster, int answer,
		   char why[LADDER_WHY_BYTES]) MUST_CHECK;

#endif
