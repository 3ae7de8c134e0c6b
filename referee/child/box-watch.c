/* referee/child/box-watch.c - sums over /proc.
 *
 * Only memory without a file behind it is counted: files are the machine's, or
 * lie in /tmp, which has a size.  There is no other such memory in a box but
 * that of processes, for the filter refuses what is shared and has no name. */
#include "referee/child/box-watch.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "protocol/limits.h"
#include "referee/child/box-fill.h"

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

static bool
read_of(const char *pid, const char *file, char *to, size_t bytes)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%.16s/%s", pid, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, to, bytes - 1);
	close(fd);
	to[n < 0 ? 0 : n] = '\0';
	return n > 0;
}

/* `fair`: a page that two have counts for each by half, which takes the kernel
 * a while; of a process that does not let itself be looked at not so. */
static uint64_t
memory_of(const char *pid, bool fair)
{
	static char text[8192];

	if (fair && read_of(pid, "smaps_rollup", text, sizeof(text)))
		return kib_of(text, "\nPss_Anon:") + kib_of(text, "\nSwapPss:");
	if (!read_of(pid, "status", text, sizeof(text)))
		return 0;
	return kib_of(text, "\nRssAnon:") + kib_of(text, "\nVmSwap:");
}

static uint64_t
memory_of_all(bool fair)
{
	static char entries[4096] __attribute__((aligned(8)));
	int fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	uint64_t kib = 0;
	long n;

	if (fd < 0)
		return 0;
	while ((n = syscall(SYS_getdents64, fd, entries, sizeof(entries))) > 0)
		for (long at = 0; at < n;) {
			const struct entry *entry = (void *)(entries + at);

			if (entry->name[0] >= '1' && entry->name[0] <= '9')
				kib += memory_of(entry->name, fair);
			at += entry->bytes;
		}
	close(fd);
	return kib << 10;
}

static bool
has_too_many_names(void)
{
	struct statvfs tmp;

	return statvfs("/tmp", &tmp) == 0 &&
	       tmp.f_files - tmp.f_ffree > BOX_NAMES;
}

bool
box_has_too_much(uint64_t bytes)
{
	const struct timespec moment = { .tv_nsec = AGAIN_MS * 1000000L };
	uint64_t files = box_filled();

	if (has_too_many_names() || files > bytes)
		return true;
	bytes -= files;
	if (memory_of_all(false) <= bytes || memory_of_all(true) <= bytes)
		return false;
	nanosleep(&moment, NULL);
	return memory_of_all(true) > bytes;
}
