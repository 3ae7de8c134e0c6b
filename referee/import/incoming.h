/* referee/import/incoming.h - the folders of imported bots, DATA/bots/HASH, and
 * of the processes that import them.
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

#define IMPORT_NAME_BYTES                                                      \
	ID_BYTES /* hex digits of the name of a folder in
				    * incoming */
#define IMPORT_PATH_BYTES 4352

/* The most folders in incoming, with those that wait for their removal.  Each
 * holds at most what is sent in and what its build makes (files.h), so the
 * total is limited, too. */
#define INCOMING_FOLDERS 4

/* Limits of a bot that is sent in. */
#define BOT_ARCHIVE_BYTES 16777216 /* bytes of an archive as it is sent */
#define BOT_FILES 2000		   /* files and folders */
#define BOT_FILE_BYTES 33554432	   /* bytes of one file */
#define BOT_BYTES 67108864	   /* bytes of all files together */
#define BOT_PATH_BYTES 240	   /* bytes of a path */
#define BOT_PART_BYTES 100	   /* bytes of the name of a file or folder */
#define BOT_DEPTH 8		   /* parts of a path */
/* Bytes of such a bot as a pack (pack.h), with the headers of its files. */
#define BOT_PACK_BYTES (BOT_BYTES + BOT_FILES * 2560 + 65536)
/* Limits of what a build may make.  Links count as files. */
#define BUILT_FILES 20000
#define BUILT_FILE_BYTES 268435456
#define BUILT_BYTES 536870912
#define BUILT_PATH_BYTES 1000
#define BUILT_PART_BYTES 255 /* the most of any file system */
#define BUILT_DEPTH 32

/* A folder in incoming that is ours. */
struct incoming {
	char name[IMPORT_NAME_BYTES + 1];
	char path[IMPORT_PATH_BYTES];
	char bot[IMPORT_PATH_BYTES + 8]; /* PATH/bot */
	int fd;				 /* descriptor of the folder; locked */
};

/* Makes DATA/incoming if need be, and a folder in it with an empty `bot`.
 * Returns 0, or -1 and a sentence, for example if there are INCOMING_FOLDERS
 * already. */
int incoming_open(const char *data, struct incoming *incoming,
		  struct error *why) MUST_CHECK;
/* Removes what is left of the folder. */
void incoming_close(struct incoming *incoming);
/* Makes a new file in the folder that only we can read.  Returns 0, or -1 and a
 * sentence. */
int incoming_write(const struct incoming *incoming, const char *name,
		   const struct text *text, struct error *why) MUST_CHECK;
/* Removes the folders in incoming that no process works in: those of killed
 * processes, and of bots that have gone. */
void incoming_sweep(const char *data);

/* Writes the path of `below` ("": none) in the folder of the bot with this
 * hash. */
void import_path(const char *data, const char *hash, const char *below,
		 char path[IMPORT_PATH_BYTES]);
/* Keeps import_discard() from removing DATA/bots/HASH until this process ends.
 * Returns 0, or -1 and an error. */
int import_hold(const char *data, const char *hash,
		struct error *why) MUST_CHECK;
bool import_is_held(const char *data, const char *hash) MUST_CHECK;
/* Moves a folder of DATA/bots to incoming, where incoming_sweep() removes it. */
void import_drop(const char *data, const char *hash);

#endif
