/* protocol/file.h - whole files, read and written. */
#ifndef PROTOCOL_FILE_H
#define PROTOCOL_FILE_H

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <sys/types.h>

#include "protocol/text.h"
#include "protocol/util.h"

/* Writes all of it: 0, or -1 and errno, which is never 0 then.  A disk that
 * takes but a part is ENOSPC. */
int file_write(int fd, const void *bytes, size_t n) MUST_CHECK;

/* Closes a descriptor, and keeps errno.  A negative one stands for none. */
void close_quietly(int fd);

/* Adds what is left of a file to `text`: 0, or -1 and errno.  A file that is
 * longer than text->max sets text->full. */
int file_read(int fd, struct text *text) MUST_CHECK;
/* Opens a file whose name comes from a user or a folder, to read it: a descriptor, or
 * -1 and errno.  A folder is EISDIR, a pipe or a device is FILE_IS_NONE, and none is
 * waited for; but /dev/stdin, /dev/fd/N and /proc/self/fd/N are taken as they are. */
int file_open(const char *path) MUST_CHECK;
#define FILE_IS_NONE EINVAL
/* Says what errno means, also if that is FILE_IS_NONE; the string is the C library's
 * or constant. */
const char *file_trouble(void) MUST_CHECK;
/* Adds all of the file_open() of a path. */
int file_load(const char *path, struct text *text) MUST_CHECK;
/* Adds all of a file that lies in a folder: a link is ELOOP, and /dev/stdin and the
 * like have no meaning of their own. */
int file_load_regular(const char *path, struct text *text) MUST_CHECK;

/* Returns true if `path` is `folder` or lies below it.  Compares the words alone and
 * looks at no disk. */
bool path_is_below(const char *path, const char *folder) MUST_CHECK;

/* The first `size` - 1 bytes of the file whose path the other arguments make, as
 * one read(2) gives them, and a NUL: how many, or -1 and errno; `to` is empty
 * then. */
ssize_t file_peek(char *to, size_t size, const char *fmt, ...)
	PRINTF_LIKE(3, 4);

/* Writes the path of another program of ours to `path` and returns it: beside this one,
 * else in `folder` of a build tree that we are a part of, else where it is installed.
 * Returns NULL if it is not there. */
#define FILE_PROGRAM_BYTES (PATH_MAX + 64)
const char *file_program(const char *name, const char *folder,
			 const char *installed,
			 char path[FILE_PROGRAM_BYTES]) MUST_CHECK;

#endif
