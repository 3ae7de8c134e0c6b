/* referee/serve/record-pages.c - see record-pages.h. */
#include "referee/serve/record-pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "protocol/hidden.h"
#include "protocol/message.h"
#include "referee/serve/games-view.h"
#include "referee/serve/html-pages.h"
#include "referee/serve/record-view.h"
#include "referee/serve/who.h"

#define GAMES_BYTES 1048576 /* a page of them */

/* ---- the games of a ladder -------------------------------------------- */

struct games_ask {
	struct worker_thread_job
		job; /* first: the worker thread gives it back */
	struct pages *pages;
	struct http_request *request;
	struct games_wish wish;
	struct text text;
	int result;
	struct error why;
};

static void
read_games(struct worker_thread_job *job)
{
	struct games_ask *ask = (struct games_ask *)job;

	ask->result = games_view_read(&ask->wish, &ask->text, &ask->why);
}

static void
on_games(struct worker_thread_job *job, bool read)
{
	struct games_ask *ask = (struct games_ask *)job;

	if (!read)
		page_refuse_stopping(ask->request);
	else if (ask->result == 0)
		page_answer(ask->request,
			    ask->wish.plain ? PAGE_PLAIN : PAGE_JSON,
			    &ask->text);
	else
		page_refuse_unread(
			ask->pages, ask->request, "record-unread",
			"cannot read the ladder now; try again later",
			ask->why.text);
	text_release(&ask->text);
	free(ask);
}

/* A number of the query: 0, or -1 if it is none from 1 to `max`. */
static int
read_number(struct http_request *request, const char *name, uint64_t max,
	    uint64_t *number)
{
	char value[24];
	int given = http_query(request, name, value, sizeof(value));

	if (given == 0)
		return 0;
	return given < 0 ||
			       message_number(value, strlen(value), max,
					      number) < 0 ||
			       *number == 0
		       ? -1
		       : 0;
}

static const char *
read_query(struct http_request *request, struct games_wish *wish)
{
	uint64_t count = SERVE_GAMES_DEFAULT, before = INT64_MAX;
	char format[8] = "json";

	if (read_number(request, "count", SERVE_GAMES_MAX, &count) < 0)
		return "expected count= from 1 to 100";
	if (read_number(request, "before", INT64_MAX, &before) < 0)
		return "expected before= and a game's serial";
	if (http_query(request, "format", format, sizeof(format)) < 0 ||
	    (strcmp(format, "json") != 0 && strcmp(format, "plain") != 0))
		return "expected format=json or format=plain";
	wish->count = (unsigned)count;
	wish->before = (int64_t)before;
	wish->plain = format[0] == 'p';
	return NULL;
}

void
record_pages_games(struct pages *pages, struct http_request *request,
		   const struct page_path *names)
{
	const char *name = names->name[0];
	int place = ladders_find(pages->ladders, name, strlen(name));
	struct games_wish wish = { .count = 0 };
	struct games_ask *ask;
	const char *wrong;

	_Static_assert(SERVE_GAMES_MAX == 100, "as the sentence says");
	if (place < 0) {
		page_refuse_ladder(pages, request, name);
		return;
	}
	wrong = read_query(request, &wish);
	if (wrong != NULL) {
		http_refuse(request, 400, wrong);
		return;
	}
	ask = zeroed(1, sizeof(*ask));
	ask->job.read = read_games;
	ask->job.done = on_games;
	ask->pages = pages;
	ask->request = request;
	ask->wish = wish;
	snprintf(ask->wish.ladder, sizeof(ask->wish.ladder), "%s", name);
	scheduler_path(pages->ladders->scheduler[place], ask->wish.path);
	text_init(&ask->text, GAMES_BYTES);
	worker_thread_ask(pages->thread, &ask->job);
}

/* What records call who asks, "" if the request names no bot; false: it was
 * answered. */
static bool
find_out_who(struct pages *pages, struct http_request *request,
	     char bot[NAME_BYTES + 1])
{
	char name[NAME_BYTES + 1];

	if (!page_ask_who(pages, request, name))
		return false;
	bot[0] = '\0';
	if (name[0] != '\0')
		who_stands_as(pages->roster, name, bot);
	return true;
}

/* ---- a record --------------------------------------------------------- */

struct record_ask {
	struct worker_thread_job
		job; /* first: the worker thread gives it back */
	struct pages *pages;
	struct http_request *request;
	struct record_shelf *shelf; /* owned */
	unsigned shelves;
	struct record_wish wish;
	struct record_found found;
};

static void
read_record(struct worker_thread_job *job)
{
	struct record_ask *ask = (struct record_ask *)job;

	record_view_read(ask->shelf, ask->shelves, &ask->wish, &ask->found);
}

static void
answer(struct record_ask *ask)
{
	static const char *const types[] = {
		[RECORD_TEXT] = PAGE_PLAIN,
		[RECORD_FRAMES] = PAGE_JSON_LINES,
		[RECORD_PAGE] = PAGE_HTML,
	};
	struct record_found *found = &ask->found;

	if (found->code == 200) {
		http_add_header(ask->request, "X-Record", found->state);
		page_answer(ask->request, types[ask->wish.form], &found->text);
	} else if (found->why.text[0] != '\0') {
		page_refuse_unread(ask->pages, ask->request, "record-unread",
				   found->sentence, found->why.text);
	} else {
		http_refuse(ask->request, found->code, found->sentence);
	}
}

static void
on_record(struct worker_thread_job *job, bool read)
{
	struct record_ask *ask = (struct record_ask *)job;

	if (read)
		answer(ask);
	else
		page_refuse_stopping(ask->request);
	text_release(&ask->found.text);
	free(ask->shelf);
	free(ask);
}

/* Every ladder may have the game. */
static void
add_shelves(struct record_ask *ask)
{
	struct pages *pages = ask->pages;
	const struct config_ladder *setup;
	struct record_shelf *shelf;
	unsigned i;

	ask->shelf = memory(NULL, LADDER_PLACES * sizeof(*ask->shelf));
	for (i = 0; i < LADDER_PLACES; i++) {
		if (pages->ladders->scheduler[i] == NULL)
			continue;
		setup = scheduler_setup(pages->ladders->scheduler[i]);
		shelf = &ask->shelf[ask->shelves++];
		scheduler_path(pages->ladders->scheduler[i], shelf->path);
		snprintf(shelf->name, sizeof(shelf->name), "%s", setup->name);
		shelf->readers = setup->readers;
		shelf->read_after_minutes = setup->read_after_minutes;
	}
}

/* `view=all`, `view=public` or `view=SEAT`: 0, or -1. */
static int
read_view(struct http_request *request, int *view)
{
	char value[8];
	int given = http_query(request, "view", value, sizeof(value));

	*view = VIEW_ALL;
	if (given == 0 || (given == 1 && strcmp(value, "all") == 0))
		return 0;
	if (given == 1 && strcmp(value, "public") == 0) {
		*view = VIEW_PUBLIC;
		return 0;
	}
	if (given < 0 || value[0] < '0' || value[0] >= '0' + SEATS_MAX ||
	    value[1] != '\0')
		return -1;
	*view = value[0] - '0';
	return 0;
}

static void
read_for(struct pages *pages, struct http_request *request, const char *id,
	 enum record_form form)
{
	struct record_wish wish = { .now = (int64_t)time(NULL),
				    .form = form,
				    .site = html_pages_site() };
	uint64_t at = 0;
	struct record_ask *ask;

	if (!message_id_ok(id, strlen(id))) {
		http_refuse(
			request, 404,
			"expected a game's ID: 32 hex digits in lower case");
		return;
	}
	if (read_view(request, &wish.view) < 0) {
		http_refuse(request, 400,
			    "expected view=all, view=public or view=SEAT");
		return;
	}
	if (read_number(request, "at", UINT32_MAX, &at) < 0) {
		http_refuse(request, 400,
			    "expected at= and the number of a line");
		return;
	}
	wish.at = (unsigned)at;
	if (!find_out_who(pages, request, wish.bot))
		return;
	if (!http_expect_large(request)) {
		http_refuse(request, 429,
			    "too many records are being read; try again later");
		return;
	}
	snprintf(wish.id, sizeof(wish.id), "%s", id);
	ask = zeroed(1, sizeof(*ask));
	ask->job.read = read_record;
	ask->job.done = on_record;
	ask->pages = pages;
	ask->request = request;
	ask->wish = wish;
	add_shelves(ask);
	worker_thread_ask(pages->thread, &ask->job);
}

void
record_pages_record(struct pages *pages, struct http_request *request,
		    const struct page_path *names)
{
	read_for(pages, request, names->name[0], RECORD_TEXT);
}

void
record_pages_frames(struct pages *pages, struct http_request *request,
		    const struct page_path *names)
{
	read_for(pages, request, names->name[0], RECORD_FRAMES);
}

void
record_pages_game(struct pages *pages, struct http_request *request,
		  const struct page_path *names)
{
	read_for(pages, request, names->name[0], RECORD_PAGE);
}
