/* memory.h - how hostile bots count the memory that they get: a child takes it
 * MiB by MiB and says so in a pipe, for it may be killed at any. */
#ifndef MEMORY_H
#define MEMORY_H

#include <sys/mman.h>

#include "hostile.h"

#define MEMORY_MIB ((size_t)1 << 20)
#define MEMORY_SECONDS 10

/* Takes the next MiB and uses it; false: it does not get it. */
typedef bool memory_taker(void);

/* Takes up to `bound` MiB in a child, and writes a byte to `report` for each. */
static inline void
memory_take(memory_taker *take, long bound, int report)
{
	for (long i = 0; i < bound && take(); i++)
		hostile_put(report, "m", 1);
}

/* Tells how many MiB a child took until it ended. */
static inline void
memory_try(const char *what, memory_taker *take, long bound)
{
	char bytes[256];
	int report[2];
	long count = 0;
	ssize_t n;
	pid_t pid;

	if (pipe(report) < 0)
		return;
	pid = hostile_fork(MEMORY_SECONDS);
	if (pid == 0) {
		memory_take(take, bound, report[1]);
		_exit(0);
	}
	close(report[1]);
	while ((n = read(report[0], bytes, sizeof(bytes))) > 0)
		count += n;
	close(report[0]);
	hostile_wait(pid);
	hostile_counted(what, count, bound, 0);
}

static inline bool
memory_map(int flags)
{
	char *bytes = mmap(NULL, MEMORY_MIB, PROT_READ | PROT_WRITE,
			   flags | MAP_ANONYMOUS, -1, 0);

	if (bytes == MAP_FAILED)
		return false;
	memset(bytes, 'm', MEMORY_MIB);
	return true;
}

static inline bool
memory_private(void)
{
	return memory_map(MAP_PRIVATE);
}

#endif
