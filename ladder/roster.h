/* ladder/roster.h - keeps the bots of a data folder: names, tokens, states.
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
#define ROSTER_BOTS 100000	/* bots, with the deleted ones */
#define ROSTER_NAMES 16		/* names that one bot may have had */
#define ROSTER_CONTENT_BYTES 64 /* hex digits of a folder's hash */
#define ROSTER_LADDERS_BYTES 2112
#define ROSTER_ENTRIES_MAX 1000 /* entries of one bot */
#define ROSTER_BY_BYTES 40	/* who makes a change */
#define ROSTER_DAY_S 86400	/* days are UTC's, in numbers since 1970 */
#define ROSTER_OWNER_BOTS 16 /* bots of one owner; roster_limit() changes it */

enum roster_state {
	ROSTER_ENABLED = 0,
	ROSTER_DISABLED = 1,  /* plays no games; may say who it is */
	ROSTER_DELETED = 2,   /* for ever */
	ROSTER_WITHDRAWN = 3, /* as if disabled, but by its owner */
	ROSTER_BANNED = 4,    /* as if disabled, with its owner */
};

/* A plain value. */
struct roster_bot {
	int64_t number; /* from 1 */
	char name[NAME_BYTES + 1];
	enum roster_state state;
	char reason[ROSTER_REASON_BYTES + 1];
	int64_t since; /* when this state began; times are in seconds since 1970 */
	int64_t made;
	bool has_token;
	int64_t token_used; /* day when the token was last shown; 0: never */
	/* The person who answers for it, as the organiser has said; has the
	 * form of a name; "": none was named. */
	char owner[NAME_BYTES + 1];
};

/* The name of a version in its trial: no bot gets it, but old rosters may have one. */
#define ROSTER_TRIAL "trial"
/* Returns enabled, disabled, removed, withdrawn or banned. */
const char *roster_state_word(enum roster_state state) MUST_CHECK;

/* A version of a bot that lives on the daemon's machine. */
struct roster_entry {
	int64_t bot; /* the bot's number */
	char name[NAME_BYTES + 1];
	enum roster_state state; /* the bot's */
	int64_t number; /* number of this entry among the bot's, from 1 */
	/* The name in records and ladders: the bot's first name, and for later
	 * entries `FIRST.N`, cut to the length of a name. */
	char stands_as[NAME_BYTES + 1];
	char version[VERSION_BYTES + 1]; /* the author's name for it, or "" */
	char hash[ROSTER_CONTENT_BYTES + 1];
	/* Names of ladders, with single spaces between them; "": all ladders
	 * whose game it plays. */
	char ladders[ROSTER_LADDERS_BYTES + 1];
	int64_t made;
	char owner[NAME_BYTES + 1]; /* the bot's */
};

struct roster;

/* ---- opening ---------------------------------------------------------- */

/* Opens the roster in `dir`, which exists, and makes both files if there are
 * none.  Call sodium_init() before.  Fails with ERROR_INPUT, and leaves the
 * files as they are, if the database is damaged, empty, not ours, of another
 * version, or gone while its WAL is there; or if the key is missing, belongs to
 * another roster, is not 32 bytes, or may be read by others. */
int roster_open(const char *dir, struct roster **roster,
		struct error *why) MUST_CHECK;
void roster_close(struct roster *roster); /* NULL is fine */
/* Returns the folder that it was opened in.  Borrowed. */
const char *roster_folder(const struct roster *roster);

/* Sets how many bots one owner may have from now on.  Bots that are there stay. */
void roster_limit(struct roster *roster, unsigned owner_bots);

#define ROSTER_ORGANISER "organiser"

/* Says who makes the changes from now on: ROSTER_ORGANISER at first.  Each change
 * is written down under this name (roster-owner.h). */
void roster_by(struct roster *roster, const char *who);

/* ---- as a whole ------------------------------------------------------- */

#define ROSTER_IMAGE_BYTES 268435456

/* Appends the bytes of roster.db, as it is now, to `to`, which has room for
 * ROSTER_IMAGE_BYTES. */
int roster_image(struct roster *roster, struct text *to,
		 struct error *why) MUST_CHECK;
/* Returns the ROSTER_KEY_BYTES of the key, which belong in no other file.
 * Borrowed. */
const unsigned char *roster_key(const struct roster *roster);
/* Writes both files as another roster had them, in place of those that are
 * there.  No roster may be open. */
int roster_install(const char *dir, const void *image, size_t n,
		   const unsigned char key[ROSTER_KEY_BYTES],
		   struct error *why) MUST_CHECK;

/* ---- who is there ----------------------------------------------------- */

/* Checks in constant time that the bot that is or ever was called `name` has
 * this token: an unknown name, a bot without a token and a wrong token all take
 * the same time.  Neither name nor token need have the right form or end with a
 * NUL. If `*fits` becomes true, `*bot` is filled in, and the bot is not deleted
 * (it may be disabled or withdrawn). */
int roster_check(struct roster *roster, const char *name, size_t name_bytes,
		 const char *token, size_t token_bytes, bool *fits,
		 struct roster_bot *bot, struct error *why) MUST_CHECK;

/* Finds the bot that is or ever was called `name`.  Fails with ERROR_INPUT if
 * there is none. bot->name is its present name. */
int roster_find(struct roster *roster, const char *name, struct roster_bot *bot,
		struct error *why) MUST_CHECK;

/* Finds in the same way the bot that has an entry with `name` as stands_as
 * (below). */
int roster_find_version(struct roster *roster, const char *name,
			struct roster_bot *bot, struct error *why) MUST_CHECK;

/* Calls `each` for one bot after another, by name, the deleted ones too.
 * `each` may read other things from the roster, but must not list bots. */
int roster_list(struct roster *roster,
		void (*each)(void *arg, const struct roster_bot *bot),
		void *arg, struct error *why) MUST_CHECK;

/* Gives the name that the bot had first: 0 or more, or -1 and an error. */
int roster_first_name(struct roster *roster, int64_t number,
		      char first[NAME_BYTES + 1], struct error *why) MUST_CHECK;

/* ---- changes ---------------------------------------------------------- */

/* In all of these `name` is the bot's present name.  They fail with ERROR_INPUT
 * if no bot has that name, or if it is deleted. */

/* Adds a bot, enabled, with a token, and with an owner unless that is "".  Fails
 * with ERROR_INPUT if the name is not valid, is or ever was another bot's, or may
 * not be given to a new bot (see above), or if the owner may have no further
 * bot. */
int roster_add(struct roster *roster, const char *name, const char *owner,
	       char token[ROSTER_TOKEN_BYTES + 1],
	       struct error *why) MUST_CHECK;
/* Makes a new token.  The old one is invalid from now on. */
int roster_new_token(struct roster *roster, const char *name,
		     char token[ROSTER_TOKEN_BYTES + 1],
		     struct error *why) MUST_CHECK;
/* Takes the token away: the bot cannot connect until it gets a new one. */
int roster_revoke(struct roster *roster, const char *name,
		  struct error *why) MUST_CHECK;
/* Calling one of these again changes reason and time.  `reason` may be "". */
int roster_enable(struct roster *roster, const char *name,
		  struct error *why) MUST_CHECK;
int roster_disable(struct roster *roster, const char *name, const char *reason,
		   struct error *why) MUST_CHECK;
int roster_withdraw(struct roster *roster, const char *name,
		    struct error *why) MUST_CHECK;
/* Renames the bot, which keeps number, token and state.  It may go back to a
 * name that it had. */
int roster_rename(struct roster *roster, const char *name, const char *to,
		  struct error *why) MUST_CHECK;
int roster_delete(struct roster *roster, const char *name,
		  struct error *why) MUST_CHECK;

/* Sets another owner, or none: "".  Fails with ERROR_INPUT if the owner's name
 * is not valid, if the owner has as many bots as allowed (deleted ones do not
 * count), or is banned. */
int roster_set_owner(struct roster *roster, const char *name, const char *owner,
		     struct error *why) MUST_CHECK;

/* Notes that the token of bot `number` was shown on this day. */
int roster_bot_came(struct roster *roster, int64_t number, int64_t day,
		    struct error *why) MUST_CHECK;

/* ---- entries ---------------------------------------------------------- */

/* Adds an entry to the bot entry->name.  Takes version, hash and ladders from
 * `*entry`, and fills in the rest.  Makes a bot without a token if there is
 * none of that name.  Returns LADDER_FOUND and changes nothing if the bot's
 * last entry has that hash already; then `*entry` is that last entry.  Fails
 * with ERROR_INPUT if the name is not valid, or is or was another bot's; if the
 * bot is deleted; or if it has had too many entries. */
int roster_enter(struct roster *roster, struct roster_entry *entry,
		 struct error *why) MUST_CHECK;
/* Lets the bot's entry of this number play again, under its own name: it becomes
 * the bot's last entry.  Fills in `*entry`.  Returns LADDER_FOUND and changes
 * nothing if it is the last one already.  Fails with ERROR_INPUT if there is no
 * such entry.  The caller knows that its program is still there. */
int roster_go_back(struct roster *roster, const char *name, int64_t number,
		   struct roster_entry *entry, struct error *why) MUST_CHECK;
/* Finds an entry of the bot that is or was called `name`.  Fails with ERROR_INPUT
 * if there is none. */
int roster_entry_find(struct roster *roster, const char *name, int64_t number,
		      struct roster_entry *entry, struct error *why) MUST_CHECK;
/* Gets the last entry of bot `number`.  Returns LADDER_FOUND, or 0 if it has
 * none.  The last one is the one that plays: added last, or gone back to since. */
int roster_entry_of(struct roster *roster, int64_t number,
		    struct roster_entry *entry, struct error *why) MUST_CHECK;
/* Calls `each` for the last entry of each bot that has one, by name. */
int roster_entries(struct roster *roster,
		   void (*each)(void *arg, const struct roster_entry *entry),
		   void *arg, struct error *why) MUST_CHECK;
/* All of bot `number`, the last one first; 0: of all bots, one bot after the
 * other. */
int roster_entries_of(struct roster *roster, int64_t number,
		      void (*each)(void *arg, const struct roster_entry *entry),
		      void *arg, struct error *why) MUST_CHECK;

/* ---- roster-marks.c --------------------------------------------------- */

/* The marks say which bots of a data folder no longer play, and which versions the
 * others have, for readers of a ladder there.  They can be read while another process
 * has the roster open. */
struct roster_marks;

/* Reads the marks of the roster in the folder `dir`.  There are none if there
 * is no roster, or if an older referee has written it.  Fails as ladder_open()
 * does. */
int roster_marks_read(const char *dir, struct roster_marks **marks,
		      struct error *why) MUST_CHECK;
void roster_marks_free(struct roster_marks *marks); /* NULL is fine */

/* Serves as the function of ladder_mark_by(): `marks` is a struct roster_marks,
 * `bot` the name in records and ladders. */
struct ladder_known roster_mark_of(void *marks, const char *bot);
/* Returns the name of the version that plays for the bot with this version: `bot`
 * itself, or one borrowed from the marks, which may be NULL. */
const char *roster_plays(const struct roster_marks *marks, const char *bot);

#endif
