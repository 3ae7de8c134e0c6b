/* ladder/roster-inside.h - what the files of the roster share, and no
 * other file includes. */
#ifndef LADDER_ROSTER_INSIDE_H
#define LADDER_ROSTER_INSIDE_H

#include "ladder/roster.h"
#include "ladder/sql.h"

/* "bots" in ASCII: tells a roster from other SQLite files. */
#define ROSTER_APPLICATION_ID 0x626f7473

/* The user_version of the files that this program reads and writes. */
#define ROSTER_VERSION 3

#define ROSTER_HASH_BYTES RECORD_HASH_BYTES

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
	ROSTER_LIKE,   /* a name of another bot, which differs in capitals */
	ROSTER_ADD,
	ROSTER_ADD_NAME,
	ROSTER_SET_TOKEN,
	ROSTER_SET_STATE,
	ROSTER_SET_NAME,
	ROSTER_STANDS, /* whether an entry has this name, and no bot */
	ROSTER_ENTRY_ADD,
	ROSTER_ENTRY_FIND, /* the last one of a bot */
	ROSTER_ENTRIES,	   /* the last one of each bot */
	ROSTER_ENTRIES_OF, /* all of a bot, the last one first */
	ROSTER_SET_OWNER,
	ROSTER_OWNED,	   /* how many other bots an owner has */
	ROSTER_UPLOADS,	   /* of an owner on a day */
	ROSTER_UPLOAD_ADD, /* one more */
	ROSTER_UPLOAD_OLD, /* forgets those before a day */
	ROSTER_SQL_COUNT,
};

struct roster {
	struct sql sql;
	char *path;	    /* of the database; owned */
	char *key_path;	    /* owned */
	unsigned char *key; /* in locked memory (sodium_malloc()); owned */
	unsigned owner_bots;
};

/* The hash of a token of bot `number`, who is 0 for the proof of the key. */
void roster_hash(const struct roster *roster, int64_t number, const char *token,
		 size_t n, unsigned char hash[ROSTER_HASH_BYTES]);

/* The text of each statement: roster.c. */
extern const char *const roster_sql_text[ROSTER_SQL_COUNT];

/* ---- roster.c --------------------------------------------------------- */

int roster_begin(struct roster *roster, struct error *why) MUST_CHECK;
/* Commits if `result` says so, else takes back. */
int roster_finish(struct roster *roster, int result,
		  struct error *why) MUST_CHECK;
/* A new bot, enabled, without a token; in a transaction.  `*number` is its
 * own. */
int roster_add_bot(struct roster *roster, const char *name, int64_t *number,
		   struct error *why) MUST_CHECK;

/* Whether it is of the form of a name. */
int roster_check_name(const char *name, struct error *why) MUST_CHECK;
/* Begins a change of the bot that is called `name` now. */
int roster_begin_with(struct roster *roster, const char *name,
		      struct roster_bot *bot, struct error *why) MUST_CHECK;

/* ---- roster-key.c ----------------------------------------------------- */

/* Reads the key; where there is none, makes it if it may. */
int roster_key_read(struct roster *roster, bool may_make,
		    struct error *why) MUST_CHECK;

#endif
