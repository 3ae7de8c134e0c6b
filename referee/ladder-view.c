/* referee/ladder-view.c - see ladder-view.h.
 *
 * A ladder that somebody looks at has a page.  The loop owns the pages; the
 * thread has one of them at a time, between todo() and on_done(), and writes
 * nothing of it but `fresh` and `why`. */
#include "referee/ladder-view.h"

#include <errno.h>
#include <event2/event.h>
#include <jansson.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct waiting {
	ladder_viewed *viewed;
	void *arg;
};

struct page {
	char path[LADDER_PATH_BYTES];
	struct ladder_pool pool;
	uint64_t asked_us; /* by somebody, last */
	uint64_t read_us;  /* 0: never */
	char *json;	   /* owned; NULL: could not be read */
	struct waiting waiting[VIEW_WAITING];
	unsigned count;
	/* The thread's. */
	char *fresh;
	char why[LADDER_WHY_BYTES];
};

struct ladder_view {
	struct loop *loop;
	struct page *page[VIEW_LADDERS];
	int event_fd;
	struct event *event;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	/* Under the lock. */
	struct page *todo; /* to be read next, or being read */
	bool done;	   /* it has been read */
	bool stop;
};

/* ---- the thread ------------------------------------------------------- */

struct reading {
	json_t *all;
	unsigned seats;
};

static void
add_standing(void *arg, const struct ladder_standing *standing)
{
	struct reading *reading = arg;
	double games = (double)standing->games;
	json_t *one = json_pack(
		"{s:i, s:s, s:f, s:I, s:I, s:f, s:f}", "rank",
		(int)standing->rank, "bot", standing->bot, "rating",
		(double)standing->rating_milli / 1000, "games",
		(json_int_t)standing->games, "wins", (json_int_t)standing->wins,
		"mean_place", (double)standing->places / games, "score",
		(double)standing->halves / (2 * games * (reading->seats - 1)));

	if (one == NULL || json_array_append_new(reading->all, one) < 0)
		bug("cannot make JSON");
}

static char *
read_ladder(const char *path, struct ladder_pool *pool,
	    char why[LADDER_WHY_BYTES])
{
	struct reading reading = { json_array(), pool->seats };
	struct ladder *ladder = NULL;
	char *json = NULL;
	int result = ladder_open(path, LADDER_READ, &ladder, why);

	if (result == LADDER_OK)
		result = ladder_pool_find(ladder, pool, why);
	if (result == LADDER_OK && pool->number != 0)
		result = ladder_standings(ladder, pool->number, add_standing,
					  &reading, why);
	ladder_close(ladder);
	if (result == LADDER_OK)
		json = json_dumps(reading.all,
				  JSON_COMPACT | JSON_REAL_PRECISION(7));
	json_decref(reading.all);
	return json;
}

static void *
work(void *arg)
{
	struct ladder_view *view = arg;
	const uint64_t one = 1;
	struct ladder_pool pool;
	struct page *page;

	pthread_mutex_lock(&view->lock);
	while (!view->stop) {
		if (view->todo == NULL || view->done) {
			pthread_cond_wait(&view->wake, &view->lock);
			continue;
		}
		page = view->todo;
		pthread_mutex_unlock(&view->lock);
		pool = page->pool;
		page->why[0] = '\0';
		page->fresh = read_ladder(page->path, &pool, page->why);
		pthread_mutex_lock(&view->lock);
		view->done = true;
		if (write(view->event_fd, &one, sizeof(one)) < 0)
			bug("an eventfd cannot be written: %s",
			    strerror(errno));
	}
	pthread_mutex_unlock(&view->lock);
	return NULL;
}

/* ---- the loop --------------------------------------------------------- */

static uint64_t
ticks_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static bool
is_fresh(const struct page *page)
{
	return page->read_us != 0 &&
	       ticks_us() - page->read_us < VIEW_MS * (uint64_t)1000;
}

/* The thread takes the page that has waited longest. */
static void
start(struct ladder_view *view)
{
	struct page *next = NULL, *page;
	unsigned i;

	for (i = 0; i < VIEW_LADDERS; i++) {
		page = view->page[i];
		if (page != NULL && page->count > 0 &&
		    (next == NULL || page->asked_us < next->asked_us))
			next = page;
	}
	if (next == NULL)
		return;
	pthread_mutex_lock(&view->lock);
	view->todo = next;
	view->done = false;
	pthread_cond_signal(&view->wake);
	pthread_mutex_unlock(&view->lock);
}

static void
tell(struct page *page, const char *json, const char *why)
{
	unsigned i, count = page->count;

	page->count = 0;
	for (i = 0; i < count; i++)
		page->waiting[i].viewed(page->waiting[i].arg, json, why);
}

static void
on_done(evutil_socket_t fd, short what, void *arg)
{
	struct ladder_view *view = arg;
	struct page *page;
	uint64_t number;

	(void)what;
	if (read(fd, &number, sizeof(number)) < 0)
		return;
	pthread_mutex_lock(&view->lock);
	page = view->done ? view->todo : NULL;
	view->todo = NULL;
	view->done = false;
	pthread_mutex_unlock(&view->lock);
	if (page == NULL)
		return;
	free(page->json);
	page->json = page->fresh;
	page->fresh = NULL;
	page->read_us = ticks_us();
	tell(page, page->json, page->why);
	start(view);
}

static bool
is_same(const struct page *page, const char *path,
	const struct ladder_pool *pool)
{
	return strcmp(page->path, path) == 0 &&
	       strcmp(page->pool.game, pool->game) == 0 &&
	       strcmp(page->pool.options, pool->options) == 0 &&
	       page->pool.seats == pool->seats &&
	       page->pool.arrival == pool->arrival;
}

/* The page of this ladder; a new one, in place of the one that nobody has
 * looked at for longest; or NULL. */
static struct page *
find_page(struct ladder_view *view, const char *path,
	  const struct ladder_pool *pool)
{
	struct page **at = NULL, *page;
	unsigned i;

	for (i = 0; i < VIEW_LADDERS; i++) {
		page = view->page[i];
		if (page != NULL && is_same(page, path, pool))
			return page;
		if (page == NULL ||
		    (page->count == 0 && page != view->todo &&
		     (at == NULL ||
		      (*at != NULL && page->asked_us < (*at)->asked_us))))
			at = &view->page[i];
	}
	if (at == NULL)
		return NULL;
	if (*at != NULL)
		free((*at)->json);
	*at = page = memory(*at, sizeof(*page));
	memset(page, 0, sizeof(*page));
	snprintf(page->path, sizeof(page->path), "%s", path);
	page->pool = *pool;
	return page;
}

void
ladder_view_get(struct ladder_view *view, const char *path,
		const struct ladder_pool *pool, ladder_viewed *viewed,
		void *arg)
{
	struct page *page = find_page(view, path, pool);

	if (page == NULL || page->count == VIEW_WAITING) {
		viewed(arg, NULL, "too many ask at a time");
		return;
	}
	if (page->count == 0)
		page->asked_us = ticks_us();
	if (page->count == 0 && is_fresh(page)) {
		viewed(arg, page->json, page->why);
		return;
	}
	page->waiting[page->count++] = (struct waiting){ viewed, arg };
	if (view->todo == NULL)
		start(view);
}

/* ---- life ------------------------------------------------------------- */

static int
start_thread(struct ladder_view *view)
{
	sigset_t all, before;
	int error;

	/* Signals are the loop's. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&view->thread, NULL, work, view);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

struct ladder_view *
ladder_view_new(struct loop *loop)
{
	struct ladder_view *view = memory(NULL, sizeof(*view));
	int error;

	memset(view, 0, sizeof(*view));
	view->loop = loop;
	view->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	error = view->event_fd < 0 ? errno : 0;
	if (error == 0) {
		pthread_mutex_init(&view->lock, NULL);
		pthread_cond_init(&view->wake, NULL);
		error = start_thread(view);
	}
	if (error != 0) {
		if (view->event_fd >= 0)
			close(view->event_fd);
		free(view);
		errno = error;
		return NULL;
	}
	view->event = event_new(loop->base, view->event_fd,
				EV_READ | EV_PERSIST, on_done, view);
	if (view->event == NULL)
		bug("out of memory");
	event_add(view->event, NULL);
	return view;
}

void
ladder_view_free(struct ladder_view *view)
{
	unsigned i;

	if (view == NULL)
		return;
	pthread_mutex_lock(&view->lock);
	view->stop = true;
	pthread_cond_signal(&view->wake);
	pthread_mutex_unlock(&view->lock);
	pthread_join(view->thread, NULL);
	pthread_mutex_destroy(&view->lock);
	pthread_cond_destroy(&view->wake);
	for (i = 0; i < VIEW_LADDERS; i++) {
		if (view->page[i] == NULL)
			continue;
		tell(view->page[i], NULL, "the referee stops");
		free(view->page[i]->json);
		free(view->page[i]->fresh);
		free(view->page[i]);
	}
	event_free(view->event);
	close(view->event_fd);
	free(view);
}
