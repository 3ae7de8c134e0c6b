/* protocol/file.c - see file.h. */
#include "protocol/file.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int
file_write(int fd, const void *bytes, size_t n)
{
	const char *rest = bytes;
	ssize_t done;

	while (n > 0) {
		done = RETRIED(write(fd, rest, n));
		if (done == 0)
			errno = ENOSPC;
		if (done <= 0)
			return -1;
		rest += done;
		n -= (size_t)done;
	}
	return 0;
}

int
file_read(int fd, struct text *text)
{
	char part[65536];
	ssize_t n;

	while (!text->full) {
		n = RETRIED(read(fd, part, sizeof(part)));
		if (n <= 0)
			return n < 0 ? -1 : 0;
		text_add(text, part, (size_t)n);
	}
	return 0;
}

void
close_quietly(int fd)
{
	int error = errno;

	if (fd >= 0)
		close(fd);
	errno = error;
}

/* Opens a file without waiting: a pipe without a writer, and a terminal, would be
 * waited for. */
static int
open_regular(const char *path, int flags)
{
	int fd = open(path,
		      O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || S_ISREG(st.st_mode))
		return fd;
	close(fd);
	errno = S_ISDIR(st.st_mode) ? EISDIR : FILE_IS_NONE;
	return -1;
}

/* Returns true for the names of descriptors.  Shells give the ends of their pipes such
 * names, zsh the last one. */
static bool
is_descriptor(const char *path)
{
	static const char fds[] = "/dev/fd/", same[] = "/proc/self/fd/";

	return strcmp(path, "/dev/stdin") == 0 ||
	       strncmp(path, fds, strlen(fds)) == 0 ||
	       strncmp(path, same, strlen(same)) == 0;
}

int
file_open(const char *path)
{
	return is_descriptor(path) ? open(path, O_RDONLY | O_CLOEXEC)
				   : open_regular(path, 0);
}

const char *
file_trouble(void)
{
	return errno == FILE_IS_NONE ? "not a file" : strerror(errno);
}

static int
load(int fd, struct text *text)
{
	int result;

	if (fd < 0)
		return -1;
	result = file_read(fd, text);
	close_quietly(fd);
	return result;
}

int
file_load(const char *path, struct text *text)
{
	return load(file_open(path), text);
}

int
file_load_regular(const char *path, struct text *text)
{
	return load(open_regular(path, O_NOFOLLOW), text);
}

ssize_t
file_peek(char *to, size_t size, const char *fmt, ...)
{
	char path[PATH_MAX + 1]; /* the longest is one too long */
	ssize_t n;
	va_list ap;
	int fd;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	n = fd < 0 ? -1 : read(fd, to, size - 1);
	to[n < 0 ? 0 : n] = '\0';
	if (fd >= 0)
		close_quietly(fd);
	return n;
}

bool
path_is_below(const char *path, const char *folder)
{
	const size_t n = strlen(folder);

	return strncmp(path, folder, n) == 0 &&
	       (path[n] == '/' || path[n] == '\0');
}

const char *
file_program(const char *name, const char *folder, const char *installed,
	     char path[FILE_PROGRAM_BYTES])
{
	static const char *const up[] = { "", "/../", "/../../" };
	char here[PATH_MAX], *slash;
	ssize_t n = readlink("/proc/self/exe", here, sizeof(here) - 1);

	here[n < 0 ? 0 : n] = '\0';
	slash = strrchr(here, '/');
	for (size_t i = 0; slash != NULL && i < NELEM(up); i++) {
		*slash = '\0';
		snprintf(path, FILE_PROGRAM_BYTES, "%s%s%s/%s", here, up[i],
			 i == 0 ? "" : folder, name);
		if (access(path, X_OK) == 0)
			return path;
	}
	snprintf(path, FILE_PROGRAM_BYTES, "%s/%s", installed, name);
	return access(path, X_OK) == 0 ? path : NULL;
}
