/* referee/sandbox/referee-box.c - the first process of a box: sets limits, starts
 * the bot, waits for it and reports.
 *
 * It is process 1 of the box: nothing in the box can signal or trace it, and
 * when it exits the kernel kills all that is left.  Only a process in the box
 * can limit the number of processes; bubblewrap itself would fail at that
 * limit.  Only the bot's parent knows how the bot ended; bubblewrap turns a
 * death by a signal into an exit code.
 *
 * It is static and runs before anything of the bot's: no allocation, nothing
 * but system calls. */
#include "referee/sandbox/box-fill.h"
#include "referee/sandbox/box-hear.h"
#include "referee/sandbox/box-watch.h"
#include "referee/sandbox/box.h"
#include "referee/sandbox/cpu-time.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "referee/sandbox/program-exec.h"
#include "referee/sandbox/sandbox.h"
#include "referee/sandbox/spawner-domain.h"

#define STACK_BYTES (8UL << 20)

static int report; /* the socket */
static int listener =
	-1; /* receives system calls; -1: the bot is not watched */

static void
say(const struct box_report *what)
{
	/* Without a spawner the box ends. */
	if (send(report, what, sizeof(*what), MSG_NOSIGNAL) != sizeof(*what))
		_exit(1);
}

static _Noreturn void
give_up(int error, unsigned machine)
{
	say(&(struct box_report){
		.word = BOX_FAILED, .value = error, .machine = machine });
	_exit(1);
}

/* Sets a limit, but never above our own: only root could raise it. */
static void
limit(int resource, rlim_t most)
{
	if (box_limit(resource, most) < 0)
		give_up(errno, 1);
}

/* Sets a limit; 0 keeps the inherited one. */
static void
limit_if(int resource, const char *most)
{
	rlim_t value = strtoul(most, NULL, 10);

	if (value != 0)
		limit(resource, value);
}

static void
set_limits(char **argv)
{
	/* A limit of 1 keeps core dumps from a program in core_pattern; 0 would
	 * not. */
	limit(RLIMIT_CORE, 1);
	limit(RLIMIT_STACK, STACK_BYTES);
	limit(RLIMIT_MSGQUEUE, 0);
	limit(RLIMIT_MEMLOCK, 1UL << 16);
	limit(RLIMIT_SIGPENDING, BOX_SIGNALS);
	limit_if(RLIMIT_NPROC, argv[5]);
	limit_if(RLIMIT_DATA, argv[6]);
	limit_if(RLIMIT_FSIZE, argv[7]);
	limit_if(RLIMIT_NOFILE, argv[8]);
	limit_if(RLIMIT_CPU, argv[9]);
}

/* Adds Landlock, where the kernel has it, behind the read-only mounts: through
 * them a bot could still write to a named pipe in a folder that two bots see. */
static void
wall_in(void)
{
	int domain = domain_open_files(domain_abi());

	if (domain < 0)
		return;
	if (domain_allow(domain, "/", false) < 0 ||
	    domain_allow(domain, "/tmp", true) < 0 ||
	    domain_allow(domain, "/proc", true) < 0 ||
	    domain_allow(domain, "/dev/null", true) < 0 ||
	    (access(SANDBOX_FOLDER, W_OK) == 0 &&
	     domain_allow(domain, SANDBOX_FOLDER, true) < 0) ||
	    domain_enter(domain) < 0)
		_exit(126);
	close(domain);
}

static void
forget_signals(void)
{
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static int
number(const char *text)
{
	return (int)strtol(text, NULL, 10);
}

static _Noreturn void
become_bot(char **argv, int failed, int watch)
{
	char **command = argv + 1 + BOX_ARGUMENTS;
	int error;

	if (watch >= 0 && box_hear_begin(watch) < 0)
		_exit(126);
	/* The sources lie above 2, so no dup2() overwrites one. */
	for (int i = 0; i < 3; i++)
		if (dup2(number(argv[2 + i]), i) < 0)
			_exit(126);
	close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
	forget_signals();
	box_come_after();
	wall_in();
	if (domain_close() < 0)
		_exit(126);
	program_exec(command);
	error = errno;
	if (write(failed, &error, sizeof(error)) != sizeof(error))
		_exit(126);
	_exit(127);
}

/* Returns true if a wait was interrupted and must be repeated.  Any other
 * failure ends the box, because it could never learn how the bot ended. */
static bool
is_interrupted(void)
{
	return errno == EINTR;
}

/* Answers a call of the bot, if one waits.  Stops polling the listener if no
 * process is left that could call. */
static void
serve(struct pollfd *calls)
{
	if ((calls->revents & POLLIN) != 0 ? !box_hear_serve(calls->fd)
					   : calls->revents != 0)
		calls->fd = -1;
}

/* Returns 0 after a successful exec, or the errno of the failed one. */
static int
wait_for_exec(int failed)
{
	struct pollfd ready[2] = { { .fd = failed, .events = POLLIN },
				   { .fd = listener, .events = POLLIN } };
	int error;
	ssize_t n;

	/* The exec itself is a watched call and must be answered. */
	do {
		if (poll(ready, 2, -1) >= 0)
			serve(&ready[1]);
		else if (!is_interrupted())
			give_up(errno, 1);
		else
			ready[0].revents = 0;
	} while (ready[0].revents == 0);
	do
		n = read(failed, &error, sizeof(error));
	while (n < 0 && is_interrupted());
	if (n < 0)
		give_up(errno, 1);
	return n == sizeof(error) ? error : 0;
}

/* Returns true if this box can start a program: it starts itself. */
static bool
starts_any(void)
{
	static char *const argv[] = { (char *)(uintptr_t)SANDBOX_SHIM,
				      (char *)(uintptr_t)BOX_REFERENCE, NULL };
	int status = 0;
	pid_t pid = fork(), done;

	if (pid == 0) {
		execv(SANDBOX_SHIM, argv);
		_exit(126);
	}
	do
		done = waitpid(pid, &status, 0);
	while (done < 0 && is_interrupted());
	return pid > 0 && done == pid && status == 0;
}

static void
set_up_watch(const char *filter, int ends[2])
{
	ends[0] = ends[1] = -1;
	if (number(filter) < 0)
		return;
	if (box_hear_read(number(filter)) < 0 || pipe2(ends, O_CLOEXEC) < 0)
		give_up(errno, 1);
}

/* Starts the bot and returns once its exec has succeeded. */
static pid_t
start(char **argv)
{
	int failed[2], ends[2], error;
	pid_t pid;

	set_up_watch(argv[11], ends);
	if (pipe2(failed, O_CLOEXEC) < 0 ||
	    (pid = ends[0] < 0 ? fork() : box_hear_fork()) < 0)
		give_up(errno, 1);
	if (pid == 0)
		become_bot(argv, failed[1], ends[1]);
	if (ends[0] >= 0) {
		listener = box_hear_take(ends[0]);
		close(ends[1]);
		close(ends[0]);
		if (listener < 0)
			give_up(EBUSY, 1);
	}
	/* Only the bot keeps its descriptors, so that the referee sees when it
	 * closes them. */
	for (int i = 0; i < 3; i++) {
		close(number(argv[2 + i]));
		close(i);
	}
	close(failed[1]);
	error = wait_for_exec(failed[0]);
	close(failed[0]);
	/* Any other error is the bot's fault, provided that other programs
	 * start. */
	if (error != 0)
		give_up(error, program_is_shortage(error) || !starts_any());
	say(&(struct box_report){ .word = BOX_STARTED });
	return pid;
}

/* Reaps dead processes; without WNOHANG it waits for all of them.  Returns true
 * if the bot was among them (then `*status` is set) or no process is left.
 * Counts the others. */
static bool
reap(pid_t bot, int options, int *status, uint32_t *others)
{
	bool over = false;
	int one;
	pid_t pid;

	*others = 0;
	for (;;) {
		pid = waitpid(-1, &one, options);
		if (pid == bot) {
			over = true;
			*status = one;
		} else if (pid > 0) {
			++*others;
		} else if (pid == 0) {
			return over;
		} else if (!is_interrupted()) {
			return true;
		}
	}
}

/* Returns true once in BOX_WATCH_MS, even if the bot's calls keep us busy. */
static bool
is_time_to_look(void)
{
	static uint64_t next_ms;
	struct timespec now;
	uint64_t now_ms;

	clock_gettime(CLOCK_MONOTONIC, &now);
	now_ms = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
	if (now_ms < next_ms)
		return false;
	next_ms = now_ms + BOX_WATCH_MS;
	return true;
}

/* Waits until the bot is dead, or must end because the box has more than `most`
 * bytes of memory (0: no limit; sets `*over`) or the spawner says so, or until
 * waiting fails.  Returns true if the bot is dead. */
static bool
wait_for(pid_t bot, int deaths, uint64_t most, int *status, uint32_t *over)
{
	struct pollfd ready[3] = { { .fd = deaths, .events = POLLIN },
				   { .fd = report, .events = POLLIN },
				   { .fd = listener, .events = POLLIN } };
	struct signalfd_siginfo ignored;
	uint32_t others;

	for (;;) {
		if (poll(ready, 3, most > 0 ? BOX_WATCH_MS : -1) < 0) {
			if (!is_interrupted())
				return false;
			continue;
		}
		if (most > 0 && is_time_to_look() && box_has_too_much(most)) {
			*over = 1;
			say(&(struct box_report){ .word = BOX_OVER });
			return false;
		}
		serve(&ready[2]);
		if (read(deaths, &ignored, sizeof(ignored)) < 0 &&
		    errno != EAGAIN && !is_interrupted())
			return false;
		if (reap(bot, WNOHANG, status, &others))
			return true;
		if (ready[1].revents != 0)
			return false;
	}
}

/* Waits until the bot is dead, ends the other processes, and reports what all
 * of them used. */
static void
attend(pid_t bot, int deaths, uint64_t most)
{
	struct box_report end = { .word = BOX_ENDED };
	struct rusage usage;
	int status = SIGKILL;

	/* A last look, for the report. */
	if (!wait_for(bot, deaths, most, &status, &end.over))
		box_look();
	if (listener >= 0)
		box_hear_end(&end);
	kill(-1, SIGKILL);
	reap(bot, 0, &status, &end.left);
	getrusage(RUSAGE_CHILDREN, &usage);
	end.value = status;
	end.cpu_us = cpu_time_us(&usage);
	end.peak_kib = (uint64_t)usage.ru_maxrss;
	if (end.peak_kib < box_seen_kib())
		end.peak_kib = box_seen_kib();
	say(&end);
}

/* ---- looking around ----------------------------------------------------- */

static int
can_write(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		return 0;
	close(fd);
	unlink(path);
	return 1;
}

static int
look(void)
{
	int seen = 0;

	if (getpid() == 1 && kill(2, 0) < 0)
		seen |= BOX_LOOK_ALONE;
	if (!can_write("/look") && !can_write("/dev/look"))
		seen |= BOX_LOOK_READ_ONLY;
	if (can_write("/tmp/look"))
		seen |= BOX_LOOK_TMP;
	if (socket(AF_INET, SOCK_STREAM, 0) < 0 &&
	    socket(AF_UNIX, SOCK_STREAM, 0) < 0)
		seen |= BOX_LOOK_NO_NET;
	if (unshare(CLONE_NEWUSER) < 0)
		seen |= BOX_LOOK_NO_SPACES;
	if (access("/home", F_OK) < 0 && access("/root", F_OK) < 0 &&
	    access("/var", F_OK) < 0 && access("/etc/shadow", F_OK) < 0)
		seen |= BOX_LOOK_NO_HOST;
	return seen;
}

int
main(int argc, char **argv)
{
	sigset_t deaths;
	int fd;

	if (argc == 1)
		return look();
	if (argc == 2 && strcmp(argv[1], BOX_REFERENCE) == 0)
		return 0;
	if (argc < 2 + BOX_ARGUMENTS)
		return 126;
	report = number(argv[1]);
	fcntl(report, F_SETFD, FD_CLOEXEC);
	if (prctl(PR_SET_DUMPABLE, 0) < 0 ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		give_up(errno, 1);
	sigemptyset(&deaths);
	sigaddset(&deaths, SIGCHLD);
	sigprocmask(SIG_BLOCK, &deaths, NULL);
	fd = signalfd(-1, &deaths, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		give_up(errno, 1);
	set_limits(argv);
	if (number(argv[12]) != 0 && box_fill(number(argv[2])) < 0)
		give_up(errno, 1);
	attend(start(argv), fd, strtoull(argv[10], NULL, 10));
	return 0;
}
