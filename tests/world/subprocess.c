/* tests/world/subprocess.c - the daemon's own processes, in place of
 * referee/base/subprocess.c; see subprocess-luck.h.
 *
 * A command may ask the daemon over its control socket.  Then the fork says that it
 * waits, the world goes on for a while, and the fork looks again.  So only one of the
 * two runs at any time.
 *
 * A fork within the fork, as for the check of an upload, is run at its start, because
 * no timer of the world fires there. */
#include "referee/base/subprocess.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "protocol/clock.h"
#include "protocol/file.h"
#include "referee/cli/commands.h"
#include "tests/world/kernel.h"
#include "tests/world/subprocess-luck.h"
#include "tests/world/world-disk.h"

#define HANG_US UINT64_C(3600000000)
#define TURN_US 5000 /* the world goes on while a fork waits for the daemon */
#define MOST_FILES 4096
#define CPU_SECONDS 60 /* of a fork: more is a loop */
#define REAL_SECONDS 300

enum fate { FATE_RUNS, FATE_CRASHES, FATE_HANGS, FATE_GARBLES };

struct subprocess {
	struct subprocess_end end;
	char *program; /* owned; NULL: this one */
	char **argv;   /* owned */
	int argc, in;
	size_t most;
	bool errors_apart, bounded, full, over;
	int ends[2]; /* a pipe that can be read when it is over */
	pid_t pid;   /* while its fork runs */
	/* The fork says a byte when it waits; a byte lets it look again. */
	int waits, goes, output;
	uint64_t number;
	struct dice dice;
	enum fate fate;
	uint64_t until_us;
	struct timer end_timer, late_timer, turn_timer;
	/* Set by subprocess_watch(). */
	subprocess_ended *ended;
	void *arg;
	struct event *on_end;
};

struct subprocess_luck subprocess_luck = { .usual_us = 2000000 };
struct subprocesses_counts subprocesses_counts;
static uint64_t starts;

int
subprocess_input(const char *bytes, size_t n)
{
	int fd = memfd_create("input", MFD_CLOEXEC), error;

	if (fd < 0 ||
	    (file_write(fd, bytes, n) == 0 && lseek(fd, 0, SEEK_SET) == 0))
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

/* ---- in the fork ------------------------------------------------------ */

static int turn[2] = { -1, -1 }; /* in a fork: to say that it waits, to go on */

/* Waits until the descriptor can be read. */
static void
wait_turn(int fd)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	char byte = 'w';

	while (syscall(SYS_poll, &ready, 1, 0) == 0)
		if (write(turn[0], &byte, 1) != 1 ||
		    RETRIED(read(turn[1], &byte, 1)) != 1)
			_exit(EXIT_MACHINE); /* the life has ended */
}

/* The product's commands wait for the daemon's answers here. */
ssize_t
recv(int fd, void *to, size_t n, int flags)
{
	if (turn[0] >= 0 && (flags & MSG_DONTWAIT) == 0)
		wait_turn(fd);
	return syscall(SYS_recvfrom, fd, to, n, flags, NULL, NULL);
}

/* Returns true for a file of SQLite, which knows this descriptor. */
static bool
is_database(int fd)
{
	char name[32], path[256];
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	n = readlink(name, path, sizeof(path) - 1);
	path[n < 0 ? 0 : n] = '\0';
	return strstr(path, ".db") != NULL;
}

/* Closes what an exec would close, so that others see the ends of connections. */
static void
close_others(const int kept[], size_t n)
{
	static struct pollfd fds[MOST_FILES];
	struct rlimit files;
	unsigned count;
	size_t i;
	int fd;

	getrlimit(RLIMIT_NOFILE, &files);
	count = files.rlim_cur < MOST_FILES ? (unsigned)files.rlim_cur
					    : MOST_FILES;
	for (fd = 0; fd < (int)count; fd++)
		fds[fd].fd = fd;
	/* It tells which are open, all at once. */
	syscall(SYS_poll, fds, count, 0);
	for (fd = 3; fd < (int)count; fd++) {
		for (i = 0; i < n && kept[i] != fd; i++)
			;
		if (i == n && (fds[fd].revents & POLLNVAL) == 0 &&
		    !is_database(fd))
			close(fd);
	}
}

/* Bounds what the fork may do, and lets signals do what they do to a command. */
static void
leave_world(void)
{
	const struct rlimit cpu = { CPU_SECONDS, CPU_SECONDS };
	sigset_t none;

	timers_release(&world_timers);
	setrlimit(RLIMIT_CPU, &cpu);
	alarm(REAL_SECONDS);
	for (int number = 1; number < NSIG; number++)
		if (number != SIGXFSZ)
			signal(number, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void
set_descriptors(const struct subprocess *process)
{
	int in = process->in >= 0 ? process->in
				  : open("/dev/null", O_RDONLY | O_CLOEXEC);

	dup2(in, STDIN_FILENO);
	dup2(process->output, STDOUT_FILENO);
	if (!process->errors_apart)
		dup2(process->output, STDERR_FILENO);
}

/* Runs a command as main() of referee/cli/main.c does. */
static int
run_command(int argc, char **argv)
{
	static const struct command *const commands[] = { &command_bots,
							  &command_ladder };
	const char *name = argc > 1 ? argv[1] : "";
	size_t i;

	for (i = 0; i < NELEM(commands); i++) {
		if (strcmp(commands[i]->name, name) != 0)
			continue;
		argv[1] = formatted("referee %s", name);
		return commands[i]->run(argc - 1, argv + 1);
	}
	return complain_machine("the world has no command %s",
				quoted(name).text);
}

__attribute__((noreturn)) static void
become(const struct subprocess *process, int says, int hears)
{
	const int kept[] = { says, hears };
	char *variable[SUBPROCESS_KEPT + 1];
	int code;

	leave_world();
	set_descriptors(process);
	close_others(kept, NELEM(kept));
	turn[0] = says;
	turn[1] = hears;
	if (process->program != NULL) {
		subprocess_environment(variable);
		close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
		execve(process->program, process->argv, variable);
		_exit(127);
	}
	code = run_command(process->argc, process->argv);
	if (finish_output() != EXIT_DONE)
		code = EXIT_MACHINE;
	_exit(code);
}

/* ---- its work --------------------------------------------------------- */

/* Keeps as much of what it wrote as its owner wants. */
static void
take_output(struct subprocess *process)
{
	struct text all = { .max = SIZE_MAX };
	size_t n;

	if (lseek(process->output, 0, SEEK_SET) < 0 ||
	    file_read(process->output, &all) < 0)
		world_broken("the output of a process cannot be read: %m");
	n = all.used < process->most ? all.used : process->most;
	process->full = all.used > process->most;
	text_add(&process->end.output, all.bytes, n);
	text_release(&all);
}

/* Forgets the fork, which has ended or is killed. */
static void
reap(struct subprocess *process)
{
	/* waitpid(2) and kill(2) are those of the simulated machine. */
	if (RETRIED(syscall(SYS_wait4, process->pid, &process->end.status, 0,
			    NULL)) < 0)
		world_broken("a process is lost: %m");
	close(process->waits);
	close(process->goes);
	process->pid = 0;
}

static void finish(struct subprocess *process, enum subprocess_how how);

/* Waits until the fork waits or has ended, while the world stands still. */
static void
follow(struct subprocess *process)
{
	char byte;
	const bool waits = RETRIED(read(process->waits, &byte, 1)) == 1;

	world_disk_forked();
	if (waits) {
		timer_after(&process->turn_timer, TURN_US);
		return;
	}
	reap(process);
	if (WIFSIGNALED(process->end.status))
		world_broken("process %lu ends by signal %d",
			     (unsigned long)process->number,
			     WTERMSIG(process->end.status));
	take_output(process);
	if (process->fate == FATE_CRASHES)
		process->end.status = SIGKILL;
	finish(process, SUBPROCESS_ENDED);
}

static void
on_turn(void *arg)
{
	struct subprocess *process = arg;

	if (write(process->goes, "g", 1) != 1)
		world_trace("process %" PRIu64 " is gone", process->number);
	follow(process);
}

/* Begins to run the command in a fork. */
static void
run(struct subprocess *process)
{
	int says[2], hears[2];

	process->output = memfd_create("output", MFD_CLOEXEC);
	if (process->output < 0 || pipe2(says, O_CLOEXEC) < 0 ||
	    pipe2(hears, O_CLOEXEC) < 0)
		world_broken("there are no descriptors for a process: %m");
	fflush(NULL);
	process->pid = fork();
	if (process->pid < 0)
		world_broken("cannot fork: %m");
	if (process->pid == 0)
		become(process, says[1], hears[0]);
	close(says[1]);
	close(hears[0]);
	process->waits = says[0];
	process->goes = hears[1];
	follow(process);
}

/* Plays the check of an upload, which would take most of the time of a life. */
static void
check(struct subprocess *process)
{
	const bool refuses =
		dice_often(&process->dice, subprocess_luck.refuses);
	const char *said = refuses ? "not ok 1 - it answers in time\n1..1\n"
				   : "ok 1 - it answers in time\n1..1\n";

	text_str(&process->end.output, said);
	process->end.status = refuses ? EXIT_NEGATIVE << 8 : 0;
	finish(process, SUBPROCESS_ENDED);
}

/* Plays the games of a trial. */
static void
play(struct subprocess *process)
{
	if (dice_often(&process->dice, subprocess_luck.refuses))
		process->end.status = EXIT_MACHINE << 8;
	else
		text_str(
			&process->end.output,
			"{\"seed\":\"0\"}\n{\"bot\":\"trial\",\"games\":1,"
			"\"trouble\":\"<b>\"}\n{\"bot\":\"random\",\"games\":1,"
			"\"trouble\":\"a secret\"}\n");
	finish(process, SUBPROCESS_ENDED);
}

static bool
is_command(const struct subprocess *process, const char *name)
{
	return process->program == NULL && process->argc > 1 &&
	       strcmp(process->argv[1], name) == 0;
}

static void
work(struct subprocess *process)
{
	if (is_command(process, "check"))
		check(process);
	else if (is_command(process, "match"))
		play(process);
	else
		run(process);
}

/* ---- its end ---------------------------------------------------------- */

/* Says that it is over. */
static void
finish(struct subprocess *process, enum subprocess_how how)
{
	struct subprocess_end *end = &process->end;

	timer_stop(&process->end_timer);
	timer_stop(&process->late_timer);
	timer_stop(&process->turn_timer);
	if (process->pid != 0) {
		syscall(SYS_kill, process->pid, SIGKILL);
		reap(process);
	}
	process->over = true;
	end->how = process->bounded && process->full ? SUBPROCESS_FULL : how;
	if (end->how != SUBPROCESS_ENDED)
		end->status = SIGKILL;
	subprocesses_counts.killed += end->how != SUBPROCESS_ENDED;
	subprocesses_counts.ended += end->how == SUBPROCESS_ENDED;
	if (write(process->ends[1], "", 1) != 1)
		world_broken("a pipe takes no byte: %m");
	world_trace("process %" PRIu64 " ends: %d, status %d, %zu bytes",
		    process->number, end->how, end->status, end->output.used);
}

static void
on_late(void *arg)
{
	finish(arg, SUBPROCESS_LATE);
}

static void
crash(struct subprocess *process)
{
	subprocesses_counts.crashed++;
	if (dice_often(&process->dice, 500)) {
		work(process);
		return;
	}
	process->end.status = SIGKILL;
	finish(process, SUBPROCESS_ENDED);
}

static void
garble(struct subprocess *process)
{
	subprocesses_counts.garbled++;
	text_str(&process->end.output, "\x01 no rhyme \xff\n{[\n");
	process->end.status =
		(int)dice_draw(&process->dice, 2) == 0 ? 0 : 3 << 8;
	finish(process, SUBPROCESS_ENDED);
}

static void
on_end_due(void *arg)
{
	struct subprocess *process = arg;

	if (process->fate == FATE_CRASHES)
		crash(process);
	else if (process->fate == FATE_GARBLES)
		garble(process);
	else
		work(process);
}

/* ---- its start -------------------------------------------------------- */

static enum fate
draw_fate(struct subprocess *process)
{
	if (dice_often(&process->dice, subprocess_luck.crashes))
		return FATE_CRASHES;
	if (dice_often(&process->dice, subprocess_luck.hangs))
		return FATE_HANGS;
	if (dice_often(&process->dice, subprocess_luck.garbles))
		return FATE_GARBLES;
	return FATE_RUNS;
}

static void
copy_order(struct subprocess *process, const struct subprocess_order *order)
{
	int i;

	while (order->argv[process->argc] != NULL)
		process->argc++;
	process->argv = zeroed((size_t)process->argc + 1, sizeof(char *));
	for (i = 0; i < process->argc; i++)
		process->argv[i] = copied(order->argv[i]);
	if (order->program != NULL)
		process->program = copied(order->program);
	process->most = order->most;
	process->bounded = order->bounded;
	process->errors_apart = order->errors_apart;
	process->until_us = order->ms == 0
				    ? UINT64_MAX
				    : clock_us() + order->ms * UINT64_C(1000);
	process->in = order->in < 0 ? -1 : fcntl(order->in, F_DUPFD_CLOEXEC, 3);
}

static void
begin(struct subprocess *process)
{
	if (!kernel_runs()) {
		work(process);
		return;
	}
	process->fate = draw_fate(process);
	timer_after(&process->end_timer,
		    process->fate == FATE_HANGS
			    ? HANG_US
			    : dice_delay_us(&process->dice,
					    subprocess_luck.usual_us));
	if (process->until_us != UINT64_MAX)
		timer_at(&process->late_timer, process->until_us);
	world_trace("process %" PRIu64 " starts: %s", process->number,
		    process->argc > 1 ? process->argv[1] : process->argv[0]);
}

struct subprocess *
subprocess_start(const struct subprocess_order *order)
{
	struct subprocess *process;
	int ends[2];

	if (order->program != NULL && access(order->program, X_OK) < 0)
		return NULL;
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
		return NULL;
	process = zeroed(1, sizeof(*process));
	memcpy(process->ends, ends, sizeof(ends));
	process->output = -1;
	text_init(&process->end.output, SIZE_MAX);
	timer_init(&process->end_timer, &world_timers, on_end_due, process);
	timer_init(&process->late_timer, &world_timers, on_late, process);
	timer_init(&process->turn_timer, &world_timers, on_turn, process);
	process->number = ++starts;
	process->dice = dice_of("subprocess", process->number);
	copy_order(process, order);
	subprocesses_counts.starts++;
	begin(process);
	return process;
}

/* ---- its owner -------------------------------------------------------- */

void
subprocess_free(struct subprocess *process)
{
	int i;

	if (process == NULL)
		return;
	if (!process->over)
		finish(process, SUBPROCESS_STOPPED);
	if (process->on_end != NULL)
		event_free(process->on_end);
	close(process->ends[0]);
	close(process->ends[1]);
	if (process->output >= 0)
		close(process->output);
	if (process->in >= 0)
		close(process->in);
	for (i = 0; i < process->argc; i++)
		free(process->argv[i]);
	free(process->argv);
	free(process->program);
	text_release(&process->end.output);
	free(process);
}

struct subprocess_end *
subprocess_wait(struct subprocess *process, int stop, unsigned ms)
{
	struct pollfd ready[] = { { .fd = process->ends[0], .events = POLLIN },
				  { .fd = stop, .events = POLLIN } };

	while (!process->over) {
		const int n =
			clock_poll(ready, NELEM(ready), ms == 0 ? -1 : (int)ms);

		if (n == 0)
			return NULL;
		if (n < 0 && errno != EINTR)
			finish(process, SUBPROCESS_LATE);
		else if (n > 0 && !process->over && ready[1].revents != 0)
			finish(process, SUBPROCESS_STOPPED);
	}
	return &process->end;
}

static void
on_end(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct subprocess *process = arg;

	event_del(process->on_end);
	process->ended(process->arg, &process->end);
	subprocess_free(process);
}

void
subprocess_watch(struct subprocess *process, struct loop *loop,
		 subprocess_ended *ended, void *arg)
{
	process->ended = ended;
	process->arg = arg;
	process->on_end =
		loop_reads(loop->base, process->ends[0], on_end, process);
}
