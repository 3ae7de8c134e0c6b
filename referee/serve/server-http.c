/* referee/serve/server-http.c - what people may read of a server: its metrics,
 * its ladders, its bots. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/message.h"
#include "referee/json-line.h"
#include "referee/serve/scheduler-recall.h"
#include "referee/serve/server-inside.h"

#define METRICS_BYTES 1048576
#define JSON_TYPE "application/json"

/* Takes the object over. */
static void
answer_json(struct server *server, struct evhttp_request *request, json_t *json)
{
	char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(7));

	if (text == NULL)
		bug("cannot make JSON");
	json_decref(json);
	http_answer(server->http, request, JSON_TYPE, text, strlen(text));
	free(text);
}

static void
answer_metrics(struct server *server, struct evhttp_request *request)
{
	struct text out;

	text_init(&out, METRICS_BYTES);
	metrics_write(server, &out);
	http_answer(server->http, request,
		    "text/plain; version=0.0.4; charset=utf-8", out.bytes,
		    out.used);
	text_release(&out);
}

/* ---- ladders ---------------------------------------------------------- */

static json_t *
ladder_object(const struct server *server, unsigned place)
{
	const struct scheduler *scheduler = server->scheduler[place];
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
			 (int)(server->closing >> place & 1), "bots_sitting",
			 (int)scheduler_sitting(scheduler), "games_running",
			 (int)counts->running, "games_rated",
			 (json_int_t)counts->games, "games_aborted",
			 (json_int_t)counts->aborted, "why",
			 scheduler_blocked(scheduler));
	if (json == NULL)
		bug("cannot make JSON");
	return json;
}

static void
answer_ladders(struct server *server, struct evhttp_request *request)
{
	json_t *all = json_array();
	unsigned i;

	for (i = 0; i < SERVER_SCHEDULERS; i++)
		if (server->scheduler[i] != NULL)
			json_array_append_new(all, ladder_object(server, i));
	answer_json(server, request, json_pack("{s:o}", "ladders", all));
}

/* Somebody who waits for the standings of a ladder. */
struct reader {
	struct server *server;
	struct evhttp_request *request;
	json_t *ladder; /* owned: what else is told of it */
};

/* The sentence has a path in it, which strangers need not know. */
static void
log_unread(struct server *server, const char *why)
{
	struct log_line line;

	log_begin(&line, server->logger, LOG_LEVEL_WARN, "ladder-unread");
	log_str(&line, "why", why);
	log_end(&line);
}

static void
on_viewed(void *arg, const char *standings, const char *why)
{
	struct reader *reader = arg;
	json_t *json;

	if (standings != NULL) {
		json = json_loads(standings, 0, NULL);
		json_object_set_new(reader->ladder, "standings", json);
		answer_json(reader->server, reader->request, reader->ladder);
	} else {
		json_decref(reader->ladder);
		log_unread(reader->server, why);
		http_refuse(reader->server->http, reader->request, 503,
			    "the ladder cannot be read now");
	}
	free(reader);
}

static void
answer_ladder(struct server *server, struct evhttp_request *request,
	      const char *name)
{
	int place = server_find_scheduler(server, name, strlen(name));
	char path[LADDER_PATH_BYTES];
	struct ladder_pool pool;
	struct reader *reader;

	if (place < 0) {
		http_refuse(server->http, request, 404,
			    "there is no ladder of that name");
		return;
	}
	reader = memory(NULL, sizeof(*reader));
	*reader = (struct reader){ server, request,
				   ladder_object(server, (unsigned)place) };
	scheduler_pool(scheduler_setup(server->scheduler[place]), &pool);
	scheduler_path(server->scheduler[place], path);
	ladder_view_get(server->view, path, &pool, on_viewed, reader);
}

/* ---- bots ------------------------------------------------------------- */

static json_t *
bot_object(const struct scheduler *scheduler, const struct scheduler_bot *bot)
{
	json_t *json =
		json_pack("{s:s, s:f, s:I, s:i, s:b, s:b, s:o, s:s*}", "ladder",
			  scheduler_name(scheduler), "rating",
			  (double)bot->rating_milli / 1000, "games",
			  (json_int_t)bot->games, "playing", (int)bot->playing,
			  "sits", bot->sits, "suspended", bot->suspended,
			  "faults", json_faults(bot->faults), "why",
			  bot->suspended ? bot->suspension : NULL);

	if (json == NULL)
		bug("cannot make JSON");
	return json;
}

static void
answer_bot(struct server *server, struct evhttp_request *request,
	   const char *name)
{
	const struct remote_bot *remote =
		remote_bots_find(&server->remotes, name);
	json_t *ladders = json_array();
	char first[NAME_BYTES + 1];
	struct scheduler_bot bot;
	char who[NAME_BYTES + 1];
	struct roster_bot own;
	unsigned i;

	if (!server_ask_who(server, request, who)) {
		json_decref(ladders);
		return;
	}
	/* Whose a bot is, is told to itself alone. */
	own.owner[0] = '\0';
	if (strcmp(who, name) == 0)
		server_look_up(server, name, &own);
	server_stands_as(server, name, first);
	for (i = 0; i < SERVER_SCHEDULERS; i++)
		if (server->scheduler[i] != NULL &&
		    scheduler_bot(server->scheduler[i], first, &bot))
			json_array_append_new(
				ladders,
				bot_object(server->scheduler[i], &bot));
	if (remote == NULL && json_array_size(ladders) == 0) {
		json_decref(ladders);
		http_refuse(server->http, request, 404,
			    "no bot of that name has come");
		return;
	}
	answer_json(server, request,
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
	void (*all)(struct server *server, struct evhttp_request *request);
	void (*one)(struct server *server, struct evhttp_request *request,
		    const char *name);
	void (*put)(struct server *server, struct evhttp_request *request,
		    const char *name); /* or NULL */
} routes[] = {
	{ "/metrics", "", answer_metrics, NULL, NULL },
	{ "/ladders", "", answer_ladders, NULL, NULL },
	{ "/ladders/", "", NULL, answer_ladder, NULL },
	{ "/ladders/", "/games", NULL, server_answer_games, NULL },
	{ "/bots/", "", NULL, answer_bot, server_put_bot },
	{ "/bots/", "/log", NULL, server_answer_log, NULL },
	{ "/records/", "", NULL, server_answer_record, NULL },
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
server_allowed(void *arg, const char *path)
{
	char name[NAME_BYTES + 1];
	const struct route *route = find_route(path, name);

	(void)arg;
	if (route == NULL)
		return HTTP_NOTHING;
	return route->put == NULL ? HTTP_READ : HTTP_READ_PUT;
}

void
server_asked(void *arg, struct evhttp_request *request, const char *path)
{
	struct server *server = arg;
	char name[NAME_BYTES + 1];
	const struct route *route = find_route(path, name);

	if (route == NULL)
		http_refuse(server->http, request, 404,
			    "there are /metrics, /ladders, /ladders/NAME, "
			    "/ladders/NAME/games, /bots/NAME, /bots/NAME/log "
			    "and /records/ID");
	else if (http_is_put(request))
		route->put(server, request, name);
	else if (route->all != NULL)
		route->all(server, request);
	else
		route->one(server, request, name);
}
