/* page-tables.c - takes memory that is no process's pages: the tables of pages
 * that it has not got.  A byte is read in each 2 MiB of a mapping that cannot
 * be written to.
 *
 * Bound: 600 MiB, 10 seconds; held so long that it is seen on a busy
 * machine, too. */
#include <stdint.h>

#include "memory.h"

#define BOUND 600
#define PART ((size_t)2 << 20)
#define PARTS 256 /* a table is a page: so many are a MiB */
#define HELD_MS 3000

static bool
take_tables(void)
{
	volatile char *all =
		mmap(NULL, PARTS * PART, PROT_READ,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (all == MAP_FAILED)
		return false;
	madvise((void *)(uintptr_t)all, PARTS * PART, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < PARTS; i++)
		(void)all[i * PART];
	return true;
}

static void
attack(char **args)
{
	long count = 0;

	(void)args;
	while (count < BOUND && take_tables())
		count++;
	hostile_nap(HELD_MS);
	hostile_counted("MiB of page tables", count, BOUND, 0);
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(MEMORY_SECONDS, attack, argv);
}
