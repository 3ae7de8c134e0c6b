/* referee/serve/bots.h - does the requests about the bots of a data folder.
 *
 * The same function serves `referee bots …`, which works on the files if no
 * daemon runs, and the daemon's control socket. */
#ifndef REFEREE_BOTS_H
#define REFEREE_BOTS_H

#include "ladder/roster.h"
#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"

#define BOTS_WORDS 4 /* the most words of a request */

/* Does a request.  `word[0]` is list (with a second word: as JSON), token,
 * replace (another token for a bot that exists), owner, revoke, enable,
 * disable, rename, remove or pardon; its arguments follow.  Appends the answer
 * to `out`.  Returns 0, or -1 and an error. */
int bots_do(struct roster *roster, unsigned words, char *const word[],
	    struct text *out, struct error *why) MUST_CHECK;

/* Returns true if there is such a request with this number of words. */
bool bots_is(unsigned words, char *const word[]);

#endif
