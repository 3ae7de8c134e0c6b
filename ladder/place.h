/* ladder/place.h - where a ladder's file is, the lock beside it that its one writer
 * has, and how its folders are written down.
 *
 * Functions that return an int return 0, or -1 and an error. */
#ifndef LADDER_PLACE_H
#define LADDER_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/error.h"
#include "protocol/util.h"

/* Written by the functions below alone. */
struct place {
	char *path;	  /* as given, for sentences; owned */
	char *file;	  /* the same from the root on; owned */
	size_t dir_bytes; /* of `file`, before its last slash */
	bool made;	  /* it was not there when it was opened */
	int lock;	  /* a descriptor; -1: the lock is not ours */
	char *lock_file;  /* owned */
	bool lock_made;	  /* it was not there either */
};

/* Returns the path from the root on of a file that need not be there: then `*made`.
 * NULL and errno.  free() is due. */
char *place_real(const char *path, bool *made) MUST_CHECK;
/* Locks an open file for this process, whose number is written into it: 0; or -1 and
 * errno, EWOULDBLOCK: process `*holder` has it, 0: it does not say which. */
int lock_take(int fd, long *holder) MUST_CHECK;

/* Finds the place of the ladder that the user calls `path`. */
int place_find(struct place *place, const char *path,
	       struct error *why) MUST_CHECK;
/* Takes the lock. */
int place_lock(struct place *place, struct error *why) MUST_CHECK;
/* Returns true if a process has the lock.  Takes nothing, so a writer that starts just
 * then is not refused. */
bool place_is_locked(const struct place *place);
/* Gives the lock back and frees what is owned.  `remove`: files that are there
 * since place_find() and place_lock() are gone again. */
void place_release(struct place *place, bool remove);

/* How the table folder has it: `path`, which begins at the root, or if it lies
 * below the folder of the ladder's file, what follows that.  A part of `path`,
 * or ".". */
const char *place_short(const struct place *place, const char *path);
/* And back, into `size` bytes. */
void place_long(const struct place *place, const char *stored, char *path,
		size_t size);

#endif
