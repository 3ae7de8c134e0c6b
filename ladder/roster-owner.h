/* ladder/roster-owner.h - keeps in a roster (roster.h) who answers for bots:
 * accounts, bans, what an owner did on a day; and who did what.
 *
 * An owner is a name.  An owner with an account has a token, like a bot's, by
 * which he makes bots and tokens himself.  Strangers make an account with a code
 * that the organiser hands out; there is one code at a time.
 *
 * Functions return 0; or -1 and an error, and nothing has changed: ERROR_INPUT
 * if the request is wrong, else ERROR_MACHINE. */
#ifndef LADDER_ROSTER_OWNER_H
#define LADDER_ROSTER_OWNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ladder/roster.h"
#include "protocol/date.h"
#include "protocol/error.h"
#include "protocol/limits.h"
#include "protocol/util.h"

#define ROSTER_OWNERS 100000 /* owners who have an account or are banned */
#define ROSTER_CODE_BYTES 16 /* hex digits of a code */
#define ROSTER_DEEDS 200000  /* deeds that are kept, the last ones */
#define ROSTER_WHAT_BYTES 15 /* the word of a deed */

/* A plain value. */
struct roster_owner {
	int64_t number; /* from 1 */
	char name[NAME_BYTES + 1];
	enum roster_state state; /* enabled or banned */
	char reason[ROSTER_REASON_BYTES + 1];
	int64_t since; /* when this state began */
	int64_t made;
	bool has_token;
	int64_t token_used; /* day when the token was last shown; 0: never */
};

/* ---- accounts --------------------------------------------------------- */

/* Checks in constant time that the owner `name` has this token.  If `*fits`
 * becomes true, `*owner` is filled in; the owner may be banned. */
int roster_owner_check(struct roster *roster, const char *name,
		       const char *token, size_t token_bytes, bool *fits,
		       struct roster_owner *owner,
		       struct error *why) MUST_CHECK;
/* Finds an owner who has an account or was banned once.  Fails with ERROR_INPUT
 * if there is none. */
int roster_owner_find(struct roster *roster, const char *name,
		      struct roster_owner *owner, struct error *why) MUST_CHECK;
/* Calls `each` for these owners by name.  `each` must not list owners. */
int roster_owners(struct roster *roster,
		  void (*each)(void *arg, const struct roster_owner *owner),
		  void *arg, struct error *why) MUST_CHECK;
/* Calls `each` for the present name of each bot of the owner that is not
 * deleted, by name.  `each` must not list bots of owners. */
int roster_owner_bots(struct roster *roster, const char *owner,
		      void (*each)(void *arg, const char *bot), void *arg,
		      struct error *why) MUST_CHECK;
/* Makes a token, and the account if there is none.  The old token is invalid
 * from now on.  Fails with ERROR_INPUT if the owner is banned. */
int roster_owner_token(struct roster *roster, const char *name,
		       char token[ROSTER_TOKEN_BYTES + 1],
		       struct error *why) MUST_CHECK;
/* Notes that the token of owner `number` was shown on this day. */
int roster_owner_came(struct roster *roster, int64_t number, int64_t day,
		      struct error *why) MUST_CHECK;

/* Makes a code of ROSTER_CODE_BYTES in place of the one that there is: for so
 * many accounts, until that time. */
int roster_new_code(struct roster *roster, unsigned accounts, int64_t until,
		    char code[ROSTER_TOKEN_BYTES + 1],
		    struct error *why) MUST_CHECK;
int roster_drop_code(struct roster *roster, struct error *why) MUST_CHECK;
/* The sentence of roster_sign_up() for a code that is wrong or has ended. */
#define ROSTER_NO_CODE "wrong code, or one that has ended; ask the organiser"

/* Returns 1 if the code can make an account now, 0 if it is wrong or has ended, or -1
 * and an error.  Writes nothing. */
int roster_code_fits(struct roster *roster, const char *code,
		     struct error *why) MUST_CHECK;
/* Makes an account with the code.  Fails with ERROR_INPUT if the code is wrong
 * or has ended (ROSTER_NO_CODE), or if the name is not valid, or an owner has it,
 * capitals aside, or it is reserved. */
int roster_sign_up(struct roster *roster, const char *code, const char *name,
		   char token[ROSTER_TOKEN_BYTES + 1],
		   struct error *why) MUST_CHECK;

/* Bans an owner who has an account or a bot: the token is of no use, no further bot
 * is allowed, and the bots that are there are disabled.  roster_unban() enables
 * those that the ban has disabled. */
int roster_ban(struct roster *roster, const char *name, const char *reason,
	       struct error *why) MUST_CHECK;
int roster_unban(struct roster *roster, const char *name,
		 struct error *why) MUST_CHECK;

/* ---- what was done on a day ------------------------------------------- */

enum roster_kind {
	ROSTER_UPLOADS = 0,    /* by an owner */
	ROSTER_SIGN_UPS = 1,   /* from an address; "": from all */
	ROSTER_BOTS_MADE = 2,  /* bots and tokens, by an owner */
	ROSTER_TRIALS = 3,     /* games of trials, by an owner, or `bot NAME` */
	ROSTER_TRIAL_TIME = 4, /* seconds that these played */
	ROSTER_BODY_TIME = 5,  /* milliseconds that uploads of an owner came */
	ROSTER_OPINION_TIME = 6, /* milliseconds of a client's opinions */
};

/* Returns the number of the present day in UTC. */
int64_t roster_today(void);
/* Writes a day as YYYY-MM-DD; "" for 0, never. */
void roster_write_day(int64_t day, char text[DATE_BYTES]);
/* roster_count() gives how often `who` did this on a day; roster_add_count()
 * adds `more`, which may be negative, but leaves no count below 0, and forgets all
 * days but this one and the one before.  A day is a number that grows. */
int roster_count(struct roster *roster, enum roster_kind kind, const char *who,
		 int64_t day, int64_t *count, struct error *why) MUST_CHECK;
int roster_add_count(struct roster *roster, enum roster_kind kind,
		     const char *who, int64_t day, int64_t more,
		     struct error *why) MUST_CHECK;

/* ---- who did what ----------------------------------------------------- */

/* Each change of the roster writes a deed in the same transaction: add, token,
 * revoke, enable, disable, withdraw, rename, remove, owner, enter, back, sign-up,
 * owner-token, code, code-off, ban, unban. */
struct roster_deed {
	int64_t number; /* from 1 */
	int64_t at;
	char who[ROSTER_BY_BYTES + 1]; /* organiser, owner NAME or bot NAME */
	char what[ROSTER_WHAT_BYTES + 1];
	char name[NAME_BYTES + 1]; /* of a bot, owner or ladder, or "" */
	char note[ROSTER_REASON_BYTES + 1];
};

/* Writes a deed that changes nothing else in the roster. */
int roster_write_deed(struct roster *roster, const char *what, const char *name,
		      const char *note, struct error *why) MUST_CHECK;
/* Calls `each` for the last `most` deeds, the last one first.  `each` must not
 * list deeds. */
int roster_deeds(struct roster *roster, int64_t most,
		 void (*each)(void *arg, const struct roster_deed *deed),
		 void *arg, struct error *why) MUST_CHECK;

#endif
