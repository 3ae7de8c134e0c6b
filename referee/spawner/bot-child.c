/* referee/spawner/bot-child.c - a bot as a child process: three pipes and a
 * spawner.
 *
 * Pipes, not socket pairs: they are faster, and a child can reopen /dev/stdin.
 * All three ends here are non-blocking.  Each event reads a bounded number of
 * bytes, so a bot that floods gets no more of the loop than any other.
 *
 * The pipes exist at once, so lines can be collected and handed over before the
 * program runs.  The bot frees itself after it was let go (child_part()) and
 * its process has ended. */
#include <errno.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "referee/sandbox/process-look.h"
#include "referee/sandbox/process-threads.h"
#include "referee/sandbox/sandbox-group.h"
#include "referee/spawner/bot-child.h"
#include "referee/spawner/bot-usage.h"
#include "referee/spawner/core.h"
#include "referee/spawner/near.h"
#include "referee/table/starved.h"

/* Bytes of its standard error that one event takes. */
#define STDERR_READ_BYTES 4096

/* Reads of its output after its death: together more than a pipe holds. */
#define LAST_READS 64

/* The processor time of a child up to one moment. */
struct watched {
	uint64_t at_us;	   /* 0: not looked at */
	uint64_t asked_at; /* child.asked_at at that moment */
	uint64_t cpu_us;   /* with its ended children */
	unsigned threads;
	struct proc_thread thread[WATCH_THREADS];
};

/* The fields that every turn needs come first (see struct table). */
struct child {
	struct bot bot;
	int in, out, err;  /* our ends: its stdin, stdout, stderr; or -1 */
	pid_t pid;	   /* set once it was started */
	bool writing;	   /* write_event is armed: the pipe is full */
	bool parted;	   /* child_part() was called */
	bool boxed;	   /* it runs in a box */
	bool resting;	   /* it has been stopped */
	bool rests_soon;   /* the table wants it to rest: once pid is set */
	bool behind;	   /* its group takes only idle processor time */
	bool looked;	   /* `idle` is known: */
	int idle;	   /* the file that makes its group idle; -1: none */
	int core;	   /* the processor it is kept on while it is quick; -1:
			    * none */
	uint64_t asked_at; /* bytes_out when its last ask had left */
	struct line_reader reader;
	size_t skipped; /* bytes of a line that is too long */
	struct near near;
	struct event read_event, write_event, err_event;
	struct timer grace_timer;
	uint64_t half_us;   /* half of its grace */
	uint64_t stayed_us; /* since the first half was over */
	uint64_t left_us;   /* its processor time at that moment */
	struct spawner *spawner;
	struct spawner_child *process; /* NULL: has ended */
	struct watched *watched;       /* owned; set after its ask; NULL: never
				        * asked */
	int pidfd;		       /* set if it is to rest; else -1 */
	char *complaint; /* owned: the end of its stderr and a NUL */
	size_t complaint_bytes;
	struct bot_end end;
	struct box_note note[BOX_NOTES]; /* the notes of `end` */
};

static void
close_end(int *fd, struct event *event)
{
	if (*fd < 0)
		return;
	event_del(event);
	close(*fd);
	*fd = -1;
}

static void
close_in(struct child *child)
{
	close_end(&child->in, &child->write_event);
	child->writing = false;
}

/* ---- resting ---------------------------------------------------------- */

#ifndef PIDFD_SIGNAL_PROCESS_GROUP
#define PIDFD_SIGNAL_PROCESS_GROUP (1U << 2) /* since Linux 6.9 */
#endif

/* Signals all of the bot's processes; in a box none can leave the group.
 * Before Linux 6.9 a group can be named only by its number.  So the process
 * must not be known to have ended, and its descriptor is asked once more. */
static void
signal_group(const struct child *child, int number)
{
	struct pollfd ended = { .fd = child->pidfd, .events = POLLIN };

	if (child->pidfd < 0 || child->process == NULL)
		return;
	if (syscall(SYS_pidfd_send_signal, child->pidfd, number, NULL,
		    PIDFD_SIGNAL_PROCESS_GROUP) == 0 ||
	    errno != EINVAL)
		return;
	if (poll(&ended, 1, 0) == 0)
		kill(-child->pid, number);
}

/* Makes the bot's group idle while it thinks on others' time, or ends that.  An
 * idle group gets only processors that no other process wants.  Does nothing
 * where the machine cannot do this. */
static void
stand_behind(struct child *child, bool behind)
{
	if (!child->looked && child->boxed)
		child->idle = sandbox_group_open_idle(child->pid);
	child->looked = true;
	if (child->idle >= 0 &&
	    pwrite(child->idle, behind ? "1" : "0", 1, 0) == 1)
		child->behind = behind;
}

static void
child_rest(struct bot *bot)
{
	struct child *child = (struct child *)bot;

	/* The first answer may come before the spawner says that it was started. */
	child->rests_soon = child->pid == 0;
	if (child->resting || child->behind || child->parted ||
	    child->rests_soon)
		return;
	if (!bot->rests) {
		/* A bot that is kept near does not think on others' time, and
		 * the two calls would cost a good part of its turn. */
		if (!child->near.kept)
			stand_behind(child, true);
		return;
	}
	if (child->pidfd < 0)
		child->pidfd = (int)syscall(SYS_pidfd_open, child->pid, 0);
	signal_group(child, SIGSTOP);
	child->resting = true;
}

static void
wake(struct child *child)
{
	child->rests_soon = false;
	if (child->resting)
		signal_group(child, SIGCONT);
	child->resting = false;
	if (child->behind)
		stand_behind(child, false);
}

/* ---- where it runs ---------------------------------------------------- */

static bool
near_used(void *arg, uint64_t *cpu_us)
{
	const struct child *child = arg;
	struct bot_usage usage;

	if (!bot_usage_of(child->pid, child->boxed, &usage))
		return false;
	*cpu_us = usage.cpu_us;
	return true;
}

static void
near_move(void *arg, bool here)
{
	const struct child *child = arg;

	core_set(child->pid, here ? child->core : -1);
}

static const struct near_calls near_calls = {
	.used = near_used,
	.move = near_move,
};

void
bot_child_keep(struct bot *bot, int core)
{
	struct child *child = (struct child *)bot;

	child->core = core;
}

/* Handles a broken line: nothing more can come from the bot. */
static void
lost(struct child *child, bool flooded)
{
	close_in(child);
	close_end(&child->out, &child->read_event);
	child->end.flooded = flooded;
	child->end.early =
		!flooded && !child->bot.gone && child->bot.listener != NULL;
	bot_tell_gone(&child->bot, flooded);
	if (child->process != NULL)
		spawner_kill(child->spawner, child->process);
}

/* ---- reading ---------------------------------------------------------- */

static void
take_lines(struct child *child, uint64_t now_us)
{
	enum line_result result;
	char *line;
	size_t n;

	/* The listener may let go of the bot in the middle.  Lines without a
	 * listener are dropped: between two games, and after the last one,
	 * where a farewell must not end in SIGPIPE. */
	for (;;) {
		result = line_take(&child->reader, &line, &n);
		if (result == LINE_NONE)
			return;
		child->skipped = 0;
		if (child->bot.listener == NULL)
			continue;
		child->bot.listener->line(child->bot.listener_arg, result, line,
					  n, now_us);
	}
}

/* Reads some of its standard error and keeps the last STDERR_BYTES. Returns
 * true if there was any. */
static bool
take_complaint(struct child *child)
{
	size_t keep = STDERR_BYTES, drop;
	ssize_t n;

	if (child->complaint == NULL)
		child->complaint = memory(NULL, keep + STDERR_READ_BYTES + 1);
	n = read(child->err, child->complaint + child->complaint_bytes,
		 STDERR_READ_BYTES);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (n <= 0) {
		close_end(&child->err, &child->err_event);
		return false;
	}
	if (child->bot.complained != NULL)
		child->bot.complained(child->bot.ended_arg,
				      child->complaint + child->complaint_bytes,
				      (size_t)n);
	child->bot.wrote += (uint64_t)n;
	child->complaint_bytes += (size_t)n;
	if (child->complaint_bytes > keep) {
		drop = child->complaint_bytes - keep;
		child->bot.wrote_from += drop;
		memmove(child->complaint, child->complaint + drop, keep);
		child->complaint_bytes = keep;
	}
	return true;
}

/* Standard error written before an answer belongs to that ask, so it is read
 * with the answer. */
static void
take_chatter(struct child *child)
{
	const uint64_t most = child->bot.wrote + STDERR_BYTES;
	uint64_t before;

	do
		before = child->bot.wrote;
	while (child->err >= 0 && take_complaint(child) &&
	       child->bot.wrote - before == STDERR_READ_BYTES &&
	       child->bot.wrote < most);
}

/* Reads what the bot says.  Returns false if it has closed its end. */
static bool
read_some(struct child *child)
{
	size_t room;
	char *to = line_space(&child->reader, &room);
	ssize_t n = read(child->out, to, room);
	uint64_t now_us;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	if (n <= 0)
		return false;
	now_us = clock_us();
	child->bot.bytes_in += (size_t)n;
	line_added(&child->reader, (size_t)n);
	near_answered(&child->near, now_us);
	take_chatter(child);
	take_lines(child, now_us);
	if (child->reader.skipping && !child->parted &&
	    (child->skipped += (size_t)n) > SKIP_BYTES)
		lost(child, true);
	return true;
}

/* Handles the end of its output.  If the bot has not said a word, the line
 * counts as lost only when the spawner has told how the bot ended, or that it
 * could not be started. */
static void
closed(struct child *child)
{
	const struct bot *bot = &child->bot;

	if (bot->bytes_in > 0 || bot->gone || bot->listener == NULL)
		lost(child, false);
	else if (child->end.started)
		spawner_kill(child->spawner, child->process);
}

static void
on_readable(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct child *child = arg;

	if (!read_some(child)) {
		close_end(&child->out, &child->read_event);
		if (!child->parted)
			closed(child);
	}
}

/* Reads an answer that came at once.  The loop finds an end of file. */
static void
look(void *arg)
{
	struct child *child = arg;

	if (child->out >= 0 && child->bot.listener != NULL)
		(void)read_some(child);
}

static void
on_complaint(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	take_complaint(arg);
}

static const char *
child_complaint(struct bot *bot)
{
	struct child *child = (struct child *)bot;

	if (child->complaint == NULL)
		return NULL;
	child->complaint[child->complaint_bytes] = '\0';
	return child->complaint;
}

/* ---- writing ---------------------------------------------------------- */

/* All lines have been written. */
static void
flushed(struct child *child, uint64_t now_us)
{
	struct bot *bot = &child->bot;
	bool stamp = bot->stamp;

	if (child->writing)
		event_del(&child->write_event);
	child->writing = false;
	bot->stamp = false;
	if (stamp && child->core >= 0 && child->pid != 0)
		near_asked(&child->near, now_us);
	if (stamp)
		child->asked_at = bot->bytes_out;
	if (stamp && bot->listener != NULL) {
		bot->listener->handed(bot->listener_arg, now_us);
		loop_asked(bot->loop, look, child);
	}
	if (child->parted)
		close_in(child);
}

static void
child_flush(struct bot *bot, uint64_t now_us)
{
	struct child *child = (struct child *)bot;
	ssize_t n;

	if (child->in < 0)
		bot->used = 0;
	if (bot->used == 0) {
		flushed(child, now_us);
		return;
	}
	if (bot->stamp)
		wake(child);
	n = write(child->in, bot->out, bot->used);
	if (n < 0 && errno != EAGAIN && errno != EINTR) {
		/* The bot has closed its input.  What it said before comes
		 * first; if it lives on, its clock runs. */
		close_in(child);
		bot->used = 0;
	}
	if (n > 0) {
		bot->bytes_out += (size_t)n;
		bot->used -= (size_t)n;
		memmove(bot->out, bot->out + n, bot->used);
	}
	if (bot->used == 0) {
		flushed(child, now_us);
		return;
	}
	if (!child->writing) {
		event_add(&child->write_event, NULL);
		child->writing = true;
	}
	if (bot->stamp && bot->listener != NULL)
		bot->listener->stuck(bot->listener_arg, now_us);
}

static void
on_writable(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct child *child = arg;

	child_flush(&child->bot, clock_us());
}

/* ---- the process ------------------------------------------------------ */

static void
child_free(struct child *child)
{
	if (child->bot.ended != NULL)
		child->bot.ended(child->bot.ended_arg, &child->bot,
				 &child->end);
	loop_forget(child->bot.loop, child);
	close_in(child);
	close_end(&child->out, &child->read_event);
	close_end(&child->err, &child->err_event);
	timer_stop(&child->grace_timer);
	if (child->pidfd >= 0)
		close(child->pidfd);
	if (child->idle >= 0)
		close(child->idle);
	line_reader_release(&child->reader);
	free(child->complaint);
	free(child->watched);
	bot_release(&child->bot);
	free(child);
}

static void
tell_failed(struct child *child)
{
	struct bot *bot = &child->bot;
	const bool silent = bot->bytes_in == 0 && !bot->gone;

	if (bot->listener != NULL && bot->failed != NULL &&
	    (child->end.machine || !child->end.started || silent))
		bot->failed(bot->ended_arg, bot, &child->end);
}

/* Handles the end of its process: reads what it wrote before, then the line is
 * lost, even if another process still holds the other end. */
static void
over(struct child *child)
{
	child->process = NULL;
	for (unsigned reads = 0; reads < LAST_READS && child->err >= 0; reads++)
		if (!take_complaint(child))
			break;
	if (child->parted) {
		child_free(child);
		return;
	}
	for (unsigned reads = 0; reads < LAST_READS && child->out >= 0; reads++)
		if (!read_some(child))
			break;
	tell_failed(child);
	if (!child->parted)
		lost(child, false);
	/* If the listener has let go meanwhile, the grace event frees the bot. */
}

static void
on_started(void *arg, pid_t pid)
{
	struct child *child = arg;

	child->pid = pid;
	child->end.started = true;
	if (child->rests_soon)
		child_rest(&child->bot);
	if (child->out < 0 && !child->parted)
		closed(child);
}

static void
on_failed(void *arg, const char *step, int error)
{
	struct child *child = arg;

	child->end.step = step;
	child->end.error = error;
	child->end.machine = spawner_is_machine(step, error);
	over(child);
}

static void
on_ended(void *arg, const struct spawner_end *end)
{
	struct child *child = arg;

	child->end.status = end->status;
	child->end.left = end->left;
	child->end.strayed = end->strayed;
	child->end.cpu_us = end->cpu_us;
	child->end.peak_kib = end->peak_kib;
	child->end.over = end->over;
	child->end.machine = end->lost;
	child->end.notes = end->notes;
	child->end.note = child->note;
	memcpy(child->note, end->note, sizeof(child->note));
	over(child);
}

static const struct spawner_calls calls = {
	.started = on_started,
	.failed = on_failed,
	.ended = on_ended,
};

static void
child_part(struct bot *bot, unsigned grace_ms)
{
	struct child *child = (struct child *)bot;

	child->parted = true;
	wake(child);
	if (bot->used == 0 || bot->gone)
		close_in(child);
	else
		bot_flush(bot); /* its last lines come before the end of file */
	/* A timer frees the bot even if its process has ended, so that it is
	 * never freed inside a callback of its own. */
	if (child->process != NULL)
		child->half_us = grace_ms * (uint64_t)1000 / 2;
	timer_after(&child->grace_timer, child->half_us);
}

static bool
child_usage(struct bot *bot, struct bot_usage *usage)
{
	const struct child *child = (struct child *)bot;

	return child->process != NULL && child->pid != 0 &&
	       bot_usage_of(child->pid, child->boxed, usage);
}

/* Fills in the processor time so far; `at_us` is 0 if that is not known. */
static void
look_at_times(const struct child *child, struct watched *watched)
{
	struct bot_usage usage;

	watched->at_us = 0;
	if (child->process == NULL || child->pid == 0 ||
	    !bot_usage_of(child->pid, child->boxed, &usage))
		return;
	watched->threads =
		proc_threads(child->pid, watched->thread, WATCH_THREADS);
	if (watched->threads == 0)
		return;
	/* The kernel's times, to which this one is compared, do not stand still. */
	watched->at_us = clock_machine_us();
	watched->asked_at = child->asked_at;
	watched->cpu_us = usage.cpu_us;
}

static void
child_watch(struct bot *bot)
{
	struct child *child = (struct child *)bot;

	if (child->watched == NULL)
		child->watched = memory(NULL, sizeof(*child->watched));
	look_at_times(child, child->watched);
}

/* Fills in the processor time since it was watched.  Returns false if it did
 * not starve, or if that is not known. */
static bool
starves(const struct child *child, struct bot_seen *seen)
{
	const struct watched *then = child->watched;
	uint64_t had_us, of_us;
	struct watched now;

	if (then == NULL || then->at_us == 0 ||
	    then->asked_at != child->asked_at)
		return false;
	look_at_times(child, &now);
	if (now.at_us == 0 || now.cpu_us < then->cpu_us)
		return false;
	had_us = now.cpu_us - then->cpu_us;
	of_us = now.at_us - then->at_us;
	if (!has_starved(had_us,
			 proc_waited_us(then->thread, then->threads, now.thread,
					now.threads, of_us),
			 of_us))
		return false;
	*seen = (struct bot_seen){ .doing = BOT_STARVED,
				   .had_ms = (uint32_t)(had_us / 1000),
				   .of_ms = (uint32_t)(of_us / 1000) };
	return true;
}

/* Returns true if the bot may take longer to leave: half of its grace is left, or it
 * has starved since the last look and has not had a processor for half of its grace. */
static bool
may_stay(struct child *child)
{
	const bool first = child->stayed_us == 0;
	struct bot_seen seen;

	child->stayed_us += child->half_us;
	if (child->half_us == 0 ||
	    child->stayed_us > (BYE_MS / 2 + BYE_STARVED_MS) * (uint64_t)1000)
		return false;
	if (child->pid == 0)
		return true; /* it has not begun */
	if (!first && !starves(child, &seen))
		return false;
	child_watch(&child->bot);
	if (first)
		child->left_us = child->watched->cpu_us;
	return child->watched->at_us == 0
		       ? first
		       : child->watched->cpu_us - child->left_us <
				 child->half_us;
}

static void
on_grace_over(void *arg)
{
	struct child *child = arg;

	if (child->process == NULL)
		child_free(child);
	else if (may_stay(child))
		timer_after(&child->grace_timer, child->half_us);
	else
		spawner_kill(child->spawner, child->process);
}

static struct bot_seen
child_doing(struct bot *bot)
{
	struct bot_seen seen = { .doing = BOT_UNSEEN };
	struct child *child = (struct child *)bot;
	struct bot_look look;
	struct proc_look tree;

	bot_child_look(bot, &look);
	proc_look(look.pid, &tree);
	if (tree.threads == 0)
		return seen;
	if (tree.stopped > 0)
		seen.doing = BOT_STOPPED;
	else if (starves(child, &seen))
		return seen;
	else if (tree.running > 0)
		seen.doing = BOT_RUNS;
	else if (child->writing ||
		 look.unread > bot->bytes_out - child->asked_at)
		seen.doing = BOT_UNREAD;
	else
		seen.doing = BOT_WAITS;
	return seen;
}

void
bot_child_forget(struct bot *bot)
{
	((struct child *)bot)->complaint_bytes = 0;
	bot->wrote = bot->wrote_from = 0;
}

void
bot_child_look(const struct bot *bot, struct bot_look *look)
{
	const struct child *child = (const struct child *)bot;
	int waiting = 0;

	memset(look, 0, sizeof(*look));
	if (child->process != NULL)
		look->pid = child->pid;
	if (child->in >= 0 && ioctl(child->in, FIONREAD, &waiting) == 0)
		look->unread = (size_t)waiting;
}

static size_t
child_unended(const struct bot *bot, const char **line)
{
	return line_unended(&((const struct child *)bot)->reader, line);
}

static const struct bot_ops child_ops = {
	.unended = child_unended,
	.rest = child_rest,
	.usage = child_usage,
	.watch = child_watch,
	.doing = child_doing,
	.flush = child_flush,
	.part = child_part,
	.complaint = child_complaint,
};

/* Makes three pipes; theirs[i] becomes the bot's descriptor i. */
static int
open_pipes(int ours[3], int theirs[3])
{
	int ends[2], i;

	for (i = 0; i < 3; i++) {
		if (pipe2(ends, O_CLOEXEC) < 0)
			goto fail;
		ours[i] = i == 0 ? ends[1] : ends[0];
		theirs[i] = i == 0 ? ends[0] : ends[1];
		if (fcntl(ours[i], F_SETFL, O_NONBLOCK) < 0) {
			i++;
			goto fail;
		}
	}
	return 0;
fail:
	while (--i >= 0) {
		close(ours[i]);
		close(theirs[i]);
	}
	return -1;
}

struct bot *
bot_child_start(struct loop *loop, struct spawner *spawner,
		const struct spawner_task *what)
{
	struct spawner_task task = *what;
	struct child *child;
	int ours[3], i, error;

	if (open_pipes(ours, task.fds) < 0)
		return NULL;
	child = zeroed(1, sizeof(*child));
	bot_init(&child->bot, &child_ops, loop);
	child->spawner = spawner;
	child->in = ours[0];
	child->out = ours[1];
	child->err = ours[2];
	child->end.status = -1;
	child->pidfd = -1;
	child->idle = -1;
	child->core = -1;
	near_init(&child->near, &near_calls, child);
	child->boxed = what->box != NULL && what->box->tier >= SANDBOX_BOX;
	line_reader_init(&child->reader, LINE_BOT_BYTES);
	event_assign(&child->read_event, loop->base, child->out,
		     EV_READ | EV_PERSIST, on_readable, child);
	event_assign(&child->write_event, loop->base, child->in,
		     EV_WRITE | EV_PERSIST, on_writable, child);
	event_assign(&child->err_event, loop->base, child->err,
		     EV_READ | EV_PERSIST, on_complaint, child);
	timer_init(&child->grace_timer, &loop->timers, on_grace_over, child);
	child->process = spawner_start(spawner, &task, &calls, child);
	error = errno;
	for (i = 0; i < 3; i++)
		close(task.fds[i]);
	if (child->process == NULL) {
		child->bot.ended = NULL;
		child_free(child);
		errno = error;
		return NULL;
	}
	event_add(&child->read_event, NULL);
	event_add(&child->err_event, NULL);
	return &child->bot;
}
