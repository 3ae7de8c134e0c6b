/* referee/serve/data-folder.h - the folder of a daemon, and that it has one
 * owner.
 *
 * DIR/lock is locked by whoever works on the folder: a daemon as long as it
 * runs, or a command that changes something while there is none.  The kernel
 * gives the lock back when its holder dies. */
#ifndef REFEREE_DATA_FOLDER_H
#define REFEREE_DATA_FOLDER_H

#include "protocol/util.h"

#define DATA_FOLDER_WHY_BYTES 5120 /* a sentence with a path in it */

enum {
	DATA_FOLDER_TROUBLE = -1, /* `why` is a sentence */
	DATA_FOLDER_IN_USE = -2,  /* likewise; somebody else has it */
};

/* Makes the folder, and DIR/ladders, if need be, and takes its lock: a
 * descriptor to be closed in the end, or one of the above. */
int data_folder_take(const char *dir,
		     char why[DATA_FOLDER_WHY_BYTES]) MUST_CHECK;

#endif
