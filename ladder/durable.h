/* ladder/durable.h - writes bytes and folders that survive a power cut.
 *
 * Functions that return an int return 0, or -1 and set errno, which is then
 * never 0; folder_need() sets an error instead of errno. */
#ifndef LADDER_DURABLE_H
#define LADDER_DURABLE_H

#include <stddef.h>
#include <sys/types.h>

#include "protocol/error.h"
#include "protocol/util.h"

/* Returns the kind of an errno after a system call with a path that the user
 * gave: ERROR_INPUT if the path is to blame, else ERROR_MACHINE. */
enum error_kind path_kind(int error);
/* Sets an error of this kind: "cannot WHAT PATH: " and what errno says; returns -1. */
int path_error(struct error *why, enum error_kind kind, const char *what,
	       const char *path) COLD;

/* Makes a folder of this mode, less the umask, or takes the one that is there.
 * Then syncs the folder above, so that what is synced in the folder survives a
 * power cut.  Does not sync the folder above if it may not be read. */
int folder_make(const char *path, mode_t mode) MUST_CHECK;

/* Does what folder_make() does, with mode 0700.  Returns 0, or -1 and an error. */
int folder_need(const char *path, struct error *why) MUST_CHECK;

/* Calls fsync(2) for an open folder.  Also returns 0 if the file system cannot
 * sync folders. */
int folder_sync(int fd) MUST_CHECK;

/* Calls fsync(2) for the folder that contains `path`, unless it may not be
 * read. */
int folder_sync_above(const char *path) MUST_CHECK;

/* Calls rename(2) and syncs the folder that contains `to`.  If only the sync
 * fails, it returns -1, too, but the name has changed. */
int rename_durably(const char *from, const char *to) MUST_CHECK;

/* Calls rename(2) in an open folder, or AT_FDCWD. The new name must not be
 * there (EEXIST).  Does not sync the folder. */
int rename_new(int dir, const char *from, const char *to) MUST_CHECK;

/* Makes a whole file at `path`, which must not be there (EEXIST), and syncs it
 * and its name.  Its mode is `mode`, whatever the umask is; 0 stands for 0666
 * less the umask.  Under its own name the file is never there in part.  A kill or a
 * power cut may leave a file with a random name, .HEX.tmp, in the same folder. */
int file_make(const char *path, mode_t mode, const void *bytes,
	      size_t n) MUST_CHECK;
/* Does what file_make() does, but replaces a file that is there.  Writes to
 * `path` + `end` first. */
int file_replace(const char *path, const char *end, mode_t mode,
		 const void *bytes, size_t n) MUST_CHECK;

#endif
