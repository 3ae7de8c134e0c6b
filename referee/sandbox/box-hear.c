/* referee/sandbox/box-hear.c - a filter that asks the box's first process, and
 * its answers. */
#include "referee/sandbox/box-hear.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "protocol/util.h"

#define PLAIN_MAX 2048		/* instructions */
#define FULL_TEN_THOUSANDTH 200 /* a /tmp with less room than this is full */

static struct sock_filter plain[PLAIN_MAX]; /* the filter as it was read */
static unsigned plains;
static struct box_note notes[BOX_NOTES];
static unsigned noted;
/* True once the bot's program was to be run.  Calls before that are our own. */
static bool begun;

void
box_note(enum box_tried tried, int number, const char *path)
{
	struct box_note note = { .tried = (uint16_t)tried, .number = number };

	if (!begun)
		return;
	if (path != NULL)
		memcpy(note.path, path, strnlen(path, BOX_PATH - 1));
	for (unsigned i = 0; i < noted; i++)
		if (notes[i].tried == note.tried &&
		    (notes[i].number == number || tried == BOX_SIGNAL ||
		     tried == BOX_PROCESS) &&
		    strcmp(notes[i].path, note.path) == 0)
			return;
	if (noted < BOX_NOTES)
		notes[noted++] = note;
}

/* ---- allowed, and yet heard of ---------------------------------------- */

/* The arguments of a watched call. */
enum watch_kind {
	WATCH_OPEN,    /* path, flags */
	WATCH_OPENAT,  /* folder, path, flags */
	WATCH_OPENAT2, /* folder, path, a structure with the flags */
	WATCH_PATH,    /* a path that is changed */
	WATCH_PATH_2,  /* two such */
	WATCH_AT,      /* folder, a path that is changed */
	WATCH_AT_2,    /* two such */
	WATCH_SECOND,  /* the second is a path that is changed */
	WATCH_LINKAT,  /* symlinkat: the folder is the second */
	WATCH_RUN,     /* path */
	WATCH_RUNAT,   /* folder, path */
	WATCH_KILL,    /* process */
	WATCH_LOCK,    /* descriptor */
	WATCH_NOTIFY,  /* inotify_add_watch: the second is a path */
	WATCH_NICE,    /* setpriority */
	WATCH_POLICY,  /* sched_setscheduler */
	WATCH_LIMIT,   /* prlimit64 */
	WATCH_DUP,     /* makes a new descriptor */
};

static const struct watched {
	int number;
	enum watch_kind kind;
} watched[] = {
#ifdef SYS_open
	{ SYS_open, WATCH_OPEN },
	{ SYS_creat, WATCH_PATH },
	{ SYS_unlink, WATCH_PATH },
	{ SYS_mkdir, WATCH_PATH },
	{ SYS_rmdir, WATCH_PATH },
	{ SYS_mknod, WATCH_PATH },
	{ SYS_chmod, WATCH_PATH },
	{ SYS_chown, WATCH_PATH },
	{ SYS_rename, WATCH_PATH_2 },
	{ SYS_link, WATCH_PATH_2 },
	{ SYS_symlink, WATCH_SECOND },
#endif
	{ SYS_openat, WATCH_OPENAT },
#ifdef SYS_openat2
	{ SYS_openat2, WATCH_OPENAT2 },
#endif
	{ SYS_truncate, WATCH_PATH },
	{ SYS_unlinkat, WATCH_AT },
	{ SYS_mkdirat, WATCH_AT },
	{ SYS_mknodat, WATCH_AT },
	{ SYS_fchmodat, WATCH_AT },
	{ SYS_fchownat, WATCH_AT },
	{ SYS_renameat2, WATCH_AT_2 },
#ifdef SYS_renameat
	{ SYS_renameat, WATCH_AT_2 },
#endif
	{ SYS_linkat, WATCH_AT_2 },
	{ SYS_symlinkat, WATCH_LINKAT },
	{ SYS_execve, WATCH_RUN },
	{ SYS_execveat, WATCH_RUNAT },
	{ SYS_kill, WATCH_KILL },
	{ SYS_tgkill, WATCH_KILL },
	{ SYS_tkill, WATCH_KILL },
	{ SYS_rt_sigqueueinfo, WATCH_KILL },
	{ SYS_pidfd_open, WATCH_KILL },
	{ SYS_flock, WATCH_LOCK },
	{ SYS_inotify_add_watch, WATCH_NOTIFY },
	{ SYS_setpriority, WATCH_NICE },
	{ SYS_sched_setscheduler, WATCH_POLICY },
	{ SYS_prlimit64, WATCH_LIMIT },
#ifdef SYS_setrlimit
	{ SYS_setrlimit, WATCH_LIMIT },
#endif
	{ SYS_dup, WATCH_DUP },
	{ SYS_socketpair, WATCH_DUP },
};

#define WATCHED (sizeof(watched) / sizeof(*watched))

static const struct watched *
watched_find(int number)
{
	for (size_t i = 0; i < WATCHED; i++)
		if (watched[i].number == number)
			return &watched[i];
	return NULL;
}

/* ---- the filter ------------------------------------------------------- */

int
box_hear_read(int filter)
{
	size_t used = 0;
	ssize_t n;

	do {
		n = read(filter, (char *)plain + used, sizeof(plain) - used);
		used += n > 0 ? (size_t)n : 0;
	} while (n > 0 && used < sizeof(plain));
	close(filter);
	plains = (unsigned)(used / sizeof(*plain));
	errno = EINVAL;
	return n == 0 && used > 0 && used % sizeof(*plain) == 0 ? 0 : -1;
}

/* Writes the calls that are reported, then the filter with "ask" in place of
 * each "refuse". */
static unsigned
make_asking(struct sock_filter asking[])
{
	static const struct sock_filter load = BPF_STMT(
		BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	static const struct sock_filter ask =
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
	unsigned n = 0;

	asking[n++] = load;
	for (size_t i = 0; i < WATCHED; i++) {
		asking[n++] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, (unsigned)watched[i].number,
			0, 1);
		asking[n++] = ask;
	}
	for (unsigned i = 0; i < plains; i++) {
		bool refuses = plain[i].code == (BPF_RET | BPF_K) &&
			       (plain[i].k & SECCOMP_RET_ACTION_FULL) ==
				       SECCOMP_RET_ERRNO;

		asking[n++] = refuses ? ask : plain[i];
	}
	return n;
}

/* Returns the verdict of the original filter on a call.  The library makes no
 * other instructions than these. */
static uint32_t
verdict(const struct seccomp_data *call)
{
	const uint32_t refused = SECCOMP_RET_ERRNO | EPERM;
	const struct sock_filter *at;
	uint32_t word = 0;
	bool holds;

	for (unsigned i = 0; i < plains; i++) {
		at = &plain[i];
		switch (at->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			if (at->k > sizeof(*call) - sizeof(word))
				return refused;
			memcpy(&word, (const char *)call + at->k, sizeof(word));
			continue;
		case BPF_ALU | BPF_AND | BPF_K:
			word &= at->k;
			continue;
		case BPF_JMP | BPF_JA:
			i += at->k;
			continue;
		case BPF_RET | BPF_K:
			return at->k;
		case BPF_JMP | BPF_JEQ | BPF_K:
			holds = word == at->k;
			break;
		case BPF_JMP | BPF_JGT | BPF_K:
			holds = word > at->k;
			break;
		case BPF_JMP | BPF_JGE | BPF_K:
			holds = word >= at->k;
			break;
		case BPF_JMP | BPF_JSET | BPF_K:
			holds = (word & at->k) != 0;
			break;
		default:
			return refused;
		}
		i += holds ? at->jt : at->jf;
	}
	return refused;
}

/* ---- the listener ----------------------------------------------------- */

int
box_hear_begin(int ready)
{
	static struct sock_filter asking[PLAIN_MAX + 2 * WATCHED + 1];
	struct sock_fprog program = { .filter = asking };
	int fd;

	program.len = (unsigned short)make_asking(asking);
	fd = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			  SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
	if (write(ready, &fd, sizeof(fd)) != sizeof(fd) || fd < 0 ||
	    close_range(3, ~0U, CLOSE_RANGE_UNSHARE | CLOSE_RANGE_CLOEXEC) <
		    0 ||
	    write(ready, &fd, sizeof(fd)) != sizeof(fd))
		return -1;
	return 0;
}

pid_t
box_hear_fork(void)
{
	return (pid_t)syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0);
}

int
box_hear_take(int ready)
{
	int fd[2] = { -1, -1 };

	/* The first number is the listener.  The second says that the
	 * descriptors are no longer shared. */
	for (int i = 0; i < 2; i++) {
		if (RETRIED(read(ready, &fd[i], sizeof(int))) != sizeof(int) ||
		    fd[i] < 0)
			return -1;
	}
	fcntl(fd[0], F_SETFD, FD_CLOEXEC);
	return fd[0];
}

/* ---- what is refused -------------------------------------------------- */

/* Returns true for a runtime that uses io_uring if it can, false for a program
 * of the bot's own. */
static bool
is_runtime(pid_t pid)
{
	static const char *const runtimes[] = { "node", "nodejs", "bun",
						"deno" };
	char link[64], path[256];
	const char *name;
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
	n = readlink(link, path, sizeof(path) - 1);
	path[n < 0 ? 0 : n] = '\0';
	name = strrchr(path, '/');
	for (size_t i = 0;
	     name != NULL && i < sizeof(runtimes) / sizeof(*runtimes); i++)
		if (strcmp(name + 1, runtimes[i]) == 0)
			return true;
	return false;
}

/* The C library opens sockets to look up names and to log.  It uses flags for
 * them which other sockets do not have. */
static bool
is_library_socket(const struct seccomp_data *call)
{
	return call->args[0] == AF_UNIX &&
	       (call->args[1] == (SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK) ||
		call->args[1] == (SOCK_DGRAM | SOCK_CLOEXEC));
}

static void
note_refused(pid_t pid, const struct seccomp_data *call)
{
	switch (call->nr) {
	/* Decent programs try this and go on without it. */
	case SYS_setsid:
	case SYS_setpgid:
	case SYS_personality:
	case SYS_memfd_create:
	case SYS_clone3:
	case SYS_mmap:
	case SYS_flock:
	case SYS_fcntl:
	case SYS_inotify_init1:
	case SYS_inotify_add_watch:
#ifdef SYS_inotify_init
	case SYS_inotify_init:
#endif
		/* For calls on files the path decides. */
#ifdef SYS_chmod
	case SYS_chmod:
	case SYS_chown:
#endif
	case SYS_fchmod:
	case SYS_fchmodat:
	case SYS_fchown:
	case SYS_fchownat:
	case SYS_truncate:
	case SYS_utimensat:
		return;
	case SYS_io_uring_setup:
		if (is_runtime(pid))
			return;
		break;
	case SYS_socket:
		if (!is_library_socket(call))
			box_note(BOX_SOCKET, (int)call->args[0], NULL);
		return;
	case SYS_socketpair:
		box_note(BOX_SOCKET, (int)call->args[0], NULL);
		return;
	default:
		break;
	}
	box_note(BOX_CALL, call->nr, NULL);
}

/* ---- what is allowed -------------------------------------------------- */

static void
see_path(pid_t pid, int folder, uint64_t at, bool change)
{
	char path[BOX_PATH_MAX];

	if (box_path_read(pid, folder, at, path))
		box_path_judge(path, change);
}

static bool
changes(uint64_t flags)
{
	return (flags & O_ACCMODE) != O_RDONLY ||
	       (flags & (O_CREAT | O_TRUNC)) != 0;
}

static void
see_run(pid_t pid, int folder, uint64_t at)
{
	char path[BOX_PATH_MAX];

	if (box_path_read(pid, folder, at, path))
		box_path_judge_run(path);
}

static void
see_kill(int number, int target)
{
	/* 0 and groups mean the bot itself: it has no other group. */
	if (target == -1)
		box_note(BOX_SIGNAL, -1, NULL);
	else if (target > 0 && !box_is_own(target))
		box_note(number == SYS_pidfd_open ? BOX_PROCESS : BOX_SIGNAL,
			 target, NULL);
}

static void
see_lock(pid_t pid, const struct seccomp_data *call)
{
	char link[64], path[BOX_PATH_MAX];
	ssize_t n;

	if (call->nr != SYS_flock) {
		if (box_path_read(pid, AT_FDCWD, call->args[1], path))
			box_path_judge_lock(path);
		return;
	}
	snprintf(link, sizeof(link), "/proc/%d/fd/%d", (int)pid,
		 (int)call->args[0]);
	n = readlink(link, path, sizeof(path) - 1);
	if (n <= 0)
		return;
	path[n] = '\0';
	box_path_judge_lock(path);
}

/* Compares with the limits of the first process, which the bot began with. */
static void
see_limit(pid_t pid, const struct seccomp_data *call)
{
	uint64_t at = call->args[call->nr == SYS_prlimit64 ? 2 : 1];
	unsigned which =
		(unsigned)call->args[call->nr == SYS_prlimit64 ? 1 : 0];
	struct rlimit has, wants;
	char file[64];
	ssize_t n;
	int fd;

	if (at == 0 || getrlimit((int)which, &has) < 0)
		return;
	snprintf(file, sizeof(file), "/proc/%d/mem", (int)pid);
	fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	n = pread(fd, &wants, sizeof(wants), (off_t)at);
	close(fd);
	if (n == sizeof(wants) && wants.rlim_max > has.rlim_max)
		box_note(BOX_RAISE, call->nr, NULL);
}

static void
see_descriptors(pid_t pid)
{
	char path[64];
	struct rlimit most;
	rlim_t count = 0;
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	folder = opendir(path);
	if (folder == NULL)
		return;
	while (readdir(folder) != NULL)
		count++;
	closedir(folder);
	/* `count` includes `.` and `..`. */
	if (getrlimit(RLIMIT_NOFILE, &most) == 0 && count >= most.rlim_cur)
		box_note(BOX_HANDLES, 0, NULL);
}

static void
see_files(pid_t pid, enum watch_kind kind, const __u64 *args)
{
	uint64_t flags = 0;

	switch (kind) {
	case WATCH_OPEN:
		see_path(pid, AT_FDCWD, args[0], changes(args[1]));
		break;
	case WATCH_OPENAT:
		flags = args[2];
		FALL_THROUGH;
	case WATCH_OPENAT2:
		see_path(pid, (int)args[0], args[1], changes(flags));
		break;
	case WATCH_PATH_2:
		see_path(pid, AT_FDCWD, args[1], true);
		FALL_THROUGH;
	case WATCH_PATH:
		see_path(pid, AT_FDCWD, args[0], true);
		break;
	case WATCH_AT_2:
		see_path(pid, (int)args[2], args[3], true);
		FALL_THROUGH;
	case WATCH_AT:
		see_path(pid, (int)args[0], args[1], true);
		break;
	case WATCH_SECOND:
		see_path(pid, AT_FDCWD, args[0], false);
		see_path(pid, AT_FDCWD, args[1], true);
		break;
	default:
		see_path(pid, (int)args[1], args[2], true);
		break;
	}
}

static void
see(const struct seccomp_notif *heard, enum watch_kind kind)
{
	const struct seccomp_data *call = &heard->data;
	pid_t pid = (pid_t)heard->pid;

	switch (kind) {
	case WATCH_RUN:
		see_run(pid, AT_FDCWD, call->args[0]);
		break;
	case WATCH_RUNAT:
		see_run(pid, (int)call->args[0], call->args[1]);
		break;
	case WATCH_KILL:
		see_kill(call->nr, (int)call->args[0]);
		break;
	case WATCH_LOCK:
	case WATCH_NOTIFY:
		see_lock(pid, call);
		break;
	case WATCH_NICE:
		if ((int)call->args[2] < getpriority(PRIO_PROCESS, 0))
			box_note(BOX_RAISE, call->nr, NULL);
		break;
	case WATCH_POLICY:
		if (call->args[1] == SCHED_FIFO || call->args[1] == SCHED_RR)
			box_note(BOX_RAISE, call->nr, NULL);
		break;
	case WATCH_LIMIT:
		see_limit(pid, call);
		break;
	case WATCH_DUP:
		see_descriptors(pid);
		break;
	default:
		see_files(pid, kind, call->args);
		break;
	}
}

/* ---- one call --------------------------------------------------------- */

static void
answer(int listener, const struct seccomp_notif *heard)
{
	struct seccomp_notif_resp reply = { .id = heard->id };
	const struct watched *one = watched_find(heard->data.nr);
	uint32_t says = verdict(&heard->data);

	begun |= heard->data.nr == SYS_execve || heard->data.nr == SYS_execveat;
	if (one != NULL)
		see(heard, one->kind);
	if ((says & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ALLOW) {
		reply.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	} else {
		/* A call by a program of another architecture has no name here. */
		reply.error =
			(says & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO
				? -(int)(says & SECCOMP_RET_DATA)
				: -EPERM;
		if (reply.error != 0)
			note_refused((pid_t)heard->pid, &heard->data);
	}
	/* The caller may be dead by now. */
	(void)ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &reply);
}

bool
box_hear_serve(int listener)
{
	/* The kernel may have more fields than our headers. */
	union {
		struct seccomp_notif notif;
		char room[256];
	} heard;

	memset(&heard, 0, sizeof(heard));
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &heard) < 0)
		return errno == ENOENT || errno == EINTR;
	answer(listener, &heard.notif);
	return true;
}

void
box_hear_end(struct box_report *report)
{
	struct statvfs tmp;

	if (statvfs("/tmp", &tmp) == 0 && tmp.f_blocks > 0 &&
	    (tmp.f_bavail * 10000 / tmp.f_blocks < FULL_TEN_THOUSANDTH ||
	     (tmp.f_files > 0 &&
	      tmp.f_favail * 10000 / tmp.f_files < FULL_TEN_THOUSANDTH)))
		box_note(BOX_FULL, 0, NULL);
	report->notes = noted;
	memcpy(report->note, notes, sizeof(report->note));
}
