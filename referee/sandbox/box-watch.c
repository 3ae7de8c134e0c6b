/* referee/sandbox/box-watch.c - sums over /proc.
 *
 * Only memory without a file behind it is counted: files are the machine's, or
 * lie in /tmp, which has a size.  There is no other such memory in a box but
 * that of processes, for the filter refuses what is shared and has no name.
 *
 * What cannot be looked at counts as too much. */
#include "referee/sandbox/box-watch.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "protocol/limits.h"
#include "referee/sandbox/box-fill.h"
#include "referee/sandbox/process-memory.h"

/* Looks again after this time if there seems to be too much: during a look, memory may
 * go from a process that was seen to one that will be. */
#define AGAIN_MS 20

static uint64_t seen_kib;

uint64_t
box_seen_kib(void)
{
	return seen_kib;
}

/* Returns true if all processes together have more than `bytes`, or if one
 * cannot be looked at. */
static bool
all_have_more(uint64_t bytes, bool fair)
{
	static char entries[4096] __attribute__((aligned(8)));
	int fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct memory_sum sum = { 0 };
	bool can = fd >= 0;
	long n = 0;

	while (can &&
	       (n = syscall(SYS_getdents64, fd, entries, sizeof(entries))) > 0)
		for (long at = 0; at < n && can;) {
			const struct dirent64 *entry = (void *)(entries + at);

			if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
				can = process_memory(entry->d_name, fair, &sum);
			at += entry->d_reclen;
		}
	if (fd >= 0)
		close(fd);
	if (!can || n < 0)
		return true;
	if ((fair || sum.kib << 10 <= bytes) && sum.kib > seen_kib)
		seen_kib = sum.kib;
	return sum.kib << 10 > bytes;
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
	uint64_t files = box_filled();

	if (has_too_many_names() || files > bytes)
		return true;
	bytes -= files;
	if (!all_have_more(bytes, false) || !all_have_more(bytes, true))
		return false;
	nanosleep(&moment, NULL);
	return all_have_more(bytes, true);
}
