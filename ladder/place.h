/* ladder/place.h - finds a ladder's file, takes the lock beside it for its one
 * writer, and shortens the paths of its folders.
 *
 * Functions that return an int return 0, or -1 and an error. */
#ifndef LADDER_PLACE_H
#define LADDER_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/error.h"
#include "protocol/util.h"

/* Only the functions below write to it. */
struct place {
	char *path;	  /* as given, for sentences; owned */
	char *file;	  /* the path from the root on; owned */
	size_t dir_bytes; /* bytes of `file` before its last slash */
	bool made;	  /* the file was not there when it was opened */
	int lock;	  /* a descriptor; -1: the lock is not ours */
	char *lock_file;  /* owned */
	bool lock_made;	  /* the lock's file was not there either */
};

/* Returns the path of a file from the root on, which the caller frees; or NULL
 * and errno.  The file need not be there; `*made` is set to true if it is not. */
char *place_real(const char *path, bool *made) MUST_CHECK;
#define LOCK_HOLDER_BYTES 40
/* Locks an open file for this process, and writes the process's number into it.
 * Returns 0, or -1 and errno.  On EWOULDBLOCK `holder` gets " (process N)" for a
 * sentence about the lock, or "" if the file does not say who has it. */
int lock_take(int fd, char holder[LOCK_HOLDER_BYTES]) MUST_CHECK;

/* Finds the place of the ladder that the user calls `path`. */
int place_find(struct place *place, const char *path,
	       struct error *why) MUST_CHECK;
/* Takes the lock. */
int place_lock(struct place *place, struct error *why) MUST_CHECK;
/* Returns true if a process has the lock.  It takes no lock itself, so a writer
 * that starts just then is not refused. */
bool place_is_locked(const struct place *place);
/* Gives the lock back and frees what is owned.  With `remove`, removes the
 * files that were made since place_find() and place_lock(). */
void place_release(struct place *place, bool remove);

/* Returns the form of `path` for the table `folder`.  `path` begins at the
 * root.  If it lies below the folder of the ladder's file, the form is what
 * follows that folder, else it is `path`.  The result is a part of `path`, or
 * ".". */
const char *place_short(const struct place *place, const char *path);
/* Turns that form back into a path from the root on, of `size` bytes at most. */
void place_long(const struct place *place, const char *stored, char *path,
		size_t size);

#endif
