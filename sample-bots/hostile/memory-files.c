/* memory-files.c - takes memory that is no process's: files without a name,
 * System V segments, the buffers of pipes and sockets.
 *
 * Bound: 512 MiB of each, one after the other, 10 seconds; all of it goes with
 * the process. */
#include <fcntl.h>
#include <sys/shm.h>
#include <sys/socket.h>

#include "memory.h"

#define MIB 512

static char block[1 << 20];

static bool
to_memfd(void)
{
	int fd = memfd_create("hostile", 0);

	return fd >= 0 && write(fd, block, sizeof(block)) == sizeof(block);
}

static bool
to_segment(void)
{
	int id = shmget(IPC_PRIVATE, MEMORY_MIB, IPC_CREAT | 0600);
	char *at = id < 0 ? (char *)-1 : shmat(id, NULL, 0);

	if (id >= 0)
		shmctl(id, IPC_RMID, NULL);
	if (at == (char *)-1)
		return false;
	memset(at, 'm', MEMORY_MIB);
	return true;
}

static bool
to_pipe(void)
{
	int ends[2];

	return pipe2(ends, O_NONBLOCK) == 0 &&
	       fcntl(ends[1], F_SETPIPE_SZ, MEMORY_MIB) >= 0 &&
	       write(ends[1], block, sizeof(block)) == sizeof(block);
}

/* Fills sockets, with as many pairs as a MiB takes. */
static bool
to_sockets(void)
{
	size_t sent = 0;

	while (sent < MEMORY_MIB) {
		int ends[2];
		ssize_t n;

		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends))
			return false;
		while ((n = write(ends[0], block, 65536)) > 0)
			sent += (size_t)n;
	}
	return true;
}

static void
attack(char **args)
{
	(void)args;
	memset(block, 'm', sizeof(block));
	memory_try("MiB in files without a name", to_memfd, MIB);
	memory_try("MiB of System V segments", to_segment, MIB);
	memory_try("MiB in pipes", to_pipe, MIB);
	memory_try("MiB in sockets", to_sockets, MIB);
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(MEMORY_SECONDS, attack, argv);
}
