/* referee/data/data-folder.h - the data folder of a daemon, which only one
 * process owns at a time.
 *
 * The owner locks DIR/lock: a daemon as long as it runs, or a command that
 * changes something while no daemon runs.  The kernel releases the lock when
 * its holder dies.
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
	DATA_FOLDER_TROUBLE = -1, /* `why` is a sentence, as by error_set() */
	DATA_FOLDER_IN_USE = -2,  /* another process has the folder; `why` is a
				   * sentence */
};

/* Checks that no other user can write to the folder and what lies in it (and
 * the ladder `name`, unless it is NULL).  Returns 0, also if there is no folder
 * yet; or DATA_FOLDER_TROUBLE and a sentence with the cure. */
int data_folder_check(const char *dir, const char *name,
		      struct error *why) MUST_CHECK;
/* Finds out, without making anything, what would keep a daemon from taking or
 * making the folder.  Returns 0, or -1 and a sentence.  Also returns 0 if this
 * user cannot look into the folder, or may not write where it would be. */
int data_folder_rehearse(const char *dir, const char *name,
			 struct error *why) MUST_CHECK;
/* Returns 0 if the folder exists, or -1 and an error.  For commands that only
 * read and must not make a folder. */
int data_folder_find(const char *dir, struct error *why) MUST_CHECK;
/* Returns true if users other than its owner and group may read the folder. */
bool data_folder_is_read(const char *dir);

/* A file that marks the folder as a copy of a queue's database. */
#define DATA_FOLDER_COPY "house"
/* Returns true if the mark is there. */
bool data_folder_is_copy(const char *dir) MUST_CHECK;

/* The time that a starting daemon or a command waits for the lock, and the time
 * between two tries. */
#define DATA_FOLDER_WAIT_MS 5000
#define DATA_FOLDER_TRY_MS 100

/* Checks the folder, makes it and DIR/ladders if need be, and takes the lock.
 * Returns a descriptor, which the caller closes at the end, or one of the
 * errors above. */
int data_folder_take(const char *dir, struct error *why) MUST_CHECK;

#endif
