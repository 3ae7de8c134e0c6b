/* ladder/roster.h - the bots of a data folder: names, tokens, states.
 *
 * DIR/roster.db is an SQLite file (roster.sql tells every column),
 * DIR/roster.key 32 random bytes that only its owner may read.  A token is
 * 256 random bits as hex digits.  It is shown once, when it is made; only its
 * BLAKE2b under that key is kept, so that a thief of the database alone has no
 * token and cannot insert one.
 *
 * A bot has a number that never changes and a name that may.  When it is
 * deleted, its row stays, so that its name stays taken and its games stay its
 * own.  Names are told apart byte by byte; but none that is new differs from
 * another bot's in capitals alone, is that of a built-in bot (capitals aside), or
 * looks like a later version, NAME.2 and so on.
 *
 * One writer: the caller holds the lock of the data folder for as long as a
 * roster is open.  Each change is one transaction, on disk when the function
 * returns.  Threads: as for a ladder (store.h).
 *
 * Functions return 0; or -1 and an error, and nothing has changed:
 * ERROR_INPUT if the request is wrong, else ERROR_MACHINE. */
#ifndef LADDER_ROSTER_H
#define LADDER_ROSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/limits.h"
#include "protocol/text.h"
#include "protocol/util.h"

#define ROSTER_DB "roster.db"
#define ROSTER_KEY "roster.key"
#define ROSTER_KEY_BYTES 32
#define ROSTER_TOKEN_BYTES 64	/* hex digits of a token */
#define ROSTER_REASON_BYTES 200 /* why a bot is disabled; printable ASCII */
#define ROSTER_BOTS 100000	/* the deleted ones, too */
#define ROSTER_NAMES 16		/* that one bot may have had */
#define ROSTER_CONTENT_BYTES 64 /* hex digits of a folder's hash */
#define ROSTER_LADDERS_BYTES 2112
#define ROSTER_ENTRIES_MAX 1000 /* of one bot */
#define ROSTER_OWNER_BOTS 16	/* of one owner, unless roster_limit() says */

enum roster_state {
	ROSTER_ENABLED = 0,
	ROSTER_DISABLED = 1, /* plays no games; may say who it is */
	ROSTER_DELETED = 2,  /* for ever */
};

/* A plain value. */
struct roster_bot {
	int64_t number; /* from 1 */
	char name[NAME_BYTES + 1];
	enum roster_state state;
	char reason[ROSTER_REASON_BYTES + 1];
	int64_t since; /* it is in this state; times in seconds since 1970 */
	int64_t made;
	bool has_token;
	/* Who answers for it, as the organiser has said; of the form of a name;
	 * "": none was named. */
	char owner[NAME_BYTES + 1];
};

/* A version of a bot that lives on the daemon's machine. */
struct roster_entry {
	int64_t bot; /* its number */
	char name[NAME_BYTES + 1];
	enum roster_state state; /* of the bot */
	int64_t number;		 /* of its entries, from 1 */
	/* What records and ladders call it: the bot's first name, and for later
	 * entries `FIRST.N`, cut to what a name may have. */
	char stands_as[NAME_BYTES + 1];
	char version[VERSION_BYTES + 1]; /* as its author says, or "" */
	char hash[ROSTER_CONTENT_BYTES + 1];
	/* Names of ladders, single spaces between them; "": all whose game it
	 * plays. */
	char ladders[ROSTER_LADDERS_BYTES + 1];
	int64_t made;
	char owner[NAME_BYTES + 1]; /* of the bot */
};

struct roster;

/* ---- opening ---------------------------------------------------------- */

/* sodium_init() was called.  Makes both files where there are none; `dir` exists.
 * ERROR_INPUT, and the files stay as they are: the database is damaged, empty,
 * none of ours, of another version, or gone while its WAL is there; the key is
 * missing, is another one's, is not 32 bytes or may be read by others. */
int roster_open(const char *dir, struct roster **roster,
		struct error *why) MUST_CHECK;
void roster_close(struct roster *roster); /* NULL is fine */

/* How many bots one owner may have from now on; those that are there stay. */
void roster_limit(struct roster *roster, unsigned owner_bots);

/* ---- as a whole ------------------------------------------------------- */

#define ROSTER_IMAGE_BYTES 268435456

/* Appends the bytes of roster.db, as it is now, to `to`, which has room for
 * ROSTER_IMAGE_BYTES. */
int roster_image(struct roster *roster, struct text *to,
		 struct error *why) MUST_CHECK;
/* ROSTER_KEY_BYTES, which belong to no other file; borrowed. */
const unsigned char *roster_key(const struct roster *roster);
/* Both files as another roster had them, in place of those that are there; no
 * roster is open. */
int roster_install(const char *dir, const void *image, size_t n,
		   const unsigned char key[ROSTER_KEY_BYTES],
		   struct error *why) MUST_CHECK;

/* ---- who is there ----------------------------------------------------- */

/* Whether the bot that is or ever was called `name` has this token, in constant time:
 * an unknown name, a bot without a token and a wrong token take as long as one
 * another.  Neither name nor token need be of the right form; NUL is not
 * needed.  `*fits`: `*bot` is filled in, and it is not deleted (it may be
 * disabled). */
int roster_check(struct roster *roster, const char *name, size_t name_bytes,
		 const char *token, size_t token_bytes, bool *fits,
		 struct roster_bot *bot, struct error *why) MUST_CHECK;

/* The bot that is or ever was called so: ERROR_INPUT if there is none.
 * bot->name is what it is called now. */
int roster_find(struct roster *roster, const char *name, struct roster_bot *bot,
		struct error *why) MUST_CHECK;

/* Likewise the bot of which an entry stands as `name` (below). */
int roster_find_version(struct roster *roster, const char *name,
			struct roster_bot *bot, struct error *why) MUST_CHECK;

/* `each` is called for one bot after another, by name, the deleted ones
 * too.  It may read other things, not the same. */
int roster_list(struct roster *roster,
		void (*each)(void *arg, const struct roster_bot *bot),
		void *arg, struct error *why) MUST_CHECK;

/* Gives the name that the bot had first: 0 or more, or -1 and an error. */
int roster_first_name(struct roster *roster, int64_t number,
		      char first[NAME_BYTES + 1], struct error *why) MUST_CHECK;

/* ---- changes ---------------------------------------------------------- */

/* `name` is what the bot is called now; ERROR_INPUT if there is none of that
 * name or it is deleted. */

/* A new bot, enabled, with a token.  ERROR_INPUT: the name is no name, or is or
 * ever was another bot's, or a new bot may not have it (see above). */
int roster_add(struct roster *roster, const char *name,
	       char token[ROSTER_TOKEN_BYTES + 1],
	       struct error *why) MUST_CHECK;
/* A new token; the old one is worth nothing from now on. */
int roster_new_token(struct roster *roster, const char *name,
		     char token[ROSTER_TOKEN_BYTES + 1],
		     struct error *why) MUST_CHECK;
/* No token: the bot cannot come until it gets a new one. */
int roster_revoke(struct roster *roster, const char *name,
		  struct error *why) MUST_CHECK;
/* Doing either once more changes reason and time.  `reason` may be "". */
int roster_enable(struct roster *roster, const char *name,
		  struct error *why) MUST_CHECK;
int roster_disable(struct roster *roster, const char *name, const char *reason,
		   struct error *why) MUST_CHECK;
/* The bot keeps number, token and state.  It may go back to a name that it
 * had. */
int roster_rename(struct roster *roster, const char *name, const char *to,
		  struct error *why) MUST_CHECK;
int roster_delete(struct roster *roster, const char *name,
		  struct error *why) MUST_CHECK;

/* Another owner, or none: "".  ERROR_INPUT: it is no name, or has as many bots
 * as it may (those that are deleted do not count). */
int roster_set_owner(struct roster *roster, const char *name, const char *owner,
		     struct error *why) MUST_CHECK;

/* Whether that could be done with the bot that is called `name` now, or would
 * be with a new one: 0, or as above. */
int roster_may_own(struct roster *roster, const char *name, const char *owner,
		   struct error *why) MUST_CHECK;

/* ---- uploads ---------------------------------------------------------- */

/* Gives how many uploads the owner has sent in on a day, and counts one more.
 * A day is a number that grows; roster_add_upload() forgets all days before. */
int roster_uploads(struct roster *roster, const char *owner, int64_t day,
		   int64_t *count, struct error *why) MUST_CHECK;
int roster_add_upload(struct roster *roster, const char *owner, int64_t day,
		      struct error *why) MUST_CHECK;

/* ---- entries ---------------------------------------------------------- */

/* The bot entry->name has a new entry: version, hash and ladders as they are in
 * `*entry`, the rest is filled in.  A bot that there is not yet is made,
 * without a token.  LADDER_FOUND: its last entry, which `*entry` is then, has
 * that hash already, and nothing changes.  ERROR_INPUT: the name is none, or
 * another bot's, or was; the bot is deleted; it has had too many entries. */
int roster_enter(struct roster *roster, struct roster_entry *entry,
		 struct error *why) MUST_CHECK;
/* The last entry of bot `number`: LADDER_FOUND, or 0: it has none. */
int roster_entry_of(struct roster *roster, int64_t number,
		    struct roster_entry *entry, struct error *why) MUST_CHECK;
/* The last entry of each bot that has one, by name. */
int roster_entries(struct roster *roster,
		   void (*each)(void *arg, const struct roster_entry *entry),
		   void *arg, struct error *why) MUST_CHECK;
/* All of bot `number`, the last one first; 0: of all bots. */
int roster_entries_of(struct roster *roster, int64_t number,
		      void (*each)(void *arg, const struct roster_entry *entry),
		      void *arg, struct error *why) MUST_CHECK;

/* ---- roster-marks.c --------------------------------------------------- */

/* Which bots of a data folder no longer play, for readers of a ladder there; also
 * works while another process has the roster open. */
struct roster_marks;

/* Those of the roster in the folder `dir`; none if there is no roster, or an
 * older referee has written it.  As ladder_open(). */
int roster_marks_read(const char *dir, struct roster_marks **marks,
		      struct error *why) MUST_CHECK;
void roster_marks_free(struct roster_marks *marks); /* NULL is fine */

/* For ladder_mark_by(): `marks` is a struct roster_marks, `bot` what records
 * and ladders call it. */
enum ladder_mark roster_mark_of(void *marks, const char *bot);

#endif
