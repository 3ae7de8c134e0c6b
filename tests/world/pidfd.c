/* tests/world/pidfd.c - descriptors of programs, by which the daemon stops bots that
 * are not asked (ponder = no), and lets them go on.
 *
 * The product calls syscall(2) for them.  Their number is one that no real process has,
 * so all other calls go to the system. */
#include <errno.h>
#include <stdarg.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/types.h>

#include "tests/world/kernel.h"
#include "tests/world/spawner-luck.h"

#define FDS_MOST 65536

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);

static pid_t pid_of[FDS_MOST]; /* of which program it is; 0: of none */

static long
open_pid(pid_t pid)
{
	int fd;

	if (!spawner_signal(pid, 0)) {
		errno = ESRCH;
		return -1;
	}
	fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (fd >= FDS_MOST)
		world_broken("descriptor %d is too high", fd);
	if (fd >= 0)
		pid_of[fd] = pid;
	return fd;
}

static long
send_signal(int fd, int number)
{
	if (spawner_signal(pid_of[fd], number))
		return 0;
	errno = ESRCH;
	return -1;
}

/* It reads six words, as the system does, though most calls give less. */
__attribute__((no_sanitize_address)) long
__wrap_syscall(long number, ...)
{
	long word[6];
	va_list args;

	va_start(args, number);
	for (unsigned i = 0; i < NELEM(word); i++)
		word[i] = va_arg(args, long);
	va_end(args);
	if (number == SYS_pidfd_open && kernel_runs() &&
	    (pid_t)word[0] >= SPAWNER_FIRST_PID)
		return open_pid((pid_t)word[0]);
	if (number == SYS_pidfd_send_signal && kernel_runs() && word[0] >= 0 &&
	    word[0] < FDS_MOST && pid_of[word[0]] != 0)
		return send_signal((int)word[0], (int)word[1]);
	return __real_syscall(number, word[0], word[1], word[2], word[3],
			      word[4], word[5]);
}
