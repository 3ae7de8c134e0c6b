/* ladder/roster-inside.h - shared by the files of the roster; no other file
 * includes it. */
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

struct roster {
	struct sql sql;
	char *path;	    /* path of the database; owned */
	char *key_path;	    /* owned */
	unsigned char *key; /* in locked memory (sodium_malloc()); owned */
	unsigned owner_bots;
};

/* Computes the hash of a token of bot `number`, which is 0 for the proof of the
 * key. */
void roster_hash(const struct roster *roster, int64_t number, const char *token,
		 size_t n, unsigned char hash[ROSTER_HASH_BYTES]);

/* ---- roster.c --------------------------------------------------------- */

int roster_begin(struct roster *roster, struct error *why) MUST_CHECK;
/* Commits the transaction if `result` is 0, else rolls it back.  Returns
 * `result`, or -1 if the commit fails. */
int roster_finish(struct roster *roster, int result,
		  struct error *why) MUST_CHECK;
/* Adds a bot, enabled and without a token, within a transaction.  Sets
 * `*number` to its number. */
int roster_add_bot(struct roster *roster, const char *name, int64_t *number,
		   struct error *why) MUST_CHECK;

/* Checks that it has the form of a name. */
int roster_check_name(const char *name, struct error *why) MUST_CHECK;
/* Begins a change of the bot that is called `name` now. */
int roster_begin_with(struct roster *roster, const char *name,
		      struct roster_bot *bot, struct error *why) MUST_CHECK;

/* ---- roster-key.c ----------------------------------------------------- */

/* Reads the key.  If there is none, makes it if `may_make` is true. */
int roster_key_read(struct roster *roster, bool may_make,
		    struct error *why) MUST_CHECK;

#endif
