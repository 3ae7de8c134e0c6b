/* referee/sandbox/sandbox-filter.c - a list of what is refused, and its
 * compilation. */
#include "referee/sandbox/sandbox-filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/ioprio.h>
#include <sched.h>
#include <seccomp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "referee/sandbox/sandbox-others.h"

#define WORD 0xffffffffU

const char *const sandbox_refused[] = {
	/* Other processes. */
	"ptrace", "process_vm_readv", "process_vm_writev", "process_madvise",
	"pidfd_getfd", "perf_event_open", "move_pages", "migrate_pages",
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
	"sethostname", "setdomainname", "_sysctl", "sync", "syncfs",
	/* Keys and queues of the kernel, which stay behind, and memory that no
	 * limit of processes counts. */
	"add_key", "request_key", "keyctl", "shmget", "shmat", "msgget",
	"semget", "mq_open", "mq_unlink", "memfd_secret",
	/* A bot is stopped and ended by its group and session. */
	"setsid", "setpgid", NULL
};

/* Two bots could talk to each other by watches on a file that both may read;
 * only control groups count memory without a name, and a page in a pipe,
 * however large, belongs to no process; the whole machine shares the requests
 * of io_setup; the flags of clone3 are in memory, where no filter can look.  A
 * program that misses these calls goes on without them, or uses clone. */
static const char *const missing[] = {
	"inotify_init", "inotify_init1", "inotify_add_watch", "cachestat",
	"memfd_create", "vmsplice",	 "io_setup",	      "clone3",
};

/* Landlock does not check these calls: an owner may make them for any file that
 * it finds, and in a view of the machine those are all of its files. */
static const char *const changes[] = {
	"chmod",	"fchmod",	"fchmodat",	"fchmodat2",
	"chown",	"fchown",	"lchown",	"fchownat",
	"utime",	"utimes",	"utimensat",	"futimesat",
	"setxattr",	"lsetxattr",	"fsetxattr",	"setxattrat",
	"removexattr",	"lremovexattr", "fremovexattr", "removexattrat",
	"file_setattr", "truncate",	"truncate64",
};

#define REFUSED SCMP_ACT_ERRNO(EPERM)
#define PRETENDED SCMP_ACT_ERRNO(0)
#define BY_ACTION_OF 0

/* Calls of which an argument has these bits; of a word the kernel reads 32 bits,
 * whatever stands above them. */
static const struct rule {
	int call;
	uint32_t action;
	unsigned argument; /* from 0 */
	uint64_t mask, value;
	bool allowed; /* in a view of its own */
} rules[] = {
	/* New namespaces. */
	{ SCMP_SYS(clone), REFUSED, 0, CLONE_NEWNS, CLONE_NEWNS },
	{ SCMP_SYS(clone), REFUSED, 0, CLONE_NEWUTS, CLONE_NEWUTS },
	{ SCMP_SYS(clone), REFUSED, 0, CLONE_NEWIPC, CLONE_NEWIPC },
	{ SCMP_SYS(clone), REFUSED, 0, CLONE_NEWUSER, CLONE_NEWUSER },
	{ SCMP_SYS(clone), REFUSED, 0, CLONE_NEWPID, CLONE_NEWPID },
	{ SCMP_SYS(clone), REFUSED, 0, CLONE_NEWNET, CLONE_NEWNET },
	{ SCMP_SYS(clone), REFUSED, 0, CLONE_NEWCGROUP, CLONE_NEWCGROUP },
	/* Memory that belongs to no process's data, so that no limit of a
	 * process counts it; and the large pages that the machine keeps in
	 * reserve, which not even a control group counts. */
	{ SCMP_SYS(mmap), REFUSED, 3, MAP_TYPE | MAP_ANONYMOUS,
	  MAP_SHARED | MAP_ANONYMOUS },
	{ SCMP_SYS(mmap), REFUSED, 3, MAP_GROWSDOWN, MAP_GROWSDOWN },
	{ SCMP_SYS(mmap), REFUSED, 3, MAP_HUGETLB, MAP_HUGETLB },
	/* Priorities of groups and users: the first process is in those of the
	 * bot, and bubblewrap outside as well. */
	{ SCMP_SYS(setpriority), REFUSED, 0, WORD, PRIO_PGRP },
	{ SCMP_SYS(setpriority), REFUSED, 0, WORD, PRIO_USER },
	{ SCMP_SYS(ioprio_set), REFUSED, 0, WORD, IOPRIO_WHO_PGRP },
	{ SCMP_SYS(ioprio_set), REFUSED, 0, WORD, IOPRIO_WHO_USER },
	/* Comparing processes in all but KCMP_VM (1), by which the first process finds
	 * memory that two have. */
	{ SCMP_SYS(kcmp), BY_ACTION_OF, 2, 1, 0 },
	{ SCMP_SYS(kcmp), BY_ACTION_OF, 2, 2, 2 },
	{ SCMP_SYS(kcmp), BY_ACTION_OF, 2, 4, 4 },
	/* To have a core for oneself alone. */
	{ SCMP_SYS(prctl), REFUSED, 0, WORD, PR_SCHED_CORE },
	/* Locks, by which two bots could talk.  One is granted at once and
	 * keeps no process out: interpreters lock files of their own, and some
	 * speak up on their standard output where they cannot. */
	{ SCMP_SYS(fcntl), PRETENDED, 1, WORD, F_SETLK },
	{ SCMP_SYS(fcntl), PRETENDED, 1, WORD, F_SETLKW },
	{ SCMP_SYS(fcntl), PRETENDED, 1, WORD, F_OFD_SETLK },
	{ SCMP_SYS(fcntl), PRETENDED, 1, WORD, F_OFD_SETLKW },
	/* Leases, and what else one can leave at a file that is open for
	 * reading. */
	{ SCMP_SYS(fcntl), REFUSED, 1, WORD, F_SETLEASE },
	{ SCMP_SYS(fcntl), REFUSED, 1, WORD, F_NOTIFY },
	{ SCMP_SYS(fcntl), REFUSED, 1, WORD, F_SET_RW_HINT },
	{ SCMP_SYS(fcntl), REFUSED, 1, WORD, F_SET_FILE_RW_HINT },
	{ SCMP_SYS(ioctl), REFUSED, 1, WORD, (uint32_t)FS_IOC_SETFLAGS, true },
	{ SCMP_SYS(ioctl), REFUSED, 1, WORD, (uint32_t)FS_IOC_FSSETXATTR,
	  true },
	/* To type at a terminal. */
	{ SCMP_SYS(ioctl), BY_ACTION_OF, 1, WORD, TIOCSTI },
	{ SCMP_SYS(ioctl), BY_ACTION_OF, 1, WORD, TIOCLINUX },
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

/* Keeps the buffers of socket pairs at the system's default, because their
 * bytes count for no process. */
static int
refuse_buffers(scmp_filter_ctx filter)
{
	static const uint32_t names[] = { SO_SNDBUF, SO_SNDBUFFORCE };
	int result = 0;

	for (size_t i = 0; i < NELEM(names) && result == 0; i++)
		result = seccomp_rule_add(
			filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(setsockopt), 2,
			SCMP_A1(SCMP_CMP_MASKED_EQ, WORD, SOL_SOCKET),
			SCMP_A2(SCMP_CMP_MASKED_EQ, WORD, names[i]));
	return result;
}

static uint32_t
action_of(bool strict)
{
	return strict ? SCMP_ACT_KILL_PROCESS : SCMP_ACT_ERRNO(EPERM);
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

/* Calls that are refused whatever their arguments. */
static int
refuse_names(scmp_filter_ctx filter, bool view, bool strict)
{
	const char *name;
	int result = 0;

	for (size_t i = 0; sandbox_refused[i] != NULL && result == 0; i++) {
		name = sandbox_refused[i];
		result = add_named(filter, name,
				   action_of(strict && !is_decent(name)));
	}
	for (size_t i = 0; i < NELEM(missing) && result == 0; i++)
		result = add_named(filter, missing[i], SCMP_ACT_ERRNO(ENOSYS));
	for (size_t i = 0; i < NELEM(changes) && !view && result == 0; i++)
		result = add_named(filter, changes[i], SCMP_ACT_ERRNO(EPERM));
	return result;
}

static int
add_rule(scmp_filter_ctx filter, const struct rule *rule, bool view,
	 bool strict)
{
	const uint32_t action =
		rule->action == BY_ACTION_OF ? action_of(strict) : rule->action;

	return view && rule->allowed
		       ? 0
		       : seccomp_rule_add(filter, action, rule->call, 1,
					  SCMP_CMP(rule->argument,
						   SCMP_CMP_MASKED_EQ,
						   rule->mask, rule->value));
}

static int
add_all(scmp_filter_ctx filter, bool view, bool strict)
{
	int result = refuse_names(filter, view, strict);

	if (result == 0)
		result = refuse_sockets(filter, strict);
	if (result == 0)
		result = refuse_buffers(filter);
	if (result == 0)
		result = sandbox_refuse_first(filter, action_of(strict));
	for (size_t i = 0; i < NELEM(rules) && result == 0; i++)
		result = add_rule(filter, &rules[i], view, strict);
	return result < 0 ? result : add_named(filter, "flock", PRETENDED);
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

/* 0, or -1 and errno. */
static int
make(bool view, bool strict, void **bytes, size_t *size)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	int result;

	if (filter == NULL) {
		errno = ENOMEM;
		return -1;
	}
	/* A tree instead of a list: every call goes through it. */
	(void)seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	result = add_all(filter, view, strict);
	if (result == 0)
		result = export(filter, bytes, size);
	seccomp_release(filter);
	if (result == 0)
		return 0;
	free(*bytes);
	*bytes = NULL;
	errno = -result;
	return -1;
}

const void *
sandbox_filter(bool view, bool strict, size_t *bytes)
{
	static void *made[2][2];
	static size_t size[2][2];

	if (made[view][strict] == NULL &&
	    make(view, strict, &made[view][strict], &size[view][strict]) < 0)
		return NULL;
	*bytes = size[view][strict];
	return made[view][strict];
}
