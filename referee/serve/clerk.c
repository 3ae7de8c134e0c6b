/* referee/serve/clerk.c - see clerk.h.
 *
 * Jobs wait in one list, are read, and wait in the other until the loop, which
 * an eventfd wakes, has them done(). */
#include "referee/serve/clerk.h"

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
	struct clerk_job *first, **end;
};

struct clerk {
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
list_put(struct list *list, struct clerk_job *job)
{
	job->next = NULL;
	*list->end = job;
	list->end = &job->next;
}

static struct clerk_job *
list_take(struct list *list)
{
	struct clerk_job *job = list->first;

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
	struct clerk *clerk = arg;
	struct clerk_job *job;

	pthread_mutex_lock(&clerk->lock);
	while (!clerk->stop) {
		job = list_take(&clerk->todo);
		if (job == NULL) {
			pthread_cond_wait(&clerk->wake, &clerk->lock);
			continue;
		}
		pthread_mutex_unlock(&clerk->lock);
		job->read(job);
		pthread_mutex_lock(&clerk->lock);
		list_put(&clerk->read, job);
		if (write(clerk->event_fd, &one, sizeof(one)) < 0)
			bug("an eventfd cannot be written: %s",
			    strerror(errno));
	}
	pthread_mutex_unlock(&clerk->lock);
	return NULL;
}

/* ---- the loop --------------------------------------------------------- */

static void
on_read(evutil_socket_t fd, short what, void *arg)
{
	struct clerk *clerk = arg;
	struct clerk_job *job;
	uint64_t number;

	(void)what;
	if (read(fd, &number, sizeof(number)) < 0)
		return;
	do {
		pthread_mutex_lock(&clerk->lock);
		job = list_take(&clerk->read);
		pthread_mutex_unlock(&clerk->lock);
		if (job != NULL)
			job->done(job, true);
	} while (job != NULL);
}

void
clerk_ask(struct clerk *clerk, struct clerk_job *job)
{
	pthread_mutex_lock(&clerk->lock);
	list_put(&clerk->todo, job);
	pthread_cond_signal(&clerk->wake);
	pthread_mutex_unlock(&clerk->lock);
}

/* ---- life ------------------------------------------------------------- */

static int
start_thread(struct clerk *clerk)
{
	sigset_t all, before;
	int error;

	pthread_mutex_init(&clerk->lock, NULL);
	pthread_cond_init(&clerk->wake, NULL);
	/* Signals are the loop's. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&clerk->thread, NULL, work, clerk);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error == 0)
		return 0;
	pthread_mutex_destroy(&clerk->lock);
	pthread_cond_destroy(&clerk->wake);
	return error;
}

struct clerk *
clerk_new(struct loop *loop)
{
	struct clerk *clerk = memory(NULL, sizeof(*clerk));
	int error;

	memset(clerk, 0, sizeof(*clerk));
	list_init(&clerk->todo);
	list_init(&clerk->read);
	clerk->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	error = clerk->event_fd < 0 ? errno : start_thread(clerk);
	if (error != 0) {
		if (clerk->event_fd >= 0)
			close(clerk->event_fd);
		free(clerk);
		errno = error;
		return NULL;
	}
	clerk->event = event_new(loop->base, clerk->event_fd,
				 EV_READ | EV_PERSIST, on_read, clerk);
	if (clerk->event == NULL)
		bug("out of memory");
	event_add(clerk->event, NULL);
	return clerk;
}

void
clerk_free(struct clerk *clerk)
{
	struct clerk_job *job;

	if (clerk == NULL)
		return;
	pthread_mutex_lock(&clerk->lock);
	clerk->stop = true;
	pthread_cond_signal(&clerk->wake);
	pthread_mutex_unlock(&clerk->lock);
	pthread_join(clerk->thread, NULL);
	pthread_mutex_destroy(&clerk->lock);
	pthread_cond_destroy(&clerk->wake);
	while ((job = list_take(&clerk->read)) != NULL)
		job->done(job, true);
	while ((job = list_take(&clerk->todo)) != NULL)
		job->done(job, false);
	event_free(clerk->event);
	close(clerk->event_fd);
	free(clerk);
}
