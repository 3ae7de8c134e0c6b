/* referee/sandbox/process-memory.c - two files of /proc/PID, or of a thread.
 *
 * A process that is gone has no memory.  Every other failure is reported, never
 * passed over. */
#include "referee/sandbox/process-memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

uint64_t
process_kib_of(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	return at == NULL ? 0 : strtoull(at + strlen(word), NULL, 10);
}

/* Returns 1; 0 if the process is gone or hides this file; -1 if no process can
 * be looked at. */
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

/* Returns true if the memory of process or thread `id` is that of its parent, as
 * between vfork and exec. */
static bool
is_of_parent(const char *id, const char *status)
{
	const long parent = (long)process_kib_of(status, "\nPPid:");

	return parent > 0 && syscall(SYS_kcmp, strtol(id, NULL, 10), parent,
				     KCMP_VM, 0, 0) == 0;
}

/* Returns true if the kernel may walk over the process with this `status`, too, and
 * adds what it has mapped. */
static bool
can_walk(const char *status, struct memory_sum *sum)
{
	sum->mapped_kib += process_kib_of(status, "\nRssFile:") +
			   process_kib_of(status, "\nRssShmem:");
	return sum->mapped_kib <= MEMORY_WALK_KIB;
}

static uint64_t
above(uint64_t more, uint64_t less)
{
	return more > less ? more - less : 0;
}

uint64_t
memory_fair_kib(const char *status, const char *rollup)
{
	const uint64_t swap_kib = process_kib_of(status, "\nVmSwap:");
	const uint64_t met_kib = process_kib_of(rollup, "\nSwap:");
	uint64_t kib = process_kib_of(rollup, "\nPss_Anon:") +
		       above(process_kib_of(status, "\nRssAnon:"),
			     process_kib_of(rollup, "\nAnonymous:"));

	/* More was met if it has files in /tmp mapped. */
	return met_kib > swap_kib ? kib + swap_kib
				  : kib + process_kib_of(rollup, "\nSwapPss:") +
					    swap_kib - met_kib;
}

/* Reads the memory of process or thread `id`.  Returns as read_of(), and 0 for
 * a process that has no memory any more. */
static int
memory_of(const char *id, bool fair, struct memory_sum *sum)
{
	static char text[8192], rollup[4096];
	uint64_t own, tables;
	int got = read_of(id, "status", text, sizeof(text));

	if (got <= 0 || strstr(text, "\nRssAnon:") == NULL)
		return got < 0 ? -1 : 0;
	if (fair && is_of_parent(id, text))
		return 1;
	fair = fair && can_walk(text, sum);
	own = process_kib_of(text, "\nRssAnon:") +
	      process_kib_of(text, "\nVmSwap:");
	tables = process_kib_of(text, "\nVmPTE:");
	if (fair)
		got = read_of(id, "smaps_rollup", rollup, sizeof(rollup));
	if (fair && got > 0)
		own = memory_fair_kib(text, rollup);
	sum->kib += own + tables;
	return got < 0 ? -1 : 1;
}

/* A process whose first thread is gone shows nothing, but its other threads
 * still have all the memory: reads it from one of them. */
static int
memory_of_threads(const char *pid, bool fair, struct memory_sum *sum)
{
	static char entries[4096] __attribute__((aligned(8)));
	char path[64];
	int fd, got = 0;
	long n = 0;

	snprintf(path, sizeof(path), "/proc/%.16s/task", pid);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT || errno == ESRCH ? 0 : -1;
	while (got == 0 &&
	       (n = syscall(SYS_getdents64, fd, entries, sizeof(entries))) > 0)
		for (long at = 0; at < n && got == 0;) {
			const struct dirent64 *entry = (void *)(entries + at);

			if (entry->d_name[0] != '.' &&
			    strcmp(entry->d_name, pid) != 0)
				got = memory_of(entry->d_name, fair, sum);
			at += entry->d_reclen;
		}
	close(fd);
	return n < 0 && errno != ENOENT && errno != ESRCH ? -1 : got;
}

bool
process_memory(const char *pid, bool fair, struct memory_sum *sum)
{
	int got = memory_of(pid, fair, sum);

	if (got == 0)
		got = memory_of_threads(pid, fair, sum);
	return got >= 0;
}
