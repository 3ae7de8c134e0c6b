/* referee/serve/pages.c - see pages.h. */
#include "referee/serve/pages.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/message.h"
#include "referee/json-line.h"
#include "referee/ladder-print.h"
#include "referee/serve/scheduler-recall.h"
#include "referee/serve/bot-pages.h"
#include "referee/serve/record-pages.h"
#include "referee/serve/who.h"

#define METRICS_BYTES 1048576

/* Takes the object over. */
static void
answer_json(struct http_request *request, json_t *json)
{
	struct text text;

	text_init(&text, SIZE_MAX);
	json_text(json, 7, &text);
	page_answer(request, PAGE_JSON, &text, HTTP_CHECK);
}

static void
answer_metrics(struct pages *pages, struct http_request *request)
{
	struct text out;

	text_init(&out, METRICS_BYTES);
	pages->metrics(pages->arg, &out);
	page_answer(request, "text/plain; version=0.0.4; charset=utf-8", &out,
		    HTTP_NO_STORE);
}

/* ---- ladders ---------------------------------------------------------- */

static json_t *
ladder_object(const struct pages *pages, unsigned place)
{
	const struct scheduler *scheduler = pages->ladders->scheduler[place];
	const struct config_ladder *setup = scheduler_setup(scheduler);
	const struct scheduler_counts *counts = scheduler_counts(scheduler);
	struct ladder_pool pool;
	json_t *json;

	scheduler_pool(setup, &pool);
	json = json_pack("{s:s, s:s, s:s, s:i, s:s, s:b, s:i, s:i, s:I, s:I, "
			 "s:s*}",
			 "ladder", setup->name, "game", pool.game, "options",
			 pool.options, "seats", (int)pool.seats, "open",
			 pool.arrival ? "arrival" : "priority", "closing",
			 (int)(pages->ladders->closing >> place & 1),
			 "bots_sitting", (int)scheduler_sitting(scheduler),
			 "games_running", (int)counts->running, "games_rated",
			 (json_int_t)counts->games, "games_aborted",
			 (json_int_t)counts->aborted, "why",
			 scheduler_blocked(scheduler));
	if (json == NULL)
		bug("cannot make JSON");
	ladder_season_json(json, scheduler_season(scheduler));
	return json;
}

static void
answer_ladders(struct pages *pages, struct http_request *request)
{
	struct scheduler *scheduler;
	json_t *all = json_array();
	unsigned i;

	LADDERS_EACH (pages->ladders, scheduler, i)
		json_array_append_new(all, ladder_object(pages, i));
	answer_json(request, json_pack("{s:o}", "ladders", all));
}

/* A request that waits for the standings of a ladder. */
struct reader {
	struct pages *pages;
	struct http_request *request;
	json_t *ladder; /* owned: what else is told of it */
};

static void
on_viewed(void *arg, const char *standings, const char *why)
{
	struct reader *reader = arg;
	json_t *json;

	if (standings != NULL) {
		json = json_loads(standings, 0, NULL);
		json_object_set_new(reader->ladder, "standings", json);
		answer_json(reader->request, reader->ladder);
	} else {
		json_decref(reader->ladder);
		page_refuse_unread(
			reader->pages, reader->request, "ladder-unread",
			"cannot read the ladder now; try again later", why);
	}
	free(reader);
}

static void
answer_ladder(struct pages *pages, struct http_request *request,
	      const char *name)
{
	int place = ladders_find(pages->ladders, name, strlen(name));
	char path[LADDER_PATH_BYTES];
	struct ladder_pool pool;
	struct reader *reader;

	if (place < 0) {
		page_refuse_ladder(pages, request, name);
		return;
	}
	reader = memory(NULL, sizeof(*reader));
	*reader = (struct reader){ pages, request,
				   ladder_object(pages, (unsigned)place) };
	scheduler_pool(scheduler_setup(pages->ladders->scheduler[place]),
		       &pool);
	scheduler_path(pages->ladders->scheduler[place], path);
	ladder_view_get(pages->view, path, &pool, on_viewed, reader);
}

/* ---- bots ------------------------------------------------------------- */

static json_t *
bot_object(const struct scheduler *scheduler, const struct scheduler_bot *bot)
{
	json_t *json =
		json_pack("{s:s, s:f, s:f, s:I, s:i, s:b, s:b, s:o, s:s*}",
			  "ladder", scheduler_name(scheduler), "rating",
			  (double)bot->rating_milli / 1000, "paired_at",
			  (double)bot->paired_milli / 1000, "games",
			  (json_int_t)bot->games, "playing", (int)bot->playing,
			  "sits", bot->sits, "suspended", bot->suspended,
			  "faults", json_faults(bot->faults), "why",
			  bot->suspended ? bot->suspension : NULL);

	if (json == NULL)
		bug("cannot make JSON");
	return json;
}

static void
answer_bot(struct pages *pages, struct http_request *request, const char *name)
{
	struct scheduler *scheduler;
	const struct remote_bot *remote =
		remote_bots_find(pages->remotes, name);
	json_t *ladders = json_array();
	char first[NAME_BYTES + 1];
	struct scheduler_bot bot;
	char who[NAME_BYTES + 1];
	struct roster_bot own;
	unsigned i;

	if (!page_ask_who(pages, request, who)) {
		json_decref(ladders);
		return;
	}
	/* Whose a bot is, is told to itself alone. */
	own.owner[0] = '\0';
	if (strcmp(who, name) == 0)
		who_look_up(pages->roster, name, &own);
	who_stands_as(pages->roster, name, first);
	LADDERS_EACH (pages->ladders, scheduler, i)
		if (scheduler_bot(scheduler, first, &bot))
			json_array_append_new(ladders,
					      bot_object(scheduler, &bot));
	if (remote == NULL && json_array_size(ladders) == 0) {
		json_decref(ladders);
		http_refuse(request, 404, "unknown bot name");
		return;
	}
	answer_json(request,
		    json_pack("{s:s, s:s*, s:b, s:s*, s:o}", "bot", name,
			      "owner", own.owner[0] ? own.owner : NULL, "here",
			      remote != NULL && remote->here, "why",
			      remote != NULL && !remote->here && remote->why[0]
				      ? remote->why
				      : NULL,
			      "ladders", ladders));
}

/* ---- what is there ---------------------------------------------------- */

static const struct route {
	const char *path; /* one that ends in a slash is followed by a name */
	const char *rest; /* behind the name */
	void (*all)(struct pages *pages, struct http_request *request);
	void (*one)(struct pages *pages, struct http_request *request,
		    const char *name);
	void (*put)(struct pages *pages, struct http_request *request,
		    const char *name); /* or NULL */
} routes[] = {
	{ "/metrics", "", answer_metrics, NULL, NULL },
	{ "/ladders", "", answer_ladders, NULL, NULL },
	{ "/ladders/", "", NULL, answer_ladder, NULL },
	{ "/ladders/", "/games", NULL, record_pages_games, NULL },
	{ "/bots/", "", NULL, answer_bot, bot_pages_put },
	{ "/bots/", "/log", NULL, bot_pages_log, NULL },
	{ "/records/", "", NULL, record_pages_record, NULL },
};

/* The name between what the route begins and ends with. */
static bool
find_name(const struct route *route, const char *path,
	  char name[NAME_BYTES + 1])
{
	size_t before = strlen(route->path), after = strlen(route->rest),
	       n = strlen(path);

	if (n <= before + after || strncmp(path, route->path, before) != 0 ||
	    strcmp(path + n - after, route->rest) != 0 ||
	    !message_name_ok(path + before, n - before - after))
		return false;
	snprintf(name, NAME_BYTES + 1, "%.*s", (int)(n - before - after),
		 path + before);
	return true;
}

/* `name` is filled in where the route has one; NULL: there is no such path. */
static const struct route *
find_route(const char *path, char name[NAME_BYTES + 1])
{
	const struct route *route;

	for (route = routes; route < routes + NELEM(routes); route++)
		if (route->all != NULL ? strcmp(path, route->path) == 0
				       : find_name(route, path, name))
			return route;
	return NULL;
}

enum http_methods
pages_allowed(void *arg UNUSED, const char *path)
{
	char name[NAME_BYTES + 1];
	const struct route *route = find_route(path, name);

	if (route == NULL)
		return HTTP_NOTHING;
	return route->put == NULL ? HTTP_READ : HTTP_READ_PUT;
}

void
pages_asked(void *arg, struct http_request *request, const char *path)
{
	struct pages *pages = arg;
	char name[NAME_BYTES + 1];
	const struct route *route = find_route(path, name);

	if (route == NULL)
		http_refuse(request, 404,
			    "unknown page; the pages are /metrics, /ladders, "
			    "/ladders/NAME, /ladders/NAME/games, /bots/NAME, "
			    "/bots/NAME/log and /records/ID");
	else if (http_is_put(request))
		route->put(pages, request, name);
	else if (route->all != NULL)
		route->all(pages, request);
	else
		route->one(pages, request, name);
}

void
pages_refused(void *arg, enum refusal kind, const char *from, const char *bot,
	      const char *why)
{
	const struct pages *pages = arg;

	refusals_tell(pages->refusals, kind, from, bot, why);
}
