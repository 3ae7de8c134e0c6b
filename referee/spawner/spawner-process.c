/* referee/spawner/spawner-process.c - the spawner itself: forks bots, reaps them,
 * and hunts down what they leave.
 *
 * A bot leads a session of its own, so it and whatever it starts have a session
 * in common, and its process group dies by one kill(2), which no fork escapes.
 * The spawner is the subreaper of them all: what loses its parent becomes our
 * own child, wherever it hid.  So after each death we look through the list of
 * our children.  One that is no bot, and whose session is no living bot's, is
 * killed; its children become ours by that, and its death makes us look again,
 * until nothing is left.  We signal only our own unreaped children and process
 * groups that they are in, so no pid can have passed to a stranger.
 *
 * There is no waiting here but for poll(2), for the exec of a bot, which is
 * bounded, and for a referee that does not read its answers. */
#include "referee/spawner/spawner-process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "protocol/clock.h"
#include "referee/sandbox/cpu-time.h"
#include "referee/spawner/spawner-bots.h"
#include "referee/spawner/spawner-box.h"
#include "referee/spawner/spawner-order.h"
#include "referee/spawner/spawner-pause.h"
#include "referee/spawner/spawner-watch.h"

#define SOCKET                                                                 \
	3		   /* our end of the socket, once everything else is
			    * closed */
#define FAREWELL_MS 10000  /* time to end everything, at most */
#define READY 64	   /* events taken at once */
#define STRAYS_KNOWN 64	   /* dying strays that are not counted again */
#define FAREWELL_STEP_MS 5 /* between two looks when no death wakes us */

struct process {
	struct spawner_home home;
	int deaths;   /* signalfd of SIGCHLD */
	int children; /* the kernel's list of our children */
	int events;   /* epoll of all that we wait for */
	struct boxes boxes;
	struct bots bots; /* living or not yet reaped */
	struct pause pause;
	uint32_t strays;	   /* ended since a bot's end was told */
	pid_t ended[STRAYS_KNOWN]; /* the last of them, while they die */
	unsigned endings;
};

/* ---- answers ----------------------------------------------------------- */

static void
answer(const struct spawner_answer *say)
{
	/* If the referee is gone, the next read notices it. */
	RETRIED(send(SOCKET, say, sizeof(*say), MSG_NOSIGNAL));
}

static void
answer_failed(uint32_t tag, enum spawner_step step, int error)
{
	answer(&(struct spawner_answer){ .kind = ANSWER_FAILED,
					 .tag = tag,
					 .step = step,
					 .error = error });
}

/* ---- deaths and strays ------------------------------------------------- */

/* Kills a child of ours and its group. */
static void
end_child(const struct process *process, pid_t pid)
{
	pid_t group = getpgid(pid);

	/* Only bots make sessions, so the group holds no stranger. */
	if (group > 1 && group != process->home.pid)
		kill(-group, SIGKILL);
	kill(pid, SIGKILL);
}

/* Counts a stray, once. */
static void
count_stray(struct process *process, pid_t pid)
{
	for (size_t i = 0; i < STRAYS_KNOWN; i++)
		if (process->ended[i] == pid)
			return;
	process->ended[process->endings++ % STRAYS_KNOWN] = pid;
	process->strays++;
}

/* Forgets a stray: its number may be given to another process from now on. */
static void
forget_stray(struct process *process, pid_t pid)
{
	for (size_t i = 0; i < STRAYS_KNOWN; i++)
		if (process->ended[i] == pid)
			process->ended[i] = 0;
}

static bool
is_dead(pid_t pid)
{
	siginfo_t info = { 0 };

	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) <
		       0 ||
	       info.si_pid != 0;
}

static void
end_if_stray(struct process *process, pid_t pid)
{
	pid_t session = getsid(pid);

	if (bots_find(&process->bots, pid) != NULL)
		return;
	if (session > 0 && bots_find(&process->bots, session) != NULL)
		return;
	if (is_dead(pid))
		return; /* it will be reaped, and its children become ours */
	count_stray(process, pid);
	end_child(process, pid);
}

static void
end_strays(struct process *process)
{
	char list[4096];
	pid_t pid = 0;
	ssize_t n;

	if (lseek(process->children, 0, SEEK_SET) < 0)
		bug("cannot rewind the list of children: %m");
	while ((n = read(process->children, list, sizeof(list))) > 0) {
		for (ssize_t i = 0; i < n; i++) {
			if (list[i] >= '0' && list[i] <= '9') {
				pid = pid * 10 + (list[i] - '0');
			} else if (pid != 0) {
				end_if_stray(process, pid);
				pid = 0;
			}
		}
	}
}

/* Reads the report of the first process of a box, and answers once if the bot
 * was started. */
static void
hear_box(const struct spawned *bot)
{
	struct boxed *boxed = bot->boxed;
	bool known = boxed->started || boxed->failed;

	if (!boxed_hear(boxed) || known)
		return;
	if (boxed->started)
		answer(&(struct spawner_answer){ .kind = ANSWER_STARTED,
						 .tag = bot->tag,
						 .pid = bot->pid });
	else
		answer_failed(bot->tag,
			      boxed->said.machine ? STEP_BOX : STEP_EXEC,
			      boxed->said.value);
}

/* Handles the end of a box: fills `say` with the message about it.  Returns
 * false if it was sent before. */
static bool
end_box(struct process *process, const struct spawned *bot,
	struct spawner_answer *say)
{
	struct boxed *boxed = bot->boxed;
	bool tell = true;

	hear_box(bot);
	if (boxed->failed) {
		tell = false;
	} else if (!boxed->started && boxed->killed) {
		/* Reports a start first: this is not a failure. */
		answer(&(struct spawner_answer){ .kind = ANSWER_STARTED,
						 .tag = bot->tag,
						 .pid = bot->pid });
	} else if (!boxed->started) {
		answer_failed(bot->tag, STEP_BOX, EPROTO);
		tell = false;
	}
	boxed_end(&process->boxes, boxed, &say->end);
	boxed_free(&process->boxes, boxed);
	return tell;
}

/* Reaps `pid`, which is dead and still holds its number. */
static void
reap(struct process *process, pid_t pid)
{
	struct spawned *bot = bots_find(&process->bots, pid), was = { 0 };
	struct spawner_answer say = { .kind = ANSWER_ENDED };
	struct rusage usage;

	if (bot != NULL) {
		say.tag = bot->tag;
		say.end.strayed = process->strays;
		was = *bot;
		bots_remove(&process->bots, bot);
		/* The processes that it left have become our children and are
		 * strays now.  Count them before its group dies. */
		end_strays(process);
		say.end.left = process->strays - say.end.strayed;
		process->strays = 0;
		kill(-pid, SIGKILL);
	}
	if (wait4(pid, &say.end.status, 0, &usage) != pid)
		bug("cannot reap %d: %m", (int)pid);
	if (bot == NULL) {
		forget_stray(process, pid);
		return;
	}
	say.end.cpu_us = cpu_time_us(&usage);
	say.end.peak_kib = (uint64_t)usage.ru_maxrss;
	if (was.direct && was.boxed != NULL) {
		if (say.end.peak_kib < was.boxed->peak_kib)
			say.end.peak_kib = was.boxed->peak_kib;
		say.end.over = was.boxed->ended_for_it;
		boxed_free(&process->boxes, was.boxed);
	}
	if (was.direct || end_box(process, &was, &say))
		answer(&say);
}

static void
on_deaths(struct process *process)
{
	struct signalfd_siginfo ignored;
	siginfo_t info;

	if (read(process->deaths, &ignored, sizeof(ignored)) < 0 &&
	    errno != EAGAIN)
		bug("cannot read the signals: %m");
	for (;;) {
		info.si_pid = 0;
		if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ||
		    info.si_pid == 0)
			break;
		reap(process, info.si_pid);
	}
	end_strays(process);
}

/* Kills all bots because the referee is gone.  Gives up only on processes that
 * the kernel does not let die. */
static _Noreturn void
end_all(struct process *process)
{
	uint64_t until = now_ms() + FAREWELL_MS;
	struct pollfd deaths = { .fd = process->deaths, .events = POLLIN };

	for (size_t i = 0; i < process->bots.count; i++)
		kill(-process->bots.bot[i].pid, SIGKILL);
	process->bots.count = 0; /* from now on all are strays */
	while (now_ms() < until) {
		on_deaths(process);
		if (waitid(P_ALL, 0, &(siginfo_t){ 0 },
			   WEXITED | WNOHANG | WNOWAIT) < 0 &&
		    errno == ECHILD) {
			boxes_release(&process->boxes);
			_exit(0);
		}
		clock_poll(&deaths, 1, FAREWELL_STEP_MS);
	}
	boxes_release(&process->boxes);
	_exit(1);
}

/* ---- the way of a bot --------------------------------------------------- */

/* Notes a started bubblewrap.  The first process of the box will report. */
static void
await_box(struct process *process, pid_t pid, uint32_t tag, struct boxed *boxed)
{
	struct epoll_event event = { .events = EPOLLIN,
				     .data = { .u32 = (uint32_t)pid } };

	boxed_forked(boxed);
	bots_add(&process->bots, pid, tag, boxed, false);
	if (epoll_ctl(process->events, EPOLL_CTL_ADD, boxed->report, &event) <
	    0)
		bug("cannot watch a box: %m");
}

static void
has_started(struct process *process, pid_t pid, uint32_t tag,
	    struct boxed *boxed)
{
	if (boxed != NULL && boxed->report >= 0) {
		await_box(process, pid, tag, boxed);
		return;
	}
	bots_add(&process->bots, pid, tag, boxed, true);
	answer(&(struct spawner_answer){
		.kind = ANSWER_STARTED, .tag = tag, .pid = pid });
}

static void
fork_bot(struct process *process, const struct spawner_order *order,
	 uint32_t tag, struct boxed *boxed)
{
	int report[2];
	struct spawner_report said;
	pid_t pid;

	if (pipe2(report, O_CLOEXEC) < 0) {
		answer_failed(tag, STEP_FORK, errno);
		if (boxed != NULL)
			boxed_free(&process->boxes, boxed);
		return;
	}
	pid = fork();
	if (pid == 0)
		spawner_become(&process->home, order, &process->boxes, boxed,
			       report[1]);
	said = (struct spawner_report){ .step = STEP_FORK, .error = errno };
	close(report[1]);
	if (pid > 0 && spawner_has_become(report[0], &said)) {
		has_started(process, pid, tag, boxed);
	} else {
		/* It is in no list and is reaped with the strays. */
		if (pid > 0)
			kill(pid, SIGKILL);
		answer_failed(tag, said.step, said.error);
		if (boxed != NULL)
			boxed_free(&process->boxes, boxed);
	}
	close(report[0]);
}

static void
start_bot(struct process *process, const struct spawner_order *order,
	  uint32_t tag)
{
	struct boxed *boxed = NULL;

	if (order->box.tier > SANDBOX_NONE) {
		boxed = boxed_new(&process->boxes, &order->box);
		if (boxed == NULL) {
			answer_failed(tag, STEP_BOX, errno);
			return;
		}
	}
	fork_bot(process, order, tag, boxed);
}

/* ---- requests ----------------------------------------------------------- */

static void
on_start(struct process *process, struct spawner_request *request,
	 const int fds[3])
{
	struct spawner_order order = { .argv = NULL };

	memcpy(order.fds, fds, sizeof(order.fds));
	spawner_order_read(&process->home, request, &order);
	start_bot(process, &order, request->tag);
	spawner_order_release(&order);
}

static void
on_kill(struct process *process, uint32_t tag)
{
	struct spawned *bot = bots_find_tag(&process->bots, tag);

	/* Processes that escaped its group are found after its death. */
	if (bot != NULL && !bot->direct) {
		boxed_kill(bot->boxed, bot->pid);
		bots_end_by(&process->bots, bot, now_ms() + BOXED_END_MS);
	} else if (bot != NULL) {
		kill(-bot->pid, SIGKILL);
	}
	answer(&(struct spawner_answer){ .kind = ANSWER_HEARD, .tag = tag });
}

/* Takes the descriptors that came with a message.  Returns 0, or -1 if some are
 * missing. */
static int
take_fds(struct msghdr *message, int fds[3])
{
	struct cmsghdr *part = CMSG_FIRSTHDR(message);
	size_t n;

	if (part == NULL || part->cmsg_type != SCM_RIGHTS)
		return -1;
	n = part->cmsg_len - CMSG_LEN(0);
	memcpy(fds, CMSG_DATA(part), n);
	if (n == 3 * sizeof(int))
		return 0;
	for (size_t i = 0; i < n / sizeof(int); i++)
		close(fds[i]);
	return -1;
}

/* Reads one request and carries it out. */
static void
on_request(struct process *process)
{
	static _Alignas(8) char bytes[sizeof(struct spawner_request) +
				      2 * SPAWNER_REQUEST_BYTES];
	struct spawner_request *request = (void *)bytes;
	_Alignas(8) char control[CMSG_SPACE(3 * sizeof(int))];
	struct iovec part = { .iov_base = bytes, .iov_len = sizeof(bytes) };
	struct msghdr message = { .msg_iov = &part,
				  .msg_iovlen = 1,
				  .msg_control = control,
				  .msg_controllen = sizeof(control) };
	ssize_t n = recvmsg(SOCKET, &message, MSG_CMSG_CLOEXEC);
	int fds[3];

	if (n < 0 && errno == EINTR)
		return;
	if (n <= 0)
		end_all(process);
	if (request->kind == REQUEST_KILL) {
		on_kill(process, request->tag);
	} else if (take_fds(&message, fds) < 0) {
		answer_failed(request->tag, STEP_FORK, EMFILE);
	} else {
		on_start(process, request, fds);
		for (int i = 0; i < 3; i++)
			close(fds[i]);
	}
}

/* ---- beginning ----------------------------------------------------------- */

/* Closes all of the referee's descriptors but its standard error. */
static int
settle_fds(int fd)
{
	int null;

	if (fd != SOCKET && dup3(fd, SOCKET, O_CLOEXEC) < 0)
		return -1;
	null = open("/dev/null", O_RDWR);
	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0)
		return -1;
	if (fcntl(2, F_GETFD) < 0 && dup2(null, 2) < 0)
		return -1;
	return close_range(SOCKET + 1, ~0U, 0);
}

/* Ignores Ctrl-C: the referee decides who ends. */
static int
settle_signals(struct process *process)
{
	static const int deaf[] = { SIGHUP, SIGINT, SIGTERM, SIGPIPE };
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	/* A stopped bot is not dead. */
	struct sigaction deaths = { .sa_handler = SIG_DFL,
				    .sa_flags = SA_NOCLDSTOP };
	sigset_t set;

	spawner_forget_signals();
	for (size_t i = 0; i < NELEM(deaf); i++)
		sigaction(deaf[i], &ignore, NULL);
	sigaction(SIGCHLD, &deaths, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return -1;
	process->deaths = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return process->deaths < 0 ? -1 : 0;
}

static int
watch(struct process *process, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	/* 0 and 1 are never the process ID of a bot. */
	event.data.u32 = fd == SOCKET ? 0 : 1;
	return epoll_ctl(process->events, EPOLL_CTL_ADD, fd, &event);
}

static int
settle(struct process *process)
{
	char path[64];

	if (setsid() < 0 || prctl(PR_SET_NAME, "referee-spawner") < 0 ||
	    prctl(PR_SET_CHILD_SUBREAPER, 1) < 0 ||
	    settle_signals(process) < 0 ||
	    spawner_home_settle(&process->home) < 0)
		return -1;
	process->events = epoll_create1(EPOLL_CLOEXEC);
	if (process->events < 0 || watch(process, process->deaths) < 0 ||
	    watch(process, SOCKET) < 0)
		return -1;
	snprintf(path, sizeof(path), "/proc/self/task/%d/children",
		 (int)process->home.pid);
	process->children = open(path, O_RDONLY | O_CLOEXEC);
	if (process->children < 0) {
		errno = ENOSYS;
		return -1;
	}
	return prctl(PR_SET_DUMPABLE, 0);
}

/* Events of boxes carry their pids.  A box that is gone has closed its
 * descriptor. */
static void
on_event(struct process *process, uint32_t what)
{
	struct spawned *bot;

	if (what == 1) {
		on_deaths(process);
	} else if (what == 0) {
		on_request(process);
	} else if ((bot = bots_find(&process->bots, (pid_t)what)) != NULL &&
		   !bot->direct) {
		hear_box(bot);
		/* The last report is read when the box has ended. */
		epoll_ctl(process->events, EPOLL_CTL_DEL, bot->boxed->report,
			  NULL);
	}
}

_Noreturn void
spawner_process(int fd, pid_t above)
{
	static struct process process;
	struct epoll_event ready[READY];
	int n;

	if (settle_fds(fd) < 0)
		_exit(1);
	if (settle(&process) < 0) {
		answer(&(struct spawner_answer){ .kind = ANSWER_READY,
						 .error = errno });
		_exit(1);
	}
	process.pause.owner = getppid();
	process.pause.above = above;
	answer(&(struct spawner_answer){ .kind = ANSWER_READY });
	for (;;) {
		n = epoll_wait(
			process.events, ready, READY,
			spawner_pause_patience(&process.pause, &process.bots));
		if (n < 0 && errno != EINTR)
			bug("cannot wait: %m");
		for (int i = 0; i < n; i++)
			on_event(&process, ready[i].data.u32);
		if (!spawner_pause(&process.pause, &process.bots))
			spawner_watch(&process.bots);
	}
}
