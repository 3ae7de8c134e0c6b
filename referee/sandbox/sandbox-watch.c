/* referee/sandbox/sandbox-watch.c - finds out if a box can be watched, and
 * names system calls. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "referee/sandbox/sandbox.h"

/* Runs in a fork: exits with 0 if a listener is allowed and can let calls go
 * on. */
static int
try_listener(void)
{
	struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog program = { .len = 1, .filter = &allow };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return 1;
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
		       SECCOMP_FILTER_FLAG_NEW_LISTENER, &program) < 0;
}

bool
sandbox_can_watch(void)
{
	static bool known, can;
	int status = -1;
	pid_t pid;

	if (known)
		return can;
	known = true;
	pid = fork();
	if (pid == 0)
		_exit(try_listener());
	can = pid > 0 && RETRIED(waitpid(pid, &status, 0)) == pid &&
	      status == 0;
	return can;
}

const char *
sandbox_call_name(int number)
{
	static char name[64];
	char *found =
		seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number);

	if (found == NULL)
		snprintf(name, sizeof(name), "system call %d", number);
	else
		snprintf(name, sizeof(name), "%s", found);
	free(found);
	return name;
}
