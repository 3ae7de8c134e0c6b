/* ladder/roster-inside.h - shared by the files of the roster; no other file
 * includes it. */
#ifndef LADDER_ROSTER_INSIDE_H
#define LADDER_ROSTER_INSIDE_H

#include "ladder/roster.h"
#include "ladder/sql.h"

/* "bots" in ASCII: tells a roster from other SQLite files. */
#define ROSTER_APPLICATION_ID 0x626f7473

/* The user_version of the files that this program reads and writes. */
#define ROSTER_VERSION 5

#define ROSTER_HASH_BYTES RECORD_HASH_BYTES

/* roster.sql, compiled in. */
extern const char roster_schema[];

struct roster {
	struct sql sql;
	char *dir;	    /* the data folder; owned */
	char *path;	    /* path of the database; owned */
	char *key_path;	    /* owned */
	unsigned char *key; /* in locked memory (sodium_malloc()); owned */
	unsigned owner_bots;
	char by[ROSTER_BY_BYTES + 1]; /* who makes the next changes */
};

/* The purpose of a hash: hashes of two kinds differ. */
#define ROSTER_BOT_TOKEN "referee token 1"
#define ROSTER_OWNER_TOKEN "referee owner token 1"
#define ROSTER_CODE "referee sign-up code 1"

/* Computes the hash of a token of bot or owner `number`, which is 0 for the
 * proof of the key and for a code. */
void roster_hash(const struct roster *roster, const char *purpose,
		 int64_t number, const char *token, size_t n,
		 unsigned char hash[ROSTER_HASH_BYTES]);
/* Makes a token. */
void roster_make_token(char token[ROSTER_TOKEN_BYTES + 1]);

/* ---- roster.c --------------------------------------------------------- */

int roster_begin(struct roster *roster, struct error *why) MUST_CHECK;
/* Commits the transaction if `result` is 0, else rolls it back.  Returns
 * `result`, or -1 if the commit fails. */
int roster_finish(struct roster *roster, int result,
		  struct error *why) MUST_CHECK;
/* Adds a row to the deeds if `result` is 0, then finishes the transaction. */
int roster_finish_deed(struct roster *roster, int result, const char *what,
		       const char *name, const char *note,
		       struct error *why) MUST_CHECK;
/* Finishes a transaction that has made a token, which is wiped if the change
 * did not get on disk, so that it is not shown. */
int roster_finish_token(struct roster *roster, int result, const char *what,
			const char *name, char token[ROSTER_TOKEN_BYTES + 1],
			struct error *why) MUST_CHECK;
/* Checks the length and the bytes of a reason. */
int roster_check_reason(const char *reason, struct error *why) MUST_CHECK;
/* Adds a bot, enabled and without a token, within a transaction.  Sets
 * `*number` to its number. */
int roster_add_bot(struct roster *roster, const char *name, int64_t *number,
		   struct error *why) MUST_CHECK;

/* Checks that it has the form of a name. */
int roster_check_name(const char *name, struct error *why) MUST_CHECK;
/* Begins a change of the bot that is called `name` now. */
int roster_begin_with(struct roster *roster, const char *name,
		      struct roster_bot *bot, struct error *why) MUST_CHECK;

/* ---- roster-owner.c --------------------------------------------------- */

/* Fails with ERROR_INPUT if this owner is banned. */
int roster_check_banned(struct roster *roster, const char *owner,
			struct error *why) MUST_CHECK;
/* Checks that the owner may have bot `number`, which is 0 for a new bot. */
int roster_check_owner(struct roster *roster, int64_t number, const char *owner,
		       struct error *why) MUST_CHECK;

#endif
