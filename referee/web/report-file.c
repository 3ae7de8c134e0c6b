/* referee/web/report-file.c - see report-file.h. */
#include "referee/web/report-file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol/file.h"

#define DESCRIPTORS "/proc/self/fd"
#define PART_BYTES 262144 /* at a time, so that a slow disk can be left */

/* ---- signals ---------------------------------------------------------- */

static void
fill_set(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
}

int
report_hold_signals(void)
{
	sigset_t set;
	int fd;

	fill_set(&set);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_CLOEXEC);
	if (fd < 0)
		bug("cannot make a signalfd: %s", strerror(errno));
	return fd;
}

void
report_let_signals(void)
{
	sigset_t set;

	fill_set(&set);
	(void)sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int
report_go_on(int stop, struct error *why)
{
	struct pollfd ready = { .fd = stop, .events = POLLIN };

	if (poll(&ready, 1, 0) <= 0)
		return 0;
	return error_set(why, ERROR_MACHINE,
			 "the report was stopped by a signal");
}

/* ---- the file --------------------------------------------------------- */

int
report_file_check(const char *path, struct error *why)
{
	struct stat st;

	if (strcmp(path, REPORT_STDOUT) == 0 || lstat(path, &st) < 0)
		return 0;
	return error_set(why, ERROR_INPUT,
			 "%.4000s exists; remove it, or give another name",
			 path);
}

static int
cannot_make(const char *path, struct error *why)
{
	return error_set(why,
			 errno == EEXIST || errno == ENOENT || errno == ENOTDIR
				 ? ERROR_INPUT
				 : ERROR_MACHINE,
			 "cannot make %.4000s: %s", path, strerror(errno));
}

static int
write_parts(const char *path, int fd, const struct text *text, int stop,
	    struct error *why)
{
	size_t at = 0, n;

	for (; at < text->used; at += n) {
		n = text->used - at;
		if (n > PART_BYTES)
			n = PART_BYTES;
		if (report_go_on(stop, why) < 0)
			return -1;
		if (file_write(fd, text->bytes + at, n) < 0)
			return error_set(why, ERROR_MACHINE,
					 "cannot write %.4000s: %s", path,
					 strerror(errno));
	}
	return 0;
}

/* Of a file in the folder of `path` that has no name, and is gone if we are
 * killed; -1: that cannot be had there. */
static int
open_unnamed(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder;
	int fd;

	if (access(DESCRIPTORS, X_OK) < 0)
		return -1; /* it would never get one */
	folder = slash == NULL
			 ? copied(".")
			 : formatted("%.*s", (int)(slash - path) + 1, path);
	fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
	free(folder);
	return fd;
}

static int
name_file(const char *path, int fd, struct error *why)
{
	char self[sizeof(DESCRIPTORS) + 16];

	snprintf(self, sizeof(self), DESCRIPTORS "/%d", fd);
	if (linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0)
		return 0;
	return cannot_make(path, why);
}

static int
write_closed(const char *path, int fd, const struct text *text, int stop,
	     struct error *why)
{
	int result = write_parts(path, fd, text, stop, why);

	if (close(fd) < 0 && result == 0)
		result = error_set(why, ERROR_MACHINE,
				   "cannot write %.4000s: %s", path,
				   strerror(errno));
	return result == 0 ? report_go_on(stop, why) : -1;
}

/* Some file systems cannot look and rename in one step. */
static int
rename_new(const char *from, const char *to)
{
	struct stat st;

	if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	if (lstat(to, &st) == 0) {
		errno = EEXIST;
		return -1;
	}
	return rename(from, to);
}

static int
make_file(const char *path, const char *beside, const struct text *text,
	  int stop, struct error *why)
{
	int fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	int result;

	if (fd < 0)
		return cannot_make(path, why);
	result = write_closed(path, fd, text, stop, why);
	if (result == 0 && rename_new(beside, path) < 0)
		result = cannot_make(path, why);
	if (result < 0)
		(void)unlink(beside);
	return result;
}

int
report_file_write(const char *path, const struct text *text, int stop,
		  struct error *why)
{
	char *beside;
	int fd, result;

	if (strcmp(path, REPORT_STDOUT) == 0)
		return write_parts("standard output", STDOUT_FILENO, text, stop,
				   why);
	fd = open_unnamed(path);
	if (fd >= 0) {
		result = write_parts(path, fd, text, stop, why);
		if (result == 0)
			result = report_go_on(stop, why);
		if (result == 0)
			result = name_file(path, fd, why);
		close(fd);
		return result;
	}
	beside = formatted("%s.%ld.tmp", path, (long)getpid());
	result = make_file(path, beside, text, stop, why);
	free(beside);
	return result;
}
