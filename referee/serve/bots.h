/* referee/serve/bots.h - the requests about the bots of a data folder.
 *
 * One function for both ways: `referee bots …` on the files where no daemon
 * runs, and the daemon's control socket where one does. */
#ifndef REFEREE_BOTS_H
#define REFEREE_BOTS_H

#include "ladder/roster.h"
#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"

#define BOTS_WORDS 4 /* of one request at most */

/* `word[0]`: list (a second word: as JSON), token, replace (another token for a bot
 * that is there), owner, revoke, enable, disable,
 * rename, remove, pardon; then its arguments.  Appends the answer to `out`: 0,
 * or -1 and an error. */
int bots_do(struct roster *roster, unsigned words, char *const word[],
	    struct text *out, struct error *why) MUST_CHECK;

/* Whether there is such a request with so many words. */
bool bots_is(unsigned words, char *const word[]);

#endif
