/* referee/serve/worker-thread.c - see worker-thread.h.
 *
 * Jobs wait in one list, are read, and wait in the other until the loop, which
 * an eventfd wakes, has them done(). */
#include "referee/serve/worker-thread.h"

#include <errno.h>
#include <event2/event.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct list {
	struct worker_thread_job *first, **end;
};

struct worker_thread {
	int event_fd;
	struct event *event;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	/* Under the lock. */
	struct list todo, read;
	bool stop;
};

static void
list_init(struct list *list)
{
	list->first = NULL;
	list->end = &list->first;
}

static void
list_put(struct list *list, struct worker_thread_job *job)
{
	job->next = NULL;
	*list->end = job;
	list->end = &job->next;
}

static struct worker_thread_job *
list_take(struct list *list)
{
	struct worker_thread_job *job = list->first;

	if (job == NULL)
		return NULL;
	list->first = job->next;
	if (list->first == NULL)
		list->end = &list->first;
	return job;
}

/* ---- the thread ------------------------------------------------------- */

static void *
work(void *arg)
{
	const uint64_t one = 1;
	struct worker_thread *thread = arg;
	struct worker_thread_job *job;

	pthread_mutex_lock(&thread->lock);
	while (!thread->stop) {
		job = list_take(&thread->todo);
		if (job == NULL) {
			pthread_cond_wait(&thread->wake, &thread->lock);
			continue;
		}
		pthread_mutex_unlock(&thread->lock);
		job->read(job);
		pthread_mutex_lock(&thread->lock);
		list_put(&thread->read, job);
		if (write(thread->event_fd, &one, sizeof(one)) < 0)
			bug("an eventfd cannot be written: %s",
			    strerror(errno));
	}
	pthread_mutex_unlock(&thread->lock);
	return NULL;
}

/* ---- the loop --------------------------------------------------------- */

static void
on_read(evutil_socket_t fd, short what, void *arg)
{
	struct worker_thread *thread = arg;
	struct worker_thread_job *job;
	uint64_t number;

	(void)what;
	if (read(fd, &number, sizeof(number)) < 0)
		return;
	do {
		pthread_mutex_lock(&thread->lock);
		job = list_take(&thread->read);
		pthread_mutex_unlock(&thread->lock);
		if (job != NULL)
			job->done(job, true);
	} while (job != NULL);
}

void
worker_thread_ask(struct worker_thread *thread, struct worker_thread_job *job)
{
	pthread_mutex_lock(&thread->lock);
	list_put(&thread->todo, job);
	pthread_cond_signal(&thread->wake);
	pthread_mutex_unlock(&thread->lock);
}

/* ---- life ------------------------------------------------------------- */

static int
start_thread(struct worker_thread *thread)
{
	sigset_t all, before;
	int error;

	pthread_mutex_init(&thread->lock, NULL);
	pthread_cond_init(&thread->wake, NULL);
	/* Signals are the loop's. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&thread->thread, NULL, work, thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error == 0)
		return 0;
	pthread_mutex_destroy(&thread->lock);
	pthread_cond_destroy(&thread->wake);
	return error;
}

struct worker_thread *
worker_thread_new(struct loop *loop)
{
	struct worker_thread *thread = memory(NULL, sizeof(*thread));
	int error;

	memset(thread, 0, sizeof(*thread));
	list_init(&thread->todo);
	list_init(&thread->read);
	thread->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	error = thread->event_fd < 0 ? errno : start_thread(thread);
	if (error != 0) {
		if (thread->event_fd >= 0)
			close(thread->event_fd);
		free(thread);
		errno = error;
		return NULL;
	}
	thread->event = event_new(loop->base, thread->event_fd,
				  EV_READ | EV_PERSIST, on_read, thread);
	if (thread->event == NULL)
		bug("out of memory");
	event_add(thread->event, NULL);
	return thread;
}

void
worker_thread_free(struct worker_thread *thread)
{
	struct worker_thread_job *job;

	if (thread == NULL)
		return;
	pthread_mutex_lock(&thread->lock);
	thread->stop = true;
	pthread_cond_signal(&thread->wake);
	pthread_mutex_unlock(&thread->lock);
	pthread_join(thread->thread, NULL);
	pthread_mutex_destroy(&thread->lock);
	pthread_cond_destroy(&thread->wake);
	while ((job = list_take(&thread->read)) != NULL)
		job->done(job, true);
	while ((job = list_take(&thread->todo)) != NULL)
		job->done(job, false);
	event_free(thread->event);
	close(thread->event_fd);
	free(thread);
}
