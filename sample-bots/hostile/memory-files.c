/* memory-files.c - takes memory that is no process's: files without a name,
 * System V segments, the buffers of pipes.
 *
 * Bound: 512 MiB of each, 10 seconds; all of it goes with the process. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include "hostile.h"

#define MIB 512
#define SECONDS 10

static char block[1 << 20];

static void
fill_memfd(void)
{
	long count = 0;

	for (int fd = -1; count < MIB; count++) {
		if (count % 64 == 0)
			fd = memfd_create("hostile", 0);
		if (fd < 0 || write(fd, block, sizeof(block)) != sizeof(block))
			break;
	}
	hostile_counted("MiB in files without a name", count, MIB, errno);
}

static void
fill_segments(void)
{
	long count = 0;

	for (; count < MIB; count += 16) {
		int id = shmget(IPC_PRIVATE, 16 << 20, IPC_CREAT | 0600);
		char *at = id < 0 ? (char *)-1 : shmat(id, NULL, 0);

		if (id >= 0)
			shmctl(id, IPC_RMID, NULL);
		if (at == (char *)-1)
			break;
		memset(at, 'm', 16 << 20);
	}
	hostile_counted("MiB of System V segments", count, MIB, errno);
}

static void
fill_pipes(void)
{
	long count = 0;

	for (; count < MIB; count++) {
		int ends[2];

		if (pipe2(ends, O_NONBLOCK) < 0 ||
		    fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) < 0 ||
		    write(ends[1], block, sizeof(block)) <= 0)
			break;
	}
	hostile_counted("MiB in pipes", count, MIB, errno);
}

/* Each in a child, so that the one does not live on what the other left. */
static void
in_child(void (*fill)(void))
{
	pid_t pid = hostile_fork(SECONDS);

	if (pid == 0) {
		errno = 0;
		fill();
		_exit(0);
	}
	hostile_wait(pid);
}

static void
attack(char **args)
{
	(void)args;
	memset(block, 'm', sizeof(block));
	in_child(fill_memfd);
	in_child(fill_segments);
	in_child(fill_pipes);
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(SECONDS, attack, argv);
}
