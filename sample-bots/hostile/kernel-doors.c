/* kernel-doors.c - knocks at system calls through which machines were taken:
 * programs for the kernel, modules, faults in user space, the clock, the name,
 * the power switch.
 *
 * Bound: where it would be let in, the arguments are such that nothing follows:
 * wrong numbers, or what is so already. */
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/utsname.h>

#include "hostile.h"

/* Tells whether a system call was let in.  One that is let in fails because the
 * arguments are wrong, one that is not fails because it is forbidden. */
static void
knock(const char *what, long result)
{
	bool let_in = result >= 0 || errno == EINVAL || errno == EFAULT ||
		      errno == EBADF || errno == ENOENT || errno == ENOTBLK ||
		      errno == E2BIG || errno == ENOTDIR || errno == ENOEXEC;

	hostile_tried(what, let_in, errno);
}

static void
attack(char **args)
{
	static char page[4096];
	struct utsname self;
	struct timex clock = { .modes = 0 };

	(void)args;
	uname(&self);
	adjtimex(&clock);
	clock.modes = ADJ_TICK; /* as it is */
	knock("bpf", syscall(SYS_bpf, 0, page, 72));
	knock("perf_event_open",
	      syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0));
	knock("userfaultfd", syscall(SYS_userfaultfd, 0xffff));
	knock("init_module", syscall(SYS_init_module, page, 0, ""));
	knock("finit_module", syscall(SYS_finit_module, -1, "", 0));
	knock("delete_module", syscall(SYS_delete_module, "no-such", 0));
	knock("kexec_load", syscall(SYS_kexec_load, 0, 99, NULL, 0));
	knock("reboot", syscall(SYS_reboot, 1, 2, 3, 0));
	knock("swapon", syscall(SYS_swapon, "/no-such", 0));
	knock("acct", syscall(SYS_acct, "/no-such"));
	knock("adjtimex", adjtimex(&clock));
	knock("sethostname",
	      syscall(SYS_sethostname, self.nodename, strlen(self.nodename)));
	knock("quotactl", syscall(SYS_quotactl, 0x800007 << 8, NULL, 0, NULL));
	knock("pivot_root", syscall(SYS_pivot_root, "/no-such", "/no-such"));
	knock("setns", syscall(SYS_setns, -1, 0));
	knock("kcmp", syscall(SYS_kcmp, getpid(), 1, 0, 0, 0));
	knock("fanotify_init", syscall(SYS_fanotify_init, 0xffffff, 0));
	knock("syslog", syscall(SYS_syslog, 3, page, 1));
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
