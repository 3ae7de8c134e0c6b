/* referee/import/import.h - imports a bot from a folder or an archive into
 * DATA/bots/HASH, and enters it in the roster.
 *
 * The importing process does all that takes time, in a folder of its own
 * (referee/import/incoming.h).  Then the holder of the data folder's lock, the
 * daemon or that process, takes the folder over with one rename, and enters the
 * bot. */
#ifndef REFEREE_IMPORT_H
#define REFEREE_IMPORT_H

#include "ladder/roster.h"
#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/config/bot-folder.h"
#include "referee/import/incoming.h"

/* Where is told what became of the last upload for the bot of this number. */
void import_upload_path(const char *data, int64_t bot,
			char path[IMPORT_PATH_BYTES]);

/* ---- for the holder of the data folder's lock ------------------------- */

/* Words of a request to enter a bot, before the ladders. */
#define IMPORT_ENTER_WORDS 5

/* `enter INCOMING HASH NAME add|upload LADDER...`: takes over what lies ready as
 * INCOMING, and enters it.  No bot of another name than NAME is entered: that is
 * what its manifest said before its build, and what a token was shown for.  The
 * sender of an `upload` has only a token: the bot must exist, be enabled and have a
 * token at this moment.  A bot may ask for so many MiB of memory at most.  Returns 0,
 * and the answer is appended to `out`; or -1 and an error. */
int import_enter(const char *data, struct roster *roster, uint64_t memory_mib,
		 unsigned words, char *const word[], struct text *out,
		 struct error *why) MUST_CHECK;
/* The number of the bot that is called `name`, a space, the hash of its last
 * entry, a space, what that plays as, and a line's end; the last two are empty if
 * it has none.  0, or -1 and an error. */
int import_tell_hash(struct roster *roster, const char *name, struct text *out,
		     struct error *why) MUST_CHECK;
/* Hashes of bots, zeroed at first; the caller frees `hash`. */
struct import_hashes {
	char (*hash)[ROSTER_CONTENT_BYTES + 1];
	size_t count;
};
/* Adds those of all entries that are not deleted.  -1 and a sentence. */
int import_hashes(struct roster *roster, struct import_hashes *to,
		  struct error *why) MUST_CHECK;
/* Moves the folders of bots that are no entry's any more to incoming, from
 * where incoming_sweep() removes them; but not one that a bot of an older
 * version still plays in, which `used` tells by its hash. */
void import_discard(const char *data, struct roster *roster,
		    bool (*used)(const void *arg, const char *hash),
		    const void *arg);

#endif
