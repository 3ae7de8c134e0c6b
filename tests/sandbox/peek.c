/* tests/sandbox/peek.c - says what a program can see and do where it runs.
 *
 *	peek [PATH]...	looks around: a line for each thing, a word and its
 *value; `see PATH` and `write PATH` for those of the PATHs (and of many others)
 *that are there, and can be written to peek forks	`forks N`: how many
 *processes it got, of 300 peek memory N M	`memory K`: of N processes so
 *many could fill M MiB peek file	`file N`: MiB of a file in /tmp, of 256
 *	peek wait	reads until the end of the file
 *
 * It does no harm where nothing holds it: all has a bound. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#define FORKS 300
#define FILE_MIB 256
#define MIB (1L << 20)

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
		{ "core", RLIMIT_CORE },  { "processes", RLIMIT_NPROC },
		{ "file", RLIMIT_FSIZE }, { "descriptors", RLIMIT_NOFILE },
		{ "data", RLIMIT_DATA },  { "stack", RLIMIT_STACK },
		{ "cpu", RLIMIT_CPU },	  { "queues", RLIMIT_MSGQUEUE },
	};
	struct rlimit has;

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		getrlimit(limits[i].number, &has);
		printf("limit %s %lld\n", limits[i].name,
		       (long long)has.rlim_max);
	}
}

/* ---- what can be done
 * -------------------------------------------------------- */

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

/* A call was refused if it says so; whatever else comes of it, it was looked
 * at. */
static void
tell_call(const char *name, long result)
{
	if (result >= 0 || (errno != EPERM && errno != ENOSYS))
		printf("may %s\n", name);
}

#define CALL(name, ...) tell_call(#name, syscall(SYS_##name, __VA_ARGS__))

/* In a child, for some of them change the process. */
static void
tell_calls(void)
{
	long zero[32] = { 0 };

	CALL(ptrace, 0, 0, 0, 0);
	CALL(process_vm_readv, getpid(), zero, 0, zero, 0, 0);
	CALL(process_vm_writev, getpid(), zero, 0, zero, 0, 0);
	CALL(kcmp, getpid(), getpid(), 0, 0, 0);
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

/* ---- how much
 * ------------------------------------------------------------------- */

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

/* Fills it and holds it until `go` is closed; tells by a byte that it did. */
static void
fill(long mib, int told, int go)
{
	char c = 'x';
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

	if (pipe(told) < 0 || pipe(go) < 0)
		return;
	for (int i = 0; i < processes; i++) {
		fflush(stdout);
		if (fork() == 0) {
			close(go[1]);
			fill(mib, told[1], go[0]);
		}
	}
	/* Those that are full hold on until all the others are full or dead. */
	close(told[1]);
	fcntl(told[0], F_SETFL, O_NONBLOCK);
	for (int left = processes; left > 0; left--) {
		char c;

		while (read(told[0], &c, 1) != 1 &&
		       waitpid(-1, &status, WNOHANG) <= 0)
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

int
main(int argc, char **argv)
{
	char c;

	if (argc > 1 && strcmp(argv[1], "forks") == 0) {
		count_forks();
	} else if (argc > 3 && strcmp(argv[1], "memory") == 0) {
		count_memory((int)strtol(argv[2], NULL, 10),
			     strtol(argv[3], NULL, 10));
	} else if (argc > 1 && strcmp(argv[1], "file") == 0) {
		count_file();
	} else if (argc > 1 && strcmp(argv[1], "wait") == 0) {
		while (read(0, &c, 1) > 0)
			;
	} else {
		tell_fds();
		tell_environment();
		tell_user();
		tell_processes();
		tell_paths(argc, argv);
		tell_limits();
		tell_sockets();
		in_child(tell_calls);
	}
	return 0;
}
