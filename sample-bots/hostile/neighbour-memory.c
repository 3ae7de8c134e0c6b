/* neighbour-memory.c - reads the memory of others: their cards are in there.
 *
 * Bound: a byte of each, and nothing is written. */
#include <sys/uio.h>

#include "strangers.h"

/* The address of the first mapping of a process; 0: not to be had. */
static unsigned long
first_address(pid_t pid)
{
	int fd = stranger_open(pid, "maps");
	char line[64] = "";

	if (fd < 0)
		return 0;
	if (read(fd, line, sizeof(line) - 1) < 0)
		line[0] = '\0';
	close(fd);
	return strtoul(line, NULL, 16);
}

/* Without an address any will do: EFAULT tells that one may read there. */
static bool
by_call(pid_t pid)
{
	unsigned long at = first_address(pid);
	char byte;
	struct iovec here = { .iov_base = &byte, .iov_len = 1 };
	struct iovec there = { .iov_len = 1 };

	memcpy(&there.iov_base, &at, sizeof(at));
	errno = 0;
	return process_vm_readv(pid, &here, 1, &there, 1, 0) == 1 ||
	       errno == EFAULT;
}

static bool
by_file(pid_t pid)
{
	int fd = stranger_open(pid, "mem");
	unsigned long at = first_address(pid);
	char byte;
	bool got = fd >= 0 && pread(fd, &byte, 1, (off_t)at) == 1;

	if (fd >= 0)
		close(fd);
	return got;
}

static void
attack(char **args)
{
	(void)args;
	strangers_tell("memory by process_vm_readv", by_call);
	strangers_tell("memory by /proc", by_file);
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
