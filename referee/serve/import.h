/* referee/serve/import.h - imports a bot from a folder or an archive into
 * DATA/bots/HASH.
 *
 * The importing process does all that takes time, in a folder of its own below
 * DATA/incoming: it copies the files (import-files.h), and has them built and
 * checked.  Then the holder of the data folder's lock, the daemon or that
 * process, takes the folder over with one rename, and enters the bot in the
 * roster.  A folder in incoming is locked as long as its process lives;
 * unlocked ones are removed.
 *
 *	DATA/bots/HASH/bot/	what was imported, and what its build has made
 *	DATA/bots/HASH/build	the output of its build, and what was left out
 *	DATA/bots/HASH/check	the report of `referee check`
 *
 * HASH is the hash of what was imported, before the build (import-files.h). */
#ifndef REFEREE_IMPORT_H
#define REFEREE_IMPORT_H

#include "ladder/roster.h"
#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/config/bot-folder.h"

#define IMPORT_NAME_BYTES 32 /* of a folder in incoming, hex digits */
#define IMPORT_PATH_BYTES 4352

/* In incoming, with what waits for its removal.  Each holds at most what is sent
 * in and what its build makes of it (import-files.h), so all of it is bounded,
 * too. */
#define INCOMING_FOLDERS 4

/* What is sent in. */
#define BOT_ARCHIVE_BYTES 16777216 /* of an archive, as it is sent */
#define BOT_FILES 2000		   /* files and folders */
#define BOT_FILE_BYTES 33554432	   /* of one file */
#define BOT_BYTES 67108864	   /* of all files together */
#define BOT_PATH_BYTES 240	   /* of a path in it */
#define BOT_PART_BYTES 100	   /* of a file's or folder's own name */
#define BOT_DEPTH 8		   /* parts of a path */
/* What a build may make of it, likewise; links count as files. */
#define BUILT_FILES 20000
#define BUILT_FILE_BYTES 268435456
#define BUILT_BYTES 536870912
#define BUILT_PATH_BYTES 1000
#define BUILT_PART_BYTES 255 /* no file system has more */
#define BUILT_DEPTH 32

/* A folder in incoming that is ours. */
struct incoming {
	char name[IMPORT_NAME_BYTES + 1];
	char path[IMPORT_PATH_BYTES];
	int fd; /* of the folder; locked */
};

/* Makes DATA/incoming, if need be, and one in it.  -1 and a sentence: there are
 * INCOMING_FOLDERS already, for one. */
int incoming_open(const char *data, struct incoming *incoming,
		  struct error *why) MUST_CHECK;
/* Removes what is left of it. */
void incoming_close(struct incoming *incoming);
/* Removes all in incoming that no process works in: what a process has left that
 * was killed, and bots that have gone. */
void incoming_sweep(const char *data);

/* Where the bot of this hash is; a name below it, or "". */
void import_path(const char *data, const char *hash, const char *below,
		 char path[IMPORT_PATH_BYTES]);

/* Where is told what became of the last upload for the bot of this number. */
void import_upload_path(const char *data, int64_t bot,
			char path[IMPORT_PATH_BYTES]);

/* ---- for the holder of the data folder's lock ------------------------- */

struct import_request {
	const char *incoming, *hash; /* what lies ready, and its hash */
	/* The bot that was sent in: what its manifest said before its build,
	 * and what a token was shown for.  No other is entered. */
	const char *name;
	const char *ladders; /* as in struct roster_entry */
	/* Its sender has only a token: the bot must exist, be enabled and have
	 * a token at this moment. */
	bool upload;
	uint64_t memory_mib; /* the most that it may ask for */
};

#define IMPORT_ENTER_WORDS                                                     \
	5 /* of the request to the daemon, before ladders                      \
	   */

/* Takes over what lies ready, and enters it: 0, and the answer is appended to
 * `out`; or -1 and an error. */
int import_enter(const char *data, struct roster *roster,
		 const struct import_request *request, struct text *out,
		 struct error *why) MUST_CHECK;
/* The number of the bot that is called `name`, a space, the hash of its last
 * entry, and a line's end; no hash if it has none.  0, or -1 and an error. */
int import_tell_hash(struct roster *roster, const char *name, struct text *out,
		     struct error *why) MUST_CHECK;
/* Moves the folders of bots that are no entry's any more to incoming, from
 * where incoming_sweep() removes them; but not one that a bot of an older
 * version still plays in, which `used` tells by its hash. */
void import_discard(const char *data, struct roster *roster,
		    bool (*used)(const void *arg, const char *hash),
		    const void *arg);

#endif
