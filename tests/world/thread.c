/* tests/world/thread.c - threads (referee/base/thread.h) as fibers: a task takes a
 * time that the seed draws, and the loop goes on meanwhile. */
#include "referee/base/thread.h"

#include <errno.h>
#include <event2/event.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "tests/world/kernel.h"

#define TASK_US 300 /* the usual time that a task takes */

struct list {
	struct thread_task *first, **end;
};

struct thread {
	struct thread_plan plan;
	int event_fd;
	struct event *event;   /* NULL: without a loop */
	struct fiber **fibers; /* owned */
	unsigned count;
	struct dice dice;
	struct list todo, back;
	unsigned live; /* fibers that have not ended */
	bool stop;
	void (*drop)(struct thread_task *task);
};

static void
list_init(struct list *list)
{
	list->first = NULL;
	list->end = &list->first;
}

static void
list_put(struct list *list, struct thread_task *tasks)
{
	struct thread_task *next;

	for (; tasks != NULL; tasks = next) {
		next = tasks->next;
		tasks->next = NULL;
		*list->end = tasks;
		list->end = &tasks->next;
	}
}

static struct thread_task *
list_take(struct list *list)
{
	struct thread_task *task = list->first;

	if (task == NULL)
		return NULL;
	list->first = task->next;
	if (list->first == NULL)
		list->end = &list->first;
	task->next = NULL;
	return task;
}

static struct thread_task *
list_take_all(struct list *list)
{
	struct thread_task *tasks = list->first;

	list_init(list);
	return tasks;
}

static void
thread_release(struct thread *thread)
{
	close(thread->event_fd);
	free(thread->fibers);
	free(thread);
}

/* ---- the thread ------------------------------------------------------- */

static bool
is_never(void *arg UNUSED)
{
	return false;
}

static bool
has_work(void *arg)
{
	const struct thread *thread = arg;

	return thread->todo.first != NULL || thread->stop;
}

static void
drop_all(struct thread *thread)
{
	struct thread_task *task;

	while ((task = list_take(&thread->back)) != NULL)
		thread->drop(task);
	while ((task = list_take(&thread->todo)) != NULL)
		thread->drop(task);
	thread_release(thread);
}

static void *
work(void *arg)
{
	struct thread *thread = arg;
	struct thread_task *tasks;

	for (;;) {
		if (!has_work(thread))
			fiber_wait(has_work, thread, UINT64_MAX);
		if (thread->stop &&
		    (!thread->plan.finish || thread->todo.first == NULL))
			break;
		tasks = thread->plan.work == NULL
				? list_take(&thread->todo)
				: list_take_all(&thread->todo);
		if (tasks == NULL)
			continue;
		fiber_wait(is_never, NULL,
			   clock_us() + dice_delay_us(&thread->dice, TASK_US));
		if (thread->plan.work != NULL) {
			thread->plan.work(thread->plan.arg, tasks);
		} else {
			tasks->read(tasks);
			thread_back(thread, tasks);
		}
	}
	if (--thread->live == 0 && thread->drop != NULL)
		drop_all(thread);
	return NULL;
}

void
thread_back(struct thread *thread, struct thread_task *tasks)
{
	const uint64_t one = 1;

	list_put(&thread->back, tasks);
	if (write(thread->event_fd, &one, sizeof(one)) < 0)
		world_broken("cannot write to an eventfd");
}

struct thread_task *
thread_take(struct thread *thread)
{
	struct thread_task *task = list_take(&thread->back);
	uint64_t number;

	if (task == NULL &&
	    read(thread->event_fd, &number, sizeof(number)) < 0 &&
	    errno != EAGAIN)
		world_broken("cannot read an eventfd");
	return task;
}

static void
on_read(evutil_socket_t fd UNUSED, short what UNUSED, void *arg)
{
	struct thread *thread = arg;
	struct thread_task *task;

	while ((task = thread_take(thread)) != NULL)
		task->done(task, true);
}

int
thread_fd(const struct thread *thread)
{
	return thread->event_fd;
}

void
thread_ask(struct thread *thread, struct thread_task *task)
{
	task->next = NULL;
	thread_ask_all(thread, task);
}

void
thread_ask_all(struct thread *thread, struct thread_task *tasks)
{
	list_put(&thread->todo, tasks);
}

/* ---- life ------------------------------------------------------------- */

struct thread *
thread_start(const struct thread_plan *plan)
{
	static uint64_t started;
	struct thread *thread = zeroed(1, sizeof(*thread));

	thread->plan = *plan;
	list_init(&thread->todo);
	list_init(&thread->back);
	thread->dice = dice_of("thread", started++);
	thread->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (thread->event_fd < 0) {
		free(thread);
		return NULL;
	}
	thread->count = plan->threads == 0 ? 1 : plan->threads;
	thread->live = thread->count;
	thread->fibers = zeroed(thread->count, sizeof(struct fiber *));
	for (unsigned i = 0; i < thread->count; i++)
		thread->fibers[i] = fiber_new(work, thread, "thread");
	return thread;
}

struct thread *
thread_pool(struct loop *loop, unsigned threads)
{
	const struct thread_plan plan = { .threads = threads };
	struct thread *thread = thread_start(&plan);

	if (thread != NULL)
		thread->event = loop_reads(loop->base, thread->event_fd,
					   on_read, thread);
	return thread;
}

struct thread *
thread_new(struct loop *loop)
{
	return thread_pool(loop, 1);
}

static void
stop(struct thread *thread, void (*drop)(struct thread_task *task))
{
	if (thread->event != NULL)
		event_free(thread->event);
	thread->stop = true;
	thread->drop = drop;
}

void
thread_free(struct thread *thread)
{
	struct thread_task *task;

	if (thread == NULL)
		return;
	stop(thread, NULL);
	for (unsigned i = 0; i < thread->count; i++)
		fiber_join(thread->fibers[i]);
	while ((task = list_take(&thread->back)) != NULL)
		if (task->done != NULL)
			task->done(task, true);
	while ((task = list_take(&thread->todo)) != NULL)
		if (task->done != NULL)
			task->done(task, false);
	thread_release(thread);
}

void
thread_leave(struct thread *thread, void (*drop)(struct thread_task *task))
{
	stop(thread, drop);
}
