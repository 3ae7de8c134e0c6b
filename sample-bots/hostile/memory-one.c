/* memory-one.c - takes memory and uses it, in one process: as everybody does,
 * and in the ways that a limit of a process's data does not count.
 *
 * Bound: 560 MiB each way, one after the other, 10 seconds. */
#include "memory.h"

#define MIB 560

static bool
shared(void)
{
	return memory_map(MAP_SHARED);
}

/* Counted as a stack, which is allowed to be large. */
static bool
growing(void)
{
	return memory_map(MAP_PRIVATE | MAP_GROWSDOWN);
}

static void
attack(char **args)
{
	(void)args;
	memory_try("MiB in one process", memory_private, MIB);
	memory_try("MiB shared with nobody", shared, MIB);
	memory_try("MiB of growing stacks", growing, MIB);
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(MEMORY_SECONDS, attack, argv);
}
