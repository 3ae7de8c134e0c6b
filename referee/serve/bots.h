/* referee/serve/bots.h - does the requests about the bots of a data folder, and
 * about their owners.
 *
 * The same function serves `referee bots …` and `referee owners …`, which work on
 * the files if no daemon runs, the daemon's control socket, and its pages. */
#ifndef REFEREE_BOTS_H
#define REFEREE_BOTS_H

#include "ladder/roster.h"
#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"

#define BOTS_WORDS 4	   /* the most words of a request */
#define BOTS_CODE_DAYS 366 /* the most days for which a code is valid */

/* Does a request.  `word[0]` is list (with a second word: as JSON), token,
 * replace (another token for a bot that exists), owner, revoke, enable,
 * disable, rename, remove, pardon, back NAME NUMBER or admit NAME HASH (the
 * version of a trial); or of owners: owners (with a second word: as JSON),
 * owner-token, ban, unban, sign-up NAME CODE, code ACCOUNTS DAYS, code-off, or
 * deeds COUNT (with a third word: as JSON).  Arguments follow.  Appends the
 * answer to `out`.  Returns 0, or -1 and an error. */
int bots_do(struct roster *roster, unsigned words, char *const word[],
	    struct text *out, struct error *why) MUST_CHECK;

/* Returns true for a request that changes nothing. */
bool bots_is_reading(const char *what);
/* Returns true for a request whose first argument, if it has one, is no bot. */
bool bots_is_of_owner(const char *what);
/* Returns true if there is such a request with this number of words. */
bool bots_is(unsigned words, char *const word[]);

#endif
