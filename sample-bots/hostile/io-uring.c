/* io-uring.c - asks for a ring, behind which system calls pass by filters that
 * look at system calls.
 *
 * Bound: one small ring, with nothing in it. */
#include <sys/syscall.h>

#include "hostile.h"

#ifndef SYS_io_uring_setup
#define SYS_io_uring_setup 425
#endif

static void
attack(char **args)
{
	unsigned char params[256] = "";

	(void)args;
	hostile_call("io_uring", syscall(SYS_io_uring_setup, 4, params));
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
