/* referee/base/thread.c - see thread.h.
 *
 * Jobs wait in one list, are read, and wait in the other list until the loop,
 * which an eventfd wakes, takes them. */
#include "referee/base/thread.h"

#include <errno.h>
#include <event2/event.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "protocol/clock.h"

struct list {
	struct thread_task *first, **end;
};

struct thread {
	struct thread_plan plan;
	int event_fd;
	struct event *event; /* NULL: without a loop */
	pthread_t *threads;  /* owned */
	unsigned count;	     /* threads that were started */
	pthread_mutex_t lock;
	pthread_cond_t wake;
	/* Guarded by the lock. */
	struct list todo, back;
	unsigned live; /* threads that have not ended */
	bool stop;
	void (*drop)(struct thread_task *task); /* set when the thread is
						      * given up */
};

static void
list_init(struct list *list)
{
	list->first = NULL;
	list->end = &list->first;
}

static void
list_put(struct list *list, struct thread_task *task)
{
	task->next = NULL;
	*list->end = task;
	list->end = &task->next;
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

static void
thread_release(struct thread *thread)
{
	pthread_mutex_destroy(&thread->lock);
	pthread_cond_destroy(&thread->wake);
	close(thread->event_fd);
	free(thread->threads);
	free(thread);
}

/* ---- the thread ------------------------------------------------------- */

/* Takes one task, or all for work().  The caller has the lock. */
static struct thread_task *
take_tasks(struct thread *thread)
{
	struct thread_task *tasks = thread->todo.first;

	if (thread->plan.work == NULL)
		return list_take(&thread->todo);
	list_init(&thread->todo);
	return tasks;
}

/* Drops all tasks and frees the struct; called by the last thread that ends. */
static void
drop_all(struct thread *thread)
{
	struct thread_task *tasks, *next;

	for (tasks = thread->back.first; tasks != NULL; tasks = next) {
		next = tasks->next;
		thread->drop(tasks);
	}
	while ((tasks = list_take(&thread->todo)) != NULL)
		thread->drop(tasks);
	thread_release(thread);
}

static void *
work(void *arg)
{
	struct thread *thread = arg;
	struct thread_task *tasks;
	bool last;

	clock_alone();
	pthread_mutex_lock(&thread->lock);
	for (;;) {
		while (thread->todo.first == NULL && !thread->stop)
			pthread_cond_wait(&thread->wake, &thread->lock);
		if (thread->stop &&
		    (!thread->plan.finish || thread->todo.first == NULL))
			break;
		tasks = take_tasks(thread);
		pthread_mutex_unlock(&thread->lock);
		if (thread->plan.work != NULL) {
			thread->plan.work(thread->plan.arg, tasks);
		} else {
			tasks->read(tasks);
			thread_back(thread, tasks);
		}
		pthread_mutex_lock(&thread->lock);
	}
	last = --thread->live == 0 && thread->drop != NULL;
	pthread_mutex_unlock(&thread->lock);
	if (last)
		drop_all(thread);
	return NULL;
}

void
thread_back(struct thread *thread, struct thread_task *tasks)
{
	const uint64_t one = 1;
	struct thread_task *next;

	pthread_mutex_lock(&thread->lock);
	for (; tasks != NULL; tasks = next) {
		next = tasks->next;
		list_put(&thread->back, tasks);
	}
	pthread_mutex_unlock(&thread->lock);
	if (write(thread->event_fd, &one, sizeof(one)) < 0)
		bug("cannot write to an eventfd: %s", strerror(errno));
}

/* ---- the loop --------------------------------------------------------- */

struct thread_task *
thread_take(struct thread *thread)
{
	struct thread_task *task;
	uint64_t number;

	pthread_mutex_lock(&thread->lock);
	task = list_take(&thread->back);
	if (task == NULL &&
	    read(thread->event_fd, &number, sizeof(number)) < 0 &&
	    errno != EAGAIN)
		bug("cannot read an eventfd: %s", strerror(errno));
	pthread_mutex_unlock(&thread->lock);
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
	struct thread_task *next;

	pthread_mutex_lock(&thread->lock);
	for (; tasks != NULL; tasks = next) {
		next = tasks->next;
		list_put(&thread->todo, tasks);
	}
	pthread_cond_signal(&thread->wake);
	pthread_mutex_unlock(&thread->lock);
}

/* ---- life ------------------------------------------------------------- */

/* Starts threads.  Returns an errno if not even one starts.  The caller has the
 * lock. */
static int
start_threads(struct thread *thread, unsigned wanted)
{
	sigset_t all, before;
	int error = 0;

	thread->threads = zeroed(wanted, sizeof(*thread->threads));
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (thread->count < wanted && error == 0) {
		error = pthread_create(&thread->threads[thread->count], NULL,
				       work, thread);
		thread->count += error == 0;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	thread->live = thread->count;
	return thread->count > 0 ? 0 : error;
}

static int
start(struct thread *thread)
{
	const unsigned wanted = thread->plan.threads;
	int error;

	pthread_mutex_init(&thread->lock, NULL);
	pthread_cond_init(&thread->wake, NULL);
	pthread_mutex_lock(&thread->lock);
	error = start_threads(thread, wanted == 0 ? 1 : wanted);
	pthread_mutex_unlock(&thread->lock);
	return error;
}

struct thread *
thread_start(const struct thread_plan *plan)
{
	struct thread *thread = zeroed(1, sizeof(*thread));
	int error;

	thread->plan = *plan;
	list_init(&thread->todo);
	list_init(&thread->back);
	thread->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (thread->event_fd < 0) {
		error = errno;
		free(thread);
		errno = error;
		return NULL;
	}
	error = start(thread);
	if (error == 0)
		return thread;
	thread_release(thread);
	errno = error;
	return NULL;
}

struct thread *
thread_pool(struct loop *loop, unsigned threads)
{
	const struct thread_plan plan = { .threads = threads };
	struct thread *thread = thread_start(&plan);

	if (thread == NULL)
		return NULL;
	thread->event =
		loop_reads(loop->base, thread->event_fd, on_read, thread);
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
	pthread_mutex_lock(&thread->lock);
	thread->stop = true;
	thread->drop = drop;
	pthread_cond_broadcast(&thread->wake);
	pthread_mutex_unlock(&thread->lock);
}

void
thread_free(struct thread *thread)
{
	struct thread_task *task;

	if (thread == NULL)
		return;
	stop(thread, NULL);
	for (unsigned i = 0; i < thread->count; i++)
		pthread_join(thread->threads[i], NULL);
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
	/* Detach them before the last thread frees the array. */
	for (unsigned i = 0; i < thread->count; i++)
		pthread_detach(thread->threads[i]);
	stop(thread, drop);
}
