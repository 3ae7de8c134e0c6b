/* referee/serve/server-records.c - games and records over HTTP: who asks, what
 * for; the worker thread does the rest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "protocol/hidden.h"
#include "protocol/message.h"
#include "referee/serve/games-view.h"
#include "referee/serve/record-view.h"
#include "referee/serve/server-inside.h"

#define GAMES_BYTES 1048576			      /* a page of them */
#define AUTHORIZATION_BYTES (7 + BOT_TOKEN_BYTES + 1) /* `Bearer TOKEN` */

static void
refuse_unread(struct server *server, struct evhttp_request *request,
	      const char *sentence, const char *why)
{
	struct log_line line;

	/* That sentence has a path in it, which strangers need not know. */
	log_begin(&line, server->logger, LOG_LEVEL_WARN, "record-unread");
	log_str(&line, "why", why);
	log_end(&line);
	http_refuse(server->http, request, 503, sentence);
}

/* ---- the games of a ladder -------------------------------------------- */

struct games_ask {
	struct worker_thread_job
		job; /* first: the worker thread gives it back */
	struct server *server;
	struct evhttp_request *request;
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
	struct http *http = ask->server->http;

	if (!read)
		http_refuse(http, ask->request, 503, "the referee stops");
	else if (ask->result == 0)
		http_answer(http, ask->request,
			    ask->wish.plain ? "text/plain; charset=utf-8"
					    : "application/json",
			    ask->text.bytes, ask->text.used);
	else
		refuse_unread(ask->server, ask->request,
			      "the ladder cannot be read now", ask->why.text);
	text_release(&ask->text);
	free(ask);
}

/* A number of the query: 0, or -1 if it is none from 1 to `max`. */
static int
read_number(struct evhttp_request *request, const char *name, uint64_t max,
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
read_query(struct evhttp_request *request, struct games_wish *wish)
{
	uint64_t count = SERVE_GAMES_DEFAULT, before = INT64_MAX;
	char format[8] = "json";

	if (read_number(request, "count", SERVE_GAMES_MAX, &count) < 0)
		return "expected count= from 1 to 100";
	if (read_number(request, "before", INT64_MAX, &before) < 0)
		return "expected before= and the serial of a game";
	if (http_query(request, "format", format, sizeof(format)) < 0 ||
	    (strcmp(format, "json") != 0 && strcmp(format, "plain") != 0))
		return "expected format=json or format=plain";
	wish->count = (unsigned)count;
	wish->before = (int64_t)before;
	wish->plain = format[0] == 'p';
	return NULL;
}

void
server_answer_games(struct server *server, struct evhttp_request *request,
		    const char *name)
{
	int place = server_find_scheduler(server, name, strlen(name));
	struct games_wish wish = { .count = 0 };
	struct games_ask *ask;
	const char *wrong;

	_Static_assert(SERVE_GAMES_MAX == 100, "as the sentence says");
	if (place < 0) {
		http_refuse(server->http, request, 404,
			    "there is no ladder of that name");
		return;
	}
	wrong = read_query(request, &wish);
	if (wrong != NULL) {
		http_refuse(server->http, request, 400, wrong);
		return;
	}
	ask = memory(NULL, sizeof(*ask));
	memset(ask, 0, sizeof(*ask));
	ask->job.read = read_games;
	ask->job.done = on_games;
	ask->server = server;
	ask->request = request;
	ask->wish = wish;
	snprintf(ask->wish.ladder, sizeof(ask->wish.ladder), "%s", name);
	scheduler_path(server->scheduler[place], ask->wish.path);
	text_init(&ask->text, GAMES_BYTES);
	worker_thread_ask(server->thread, &ask->job);
}

/* ---- who asks --------------------------------------------------------- */

static const char no_token[] = "unknown bot name or wrong token";
static const char expected_token[] =
	"expected both of X-Bot: NAME and Authorization: Bearer TOKEN, or "
	"neither";

/* The two headers: 1, or 0 if neither is there, or -1. */
static int
read_headers(struct evhttp_request *request, char name[NAME_BYTES + 1],
	     char token[AUTHORIZATION_BYTES])
{
	static const char scheme[] = "Bearer ";
	const size_t n = sizeof(scheme) - 1;
	int named = http_header(request, "X-Bot", name, NAME_BYTES + 1);
	int shown = http_header(request, "Authorization", token,
				AUTHORIZATION_BYTES);

	if (named == 0 && shown == 0)
		return 0;
	if (named != 1 || shown != 1 || !message_name_ok(name, strlen(name)) ||
	    strncasecmp(token, scheme, n) != 0)
		return -1;
	memmove(token, token + n, strlen(token + n) + 1);
	return 1;
}

bool
server_ask_who(struct server *server, struct evhttp_request *request,
	       char name[NAME_BYTES + 1])
{
	char token[AUTHORIZATION_BYTES];
	int given = read_headers(request, name, token);
	enum server_token answer;
	struct roster_bot known;

	if (given == 0) {
		name[0] = '\0';
		return true;
	}
	if (given < 0) {
		http_refuse(server->http, request, 400, expected_token);
		return false;
	}
	answer = server_check_token(server, name, token, strlen(token), &known);
	explicit_bzero(token, sizeof(token));
	if (answer == SERVER_TOKEN_WRONG)
		http_refuse_wrong(server->http, request, 401, no_token);
	else if (answer == SERVER_TOKEN_UNKNOWN)
		http_refuse(server->http, request, 503,
			    "the referee cannot look your token up now");
	return answer == SERVER_TOKEN_FITS;
}

/* What records call who asks, "" if nobody says who he is; false: it was
 * answered. */
static bool
find_out_who(struct server *server, struct evhttp_request *request,
	     char bot[NAME_BYTES + 1])
{
	char name[NAME_BYTES + 1];

	if (!server_ask_who(server, request, name))
		return false;
	bot[0] = '\0';
	if (name[0] != '\0')
		server_stands_as(server, name, bot);
	return true;
}

/* ---- a record --------------------------------------------------------- */

struct record_ask {
	struct worker_thread_job
		job; /* first: the worker thread gives it back */
	struct server *server;
	struct evhttp_request *request;
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
answer(const struct record_ask *ask)
{
	struct http *http = ask->server->http;
	const struct record_found *found = &ask->found;

	if (found->code == 200) {
		http_add_header(ask->request, "X-Record", found->state);
		http_answer(http, ask->request, "text/plain; charset=utf-8",
			    found->text.bytes, found->text.used);
	} else if (found->why.text[0] != '\0') {
		refuse_unread(ask->server, ask->request, found->sentence,
			      found->why.text);
	} else {
		http_refuse(http, ask->request, found->code, found->sentence);
	}
}

static void
on_record(struct worker_thread_job *job, bool read)
{
	struct record_ask *ask = (struct record_ask *)job;

	if (read)
		answer(ask);
	else
		http_refuse(ask->server->http, ask->request, 503,
			    "the referee stops");
	text_release(&ask->found.text);
	free(ask->shelf);
	free(ask);
}

/* Every ladder may have the game. */
static void
add_shelves(struct record_ask *ask)
{
	struct server *server = ask->server;
	const struct config_ladder *setup;
	struct record_shelf *shelf;
	unsigned i;

	ask->shelf = memory(NULL, SERVER_SCHEDULERS * sizeof(*ask->shelf));
	for (i = 0; i < SERVER_SCHEDULERS; i++) {
		if (server->scheduler[i] == NULL)
			continue;
		setup = scheduler_setup(server->scheduler[i]);
		shelf = &ask->shelf[ask->shelves++];
		scheduler_path(server->scheduler[i], shelf->path);
		shelf->readers = setup->readers;
		shelf->read_after_minutes = setup->read_after_minutes;
	}
}

/* `view=public` or `view=SEAT`: 0, or -1. */
static int
read_view(struct evhttp_request *request, int *view)
{
	char value[8];
	int given = http_query(request, "view", value, sizeof(value));

	*view = VIEW_ALL;
	if (given == 0)
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

void
server_answer_record(struct server *server, struct evhttp_request *request,
		     const char *id)
{
	struct record_wish wish = { .now = (int64_t)time(NULL) };
	struct record_ask *ask;

	if (!message_id_ok(id, strlen(id))) {
		http_refuse(server->http, request, 404,
			    "an ID has 32 hex digits, in small letters");
		return;
	}
	if (read_view(request, &wish.view) < 0) {
		http_refuse(server->http, request, 400,
			    "expected view=public or view= and a seat");
		return;
	}
	if (!find_out_who(server, request, wish.bot))
		return;
	if (!http_expect_large(server->http, request)) {
		http_refuse(server->http, request, 429,
			    "too many records are being read");
		return;
	}
	snprintf(wish.id, sizeof(wish.id), "%s", id);
	ask = memory(NULL, sizeof(*ask));
	memset(ask, 0, sizeof(*ask));
	ask->job.read = read_record;
	ask->job.done = on_record;
	ask->server = server;
	ask->request = request;
	ask->wish = wish;
	add_shelves(ask);
	worker_thread_ask(server->thread, &ask->job);
}
