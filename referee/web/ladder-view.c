/* referee/web/ladder-view.c - see ladder-view.h.
 *
 * A ladder that is looked at has a page.  The loop owns the pages; the
 * worker thread has those that are being read, and writes nothing of them but
 * `fresh` and `why`. */
#include "referee/web/ladder-view.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/base/json-line.h"
#include "referee/data/ladder-json.h"
#include "referee/data/owner.h"
#include "referee/pages/standings.h"

struct waiting {
	ladder_viewed *viewed;
	void *arg;
};

struct page {
	struct worker_thread_job
		job; /* first: the worker thread gives it back */
	char path[LADDER_PATH_BYTES];
	struct ladder_pool pool;
	uint64_t asked_us; /* last */
	uint64_t read_us;  /* 0: never */
	char *json;	   /* owned; NULL: could not be read */
	struct waiting waiting[VIEW_WAITING];
	unsigned count; /* 0: it is not with the worker thread */
	/* The worker thread's. */
	char *fresh;
	struct error why;
};

struct ladder_view {
	struct worker_thread *thread;
	struct page *page[VIEW_LADDERS];
};

/* ---- the worker thread --------------------------------------------------- */

static json_t *
row_object(const struct standings *standings, const struct standings_row *row)
{
	const struct ladder_standing *standing = &row->standing;
	json_t *one = JSON_OBJECT(
		JSON_IF("rank", standing->rank > 0
					? json_integer(standing->rank)
					: NULL),
		TEXT("bot", standing->bot),
		REAL("rating", (double)standing->rating_milli / 1000),
		INT("games", standing->games), INT("wins", standing->wins),
		REAL("mean_place",
		     (double)standing->places / (double)standing->games),
		REAL("score", standings_score(standings, row)));

	ladder_standing_json(standing, one);
	if (row->fit != NULL)
		fit_row_json(one, row->fit);
	return one;
}

static char *
read_ladder(const char *path, const struct ladder_pool *pool, struct error *why)
{
	struct standings standings = { .count = 0 };
	json_t *all = json_array();
	struct roster_marks *marks;
	struct ladder *ladder;
	char *json = NULL;
	unsigned i;
	int result = owner_open_ladder(path, &ladder, &marks, why);

	if (result == 0)
		result = standings_read(ladder, pool, false, &standings, why);
	for (i = 0; i < standings.count; i++)
		if (json_array_append_new(
			    all, row_object(&standings, &standings.row[i])) < 0)
			bug("cannot make JSON");
	standings_release(&standings);
	ladder_close(ladder);
	roster_marks_free(marks);
	if (result == 0)
		json = json_dumps(all, JSON_COMPACT | JSON_REAL_PRECISION(7));
	json_decref(all);
	return json;
}

static void
read_page(struct worker_thread_job *job)
{
	struct page *page = (struct page *)job;

	page->why.text[0] = '\0';
	page->fresh = read_ladder(page->path, &page->pool, &page->why);
}

/* ---- the loop --------------------------------------------------------- */

static bool
is_fresh(const struct page *page)
{
	return page->read_us != 0 &&
	       clock_us() - page->read_us < VIEW_MS * (uint64_t)1000;
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
on_done(struct worker_thread_job *job, bool read)
{
	struct page *page = (struct page *)job;

	if (!read) {
		tell(page, NULL, "the referee is stopping");
		return;
	}
	free(page->json);
	page->json = page->fresh;
	page->fresh = NULL;
	page->read_us = clock_us();
	tell(page, page->json, page->why.text);
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

/* The page of this ladder; a new one, in place of the one that has not been
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
		    (page->count == 0 &&
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
	page->job.read = read_page;
	page->job.done = on_done;
	return page;
}

void
ladder_view_get(struct ladder_view *view, const char *path,
		const struct ladder_pool *pool, ladder_viewed *viewed,
		void *arg)
{
	struct page *page = find_page(view, path, pool);

	if (page == NULL || page->count == VIEW_WAITING) {
		viewed(arg, NULL,
		       "too many requests at a time; try again later");
		return;
	}
	if (page->count == 0)
		page->asked_us = clock_us();
	if (page->count == 0 && is_fresh(page)) {
		viewed(arg, page->json, page->why.text);
		return;
	}
	page->waiting[page->count++] = (struct waiting){ viewed, arg };
	if (page->count == 1)
		worker_thread_ask(view->thread, &page->job);
}

/* ---- life ------------------------------------------------------------- */

struct ladder_view *
ladder_view_new(struct worker_thread *thread)
{
	struct ladder_view *view = zeroed(1, sizeof(*view));

	view->thread = thread;
	return view;
}

void
ladder_view_free(struct ladder_view *view)
{
	unsigned i;

	if (view == NULL)
		return;
	for (i = 0; i < VIEW_LADDERS; i++) {
		if (view->page[i] == NULL)
			continue;
		if (view->page[i]->count > 0)
			bug("the worker thread still has a page");
		free(view->page[i]->json);
		free(view->page[i]);
	}
	free(view);
}
