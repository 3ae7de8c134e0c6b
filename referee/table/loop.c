/* referee/table/loop.c - passes over libevent's base.
 *
 * libevent's own deferred callbacks would interleave with the reading ones;
 * two plain queues that are run after each event_base_loop() make the order
 * of a pass visible. */
#include "referee/table/loop.h"

#include <errno.h>
#include <event2/event.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "protocol/limits.h"

/* How often a running loop shows that it runs, and how much longer it may be
 * silent before that time is held to be none of the bots'. */
#define BEAT_US 50000
#define GAP_US 250000
#define MINUTE_US 60000000

/* Of the loop that runs: when it was seen to run last (0: none runs), and the
 * time in which it did not, although it should have. */
static uint64_t beat_us, lost_us;

static uint64_t
monotonic_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000 + (uint64_t)ts.tv_nsec / 1000;
}

/* Stands still while the process was stopped, or the machine could not let it
 * run: a bot that had answered long ago would be charged for it. */
static uint64_t
running_us(void)
{
	uint64_t now_us = monotonic_us();

	if (beat_us != 0 && now_us - beat_us > BEAT_US + GAP_US) {
		lost_us += now_us - beat_us - BEAT_US;
		beat_us = now_us;
	}
	return now_us - lost_us;
}

uint64_t (*clock_us)(void) = running_us;

static void
note_lag(struct loop *loop, uint64_t now_us)
{
	uint64_t due_us = loop->beaten_us + BEAT_US;

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
on_beat(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	note_lag(arg, monotonic_us());
	running_us();
	beat_us = monotonic_us();
}

int
loop_init(struct loop *loop)
{
	struct event_config *config = event_config_new();
	const struct timeval often = { .tv_usec = BEAT_US };

	memset(loop, 0, sizeof(*loop));
	/* A bot that has gone is an error of write(2), no signal. */
	signal(SIGPIPE, SIG_IGN);
	if (config == NULL) {
		errno = ENOMEM;
		return -1;
	}
	/* One thread and no fork after this: no locks; and the time that
	 * libevent caches in a pass is only used for its timers. */
	event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK);
	loop->base = event_base_new_with_config(config);
	event_config_free(config);
	if (loop->base == NULL)
		return -1;
	loop->beat = event_new(loop->base, -1, EV_PERSIST, on_beat, loop);
	if (loop->beat == NULL)
		bug("out of memory");
	event_add(loop->beat, &often);
	beat_us = loop->beaten_us = loop->minute_us = monotonic_us();
	return 0;
}

void
loop_release(struct loop *loop)
{
	unsigned stage;

	for (stage = 0; stage < LOOP_STAGES; stage++)
		free(loop->queue[stage].task);
	free(loop->spare.task);
	beat_us = 0;
	event_free(loop->beat);
	event_base_free(loop->base);
	memset(loop, 0, sizeof(*loop));
}

void
loop_post(struct loop *loop, enum loop_stage stage, struct loop_task *task)
{
	struct loop_queue *queue = &loop->queue[stage];

	if (task->posted)
		return;
	if (queue->count == queue->size) {
		queue->size = queue->size == 0 ? 16 : queue->size * 2;
		queue->task = realloc(queue->task,
				      queue->size * sizeof(*queue->task));
		if (queue->task == NULL)
			bug("out of memory");
	}
	task->posted = true;
	queue->task[queue->count++] = task;
}

static void
queue_forget(struct loop_queue *queue, const struct loop_task *task)
{
	unsigned i;

	for (i = 0; i < queue->count; i++)
		if (queue->task[i] == task)
			queue->task[i] = NULL;
}

void
loop_cancel(struct loop *loop, struct loop_task *task)
{
	unsigned stage;

	/* Also in the queue that is being run, where its flag is down. */
	queue_forget(&loop->spare, task);
	if (!task->posted)
		return;
	for (stage = 0; stage < LOOP_STAGES; stage++)
		queue_forget(&loop->queue[stage], task);
	task->posted = false;
}

static void
queue_run(struct loop *loop, enum loop_stage stage)
{
	struct loop_queue run = loop->queue[stage];
	struct loop_task *task;
	unsigned i;

	if (run.count == 0)
		return;
	loop->queue[stage] = loop->spare;
	loop->queue[stage].count = 0;
	loop->spare = run;
	for (i = 0; i < run.count; i++) {
		task = loop->spare.task[i];
		if (task == NULL)
			continue;
		task->posted = false;
		task->run(task);
	}
	loop->spare.count = 0;
}

static void
poll_events(struct loop *loop, int flags)
{
	if (event_base_loop(loop->base, flags) == -1)
		bug("the event loop failed: %s", strerror(errno));
}

/* Seats wait to be told; answers that are there already come first. */
static void
take_quick_answers(struct loop *loop)
{
	const uint64_t until_us = clock_us() + TELL_MS * (uint64_t)1000;
	bool yielded = false;

	while (loop->queue[LOOP_TELL].count > 0) {
		poll_events(loop, EVLOOP_ONCE | EVLOOP_NONBLOCK);
		if (loop->queue[LOOP_SETTLE].count == 0) {
			/* Bots on our own processor have not run yet. */
			if (yielded)
				return;
			yielded = true;
			sched_yield();
			continue;
		}
		yielded = false;
		queue_run(loop, LOOP_SETTLE);
		queue_run(loop, LOOP_ASK);
		queue_run(loop, LOOP_SEND);
		if (clock_us() > until_us)
			return;
	}
}

void
loop_after_us(struct event *timer, uint64_t us)
{
	struct timeval after;

	us = us == 0 ? 1 : us;
	after.tv_sec = (time_t)(us / 1000000);
	after.tv_usec = (suseconds_t)(us % 1000000);
	event_add(timer, &after);
}

void
loop_pass(struct loop *loop)
{
	int flags = EVLOOP_ONCE;
	unsigned stage;

	for (stage = 0; stage < LOOP_STAGES; stage++)
		if (loop->queue[stage].count > 0)
			flags |= EVLOOP_NONBLOCK;
	poll_events(loop, flags);
	queue_run(loop, LOOP_SETTLE);
	queue_run(loop, LOOP_ASK);
	queue_run(loop, LOOP_SEND);
	take_quick_answers(loop);
	queue_run(loop, LOOP_TELL);
	queue_run(loop, LOOP_SEND);
}

void
loop_run(struct loop *loop)
{
	loop->stop = false;
	loop->beaten_us = monotonic_us(); /* what was before is no silence */
	while (!loop->stop)
		loop_pass(loop);
}
