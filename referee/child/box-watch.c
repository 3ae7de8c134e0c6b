/* referee/child/box-watch.c - sums over /proc.
 *
 * Only memory without a file behind it is counted: files are the machine's, or
 * lie in /tmp, which has a size.  There is no other such memory in a box but
 * that of processes, for the filter refuses what is shared and has no name.
 * The tables of pages are counted, too: one byte read in each 2 MiB of whatever
 * is mapped costs a page of them.
 *
 * What cannot be looked at is no reason to go on without a look: a process that
 * is gone has nothing, and any other failure counts as too much. */
#include "referee/child/box-watch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "protocol/limits.h"

/* After what looks like too much: a process that is about to become another
 * one (vfork) shows the memory of its parent. */
#define AGAIN_MS 20

struct entry {
	uint64_t inode;
	int64_t offset;
	unsigned short bytes;
	unsigned char type;
	char name[];
};

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

/* Adds what a process has.  `fair`: a page that two have counts for each by
 * half, which takes the kernel a while; of a process that does not let itself
 * be looked at not so.  False: nobody can look. */
static bool
add_memory_of(const char *pid, bool fair, uint64_t *kib)
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

static uint64_t seen_kib;

uint64_t
box_seen_kib(void)
{
	return seen_kib;
}

/* Whether all of them have more than `bytes`, or cannot be looked at. */
static bool
all_have_more(uint64_t bytes, bool fair)
{
	static char entries[4096] __attribute__((aligned(8)));
	int fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	uint64_t kib = 0;
	bool can = fd >= 0;
	long n = 0;

	while (can &&
	       (n = syscall(SYS_getdents64, fd, entries, sizeof(entries))) > 0)
		for (long at = 0; at < n && can;) {
			const struct entry *entry = (void *)(entries + at);

			if (entry->name[0] >= '1' && entry->name[0] <= '9')
				can = add_memory_of(entry->name, fair, &kib);
			at += entry->bytes;
		}
	if (fd >= 0)
		close(fd);
	if (!can || n < 0)
		return true;
	if ((fair || kib << 10 <= bytes) && kib > seen_kib)
		seen_kib = kib;
	return kib << 10 > bytes;
}

void
box_look(void)
{
	(void)!all_have_more(UINT64_MAX, false);
}

static bool
has_too_many_names(void)
{
	struct statvfs tmp;

	return statvfs("/tmp", &tmp) < 0 ||
	       tmp.f_files - tmp.f_ffree > BOX_NAMES;
}

bool
box_has_too_much(uint64_t bytes)
{
	const struct timespec moment = { .tv_nsec = AGAIN_MS * 1000000L };

	if (has_too_many_names())
		return true;
	if (!all_have_more(bytes, false) || !all_have_more(bytes, true))
		return false;
	nanosleep(&moment, NULL);
	return all_have_more(bytes, true);
}
