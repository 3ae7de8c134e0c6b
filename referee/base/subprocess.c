/* referee/base/subprocess.c - see subprocess.h.
 *
 * Processes are started by vfork(): a daemon with threads, secrets and a large
 * memory is not copied, and the error of a program that cannot be executed is
 * known at once.  The child has our memory until then, so it does nothing but
 * system calls. */
#include "referee/base/subprocess.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "protocol/clock.h"
#include "protocol/file.h"

#define PART_BYTES 16384

struct subprocess {
	struct subprocess_end end;
	pid_t pid;	   /* 0: over */
	int output, pidfd; /* -1: not open yet */
	size_t most;
	bool group; /* kill its whole group */
	bool bounded, full;
	uint64_t until_us;
	/* Set by subprocess_watch(). */
	subprocess_ended *ended;
	void *arg;
	struct event *on_output, *on_end;
	struct timer late_timer;
};

int
subprocess_input(const char *bytes, size_t n)
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	if (fd < 0 ||
	    (file_write(fd, bytes, n) == 0 && lseek(fd, 0, SEEK_SET) == 0))
		return fd;
	close_quietly(fd);
	return -1;
}

/* ---- its start -------------------------------------------------------- */

/* Runs in the child, and returns if the program cannot be executed. */
static void
become(const struct subprocess_order *order, char *const *variables, int output,
       pid_t parent)
{
	const int in = order->in >= 0 ? order->in
				      : open("/dev/null", O_RDONLY | O_CLOEXEC);
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	setsid();
	dup2(in, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	if (!order->errors_apart)
		dup2(output, STDERR_FILENO);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
		return;
	if (order->program == NULL)
		execv("/proc/self/exe", (char *const *)(uintptr_t)order->argv);
	else if (close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) == 0)
		execve(order->program, (char *const *)(uintptr_t)order->argv,
		       variables);
}

/* Returns 0 or an errno. */
static int
spawn(const struct subprocess_order *order, int output, pid_t *pid)
{
	const pid_t parent = getpid();
	char *variable[SUBPROCESS_KEPT + 1];
	volatile int error = 0;

	subprocess_environment(variable);
	*pid = vfork();
	if (*pid == 0) {
		become(order, variable, output, parent);
		error = errno;
		_exit(1);
	}
	if (*pid < 0)
		error = errno;
	for (unsigned i = 0; variable[i] != NULL; i++)
		free(variable[i]);
	return error;
}

/* If the kernel shares processors among sessions, priorities count only within
 * a session, so the session's priority goes down, too. */
static void
lower(pid_t pid, int by)
{
	char path[64], nice[8];
	int n = snprintf(nice, sizeof(nice), "%d", by), fd;

	setpriority(PRIO_PROCESS, (id_t)pid, by);
	snprintf(path, sizeof(path), "/proc/%d/autogroup", (int)pid);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (write(fd, nice, (size_t)n) < 0)
		errno = 0; /* only a favour to others, so it may fail */
	close(fd);
}

/* Returns 0 or an errno. */
static int
start(struct subprocess *process, const struct subprocess_order *order)
{
	int ends[2], error;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return errno;
	process->output = ends[0];
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	error = spawn(order, ends[1], &process->pid);
	close(ends[1]);
	if (process->pid < 0)
		process->pid = 0;
	if (error != 0)
		return error;
	process->pidfd = (int)syscall(SYS_pidfd_open, process->pid, 0);
	if (process->pidfd < 0)
		return errno;
	if (order->nice != 0)
		lower(process->pid, order->nice);
	return 0;
}

struct subprocess *
subprocess_start(const struct subprocess_order *order)
{
	struct subprocess *process = zeroed(1, sizeof(*process));
	int error;

	text_init(&process->end.output, SIZE_MAX);
	process->output = process->pidfd = -1;
	process->most = order->most;
	process->group = order->program != NULL;
	process->bounded = order->bounded;
	process->until_us = order->ms == 0
				    ? UINT64_MAX
				    : clock_us() + order->ms * UINT64_C(1000);
	error = start(process, order);
	if (error == 0)
		return process;
	subprocess_free(process);
	errno = error;
	return NULL;
}

/* ---- its end ---------------------------------------------------------- */

/* Reads some of its output.  Returns 0 if no more comes, -1 if there is nothing
 * now. */
static ssize_t
take_output(struct subprocess *process)
{
	struct text *output = &process->end.output;
	const size_t room = process->most - output->used;
	char bytes[PART_BYTES];
	ssize_t n = read(process->output, bytes, sizeof(bytes));

	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? -1 : 0;
	process->full |= (size_t)n > room;
	text_add(output, bytes, (size_t)n < room ? (size_t)n : room);
	return n;
}

static void
finish(struct subprocess *process, enum subprocess_how how)
{
	struct subprocess_end *end = &process->end;

	if (how != SUBPROCESS_ENDED)
		kill(process->group ? -process->pid : process->pid, SIGKILL);
	RETRIED(waitpid(process->pid, &end->status, 0));
	process->pid = 0;
	/* A process that it has started may keep writing to the pipe. */
	while (how == SUBPROCESS_ENDED && !process->full &&
	       take_output(process) > 0)
		;
	end->how = process->bounded && process->full ? SUBPROCESS_FULL : how;
}

void
subprocess_free(struct subprocess *process)
{
	if (process == NULL)
		return;
	if (process->pid != 0)
		finish(process, SUBPROCESS_STOPPED);
	if (process->ended != NULL) {
		event_free(process->on_output);
		event_free(process->on_end);
		timer_stop(&process->late_timer);
	}
	close_quietly(process->output);
	close_quietly(process->pidfd);
	text_release(&process->end.output);
	free(process);
}

/* ---- who waits for it ------------------------------------------------- */

struct subprocess_end *
subprocess_wait(struct subprocess *process, int stop, unsigned ms)
{
	struct pollfd ready[] = { { .fd = process->output, .events = POLLIN },
				  { .fd = process->pidfd, .events = POLLIN },
				  { .fd = stop, .events = POLLIN } };
	uint64_t now_us = clock_us(), until_us = process->until_us;

	if (ms > 0 && now_us + ms * UINT64_C(1000) < until_us)
		until_us = now_us + ms * UINT64_C(1000);
	for (; process->pid != 0; now_us = clock_us()) {
		if (now_us >= process->until_us)
			finish(process, SUBPROCESS_LATE);
		else if (now_us >= until_us)
			return NULL;
		else if (clock_poll(ready, NELEM(ready),
				    (int)((until_us - now_us) / 1000 + 1)) <
				 0 &&
			 errno != EINTR)
			finish(process, SUBPROCESS_LATE);
		else if (ready[2].revents != 0)
			finish(process, SUBPROCESS_STOPPED);
		else if (ready[1].revents != 0)
			finish(process, SUBPROCESS_ENDED);
		else if (ready[0].revents != 0 && take_output(process) == 0)
			ready[0].fd = -1;
		else if (process->bounded && process->full)
			finish(process, SUBPROCESS_FULL);
	}
	return &process->end;
}

static void
tell(struct subprocess *process, enum subprocess_how how)
{
	finish(process, how);
	process->ended(process->arg, &process->end);
	subprocess_free(process);
}

static void
on_output(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct subprocess *process = arg;

	if (take_output(process) == 0)
		event_del(process->on_output);
	else if (process->bounded && process->full)
		tell(process, SUBPROCESS_FULL);
}

static void
on_end(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	tell(arg, SUBPROCESS_ENDED);
}

static void
on_late(void *arg)
{
	tell(arg, SUBPROCESS_LATE);
}

void
subprocess_watch(struct subprocess *process, struct loop *loop,
		 subprocess_ended *ended, void *arg)
{
	process->ended = ended;
	process->arg = arg;
	process->on_output =
		loop_reads(loop->base, process->output, on_output, process);
	process->on_end =
		loop_reads(loop->base, process->pidfd, on_end, process);
	timer_init(&process->late_timer, &loop->timers, on_late, process);
	if (process->until_us != UINT64_MAX)
		timer_at(&process->late_timer, process->until_us);
}
