/* referee/child/sandbox-filter.c - a list of what is refused, and its
 * compilation. */
#include "referee/child/sandbox-filter.h"

#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

const char *const sandbox_refused[] = {
	/* Other processes. */
	"ptrace", "process_vm_readv", "process_vm_writev", "process_madvise",
	"pidfd_getfd", "kcmp", "perf_event_open", "move_pages", "migrate_pages",
	/* Views and namespaces. */
	"unshare", "setns", "mount", "umount", "umount2", "pivot_root",
	"chroot", "open_tree", "move_mount", "fsopen", "fsconfig", "fsmount",
	"fspick", "mount_setattr", "open_by_handle_at", "name_to_handle_at",
	"quotactl", "quotactl_fd", "fanotify_init", "fanotify_mark",
	/* The kernel's insides. */
	"bpf", "userfaultfd", "io_uring_setup", "io_uring_enter",
	"io_uring_register", "kexec_load", "kexec_file_load", "init_module",
	"finit_module", "delete_module", "create_module", "query_module",
	"get_kernel_syms", "lookup_dcookie", "nfsservctl", "personality",
	"uselib", "modify_ldt", "vm86", "vm86old", "iopl", "ioperm",
	/* The machine. */
	"syslog", "swapon", "swapoff", "reboot", "acct", "vhangup",
	"settimeofday", "stime", "clock_settime", "clock_adjtime", "adjtimex",
	"sethostname", "setdomainname", "_sysctl",
	/* Keys of the kernel, and memory that no limit of processes counts. */
	"add_key", "request_key", "keyctl", "shmget", "shmat", "msgget",
	"semget", "memfd_secret",
	/* A bot is stopped and ended by its group and session. */
	"setsid", "setpgid", NULL
};

static int
add_named(scmp_filter_ctx filter, const char *name, uint32_t action)
{
	int number = seccomp_syscall_resolve_name(name);

	/* Older libraries and other machines know fewer. */
	if (number == __NR_SCMP_ERROR)
		return 0;
	return seccomp_rule_add(filter, action, number, 0);
}

static int
refuse_namespaces(scmp_filter_ctx filter)
{
	static const uint64_t spaces[] = { CLONE_NEWNS,	   CLONE_NEWUTS,
					   CLONE_NEWIPC,   CLONE_NEWUSER,
					   CLONE_NEWPID,   CLONE_NEWNET,
					   CLONE_NEWCGROUP };
	int result = 0;

	for (size_t i = 0; i < NELEM(spaces) && result == 0; i++)
		result = seccomp_rule_add(
			filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
			SCMP_A0(SCMP_CMP_MASKED_EQ, spaces[i], spaces[i]));
	/* Its flags are in memory, where no filter can look; whoever finds it
	 * missing takes clone. */
	return result < 0 ? result
			  : add_named(filter, "clone3", SCMP_ACT_ERRNO(ENOSYS));
}

static int
refuse_sockets(scmp_filter_ctx filter, bool strict)
{
	/* Libraries look for services of the system through unix sockets. */
	int result = strict ? seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS,
					       SCMP_SYS(socket), 1,
					       SCMP_A0(SCMP_CMP_NE, AF_UNIX))
			    : 0;

	if (result == 0)
		result = strict ? seccomp_rule_add(
					  filter, SCMP_ACT_ERRNO(EAFNOSUPPORT),
					  SCMP_SYS(socket), 1,
					  SCMP_A0(SCMP_CMP_EQ, AF_UNIX))
				: seccomp_rule_add(filter,
						   SCMP_ACT_ERRNO(EAFNOSUPPORT),
						   SCMP_SYS(socket), 0);

	/* Runtimes wake their own threads by pairs. */
	return result < 0
		       ? result
		       : seccomp_rule_add(filter, SCMP_ACT_ERRNO(EAFNOSUPPORT),
					  SCMP_SYS(socketpair), 1,
					  SCMP_A0_32(SCMP_CMP_NE, AF_UNIX, 0));
}

static int
refuse_terminals(scmp_filter_ctx filter, bool strict)
{
	static const uint32_t typing[] = { TIOCSTI, TIOCLINUX };
	int result = 0;

	for (size_t i = 0; i < NELEM(typing) && result == 0; i++)
		result = seccomp_rule_add(
			filter,
			strict ? SCMP_ACT_KILL_PROCESS : SCMP_ACT_ERRNO(EPERM),
			SCMP_SYS(ioctl), 1,
			SCMP_A1_32(SCMP_CMP_EQ, typing[i], 0));
	return result;
}

/* Shells and starters of programs call these for good reasons, and go on
 * without. */
static bool
is_decent(const char *name)
{
	static const char *const decent[] = { "setsid", "setpgid",
					      "personality" };

	for (size_t i = 0; i < NELEM(decent); i++)
		if (strcmp(name, decent[i]) == 0)
			return true;
	return false;
}

static int
add_all(scmp_filter_ctx filter, bool strict)
{
	const char *name;
	int result = 0;

	for (size_t i = 0; sandbox_refused[i] != NULL && result == 0; i++) {
		name = sandbox_refused[i];
		result = add_named(filter, name,
				   strict && !is_decent(name)
					   ? SCMP_ACT_KILL_PROCESS
					   : SCMP_ACT_ERRNO(EPERM));
	}
	/* Memory that only a control group counts. */
	if (result == 0)
		result = add_named(filter, "memfd_create",
				   SCMP_ACT_ERRNO(ENOSYS));
	if (result == 0)
		result = refuse_namespaces(filter);
	if (result == 0)
		result = refuse_sockets(filter, strict);
	return result < 0 ? result : refuse_terminals(filter, strict);
}

/* The library writes to a descriptor only. */
static int export(scmp_filter_ctx filter, void **bytes, size_t *size)
{
	int fd = memfd_create("filter", MFD_CLOEXEC), result;
	off_t end;

	if (fd < 0)
		return -errno;
	result = seccomp_export_bpf(filter, fd);
	end = lseek(fd, 0, SEEK_END);
	if (result == 0 && end > 0 && (*bytes = malloc((size_t)end)) != NULL &&
	    pread(fd, *bytes, (size_t)end, 0) == end)
		*size = (size_t)end;
	else if (result == 0)
		result = -ENOMEM;
	close(fd);
	return result;
}

const void *
sandbox_filter(bool strict, size_t *bytes)
{
	static void *made[2];
	static size_t size[2];
	scmp_filter_ctx filter;
	int result;

	if (made[strict] == NULL) {
		filter = seccomp_init(SCMP_ACT_ALLOW);
		if (filter == NULL) {
			errno = ENOMEM;
			return NULL;
		}
		/* A tree instead of a list: every call goes through it. */
		(void)seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
		result = add_all(filter, strict);
		if (result == 0)
			result = export(filter, &made[strict], &size[strict]);
		seccomp_release(filter);
		if (result < 0) {
			free(made[strict]);
			made[strict] = NULL;
			errno = -result;
			return NULL;
		}
	}
	*bytes = size[strict];
	return made[strict];
}
