/* referee/child/process-memory.c - two files of /proc/PID.
 *
 * What cannot be looked at is no reason to go on without a look: a process that
 * is gone has nothing, and any other failure is told. */
#include "referee/child/process-memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The kB behind `word` in one of the files of a process. */
static uint64_t
kib_of(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	return at == NULL ? 0 : strtoull(at + strlen(word), NULL, 10);
}

/* 1; 0: there is no such process any more, or none that lets itself be looked
 * at like this; -1: nobody can look. */
static int
read_of(const char *pid, const char *file, char *to, size_t bytes)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%.16s/%s", pid, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, to, bytes - 1);
	if (n < 0 && errno != ENOENT && errno != ESRCH && errno != EACCES &&
	    errno != EPERM)
		n = -2;
	if (fd >= 0)
		close(fd);
	to[n < 0 ? 0 : n] = '\0';
	return n > 0 ? 1 : n == -2 ? -1 : 0;
}

bool
process_memory(const char *pid, bool fair, uint64_t *kib)
{
	static char text[8192];
	uint64_t own, tables;
	int got = read_of(pid, "status", text, sizeof(text));

	if (got <= 0)
		return got == 0;
	own = kib_of(text, "\nRssAnon:") + kib_of(text, "\nVmSwap:");
	tables = kib_of(text, "\nVmPTE:");
	if (fair)
		got = read_of(pid, "smaps_rollup", text, sizeof(text));
	if (fair && got > 0)
		own = kib_of(text, "\nPss_Anon:") + kib_of(text, "\nSwapPss:");
	*kib += own + tables;
	return got >= 0;
}
