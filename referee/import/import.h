/* referee/import/import.h - imports a bot from a folder or an archive into
 * DATA/bots/HASH, and enters it in the roster.
 *
 * The importing process does all that takes time, in a folder of its own
 * (referee/import/incoming.h).  Then the holder of the data folder's lock, the
 * daemon or that process, takes over the folder with one rename and enters the
 * bot. */
#ifndef REFEREE_IMPORT_H
#define REFEREE_IMPORT_H

#include "ladder/roster.h"
#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/config/bot-folder.h"
#include "referee/import/incoming.h"

/* Writes the path of the file with the outcome of the last upload for the bot
 * of this number. */
void import_upload_path(const char *data, int64_t bot,
			char path[IMPORT_PATH_BYTES]);

/* Moves the folder `from` of incoming to DATA/bots/HASH, unless the same bot is
 * there; sets `*moved` to true if it did.  Replaces a folder that has changed
 * since its import.  Returns 0, or -1 and an error. */
int import_keep(const char *data, const char *from, const char *hash,
		bool *moved, struct error *why) MUST_CHECK;

/* ---- for the holder of the data folder's lock ------------------------- */

/* The number of words of a request to enter a bot, before the ladders. */
#define IMPORT_ENTER_WORDS 5

/* Runs `enter INCOMING HASH NAME add|upload LADDER...`: takes over the ready
 * folder INCOMING and enters its bot.  The bot must be called NAME, which its
 * manifest said before its build, and for which a token was shown.  The sender
 * of an `upload` has only a token: the bot must exist, be enabled and have a
 * token at this moment.  A bot may ask for at most `memory_mib`.  Returns 0 and
 * appends the answer to `out`; or -1 and an error. */
int import_enter(const char *data, struct roster *roster, uint64_t memory_mib,
		 unsigned words, char *const word[], struct text *out,
		 struct error *why) MUST_CHECK;
/* Do the same in three parts, of which the second waits for the disk and may run in
 * a thread; `*moved` goes from it to the third.  Between them the folder lies in
 * DATA/bots without an entry.  The third checks again, because the roster may have
 * changed; `by` says who has sent an upload (NULL: the bot). */
int import_enter_check(const char *data, struct roster *roster,
		       uint64_t memory_mib, unsigned words, char *const word[],
		       struct error *why) MUST_CHECK;
int import_enter_keep(const char *data, char *const word[], bool *moved,
		      struct error *why) MUST_CHECK;
int import_enter_kept(const char *data, struct roster *roster,
		      uint64_t memory_mib, unsigned words, char *const word[],
		      const char *by, bool moved, struct text *out,
		      struct error *why) MUST_CHECK;
/* Runs `limits`: appends the memory that a bot may ask for, in MiB, a space, the
 * processes that one has, and a line feed. */
void import_tell_limits(uint64_t memory_mib, uint64_t processes,
			struct text *out);
/* Appends the number of the bot `name`, a space, the hash of its last entry, a
 * space, the name that the entry plays as, and a line feed.  Without an entry
 * the last two are empty.  Returns 0, or -1 and an error. */
int import_tell_hash(struct roster *roster, const char *name, struct text *out,
		     struct error *why) MUST_CHECK;
/* Takes the place of the third part for the request `enter INCOMING HASH NAME
 * trial`: checks the folder that is kept now, and enters nothing. */
int import_trial_kept(const char *data, struct roster *roster,
		      uint64_t memory_mib, unsigned words, char *const word[],
		      bool moved, struct error *why) MUST_CHECK;
/* Enters the version in DATA/bots/HASH, which was a trial of the bot. */
int import_enter_trial(struct roster *roster, const char *name,
		       const char *hash, struct text *out,
		       struct error *why) MUST_CHECK;
/* Lets an earlier version of the bot play again, if its program is still there.
 * Returns 0 and appends the answer to `out`; or -1 and an error. */
int import_go_back(struct roster *roster, const char *name, int64_t number,
		   struct text *out, struct error *why) MUST_CHECK;
/* Hashes of bots.  Begins as zeros; the caller frees `hash`. */
struct import_hashes {
	char (*hash)[ROSTER_CONTENT_BYTES + 1];
	size_t count;
};
/* Adds the hashes of all entries that are not deleted.  Returns 0, or -1 and a
 * sentence. */
int import_hashes(struct roster *roster, struct import_hashes *to,
		  struct error *why) MUST_CHECK;
/* Moves folders of bots to incoming, where incoming_sweep() removes them.  Keeps
 * those of the last SERVE_VERSIONS_KEPT entries of each bot, or of the last one
 * if the disk is short (import_has_much_room()); and a folder in which an older
 * version still plays: `used` returns true for its hash. */
void import_discard(const char *data, struct roster *roster,
		    bool (*used)(const void *arg, const char *hash),
		    const void *arg);

#endif
