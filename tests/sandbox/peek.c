/* tests/sandbox/peek.c - prints what a program can see and do in its
 * environment.
 *
 *	peek [PATH]...	looks around: a line for each thing, a word and its
 *			value; `see PATH` and `write PATH` for those of the
 *			PATHs (and of many others) that are there, and can be
 *			written to
 *	peek forks	`forks N`: how many processes it got, of 300
 *	peek memory N M	`memory K`: of N processes so many could fill M MiB
 *	peek file	`file N`: MiB of a file in /tmp, of 256
 *	peek keep M MS	`kept`: takes M MiB past the limit of a process, and
 *			holds it so long
 *	peek leaderless M MS	`kept`: the same in a process whose first
 *			thread is gone
 *	peek young M MS	`kept`: the same while a process does not come to its exec
 *	peek compares	ends with 0 if it may compare the memory of processes
 *	peek tables M MS	`kept`: the same with M MiB of page tables
 *	peek names N MS	`kept`: the same with N files in /tmp
 *	peek reach PID	`may CALL`: what it may change of that process
 *	peek wait	reads until the end of the file
 *
 * It does no harm without a sandbox, because everything is bounded. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/kcmp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#define FORKS 300
#define FILE_MIB 256
#define MIB (1L << 20)
#define HIGH (1L << 32) /* a filter may see these bits, the kernel does not */

extern char **environ;

/* ---- what is there ----------------------------------------------------- */

static void
tell_fds(void)
{
	printf("fds");
	for (int fd = 0; fd < 4096; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			printf(" %d", fd);
	printf("\n");
}

static void
tell_environment(void)
{
	for (char **e = environ; *e != NULL; e++)
		printf("env %s\n", *e);
}

static void
tell_user(void)
{
	struct utsname name;
	char here[4096];

	printf("uid %d\ngid %d\ngroups %d\n", (int)getuid(), (int)getgid(),
	       getgroups(0, NULL));
	if (uname(&name) == 0)
		printf("host %s\n", name.nodename);
	printf("here %s\n", getcwd(here, sizeof(here)) ? here : "-");
	printf("nice %d\n", getpriority(PRIO_PROCESS, 0));
	printf("pid %d\n", (int)getpid());
}

static void
tell_processes(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	int count = 0;

	while (proc != NULL && (entry = readdir(proc)) != NULL)
		count += entry->d_name[0] >= '0' && entry->d_name[0] <= '9';
	printf("processes %d\n", count);
	if (proc != NULL)
		closedir(proc);
}

static int
can_write(const char *folder)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/peek-was-here", folder);
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	if (fd < 0)
		return 0;
	close(fd);
	unlink(path);
	return 1;
}

static void
tell_path(const char *path)
{
	if (access(path, F_OK) == 0)
		printf("see %s\n", path);
	if (can_write(path))
		printf("write %s\n", path);
}

static void
tell_paths(int argc, char **argv)
{
	static const char *const paths[] = {
		"/",	    "/root",	     "/home",	     "/var",
		"/run",	    "/srv",	     "/opt",	     "/mnt",
		"/media",   "/boot",	     "/sys",	     "/etc",
		"/dev",	    "/usr",	     "/bin",	     "/proc",
		"/tmp",	    "/bot",	     "/etc/shadow",  "/etc/gshadow",
		"/etc/ssh", "/etc/hostname", "/etc/hosts",   "/etc/machine-id",
		"/dev/tty", "/dev/ptmx",     "/dev/pts",     "/dev/kmsg",
		"/dev/mem", "/proc/sys",     "/proc/1/fd/0", "/proc/1/mem",
	};
	FILE *passwd = fopen("/etc/passwd", "r");
	int lines = 0, c;

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		tell_path(paths[i]);
	for (int i = 1; i < argc; i++)
		tell_path(argv[i]);
	while (passwd != NULL && (c = getc(passwd)) != EOF)
		lines += c == '\n';
	printf("users %d\n", lines);
	if (open("/proc/1/environ", O_RDONLY) >= 0)
		printf("open /proc/1/environ\n");
	if (open("/proc/1/mem", O_RDONLY) >= 0)
		printf("open /proc/1/mem\n");
	if (open("/proc/self/fd/9", O_RDONLY) >= 0)
		printf("open 9\n");
}

static void
tell_limits(void)
{
	static const struct {
		const char *name;
		int number;
	} limits[] = {
		{ "core", RLIMIT_CORE },
		{ "processes", RLIMIT_NPROC },
		{ "file", RLIMIT_FSIZE },
		{ "descriptors", RLIMIT_NOFILE },
		{ "data", RLIMIT_DATA },
		{ "stack", RLIMIT_STACK },
		{ "cpu", RLIMIT_CPU },
		{ "queues", RLIMIT_MSGQUEUE },
		{ "signals", RLIMIT_SIGPENDING },
	};
	struct rlimit has;

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		getrlimit(limits[i].number, &has);
		printf("limit %s %lld\n", limits[i].name,
		       (long long)has.rlim_max);
	}
}

/* ---- what can be done ---------------------------------------------------- */

static void
tell_sockets(void)
{
	int pair[2], fd;

	for (int family = 0; family < 48; family++)
		for (int kind = SOCK_STREAM; kind <= SOCK_SEQPACKET; kind++) {
			fd = socket(family, kind, 0);
			if (fd >= 0)
				printf("socket %d %d\n", family, kind);
			if (fd >= 0)
				close(fd);
		}
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0)
		printf("pair\n");
}

/* A call was refused if its error says so; after any other result the kernel
 * has processed it. */
static void
tell_call(const char *name, long result)
{
	if (result >= 0 || (errno != EPERM && errno != ENOSYS))
		printf("may %s\n", name);
}

#define CALL(name, ...) tell_call(#name, syscall(SYS_##name, __VA_ARGS__))

/* Tries the calls in a child, because some of them change the process. */
static void
tell_calls(void)
{
	long zero[32] = { 0 };

	CALL(ptrace, 0, 0, 0, 0);
	CALL(process_vm_readv, getpid(), zero, 0, zero, 0, 0);
	CALL(process_vm_writev, getpid(), zero, 0, zero, 0, 0);
	for (int type = 0; type <= KCMP_EPOLL_TFD; type++)
		if (type != KCMP_VM)
			CALL(kcmp, getpid(), getpid(), type, 0, 0);
	CALL(perf_event_open, zero, 0, -1, -1, 0);
	CALL(unshare, CLONE_NEWUSER);
	CALL(setns, 0, 0);
	CALL(mount, "x", "/tmp", "tmpfs", 0, 0);
	CALL(umount2, "/tmp", 0);
	CALL(pivot_root, "/tmp", "/tmp");
	CALL(chroot, "/tmp");
	CALL(open_by_handle_at, 0, zero, 0);
	CALL(bpf, 0, zero, 0);
	CALL(userfaultfd, 1);
	CALL(kexec_load, 0, 0, 0, 0);
	CALL(init_module, 0, 0, "");
	CALL(finit_module, 0, "", 0);
	CALL(delete_module, "x", 0);
	CALL(personality, 0xffffffff);
	CALL(swapon, "/tmp/x", 0);
	CALL(syslog, 10, 0, 0);
	CALL(reboot, 0, 0, 0, 0);
	CALL(add_key, "user", "x", "x", 1, -3);
	CALL(keyctl, 0, -3, 0, 0, 0);
	CALL(request_key, "user", "x", 0, 0);
	CALL(shmget, 0, 4096, 01600);
	CALL(memfd_create, "x", 0);
	CALL(setsid, 0);
	CALL(setpgid, 0, 0);
	CALL(sethostname, "x", 1);
	CALL(io_uring_setup, 1, zero);
	CALL(clone3, zero, 64);
	CALL(open_tree, 0, "/tmp", 1);
	CALL(fsopen, "tmpfs", 0);
	CALL(move_mount, 0, "", 0, "", 0);
	CALL(inotify_init1, 0);
	CALL(inotify_add_watch, 0, "/usr", 2);
	CALL(fanotify_init, 0, 0);
	CALL(sync, 0);
	CALL(syncfs, 0);
	CALL(fcntl, 0, F_SETLEASE, F_RDLCK);
	CALL(fcntl, 0, F_NOTIFY, DN_ACCESS);
	CALL(fcntl, 0, F_SET_RW_HINT, zero);
	CALL(mq_open, "peek", O_RDWR | O_CREAT, 0600, 0);
	CALL(mq_unlink, "peek");
	CALL(vmsplice, 0, zero, 1, 0);
	CALL(io_setup, 1, zero);
	CALL(landlock_create_ruleset, 0, 0, 1);
	CALL(landlock_add_rule, -1, 1, zero, 0);
	CALL(landlock_restrict_self, -1, 0);
	CALL(mmap, 0, 4096, PROT_READ,
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
	CALL(prctl, PR_SCHED_CORE, 1, 0, 2, 0);
	CALL(setsockopt, 0, SOL_SOCKET, SO_SNDBUF, zero, 4);
	CALL(setsockopt, 0, HIGH | SOL_SOCKET, HIGH | SO_SNDBUF, zero, 4);
	CALL(mmap, 0, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CALL(mmap, 0, 4096, PROT_READ,
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0);
	for (int i = 0; i < 7; i++) {
		static const unsigned long spaces[] = {
			CLONE_NEWNS,	CLONE_NEWUTS, CLONE_NEWIPC,
			CLONE_NEWUSER,	CLONE_NEWPID, CLONE_NEWNET,
			CLONE_NEWCGROUP
		};
		long pid = syscall(SYS_clone, spaces[i] | SIGCHLD, 0, 0, 0, 0);

		if (pid == 0)
			_exit(0);
		tell_call("clone", pid);
	}
	tell_call("TIOCSTI", ioctl(0, TIOCSTI, "x"));
	/* The kernel looks at 32 bits of these words. */
	tell_call("TIOCSTI+", syscall(SYS_ioctl, 0, HIGH | TIOCSTI, "x"));
	tell_call("F_SETLEASE+",
		  syscall(SYS_fcntl, 0, HIGH | F_SETLEASE, F_RDLCK));
	fflush(stdout);
}

/* Tries to change limits, priorities and processors of process `pid`.  If it is
 * allowed, only an unused limit changes. */
static void
tell_reach(long pid)
{
	static struct rlimit same;
	static unsigned long all[128];
	static struct {
		uint32_t size, policy;
		uint64_t rest[6];
	} attr = { .size = 48, .rest = { [1] = 19 } };
	const int normal = 0;

	memset(all, -1, sizeof(all));
	getrlimit(RLIMIT_CORE, &same);
	CALL(prlimit64, pid, RLIMIT_CORE, &same, NULL);
	CALL(setpriority, PRIO_PROCESS, pid, 19);
	CALL(sched_setaffinity, pid, sizeof(all), all);
	CALL(sched_setscheduler, pid, SCHED_OTHER, &normal);
	CALL(sched_setparam, pid, &normal);
	CALL(sched_setattr, pid, &attr, 0);
	CALL(ioprio_set, 1, pid, 2 << 13 | 4);
}

/* Tries its group and users, too: a user without processes, so that nothing
 * happens if it is allowed. */
static void
tell_reach_crowds(void)
{
	const long user = 4242424;

	CALL(setpriority, PRIO_PGRP, 0, 19);
	CALL(setpriority, HIGH | PRIO_PGRP, 0, 19);
	CALL(setpriority, PRIO_USER, user, 19);
	CALL(ioprio_set, 2, 0, 2 << 13 | 4);
	CALL(ioprio_set, 3, user, 2 << 13 | 4);
	CALL(ioprio_set, HIGH | 3, user, 2 << 13 | 4);
}

/* Tries the calls of 32-bit programs, which have other numbers; they may be
 * closed. */
static void
tell_reach_foreign(long pid)
{
#ifdef __x86_64__
	long number = 97; /* setpriority */

	__asm__ volatile("int $0x80"
			 : "+a"(number)
			 : "b"((long)PRIO_PROCESS), "c"(pid), "d"(19L)
			 : "memory");
	errno = (int)-number;
	tell_call("setpriority of 32 bits", number < 0 ? -1 : 0);
	fflush(stdout);
#else
	(void)pid;
#endif
}

static long reached = 1;

static void
tell_reach_others(void)
{
	tell_reach(reached);
	tell_reach(HIGH | reached);
	tell_reach_crowds();
	fflush(stdout);
	tell_reach_foreign(reached);
}

/* Tries calls that threads of runtimes make for themselves. */
static void
tell_reach_own(void)
{
	const int normal = 0;
	unsigned long set[128] = { 0 };

	printf("own %ld %ld %ld %ld %ld\n",
	       syscall(SYS_prlimit64, 0, RLIMIT_CORE, NULL, set),
	       syscall(SYS_sched_setscheduler, getpid(), SCHED_OTHER, &normal),
	       syscall(SYS_sched_setscheduler, 0, SCHED_OTHER, &normal),
	       syscall(SYS_setpriority, PRIO_PROCESS, getpid(), 19),
	       syscall(SYS_ioprio_set, 1, 0, 2 << 13 | 4));
	fflush(stdout);
}

static void
in_child(void (*run)(void))
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		run();
		_exit(0);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

/* Prints if a lock of a parent keeps its child out. */
static void
tell_lock(void)
{
	int fd = open("/proc/self/exe", O_RDONLY);
	int status;
	pid_t pid;

	flock(fd, LOCK_EX);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		fd = open("/proc/self/exe", O_RDONLY);
		_exit(flock(fd, LOCK_EX | LOCK_NB) < 0);
	}
	if (pid > 0 && waitpid(pid, &status, 0) == pid && status != 0)
		printf("may flock\n");
	fflush(stdout);
}

/* Tries the kernel entries of other architectures, in which numbers mean other
 * calls. */
static void
tell_foreign(void)
{
#ifdef __x86_64__
	long number = 20; /* getpid */

	if (fork() == 0) {
		__asm__ volatile("int $0x80" : "+a"(number) : : "memory");
		printf("may int80\n");
		exit(0);
	}
	if (fork() == 0) {
		syscall(0x40000000 | SYS_getpid);
		printf("may x32\n");
		exit(0);
	}
	while (wait(NULL) > 0)
		;
#endif
}

/* ---- how much ------------------------------------------------------------ */

static void
count_forks(void)
{
	pid_t pid[FORKS];
	int count = 0;

	while (count < FORKS && (pid[count] = fork()) > 0)
		count++;
	if (count < FORKS && pid[count] == 0)
		for (;;)
			pause();
	printf("forks %d\n", count);
	while (count > 0)
		kill(pid[--count], SIGKILL);
}

/* Fills memory and holds it until `go` is closed; writes a byte when it is
 * full. */
static void
fill(long mib, int told, int go, char c)
{
	char *all = mmap(NULL, (size_t)(mib * MIB), PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (all == MAP_FAILED)
		_exit(1);
	memset(all, 1, (size_t)(mib * MIB));
	if (write(told, &c, 1) != 1 || read(go, &c, 1) != 0)
		_exit(1);
	_exit(0);
}

static void
count_memory(int processes, long mib)
{
	int told[2], go[2], status, count = 0;
	pid_t pid[64], gone;
	char c, settled[64] = { 0 }; /* full, or dead, which one may be after */

	if (processes > 64 || pipe(told) < 0 || pipe(go) < 0)
		return;
	for (int i = 0; i < processes; i++) {
		fflush(stdout);
		pid[i] = fork();
		settled[i] = pid[i] < 0;
		if (pid[i] == 0) {
			close(go[1]);
			fill(mib, told[1], go[0], (char)i);
		}
	}
	/* Full processes wait until all the others are full or dead. */
	close(told[1]);
	fcntl(told[0], F_SETFL, O_NONBLOCK);
	while (memchr(settled, 0, (size_t)processes) != NULL) {
		if (read(told[0], &c, 1) == 1)
			settled[(int)c] = 1;
		else if ((gone = waitpid(-1, &status, WNOHANG)) > 0)
			for (int i = 0; i < processes; i++)
				settled[i] |= pid[i] == gone;
		else
			usleep(1000);
	}
	close(go[1]);
	while (wait(&status) > 0)
		count += status == 0;
	printf("memory %d\n", count);
}

static void
count_file(void)
{
	static char block[MIB];
	int fd = open("/tmp/peek-was-here", O_WRONLY | O_CREAT, 0600);
	long bytes = 0;
	ssize_t n;

	signal(SIGXFSZ, SIG_IGN);
	while (bytes < FILE_MIB * MIB &&
	       (n = write(fd, block, sizeof(block))) > 0)
		bytes += n;
	unlink("/tmp/peek-was-here");
	printf("file %ld\n", bytes / MIB);
}

/* Takes memory that the limit of a process does not count: it can only be read
 * once it is full. */
static void
take_memory(long mib)
{
	for (long i = 0; i < mib; i++) {
		char *one = mmap(NULL, MIB, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (one == MAP_FAILED)
			break;
		memset(one, 1, MIB);
		mprotect(one, MIB, PROT_READ);
	}
}

static void
keep_memory(long mib, unsigned ms)
{
	take_memory(mib);
	usleep(ms * 1000);
	printf("kept\n");
}

static void
wait_for_end(void)
{
	char c;

	while (read(0, &c, 1) > 0)
		;
}

static void *
keep_alone(void *what)
{
	const long *words = what;

	keep_memory(words[0], (unsigned)words[1]);
	exit(0);
}

/* Keeps memory in a thread of a process whose first thread has ended. */
static void
keep_leaderless(long mib, long ms)
{
	static long words[2];
	pthread_t thread;

	words[0] = mib;
	words[1] = ms;
	if (pthread_create(&thread, NULL, keep_alone, words) == 0)
		syscall(SYS_exit, 0);
}

/* Keeps memory while a process that shows it, too, does not come to its exec. */
static void
keep_young(long mib, unsigned ms)
{
	keep_memory(mib, 0);
	if (vfork() == 0) {
		usleep(ms * 1000);
		_exit(0);
	}
}

/* Fills M MiB of page tables by reading a byte in each 2 MiB of untouched
 * memory.  Some kernels map a page of zeros for each. */
static void
keep_tables(long mib, unsigned ms)
{
	const size_t part = (size_t)2 << 20, bytes = (size_t)mib * 256 * part;
	volatile char *all =
		mmap(NULL, bytes, PROT_READ,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (all == MAP_FAILED)
		return;
	/* Without this the kernel may use huge pages. */
	madvise((void *)(uintptr_t)all, bytes, MADV_NOHUGEPAGE);
	for (size_t at = 0; at < bytes; at += part)
		(void)all[at];
	usleep(ms * 1000);
	printf("kept\n");
}

static void
keep_names(int count, unsigned ms)
{
	char path[64];
	int fd;

	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "/tmp/peek-%d", i);
		fd = open(path, O_WRONLY | O_CREAT, 0600);
		if (fd >= 0)
			close(fd);
	}
	usleep(ms * 1000);
	printf("kept\n");
}

int
main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "forks") == 0) {
		count_forks();
	} else if (argc > 3 && strcmp(argv[1], "memory") == 0) {
		count_memory((int)strtol(argv[2], NULL, 10),
			     strtol(argv[3], NULL, 10));
	} else if (argc > 1 && strcmp(argv[1], "file") == 0) {
		count_file();
	} else if (argc > 3 && strcmp(argv[1], "keep") == 0) {
		keep_memory(strtol(argv[2], NULL, 10),
			    (unsigned)strtoul(argv[3], NULL, 10));
	} else if (argc > 2 && strcmp(argv[1], "hold") == 0) {
		take_memory(strtol(argv[2], NULL, 10));
		dprintf(1, "full\n");
		wait_for_end();
	} else if (argc > 3 && strcmp(argv[1], "leaderless") == 0) {
		keep_leaderless(strtol(argv[2], NULL, 10),
				strtol(argv[3], NULL, 10));
	} else if (argc > 3 && strcmp(argv[1], "young") == 0) {
		keep_young(strtol(argv[2], NULL, 10),
			   (unsigned)strtoul(argv[3], NULL, 10));
	} else if (argc > 1 && strcmp(argv[1], "compares") == 0) {
		return syscall(SYS_kcmp, getpid(), getpid(), KCMP_VM, 0, 0) !=
		       0;
	} else if (argc > 3 && strcmp(argv[1], "tables") == 0) {
		keep_tables(strtol(argv[2], NULL, 10),
			    (unsigned)strtoul(argv[3], NULL, 10));
	} else if (argc > 3 && strcmp(argv[1], "names") == 0) {
		keep_names((int)strtol(argv[2], NULL, 10),
			   (unsigned)strtoul(argv[3], NULL, 10));
	} else if (argc > 2 && strcmp(argv[1], "reach") == 0) {
		reached = strtol(argv[2], NULL, 10);
		in_child(tell_reach_others);
		tell_reach_own();
	} else if (argc > 1 && strcmp(argv[1], "wait") == 0) {
		wait_for_end();
	} else {
		tell_fds();
		tell_environment();
		tell_user();
		tell_processes();
		tell_paths(argc, argv);
		tell_limits();
		tell_sockets();
		in_child(tell_calls);
		in_child(tell_reach_others);
		tell_reach_own();
		in_child(tell_lock);
		in_child(tell_foreign);
	}
	return 0;
}
