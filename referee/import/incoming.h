/* referee/import/incoming.h - folders of bots that are imported into
 * DATA/bots/HASH, and the folders of the processes that do so.
 *
 * The importing process does all that takes time, in a folder of its own below
 * DATA/incoming: it copies the files (files.h), and has them built (make.h).
 * Then that folder is renamed.  A folder in incoming is locked as long as its
 * process lives; unlocked ones are removed.
 *
 *	DATA/bots/HASH/bot/	what was imported, and what its build has made
 *	DATA/bots/HASH/source.tar.gz
 *				of what has a build: what was imported (pack.h)
 *	DATA/bots/HASH/built	of what has a build: the hash of bot/ (files.h)
 *	DATA/bots/HASH/build	the output of its build, and what was left out
 *	DATA/bots/HASH/check	the report of `referee check`
 *
 * HASH is the hash of what was imported, before the build (files.h). */
#ifndef REFEREE_IMPORT_INCOMING_H
#define REFEREE_IMPORT_INCOMING_H

#include <stdbool.h>

#include "ladder/roster.h"
#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"

#define IMPORT_NAME_BYTES ID_BYTES /* of a folder in incoming, hex digits */
#define IMPORT_PATH_BYTES 4352

/* In incoming, with what waits for its removal.  Each holds at most what is sent
 * in and what its build makes of it (files.h), so all of it is bounded,
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
/* All that as an archive of ours (pack.h): each file has its heads beside it. */
#define BOT_PACK_BYTES (BOT_BYTES + BOT_FILES * 2560 + 65536)
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
	char bot[IMPORT_PATH_BYTES + 8]; /* PATH/bot */
	int fd;				 /* of the folder; locked */
};

/* Makes DATA/incoming, if need be, and one in it with an empty `bot`.  -1 and a
 * sentence: there are INCOMING_FOLDERS already, for one. */
int incoming_open(const char *data, struct incoming *incoming,
		  struct error *why) MUST_CHECK;
/* Removes what is left of it. */
void incoming_close(struct incoming *incoming);
/* Makes a file in it, which is not there, for our eyes alone.  -1 and a sentence. */
int incoming_write(const struct incoming *incoming, const char *name,
		   const struct text *text, struct error *why) MUST_CHECK;
/* Removes all in incoming that no process works in: what a process has left that
 * was killed, and bots that have gone. */
void incoming_sweep(const char *data);

/* Where the bot of this hash is; a name below it, or "". */
void import_path(const char *data, const char *hash, const char *below,
		 char path[IMPORT_PATH_BYTES]);
/* Keeps import_discard() from removing DATA/bots/HASH until this process ends: 0, or
 * -1 and an error. */
int import_hold(const char *data, const char *hash,
		struct error *why) MUST_CHECK;
bool import_is_held(const char *data, const char *hash) MUST_CHECK;
/* Moves a folder of DATA/bots to incoming, from where incoming_sweep() removes
 * it. */
void import_drop(const char *data, const char *hash);

#endif
