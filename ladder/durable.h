/* ladder/durable.h - writes bytes and folders that survive a power cut.
 *
 * Functions that return an int return 0, or -1 and errno, which is then never 0;
 * folder_need() gives an error instead of errno. */
#ifndef LADDER_DURABLE_H
#define LADDER_DURABLE_H

#include <stddef.h>
#include <sys/types.h>

#include "protocol/error.h"
#include "protocol/util.h"

/* The kind of errno after a system call with a path that the user gave:
 * ERROR_INPUT if the path is to blame, else ERROR_MACHINE. */
enum error_kind path_kind(int error);
/* Sets an error of this kind: "cannot WHAT PATH: " and what errno says; returns -1. */
int path_error(struct error *why, enum error_kind kind, const char *what,
	       const char *path) COLD;

/* Makes a folder of this mode, less the umask, or takes the one that is there.
 * Then syncs the folder above, so that what is synced in the folder survives a
 * power cut.  If the folder above may not be read, it is not synced. */
int folder_make(const char *path, mode_t mode) MUST_CHECK;

/* The same with mode 0700: returns 0, or -1 and an error. */
int folder_need(const char *path, struct error *why) MUST_CHECK;

/* fsync(2) of an open folder; 0 also where the file system has no such thing. */
int folder_sync(int fd) MUST_CHECK;

/* fsync(2) of the folder that contains `path`, unless it may not be read. */
int folder_sync_above(const char *path) MUST_CHECK;

/* rename(2), and the folder that contains `to` is synced: of what fails
 * afterwards -1 comes, too, but the name has changed. */
int rename_durably(const char *from, const char *to) MUST_CHECK;

/* rename(2) in an open folder, or AT_FDCWD, to a name that must not be there (EEXIST);
 * the name is not synced. */
int rename_new(int dir, const char *from, const char *to) MUST_CHECK;

/* Makes a whole file at `path`, which must not be there (EEXIST), synced with its
 * name.  Its mode is `mode`, whatever the umask is; 0: 0666 less the umask.  It is
 * never there in part; a cut may leave a file of a name that is drawn,
 * .HEX.tmp, in the same folder. */
int file_make(const char *path, mode_t mode, const void *bytes,
	      size_t n) MUST_CHECK;
/* Does the same in place of what is there, through `path` + `end`. */
int file_replace(const char *path, const char *end, mode_t mode,
		 const void *bytes, size_t n) MUST_CHECK;

#endif
