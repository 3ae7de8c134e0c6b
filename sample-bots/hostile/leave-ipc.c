/* leave-ipc.c - leaves what outlives its process and has no owner to clean up:
 * a System V segment, semaphores, a queue, a POSIX queue and shared memory.
 *
 * Bound: one of each, a page at most. */
#include <fcntl.h>
#include <mqueue.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

#include "hostile.h"

#define KEY 0x405711e /* the same for all bots: so they find each other */

/* Looks for what a bot of another game has left. */
static void
look_for_others(void)
{
	hostile_call("a segment of another game", shmget(KEY, 1, 0600));
	hostile_call("a queue of another game", msgget(KEY, 0600));
	hostile_call("shared memory of another game",
		     shm_open("/hostile-leave-ipc", O_RDONLY, 0));
}

static void
attack(char **args)
{
	(void)args;
	look_for_others();
	hostile_call("leave a segment", shmget(KEY, 4096, IPC_CREAT | 0600));
	hostile_call("leave semaphores", semget(KEY, 1, IPC_CREAT | 0600));
	hostile_call("leave a queue", msgget(KEY, IPC_CREAT | 0600));
	hostile_call(
		"leave a POSIX queue",
		mq_open("/hostile-leave-ipc", O_RDWR | O_CREAT, 0600, NULL));
	hostile_call("leave shared memory",
		     shm_open("/hostile-leave-ipc", O_RDWR | O_CREAT, 0600));
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
