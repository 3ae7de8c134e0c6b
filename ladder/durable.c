/* ladder/durable.c - see durable.h. */
#include "ladder/durable.h"
#include "protocol/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum error_kind
path_kind(int error)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
	case EISDIR:
	case EEXIST:
	case ELOOP:
	case ENAMETOOLONG:
	case FILE_IS_NONE:
		return ERROR_INPUT;
	default:
		return ERROR_MACHINE;
	}
}

int
path_error(struct error *why, enum error_kind kind, const char *what,
	   const char *path)
{
	return error_set(why, kind, "cannot %s %.4000s: %m", what, path);
}

/* Closes the file and keeps errno; returns -1. */
static int
give_up(int fd)
{
	close_quietly(fd);
	return -1;
}

int
folder_sync(int fd)
{
	/* Some file systems cannot sync a folder, and need not. */
	return fsync(fd) == 0 || errno == EINVAL ? 0 : -1;
}

int
folder_sync_above(const char *path)
{
	char *copy = copied(path);
	int fd;

	fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(copy);
	if (fd < 0)
		return errno == EACCES ? 0 : -1;
	if (folder_sync(fd) < 0)
		return give_up(fd);
	close(fd);
	return 0;
}

int
rename_durably(const char *from, const char *to)
{
	return rename(from, to) < 0 ? -1 : folder_sync_above(to);
}

int
folder_make(const char *path, mode_t mode)
{
	if (mkdir(path, mode) < 0 && errno != EEXIST)
		return -1;
	/* A process that made the folder may have been cut off just then. */
	return folder_sync_above(path);
}

int
folder_need(const char *path, struct error *why)
{
	return folder_make(path, 0700) == 0
		       ? 0
		       : path_error(why, ERROR_MACHINE, "make the folder",
				    path);
}

/* Writes and closes an open file. */
static int
fill(int fd, mode_t mode, const void *bytes, size_t n)
{
	if ((mode != 0 && fchmod(fd, mode) < 0) ||
	    file_write(fd, bytes, n) < 0 || fsync(fd) < 0)
		return give_up(fd);
	return close(fd);
}

int
rename_new(int dir, const char *from, const char *to)
{
	struct stat st;

	if (renameat2(dir, from, dir, to, RENAME_NOREPLACE) == 0)
		return 0;
	/* Some file systems cannot look and rename in one step. */
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	if (fstatat(dir, to, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		errno = EEXIST;
		return -1;
	}
	return renameat(dir, from, dir, to);
}

static int
rename_as_new(const char *from, const char *to)
{
	return rename_new(AT_FDCWD, from, to);
}

/* Writes a file named `temporary`, opened with the flags `how`; then `name`
 * renames it.  Frees `temporary`. */
static int
put(char *temporary, const char *path, int how, mode_t mode, const void *bytes,
    size_t n, int (*name)(const char *from, const char *to))
{
	int fd = open(temporary, O_WRONLY | O_CREAT | O_CLOEXEC | how,
		      mode != 0 ? mode : 0666);
	int result = -1, error;

	if (fd >= 0) {
		result = fill(fd, mode, bytes, n);
		if (result == 0)
			result = name(temporary, path);
		error = errno;
		if (result < 0)
			unlink(temporary);
		errno = error;
	}
	free(temporary);
	return result;
}

/* Returns a name in the folder of `path` that no other process draws. */
static char *
drawn_name(const char *path)
{
	char *copy = copied(path), *name;

	name = formatted("%s/.%08" PRIx32 "%08" PRIx32 ".tmp", dirname(copy),
			 randombytes_random(), randombytes_random());
	free(copy);
	return name;
}

int
file_make(const char *path, mode_t mode, const void *bytes, size_t n)
{
	int error;

	if (put(drawn_name(path), path, O_EXCL, mode, bytes, n, rename_as_new) <
	    0)
		return -1;
	if (folder_sync_above(path) == 0)
		return 0;
	error = errno;
	unlink(path);
	errno = error;
	return -1;
}

int
file_replace(const char *path, const char *end, mode_t mode, const void *bytes,
	     size_t n)
{
	/* A pipe that lies there must not hold us up. */
	return put(formatted("%s%s", path, end), path,
		   O_TRUNC | O_NOFOLLOW | O_NONBLOCK, mode, bytes, n,
		   rename) < 0
		       ? -1
		       : folder_sync_above(path);
}
