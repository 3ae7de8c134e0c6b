/* referee/base/loop.c - runs passes over libevent's base.
 *
 * libevent's own deferred callbacks would interleave with the reading ones;
 * plain queues that are run after each event_base_loop() make the order
 * of a pass visible. */
#include "referee/base/loop.h"

#include <errno.h>
#include <event2/event.h>
#include <sched.h>
#include <signal.h>
#include <string.h>

#include "protocol/limits.h"

#define MINUTE_US 60000000

/* Misses in a row up to which peek() halves how often it looks. */
#define PEEK_MISSES 8

static void
note_lag(struct loop *loop, uint64_t now_us)
{
	uint64_t due_us = loop->beaten_us + CLOCK_BEAT_US;

	loop->lag_us = now_us > due_us ? now_us - due_us : 0;
	loop->beaten_us = now_us;
	if (now_us - loop->minute_us >= MINUTE_US) {
		loop->minute_us = now_us;
		loop->worst_us[1] = loop->worst_us[0];
		loop->worst_us[0] = 0;
	}
	if (loop->lag_us > loop->worst_us[0])
		loop->worst_us[0] = loop->lag_us;
}

void
loop_lag(const struct loop *loop, uint64_t *last_us, uint64_t *worst_us)
{
	*last_us = loop->lag_us;
	*worst_us = loop->worst_us[loop->worst_us[1] > loop->worst_us[0]];
}

static void
on_beat(void *arg)
{
	note_lag(arg, clock_machine_us());
	clock_beat();
}

static struct event *
new_event(struct event_base *base, int fd, short what, loop_call *call,
	  void *arg)
{
	struct event *event = event_new(base, fd, what, call, arg);

	if (event == NULL)
		bug("out of memory");
	return event;
}

/* Wakes the loop, which then fires its timers. */
static void
on_wake(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	((struct loop *)arg)->wake_us = UINT64_MAX;
}

int
loop_init(struct loop *loop)
{
	struct event_config *config = event_config_new();

	memset(loop, 0, sizeof(*loop));
	/* A bot that has gone becomes an error of write(2), not a signal. */
	signal(SIGPIPE, SIG_IGN);
	if (config == NULL) {
		errno = ENOMEM;
		return -1;
	}
	/* One thread uses the base and does not fork after this, so it needs no
	 * locks.  The time that libevent caches in a pass is only used for its
	 * only timer, the one that wakes us. */
	event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK);
	loop->base = event_base_new_with_config(config);
	event_config_free(config);
	if (loop->base == NULL)
		return -1;
	TAILQ_INIT(&loop->running);
	for (unsigned stage = 0; stage < LOOP_STAGES; stage++)
		TAILQ_INIT(&loop->queue[stage]);
	loop->wake = new_event(loop->base, -1, 0, on_wake, loop);
	loop->wake_us = UINT64_MAX;
	timer_init(&loop->beat, &loop->timers, on_beat, loop);
	timer_every(&loop->beat, CLOCK_BEAT_US);
	clock_beat();
	loop->beaten_us = loop->minute_us = clock_machine_us();
	return 0;
}

void
loop_release(struct loop *loop)
{
	clock_rest();
	timers_release(&loop->timers);
	event_free(loop->wake);
	event_base_free(loop->base);
	memset(loop, 0, sizeof(*loop));
}

static void
enter(struct loop_queue *queue, struct loop_task *task)
{
	TAILQ_INSERT_TAIL(queue, task, at);
	task->in = queue;
}

void
loop_post(struct loop *loop, enum loop_stage stage, struct loop_task *task)
{
	if (task->in != NULL)
		return;
	if (stage == LOOP_TELL)
		task->since_us = clock_us();
	enter(&loop->queue[stage], task);
}

void
loop_cancel(struct loop *loop UNUSED, struct loop_task *task)
{
	if (task->in != NULL)
		TAILQ_REMOVE(task->in, task, at);
	task->in = NULL;
}

static void
run_task(struct loop *loop, struct loop_task *task)
{
	loop_cancel(loop, task);
	task->run(task);
}

/* Runs the tasks of a stage.  Tasks that are posted there meanwhile wait for
 * the next time. */
static void
queue_run(struct loop *loop, enum loop_stage stage)
{
	struct loop_queue *queue = &loop->queue[stage];
	struct loop_task *task;

	while ((task = TAILQ_FIRST(queue)) != NULL) {
		TAILQ_REMOVE(queue, task, at);
		enter(&loop->running, task);
	}
	while ((task = TAILQ_FIRST(&loop->running)) != NULL)
		run_task(loop, task);
}

static void
wake_after(struct loop *loop, uint64_t us)
{
	const struct timeval after = { .tv_sec = (time_t)(us / 1000000),
				       .tv_usec = (suseconds_t)(us % 1000000) };

	event_add(loop->wake, &after);
}

/* Lets libevent wake us when the next timer is due, or earlier.  Returns false if one
 * is due now. */
static bool
may_wait(struct loop *loop)
{
	const uint64_t next_us = timers_next_us(&loop->timers),
		       now_us = clock_us();

	if (next_us == UINT64_MAX)
		return true;
	if (next_us <= now_us)
		return false;
	/* Most timers are stopped before they fire: to be woken for one that was
	 * stopped costs less than to move the wake-up each time. */
	if (next_us < loop->wake_us || loop->wake_us <= now_us) {
		wake_after(loop, next_us - now_us);
		loop->wake_us = next_us;
	}
	return true;
}

/* Lets callbacks read what has come, and fires the timers that are due. */
static void
poll_events(struct loop *loop, int flags)
{
	loop->slow_steps = 0;
	loop->round += !loop->unfinished;
	loop->unfinished = false;
	if (!(flags & EVLOOP_NONBLOCK) && !may_wait(loop))
		flags |= EVLOOP_NONBLOCK;
	if (event_base_loop(loop->base, flags) == -1)
		bug("the event loop failed: %s", strerror(errno));
	timers_fire(&loop->timers);
}

bool
loop_may_step(struct loop *loop, uint64_t *stepped)
{
	if (*stepped == loop->round)
		return false;
	if (loop->slow_steps == LOOP_SLOW_STEPS) {
		loop->unfinished = true;
		return false;
	}
	loop->slow_steps++;
	*stepped = loop->round;
	return true;
}

static bool
has_tasks(const struct loop *loop, enum loop_stage stage)
{
	return !TAILQ_EMPTY(&loop->queue[stage]);
}

/* Runs the tasks of LOOP_TELL that have waited for TELL_MS. */
static void
tell_late(struct loop *loop)
{
	const uint64_t now_us = clock_us();
	struct loop_task *task;

	while ((task = TAILQ_FIRST(&loop->queue[LOOP_TELL])) != NULL &&
	       now_us - task->since_us >= TELL_MS * (uint64_t)1000)
		run_task(loop, task);
}

void
loop_asked(struct loop *loop, void (*look)(void *arg), void *arg)
{
	loop->peek = look;
	loop->peek_arg = arg;
	loop->asked++;
}

void
loop_forget(struct loop *loop, const void *arg)
{
	if (loop->peek_arg == arg)
		loop->asked = 0;
}

/* If only one bot was asked, looks for its answer, because a read costs less
 * than an event: a bot on our own processor has run when we come back from
 * write() or from sched_yield().  After each miss in a row it looks half as
 * often.  If several were asked, the first would win because we look at it
 * first. */
static bool
peek(struct loop *loop)
{
	const bool only = loop->asked == 1;

	loop->asked = 0;
	if (!only || (loop->skip > 0 && loop->skip-- > 0))
		return false;
	loop->peek(loop->peek_arg);
	if (!has_tasks(loop, LOOP_SETTLE)) {
		sched_yield(); /* let the bot run, which may not have run yet */
		loop->peek(loop->peek_arg);
	}
	if (has_tasks(loop, LOOP_SETTLE)) {
		loop->misses = 0;
		return true;
	}
	if (loop->misses < PEEK_MISSES)
		loop->misses++;
	loop->skip = (1U << loop->misses) - 2;
	return false;
}

/* Takes answers that are there already before seats are told what happened.
 * Returns false if more may be there, but the pass has been long enough. */
static bool
take_quick_answers(struct loop *loop)
{
	const uint64_t until_us = clock_machine_us() + TELL_MS * (uint64_t)1000;
	bool yielded = false;

	while (has_tasks(loop, LOOP_TELL)) {
		if (!peek(loop))
			poll_events(loop, EVLOOP_ONCE | EVLOOP_NONBLOCK);
		if (!has_tasks(loop, LOOP_SETTLE)) {
			/* Bots on our own processor may not have run yet. */
			if (yielded)
				return true;
			yielded = true;
			sched_yield();
			continue;
		}
		yielded = false;
		queue_run(loop, LOOP_SETTLE);
		queue_run(loop, LOOP_ASK);
		tell_late(loop);
		queue_run(loop, LOOP_SEND);
		if (clock_machine_us() > until_us)
			return loop->stop;
	}
	return true;
}

struct event *
loop_reads(struct event_base *base, int fd, loop_call *call, void *arg)
{
	struct event *event =
		new_event(base, fd, EV_READ | EV_PERSIST, call, arg);

	event_add(event, NULL);
	return event;
}

void
loop_signals(struct event_base *base, struct event *event[],
	     const int signals[], size_t n, loop_call *call, void *arg)
{
	for (size_t i = 0; i < n; i++) {
		event[i] = new_event(base, signals[i], EV_SIGNAL | EV_PERSIST,
				     call, arg);
		event_add(event[i], NULL);
	}
}

size_t
loop_end_signals(struct event_base *base, struct event *event[LOOP_END_SIGNALS],
		 loop_call *call, void *arg)
{
	static const int signals[LOOP_END_SIGNALS] = { SIGINT, SIGTERM,
						       SIGHUP };
	struct sigaction hang_up;
	size_t n;

	sigaction(SIGHUP, NULL, &hang_up);
	n = LOOP_END_SIGNALS - (hang_up.sa_handler == SIG_IGN);
	loop_signals(base, event, signals, n, call, arg);
	return n;
}

void
loop_drop(struct event **event)
{
	if (*event != NULL)
		event_free(*event);
	*event = NULL;
}

void
loop_pass(struct loop *loop)
{
	int flags = EVLOOP_ONCE;

	for (unsigned stage = 0; stage < LOOP_STAGES; stage++)
		if (has_tasks(loop, stage))
			flags |= EVLOOP_NONBLOCK;
	poll_events(loop, flags);
	loop->asked = 0;
	queue_run(loop, LOOP_SETTLE);
	queue_run(loop, LOOP_ASK);
	queue_run(loop, LOOP_SEND);
	if (take_quick_answers(loop))
		queue_run(loop, LOOP_TELL);
	queue_run(loop, LOOP_SEND);
}

void
loop_run(struct loop *loop)
{
	loop->stop = false;
	/* The time before does not count as silence. */
	loop->beaten_us = clock_machine_us();
	while (!loop->stop)
		loop_pass(loop);
}
