/* referee/data/data-folder.h - the data folder of a daemon, which one process
 * owns at a time.
 *
 * A process that works on the folder locks DIR/lock: a daemon as long as it
 * runs, or a command that changes something while there is no daemon.  The
 * kernel gives the lock back when its holder dies.
 *
 * A user who may write in it can do all that its owner can: move a ladder away,
 * or put a link where a record will be written.  So the folder must belong to
 * us or to root, and neither its group nor others may write in it.  If others
 * may read it, the same holds for everything in it that they can reach. */
#ifndef REFEREE_DATA_FOLDER_H
#define REFEREE_DATA_FOLDER_H

#include <stdbool.h>

#include "protocol/error.h"
#include "protocol/util.h"

enum {
	DATA_FOLDER_TROUBLE = -1, /* as error_set(): `why` is a sentence */
	DATA_FOLDER_IN_USE = -2,  /* likewise; another process has it */
};

/* Whether the folder and what lies in it (all of it that is there, and the
 * ladder `name` if that is not NULL) can be written by no other user: 0, or
 * DATA_FOLDER_TROUBLE and a sentence with the cure.  0 if there is no folder
 * yet. */
int data_folder_check(const char *dir, const char *name,
		      struct error *why) MUST_CHECK;
/* Makes nothing, and says what would keep a daemon from taking the folder, or from
 * making it: 0, or -1 and a sentence.  0 if this user cannot look into the folder,
 * or may not write where it would be. */
int data_folder_rehearse(const char *dir, const char *name,
			 struct error *why) MUST_CHECK;
/* Whether it exists: 0, or -1 and an error.  For commands that only read,
 * and leave no folder behind where there was none. */
int data_folder_find(const char *dir, struct error *why) MUST_CHECK;
/* Whether others than its owner and group may read it. */
bool data_folder_is_read(const char *dir);

/* A file in it that says: this folder is a copy of a queue's database. */
#define DATA_FOLDER_COPY "house"
/* Returns true if it is there. */
bool data_folder_is_copy(const char *dir) MUST_CHECK;

/* How long a daemon that starts, or a command, waits for the lock; and between
 * two tries. */
#define DATA_FOLDER_WAIT_MS 5000
#define DATA_FOLDER_TRY_MS 100

/* Checks it; makes the folder, and DIR/ladders, if need be, and takes its lock:
 * a descriptor, which the caller closes in the end, or one of the above. */
int data_folder_take(const char *dir, struct error *why) MUST_CHECK;
/* Waits DATA_FOLDER_TRY_MS. */
void data_folder_pause(void);

#endif
